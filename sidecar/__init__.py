"""Where a model is asked how an exchange turned out. Nothing here yet: until then a person or a program scores."""
