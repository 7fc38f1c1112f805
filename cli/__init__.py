"""Doors and wiring: the public way in, the command line, and the one place that picks implementations."""
