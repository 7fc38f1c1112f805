"""What is captured and shown, and what is not: decided here for every door, before a request is answered.

What was said during a pause is not recorded, whenever it arrives: what waited in a spool counts by the time of its
key, what is imported by the time it was said. Nothing is captured from a folder that is off limits, nothing shown in
it, and of a tool that touched something off limits only its name is kept. What a person asks for (to search, to
remember, to ingest) is done all the same; an ingested file must not be off limits itself.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

from msgspec import structs

from aftermind.cli.answering.asker import places_of_assistant
from aftermind.cli.answering.filing import scope_of, scopes_of, session_id
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Limited, Paused
from aftermind.cli.language.requests import (
    Become,
    Beyond,
    Books,
    Brief,
    CatchUp,
    Checkpoint,
    Converse,
    Correct,
    Count,
    Deliver,
    Embed,
    EndSession,
    EndTurn,
    Events,
    Explain,
    Forget,
    Ingest,
    Latest,
    Limits,
    NoteTool,
    Pause,
    Prompts,
    Recall,
    Record,
    Remember,
    RemoveBook,
    Report,
    Request,
    Resume,
    Score,
    Search,
    Shelve,
    Show,
    Stop,
    Sweep,
    Unread,
    Verify,
)
from aftermind.cli.places import folder_of
from aftermind.engine.errors import OffLimits, Unusable
from aftermind.engine.events import CapturePaused, CaptureResumed, ToolUse
from aftermind.engine.log import Append
from aftermind.engine.names import GLOBAL, EventId, Scope, pause_stream
from aftermind.engine.pausing import Pause as Pausing
from aftermind.engine.pausing import in_force
from aftermind.engine.sqlite import Connection
from aftermind.projections import pauses

HIDDEN = "[off limits]"
"""Stands for a path that is off limits."""


async def guarded(store: Opened, asked: Request) -> Request:
    """The request, as it may be answered. Raises `OffLimits` where it may not be."""
    match asked:
        case Record():
            folder = _must_not_be_listed(store, asked.project)
            await _must_not_be_paused(store, asked.project, _moments(store, asked))
            if asked.at is None and store.withheld.answered_by(session_id(asked.session), asked.prompt):
                raise OffLimits("the prompt it answers was not captured")
            return structs.replace(asked, tools=_without_off_limits(store, asked.tools, folder))
        case Brief():
            await must_be_open(store, asked.project, asked)
            if asked.prompt is not None:
                store.withheld.capture(session_id(asked.session))
        case NoteTool() | EndTurn() | Checkpoint():
            folder = _must_not_be_listed(store, asked.project)
            await _must_not_be_paused(store, asked.project, (store.stamp.asked or store.stamp.now(),))
            prompt = asked.prompt if isinstance(asked, EndTurn) else ""
            of_agent, _, _ = asked.session.rpartition(".")  # a subagent's session is named after the assistant's
            for session in (asked.session, of_agent or asked.session):
                if store.withheld.answered_by(session_id(session), prompt):
                    raise OffLimits("the prompt it answers was not captured")
            if isinstance(asked, NoteTool):
                (tool,) = _without_off_limits(store, (asked.tool,), folder)
                return structs.replace(asked, tool=tool)
        case Search() | Remember() | Recall() | Latest() | Show() | Explain() | Correct() | Forget() | Score():
            for place in places_of_assistant(asked):
                await must_be_open(store, place)
        case Shelve():
            _must_not_be_listed(store, asked.path, is_folder=False)
        case Ingest():
            for edition in asked.editions:
                _must_not_be_listed(store, edition.path, is_folder=False)
        case Become() | RemoveBook() | Pause() | Resume():
            pass  # only a person says so
        case Count() | Prompts() | Books() | Unread() | Events() | Limits():
            pass  # only a person looks
        case EndSession() | Deliver() | Converse() | Sweep() | CatchUp() | Beyond() | Verify():
            pass  # holds nobody's text, or leads to what does and is judged then
        case Embed() | Report() | Stop():
            pass  # is of the process itself
        case _:
            assert_never(asked)
    return asked


async def must_be_open(store: Opened, place: str | None, asked: object = None) -> None:
    """`OffLimits` where nothing is captured or shown in a project or folder. Where a prompt is `asked` there, what
    answers it is not captured either."""
    try:
        _must_not_be_listed(store, place)
        await _must_not_be_paused(store, place, (store.stamp.asked or store.stamp.now(),))
    except OffLimits:
        if isinstance(asked, Brief) and asked.prompt is not None:
            store.withheld.withhold(session_id(asked.session), asked.prompt)
        raise


def _moments(store: Opened, asked: Record) -> tuple[datetime, ...]:
    """When an exchange was said. An import's time is its own; who hands over what happened now cannot date it back."""
    if asked.at is None or asked.at.tzinfo is None:
        return (store.stamp.asked or store.stamp.now(),)
    said = _utc(asked.at)
    return (said,) if asked.collection != "working" else (said, store.stamp.asked or store.stamp.now())


