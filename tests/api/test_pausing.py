"""While it is paused nothing is captured and nothing shown, wherever it comes from; what a person asks for works."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

import aftermind
from aftermind.cli.language.requests import Brief, Deliver, EndTurn, Recall, Record, Remember
from aftermind.cli.privacy.words import resuming
from aftermind.engine.errors import NotFound, OffLimits, Unusable
from aftermind.engine.events import (
    CapturePaused,
    ContextInjected,
    ExchangeRecorded,
    PromptReceived,
    SessionEnded,
    SessionStarted,
)
from tests.spooling import drained, put, recorded
from tests.wired import new_key

pytestmark = pytest.mark.anyio
ASKED = "Which port does staging listen on?"


async def head(memory) -> int:
    return (await memory.state()).head


def deliver(event: str, project: str = "shop", session: str = "s", **said: str) -> Deliver:
    payload = json.dumps({"session": session, "project": project, **said}).encode()
    return Deliver(client="json", event=event, payload=payload)


@pytest.mark.parametrize("everywhere", [True, False])
async def test_paused_nothing_is_written_and_nothing_shown_by_any_door(memory, everywhere):
    await memory.remember("Staging listens on port 8081", project="shop")
    await memory.pause(None if everywhere else "shop")
    before = await head(memory)
    for asked in (ASKED, None):
        context = await memory.context(asked, session="s", project="shop")
        assert (context.text, context.injection) == ("", None)
        assert "paused" in context.withheld
    for event in (
        deliver("prompt", prompt=ASKED),
        deliver("turn", prompt=ASKED, answer="8081"),
        Deliver(client="json", event="end", payload=b'{"session":"s"}', directory="shop"),
    ):
        assert (await memory.ask(event)).text == ""
    for asked in (
        Record(prompt=ASKED, answer="8081", session="s", project="shop"),
        Record(prompt="old", answer="so", session="s", project="shop", at=_long_ago()),
        Remember(text="a fact", project="shop", asked_by="assistant"),
        Recall(query=ASKED, project="shop", asked_by="assistant"),
    ):
        with pytest.raises(OffLimits, match="capture is paused"):
            await memory.ask(asked)
    assert await head(memory) == before


async def test_a_clock_that_is_set_back_ends_no_pause_and_begins_none_anew(memory, clock):
    await memory.remember("Staging listens on port 8081", project="shop")
    for _ in range(2):
        await memory.pause("shop")
        before = await head(memory)
        clock.time -= timedelta(hours=1)
        with pytest.raises(OffLimits, match="capture is paused"):
            await memory.record(ASKED, "8081", session="s", project="shop")
        assert "paused" in (await memory.context(ASKED, session="s", project="shop")).withheld
        assert await head(memory) == before
        assert await memory.resume("shop")
        clock.time -= timedelta(hours=1)
        await memory.record(ASKED, "8081", session="after", project="shop")
        clock.wait(hours=10)
        await memory.record(ASKED, "8081", session="after", project="shop")


@pytest.mark.parametrize("is_imported", [True, False])
async def test_what_was_said_in_a_pause_is_not_kept_later_though_the_clock_was_set_back(
    folder, stamp, clock, is_imported
):
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.pause()
        said = clock.time + timedelta(minutes=10)
        clock.wait(minutes=20)
        await memory.resume()
        clock.wait(minutes=-5)
        before = await head(memory)
        if is_imported:
            with pytest.raises(OffLimits, match="capture is paused"):
                await memory.ask(Record(prompt=ASKED, answer="8081", session="s", at=said, collection="history"))
        else:
            held: Any = memory.ask.__self__  # type: ignore[attr-defined]
            told = await held.answer(Brief(session="s", prompt=ASKED), new_key(said.timestamp()), said)
            assert "paused" in told.withheld
        assert await head(memory) == before
        await memory.record(ASKED, "8081", session="said now")


def _long_ago():
    from tests.given import NOON

    return NOON - timedelta(days=9)


async def test_what_a_person_asks_for_works_while_it_is_paused(memory):
    first = await memory.remember("Staging listens on port 8081", project="shop")
    exchange = await memory.record(ASKED, "8081", session="s", project="shop")
    await memory.pause()
    assert [hit.id for hit in await memory.recall(ASKED, project="shop", kinds=["fact"])] == [first]
    second = await memory.remember("Production listens on port 80", project="shop")
    await memory.correct(second, "Production listens on port 443")
    await memory.score("worked", exchange=exchange.id)
    await memory.forget(first)
    assert (await memory.show(second)).text == "Production listens on port 443"


async def test_each_project_has_its_pause_and_everywhere_another(memory):
    await memory.remember("Staging listens on port 8081", project="shop")
    await memory.pause("shop")
    assert await recordable(memory) == {"shop": False, "other": True, None: True}
    await memory.pause()
    assert await recordable(memory) == {"shop": False, "other": False, None: False}
    assert await memory.resume()
    assert await recordable(memory) == {"shop": False, "other": True, None: True}
    limited = await memory.limits("shop")
    assert [one.project for one in limited.paused] == ["shop"]
    assert limited.why.startswith("capture is paused in this project")
    assert limited.hint == f"`{resuming(limited.paused[0].scope)}` ends that"
    assert resuming(limited.paused[0].scope).startswith("aftermind resume --project p")
    assert await memory.resume("shop")
    assert not await memory.resume("shop")
    for asked in (memory.pause, memory.resume):
        with pytest.raises(NotFound, match="no project with the id 'never seen'") as refused:
            await asked("never seen")
        assert "known: shop" in refused.value.hint
    assert await recordable(memory) == {"shop": True, "other": True, None: True}


async def recordable(memory) -> dict[str | None, bool]:
    return {project: not (await memory.limits(project)).why for project in ("shop", "other", None)}


async def test_a_pause_ends_by_its_time_and_a_new_one_takes_its_place(memory, clock):
    now = clock()
    with pytest.raises(Unusable, match="later than now"):
        await memory.pause(until=now)
    first = await memory.pause(until=now + timedelta(hours=2))
    assert await memory.pause(until=now + timedelta(hours=2)) == first
    assert len(await recorded(memory, CapturePaused)) == 1
    clock.wait(minutes=119)
    assert (await memory.limits()).why
    clock.wait(minutes=2)
    assert (await memory.limits()) == type(await memory.limits())(paused=(), why="", hint="")
    await memory.pause()
    await memory.pause(until=clock() + timedelta(minutes=5))
    clock.wait(minutes=6)
    assert not (await memory.limits()).paused


async def test_a_pause_outlives_who_held_the_store_and_is_in_what_follows(folder):
    async with aftermind.open_memory(folder) as memory:
        await memory.remember("Staging listens on port 8081", project="shop")
        await memory.pause("shop")
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.limits("shop")).why
        assert "paused" in (await memory.context(ASKED, session="s", project="shop")).withheld


async def test_what_waited_in_the_spool_counts_by_when_it_was_said(folder):
    """Said before, during and after a pause of an hour that is over when it is drained."""
    now = aftermind_now()
    async with aftermind.open_memory(folder, stamp=_at(now - timedelta(minutes=90))) as memory:
        await memory.remember("Staging listens on port 8081", project="shop")
        await memory.pause("shop", until=now - timedelta(minutes=30))
    for minutes, text in ((100, "before"), (60, "during"), (20, "after")):
        at = (now - timedelta(minutes=minutes)).timestamp()
        put(folder, deliver("turn", prompt=text, answer="so", session=text), new_key(at))
        put(folder, Record(prompt=f"{text} plainly", answer="so", session="s", project="shop"), new_key(at))
    put(folder, deliver("turn", prompt="said before", answer="so", session="b"), new_key(now.timestamp()))
    during = (now - timedelta(minutes=61)).timestamp()
    put(folder, Deliver(client="json", event="turn", payload=b'{"oops', directory=str(folder)), new_key(during))
    async with aftermind.open_memory(folder) as memory:
        await drained(folder)
        said = {draft.event.prompt for draft in await recorded(memory, ExchangeRecorded)}
    assert said == {"before", "before plainly", "after", "after plainly", "said before"}


def aftermind_now():
    from aftermind.engine.stamp import Stamp

    return Stamp().now()


def _at(moment):
    from aftermind.engine.stamp import Stamp

    return Stamp(now=lambda: moment)


async def test_what_was_said_in_a_pause_is_not_imported_later_and_what_was_said_before_is(memory, clock):
    before = clock()
    await memory.remember("Staging listens on port 8081", project="shop")
    clock.wait(minutes=1)
    await memory.pause("shop")
    clock.wait(minutes=1)
    during = clock()
    old = await memory.record("q1", "a1", session="s", project="shop", id="1", at=before, collection="history")
    assert old.delivery == "new"
    await memory.resume("shop")
    with pytest.raises(OffLimits):
        await memory.record("q2", "a2", session="s", project="shop", id="2", at=during, collection="history")


@pytest.mark.parametrize("prompt", ["Which port?", ""])
async def test_what_answers_a_prompt_of_the_pause_is_not_recorded_when_it_is_over(memory, prompt):
    await memory.remember("Staging listens on port 8081", project="shop")
    await memory.pause("shop")
    await memory.context("Which port?", session="s", project="shop")
    await memory.resume("shop")
    with pytest.raises(OffLimits, match="the prompt it answers"):
        await memory.record(prompt, "8081", session="s", project="shop")
    assert (await memory.record("Another?", "yes", session="s", project="shop")).delivery == "new"
    await memory.context("Which port?", session="s", project="shop")
    assert (await memory.record(prompt, "8081", session="s", project="shop")).delivery == "new"


async def hooked(memory, moment: str, **said: str) -> None:
    payload = json.dumps({"session_id": "s", **said}).encode()
    await memory.ask(Deliver(client="claude-code", event=moment, payload=payload, directory="/nowhere"))


async def test_what_a_pause_withheld_is_not_recorded_late_again_or_under_another_name(memory):
    """Late: after the next prompt. Again: an answer that was refused. Another name: a subagent's."""
    await hooked(memory, "prompt", prompt="asked before", prompt_id="0")
    await memory.pause()
    await hooked(memory, "turn", last_assistant_message="quokka", prompt_id="0")
    await hooked(memory, "prompt", prompt="quokka?", prompt_id="1")
    await memory.resume()
    for agent in ("a1", "a.1", "a. 1"):
        await hooked(memory, "subagent", agent_id=agent, last_assistant_message="quokka")
    await hooked(memory, "turn", last_assistant_message="quokka", prompt_id="0")
    await hooked(memory, "prompt", prompt="and now?", prompt_id="2")
    await hooked(memory, "tool", prompt_id="1", tool_name="Bash", tool_use_id="t", error="quokka")
    await hooked(memory, "turn", last_assistant_message="quokka", prompt_id="1")
    await hooked(memory, "turn", last_assistant_message="yes", prompt_id="2")
    assert [draft.event.text for draft in await recorded(memory, PromptReceived)] == ["asked before", "and now?"]
    assert [draft.event.answer for draft in await recorded(memory, ExchangeRecorded)] == ["yes"]
    assert not [one for one in await memory.events() if "quokka" in repr(one)]


