"""What `doctor` looks at: each file one neighbourhood of the store, each function one `Finding`. Everything here only
reads; what is not there is not made."""
