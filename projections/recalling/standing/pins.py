"""What holds whatever is asked: standing rules, preferences, and who the user is. They are not left to search: a
session begins with them, and a prompt is shown those that bear on what it wants done, however little else they share.

Which memories these are is an index of the shelf (`STANDING`): by their kind, by the manner of their text, by a tag.
Whether one bears on a prompt goes by its own words (`bears`): a file, folder or symbol that it names, what it forbids,
most of what it says, or, of a short command, all that the command says, or what it wants done. Rules with a condition
of their own are `directives.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct, structs

from aftermind.engine.entities.shapes import entities
from aftermind.engine.lately import lately
from aftermind.engine.memories.directives import ACTS
from aftermind.engine.moments import microseconds
from aftermind.engine.names import Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import VALUES, Connection, as_json
from aftermind.projections.reading.manner import RULE, SELF
from aftermind.projections.reading.plain_words import PLAIN
from aftermind.projections.reading.terms import stem, words_of
from aftermind.projections.reading.twins import Twins
from aftermind.projections.recalling.candidate import Candidate, Hit, Ranked
from aftermind.projections.recalling.recall import COLUMNS, Query, candidate, with_objections
from aftermind.projections.views.seen import live
from aftermind.projections.views.shelf import FOREMOST, STANDING

MOST = 200
"""Of each scope so many are looked at: the foremost, then the newest."""
READ, OF_PROMPT = 1_000, 6_000
"""Characters of a memory, and of each end of a prompt, that are looked at."""
COMMAND = 4
"""Words of a prompt that is nothing but a command: all of them have to be said."""
_FOLDER = re.compile(r"(?<![\w/])(?:\./)?((?:[\w.@-]+/)+)(?![\w])")
_PATH = re.compile(r"(?<![\w.@-])[\w.@-]*+(?:/[\w.@+-]+)+")
_AGAINST = re.compile(
    r"""\b(?:never|don't|do\snot|not|no|instead\sof|rather\sthan|over|niemals|nie|keine?n?|jamais|nunca|mai)\s
    (?:(?:use|using|run|running|add|install|import|call|nimm|verwende|utilise[rz]?|usar?|usare)\s)?
    (?:the\s|an?\s)?(\w[\w-]*)""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a rule says is not to be used, or done."""
_FORBIDS = re.compile(
    r"\b(?:never|don't|do\snot|must\snot|mustn't|niemals|nie|jamais|nunca|mai)\s((?:[\w./-]+\s){0,5}[\w./-]+)",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"""(?:\b(?:without|unless|before|until|when|while|if|except|but|and|or|by|with|on|in|at|for|because|just)\b
    |[.!?]\s|\n).*""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""In which case, and how, and the next sentence: the thing that is forbidden is what stands before."""
_BETWEEN = r"\w*(?:[^\w.!?;\n]+\w+){0,3}?[^\w.!?;\n]+"
"""From one word of what is forbidden to its next one, within a sentence."""
_WHEN = re.compile(
    r"\b(?:before|when|whenever|after|while|until)\s(?:(?:you|we|i|every|each|any|an?|the)\s)*([a-z]+)", re.IGNORECASE
)
"""When a rule is to be followed."""
_SMALL_NUMBER = re.compile(r"\d{1,2}")
"""Of a time, an amount or a date: no prompt that a rule is for says it again."""
_WANTED = re.compile(
    r"""(?:(?:^|[.!?]\s|\n)\W{0,8}
      (?>(?:(?:please|now|then|ok|okay|so|just|also|git|let's|(?:can|could|would|will)\s(?:you|we))[,\s]+)*)
    |\b(?:and|then)\s)([a-z]+)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a command wants done, or a sentence of a request."""
_TOOL = "git"
"""The tool of what is done so: it says nothing more."""
Sort = Literal["rule", "preference", "user"]
_AS: dict[Sort, str] = {
    "rule": "a standing rule that",
    "preference": "a standing preference that",
    "user": "says who the user is, and",
}
"""What a reason says of one, before what it has to do with a prompt."""


class Cues(Struct, frozen=True):
    """What of a text others can speak of: the stems of its words that tell something, of its plain ones, and the files,
    folders and symbols it names."""

    telling: frozenset[str]
    plain: frozenset[str]
    things: frozenset[str]
    folders: tuple[str, ...]
    against: frozenset[str] = frozenset()
    """Those of the telling words that it forbids."""
    forbids: re.Pattern[str] | None = None
    """What it forbids, where that takes more than one word, as a prompt says it: `push it to the main branch`."""
    acts: frozenset[str] = frozenset()
    """Those of `ACTS` before, at or after which it is to be followed."""
    worded: Mapping[str, str] = {}
    """Its words as it says them, by their stems."""

    def told(self, stems: Iterable[str]) -> str:
        """A few of its words, for a reason."""
        return ", ".join(sorted(self.worded.get(one, one) for one in stems)[:3])


@lately(2_048)  # pins are asked about at every prompt, and seldom change
def cues(text: str) -> Cues:
    text = text[:READ].replace("’", "'")
    terms = [term.text for term in words_of(text) if not _SMALL_NUMBER.fullmatch(term.text)]
    whens = [act.lower() for act in _WHEN.findall(text)]
    worded = {_root(word): word for word in (*terms, *whens)}
    words = {_root(term) for term in terms}
    plain = {word for word in words if word in _PLAIN}
    folders = tuple(found[1].casefold() for found in _FOLDER.finditer(text))
    against = {_root(word.lower()) for word in _AGAINST.findall(text)} & (words - plain)
    things = frozenset(entities(text))
    acts = frozenset(map(_root, whens)) & _ACTS
    return Cues(
        frozenset(words - plain), frozenset(plain), things, folders, frozenset(against), _forbids(text), acts, worded
    )


def _forbids(text: str) -> re.Pattern[str] | None:
    found = _FORBIDS.search(text)
    words = [_root(term.text) for term in words_of(_CASE.sub("", found[1]))] if found else []
    if len(words) < 2 or not all(word.isalnum() for word in words):
        return None
    return re.compile(r"\b" + _BETWEEN.join(word.removesuffix("i") for word in words), re.IGNORECASE)


class Spoken(Struct, frozen=True):
    """The same of a prompt, with the paths it names."""

    words: frozenset[str]
    things: frozenset[str]
    paths: tuple[str, ...]
    acts: frozenset[str] = frozenset()
    """What of `ACTS` it wants done."""
    text: str = ""
    doing: bool = True
    """Whether all of it wants something done."""


def spoken(prompt: str, pins: Sequence[Cues]) -> Spoken:
    """What of a prompt those pins may speak of, too: things and paths are looked for where one of them names any."""
    if len(prompt) > 2 * OF_PROMPT:
        prompt = f"{prompt[:OF_PROMPT]} {prompt[-OF_PROMPT:]}"
    words = frozenset(_root(term.text) for term in words_of(prompt))
    things = entities(prompt) if any(pin.things for pin in pins) else ()
    paths = _PATH.findall(prompt) if any(pin.folders for pin in pins) else ()
    acts = frozenset(root for act in _WANTED.findall(prompt) if (root := _root(act.lower())) in _ACTS)
    return Spoken(words, frozenset(things), tuple(f"/{path.casefold()}" for path in paths), acts, prompt)


def may_bear(pin: Cues, prompt: Spoken) -> bool:
    """A first look, which most do not pass."""
    if not (pin.telling.isdisjoint(prompt.words) and pin.plain.isdisjoint(prompt.words)):
        return True
    return bool(pin.folders and prompt.paths) or not pin.things.isdisjoint(prompt.things)


def bears(pin: Cues, prompt: Spoken, ranking: Ranking) -> tuple[float, str] | None:
    """How much it bears on the prompt, above 0, and by what; None where it does not."""
    things = pin.things & prompt.things
    folder = next((one for one in pin.folders if any(f"/{one}" in path for path in prompt.paths)), "")
    if prompt.doing and (things or folder):
        return 2.0, f"names {min(things, default=folder)}"
    if pin.forbids is not None and (said_so := pin.forbids.search(prompt.text)):
        return 1.0, f"is against “{' '.join(said_so[0].split())}”"
    if when := pin.acts & prompt.acts:
        return 1.0, f"is for {pin.told(when)}"
    if against := pin.against & (prompt.words if prompt.doing else prompt.acts):
        return 1.0, f"is against {pin.told(against)}"
    if not prompt.doing:
        return None
    telling, said = pin.telling & prompt.words, pin.plain & prompt.words
    whole = len(pin.telling) + ranking.plain_word * len(pin.plain)
    share = (len(telling) + ranking.plain_word * len(said)) / whole if whole else 0.0
    if telling and share >= (ranking.pin_share if len(telling) > 1 else ranking.pin_one_word):
        return share, f"speaks of {pin.told(telling)}"
    if len(prompt.words) <= COMMAND and prompt.words <= pin.telling | pin.plain and _is_command(prompt.words):
        return share, f"speaks of {pin.told(prompt.words)}"
    if (
        len(prompt.words) <= COMMAND
        and (acts := prompt.acts & (telling | said))
        and prompt.words <= telling | said | _PLAIN | {_TOOL}
    ):
        return share, f"speaks of {pin.told(acts)}"
    return None


def _is_command(words: frozenset[str]) -> bool:
    """Two words or more, or one act that rules are about: `commit this`."""
    return len(words) > 1 or any(word in _ACTS for word in words)


def sort_of(memory: Candidate, manner: int) -> Sort:
    if manner & SELF or "identity" in memory.tags:
        return "user"
    return "rule" if manner & RULE or memory.kind == "directive" else "preference"


_CONDITIONED = "SELECT memory FROM directive WHERE scope = :scope AND (given <> '' OR said <> '')"
_OF_SCOPE = f"""SELECT position, text FROM shelf INDEXED BY shelf_standing
  WHERE scope = :scope AND {STANDING} AND {live()} AND memory NOT IN ({_CONDITIONED})
  ORDER BY {FOREMOST} DESC, position DESC LIMIT {MOST}"""
_WHOLE = f"SELECT manner, {COLUMNS} FROM shelf WHERE position IN ({VALUES.format('positions')})"


def standing(connection: Connection, scopes: Sequence[Scope], now: datetime) -> list[tuple[Candidate, Sort]]:
    """What holds in these scopes: locked ones first, then what did best, then the newest."""
    found = [row for scope in scopes for row in _read(connection, scope, now)]
    pins = _pins(connection, [position for position, _ in found], scopes, now)
    return sorted(pins, key=_trusted, reverse=True)


def with_pins(
    connection: Connection, query: Query, now: datetime, answer: Ranked, ranking: Ranking, *, doing: bool
) -> Ranked:
    """What a prompt is shown, with the pins before it that bear on what it wants done and are not there yet. `doing`:
    all of it wants something done, and it is no question or tale in which one sentence may."""
    if ranking.pinned < 1:
        return answer
    rows = [row for scope in query.scopes for row in _read(connection, scope, now)]
    if not rows:
        return answer
    known = {position: cues(text) for position, text in rows}
    prompt = structs.replace(spoken(query.text, list(known.values())), doing=doing)
    likely = ((position, pin) for position, pin in known.items() if may_bear(pin, prompt))
    bearing = {position: found for position, pin in likely if (found := bears(pin, prompt, ranking))}
    there = {hit.candidate.position for hit in answer.hits}
    twins = Twins(ranking.alike)
    for hit in answer.hits:
        twins.of(hit.candidate.memory, hit.candidate.speaker, hit.candidate.text, hit.candidate.answer)
    best = sorted(bearing.keys() - there, key=lambda position: (-bearing[position][0], -position))
    pins = [pin for pin in _pins(connection, best[: 2 * ranking.pinned], query.scopes, now) if not _failed(pin[0])]
    pins = sorted(pins, key=lambda pin: (pin[0].locked, bearing[pin[0].position][0]), reverse=True)
    pins = [pin for pin in pins if twins.of(pin[0].memory, pin[0].speaker, pin[0].text) is None][: ranking.pinned]
    if not pins:
        return answer
    first = [
        Hit(candidate=pin, rank=0, score=0.0, reasons=(f"{_AS[sort]} {bearing[pin.position][1]}",))
        for pin, sort in pins
    ]
    shown = {hit.candidate.memory for hit in first}
    hits = [*first, *answer.hits]
    left = tuple(one for one in answer.left_out if one.memory not in shown)
    return Ranked(hits=tuple(structs.replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)), left_out=left)


def _read(connection: Connection, scope: Scope, now: datetime) -> list[tuple[int, str]]:
    return connection.execute(_OF_SCOPE, {"scope": scope, "now": microseconds(now)}).fetchall()


def _pins(
    connection: Connection, positions: Sequence[int], scopes: Sequence[Scope], now: datetime
) -> list[tuple[Candidate, Sort]]:
    if not positions:
        return []
    rows = connection.execute(_WHOLE, {"positions": as_json(positions)}).fetchall()
    manners = {row[1]: row[0] for row in rows}
    found = with_objections(connection, [candidate(row[1:]) for row in rows], scopes, now)
    return [(one, sort_of(one, manners[one.position])) for one in found]


def _failed(memory: Candidate) -> bool:
    """Whether it did not hold when it was followed."""
    return not memory.locked and memory.outcomes.mostly_failed


def _trusted(pin: tuple[Candidate, Sort]) -> tuple[bool, bool, float, datetime, int]:
    one = pin[0]
    return one.locked, not _failed(one), one.outcomes.expected, one.at, one.position


@lately(8_192)
def _root(word: str) -> str:
    """The stem, with one letter where its ending doubled it: `running`, `runs` and `run`; and that of what is done, of
    the word for doing it: `deployment` and `deploy`."""
    short = stem(word)
    if len(short) > 7 and short.endswith("ment"):
        short = short.removesuffix("ment")
    if len(short) > 3 and short[-1] == short[-2] and short[-1] not in "sl":
        return short[:-1]
    if len(short) > 3 and short.endswith("y"):
        return f"{short[:-1]}i"
    return short.removesuffix("s") if len(short) > 3 and not short.endswith("ss") else short


_ACTS = frozenset(_root(word) for word in ACTS)
_PLAIN = frozenset(_root(word) for word in PLAIN)
