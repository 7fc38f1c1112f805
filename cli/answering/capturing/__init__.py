"""What was said goes in, and what does not: by whom it was asked, during a pause, off limits."""
