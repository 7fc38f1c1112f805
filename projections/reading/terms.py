"""Which words a text has, what a query asks for, and how rare a word is. Pure.

Cut as the index is (`views/words.py`): what is written without spaces into windows of three letters, all else into
words. How rare a word is in the scopes that are asked is ln(1 + (N - n + ½) / (n + ½)), as Lucene's BM25 has it, which
stays positive in a store of three memories.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import log
from unicodedata import normalize

from msgspec import Struct, structs

from aftermind.engine.lately import lately
from aftermind.engine.lazily import lazily
from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.spellings import spellings
from aftermind.projections.reading.subject import LONGEST, subject

SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, kana, Han: scripts whose words are not set apart by spaces."""
GLYPHS = re.compile(f"[{SPACELESS}]+")
_SYMBOL = re.compile(r"(?<!\w)[A-Za-z][a-z0-9]+[A-Z][A-Za-z0-9]{0,59}(?!\w)", re.ASCII)
_WORD_OF_SYMBOL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
MOST_WORDS = 48
LEAST_BEGINNING = 6
STATES_OF = ("ship", "hood")
"""Endings of a word for what somebody is: who asks for the ownership is answered by who the owner is."""
_WHO_DOES = lazily(
    r"\b(?:who|which\s(?:team|person|group|company))(?:\s(?:now|currently))?\s(?P<verb>[a-z]{1,3}[a-df-z])s\b"
)
_DOUBLED = lazily("[b-df-hj-np-tv-z]{1,3}[aeiou](?P<last>[b-df-hj-np-tvz])")
"""Who owns, leads or runs it is answered by who its owner, leader or runner is; of a longer verb both have one stem."""
LEAST_ROOT = 5
READ_AHEAD = 6_000
"""Characters read at each end of a very long query: what is asked stands at an end."""
_ENDING = re.compile(r"(?:(?<=[^aeiou]{2})|(?<=[aeiou][^aeiou]))(?:ing|ed|es|ly)$|(?<=[^su])s$")


STOP_WORDS = listed(
    """
    a about above after again all also am an and any are as at be because been before being below between both
    but by can cannot could did do does doing down during each few for from further get got had has have having
    he her here hers him his how i if in into is it its just let me more most my no nor not of off on once only
    or other our ours out over own same she should so some such than that the their theirs them then there these
    they this those through to too under until up us very was we were what when where which while who whom why
    will with would you your yours s t d ll m re ve don doesn didn isn aren wasn weren won wouldn shouldn couldn
    give tell show need want know ok okay yes yeah yep nope sure thanks
    thank please hello hi hey bye welcome sorry
    """
)
"""What says nothing about what is asked: function words, greetings, acknowledgements."""
_MARKS = "\u0300-\u036f\u0900-\u0dff"
"""Accents, and the scripts of India, whose vowel signs Python does not count as part of a word."""
_WORD_OR_RUN = lazily(rf"(?P<run>[{SPACELESS}]+)|(?P<word>(?:[^\W_{SPACELESS}]|[{_MARKS}])+)")

_PLAIN_WORD = lazily("[a-z0-9]+")


class Term(Struct, frozen=True, cache_hash=True):
    """One thing to look for: a word, or a window of spaceless script."""

    text: str
    table: str
    """`words` or `glyphs`."""
    beginning: bool = False
    """Words that begin so will do: asked where nobody says the word itself (`postgres`, and `PostgreSQL` is there)."""
    does: bool = False
    """It is asked who does it."""
    spelled: bool = False
    """Another spelling of the word, which is meant as it is written, with its marks."""

    @property
    def quoted(self) -> str:
        """As FTS5 reads it: always quoted, so that no query has an operator in it."""
        return f'"{self.text}"{" *" if self.beginning else ""}'


