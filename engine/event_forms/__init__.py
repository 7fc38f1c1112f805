"""What can have happened, by what it happened to: the parts of `events.py`, under its rules. Pure."""
