"""Sessions: begun, kept alive, ended, listed by their lease and their client; and gone on with."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.answering.sessions import resuming, rows
from aftermind.cli.language.requests import Brief, Checkpoint, EndSession, NoteTool
from aftermind.cli.language.sessions import (
    BeginSession,
    CloseSession,
    KeepAlive,
    Listed,
    ListSessions,
    ResumeSession,
    ShowSession,
    WriteCheckpoint,
)
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.events import (
    CheckpointWritten,
    ContextInjected,
    SessionContinued,
    SessionEnded,
    SessionStarted,
    ToolUse,
)
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import Stamp
from tests.erased import holding
from tests.opened import Clock

pytestmark = pytest.mark.anyio
SHOP = "shop"


async def listed(memory: OpenMemory, **asked) -> list[Listed]:
    return list(await memory.ask(ListSessions(**{"project": SHOP, **asked})))


async def ids(memory: OpenMemory, **asked) -> list[str]:
    return [one.id for one in await listed(memory, **asked)]


async def events(memory: OpenMemory, *forms: type) -> list:
    return [one.draft.event for one in await memory.events() if isinstance(one.draft.event, forms)]


async def test_the_same_id_begun_twice_is_one_session_and_loses_nothing(memory: OpenMemory) -> None:
    await memory.ask(BeginSession(session="s1", project=SHOP, client="cursor"))
    await memory.record("Add a login", "Done.", session="s1", project=SHOP)
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="A login", pending=("tests",)))
    await memory.ask(BeginSession(session="s1", project=SHOP, client="cursor"))
    (one,) = await listed(memory)
    assert (one.exchanges, one.checkpoints, one.goal, one.active) == (1, 1, "A login", True)
    assert len(await events(memory, SessionStarted)) == 1
    assert (await memory.ask(ShowSession(session="s1"))).work.pending == ("tests",)


async def test_a_session_that_ended_goes_on_when_it_begins_again(memory: OpenMemory) -> None:
    await memory.ask(BeginSession(session="s1", project=SHOP))
    await memory.ask(CloseSession(session="s1", reason="logout", summary="The login works"))
    assert await ids(memory, active=True) == []
    (one,) = await listed(memory)
    assert (one.active, one.reason, one.ended is not None) == (False, "logout", True)
    assert (await memory.ask(ShowSession(session="s1"))).work.summary == "The login works"
    await memory.context(session="s1", project=SHOP)  # as a client tells it
    assert await ids(memory, active=True) == ["s1"]
    assert len(await events(memory, SessionContinued)) == 1


async def test_claims_of_dead_sessions_drop_out_by_their_lease(folder: Path, stamp: Stamp, clock: Clock) -> None:
    """Nobody has to notice that it died: who reads knows, whatever process was there meanwhile."""
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for session in ("dies", "lives"):
            await memory.ask(BeginSession(session=session, project=SHOP))
        clock.wait(minutes=20)
        await memory.ask(KeepAlive(session="lives"))
        clock.wait(minutes=20)
        assert await ids(memory, active=True) == ["lives"]
        assert await ids(memory) == ["lives", "dies"]
        clock.wait(minutes=20)
        assert await ids(memory, active=True) == []
        await memory.ask(KeepAlive(session="dies"))  # it did not: it only said nothing
        assert await ids(memory, active=True) == ["dies"]


async def test_signs_of_life_do_not_fill_the_log(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.ask(BeginSession(session="s1", project=SHOP))
        for _ in range(60):
            clock.wait(minutes=1)
            await memory.ask(KeepAlive(session="s1"))
        assert await ids(memory, active=True) == ["s1"]
        assert len(await events(memory, SessionContinued)) <= 6


async def test_claims_heartbeat_or_end_of_an_unknown_session_is_an_error(memory: OpenMemory) -> None:
    before = await memory.caught_up()
    for asked in (KeepAlive(session="nobody"), CloseSession(session="nobody"), ShowSession(session="nobody")):
        with pytest.raises(NotFound, match="nobody"):
            await memory.ask(asked)
    with pytest.raises(NotFound):
        await memory.end_session("nobody")
    assert await memory.caught_up() == before


async def test_a_session_that_was_ended_is_not_kept_alive(memory: OpenMemory) -> None:
    await memory.ask(BeginSession(session="s1", project=SHOP))
    await memory.ask(CloseSession(session="s1"))
    await memory.ask(CloseSession(session="s1"))
    assert len(await events(memory, SessionEnded)) == 1
    with pytest.raises(Refused, match="has ended") as error:
        await memory.ask(KeepAlive(session="s1"))
    assert "session start s1" in error.value.hint


async def test_filters_are_in_the_query_and_not_after_its_limit(memory: OpenMemory) -> None:
    """However many others are newer: of the client that is asked for all are found, in lists and searches."""
    for n in range(3):
        await memory.record(f"the redis cache {n}", "yes", session=f"old{n}", project=SHOP, client="cursor")
    for n in range(30):
        await memory.record(f"the redis cache again {n}", "yes", session=f"new{n}", project=SHOP, client="opencode")
    await memory.record("the redis cache", "yes", session="elsewhere", project="other", client="cursor")
    assert await ids(memory, client="cursor", limit=2) == ["old2", "old1"]
    assert sorted(await ids(memory, client="cursor", query="redis", limit=5)) == ["old0", "old1", "old2"]
    assert await ids(memory, client="nobody") == []
    assert len(await ids(memory, all=True, limit=100)) == 34


@pytest.mark.parametrize(
    "query",
    ["what's the redis plan?", "redis.cache", "redis; caching", "redis/caching", "don't", "zzz redis", "a-b redis"],
)
async def test_query_syntax_does_not_kill_the_search(memory: OpenMemory, query: str) -> None:
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="Redis caching", done=("Don't lose keys",)))
    await memory.record("the port", "8080", session="s2", project=SHOP)
    assert await ids(memory, query=query) == (["s1"] if query != "don't" else [])
    assert await ids(memory, query="") == []


async def test_a_search_finds_what_was_said_and_what_was_written_down(memory: OpenMemory) -> None:
    await memory.record("Why is the parser slow?", "It copies the buffer.", session="said", project=SHOP)
    await memory.ask(WriteCheckpoint(session="stated", project=SHOP, decisions=("A parser without copies 部署の計画",)))
    await memory.record("Something else", "Yes.", session="other", project=SHOP)
    assert await ids(memory, query="parser copies") == ["stated", "said"]
    assert await ids(memory, query="部署の計画") == ["stated"]
    assert [one.score > 0 for one in await listed(memory, query="parser")] == [True, True]


async def test_a_search_finds_nothing_by_what_is_archived_in_none_of_its_wordings(memory: OpenMemory) -> None:
    told = await memory.record("What of the zebrafinch?", "It sings.", session="s1", project=SHOP)
    assert told.memory is not None
    await memory.correct(told.memory, "It hums.")
    assert [await ids(memory, query=word) for word in ("sings", "hums")] == [["s1"], ["s1"]]
    await memory.archive(told.memory)
    assert [await ids(memory, query=word) for word in ("sings", "hums", "zebrafinch")] == [[], [], []]


async def test_sessions_with_the_same_first_characters_are_told_apart(folder: Path, stamp: Stamp) -> None:
    """In the same minute, even: each is itself, and nobody is taken for another."""
    one, other = "01234567-aaaa", "01234567-bbbb"
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        for session in (one, other):
            await memory.ask(WriteCheckpoint(session=session, project=SHOP, goal=f"of {session}"))
        assert (await memory.ask(ShowSession(session=one))).work.goal == f"of {one}"
        assert (await memory.ask(ShowSession(session="01234567-b"))).session.id == other
        with pytest.raises(Unusable, match="several") as error:
            await memory.ask(ShowSession(session="01234567"))
        assert one in error.value.hint
        assert other in error.value.hint


async def test_who_asks_for_one_session_waits_for_no_look_at_the_others(
    folder: Path, stamp: Stamp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them are asked for one by one whenever something is forgotten."""
    steps: list[None] = []

    def counting(connection: Connection, *about, **named) -> tuple[Listed, ...]:
        steps.clear()
        connection.set_progress_handler(lambda: steps.append(None), 1)
        try:
            return rows.listed(connection, *about, **named)
        finally:
            connection.set_progress_handler(None, 0)

    monkeypatch.setattr(resuming, "listed", counting)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.record("Add a login", "Done.", session="s1", project=SHOP)
        await memory.ask(ShowSession(session="s1", within=SHOP))
        alone = len(steps)
        for n in range(20):
            await memory.record("Add another", "Done.", session=f"other-{n}", project=SHOP)
        await memory.ask(ShowSession(session="s1", within=SHOP))
        assert len(steps) == alone > 0


