"""What texts name that is one thing, and which one it is where it is said. Pure, by shape alone."""
