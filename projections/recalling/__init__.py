"""A question's answer: who says or means what is asked, in which order, and how it is told.

`recall.py` is what is asked, `candidate.py` what is handed on. `finding.py` asks the rooms: `words/`, which stand on
`arrays/`, `verdicts/`, `ranking/` and `standing/`. `lookups/` need no ranking; `shown/` is what an assistant reads.
"""
