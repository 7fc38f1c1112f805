"""Folders of documents on their way into the store: found, read in a process of its own, handed over, reported."""
