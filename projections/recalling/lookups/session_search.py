"""Which sessions say something of a query: in their checkpoints, or in what was asked and answered.

Any word may match, rare ones tell more, and a goal or a decision tells more than the course of work. Scope and client
are part of the statements, so that a limit counts what is wanted. What a query looks like does not matter: it is cut
into words, and each is asked for by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aftermind.engine.names import Scope, SessionId
from aftermind.engine.quoting import quoted
from aftermind.engine.sqlite import Connection, as_json_or_none
from aftermind.projections.reading.terms import Term, rarity, terms
from aftermind.projections.views.seen import SESSIONS, in_scopes_or_all, known
from aftermind.projections.views.words import has_glyphs, table

IN_A_CHECKPOINT, IN_AN_EXCHANGE = 1.0, 0.6
"""What a word counts in a checkpoint, and in an exchange."""
_OF_THEM = f"session IN (SELECT id FROM session WHERE (:client = '' OR client = :client) AND {SESSIONS})"
_SAID = f"""SELECT DISTINCT session FROM {{table}} JOIN shelf ON position = {{table}}.rowid
  WHERE {{table}} MATCH :word AND session IS NOT NULL AND {known()} AND {_OF_THEM}"""
_STATED = f"""SELECT DISTINCT session FROM stand_words JOIN stand ON position = stand_words.rowid
  WHERE stand_words MATCH :word AND {in_scopes_or_all("stand.scope")} AND {_OF_THEM}"""
_WRITTEN = f"""SELECT DISTINCT session FROM stand JOIN stand_words ON position = stand_words.rowid
  WHERE instr(said, :word) AND {in_scopes_or_all("stand.scope")} AND {_OF_THEM}"""


def matching(
    connection: Connection, query: str, scopes: Sequence[Scope] | None, client: str
) -> Mapping[SessionId, float]:
    """The sessions of those scopes (None: of all), and of that client where one is named, that say some of the query;
    and the share of it that they say."""
    asked = terms(query)
    seen: dict[str, str | None] = {"client": client, "scopes": as_json_or_none(scopes)}
    every = scopes if scopes is not None else _scopes(connection)
    (documents,) = connection.execute("SELECT max(count(*), 1) FROM session").fetchone()
    whole, found = 0.0, dict[SessionId, float]()
    for term in asked:
        stated = _stated(connection, term, seen)
        said = set().union(*(_said(connection, term, scope, seen) for scope in every)) - stated
        weight = rarity(documents, len(stated) + len(said))
        whole += weight
        for sessions, worth in ((stated, IN_A_CHECKPOINT), (said, IN_AN_EXCHANGE)):
            for session in sessions:
                found[session] = found.get(session, 0.0) + worth * weight
    return {session: score / whole for session, score in found.items()}


def _scopes(connection: Connection) -> list[Scope]:
    return [Scope(row[0]) for row in connection.execute("SELECT scope FROM word_count")]


def _stated(connection: Connection, term: Term, seen: Mapping[str, str | None]) -> set[SessionId]:
    if term.table == "words":
        return {SessionId(row[0]) for row in connection.execute(_STATED, {**seen, "word": quoted(term.text)})}
    return {SessionId(row[0]) for row in connection.execute(_WRITTEN, {**seen, "word": term.text})}


def _said(connection: Connection, term: Term, scope: Scope, seen: Mapping[str, str | None]) -> set[SessionId]:
    if term.table != "words" and len(term.text) < 3:
        return set()  # windows of three are what is indexed
    if connection.execute("SELECT 1 FROM word_count WHERE scope = ?", (scope,)).fetchone() is None:
        return set()
    if term.table == "glyphs" and not has_glyphs(connection, scope):
        return set()
    sql = _SAID.format(table=table(term.table, scope))
    return {SessionId(row[0]) for row in connection.execute(sql, {**seen, "word": quoted(term.text)})}
