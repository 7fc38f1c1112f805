"""The remarks of a follow-up that may be of the exchange, each with what the rules want to know of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from msgspec import Struct

from aftermind.sidecar.cues.clauses.heard import Heard, content, requests
from aftermind.sidecar.cues.weighing.replied import REJECTS, declined
from aftermind.sidecar.utterances.grammar import NEGATIONS, NO, OWN, POLITE, SINCE
from aftermind.sidecar.utterances.phrases import Hit

_ANYWAY = frozenset("anyway anyways eh ohnehin sowieso".split())
_IT = frozenset({"it", "this", "es"})
"""What was done, and not what is offered: "no, it crashes anyway"."""
_WORSE = frozenset("worse schlimmer schlechter pire peor peggio pior slechter".split())
"""Praise of it is none: "great, it is even worse now"."""
_WOULD = frozenset("would could might may if wäre wenn serait sería sarebbe seria zou".split())
_THAN = frozenset("than als que di in on auf".split())


class Setting(Struct, frozen=True):
    """What holds for every remark: of the exchange before the message, and of the whole message."""

    about: set[str]
    """The beginnings of the words that the exchange is about."""
    trouble_wanted: bool
    """The prompt asked for something that fails."""
    asked_back: bool
    """The answer ended with a question, so that a "no" or an "undo it" may be the reply to it."""
    wants: bool
    """Something is asked for in the message: trouble in it may be of that."""
    turned: bool
    """What is praised may be taken back by what follows: "great, now it deletes my files"."""
    still: bool
    """Something is reported as it was before."""


class Remark(Struct, frozen=True):
    """A part of the message, with what stands before it."""

    part: Heard
    before: Heard | None
    setting: Setting
    said: Sequence[str]
    """Its words."""
    plain: Sequence[str]
    """Those of them that are not merely polite."""
    signs: Set[str]
    """What was found in it."""

    @property
    def text(self) -> str:
        return self.part.text

    @property
    def lead(self) -> str:
        """The first word that is not merely polite; empty where there is none."""
        return self.plain[0] if self.plain else ""

    def has(self, *signs: str) -> bool:
        return not self.signs.isdisjoint(signs)

    def holds(self, words: Set[str]) -> bool:
        return not words.isdisjoint(self.said)

    def begins(self, words: Set[str], within: int = 1) -> bool:
        """Whether one of the words is its first one, or among its first ones."""
        return not words.isdisjoint(self.said[:within])

    def is_of_the_exchange(self) -> bool:
        return not self.setting.about.isdisjoint(content(self.part.text))


def setting_of(heard: Sequence[Heard], about: set[str], *, trouble_wanted: bool, asked_back: bool) -> Setting:
    return Setting(
        about=about,
        trouble_wanted=trouble_wanted,
        asked_back=asked_back,
        wants=any(part.asks or requests(part) for part in heard),
        turned=any(_turns(part) for part in heard),
        still=any(part.has("still") for part in heard if not part.asks),
    )


def remarks(heard: Sequence[Heard], setting: Setting) -> Iterator[Remark]:
    """Those that may be of the exchange, up to where the message turns to something else."""
    before, skipped = None, declined(heard)
    for at, part in enumerate(heard):
        said = _texts(part)
        remark = Remark(
            part=part,
            before=before,
            setting=setting,
            said=said,
            plain=[word for word in said if word not in POLITE],
            signs={hit.sign for hit in part.hits if not (setting.asked_back and _is_a_no(part, hit))},
        )
        if _turns_away(remark):
            return
        if not (_is_empty(remark) or _is_elsewhere(remark) or _is_declined(remark) or at < skipped):
            yield remark
        before = part


def _turns(part: Heard) -> bool:
    """Whether a part may take back what is praised before it."""
    said = _texts(part)
    worse = any(
        word in _WORSE and (at + 1 == len(said) or said[at + 1] in _THAN | SINCE) for at, word in enumerate(said)
    )
    worse = worse and (NEGATIONS | _WOULD).isdisjoint(said) and not part.has("past")
    return part.contrasts or worse or not SINCE.isdisjoint(said[:2])


def _is_a_no(part: Heard, hit: Hit) -> bool:
    """Whether a sign is but a "no", which to a question is the reply."""
    return hit.first == hit.last >= 0 and part.words[hit.first].text in NO - REJECTS


def _texts(part: Heard) -> list[str]:
    return [word.text for word in part.words]


def _turns_away(remark: Remark) -> bool:
    """From here on it is of something else: "by the way, the deploy is broken"."""
    hits = remark.part.hits
    return bool(hits) and hits[0].sign == "aside" and hits[0].first <= 1


def _is_empty(remark: Remark) -> bool:
    """Nothing but polite words: "ok, well"."""
    return not remark.plain and not remark.signs


def _is_elsewhere(remark: Remark) -> bool:
    """Of another matter, or what others say: "that failure is unrelated", "my boss says it is broken"."""
    return "unrelated" in remark.plain or (remark.has("told") and remark.holds(OWN))


def _is_declined(remark: Remark) -> bool:
    """A "no" that denies nothing: "no worries"; or why an offer is declined: "no, the docs are wrong anyway"."""
    if remark.begins(NO):
        return remark.has("praise", "hush")
    offered = remark.setting.asked_back and remark.before is not None and not NO.isdisjoint(_texts(remark.before)[:2])
    return offered and remark.holds(_ANYWAY) and not remark.begins(_IT)
