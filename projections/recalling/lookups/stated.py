"""What a new statement may take the place of: the live typed memories of its scope that share a key with it
(`keys.py`). Nothing is kept for that. The full text is asked for what says the same words (`sought.py`), and
who does is read when it is needed: a store grows back without a sentence being taken apart (decision 62)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import MemoryId, Scope
from aftermind.engine.sqlite import Connection, as_json
from aftermind.projections.reading.statements.current import TYPED, Said
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import Sought, sought
from aftermind.projections.reading.statements.statement import LONGEST
from aftermind.projections.views.seen import not_over, reworded
from aftermind.projections.views.words import has_glyphs, table

MOST = 200
"""Live memories, the newest first, that one is compared with."""
READ = 500
"""Memories with the same words of which keys are made, the shortest first: what is about little else says little else.
Of prose hardly a sentence has so many beside it in ten thousand."""
_EVER = datetime.min.replace(tzinfo=UTC)
_WANTED = f"""s.scope = :scope AND {not_over("s")} AND s.book IS NULL AND s.said <= {LONGEST}
  AND s.kind IN ({", ".join(map(repr, TYPED))}) {{runs}}
  ORDER BY s.said, s.position DESC LIMIT {READ}"""
_RUNS = """AND NOT EXISTS (SELECT 1 FROM json_each(:runs)
    WHERE ifnull(instr((SELECT user FROM {glyphs} g WHERE g.rowid = s.position), value), 0) = 0)"""
_TO_COME = "ifnull(s.since > :now, 0)"
"""What is so from a time to come on takes nothing's place, and nothing takes its: it is contradicted, from then on."""
_COLUMNS = f"s.position, s.memory, s.text, s.at, s.speaker, s.locked, {_TO_COME}, {reworded('s.memory')}"
_WITH_WORDS = f"""SELECT {_COLUMNS} FROM {{words}} CROSS JOIN shelf s ON s.position = {{words}}.rowid
  WHERE {{words}} MATCH :asked AND {_WANTED}"""
_WITH_RUNS = f"SELECT {_COLUMNS} FROM shelf s WHERE {_WANTED}"


def beside(connection: Connection, scope: Scope, said: Sequence[tuple[str, str]], now: datetime) -> list[Said]:
    """The live ones of a scope that each of those texts, by its speaker, may give another value. What bears a date to
    come (a clock that goes wrong) is newer than nothing: it would keep off whatever is said until then."""
    if connection.execute("SELECT 1 FROM word_count WHERE scope = ?", (scope,)).fetchone() is None:
        return []
    found: dict[MemoryId, Said] = {}
    for text, speaker in said:
        if keys := asks_for(text, speaker):
            alike = {
                one.position: (one, own)
                for each in sought(text, speaker)
                for one, own in _alike(connection, scope, each, now)
            }
            newest = (alike[position] for position in sorted(alike, reverse=True))
            fitting = (one for one, own in newest if not keys.isdisjoint(found_by(one.text, own)))
            found.update((one.memory, one) for one in islice(fitting, MOST))
    return list(found.values())


def _alike(connection: Connection, scope: Scope, those: Sought, now: datetime) -> Iterator[tuple[Said, str]]:
    """Those who say the same words, each with whose words they are: who corrected a memory is not told, and the words
    of others are never of oneself."""
    if those.runs and not has_glyphs(connection, scope):
        return
    asked = {"scope": scope, "now": microseconds(now), "runs": as_json(sorted(those.runs))}
    if those.words:
        asked["asked"] = f"{{user}} : ({those.asked})"
    sql = (_WITH_WORDS if those.words else _WITH_RUNS).format(
        words=table("words", scope), runs=_RUNS.format(glyphs=table("glyphs", scope)) if those.runs else ""
    )
    for position, memory, text, at, speaker, locked, to_come, corrected in connection.execute(sql, asked):
        yield (
            Said(
                memory=memory,
                text=text,
                at=when if (when := moment(at)) <= now and not to_come else _EVER,
                position=position,
                speaker=speaker,
                locked=bool(locked or to_come),
            ),
            "" if corrected else speaker,
        )
