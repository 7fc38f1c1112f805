"""What a text says: statements, times, names, manner. Pure, but for what `stated.py` and `naming.py` look up."""
