"""Which memories are looked at, what each scores and why, and which of them are the answer, in which order."""
