"""Under which keys a statement is found by one that may give the same thing another value. Pure.

Two kinds of keys: what a frame is about (`statement.py`), and for the stricter reading of other languages and of what
is denied (`wording.py`) the sentence with its value left out, or whole. Whoever has a key in common is compared; equal
keys decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from aftermind.engine.lately import lately
from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.statements.clauses import is_of_late, without_aside, without_lead, without_reason
from aftermind.projections.reading.statements.endings import Ending, ending
from aftermind.projections.reading.statements.framing import number
from aftermind.projections.reading.statements.one_number import held_at
from aftermind.projections.reading.statements.ordered import Order, asked
from aftermind.projections.reading.statements.sentence import Sentence, sentence
from aftermind.projections.reading.statements.statement import LONGEST, first_sentence, frames, is_whole, states
from aftermind.projections.reading.statements.used_as import whatever_as

MOST_INSTEAD = 3
"""Words that may stand where what is denied stood."""
_USED = "\2"
_ORDERED = "\4"
_SELF = listed("i my me mine ich mein je mon yo mi prefiero io mio preferisco eu meu prefiro я мой мне 我")


@lately(4_000)
def found_by(text: str, speaker: str = "") -> frozenset[int]:
    """The keys of a statement."""
    said = frames(text, speaker)
    used = {_key("", (_USED, *frame.keys)) for frame in said if not frame.single}
    return frozenset(_about(text, speaker) | used)


def asks_for(text: str, speaker: str = "") -> frozenset[int]:
    """The keys of those it may give another value: its own, and those of what it says not to be so."""
    said = strictly(text)
    denied = set[int]()
    if said is not None and said.denied:
        denied |= {_key(speaker, words) for words in _as_denied(said)}
    denied |= {_key("", (_USED, *frame.denied)) for frame in frames(text, speaker) if frame.denied and not frame.single}
    return frozenset(_about(text, speaker) | denied)


def _about(text: str, speaker: str) -> set[int]:
    """Of what has one value, and of what is said as a whole."""
    own = {frame.key for frame in frames(text, speaker) if frame.single}
    if (said := strictly(text)) is not None:
        own |= {_key(speaker, words) for words in (said.keys, *_without_a_value(said))}
    if (end := ends(text)) is not None:
        own.add(_key(speaker, end.key))
    if (wanted := orders(text)) is not None:  # each of his own
        own.add(number((speaker.casefold(), "", _ORDERED, wanted.sort, *sorted(wanted.about))))
    if (bare := without_aside(text)) != text:
        own |= _about(bare, speaker)
    return own


def ends(text: str) -> Ending | None:
    """Its value, where another language's words say of what sort that is."""
    return None if (said := strictly(text)) is None else ending(said, first_sentence(text))


@lately(4_000)
def orders(text: str) -> Order | None:
    """What it asks for, where that is one of a closed set."""
    return None if len(text) > LONGEST or text.rstrip().endswith("?") else asked(without_lead(text))


def strictly(text: str) -> Sentence | None:
    """The stricter reading; None of a text that states nothing for sure."""
    if len(text) > LONGEST or not states(text):
        return None
    said = sentence(first_sentence(text))
    if is_of_late(without_reason(text)) and is_whole(text):  # and not what is said next
        said = structs.replace(said, anew=True)
    return said if said.words and not said.partial else None


def of_himself(said: Sentence) -> bool:
    """Whether who says it says it of himself."""
    return not _SELF.isdisjoint(said.keys)


def _key(speaker: str, words: Sequence[str]) -> int:
    own = speaker.casefold() if not _SELF.isdisjoint(words) else ""
    return number((own, "", *words))


def _without_a_value(said: Sentence) -> Iterator[tuple[str, ...]]:
    if (at := held_at(said)) < 0:
        return
    if used := whatever_as(said.keys, said.relation):
        yield (*used, "\1")
    if said.negative:
        yield (*said.keys, "\1")  # what it is of all kinds of
    for place in range(at + 1, len(said.words)):
        if said.words[place].value is not None:
            yield (*said.keys[:place], "\1", *said.keys[place + 1 :])


def _as_denied(said: Sentence) -> Iterator[tuple[str, ...]]:
    """What it says, with what it denies in the place of any of its words."""
    keys = said.keys
    for start in range(len(keys)):
        for end in range(start + 1, min(start + MOST_INSTEAD, len(keys)) + 1):
            yield (*keys[:start], *said.denied, *keys[end:])