async def test_scope_taken_from_the_client_on_every_path(memory: OpenMemory) -> None:
    """A window of one project sees no other's sessions by any question, nor by an id."""
    await memory.ask(WriteCheckpoint(session="theirs", project="other", goal="secret plan"))
    await memory.ask(WriteCheckpoint(session="ours", project=SHOP, goal="open plan"))
    assert await ids(memory, within=SHOP) == ["ours"]
    assert await ids(memory, all=True, within=SHOP) == ["ours"]
    assert await ids(memory, project="other", within=SHOP) == []
    assert await ids(memory, all=True, query="plan", within=SHOP) == ["ours"]
    for asked in (
        ShowSession(session="theirs", within=SHOP),
        ResumeSession(session="theirs", project=SHOP, within=SHOP),
        KeepAlive(session="theirs", within=SHOP),
        CloseSession(session="theirs", within=SHOP),
    ):
        with pytest.raises(NotFound):
            await memory.ask(asked)
    assert (await memory.ask(ResumeSession(project="third", within="third"))).text == ""


async def test_a_briefing_brings_back_where_the_work_was_left(memory: OpenMemory) -> None:
    say = {"session": "s1", "project": SHOP, "client": "opencode"}
    for prompt in ("Add rate limiting", "Which store for the limits?"):
        await memory.context(prompt, **say)
        await memory.ask(NoteTool(session="s1", project=SHOP, tool=ToolUse(name="Read", paths=("README.md",))))
        await memory.ask(NoteTool(session="s1", project=SHOP, tool=ToolUse(name="Edit", paths=("limits.py",))))
        await memory.record(prompt, "Done.", **say)
    checkpoint = WriteCheckpoint(
        session="s1",
        project=SHOP,
        goal="Rate limiting",
        decisions=("Redis: limits hold across workers",),
        done=("Token bucket",),
        pending=("Tests", "Metrics"),
        references=("https://example.com/rfc6585",),
        text="Half of it is there.",
    )
    await memory.ask(checkpoint)
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, done=("Tests",)))
    learned = await memory.remember("The limit is 100 a minute", kind="fact", project=SHOP, session="s1")
    await memory.context("Now the metrics", **say)
    found = await memory.ask(ResumeSession(project=SHOP, into="s2", client="opencode"))
    assert found.session == "s1"
    lines = found.text.splitlines()
    for said in ("Rate limiting", "Metrics", "asked, and not answered: Now the metrics", "Token bucket", "limits.py"):
        assert f"- {said}" in lines
    assert "- Tests" in lines[lines.index("Work done:") :]  # and not among what is open
    assert f"- [{learned}] (fact, just now) The limit is 100 a minute" in lines
    assert lines.index("Goal:") < lines.index("Open ends:") < lines.index("Decisions:") < lines.index("Work done:")
    assert "README.md" not in found.text
    (shown,) = [one for one in await events(memory, ContextInjected) if one.session == "s2"]
    assert [one.memory for one in shown.shown] == [learned]


