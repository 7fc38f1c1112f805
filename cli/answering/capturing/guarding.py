"""What is captured and shown, and what is not: decided here for every door, before a request is answered.

What was said during a pause is not recorded, whenever it arrives: what waited in a spool counts by the time of its
key, what is imported by the time it was said. Nothing is captured from a folder that is off limits, nothing shown in
it, and of a tool that touched something off limits only its name is kept. What a person asks for (to search, to
remember, to ingest) is done all the same; an ingested file must not be off limits itself.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import assert_never

from msgspec import structs

from aftermind.cli.answering.capturing.private_turns import (
    WHOLLY_PRIVATE,
    has_private,
    is_of_private,
    is_of_private_agent,
    untold,
)
from aftermind.cli.answering.filing import scopes_of
from aftermind.cli.answering.fit import at_the_latest
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.asked import Harmless, InSession, NoAssistants, Within
from aftermind.cli.language.ids import session_id
from aftermind.cli.language.items import TakeClaim
from aftermind.cli.language.queueing import Queue
from aftermind.cli.language.requests import (
    Brief,
    Checkpoint,
    EndSession,
    EndTurn,
    Ingest,
    Latest,
    NoteTool,
    Recall,
    Record,
    Remember,
    Request,
    Shelve,
)
from aftermind.cli.language.sessions import WriteCheckpoint
from aftermind.cli.places import folder_of
from aftermind.cli.privacy.file_urls import is_file_url, paths_of
from aftermind.cli.privacy.words import HIDDEN, resuming, where
from aftermind.engine.errors import OffLimits
from aftermind.engine.events import ToolUse
from aftermind.engine.moments import to_the_minute
from aftermind.engine.names import Scope
from aftermind.engine.permitting import pausing
from aftermind.engine.permitting.pausing import as_of, holding, in_force
from aftermind.engine.sqlite import Connection
from aftermind.projections.views import pauses, waiting, wordy

UNANSWERED = "the prompt it answers was not captured"
MOST_DOTS = 20
"""Of a session's name, that are looked at."""


async def guarded(store: Opened, asked: Request) -> Request:
    """The request, as it may be answered. Raises `OffLimits` where it may not be."""
    match asked:
        case Record():
            folder, *_ = [_must_not_be_listed(store, place) for place in (asked.project, *asked.elsewhere)]
            now = store.stamp.now()
            try:
                for place in (asked.project, *asked.elsewhere):
                    await _must_not_be_paused(store, place, _moments(store, asked, now), now)
            except OffLimits:
                _withhold(store, asked)
                raise
            if asked.at is None and store.meanwhile.withheld.answered_by(
                session_id(asked.session), asked.prompt, asked.id
            ):
                raise OffLimits(UNANSWERED)
            return structs.replace(asked, tools=without_off_limits(store, asked.tools, folder))
        case Brief():
            await must_be_open(store, asked.project, asked)
            if asked.prompt is not None:
                store.meanwhile.withheld.capture(session_id(asked.session), asked.prompt, asked.message)
        case NoteTool() | EndTurn() | Checkpoint():
            await must_be_open(store, asked.project, asked)
            prompt, answer = (asked.prompt, asked.answer) if isinstance(asked, EndTurn) else ("", "")
            for of_agent in _of_agent(asked.session):
                if store.meanwhile.withheld.answered_by(session_id(of_agent), prompt, asked.message, answer):
                    raise OffLimits(UNANSWERED)
            asked = await _without_private(store, asked)
            if isinstance(asked, NoteTool):
                (tool,) = without_off_limits(store, (asked.tool,), _place(asked.project))
                return structs.replace(asked, tool=tool)
            if isinstance(asked, EndTurn):
                return structs.replace(asked, tools=without_off_limits(store, asked.tools, _place(asked.project)))
        case WriteCheckpoint():
            if asked.by != "person":
                await must_be_open(store, asked.project, asked)
            folder = _place(asked.project)
            open_files = tuple(file for file in asked.files if not _is_off_limits(store, file, folder))
            return structs.replace(asked, files=open_files)
        case EndSession():
            if asked.project is not None:
                await must_be_open(store, asked.project)
        case InSession():
            await must_be_open(store, asked.project, asked)
        case Recall() | Latest():
            if asked.asked_by == "assistant":
                await must_be_open(store, asked.project)
        case Remember():
            if asked.asked_by == "assistant":  # whose words they are, wherever they are said
                await must_be_open(store, asked.project)
                await _must_be_open_within(store, asked.within)
        case TakeClaim() | Queue():
            if asked.within is not None:
                await must_be_open(store, asked.within)
                _must_name_nothing_listed(store, asked)
        case Within():
            await _must_be_open_within(store, asked.within)
        case Shelve():
            _must_not_be_listed(store, asked.path, is_folder=False)
        case Ingest():
            for edition in asked.editions:
                _must_not_be_listed(store, edition.path, is_folder=False)
        case Harmless() | NoAssistants():
            pass
        case _:
            assert_never(asked)
    return asked


