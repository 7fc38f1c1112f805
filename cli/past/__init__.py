"""What was known before now: a moment of the log, and what is asked of it."""
