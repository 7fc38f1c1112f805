"""Sessions: what is asked of them, listed, found, told, and gone on with; how they live is `living.py`."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec import structs

from aftermind.cli.answering.filing import own_scope
from aftermind.cli.answering.fit import at_least_one, said
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.sessions import checkpoints, gate, living, pages, resuming
from aftermind.cli.answering.sessions.rows import listed, seen_scopes
from aftermind.cli.erasing.files import PAGES
from aftermind.cli.language.answers import Context
from aftermind.cli.language.ids import client_label, session_id
from aftermind.cli.language.requests import Brief
from aftermind.cli.language.sessions import (
    AskGate,
    BeginSession,
    CloseSession,
    Grown,
    KeepAlive,
    Listed,
    ListSessions,
    RegrowPages,
    ResumeSession,
    Sessions,
    ShowSession,
    WriteCheckpoint,
)
from aftermind.engine.errors import Refused
from aftermind.engine.sqlite import Connection
from aftermind.projections.recalling.resuming import resumed
from aftermind.projections.recalling.session_search import matching


async def answer(store: Opened, asked: Sessions) -> Any:
    match asked:
        case ListSessions():
            return await list_sessions(store, asked)
        case ShowSession():
            return await resuming.show(store, asked)
        case ResumeSession():
            return await resuming.resume(store, asked)
        case BeginSession():
            return await living.begin(store, asked)
        case KeepAlive():
            return await living.keep_alive(store, asked)
        case CloseSession():
            return await living.close(store, asked)
        case WriteCheckpoint():
            return await checkpoints.write(store, asked)
        case AskGate():
            return await gate.ask(store, asked)
        case RegrowPages():
            if store.erasing is None:
                raise Refused("a replay of the past has no pages of its own", hint="`--to FOLDER` names a folder")
            return Grown(pages=await pages.regrown(store), folder=str(store.folder / PAGES))
        case _:
            assert_never(asked)


async def list_sessions(store: Opened, asked: ListSessions) -> tuple[Listed, ...]:
    limit = at_least_one(asked.limit)
    scopes = await seen_scopes(store, asked.within)
    if not asked.all:
        own = (await own_scope(store, asked.project),)
        scopes = own if scopes is None else tuple(scope for scope in own if scope in scopes)
    client = client_label(asked.client)
    if asked.query is None:
        return await store.read(lambda c: listed(c, store, scopes, client=client, active=asked.active, limit=limit))
    query = said(asked.query, "a query", may_be_empty=True)

    def found(connection: Connection) -> tuple[Listed, ...]:
        scores = matching(connection, query, scopes, client)
        return listed(connection, store, scopes, client=client, active=asked.active, limit=limit, scores=scores)

    return await store.read(found)


async def begun(store: Opened, asked: Brief, told: Context) -> Context:
    """A client told that a session begins, or goes on: then it does. Where it compacts the conversation, where the work
    stands is written down before, and is part of what whoever sums it up is told."""
    session = session_id(asked.session)
    await living.continued(store, session)
    if not asked.compacting:
        return told
    await checkpoints.before_compaction(store, session)
    there = await resuming.told(store, session, None, git=False)
    text = resumed(resuming.left_of(store, there), resuming.BUDGET)
    return structs.replace(told, text="\n\n".join(filter(None, (told.text, text))))
