"""A follow-up, clause by clause: what was found in each, what a negation or an amount makes of it. Pure."""
