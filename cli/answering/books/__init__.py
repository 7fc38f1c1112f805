"""Books: they go on the shelf and off it, and what is known of them."""
