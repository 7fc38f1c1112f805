"""What holds whatever is asked: rules, preferences, and which of two rules goes before."""