async def test_an_answer_without_an_id_is_known_again_by_its_words(memory):
    await memory.pause()
    await memory.context("quokka?", session="s", project="shop")
    with pytest.raises(OffLimits):
        await memory.ask(EndTurn(answer="quokka", session="other", project="shop"))
    await memory.resume()
    assert (await memory.record("others?", "yes", session="s", project="shop")).delivery == "new"
    await memory.context("and now?", session="s", project="shop")
    for asked in (
        Record(prompt=" quokka?\n", answer="so", session="s", project="shop"),
        EndTurn(answer="quokka ", session="other", project="shop"),
    ):
        with pytest.raises(OffLimits):
            await memory.ask(asked)
    await memory.context("another?", session="other", project="shop")
    await memory.ask(EndTurn(answer="quokka", session="other", project="shop"))
    assert {draft.event.prompt for draft in await recorded(memory, ExchangeRecorded)} == {"others?", "another?"}


async def test_of_an_import_the_answer_counts_too(memory, clock):
    before = clock()
    await memory.remember("Staging listens on port 8081", project="shop")
    clock.wait(minutes=1)
    await memory.pause("shop")
    during = clock()
    clock.wait(minutes=1)
    await memory.resume("shop")
    told = {"session": "s", "project": "shop", "at": before, "collection": "history"}
    with pytest.raises(OffLimits):
        await memory.record("q1", "a1", id="1", answered=[before, during, clock()], **told)
    assert (await memory.record("q2", "a2", id="2", answered=[before, clock()], **told)).delivery == "new"


