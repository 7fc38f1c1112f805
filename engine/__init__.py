"""What happened, kept: events, the one log, and what is decided from it. Makes sense with the other folders deleted."""
