"""Whether something fails as before that an answer was not to mend: somebody asked for a fact or an explanation, was
told it and nothing to do, and says that something by name "still fails", or that all is "still the same". Pure.

It is no verdict on what was told, as long as it shares no word with the exchange and speaks of nothing that was said.
Without a name it may be of what was told: "still broken".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.captures.words.grammar import ORDERS
from aftermind.sidecar.cues.clauses.amounts import Sign
from aftermind.sidecar.cues.clauses.heard import Heard
from aftermind.sidecar.cues.comparing.another_matter import (
    ADVISED,
    CLAIMED,
    LONGEST,
    named,
    names,
    only_tells,
    seeks,
    takes_note,
)
from aftermind.sidecar.cues.weighing.replied import only_thanks
from aftermind.sidecar.ports import Case
from aftermind.sidecar.utterances.grammar import MODALS, NO, POLITE, REQUESTS
from aftermind.sidecar.utterances.phrases import words

_BRIEF = 400
"""Characters of an answer that may be but a fact."""
_ADVISES = MODALS | frozenset(
    """
    you your should can could try run set use add change make sure instead fix raise lower increase restart upgrade
    update bump clear enable disable pass du dein dich sie ihr kannst musst setz nimm führe versuch tu ton ta vous votre
    peux tú usted puedes usa você pode puoi devi esegui je jouw kun ты вы
    """.split()
)
"""An answer with one of these may advise something."""
_ORDERS = re.compile(rf"(?:\A|[.!:;\n]\s?|, (?:so |then )?)(?:{'|'.join(sorted(REQUESTS | ORDERS))})\b", re.IGNORECASE)
_FAILS = frozenset(
    """
    fails fail failing failed crashes crash crashing hangs hanging breaks broken red error errors timeout timeouts
    """.split()
)
"""Said of what runs, and not of an answer."""
_TROUBLE = frozenset("problem problems issue bug bugs wrong cause causes fix solve failure exception".split())
"""Who asks about these seeks a cure."""
_UNCHANGED = POLITE | frozenset("still it is the same as before".split())
_OF_WHAT_WAS_SAID = CLAIMED | NO | frozenset("you your yours this that i not".split())


def fails_as_before(signs: Sequence[Sign], heard: Sequence[Heard], case: Case) -> bool:
    """Whether all that is said is that something fails as before, of which the exchange was not."""
    if not signs or any(sign.says != "fail" for sign in signs) or not any(part.has("still") for part in heard):
        return False
    known = named(f"{case.prompt} {case.answer}")
    return _advises_nothing(case) and all(_lasts(part) and not named(part.text) & known for part in heard)


def _advises_nothing(case: Case) -> bool:
    answer, asked = case.answer[:LONGEST], {word.text for word in words(case.prompt[:LONGEST])}
    if not only_tells(case) or takes_note(case) or seeks(case) or "`" in answer or len(answer) > _BRIEF:
        return False
    if not (_FAILS | _TROUBLE).isdisjoint(asked):
        return False
    return _ADVISES.isdisjoint(word.text for word in words(answer)) and _ORDERS.search(answer) is None


def _lasts(part: Heard) -> bool:
    said = {word.text for word in part.words}
    if only_thanks(part) or all(word in POLITE or word.isdigit() for word in said):
        return True  # "the login still fails, 401"
    if part.asks or part.contrasts or not said.isdisjoint(_OF_WHAT_WAS_SAID):
        return False
    named_too = {word for word in said if names(word)} - _FAILS - _UNCHANGED
    return said <= _UNCHANGED or (bool(named_too) and named_too.isdisjoint(ADVISED) and not said.isdisjoint(_FAILS))
