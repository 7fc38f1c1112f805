"""A language model: where it is asked and by which library, which ones there are, and what comes back from it."""
