"""Where memories come from, and what becomes of them besides their life (`memory.py`): decided on histories. Pure."""
