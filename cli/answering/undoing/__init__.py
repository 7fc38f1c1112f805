"""Undo: what happened to memories by a decision is taken back, with what followed from it at once."""
