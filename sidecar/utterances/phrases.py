"""Finds phrases in what was said, by tables a language. Pure, linear in the text, and no regular expression that tries
the same text twice.

A phrase is words with blanks between. `a|b` is either, `stem*` any word that begins so, `word?` may be missing, `$name`
one of a named set of words, `..` at most three words of any kind, `^`
that nothing but one word may stand before it. Of the phrases that begin at a word the one that
reaches farthest counts, and what it took is not looked at again: so "not working" is never "working". Languages
that are written without blanks are looked through by letters, where `..` is at most six of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from aftermind.sidecar.utterances.grammar import NEGATIONS

GAP = 3
"""Words that `..` may skip."""
SOFT = "weak"
"""A sign whose words may still begin a phrase that says more."""
POSITIVE = "work"
"""A sign whose gaps skip no negation: "the error is not gone"."""
QUIET = {"hush", "once", "maybe", "others", "ask"}
"""Signs that win where another phrase reaches as far."""
MOST_LETTERS = 400
"""Letters of a clause that are looked through where there are no words; what is longer is no clause."""
LETTERS = 6
"""Letters that `..` may skip where there are no words."""
BY_LETTERS = "\u0900-\u097f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
_BY_LETTERS = re.compile(rf"[{BY_LETTERS}]")

_ENDINGS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'d": "would"}
_BARE = {
    **{f"{verb}nt": (verb, "not") for verb in ("does", "did", "is", "was", "are", "were", "would", "should", "could")},
    **{f"{verb}nt": (verb, "not") for verb in ("has", "have", "had", "do")},
    "cant": ("can", "not"),
    "cannot": ("can", "not"),
    "can't": ("can", "not"),
    "wont": ("will", "not"),
    "won't": ("will", "not"),
    "thats": ("that", "is"),
    "im": ("i", "am"),
}
_IS = {"it", "that", "there", "what", "here", "everything", "this", "who", "where", "he", "she", "nothing"}
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_][^\W_]*(?:['’][^\W\d_]+)*|_+|[^\w\s]")


class Word(Struct, frozen=True, gc=False):
    """One word as it is compared, and where it stands."""

    text: str
    start: int
    end: int


class Hit(Struct, frozen=True, gc=False):
    """A phrase that was found: what it is a sign of, the words it took, and where."""

    sign: str
    first: int
    last: int
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words of a text, folded, English contractions taken apart; other signs are words of their own."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        said, start, end = match[0].casefold().replace("’", "'"), match.start(), match.end()
        said = "_" if said[0] == "_" else said
        found.extend(Word(part, start, end) for part in apart(said))
    return found


def apart(word: str) -> tuple[str, ...]:
    """ "doesn't" is two words, and so is "doesnt"."""
    if word in _BARE:
        return _BARE[word]
    if "'" not in word:
        return (word,)
    for ending, meant in _ENDINGS.items():
        if word.endswith(ending) and len(word) > len(ending):
            return word.removesuffix(ending), meant
    if word.endswith("'s"):
        stem = word.removesuffix("'s")
        return (stem, "is") if stem in _IS else (stem,)
    return tuple(part for part in re.split(r"(?<=')", word) if part)


# --- a table, made ready ------------------------------------------------------------------------------------------


class Step(Struct, frozen=True, gc=False):
    """One word of a phrase: those it may be, or the beginnings; or a gap."""

    exact: frozenset[str] = frozenset()
    stems: tuple[str, ...] = ()
    optional: bool = False
    gap: bool = False
    begins: bool = False

    def takes(self, word: str) -> bool:
        return word in self.exact or (bool(self.stems) and word.startswith(self.stems))


class Table(Struct, frozen=True):
    """Phrases by their first word: whole, or by its first letters where it is a stem; and those found by letters."""

    whole: Mapping[str, Sequence[tuple[str, Sequence[Step]]]]
    stems: Mapping[str, Sequence[tuple[str, Sequence[Step]]]]
    letters: re.Pattern[str] | None
    signs: Sequence[str]


def table(languages: Sequence[Mapping[str, str]]) -> Table:
    """Of languages, each a text of phrases a sign, one a line; names that begin with `$` are sets of words."""
    whole: dict[str, list[tuple[str, Sequence[Step]]]] = {}
    stems: dict[str, list[tuple[str, Sequence[Step]]]] = {}
    by_letters: list[tuple[str, str]] = []
    for language in languages:
        sets = {name: "|".join(said.split()) for name, said in language.items() if name.startswith("$")}
        for sign, said in sorted(language.items(), key=lambda entry: entry[0] not in QUIET):
            if sign.startswith("$"):
                continue
            for line in filter(None, map(str.strip, said.splitlines())):
                if _BY_LETTERS.search(line):
                    by_letters.append((sign, line))
                    continue
                steps = _steps(line, sets)
                for word in steps[0].exact:
                    whole.setdefault(word, []).append((sign, steps))
                for stem in steps[0].stems:
                    stems.setdefault(stem[:3], []).append((sign, steps))
    by_letters.sort(key=lambda entry: -len(entry[1]))
    begin = re.escape("".join({line[0] for _, line in by_letters}))  # most letters begin none, which is soon seen
    pattern = f"(?=[{begin}])(?:{'|'.join(f'({_lettered(line)})' for _, line in by_letters)})"
    return Table(
        whole=whole,
        stems=stems,
        letters=re.compile(pattern) if by_letters else None,
        signs=[sign for sign, _ in by_letters],
    )


def _steps(line: str, sets: Mapping[str, str]) -> tuple[Step, ...]:
    steps: list[Step] = []
    begins = line.startswith("^ ")
    for said in line.removeprefix("^ ").split():
        if said == "..":
            steps.append(Step(gap=True))
            continue
        optional = said.endswith("?")
        choices = "|".join(sets.get(part, part) for part in said.rstrip("?").split("|")).split("|")
        steps.append(
            Step(
                exact=frozenset(word for word in choices if not word.endswith("*")),
                stems=tuple(word[:-1] for word in choices if word.endswith("*")),
                optional=optional,
                begins=begins and not steps,
            )
        )
    if steps[0].gap or steps[0].optional or any(len(stem) < 3 for stem in steps[0].stems):
        raise ValueError(f"a phrase begins with a word of three letters or more: {line!r}")
    return tuple(steps)


@cache
def _lettered(line: str) -> str:
    """The pattern of a phrase that is looked for by letters. A gap stays within a clause."""
    parts = (f".{{0,{LETTERS}}}?" if part == ".." else re.escape(part) for part in re.split(r"(\.\.)| ", line) if part)
    return r"\s?".join(parts)


# --- looking ------------------------------------------------------------------------------------------------------


def hits(table: Table, clause: str, said: Sequence[Word] | None = None) -> Iterator[Hit]:
    """What is found in one clause, from left to right; nothing is found twice."""
    if said is None:
        said = words(clause)
    at = 0
    while at < len(said):
        word = said[at].text
        best, sign = 0, ""
        for named, steps in (*table.whole.get(word, ()), *table.stems.get(word[:3], ())):
            reached = _reach(steps, said, at, over=named != POSITIVE)
            if reached > best:
                best, sign = reached, named
        if best:
            yield Hit(sign, at, best - 1, said[at].start, said[best - 1].end)
        at = max(at + 1, best) if sign != SOFT else at + 1
    if table.letters is not None and _BY_LETTERS.search(clause):
        for match in table.letters.finditer(clause, 0, MOST_LETTERS):
            index = (match.lastindex or 1) - 1
            yield Hit(table.signs[index], -1, -1, match.start(), match.end())


def _reach(steps: Sequence[Step], said: Sequence[Word], at: int, *, over: bool) -> int:
    """Where a phrase that begins at a word ends (the word after it); 0 where it is not there. `over`: a gap may hold
    a negation."""
    gap = 0
    if steps[0].begins and at > 1:
        return 0
    for step in steps:
        if step.gap:
            gap = GAP
            continue
        for place in range(at, min(at + gap + 1, len(said))):
            if step.takes(said[place].text):
                at = place + 1
                break
            if not over and said[place].text in NEGATIONS:
                return 0
        else:
            if step.optional:
                continue
            return 0
        gap = 0
    return at