async def _must_be_open_within(store: Opened, within: str | None) -> None:
    """Where an assistant asks from; a person asks from nowhere."""
    if within is not None:
        await must_be_open(store, within)


async def must_be_open(store: Opened, place: str | None, asked: object = None) -> None:
    """`OffLimits` where nothing is captured or shown in a project or folder. Where a prompt is `asked` there, what
    answers it is not captured either, and an answer not when it is told again."""
    try:
        _must_not_be_listed(store, place)
        now = store.stamp.now()
        await _must_not_be_paused(store, place, (store.stamp.asked or now,), now)
    except OffLimits:
        _withhold(store, asked)
        raise


async def may_be_kept(store: Opened, project: str | None, at: datetime | None, known: Sequence[pausing.Pause]) -> None:
    """`OffLimits` for what was remembered `at` a time in a folder that is off limits, or during one of the pauses that
    are `known`."""
    _must_not_be_listed(store, project)
    now = store.stamp.now()
    then = at_the_latest(at) if at is not None else now
    if holding(known, (then,), now):
        await _must_not_be_paused(store, project, (then,), now)


async def closed_scopes(store: Opened) -> frozenset[Scope] | None:
    """The scopes that are paused now; None where everything is."""
    now = store.stamp.now()
    known = as_of(await store.known(pauses.PAUSES, pauses.known), now)
    if in_force(known, (now,), ()) is not None:
        return None
    return frozenset(pause.scope for pause in known if pause.holds(now))


async def is_open(store: Opened, row: waiting.Row | wordy.Waiting, known: dict[Path, bool] | None = None) -> bool:
    """Whether what was said there is not off limits. `known`: what was found of folders before, in the same look."""
    known = {} if known is None else known
    for folder in await store.read(lambda c: folders_of(c, row)):
        if folder not in known:
            known[folder] = not store.off_limits.why(folder, is_folder=True)
        if not known[folder]:
            return False
    return True


def folders_of(connection: Connection, row: waiting.Row | wordy.Waiting) -> list[Path]:
    """Where something was said: its session's folder, or those of its project."""
    sql = "SELECT directory FROM session WHERE id = ? AND scope = ? AND directory <> ''"
    of_session = connection.execute(sql, (row.session, row.scope)).fetchall()
    if of_session:
        return [Path(folder) for (folder,) in of_session]
    aliases = connection.execute("SELECT alias FROM alias WHERE project = ? AND alias LIKE 'path:%'", (row.scope,))
    return [Path(alias.removeprefix("path:")) for (alias,) in aliases]


def _withhold(store: Opened, asked: object) -> None:
    match asked:
        case Brief(prompt=str(prompt)):
            store.meanwhile.withheld.withhold(session_id(asked.session), prompt, asked.message)
        case EndTurn():
            store.meanwhile.withheld.withhold_answer(session_id(asked.session), asked.answer, asked.message)
        case Record(at=None, id=str(id)):
            store.meanwhile.withheld.withhold_answer(session_id(asked.session), "", id)


async def _without_private(store: Opened, asked: NoteTool | EndTurn | Checkpoint) -> NoteTool | EndTurn | Checkpoint:
    """Without what a wholly private prompt led to; `OffLimits` where that is all of it. A summary tells of the whole
    session. Whether an answer is one to such a prompt is decided where the two are joined, but for a subagent's."""
    session, *others = [session_id(one) for one in _of_agent(asked.session)]
    match asked:
        case Checkpoint():
            if asked.moment == "after" and await has_private(store, session):
                raise OffLimits(WHOLLY_PRIVATE)
        case EndTurn():
            if not asked.prompt and await is_of_private_agent(store, (session, *reversed(others))):
                raise OffLimits(WHOLLY_PRIVATE)
        case NoteTool():
            if await is_of_private(store, session, asked.message) or await is_of_private_agent(
                store, (session, *reversed(others))
            ):
                return structs.replace(asked, tool=untold(asked.tool))
    return asked


