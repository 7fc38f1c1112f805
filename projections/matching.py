"""A query's words against the tables of its scopes: which memories say them, and how much of the query that is.

For each word the index is asked alone, rare words first, until the allowance of rows is spent; of a few commoner words
only those matches are asked for that say a rarer one too, and the commonest are not asked for at all. So a common word
costs little where rarer ones speak, and every match knows which words made it. How many memories say a word is counted
up to `COUNTED` and estimated beyond. The strength of one match is the term frequency part of BM25 (SQLite's, k1 = 1.2,
b = 0.75); its weight is how rare the word is in these scopes, ln(1 + (N - n + ½) / (n + ½)), as Lucene's BM25 has it,
which stays positive in a store of three memories.
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

K1_PLUS_1 = 2.2
"""The most a word can contribute in SQLite's bm25, per unit of its weight: k1 + 1."""
LEAST_IDF = 1e-6
"""What SQLite's bm25 uses where its own weight of a word would not be positive."""
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
    and `share` is their sum, about 0 to 1; `near` is the cosine."""

    position: int
    parts: dict[str, float] = {}
    share: float = 0.0
    near: float = 0.0


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
    rarity = {term: _rarity(sum(documents.values()), sum(rows[term, s] for s in counted)) for term in query}
    whole = sum(sorted(rarity.values())[-TELLING_WORDS:]) * K1_PLUS_1
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
                strengths = _strengths(connection, term, scope, documents[scope], matching, ranking)
                allowance -= matching
                read.append(term)
            elif asked < ALSO:  # too common to be read whole: who of those found already says it too?
                strengths = _also(connection, term, scope, read)
                asked += 1
            else:
                break
            for position, strength in strengths:
                match = found.get(position)
                if match is None:
                    match = found[position] = Match(position)
                part = rarity[term] * strength / whole
                match.parts[term.text] = part
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
    where, asked = _where(term, scope)
    sql = f"SELECT count(*), max(rowid) FROM (SELECT rowid FROM {where} LIMIT {COUNTED})"
    counted, reached = connection.execute(sql, (asked,)).fetchone()
    if counted < COUNTED:
        return int(counted)
    first, last = span
    return int(counted * max(1.0, (last - first + 1) / (reached - first + 1)))


def _strengths(
    connection: Connection, term: Term, scope: Scope, documents: int, rows: int, ranking: Ranking
) -> list[tuple[int, float]]:
    """Position and term frequency part, 0 to `K1_PLUS_1`, of each memory that says the word."""
    where, asked = _where(term, scope)
    if rows >= COUNTED:  # an estimate will not do: bm25 is divided by what it multiplied with
        rows = int(connection.execute(f"SELECT count(*) FROM {where}", (asked,)).fetchone()[0])
    if len(term.text) < 3 and term.table == "glyphs":
        return [(row[0], 1.0) for row in connection.execute(f"SELECT rowid FROM {where}", (asked,))]
    name = table(term.table, scope)
    weights = f"1.0, {ranking.answer_weight}" + (", 1.0" if term.table == "words" else "")
    total = documents
    if term.table == "glyphs":  # only some memories have a row there, and bm25 counts those
        total = int(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0])
    idf = log((total - rows + 0.5) / (rows + 0.5)) if rows * 2 < total else 0.0
    idf = max(LEAST_IDF, idf)
    sql = f"SELECT rowid, bm25({name}, {weights}) FROM {where}"
    return [(row[0], -row[1] / idf) for row in connection.execute(sql, (asked,))]


def _also(connection: Connection, term: Term, scope: Scope, read: Sequence[Term]) -> list[tuple[int, float]]:
    """The memories that say the word and one of those read, as if each said it once: bm25 would have to count all
    its matches."""
    if term.table != "words":
        return []
    name = table(term.table, scope)
    others = " OR ".join(_quoted(other) for other in read if other.table == term.table)
    if not others:
        return []
    sql = f"SELECT rowid FROM {name} WHERE {name} MATCH ?"
    return [(row[0], 1.0) for row in connection.execute(sql, (f"{_quoted(term)} AND ({others})",))]


def _quoted(term: Term) -> str:
    """The term as FTS5 reads it: always quoted, so that no query has an operator in it."""
    return f'"{term.text}"{" *" if term.beginning else ""}'


def _where(term: Term, scope: Scope) -> tuple[str, str]:
    """The table, and the condition with its parameter."""
    name = table(term.table, scope)
    if term.table == "glyphs" and len(term.text) < 3:  # a window index holds no shorter ones: scan
        return f"{name} WHERE instr(user || ' ' || assistant, ?) > 0", term.text
    return f"{name} WHERE {name} MATCH ?", _quoted(term)