async def test_a_briefing_never_costs_more_than_its_budget(memory: OpenMemory) -> None:
    many = tuple(f"thing number {n} that is still to be done" for n in range(100))
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="Much", pending=many, done=many, text="x" * 9000))
    for budget in (0, 40, 80, 300, 2_000):
        found = await memory.ask(ResumeSession(session="s1", project=SHOP, budget=budget))
        assert found.tokens <= budget
    assert "- Much" in found.text
    assert "number 99 " in found.text


async def test_nothing_to_go_on_with_is_nothing(memory: OpenMemory) -> None:
    await memory.ask(BeginSession(session="s1", project=SHOP))
    found = await memory.ask(ResumeSession(project=SHOP))
    assert (found.session, found.text) == (None, "")


async def test_a_subagents_session_is_not_gone_on_with(folder: Path, stamp: Stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.record("the real work", "yes", session="s1", project=SHOP)
        await memory.record("look something up", "found", session="s1.agent7", project=SHOP)
        assert (await memory.ask(ResumeSession(project=SHOP))).session == "s1"
        assert await ids(memory) == ["s1"]


async def test_a_session_begins_with_what_others_do_and_left(memory: OpenMemory) -> None:
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="Rate limiting", pending=("Metrics",)))
    began = await memory.context(session="s2", project=SHOP)
    assert "- [session s1] (just now, active) Rate limiting. Open: Metrics" in began.text.splitlines()
    assert "s1" not in (await memory.context(session="s3", project="other")).text


