"""What `verify` looks at: each file one thing that is kept. Everything here only reads."""
