"""Rules that say from when on they hold: "from now on, use tabs", "use tabs from now on". Pure.

When it holds from says nothing by itself, and with it an order is one for ever: so the two are one clause, however they
are set apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import structs

from aftermind.engine.lazily import lazily
from aftermind.projections.reading.statements.opposed import ALLOWED
from aftermind.sidecar.captures.sentences import AT_HAND, EVER, REJECTED, WHERE
from aftermind.sidecar.captures.signs import Read, read_clause
from aftermind.sidecar.captures.words.grammar import FORBIDDING, ORDERS
from aftermind.sidecar.utterances.grammar import CONDITIONS, POLITE, STANDING, WHENS
from aftermind.sidecar.utterances.phrases import Table, Word
from aftermind.sidecar.utterances.voice import Clause

_FROM_NOW = (
    r"(?:from (?:now|here|this point) on(?:wards?)?|as of now|(?:going|moving) forward|in (?:the )?future|henceforth"
    r"|(?:for the future|für die zukunft|pour l['’]avenir|para el futuro)(?=[ ]?(?:[,:–—-]|\Z))"
    r"|as a (?:general )?rule|(?:ab|von) (?:jetzt|nun)(?: an| ab)?|ab sofort|(?:zu)?künftig|in zukunft|fortan"
    r"|désormais|dorénavant|à partir de maintenant|à l['’]avenir"
    r"|(?:de|desde) ahora en adelante|(?:a partir de|desde) ahora|en (?:adelante|el futuro)"
    r"|(?:a partir|de) de? ?agora(?: em diante)?|daqui (?:em diante|para a frente)|doravante|no futuro"
    r"|(?:d['’]|da )ora in (?:poi|avanti)|in futuro|vanaf nu|voortaan|in het vervolg"
    r"|od teraz|od tej pory|na przyszłość|отныне|впредь|с этого момента|відтепер|надалі|bundan (?:sonra|böyle))"
)
_JOINING = (
    r"(?:(?:and|so|but|ok|okay|also|please|then|und|aber|bitte|et|y|e|en|i|и|но|і|але|ve)\b[^\S\n]*,?[^\S\n]{1,8})*"
)
_LEAD = lazily(rf"\W*{_JOINING}{_FROM_NOW}(?!\w)[\s,:–—-]*", re.IGNORECASE)
_AT_THE_END = lazily(
    r"\b(?:from now on|going forward|(?:in|for) (?:the )?future|every time|each time)\W*\Z", re.IGNORECASE
)

_WHEN = WHENS | CONDITIONS | WHERE | {"whenever", "before", "after", "while"}
"""What says in which case something holds begins with one of these."""
_FOR_LATER = lazily(r"\W{0,3}(?:for the future|für die zukunft|pour l['’]avenir|para el futuro)\b", re.IGNORECASE)
_TASKS = frozenset(
    """
    add implement build create make support refactor move rename fix extract replace consider plan introduce integrate
    baue bau ajoute ajouter crée créer agrega añade crea
    """.split()
)
"""What begins with one of these is kept for later, and no rule: "for the future: add a dark mode"."""
_ACTS = frozenset("deploying merging pushing committing releasing squashing rebasing mocking".split())
_COMMA = lazily("[,:，]")
_CASE = 3
"""Words that a case has at least: "whenever you commit"."""


def says_only_when(text: str) -> bool:
    """Whether a text says from when on something holds, and not what."""
    return (lead := _LEAD.match(text)) is not None and not text[lead.end() :].strip(" .!")


def after_when(text: str) -> str:
    """A text without when it holds from, where it begins with that."""
    lead = _LEAD.match(text)
    return text[lead.end() :] if lead is not None else text


def joined(clauses: Sequence[Clause], typed: str) -> list[Clause]:
    """The clauses of what was typed, each that says only from when on something holds in one with what holds: what
    comes next in its sentence, with what is to be done where that only says when; or else what stands before it."""
    found: list[Clause] = []
    waiting = False
    for clause in clauses:
        same = bool(found) and found[-1].sentence == clause.sentence
        if same and waiting:
            waiting = says_only_when(found[-1].text) and _begins(clause) in _WHEN
            found[-1] = _as_one(found[-1], clause, typed)
            continue
        waiting = says_only_when(clause.text)
        found.append(clause)
    for at in range(len(found) - 1, 0, -1):
        pointed = not found[at - 1].words or found[at - 1].words[-1].text in AT_HAND
        if found[at].sentence == found[at - 1].sentence and says_only_when(found[at].text) and not pointed:
            found[at - 1 : at + 1] = [_as_one(found[at - 1], found[at], typed)]
    return found


def _as_one(one: Clause, after: Clause, typed: str) -> Clause:
    far = after.start - one.start
    moved = [Word(word.text, word.start + far, word.end + far) for word in after.words]
    text = typed[one.start : after.start + len(after.text)]
    return structs.replace(one, text=text, words=[*one.words, *moved], mark=after.mark)


def read_for_good(clause: Clause, message: str, ready: Table) -> Read:
    """A clause with its signs: what is ordered after when it holds from is a rule, whatever it would be alone."""
    whole = read_clause(clause, message, ready)
    lead = _LEAD.match(clause.text)
    far = lead.end() if lead is not None else 0
    rest = [Word(word.text, word.start - far, word.end - far) for word in clause.words if word.start >= far]
    if lead is None or not rest:
        return whole
    if _begins(structs.replace(clause, words=rest)) in _WHEN:
        return _ordered_when(whole, rest, clause.text[far:])
    alone = Clause(clause.text[far:], clause.start + far, rest, clause.asks, clause.sentence)
    signs = read_clause(alone, message, ready).signs
    if _FOR_LATER.match(message, clause.start) and _is_for_later([word.text for word in rest]):
        return whole
    of_all = _begins(alone) in ("all", "every") and signs & {"put", "rulish"}
    if "rule" in signs or of_all or _is_allowed(alone) or _begins(alone) in ORDERS | FORBIDDING:
        return structs.replace(whole, signs=whole.signs | {"rule"})
    return whole


def _is_for_later(said: list[str]) -> bool:
    """Whether something is to be done some day: "add a dark mode", "use a queue"."""
    return said[0] in _TASKS or (len(said) > 1 and said[1] in ("a", "an", "the"))


def _is_allowed(clause: Clause) -> bool:
    """Whether something that is done in all projects is allowed: "deploying on Fridays is fine"."""
    said = [word.text for word in clause.words]
    allowed = said[-1] in ALLOWED and len(said) > _CASE + 1 and said[-2] in ("is", "are")
    return allowed and said[0] in _ACTS and not AT_HAND & set(said)


def _ordered_when(whole: Read, rest: Sequence[Word], text: str) -> Read:
    """A clause that says after when it holds from also in which case: a rule where it says what is to be done then."""
    comma = _COMMA.search(text)
    then = [] if comma is None else [w.text for w in rest if w.start >= comma.end() and w.text not in POLITE]
    if then and (then[0] in ORDERS | FORBIDDING or then[0] in STANDING):
        return structs.replace(whole, signs=whole.signs - {"maybe"} | {"rule"})
    if comma is None and any(word.text in ORDERS | FORBIDDING for word in rest[_CASE:]):
        return whole
    return structs.replace(whole, signs=whole.signs - {"rule"})


def ordered_last(one: Read) -> bool:
    """Whether something is ordered for good, which is said last: "use uv from now on"."""
    until = one.signs & {"once", "maybe", "others"}
    return _begins(one.clause) in ORDERS and _AT_THE_END.search(one.said) is not None and not until


def asked_for_good(one: Read) -> bool:
    """Whether what looks like a request is one for ever: "bitte verwende immer Tabs"."""
    return one.signs & REJECTED == {"ask"} and "rule" in one.signs and any(w.text in EVER for w in one.clause.words)


def _begins(clause: Clause) -> str:
    return next((word.text for word in clause.words if word.text not in POLITE), "")
