"""What step by step was kept of a text elsewhere goes with it: in a memory it was merged into, in checkpoints of other
sessions, in a project somebody went over into, in why something was shown."""

from __future__ import annotations

from pathlib import Path

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.keeping import Consolidate, Detailing, Keep, Reminding
from aftermind.cli.language.requests import EndSession, NoteTool
from aftermind.cli.language.sessions import (
    AskGate,
    BeginSession,
    CloseSession,
    ListSessions,
    ResumeSession,
    ShowSession,
    WriteCheckpoint,
)
from aftermind.cli.language.undoing import Undo
from aftermind.engine.errors import Unusable
from aftermind.engine.events import SessionEnded, ToolUse
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.policy import Gate, Policy
from aftermind.engine.stamp import Stamp
from aftermind.engine.views.comparing import compared
from aftermind.projections.catalog import ALL
from tests.erased import holding
from tests.opened import Clock

pytestmark = pytest.mark.anyio
SHOP, BILLING = "shop", "billing"
WORD = "quokkaparade"


async def forgotten(memory: OpenMemory, **selection) -> None:
    begun = await memory.ask(ForgetAll(selection=Selection(**selection)))
    await memory.ask(Erasing(run=begun.run, seconds=60.0))


async def same_when_rebuilt(memory: OpenMemory) -> None:
    await memory.caught_up()
    async with sqlite_log_reader(memory.folder / "log.db") as log:
        assert (await compared(memory.folder, log, ALL, lambda _done, _total: None)).differs is None


async def merged(memory: OpenMemory, clock: Clock) -> tuple[str, str]:
    """Two that say the same, of which one inherited what stands behind the other."""
    old = await memory.remember("The port of staging is 8081", kind="configuration", project=SHOP)
    await memory.ask(Keep(id=old, says=(Detailing(why=f"the {WORD}", learned=f"no {WORD}"),)))
    clock.wait(days=1)
    due = Reminding(due=clock.time.replace(year=clock.time.year + 1), said=f"after the {WORD}")
    await memory.ask(Keep(id=old, says=(due,)))
    new = await memory.remember("Staging's port is 8081", kind="configuration", project=SHOP)
    assert (await memory.ask(Consolidate(project=SHOP, apply=True))).memories == 1
    assert WORD in (await memory.show(new)).answer
    return old, new


@pytest.mark.parametrize("since", ["nothing", "more was said", "it was undone", "merged again"])
async def test_what_one_inherited_of_another_goes_with_that(
    memory: OpenMemory, folder: Path, clock: Clock, since: str
) -> None:
    old, new = await merged(memory, clock)
    if since == "more was said":
        await memory.ask(Keep(id=new, says=(Detailing(what="The port"),)))
    elif since == "it was undone":
        await memory.ask(Undo())
    elif since == "merged again":
        clock.wait(days=1)
        new = await memory.remember("The port of  staging is 8081.", kind="configuration", project=SHOP)
        assert (await memory.ask(Consolidate(project=SHOP, apply=True))).memories == 1
        assert WORD in (await memory.show(new)).answer
    await forgotten(memory, ids=(old,))
    assert holding(folder, WORD) == {}
    left = await memory.show(new)
    assert (left.status, left.answer) == ("live", "What: The port" if since == "more was said" else "")
    await same_when_rebuilt(memory)


async def test_one_that_was_reworded_since_it_inherited_goes_along(
    memory: OpenMemory, folder: Path, clock: Clock
) -> None:
    old, new = await merged(memory, clock)
    await memory.correct(new, "Staging listens on 9090")
    await forgotten(memory, ids=(old,))
    assert holding(folder, WORD) == {}
    await same_when_rebuilt(memory)


async def test_a_checkpoint_of_another_session_that_says_the_same_words_goes_with_them(
    memory: OpenMemory, folder: Path
) -> None:
    prompt, fact = f"Where does the {WORD} begin tomorrow?", f"The {WORD} begins at the harbour"
    asked = await memory.record(prompt, "At the harbour.", session="s1", project=SHOP)
    stated = await memory.remember(fact, kind="decision", project=SHOP)
    await memory.ask(ResumeSession(session="s1", project=SHOP, into="s2"))
    await memory.ask(WriteCheckpoint(session="s2", project=SHOP, goal=prompt.upper()))
    await memory.ask(WriteCheckpoint(session="s3", project=SHOP, decisions=(f"We said:  {fact}, as ever",)))
    await memory.ask(WriteCheckpoint(session="s3", project=SHOP, done=("the harbour",)))
    await memory.forget(asked.memory)
    await memory.forget(stated)
    assert holding(folder, WORD) == {}
    assert (await memory.ask(ShowSession(session="s3"))).work.done == ("the harbour",)
    await same_when_rebuilt(memory)


async def test_what_was_done_in_a_project_that_a_session_did_not_begin_in_is_forgotten_with_it(
    memory: OpenMemory, folder: Path
) -> None:
    for session, project in (("s1", SHOP), ("s2", SHOP), ("s3", BILLING)):
        await memory.context("Add a login", session=session, project=project)
    await memory.ask(NoteTool(session="s1", project=BILLING, tool=ToolUse(name="Edit", paths=(f"{WORD}.py",))))
    await memory.ask(WriteCheckpoint(session="s2", project=BILLING, pending=(WORD,)))
    await forgotten(memory, projects=(BILLING,))
    assert holding(folder, WORD) == {}
    assert {one.id for one in await memory.ask(ListSessions(all=True))} >= {"s1", "s2"}
    await same_when_rebuilt(memory)


async def test_why_a_session_ended_is_a_word_and_never_a_text(memory: OpenMemory, folder: Path) -> None:
    await memory.ask(BeginSession(session="s1", project=SHOP))
    with pytest.raises(Unusable, match="one word"):
        await memory.ask(CloseSession(session="s1", reason=f"because of the {WORD}"))
    await memory.ask(EndSession(session="s1", reason=f"because of the {WORD}"))
    (ended,) = [one.draft.event for one in await memory.events() if isinstance(one.draft.event, SessionEnded)]
    assert ended.reason == "other"
    assert holding(folder, WORD) == {}


async def test_why_a_rule_was_shown_before_a_tool_does_not_say_the_rule(
    folder: Path, stamp: Stamp, clock: Clock
) -> None:
    async with aftermind.open_memory(folder, stamp=stamp, policy=Policy(gate=Gate(rules=True))) as memory:
        rule = await memory.remember(f"On {WORD}: run make check", kind="directive", project=SHOP)
        await memory.context("Go on", session="s1", project=SHOP)
        told = await memory.ask(AskGate(session="s1", project=SHOP, doing=f"Bash {WORD}"))
        assert "make check" in told.text
        await memory.forget(rule)
        assert holding(folder, WORD) == {}
