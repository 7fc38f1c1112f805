"""What a statement says is in use: `logging goes through winston`, `we use npm`, `project runs on node 18`. Pure.

It is read as the words that stand behind what says so; which of them are the name, whoever compares knows. A bug in
something, a file of it, what it costs says nothing of its use.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from aftermind.engine.lazily import lazily
from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.clauses import without_reason
from aftermind.projections.reading.statements.given_up_words import LEFT, OUT
from aftermind.projections.reading.statements.pieces import pieces
from aftermind.projections.reading.statements.statement import LONGEST, meant_otherwise


class InUse(Struct, frozen=True):
    """One name, by all its parts; `whole` where the statement says nothing else. `version`: of what, and which."""

    names: tuple[str, ...] = ()
    whole: bool = False
    version: tuple[str, str] | None = None


_STOP = (
    "a|an|the|our|their|my|your|all|for|with|by|to|from|in|on|at|of|as|into|onto|over|out|because|since|so|and|or|but|now"
    "|then|is|are|was|were|be|been|it|we|us|i|they|this|that|these|those|after|before|instead|rather|than|not|which|w|'s"
)
_W = rf"(?!(?:{_STOP})(?![\w-]))[^\s,;:()=]+"
_BY = (
    "done|built|written|made|hosted|deployed|stored|kept|tracked|managed|handled|powered|generated|pushed|published|sent"
    "|routed|served|bundled|formatted|linted|run|set|based|backed|pinned|monitored|cached|queued|compiled|packaged"
)
_DO = (
    "goes|go|runs|run|lives|live|sits|sit|host|hosts|deploy|deploys|store|track|keep|build|write|send|publish|push|manage"
    "|stay|chat|talk|happen|happens"
)
_AT = "on|in|with|through|via|by|to|at|under|using"
_LINK = lazily(
    rf"(?<!\S)(?=(?:(?:is|are|get|gets|'s|'re)(?: (?:still|currently|all|mostly|stuck))?(?: (?:{_BY}))? (?:{_AT})"
    rf"|(?:{_DO})(?: (?:the |our |all )?{_W}){{0,2}} (?:{_AT})|comes? from"
    rf"|(?:is|are|(?<=it )'s|(?<=that )'s)(?: named| called| codenamed| using| still)?"
    r"|(?!problem|issue|trouble)\w+s (?:with|through|via|using)"
    rf"|^we \S+(?: \S+){{0,4}}? (?:with|through|via|in|on)"
    r"|use|uses|using|chose|picked|want|prefer|need|needs|require|requires|target|targets|:|=) "
    rf"(?:(?:the|a|an|our|still) )*(?P<x>{_W}(?: {_W}){{0,2}}))"
)
_DOES = lazily(
    rf"^(?P<x>{_W}(?: {_W})?) (?:builds|handles|powers|does|hosts|serves|manages|formats|lints|bundles|deploys)(?!\S)"
)
_PINNED = lazily(
    rf"(?<!\S)(?P<n>{_W})(?: version)?(?: in {_W})? (?:is|are|'s|says)(?: (?:pinned|locked|set|still))?"
    r" (?:at |on |to )?(?:version )?v?(?P<v>\d[\w.]*)(?![\w.%/])"
)
_TAIL = lazily(r"(?: (?:now|these days|still|currently))*(?: (?:in|for|as|at|on) (?:[^\s,;:]+ ?){1,4})?")
_JOINS = lazily(r"(?<=[^.\s])[.!;]\s+|\n+|\s+[—–-]\s+")
_ENDED = LEFT | OUT
_TROUBLE = frozenset(
    (
        "bug",
        "bugs",
        "crash",
        "problem",
        "issue",
        "exception",
        "regression",
        "leak",
        "typo",
        "broken",
        "fails",
        "failing",
    )
)
DENYING = frozenset(
    ("not", "never", "haven't", "hasn't", "didn't", "isn't", "aren't", "wasn't", "don't", "doesn't", "won't", "can't")
)


@lru_cache(4_000)
def in_use(text: str) -> tuple[InUse, ...]:
    """What a text says is in use."""
    said = without_reason(spelt(text))
    words = set(re.split(r"[\s,;]+", said))
    if not said or said.startswith("there ") or words & (DENYING | _TROUBLE):
        return ()
    found = []
    for match in _LINK.finditer(said):
        if match["x"].split()[0] in table.STATES | _ENDED:
            continue
        ends = [match.start("x") + len(name) for name in _beginnings(match["x"])]
        found.append(_used(match["x"], whole=any(_TAIL.fullmatch(said, end) for end in ends)))
    found += [_used(match["x"], whole=not re.search("[,;]", said)) for match in _DOES.finditer(said)]
    found += [
        InUse(whole=match.end() == len(said), version=(match["n"], match["v"])) for match in _PINNED.finditer(said)
    ]
    return tuple(found)


def _used(phrase: str, *, whole: bool) -> InUse:
    parts = phrase.split()
    versions = ((one, number.removeprefix("v")) for one, number in pairwise(parts) if number.lstrip("v")[:1].isdigit())
    names = (" ".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 1, len(parts) + 1))
    return InUse(tuple(names), whole, next(versions, None))


def _beginnings(phrase: str) -> list[str]:
    parts = phrase.split()
    return [" ".join(parts[:length]) for length in range(1, len(parts) + 1)]


@lru_cache(4_000)
def spelt(text: str) -> str:
    """A statement as its words, small and with blanks between; empty where it states nothing for sure."""
    text = text.strip().replace("’", "'")
    words = enumerate(text.split())
    said = {word.strip(",;:()\"'`.!").lower() for n, word in words if n == 0 or not word[:1].isupper()}
    if len(text) > LONGEST or "?" in text or meant_otherwise(text) or not said.isdisjoint(table.UNSURE):
        return ""
    return " ; ".join(filter(None, (_in_small(one) for one in _JOINS.split(text.rstrip(" .!;")))))


def _in_small(said: str) -> str:
    keys = (piece.key if piece.sort == "name" else piece.key.rstrip("/").replace(" ", "_") for piece in pieces(said))
    return re.sub(r"'(?:s|re|ve)(?!\S)", r" \g<0>", " ".join(keys))
