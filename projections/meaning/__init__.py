"""Recall by meaning: models, the vectors of what was said, and which of them are near."""
