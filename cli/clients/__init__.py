"""The assistants Aftermind serves: one file each says how to find it, what its configuration has to say, and where."""
