"""Names of several words, as a query says them: `Ada Lovelace`, `The Sea of Night`, `Node 20`, `plan B`. Pure.

Who says the words of a name and not the name mostly speaks of something else: Ada Byron and her friend Lovelace. A name
is told by its capitals; whoever writes it down elsewhere may write it small.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aftermind.engine.lazily import lazily
from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.terms import STOP_WORDS, composed, stem

LONGEST, MOST = 1_000, 4
"""Characters of a query that is about a few things, and names of it that are looked for."""
MOST_WORDS = 6
"""Words of a name; what is longer is a heading, or somebody shouts."""
FAR = 48
"""Characters before a digit or letter within which the word before it begins."""
CONTINUED = 0.5
"""What a name counts where it is a part of a longer one: `Node 20 Alpine` of `Node 20`."""
_WORD = lazily(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_NUMBERED = lazily(r"(?<![^\W_])(?P<word>[^\W\d_]{2,})(?:[ \t]+#?|[-#])(?P<one>[^\W_])(?![^\W_]|[.,:/'’-]\w)")
_BEFORE = lazily(r"([^\W\d_]+)(?:\s{1,2}#?|[-#_])$")
_COUNTING = listed(
    """
    least most last first next past previous top only exactly almost nearly roughly around other another every take
    takes took lasts lasted wait waits waited retry retries times since within need needs seit nach vor alle noch dauert
    pour avec depuis après encore con hace desde para cada per ogni dopo fra tra por com após
    """
)
"""Words that stand before how many there are."""
_LETTERS = frozenset("bcfghjklmpqrvxz")
_WITHIN = listed("of the de del der des di du da la le las los van von")
_BETWEEN = listed("a an and at for from in on to with und et y")
"""Small words that may be of a name (`Waiting for Godot`) or stand between two (`Docker Compose on Debian 12`)."""


def full_names(query: str) -> tuple[str, ...]:
    """The first that the query says, without small words before them; of what may be one name or several, all."""
    if len(query) > LONGEST or query.isupper():
        return ()
    query = composed(query)
    runs = list(_runs(query))
    first = next((run for run in runs if run), ())
    if query.lstrip().startswith(tuple(first[:1])):
        runs.insert(0, first[1:])  # it has the sentence's capital, mostly: `Explain Ada Lovelace`
    found = [name for run in runs for some in (run, *_parted(run)) if (name := _name(some))]
    return tuple(dict.fromkeys(found))[:MOST]


def _name(run: Sequence[str]) -> str:
    words = list(run)
    while words and (words[0].lower() in STOP_WORDS or words[0].isdigit()):
        del words[0]
    while words and not _begins(words[-1]):
        del words[-1]
    return " ".join(words) if 2 <= len(words) <= MOST_WORDS and sum(map(_begins, words)) >= 2 else ""


def _parted(run: Sequence[str]) -> Iterator[Sequence[str]]:
    part: list[str] = []
    for word in (*run, "and"):
        if word not in _BETWEEN:
            part.append(word)
            continue
        yield part
        part = []


def numbered(query: str) -> tuple[tuple[str, str], ...]:
    """The first words that the query says with one digit or letter behind them, in small letters: `runner 3`, `plan B`.
    A letter has to be a capital, or one that is no word in any of the languages of Europe."""
    if len(query) > LONGEST:
        return ()
    shouted, query = query.isupper(), composed(query)
    found = ((match["word"].lower(), match["one"]) for match in _NUMBERED.finditer(query))
    pairs = (
        (word, one.lower())
        for word, one in found
        if word not in STOP_WORDS | _COUNTING
        and (one.isdigit() or one in _LETTERS or (one.isupper() and one != "I" and not shouted))
    )
    return tuple(dict.fromkeys(pairs))[:MOST]


def says_numbered(word: str, one: str, text: str) -> bool:
    """Whether a text says that word, or a form of it, with that digit or letter behind it: `Runner 3`, `runner-3`, and
    not `runner 3.5`. A letter that is a word in some language has to be a capital: nobody names plan A with `we plan a
    release`."""
    meant = one if one.isdigit() else f"(?i:{one})" if one in _LETTERS else re.escape(one.upper())
    text, own = composed(text), stem(word)
    # the character first: a regular expression that begins with it finds the few places fast
    for place in re.finditer(rf"{meant}(?<=[\s#_-].)(?![^\W_]|[.,:/]\d)", text):
        before = _BEFORE.search(text, max(0, place.start() - FAR), place.start())
        if before is not None and stem(before[1].lower()) == own:
            return True
    return False


def said_in_full(name: str, text: str) -> float:
    """How much of the name a text says as it is: 1, `CONTINUED` where it only says it within a longer one, or 0."""
    words, found, text = r"\s+".join(map(re.escape, name.split())), 0.0, composed(text)
    for place in re.finditer(rf"(?<![^\W_]){words}(?![^\W_]|[.,]\d)", text, re.IGNORECASE):
        if not _goes_on(text, *place.span()):
            return 1.0
        found = CONTINUED
    return found


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether the word before it or behind it is one of a name as well."""
    before = text[text.rfind(" ", 0, start - 1) + 1 : start - 1] if text[start - 1 : start] == " " else ""
    after = _WORD.match(text, end + 1) if text[end : end + 1] in (" ", "-") else None
    if after is not None and text[end] == "-":
        return True
    named = _begins(before) and before.lower() not in STOP_WORDS and before[-1:].isalnum()
    return named or (after is not None and _begins(after[0]))


def _runs(query: str) -> Iterator[Sequence[str]]:
    """Words that follow each other and of which each but the small ones begins as a name does."""
    run: list[str] = []
    end = -1
    for match in _WORD.finditer(query):
        word = match[0].removesuffix("'s").removesuffix("’s")
        follows = end >= 0 and query[end : match.start()].isspace()
        if not (follows and (_begins(word) or word in _WITHIN | _BETWEEN)):
            yield run
            run = []
        if run or word[:1].isupper():
            run.append(word)
        end = match.end() if word == match[0] else -1
    yield run


def _begins(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit()
