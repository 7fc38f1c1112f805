"""What was forgotten goes out of every file."""
