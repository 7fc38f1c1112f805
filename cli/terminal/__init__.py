"""What a person types and reads."""
