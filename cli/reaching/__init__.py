"""The asking side: whoever holds the store is found, started, joined, or ended."""
