"""What an assistant asks of its own is refused while its project is paused or off limits, and leaves no event; what a
person asks with the same request is done. That a request says who may ask it, the type checker holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import structs

from aftermind import OpenMemory
from aftermind.cli.language.asked import ByEither, Harmless, InSession, NoAssistants, Within
from aftermind.cli.language.entities import Blockers, References, Settle, TellEntity
from aftermind.cli.language.items import CheckClaim, ListClaims, ReleaseClaim, RenewClaim, ShowClaim, TakeClaim
from aftermind.cli.language.keeping import Due, Keep, Reviewing
from aftermind.cli.language.linking import CountLinks, Link, Links, Unlink
from aftermind.cli.language.projects import Directives, DropDirective
from aftermind.cli.language.queueing import Arrange, ListQueue, NextItem, Queue
from aftermind.cli.language.requests import (
    Brief,
    Checkpoint,
    Correct,
    EndSession,
    EndTurn,
    Explain,
    Forget,
    Latest,
    NoteTool,
    Recall,
    Record,
    Remember,
    Request,
    Score,
    Search,
    Show,
)
from aftermind.cli.language.sessions import (
    AskGate,
    BeginSession,
    CloseSession,
    KeepAlive,
    ListSessions,
    ResumeSession,
    ShowSession,
    WriteCheckpoint,
)
from aftermind.engine.errors import OffLimits
from aftermind.engine.events import ToolUse

pytestmark = pytest.mark.anyio
TEXT = "Staging listens on port 8081"
KINDS = (Within, ByEither, InSession, Harmless, NoAssistants)

ASSISTANTS: dict[type[Any], Callable[[str, str], Any]] = {
    Record: lambda id, place: Record(prompt="q", answer="a", session="s", project=place),
    EndSession: lambda id, place: EndSession(session="s", project=place),
    Brief: lambda id, place: Brief(prompt=TEXT, session="s", project=place),
    NoteTool: lambda id, place: NoteTool(session="s", tool=ToolUse(name="read", ok=True), project=place),
    EndTurn: lambda id, place: EndTurn(answer="a", session="s", prompt="q", project=place),
    Checkpoint: lambda id, place: Checkpoint(session="s", moment="before", text="t", project=place),
    Remember: lambda id, place: Remember(text="t", asked_by="assistant", within=place),
    Search: lambda id, place: Search(query=TEXT, session="s", project=place),
    Recall: lambda id, place: Recall(query=TEXT, project=place, asked_by="assistant"),
    Latest: lambda id, place: Latest(project=place, asked_by="assistant"),
    Show: lambda id, place: Show(id=id, within=place),
    Explain: lambda id, place: Explain(id=id, within=place),
    Correct: lambda id, place: Correct(id=id, text="another", within=place),
    Score: lambda id, place: Score(memories={id: "worked"}, judge="assistant", within=place),
    Forget: lambda id, place: Forget(id=id, within=place),
    Directives: lambda id, place: Directives(project=place, within=place),
    DropDirective: lambda id, place: DropDirective(id=id, within=place),
    ListSessions: lambda id, place: ListSessions(project=place, within=place),
    ShowSession: lambda id, place: ShowSession(session="s", within=place),
    ResumeSession: lambda id, place: ResumeSession(project=place, within=place),
    BeginSession: lambda id, place: BeginSession(session="s", project=place),
    KeepAlive: lambda id, place: KeepAlive(session="s", within=place),
    CloseSession: lambda id, place: CloseSession(session="s", within=place),
    WriteCheckpoint: lambda id, place: WriteCheckpoint(text="t", project=place, by="assistant"),
    AskGate: lambda id, place: AskGate(session="s", project=place),
    TakeClaim: lambda id, place: TakeClaim(item=TEXT, project=place, within=place),
    RenewClaim: lambda id, place: RenewClaim(item=TEXT, fence=1, project=place, within=place),
    ReleaseClaim: lambda id, place: ReleaseClaim(item=TEXT, fence=1, project=place, within=place),
    CheckClaim: lambda id, place: CheckClaim(item=TEXT, fence=1, project=place, within=place),
    ListClaims: lambda id, place: ListClaims(project=place, within=place),
    Queue: lambda id, place: Queue(items=(TEXT,), project=place, within=place),
    Arrange: lambda id, place: Arrange(item=TEXT, what="done", project=place, within=place),
    NextItem: lambda id, place: NextItem(project=place, take=True, within=place),
    ListQueue: lambda id, place: ListQueue(project=place, within=place),
    ShowClaim: lambda id, place: ShowClaim(item=TEXT, project=place, within=place),
    Keep: lambda id, place: Keep(id=id, says=(Reviewing(),), within=place),
    Due: lambda id, place: Due(project=place, within=place),
    Link: lambda id, place: Link(id=id, relation="supports", other=id, within=place),
    Unlink: lambda id, place: Unlink(id=id, relation="supports", other=id, within=place),
    Links: lambda id, place: Links(what=id, within=place),
    CountLinks: lambda id, place: CountLinks(within=place),
    TellEntity: lambda id, place: TellEntity(said="#1", project=place, within=place),
    References: lambda id, place: References(id=id, within=place),
    Blockers: lambda id, place: Blockers(project=place, within=place),
    Settle: lambda id, place: Settle(which=id, evidence="e", project=place, within=place),
}
"""An assistant's own, of a memory and from a project."""


def test_every_request_says_who_may_ask_it_and_what_an_assistant_may_is_tried_below() -> None:
    every: dict[type[Any], str] = {}
    for one in get_args(Request):
        (every[one],) = (kind.__name__ for kind in KINDS if issubclass(one, kind))
    assert {one for one, kind in every.items() if kind in ("Within", "ByEither", "InSession")} == ASSISTANTS.keys()
    assert {one for one in every if {"within", "asked_by"} & set(one.__struct_fields__)} <= ASSISTANTS.keys()


@pytest.mark.parametrize("why", ["paused", "listed"])
async def test_an_assistant_does_nothing_where_it_is_off_limits(memory: OpenMemory, tmp_path: Path, why: str) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    id = await memory.remember(TEXT, project=repo)
    if why == "paused":
        await memory.pause(repo)
    else:
        (repo / ".aftermindignore").write_text("*\n")
    before = (await memory.state()).head
    for request_type, asking in ASSISTANTS.items():
        asked = asking(id, str(repo))
        if request_type is Brief:
            answer = await memory.ask(asked)
            assert (answer.text, bool(answer.withheld)) == ("", True)
        else:
            try:
                answer = await memory.ask(asked)
            except OffLimits:
                pass
            else:
                pytest.fail(f"{asked} was answered: {answer}")
        assert (await memory.state()).head == before, asked
        kept = await memory.show(id)
        assert (kept.text, kept.outcomes.uses) == (TEXT, 0), asked


@pytest.mark.parametrize("request_type", [Show, Explain, Correct, Score, Forget], ids=lambda one: one.__name__)
async def test_a_person_may_do_the_same(memory: OpenMemory, tmp_path: Path, request_type: type[Any]) -> None:
    id = await memory.remember(TEXT, project=tmp_path)
    await memory.ask(ASSISTANTS[Search](id, str(tmp_path)))  # so that there is something to score
    await memory.pause()
    await memory.ask(structs.replace(ASSISTANTS[request_type](id, str(tmp_path)), within=None))
