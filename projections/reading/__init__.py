"""What a text says: its words, statements, times, names, manner. Pure."""
