"""A follow-up beside its exchange: what of it is taken up, corrected or replaced, and what is another matter. Pure."""
