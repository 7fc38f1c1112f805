"""The four systems this one grew from, and ours: the same memories and questions, each in its own environment and
process. A file a system; `python -m bench.peers --data PATH` runs them. What runs inside a peer's environment
(`inside.py` and those files) needs nothing but the standard library and the peer. None of their code is here."""
