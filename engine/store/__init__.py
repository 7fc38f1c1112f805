"""One folder a store: whether it is fit to be one, who writes it, and what lies there."""
