"""The pages of a store: each memory of each project by collection, each book, each session.

    <project>/<collection>/<words>-<id>.md      <project>/books/…      <project>/sessions/<day>-<words>-<id>.md

Read from the views and the log beside whoever writes them, a few at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath

from aftermind.cli.carrying.pages.naming import name_of, slug
from aftermind.cli.carrying.pages.tree import Tree
from aftermind.cli.carrying.pages.writing import FORGOTTEN, Turn, book_page, memory_page, session_page, turns_of
from aftermind.cli.past.choosing import Choice
from aftermind.engine.log import Recorded
from aftermind.engine.logs.sqlite_log import SqliteLogReader
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.moments import moment
from aftermind.engine.names import GLOBAL, BookId, Scope, SessionId, session_stream
from aftermind.engine.sqlite import Connection, Database
from aftermind.engine.stamp import Stamp
from aftermind.projections.recalling.candidate import Candidate
from aftermind.projections.recalling.lookups.neighbours import RELATIONS, walk
from aftermind.projections.recalling.recall import by_id
from aftermind.projections.views.particulars import of as particulars_of
from aftermind.projections.views.projects import names

AT_ONCE, MOST_LINKS = 200, 50
ON_A_PAGE = frozenset(RELATIONS) - {"same-entity"}
"""What names the same file is found by looking for it."""


class Making:
    def __init__(self, seen: Database, log: SqliteLogReader, choice: Choice, tree: Tree) -> None:
        self._seen, self._log, self._choice, self._tree = seen, log, choice, tree
        self._names: Mapping[Scope, str] = {}

    async def all(self, advance: Callable[[float], None]) -> None:
        self._names = await self._seen.run(names)
        await self._memories(advance)
        if not self._choice.kinds or "chunk" in self._choice.kinds:
            await self._books()
        if not self._choice.kinds or "exchange" in self._choice.kinds:
            await self._sessions()

    async def _memories(self, advance: Callable[[float], None]) -> None:
        place = 0
        now = Stamp().now()
        while rows := await self._seen.run(partial(_memories, after=place, now=now)):
            place = rows[-1][0]
            for position, noted, memory, earlier, told, linked in rows:
                if memory is not None and self._wants(memory.scope, position, moment(noted), memory):
                    folder = self._folder(memory.scope) / memory.collection
                    name = name_of(memory.text, memory.memory)
                    page = memory_page(memory, self._project(memory.scope), earlier, told, linked)
                    self._tree.put(folder / f"{name}.md", page)
            advance(len(rows))

    async def _books(self) -> None:
        for book in await self._seen.run(_books):
            chunks = await self._seen.run(partial(_chunks, book=book))
            if chunks and self._wants(chunks[0].scope, chunks[0].position, chunks[0].at, chunks[0]):
                name = name_of(chunks[0].speaker, book)
                page = book_page(chunks, self._project(chunks[0].scope))
                self._tree.put(self._folder(chunks[0].scope) / "books" / f"{name}.md", page)

    async def _sessions(self) -> None:
        after = ""
        while found := await self._seen.run(partial(_sessions, after=after)):
            after = found[-1][0]
            for session, scope in found:
                if self._choice.sessions and session not in self._choice.sessions:
                    continue
                if self._choice.scopes and scope not in self._choice.scopes:
                    continue
                await self._session(SessionId(session), Scope(scope or GLOBAL))

    async def _session(self, session: SessionId, scope: Scope) -> None:
        history = await self._log.stream(session_stream(session))
        memories = [memory for one in history if (memory := getattr(one.draft.event, "memory", None)) is not None]
        known = await self._seen.run(lambda c: {id: by_id(c, id) is not None for id in dict.fromkeys(memories)})
        turns = turns_of([one for one in history if self._within(one)], known)
        if not turns:
            return
        name = f"{turns[0].at:%Y-%m-%d}-{name_of(_about(turns), session)}"
        page = session_page(session, history, turns, self._project(scope))
        self._tree.put(self._folder(scope) / "sessions" / f"{name}.md", page)

    def _wants(self, scope: Scope, position: int, noted: datetime, memory: Candidate) -> bool:
        choice = self._choice
        return (
            (not choice.scopes or scope in choice.scopes)
            and (not choice.kinds or memory.kind in choice.kinds)
            and (not choice.sessions or memory.session in choice.sessions)
            and choice.spans(position, noted)
        )

    def _within(self, recorded: Recorded) -> bool:
        return self._choice.spans(recorded.position, recorded.draft.noted)

    def _project(self, scope: Scope) -> str:
        return "" if scope == GLOBAL else self._names.get(scope, scope)

    def _folder(self, scope: Scope) -> PurePosixPath:
        """The words of its name, and enough of its id that no two projects meet in one."""
        if scope == GLOBAL:
            return PurePosixPath("global")
        return PurePosixPath("-".join(part for part in (slug(self._project(scope)), slug(scope)[:9]) if part))


def _about(turns: Sequence[Turn]) -> str:
    return next((turn.prompt for turn in turns if turn.prompt != FORGOTTEN), "")


_Earlier = list[tuple[datetime, str, str]]


_Row = tuple[int, int, Candidate | None, _Earlier, Particulars, list[tuple[str, str]]]


def _memories(connection: Connection, after: int, now: datetime) -> list[_Row]:
    sql = """SELECT position, noted, memory FROM shelf WHERE position > ? AND kind <> 'chunk'
      AND status <> 'corrected' ORDER BY position LIMIT ?"""
    rows = connection.execute(sql, (after, AT_ONCE)).fetchall()
    found: list[_Row] = []
    for position, noted, id in rows:
        memory = by_id(connection, id)
        linked = _linked(connection, memory, now) if memory is not None else []
        found.append((position, noted, memory, _earlier(connection, id), particulars_of(connection, id), linked))
    return found


def _linked(connection: Connection, memory: Candidate, now: datetime) -> list[tuple[str, str]]:
    """What it has to do with others of its own project, and the names of their pages."""
    scopes = tuple(dict.fromkeys((GLOBAL, memory.scope)))
    steps = walk(connection, [memory.memory], scopes, now, breadth=MOST_LINKS, relations=ON_A_PAGE).steps
    others = [(step.edge.words(memory.memory), by_id(connection, step.memory)) for step in steps]
    return [(words, name_of(one.text, one.memory)) for words, one in others if one is not None and one.book is None]


def _earlier(connection: Connection, memory: str) -> _Earlier:
    sql = "SELECT noted, text, answer FROM shelf WHERE memory > ? AND memory < ? ORDER BY position"
    rows = connection.execute(sql, (f"{memory}@", f"{memory}A")).fetchall()
    return [(moment(noted), text, answer) for noted, text, answer in rows]


def _books(connection: Connection) -> list[BookId]:
    return [row[0] for row in connection.execute("SELECT DISTINCT book FROM shelf WHERE book IS NOT NULL ORDER BY 1")]


def _chunks(connection: Connection, book: BookId) -> list[Candidate]:
    sql = "SELECT memory FROM shelf WHERE book = ? AND status = 'live' ORDER BY page, position"
    found = (by_id(connection, row[0]) for row in connection.execute(sql, (book,)).fetchall())
    return [chunk for chunk in found if chunk is not None]


def _sessions(connection: Connection, after: str) -> list[tuple[str, str]]:
    sql = "SELECT id, scope FROM session WHERE id > ? ORDER BY id LIMIT ?"
    return connection.execute(sql, (after, AT_ONCE)).fetchall()