# --- <private> ------------------------------------------------------------------------------------------------


async def test_what_is_private_is_in_no_file_of_the_store_whatever_it_came_in(memory, folder):
    hidden = "<Private>quokka\nparade</PRIVATE>"
    await memory.context(f"How do I deploy {hidden}?", session="s", project="shop")
    exchange = await memory.record(f"How do I deploy {hidden}?", f"Run make. {hidden}", session="s", project="shop")
    id = await memory.remember(f"Deploy with make {hidden}", project="shop", tags=["a <private>quokka"])
    await memory.correct(id, "Deploy with make release <private>quokka", reason="<private>quokka")
    await memory.score("worked", exchange=exchange.id, evidence=hidden)
    await memory.ask(deliver("turn", prompt=f"so {hidden}", answer=hidden))
    await memory.recall("deploy", project="shop")
    assert (await memory.show(exchange.memory)).text == "How do I deploy [private]?"
    assert (await memory.show(id)).text == "Deploy with make release [private]"
    files = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()]
    assert len(files) > 3
    assert [file.name for file in files if b"quokka" in file.read_bytes()] == []


async def test_a_prompt_that_is_wholly_private_leaves_that_there_was_one_and_nothing_else(memory):
    await memory.remember("my private quokka lives in the shop", project="shop")
    context = await memory.context("<private>where lives my quokka?</private>", session="s", project="shop")
    assert (context.text, context.withheld) == ("", "the prompt is wholly private")
    with pytest.raises(OffLimits, match="wholly private"):
        await memory.record("<private>where?</private>", "In the shop, your quokka.", session="s", project="shop")
    assert (await memory.ask(deliver("turn", prompt="<private>where?", answer="In the shop"))).text == ""
    assert [draft.event.text for draft in await recorded(memory, PromptReceived)] == ["[private]"]
    assert await recorded(memory, ExchangeRecorded) == await recorded(memory, ContextInjected) == []
    assert (await memory.prompts())[0].why == "it is wholly private"
    for asked in (memory.remember("<private>x"), memory.correct("m", "<private>x")):
        with pytest.raises(OffLimits):
            await asked