def terms(query: str, talk: int = LONGEST) -> tuple[Term, ...]:
    """What a query asks for: what it says of its subject, where it has no more than `talk` characters, and where there
    is room the words of its symbols; of a very long one what its two ends say."""
    query = subject(query, talk)
    if len(query) > 2 * READ_AHEAD:
        query = f"{query[:READ_AHEAD]} {query[-READ_AHEAD:]}"
    said = words_of(query)
    if who_does := {f"{found['verb']}s" for found in _WHO_DOES.finditer(query.lower())}:
        said = tuple(structs.replace(term, does=term.text in who_does) for term in said)
    said = said if len(said) <= MOST_WORDS else said[: MOST_WORDS // 2] + said[-MOST_WORDS // 2 :]
    of_symbols = words_of(" ".join(symbol_words(query)))
    return (*said, *(term for term in of_symbols if term not in said))[:MOST_WORDS]


def otherwise(term: Term) -> Iterator[Term]:
    """How else a word of the query may be meant, where nobody says it: in another spelling, as the beginning of a
    longer one, or as what somebody is or does. English has these last ones; a stem does not show them."""
    word = term.text
    others = list(spellings(word)) if term.table == "words" else []
    yield from (structs.replace(term, text=other, spelled=True) for other in others)
    if len(word) >= LEAST_BEGINNING:
        yield from (structs.replace(term, text=other, spelled=True, beginning=True) for other in others)
    if term.table == "words" and len(word) >= LEAST_BEGINNING:
        yield structs.replace(term, beginning=True)
        ending = next((one for one in STATES_OF if word.endswith(one)), "")
        if ending and len(word) - len(ending) >= LEAST_ROOT:
            yield structs.replace(term, text=word.removesuffix(ending), beginning=True)
    elif term.does:
        verb = word.removesuffix("s")
        doubled = _DOUBLED.fullmatch(verb)
        yield Term(f"{verb}{doubled['last'] if doubled else ''}er", "words")


def words_of(text: str) -> tuple[Term, ...]:
    """The distinct telling words of a text in their order: without those that say nothing (a text of only such says
    nothing), without single letters and digits; of what is written without spaces the windows of three."""
    if text.isascii():
        plain = dict.fromkeys(_PLAIN_WORD.findall(text.lower()))
        return tuple(Term(word, "words") for word in plain if len(word) > 1 and word not in STOP_WORDS)
    text = composed(text)
    found: dict[Term, None] = {}
    for match in _WORD_OR_RUN.finditer(text):
        if run := match["run"]:
            found.update({Term(run[i : i + 3], "glyphs"): None for i in range(max(1, len(run) - 2))})
        elif len(word := match["word"].lower()) > 1 and word not in STOP_WORDS:
            found[Term(word, "words")] = None
    return tuple(found)


def composed(text: str) -> str:
    """The text with a letter and its accent as one, and a Korean syllable, as words are compared: a Mac's files and
    some keyboards write their parts."""
    return text if text.isascii() else normalize("NFC", text)


def glyphs(text: str) -> str:
    """The runs of spaceless script in a text."""
    return "" if text.isascii() else " ".join(GLYPHS.findall(composed(text)))


def spaced(text: str) -> str:
    """The rest of the text, in which words are set apart by spaces."""
    return text if text.isascii() else GLYPHS.sub(" ", composed(text))


def indexed(text: str) -> str:
    """What a word index is given of a text: what it can cut, and behind it the words of which symbols are made."""
    words = " ".join(symbol_words(text))
    return f"{spaced(text)} {words}" if words else spaced(text)


def symbol_words(text: str) -> Iterator[str]:
    """The words of `getUserById`: of symbols that begin small, or have three of them. `JavaScript` and `GitHub` are
    names, and `get_user_by_id` is cut anyhow."""
    for symbol in dict.fromkeys(_SYMBOL.findall(text)):
        words = _WORD_OF_SYMBOL.findall(symbol)
        if len(words) > 2 or (symbol[0].islower() and len(words[0]) > 1):
            yield from words


@lately(8_192)
def stem(word: str) -> str:
    """The word without its commonest English endings. It only has to be the same for both questions."""
    return word if len(word) < 5 or not word.isascii() else _ENDING.sub("", word).removesuffix("e")


@lru_cache(4_096)  # the same few numbers, for each word of each query
def rarity(documents: int, matching: int) -> float:
    """What a word weighs that so many of the documents say; one nobody says is as rare as one said once."""
    matching = min(max(matching, 1), documents)
    return log(1 + (documents - matching + 0.5) / (matching + 0.5))
