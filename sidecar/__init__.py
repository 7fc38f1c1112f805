"""Where it is asked how an exchange turned out: of a model, in a process of its own, or by rules that need none.

`ports.py` says what a judge is given, what it says, and the two doors it works between. Behind one of them are
`models/`, and `asking/` asks them; `cues/` judges without. `captures/` finds what a person states, `distilling.py`
decides what becomes of all that was learned, and `utterances/` is what `cues/` and `captures/` read a text with.
"""
