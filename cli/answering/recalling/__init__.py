"""What is known, for a query, a prompt or a stretch of time."""