def _of_agent(session: str) -> Iterator[str]:
    """The session, and those whose subagent's it may be: that is named after the assistant's, a dot, and any name."""
    yield session
    parts = session.split(".")[:MOST_DOTS]
    yield from (before for count in range(1, len(parts)) if (before := ".".join(parts[:count])).strip())


def _moments(store: Opened, asked: Record, now: datetime) -> tuple[datetime, ...]:
    """When an exchange and its answer were said. An import's times are its own; who hands over
    what happened now cannot date it back."""
    if asked.at is None or asked.at.tzinfo is None:
        prompted = () if asked.prompted is None else (at_the_latest(asked.prompted),)
        return (*prompted, store.stamp.asked or now)
    said = (at_the_latest(asked.at), *(at_the_latest(at) for at in asked.answered if at.tzinfo is not None))
    return said if asked.collection != "working" else (*said, store.stamp.asked or now)


def _must_not_be_listed(store: Opened, project: str | None, *, is_folder: bool = True) -> Path | None:
    """The folder of a project, or a file; `OffLimits` for one that a list names. A name is in no list."""
    folder = _place(project)
    if folder is not None and (why := store.off_limits.why(folder, is_folder=is_folder)):
        raise OffLimits(f"{folder} is off limits: {why}", hint="`aftermind doctor` names the lists that hold")
    return folder


def _must_name_nothing_listed(store: Opened, asked: TakeClaim | Queue) -> None:
    """An item that is a file's path and nothing else; of others' words only their writer knows what they name."""
    folder = _place(asked.project)
    for item in (asked.item,) if isinstance(asked, TakeClaim) else asked.items:
        if "\n" not in item and _is_off_limits(store, item.strip(), folder):
            raise OffLimits("what is off limits is not kept as an item's name", hint="call it by another name")


def _place(project: str | None) -> Path | None:
    if not project:
        return None
    try:
        folder = folder_of(project)
        return folder.expanduser() if folder is not None else None
    except (OSError, RuntimeError, ValueError):  # who files it says what is wrong with it
        return None


async def _must_not_be_paused(store: Opened, project: str | None, moments: Collection[datetime], now: datetime) -> None:
    held = holding(await store.known(pauses.PAUSES, pauses.known), moments, now)
    if not held:
        return  # as nearly always: no need to know the project
    if (pause := in_force(held, moments, await scopes_of(store, project))) is not None:
        until = f", until {to_the_minute(pause.until)}" if pause.until is not None else ""
        why = f"capture is paused {where(pause.scope, 'this project')} since {to_the_minute(pause.since)}{until}"
        raise OffLimits(why, hint=f"`{resuming(pause.scope)}` ends that")


def without_off_limits(store: Opened, tools: Sequence[ToolUse], folder: Path | None) -> tuple[ToolUse, ...]:
    """The tools an exchange used; of those that touched something off limits only the name and how they ended."""
    return tuple(_hidden(tool) if _touches(store, tool, folder) else tool for tool in tools)


def _touches(store: Opened, tool: ToolUse, folder: Path | None) -> bool:
    """Whether a path of it is off limits."""
    return any(_is_off_limits(store, path, folder) for path in tool.paths)


def _is_off_limits(store: Opened, path: str, folder: Path | None) -> bool:
    """Whether a path is, as a file or as a folder. A relative one is below the project's folder. What a `file:` URL
    names that is not understood may be anything: it is, where a list holds at all."""
    if is_file_url(path):
        if paths := paths_of(path):
            return any(_is_listed(store, Path(one)) for one in paths)
        return any(True for _ in store.off_limits.holding(folder or Path(os.sep)))
    named = _place(path) if path.startswith("~") else Path(path)
    if named is None or not (named.is_absolute() or folder is not None):
        return False
    return _is_listed(store, Path(os.path.join(folder or "", named)))  # noqa: PTH118 - an absolute one stands for itself


def _is_listed(store: Opened, place: Path) -> bool:
    return bool(store.off_limits.why(place, is_folder=False) or store.off_limits.why(place, is_folder=True))


def _hidden(tool: ToolUse) -> ToolUse:
    return structs.replace(tool, paths=(HIDDEN,), error=HIDDEN if tool.error else "")