async def test_the_mark_is_no_word_that_a_briefing_goes_by(memory):
    await memory.remember("The private beta ends in May", project="shop")
    context = await memory.context("<private>x</private> and so on?", session="s", project="shop")
    assert context.text == ""


# --- .aftermindignore -----------------------------------------------------------------------------------------


async def test_in_a_folder_that_is_off_limits_nothing_is_captured_or_shown_by_any_door(memory, tmp_path):
    repo, secret = tmp_path / "repo", tmp_path / "repo" / "secret-client"
    secret.mkdir(parents=True)
    await memory.remember("Staging listens on port 8081", project=repo)
    (repo / ".aftermindignore").write_text("secret-client/\n")
    before = await head(memory)
    context = await memory.context(ASKED, session="s", project=secret)
    assert context.text == ""
    assert ".aftermindignore names it (secret-client/)" in context.withheld
    for place in (secret, secret / "deep"):
        with pytest.raises(OffLimits, match="names it"):
            await memory.record(ASKED, "8081", session="s", project=place)
        for asked in (deliver("prompt", "", prompt=ASKED), deliver("turn", "", prompt=ASKED, answer="so")):
            named = Deliver(client="json", event=asked.event, payload=asked.payload, directory=str(place))
            assert (await memory.ask(named)).text == ""
    ended = json.dumps({"session_id": "s", "cwd": str(secret), "reason": "secret"}).encode()
    for asked in (
        Deliver(client="claude-code", event="end", payload=ended, directory=str(repo)),
        Brief(prompt=ASKED, session="s", project=secret.as_uri()),
        Deliver(client="json", event="turn", payload=deliver("turn", prompt="p", answer="a").payload,
                directory=str(secret)),  # the payload names another project
    ):  # fmt: skip
        assert (await memory.ask(asked)).text == ""
    for request in (Remember, Recall):
        text = {"text": "a fact"} if request is Remember else {"query": "a fact"}
        with pytest.raises(OffLimits):
            await memory.ask(request(project=str(secret), asked_by="assistant", **text))
    with pytest.raises(OffLimits):
        await memory.ask(Remember(text="a fact for all", within=str(secret), asked_by="assistant"))
    with pytest.raises(OffLimits):
        await memory.ingest(secret / "book.md", [], title="A book", project=repo)
    assert await head(memory) == before
    assert "8081" in (await memory.context(ASKED, session="s", project=repo)).text
    (repo / ".aftermindignore").write_text("*\n")
    assert "names it (*)" in (await memory.context(ASKED, session="s", project=repo)).withheld
    (repo / ".aftermindignore").unlink()
    assert (await memory.record("another", "8081", session="s", project=secret)).delivery == "new"


async def test_of_a_tool_that_touched_what_is_off_limits_only_its_name_is_kept(memory, tmp_path):
    from aftermind.engine.events import ToolUse

    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / ".aftermindignore").write_text("secret/\n*.key\n")
    touched = ("secret/plan.md", str(tmp_path / "repo" / "secret"), "./a.key", f"file://{tmp_path}/repo/a.key")
    tools = [ToolUse(name="read", paths=(path,), ok=False, error="quokka") for path in touched]
    tools.append(ToolUse(name="read", paths=("plan.md", "/etc/hosts"), ok=False, error="gone"))
    await memory.record("p", "a", session="s", project=tmp_path / "repo", tools=tools)
    (draft,) = await recorded(memory, ExchangeRecorded)
    hidden = ToolUse(name="read", paths=("[off limits]",), ok=False, error="[off limits]")
    assert draft.event.tools == (*[hidden] * len(touched), tools[-1])


async def test_only_sessions_of_what_was_captured_are_known(memory):
    await memory.pause()
    await memory.context(ASKED, session="s", project="shop")
    assert await recorded(memory, SessionStarted) == await recorded(memory, SessionEnded) == []
