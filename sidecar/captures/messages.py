"""What a user's message says that is worth keeping: rules, tastes, choices, values, facts. No model. Pure.

It reads what the user says in their own voice, clause by clause (`kept_as.py`), and keeps a clause with what leads to
it and what goes on from it. Rather nothing than something wrong: what is captured is shown again as the user's own
words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aftermind.engine.names import Kind
from aftermind.sidecar.captures.for_good import joined, read_for_good
from aftermind.sidecar.captures.kept_as import FEWEST, UNPARTED, is_plain, kept_as
from aftermind.sidecar.captures.qualified import is_in_jest, is_qualified
from aftermind.sidecar.captures.remembering import ordered, without_end
from aftermind.sidecar.captures.sentences import around, asking, continues, leads_to, stands_for_another
from aftermind.sidecar.captures.signs import Read, phrases_of
from aftermind.sidecar.captures.spoken import own
from aftermind.sidecar.captures.worded import LONGEST, learned
from aftermind.sidecar.ports import Learned
from aftermind.sidecar.utterances.addressed import without_orders
from aftermind.sidecar.utterances.confided import names_secret, speaks_of_secrets
from aftermind.sidecar.utterances.languages import languages_of
from aftermind.sidecar.utterances.voice import ends_of, listen, without_fences

REVISION = 14
"""Of the rules."""
MOST = 8
"""Things of one message."""
SAYS_WHAT_IS: tuple[Kind, ...] = ("configuration", "fact")
"""Kinds that would be untrue without what stands beside them."""
LETTERS = 2
"""That make a word where words are not parted."""


def captured(message: str, before: str = "") -> tuple[Learned, ...]:
    """What is worth keeping of a message, each with the words it stands in. `before`: the answer it is a reply to."""
    message = ends_of(message)
    read = _read(message, own(without_orders(message)))
    found = _gathered(message, before, read, lambda at: kept_as(read, at, before))
    return (*_ordered_of(message, read, found), *found)[:MOST]


def told(message: str, before: str = "") -> list[Learned]:
    """What else a message says, in the user's own voice and of what is so: no sign makes it worth keeping, and it is
    where it says something else than what is known. Whoever knows that knows its kind; until then each is a fact."""
    message = ends_of(message)
    read = _read(message, own(without_orders(message)))
    return _gathered(message, before, read, lambda at: "fact" if is_plain(read, at, before) else None)


def _read(message: str, spoken: str) -> list[Read]:
    heard = listen(spoken)
    ready = phrases_of(languages_of(heard.typed))
    return [read_for_good(one, message, ready) for one in joined(heard.clauses, heard.typed)]


def _ordered_of(message: str, read: Sequence[Read], found: list[Learned]) -> list[Learned]:
    """What is ordered to be remembered; what was found in it for another reason is left out of what was `found`."""
    kept = []
    for start, end, kind in ordered(without_fences(message), own(message)):
        text = message[start:end][:LONGEST].strip()
        inside = [o.signs for o in read if o.clause.start < end and start < o.clause.start + len(o.clause.text)]
        once = any("once" in signs for signs in inside)
        if once and (less := without_end(text)) != text:  # of the moment only by when it ends
            once = any("once" in one.signs for one in _read(less, less))
        hidden = names_secret(text) or (kind == "fact" and speaks_of_secrets(text))
        if hidden or once:
            continue
        again = [one for one in found if one.text in text or text in one.text]
        found[:] = [one for one in found if one not in again]
        same = next((one.kind for one in again), kind)
        kept.append(Learned(text=text, kind=same, everywhere=any(one.everywhere for one in again), evidence=text))
    return kept


def _gathered(message: str, before: str, read: Sequence[Read], kind_of: Callable[[int], Kind | None]) -> list[Learned]:
    if len(message) < 8:
        return []
    found: list[Learned] = []
    questions = asking([one.clause for one in read])
    kinds = [None if questions[at] else kind_of(at) for at in range(len(read))]
    kinds = [None if kind in SAYS_WHAT_IS and is_qualified(read, at) else kind for at, kind in enumerate(kinds)]
    kinds = [
        None if kind is not None and is_in_jest(read, at, ruled=kind == "directive") else kind
        for at, kind in enumerate(kinds)
    ]
    at = 0
    while at < len(read) and len(found) < MOST:
        end, kind = at + 1, kinds[at]
        if kind is not None:
            while end < len(read) and not questions[end] and continues(read, at, end, kind):
                end += 1
            begin = at
            while begin > 0 and not questions[begin - 1] and leads_to(read[begin - 1], read[at], kind):
                begin -= 1
            if kind in SAYS_WHAT_IS and any(is_qualified(read, on) for on in range(at + 1, end)):
                at = end
                continue
            whole = begin < at or not stands_for_another(read[at])
            if whole and _enough(read[at:end]) and not _confided(read, begin, end, kind):
                found.append(learned(message, read[begin:end], read[max(0, begin - 1) : end + 1], kind, before))
        at = end
    return found


def _enough(read: Sequence[Read]) -> bool:
    """Whether it says something by itself: three words, or as many letters where words are not parted."""
    letters = sum(len(UNPARTED.findall(one.said)) for one in read)
    return (
        letters // LETTERS + sum(not UNPARTED.match(word.text) for one in read for word in one.clause.words) >= FEWEST
    )


def _confided(read: Sequence[Read], at: int, end: int, kind: Kind) -> bool:
    """Whether its sentence tells a secret, or it is the value of something that may be one."""
    sentences = {one.clause.sentence for one in read[at:end]}
    if names_secret(" ".join(one.said for one in around(read, at, end) if one.clause.sentence in sentences)):
        return True
    return kind in ("configuration", "fact") and speaks_of_secrets(" ".join(one.said for one in read[at:end]))
