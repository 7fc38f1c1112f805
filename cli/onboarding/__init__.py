"""What a project says of itself, before anybody has said a word to an assistant."""
