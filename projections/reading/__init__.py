"""What a text says: statements, times, names, manner. Pure, but for what `statements/stated.py` and `naming.py` look
up."""
