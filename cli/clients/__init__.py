"""One file an assistant: what it reads, and what of ours goes into it."""
