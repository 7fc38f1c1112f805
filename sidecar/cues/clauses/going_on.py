"""Whether somebody orders to go on, with a word that elsewhere says that something lasts: "merci, continue", "gracias,
sigue", "sigue con el test", and not "sigue fallando". Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.sidecar.utterances.grammar import POLITE
from aftermind.sidecar.utterances.phrases import Hit, Word

_GO_ON = frozenset({"continue", "continua", "continúa", "sigue"})
"""As an order, of one person. In English it is one as well; of several, or after a thing, it tells that it lasts."""
_LEADS = POLITE | frozenset("vai dai dale allez anda venga vas-y entonces pues va esatto exacto".split())
_ON = frozenset(
    """
    con así adelante nomás por favor porfa tú pure così avanti tu com assim em frente avec comme ça stp te plaît svp
    """.split()
)
"""With what one goes on, or how: after a verb of something that lasts stands what it does."""
_LIKE_IT = frozenset({"así", "così", "assim"})
"""So it goes on, which tells of nothing else only at the end: "sigue así", not "sigue así de lento"."""


def orders_to_go_on(said: Sequence[Word], found: Sequence[Hit]) -> bool:
    """Whether a clause is such an order: the verb begins it, and nothing else in it is trouble."""
    told = [word.text for word in said]
    at = next((at for at, word in enumerate(told) if word not in _LEADS), len(told))
    if at == len(told) or told[at] not in _GO_ON:
        return False
    if any(hit.first > at and hit.sign in ("still", "fail", "fault", "weak", "part") for hit in found):
        return False
    after = next((n for n in range(at + 1, len(told)) if told[n] not in POLITE), len(told))
    if after == len(told):
        return True
    return told[after] in _ON and (told[after] not in _LIKE_IT or after + 1 == len(told))
