"""What of a person's message is worth keeping, read without a model. Pure."""