def _utc(at: datetime) -> datetime:
    try:
        return at.astimezone(UTC)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _must_not_be_listed(store: Opened, project: str | None, *, is_folder: bool = True) -> Path | None:
    """The folder of a project, or a file; `OffLimits` for one that a list names. A name is in no list."""
    folder = _place(project)
    if folder is not None and (why := store.off_limits.why(folder, is_folder=is_folder)):
        raise OffLimits(f"{folder} is off limits: {why}", hint="`aftermind doctor` names the lists that hold")
    return folder


def _place(project: str | None) -> Path | None:
    if not project:
        return None
    try:
        folder = folder_of(project)
        return folder.expanduser() if folder is not None else None
    except (OSError, RuntimeError, ValueError):  # who files it says what is wrong with it
        return None


async def _must_not_be_paused(store: Opened, project: str | None, moments: Collection[datetime]) -> None:
    known = await store.read(pauses.known)
    if not any(pause.holds(at) for pause in known for at in moments):
        return  # as nearly always: no need to know the project
    if (pause := in_force(known, moments, await scopes_of(store, project))) is not None:
        where = "everywhere" if pause.scope == GLOBAL else "in this project"
        word = "--everywhere" if pause.scope == GLOBAL else f"--project {pause.scope}"
        until = f", until {_told(pause.until)}" if pause.until is not None else ""
        raise OffLimits(
            f"capture is paused {where} since {_told(pause.since)}{until}", hint=f"`aftermind resume {word}` ends that"
        )


def _told(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _without_off_limits(store: Opened, tools: Sequence[ToolUse], folder: Path | None) -> tuple[ToolUse, ...]:
    """The tools an exchange used; of those that touched something off limits only the name and how they ended."""
    return tuple(_hidden(tool) if _touches(store, tool, folder) else tool for tool in tools)


def _touches(store: Opened, tool: ToolUse, folder: Path | None) -> bool:
    """Whether a path of it is off limits, as a file or as a folder. A relative one is below the project's folder."""
    for path in tool.paths:
        named = _place(path) if path.startswith(("file:", "~")) else Path(path)
        if named is None or not (named.is_absolute() or folder is not None):
            continue
        place = Path(os.path.join(folder or "", named))  # noqa: PTH118 - an absolute one stands for itself
        if store.off_limits.why(place, is_folder=False) or store.off_limits.why(place, is_folder=True):
            return True
    return False


def _hidden(tool: ToolUse) -> ToolUse:
    return structs.replace(tool, paths=(HIDDEN,), error=HIDDEN if tool.error else "")


async def pause(store: Opened, asked: Pause) -> Paused:
    """The pause that holds when this returns. What is under way is finished."""
    id, done = await store.first_id()
    now = store.stamp.now()
    if asked.until is not None and (asked.until.tzinfo is None or asked.until <= now):
        raise Unusable("a pause must end later than now", asked.until.isoformat())
    scope = await scope_of(store, asked.project)
    async with store.turn:
        before = _own(await store.read(pauses.known), scope, now)
        if not done and (before is None or before.until != asked.until):
            event = CapturePaused(scope=scope, until=None if asked.until is None else _utc(asked.until))
            await _append(store, scope, event, id)
    after = _own(await store.read(pauses.known), scope, store.stamp.now())
    if after is None:  # it was resumed, or over, before anybody looked
        raise OffLimits("the pause is over already")
    return await store.read(lambda c: _paused(c, after))


async def resume(store: Opened, asked: Resume) -> bool:
    """Whether there was a pause of this very scope, which is over when this returns."""
    id, done = await store.first_id()
    scope = GLOBAL if asked.project is None else (await scopes_of(store, asked.project))[-1]
    if asked.project is not None and scope == GLOBAL:
        return False  # nobody knows the project
    async with store.turn:
        known = await store.read(pauses.known)
        if done or _own(known, scope, store.stamp.now()) is None:
            return done
        await _append(store, scope, CaptureResumed(scope=scope), id)
    return True


async def _append(store: Opened, scope: Scope, event: CapturePaused | CaptureResumed, id: EventId) -> None:
    await store.log.append(Append(stream=pause_stream(scope), drafts=(store.stamp.draft(event, id=id),)))


async def limits(store: Opened, asked: Limits) -> Limited:
    """What is paused now, and whether anything is captured in a place."""
    now = store.stamp.now()
    holding = [pause for pause in await store.read(pauses.known) if pause.holds(now)]
    paused = tuple([await store.read(lambda c, one=one: _paused(c, one)) for one in holding])  # type: ignore[misc]
    try:
        for place in dict.fromkeys((asked.project, asked.directory or asked.project)):
            await must_be_open(store, place)
    except OffLimits as error:
        return Limited(paused=paused, why=error.why, hint=error.hint)
    return Limited(paused=paused, why="", hint="")


def _own(known: Sequence[Pausing], scope: Scope, now: datetime) -> Pausing | None:
    """The pause of just this scope."""
    return next((pause for pause in known if pause.scope == scope and pause.holds(now)), None)


def _paused(connection: Connection, pause: Pausing) -> Paused:
    row = connection.execute("SELECT name FROM project WHERE id = ?", (pause.scope,)).fetchone()
    return Paused(scope=pause.scope, project=row[0] if row else "", since=pause.since, until=pause.until)
