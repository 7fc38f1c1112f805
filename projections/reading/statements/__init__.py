"""Statements: what one says of what, which speak of the same thing, and which is true now. Pure."""
