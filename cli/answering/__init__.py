"""Every request answered, in the process that holds the store."""
