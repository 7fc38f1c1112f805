"""Every request answered, in the process that holds the store: one case a request, and the checker knows of each."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar, assert_never, cast

import anyio
from msgspec import structs

from aftermind.cli import forms
from aftermind.cli.answering import linking, projecting
from aftermind.cli.answering.books import library, shelving
from aftermind.cli.answering.capturing import guarding, pausing, prompted, recording, turns
from aftermind.cli.answering.capturing.guarding import guarded
from aftermind.cli.answering.directives import directing
from aftermind.cli.answering.entities import blocking, enriching, telling
from aftermind.cli.answering.filing import scopes_of, seen_of
from aftermind.cli.answering.forgetting import dooming
from aftermind.cli.answering.importing import carrying, taking_in
from aftermind.cli.answering.items import claims, queue
from aftermind.cli.answering.judging import desk, noticing, requesting, scoring, shortening
from aftermind.cli.answering.keeping import becoming, consolidating, particulars, tidying
from aftermind.cli.answering.learning import correcting, remembering
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.recalling import asking, searching, showing
from aftermind.cli.answering.sessions import checkpoints, gate, living, pages, resuming, rows
from aftermind.cli.answering.telling import assessing, counting, prompts, whole_life
from aftermind.cli.answering.undoing import taking_back
from aftermind.cli.language.answers import Context, Kept, Said, kept
from aftermind.cli.language.asked import Within
from aftermind.cli.language.entities import Blockers, Enrich, FindStale, References, Settle, TellEntity
from aftermind.cli.language.erasing import Erasing, ForgetAll, Preview
from aftermind.cli.language.importing import TakeIn
from aftermind.cli.language.items import CheckClaim, ListClaims, ReleaseClaim, RenewClaim, ShowClaim, TakeClaim
from aftermind.cli.language.judging import (
    PutSaid,
    RequestJudgement,
    RequestSummaries,
    Reserve,
    ResumeScoring,
    ScoringState,
    StopScoring,
    TakeWork,
)
from aftermind.cli.language.keeping import Consolidate, Due, Keep, Tidy
from aftermind.cli.language.linking import CountLinks, Link, Links, Unlink
from aftermind.cli.language.projects import Directives, DropDirective, Join, Projects, Share, Unshare
from aftermind.cli.language.queueing import Arrange, ListQueue, NextItem, Queue
from aftermind.cli.language.rebuilding import Rebuild, Rebuilt
from aftermind.cli.language.requests import (
    Asked,
    Assess,
    Become,
    Beyond,
    Books,
    Brief,
    Carry,
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
from aftermind.cli.language.sessions import (
    AskGate,
    BeginSession,
    CloseSession,
    Gated,
    KeepAlive,
    ListSessions,
    RegrowPages,
    ResumeSession,
    ShowSession,
    WriteCheckpoint,
)
from aftermind.cli.language.undoing import Undo, Undoable
from aftermind.cli.language.wire import NotUnderstood
from aftermind.engine.errors import NotFound, OffLimits
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, Position

T = TypeVar("T")
MOST_AT_ONCE = 8 * 1024 * 1024
"""Bytes of events in one answer; one event may be larger."""


async def answer(store: Opened, asked: Asked[T], key: EventId | None = None, at: datetime | None = None) -> T:
    """The answer; `at` is when it was asked, if that was not now."""
    if key is not None:
        store = structs.replace(store, stamp=store.stamp.keyed(key, at))
    if isinstance(asked, Within) and asked.within is not None:
        changes = isinstance(asked, Correct | Forget | Keep)  # what belongs to another is seen, and changed there alone
        store = structs.replace(store, sees=await (scopes_of if changes else seen_of)(store, asked.within))
    return cast("T", await _answer(store, cast("Request", asked)))


async def _answer(store: Opened, asked: Request) -> Any:
    try:
        asked = await guarded(store, asked)
    except OffLimits as error:
        if isinstance(asked, Brief):
            return showing.nothing(withheld=f"{error}; {error.hint}" if error.hint else str(error))
        raise
    match asked:
        case Record():
            return await recording.record(store, asked)
        case Remember():
            return await remembering.remember(store, asked)
        case EndSession():
            return await living.end(store, asked)
        case Brief():
            told = await showing.brief(store, asked)
            return told if asked.prompt is not None else await resuming.at_the_start(store, asked, told)
        case Pause():
            return await pausing.pause(store, asked)
        case Resume():
            return await pausing.resume(store, asked)
        case Limits():
            return await pausing.limits(store, asked)
        case NoteTool():
            return await turns.note_tool(store, asked)
        case EndTurn():
            return await turns.end_turn(store, asked)
        case Checkpoint():
            return await turns.checkpoint(store, asked)
        case Search():
            return await searching.search(store, asked)
        case Score():
            return await scoring.score(store, asked)
        case Correct():
            return await correcting.correct(store, asked)
        case Become():
            return await becoming.become(store, asked)
        case Forget():
            return await dooming.forget(store, asked)
        case ListSessions():
            return await rows.list_sessions(store, asked)
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
            return await pages.regrow(store)
        case TakeClaim():
            return await claims.take(store, asked)
        case RenewClaim():
            return await claims.renew(store, asked)
        case ReleaseClaim():
            return await claims.release(store, asked)
        case CheckClaim():
            return await claims.check(store, asked)
        case ListClaims():
            return await claims.listed(store, asked)
        case ShowClaim():
            return await claims.show(store, asked)
        case Queue():
            return await queue.add(store, asked)
        case Arrange():
            return await queue.arrange(store, asked)
        case NextItem():
            return await queue.following(store, asked)
        case ListQueue():
            return await queue.listed(store, asked)
        case Undoable():
            return await taking_back.undoable(store, asked)
        case Undo():
            return await taking_back.undo(store, asked)
        case Preview():
            return await dooming.preview(store, asked)
        case ForgetAll():
            return await dooming.forget_all(store, asked)
        case Erasing():
            return await dooming.erasing(store, asked)
        case Shelve():
            return await shelving.shelve(store, asked)
        case Ingest():
            return await shelving.ingest(store, asked)
        case RemoveBook():
            return await shelving.remove(store, asked)
        case Sweep():
            return await recording.sweep(store)
        case Deliver():
            return await _deliver(store, asked)
        case Recall():
            return await asking.recall(store, asked)
        case Latest():
            return await asking.latest(store, asked)
        case Unread():
            return await library.unread(store, asked)
        case Books():
            return await library.books(store, asked)
        case Show():
            return await particulars.whole(store, await whole_life.meant(store, asked.id))
        case Keep():
            return await particulars.keep(store, asked)
        case Due():
            return await particulars.due(store, asked)
        case Tidy():
            return await tidying.tidy(store, asked)
        case Consolidate():
            return await consolidating.consolidate(store, asked)
        case Link():
            return await linking.link(store, asked)
        case Unlink():
            return await linking.unlink(store, asked)
        case Links():
            return await linking.links(store, asked)
        case CountLinks():
            return await linking.counts(store, asked)
        case Explain():
            return await whole_life.why(store, asked.id)
        case Directives():
            return await directing.directives(store, asked)
        case DropDirective():
            return await directing.drop(store, asked)
        case Projects():
            return await projecting.projects(store, asked)
        case Share():
            return await projecting.share(store, asked)
        case Unshare():
            return await projecting.unshare(store, asked)
        case Join():
            return await projecting.join(store, asked)
        case TellEntity():
            return await telling.tell(store, asked)
        case References():
            return await telling.references(store, asked)
        case Blockers():
            return await blocking.blockers(store, asked)
        case Settle():
            return await blocking.settle(store, asked)
        case FindStale():
            return await enriching.find_stale(store, asked)
        case Enrich():
            return await enriching.enrich(store, asked)
        case Assess():
            return await assessing.assess(store, asked)
        case Count():
            return await counting.stats(store, asked.project)
        case Prompts():
            return await prompts.last(store, asked)
        case CatchUp():
            await store.views.reached(None)
            return store.views.position
        case Events():
            return _within_reason(await store.log.after(Position(asked.after), limit=asked.limit))
        case Beyond():
            with anyio.move_on_after(asked.seconds):
                await store.log.head.beyond(Position(asked.position))
            return store.log.head.position
        case Verify():
            return await store.log.verify()
        case TakeIn():
            return await taking_in.take_in(store, asked)
        case Carry():
            return await carrying.carry(store, asked)
        case TakeWork():
            return await desk.take(store, asked)
        case Reserve():
            return await desk.reserve(store, asked)
        case PutSaid():
            return await desk.put(store, asked)
        case RequestJudgement():
            return await requesting.request(store, asked)
        case RequestSummaries():
            return await shortening.request(store, asked)
        case ScoringState():
            return await requesting.state(store, asked)
        case StopScoring():
            return await requesting.stop(store, asked)
        case ResumeScoring():
            return await requesting.resume(store, asked)
        case Report() | Stop() | Embed() | Converse() | Rebuild() | Rebuilt():
            raise AssertionError("the process answers these itself")
        case _:
            assert_never(asked)


async def _deliver(store: Opened, asked: Deliver) -> Said:
    """What is off limits is done with, and nobody is told anything."""
    if (said := forms.checked(asked)) is not None:
        return Said(text=said)
    told, notice = None, ""
    with suppress(OffLimits):
        request = await _meant(store, asked)
        if request is not None:
            if asked.directory != getattr(request, "project", None):
                await guarding.must_be_open(store, asked.directory or None, request)
            if isinstance(request, Brief):
                request = structs.replace(request, left_out=False)  # a client reads what is shown, and no more
            if isinstance(request, Record):
                await prompted.must_know_its_prompt(store, request)
            try:
                told = await _answer(store, request)
            except NotFound:  # the end of a session nobody knows is no news
                if not isinstance(request, EndSession):
                    raise
        if isinstance(told, Gated):
            return Said(text=forms.gated(asked, told))
        if isinstance(request, Brief) and forms.notifies(asked):
            notice = await noticing.notice(store, request)
        return Said(text=forms.printed(asked, told.text if isinstance(told, Context) else "", notice))
    return Said()


async def _meant(store: Opened, asked: Deliver) -> forms.Meant:
    """What is said where nothing is captured is not even kept for not being understood."""
    try:
        return forms.meant(asked)
    except NotUnderstood:
        await guarding.must_be_open(store, asked.directory or None)
        raise


def _within_reason(events: Sequence[Recorded]) -> tuple[Kept, ...]:
    """As many as fit into one answer, at least one."""
    found: list[Kept] = []
    size = 0
    for event in map(kept, events):
        size += len(event.payload or b"")
        if found and size > MOST_AT_ONCE:
            break
        found.append(event)
    return tuple(found)
