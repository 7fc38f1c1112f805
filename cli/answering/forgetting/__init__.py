"""Forgetting: what is meant, what goes with it, and that it goes."""
