"""The log's two forms and its past, the chain that seals it, and the one way to append what was decided."""