async def test_what_a_session_asked_first_is_told_whether_it_was_swept_or_not(memory: OpenMemory, clock: Clock) -> None:
    await memory.record("Which port does the gateway use?", "8443", session="s1", project=SHOP)
    clock.wait(hours=20)
    await memory.record("And the proxy?", "3128", session="s1", project=SHOP)
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, pending=("Metrics",)))
    clock.wait(hours=10)
    for _ in range(2):
        begun = (await memory.context(session="s2", project=SHOP)).text
        assert "Which port does the gateway use?. Open: Metrics" in begun
        assert (await listed(memory))[-1].goal == "Which port does the gateway use?"
        await memory.sweep()
    assert (await memory.stats()).statuses["expired"] == 1


async def test_what_is_private_or_a_secret_is_not_kept_as_a_name_an_id_or_a_reason_either(
    memory: OpenMemory, folder: Path
) -> None:
    secret = "ghp_" + "x7Kq" * 9
    words = ("wombatid", "wombatclient", "wombattrigger", "wombatreason")
    ids, clients, triggers, reasons = ((f"<private>{word}</private>", f"a {secret}") for word in words)
    for id, client, trigger, reason in zip(ids, clients, triggers, reasons, strict=True):
        session = await memory.ask(BeginSession(session=id, project=SHOP, client=client))
        await memory.context("Add a login", session=id, project=SHOP)
        await memory.ask(Checkpoint(session=id, project=SHOP, moment="before", trigger=trigger))
        await memory.ask(EndSession(session=id, reason=reason))
        assert await ids_of(memory, session) == [session]
    assert holding(folder, secret, *words) == {}


async def ids_of(memory: OpenMemory, session: str) -> list[str]:
    return [one for one in await ids(memory, all=True) if one == session]


async def test_a_session_of_a_clock_that_ran_ahead_is_not_alive_until_then(memory: OpenMemory, clock: Clock) -> None:
    clock.wait(days=300)
    await memory.ask(BeginSession(session="ahead", project=SHOP))
    await memory.record("Add a login", "Done.", session="ahead", project=SHOP)
    clock.wait(days=-300)
    await memory.ask(BeginSession(session="here", project=SHOP))
    await memory.context("Now the rest", session="here", project=SHOP)
    assert await ids(memory, active=True) == ["here"]
    assert (await memory.ask(WriteCheckpoint(project=SHOP, goal="The rest"))).session == "here"
    begins = (await memory.context(None, session="next", project=SHOP)).text
    assert "[session here] (just now, active)" in begins
    assert "[session ahead]" not in begins or "over" in begins


async def test_what_several_say_of_the_same_moment_at_the_same_time_is_recorded_once(memory: OpenMemory) -> None:
    for session in ("s1", "s2", "s3", "s4"):
        await memory.context("Add a login", session=session, project=SHOP)
        await memory.record("Add a login", "Done.", session=session, project=SHOP)
    before = Checkpoint(session="s4", project=SHOP, moment="before", message="m1")
    for asked in (
        CloseSession(session="s1", summary="The login works"),
        EndSession(session="s2", reason="logout"),
        Brief(session="s3", project=SHOP, compacting=True),
        before,
    ):
        await asyncio.gather(*(memory.ask(asked) for _ in range(6)))
    found = [(one.session, type(one).__name__) for one in await events(memory, CheckpointWritten, SessionEnded)]
    assert sorted(found) == [
        ("s1", "CheckpointWritten"),
        ("s1", "SessionEnded"),
        ("s2", "CheckpointWritten"),
        ("s2", "SessionEnded"),
        ("s3", "CheckpointWritten"),
        ("s4", "CheckpointWritten"),
    ]
