"""Items of work: who holds one, and which goes first. Pure."""
