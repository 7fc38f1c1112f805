"""A query's words against the tables of its scopes: which memories say them, and how much of the query that is.

For each word the index is asked alone, rare words first, until the allowance of rows is spent; of a few commoner words
only those matches are asked for that say a rarer one too, and the commonest are not asked for at all. So a common word
costs little where rarer ones speak, and every match knows which words made it. How many memories say a word is counted
up to `COUNTED` and estimated beyond.

What a word weighs is how rare it is in these scopes, ln(1 + (N - n + ½) / (n + ½)), as Lucene's BM25 has it, which
stays positive in a store of three memories. How strongly a memory says it is the term frequency part of BM25 (Robertson
and Zaragoza, 2009, with fields as in its BM25F), with three changes: a word said twice counts once, a length is
measured against what is usual in conversations and not against the other memories of the store, and very short texts
are not better for being short. `docs/decisions/0032-how-strongly-a-memory-says-a-word.md` has the measurements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import log
from unicodedata import normalize

from msgspec import Struct, structs

from aftermind.engine.names import Scope
from aftermind.engine.policy import Ranking
from aftermind.engine.sqlite import Connection
from aftermind.projections.words import SPACELESS, table

K1, B = 1.2, 0.6
K1_PLUS_1 = K1 + 1
"""The most a word can contribute, per unit of its weight."""
SHORT, USUAL, LONG = 240, 600, 3_000
"""Characters of a text: a shorter one is no better for that, a longer one no worse; between them, this is usual."""
OWN, ANSWERED = 1, 2
"""Where a memory says a word: in what the user said, in what was answered."""
MOST_WORDS = 48
LEAST_BEGINNING = 6
TELLING_WORDS = 5
"""What a query is about is taken to be said by its rarest words, this many: a long prompt is not about everything in
it, and a memory that says two of its rare words must not drown in the rest."""
COUNTED = 500
"""Memories that say a word are counted up to here; beyond, as many more are taken to say it as it was found so often
among the older ones. A common word weighs little, and little less or more changes nothing."""
ALSO = 4
"""Commoner words that are asked for among what rarer words found; past those, none would change the order."""
READ_AHEAD = 6_000
"""Characters read at each end of a very long query: what is asked stands at an end."""

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between both
    but by can cannot could did do does doing down during each few for from further get got had has have having
    he her here hers him his how i if in into is it its just let me more most my no nor not of off on once only
    or other our ours out over own same she should so some such than that the their theirs them then there these
    they this those through to too under until up us very was we were what when where which while who whom why
    will with would you your yours s t d ll m re ve don doesn didn isn aren wasn weren won wouldn shouldn couldn
    give tell show need want know ok okay yes yeah yep nope sure thanks
    thank please hello hi hey bye welcome sorry
    """.split()  # noqa: SIM905
)
"""What says nothing about what is asked: function words, greetings, acknowledgements."""
_MARKS = "\u0300-\u036f\u0900-\u0dff"
"""Accents, and the scripts of India, whose vowel signs Python does not count as part of a word."""
_WORD_OR_RUN = re.compile(rf"(?P<run>[{SPACELESS}]+)|(?P<word>(?:[^\W_{SPACELESS}]|[{_MARKS}])+)")


class Term(Struct, frozen=True):
    """One thing to look for: a word, or a window of spaceless script."""

    text: str
    table: str
    """`words` or `glyphs`."""
    beginning: bool = False
    """Words that begin so will do: asked where nobody says the word itself (`postgres`, and `PostgreSQL` is there)."""


class Match(Struct):
    """One memory that says some of the query, or means the like. `parts` maps a word to its share of the whole query,
    and `share` is their sum, about 0 to 1; `marks` to where it is said; `near` is the cosine. As long as nobody looked,
    it is taken to be of usual length."""

    position: int
    parts: dict[str, float] = {}
    share: float = 0.0
    near: float = 0.0
    marks: dict[str, int] = {}

    def measured(self, said: int, answered: int, answer_weight: float) -> None:
        """Its text and its answer have so many characters."""
        usual = strengths(USUAL, USUAL, answer_weight)
        own = strengths(said, answered, answer_weight)
        for word, mark in self.marks.items():
            self.parts[word] *= own[mark] / usual[mark]
        self.share = sum(self.parts.values())


