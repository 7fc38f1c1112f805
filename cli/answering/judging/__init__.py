"""Verdicts: who is asked for them, what is handed out, and what follows from them."""
