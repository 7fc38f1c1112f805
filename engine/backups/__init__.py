"""Backups of the log: how they are made, what is in them, how they and what is left of a damaged log are put back, and
that what is forgotten goes from them."""