def most_underrated(answer_weight: float) -> float:
    """The most by which a memory's share may grow once it is measured: none is shorter than short."""
    usual = strengths(USUAL, USUAL, answer_weight)
    return max(short / usual[mark] for mark, short in enumerate(strengths(0, 0, answer_weight)) if mark)


def strengths(said: int, answered: int, answer_weight: float) -> tuple[float, float, float, float]:
    """How strongly a memory of so many characters says a word that it says nowhere, itself, in its answer, in both."""
    own, other = _brevity(said), answer_weight * _brevity(answered)
    return 0.0, _saturated(own), _saturated(other), _saturated(own + other)


def _brevity(length: int) -> float:
    return 1 / (1 - B + B * min(max(length, SHORT), LONG) / USUAL)


def _saturated(frequency: float) -> float:
    return K1_PLUS_1 * frequency / (K1 + frequency)


def terms(query: str) -> tuple[Term, ...]:
    """What a query asks for: what it says, of a very long one what its two ends say."""
    if len(query) > 2 * READ_AHEAD:
        query = f"{query[:READ_AHEAD]} {query[-READ_AHEAD:]}"
    said = words_of(query)
    return said if len(said) <= MOST_WORDS else said[: MOST_WORDS // 2] + said[-MOST_WORDS // 2 :]


def words_of(text: str) -> tuple[Term, ...]:
    """The distinct telling words of a text in their order: without those that say nothing (a text of only such says
    nothing), without single letters and digits; of what is written without spaces the windows of three."""
    if not text.isascii():
        text = normalize("NFC", text)  # a letter and its accent are one
    found: dict[Term, None] = {}
    for match in _WORD_OR_RUN.finditer(text):
        if run := match["run"]:
            found.update({Term(run[i : i + 3], "glyphs"): None for i in range(max(1, len(run) - 2))})
        elif len(word := match["word"].lower()) > 1 and word not in STOP_WORDS:
            found[Term(word, "words")] = None
    return tuple(found)


def matches(
    connection: Connection, query: Sequence[Term], scopes: Sequence[Scope], ranking: Ranking
) -> dict[int, Match]:
    """Every memory in the scopes that says one of the words read, by its position."""
    documents = {scope: _documents(connection, scope) for scope in dict.fromkeys(scopes)}
    counted = [scope for scope in documents if documents[scope]]
    spans = {scope: _span(connection, scope) for scope in counted}
    rows: dict[tuple[Term, Scope], int] = {}
    query = [_said(connection, term, spans, rows) for term in query]
    rarity = {term: _rarity(sum(documents.values()), sum(rows[term, scope] for scope in counted)) for term in query}
    whole = sum(sorted(rarity.values())[-TELLING_WORDS:]) * K1_PLUS_1
    usual = strengths(USUAL, USUAL, ranking.answer_weight)
    found: dict[int, Match] = {}
    for scope in counted:
        read: list[Term] = []
        allowance = max(ranking.matched_rows, int(documents[scope] * ranking.matched_share))
        asked = 0
        for term in sorted(query, key=lambda term: (rows[term, scope], term.text)):
            matching = rows[term, scope]
            if not matching:
                continue
            if matching <= allowance or not read:
                marks = _marks(connection, term, scope)
                allowance -= matching
                read.append(term)
            elif asked < ALSO:  # too common to be read whole: who of those found already says it too?
                marks = _also(connection, term, scope, read)
                asked += 1
            else:
                break
            weight = rarity[term] / whole
            for position, mark in marks.items():
                match = found.get(position)
                if match is None:
                    match = found[position] = Match(position)
                match.parts[term.text] = part = weight * usual[mark]
                match.marks[term.text] = mark
                match.share += part
    return found


def _documents(connection: Connection, scope: Scope) -> int:
    row = connection.execute("SELECT documents FROM word_count WHERE scope = ?", (scope,)).fetchone()
    return int(row[0]) if row else 0


def _span(connection: Connection, scope: Scope) -> tuple[int, int]:
    """The first and the last position in the scope's index."""
    name = table("words", scope)
    end = f"SELECT rowid FROM {name} ORDER BY rowid"
    first, last = connection.execute(f"SELECT ({end} LIMIT 1), ({end} DESC LIMIT 1)").fetchone()
    return first or 0, last or 0


def _said(
    connection: Connection,
    term: Term,
    spans: Mapping[Scope, tuple[int, int]],
    rows: dict[tuple[Term, Scope], int],
) -> Term:
    """The word, or words that begin with it where nobody says it; fills in how many memories say that."""
    counts = {(term, scope): _rows(connection, term, scope, span) for scope, span in spans.items()}
    if not any(counts.values()) and term.table == "words" and len(term.text) >= LEAST_BEGINNING:
        term = structs.replace(term, beginning=True)
        counts = {(term, scope): _rows(connection, term, scope, span) for scope, span in spans.items()}
    rows.update(counts)
    return term


def _rarity(documents: int, matching: int) -> float:
    matching = min(max(matching, 1), documents)  # a word never seen is as rare as one seen once; estimates go too far
    return log(1 + (documents - matching + 0.5) / (matching + 0.5))


def _rows(connection: Connection, term: Term, scope: Scope, span: tuple[int, int]) -> int:
    """How many memories say it: the index tells them by position, the oldest first."""
    name = table(term.table, scope)
    if _is_scanned(term):
        return len(_marks(connection, term, scope))
    sql = f"SELECT count(*), max(rowid) FROM (SELECT rowid FROM {name} WHERE {name} MATCH ? LIMIT {COUNTED})"
    counted, reached = connection.execute(sql, (_quoted(term),)).fetchone()
    if counted < COUNTED:
        return int(counted)
    first, last = span
    return int(counted * max(1.0, (last - first + 1) / (reached - first + 1)))


def _is_scanned(term: Term) -> bool:
    """A window index holds no runs shorter than its windows."""
    return term.table == "glyphs" and len(term.text) < 3


def _marks(connection: Connection, term: Term, scope: Scope) -> dict[int, int]:
    """Where each memory says the word, by position."""
    name = table(term.table, scope)
    if _is_scanned(term):
        sql = f"""SELECT rowid, (instr(user, ?) > 0) + {ANSWERED} * (instr(assistant, ?) > 0) AS mark FROM {name}
          WHERE mark"""
        return dict(connection.execute(sql, (term.text, term.text)).fetchall())
    own = "{user said}" if term.table == "words" else "{user}"
    sql, quoted = f"SELECT rowid FROM {name} WHERE {name} MATCH ?", _quoted(term)
    found = dict.fromkeys((row[0] for row in connection.execute(sql, (f"{own} : {quoted}",))), OWN)
    for (position,) in connection.execute(sql, (f"{{assistant}} : {quoted}",)):
        found[position] = found.get(position, 0) | ANSWERED
    return found


def _also(connection: Connection, term: Term, scope: Scope, read: Sequence[Term]) -> dict[int, int]:
    """The memories that say the word and one of those read, as if each said it itself."""
    if term.table != "words":
        return {}
    name = table(term.table, scope)
    others = " OR ".join(_quoted(other) for other in read if other.table == term.table)
    if not others:
        return {}
    sql = f"SELECT rowid FROM {name} WHERE {name} MATCH ?"
    return dict.fromkeys((row[0] for row in connection.execute(sql, (f"{_quoted(term)} AND ({others})",))), OWN)


def _quoted(term: Term) -> str:
    """The term as FTS5 reads it: always quoted, so that no query has an operator in it."""
    return f'"{term.text}"{" *" if term.beginning else ""}'
