"""What never reaches the log: what is marked private, and secrets. Pure."""
