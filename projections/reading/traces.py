"""Which of the memories that were shown had a part in an answer? A trace is a word that a memory says and the prompt
does not, found again in the answer. A deterministic stand-in for a judge that reads: it only keeps a verdict on an
exchange from falling on memories that had no part in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import ceil

from aftermind.engine.names import Kind
from aftermind.projections.reading.terms import words_of

SHARE = 0.15
"""How much of a memory's telling words must come back; at least one."""
FEWEST = 3
"""Words of its own that an answer has which tells something; "noted, will do" has fewer."""

_SET = re.compile(
    r"(?<![\w./-])(?P<name>[A-Za-z]\w*(?:[./-]\w+)*)[`'\"]?(?:\s*(?:=|:|is|to|at|on|(?:changed |set )?from \S+ to))?\s*"
    r"[`'\"]?(?P<value>\d(?>(?:[\d.]*\d)?))(?![\w.]*\w)"
)
"""A setting by its name, and the number it is given."""
_FORBIDDEN = re.compile(
    r"""\b(?:never|(?:do|must|should|can|will)(?:\snot|n't)|cannot|not(?!\sonly)|no(?!\smore)|avoid|stop(?=\s\w+ing\b)|instead\sof|rather\sthan
        |niemals|nie|nicht|keine?[nrms]?|statt|jamais|pas|nunca|non|не|никогда)\b(?!-|\s(?:forget|vergessen))
    (?:(?!\b(?:but|use|unless|without|before|until|except|because|since|sondern|sino|mais)\b)(?:[^,;:!?\n.]|\.(?!\s|\Z)))*""",
    re.IGNORECASE | re.VERBOSE,
)
"""What is not to be, or is not so: who does it all the same follows something else."""
_SPOKEN: tuple[Kind, ...] = ("exchange", "chunk", "conversation")
"""Of what is told at length, a sentence that denies something is not the point."""
_COMPOSED = re.compile(r"[._/-]")
_WORD = re.compile(r"[\w./-]+")
_FILE = re.compile(r"\w\.[A-Za-z]\w{0,4}\Z")
"""How what is written without a space ends that names a file."""


def traced(memories: Sequence[tuple[Kind, str, str]], prompt: str, answer: str) -> frozenset[int]:
    """Those of the memories, each with its kind, its text and its answer, by their places, whose words come back in the
    answer, beyond those of the prompt. Of an exchange something has to come back that its answer told: the words of its
    question come back in every answer about the same. Of exchanges only those that say them best: what one of them says
    whose words come back more often is that one's. Two pieces of advice about one file name it both, and only one of
    them was followed: what says more than which file it is about is not in an answer that comes back to the file alone.
    What gives a setting another value than the answer does was reversed, and had no part in it. Nor has a rule where
    what it forbids comes back: "Use pnpm, never npm" was not followed by who ran npm."""
    asked = {term.text for term in words_of(prompt)}
    said = {term.text for term in words_of(answer)} - asked
    texts = [(kind, f"{text} {told}") for kind, text, told in memories]
    told = [{term.text for term in words_of(_wanted(kind, text))} for kind, text in texts]
    back = [frozenset(words & said) for words in told]
    given = _settings(answer)
    enough = [
        len(some) >= max(1, ceil(SHARE * len(words)))
        and not _reversed(_settings(text), given)
        and not (kind == "exchange" and _is_the_file_alone(some, words - asked, text))
        for some, words, (kind, text) in zip(back, told, texts, strict=True)
    ]
    found = {n for n, (kind, *_) in enumerate(memories) if kind != "exchange" and enough[n]}
    exchanges = [
        n
        for n, (kind, text, its) in enumerate(memories)
        if kind == "exchange" and enough[n] and not _point_of(text, its).isdisjoint(back[n])
    ]
    explained: frozenset[str] = frozenset()
    for words in sorted({back[n] for n in exchanges}, key=len, reverse=True):
        own = len(words - explained)
        new = {n for n in exchanges if back[n] == words and own >= ceil(SHARE * len(told[n]))}
        if new and 2 * own > len(words):  # else most of it is another's
            found |= new
            explained |= words
    return frozenset(found)


def _point_of(text: str, answer: str) -> set[str]:
    """What an exchange told: the words of its answer that its question has not, or the number alone where it told
    little else. Where it only took note of something, the numbers of that, or all of it."""
    asked, told = ({term.text for term in words_of(one)} for one in (text, answer))
    own = told - asked
    if len(own) > FEWEST:
        return own
    numbers = set(filter(_is_a_number, own))
    if numbers or len(own) == FEWEST:
        return numbers or own
    return set(filter(_is_a_number, asked)) or asked | told


def _is_a_number(word: str) -> bool:
    return any(map(str.isdigit, word))


def _wanted(kind: Kind, text: str) -> str:
    """What a memory says without what a statement forbids or denies."""
    return text if kind in _SPOKEN else _FORBIDDEN.sub(" ", text.replace("’", "'"))


def _is_the_file_alone(back: frozenset[str], told: set[str], text: str) -> bool:
    """Whether all that comes back of what it told stands in names of files, and it told more."""
    named = (word for word in _WORD.findall(text) if _FILE.search(word.rstrip("./-")[-8:]))
    files = {term.text for term in words_of(" ".join(named))}
    return back <= files and not told <= files


def _settings(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in _SET.finditer(text):
        if _COMPOSED.search(match["name"]):  # a plain word may be said of several things
            found.setdefault(match["name"].casefold(), set()).add(match["value"])
    return found


def _reversed(told: Mapping[str, set[str]], given: Mapping[str, set[str]]) -> bool:
    return any(name in given and not values & given[name] for name, values in told.items())
