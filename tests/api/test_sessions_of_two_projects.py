"""A session in which somebody went from one project into another: each sees of it what was said there, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.requests import Brief, Checkpoint, EndSession, NoteTool
from aftermind.cli.language.sessions import ListSessions, RegrowPages, ResumeSession, ShowSession, WriteCheckpoint
from aftermind.engine.errors import NotFound
from aftermind.engine.events import CheckpointWritten, ToolUse
from aftermind.engine.stamp import Stamp

pytestmark = pytest.mark.anyio
HERE, THERE, ELSEWHERE = "shop", "billing", "elsewhere"
WORD = "zebrafinch"


async def went_over(memory: OpenMemory) -> None:
    """Begun here, gone on there."""
    await memory.context("Add a login", session="s1", project=HERE)
    await memory.ask(NoteTool(session="s1", project=HERE, tool=ToolUse(name="Edit", paths=("login.py",))))
    await memory.record("Add a login", "Done.", session="s1", project=HERE)
    await memory.context(f"Where is the {WORD}?", session="s1", project=THERE)
    await memory.ask(NoteTool(session="s1", project=THERE, tool=ToolUse(name="Edit", paths=(f"/src/{WORD}.py",))))
    await memory.record(f"Where is the {WORD}?", f"The {WORD} is gone.", session="s1", project=THERE)
    await memory.remember(f"The {WORD} was sold", session="s1", project=THERE)


async def seen_from(memory: OpenMemory, project: str) -> str:
    """All an assistant of a project, and one that begins there, can be told of sessions."""
    asked = [
        ListSessions(project=project, within=project),
        ListSessions(project=project, all=True, within=project),
        ListSessions(project=project, query=WORD, within=project),
        ResumeSession(project=project, into="s9", within=project),
        Brief(session="s8", project=project),
    ]
    told = [str(await memory.ask(one)) for one in asked]
    for one in (ShowSession(session="s1", within=project), ResumeSession(session="s1", within=project)):
        try:
            told.append(str(await memory.ask(one)))
        except NotFound:
            told.append("")
    return "\n".join(told)


async def test_what_was_said_in_one_project_is_told_in_no_other(memory: OpenMemory) -> None:
    await went_over(memory)
    say = {"goal": f"The {WORD}", "pending": (f"feed the {WORD}",), "decisions": (f"a {WORD}",), "text": f"{WORD}!"}
    written = await memory.ask(WriteCheckpoint(session="s1", project=HERE, goal="A login", by="assistant"))
    await memory.ask(WriteCheckpoint(session="s1", project=THERE, **say))
    await memory.context(f"Who has the {WORD}?", session="s1", project=THERE)
    assert WORD not in str(written)
    assert "A login" not in str(await memory.ask(WriteCheckpoint(session="s1", project=THERE, done=("x",))))
    for project in (HERE, ELSEWHERE):
        assert WORD not in await seen_from(memory, project)
    (one,) = [one for one in await memory.ask(ListSessions(project=HERE, within=HERE)) if one.id == "s1"]
    assert (one.goal, one.checkpoints) == ("A login", 1)
    assert (await memory.ask(ShowSession(session="s1"))).work.pending == (f"feed the {WORD}",)  # a person sees all


async def test_a_person_goes_on_with_what_was_said_here_and_reads_all_of_it_by_its_id(memory: OpenMemory) -> None:
    await went_over(memory)
    await memory.ask(WriteCheckpoint(session="s1", project=HERE, goal="A login"))
    (one,) = await memory.ask(ListSessions(project=THERE))
    assert one.id == "s1"
    assert [one.id for one in await memory.ask(ListSessions(project=THERE, query=WORD))] == ["s1"]
    assert await memory.ask(ListSessions(project=HERE, query=WORD)) == ()
    for named in (None, "s1"):
        here = await memory.ask(ResumeSession(session=named, project=HERE))
        assert ("login" in here.text, WORD in here.text) == (True, False)
        there = await memory.ask(ResumeSession(session=named, project=THERE))
        assert ("login" in there.text, WORD in there.text) == (False, True)
    elsewhere = await memory.ask(ResumeSession(session="s1", project=ELSEWHERE))
    assert "login" in elsewhere.text
    assert WORD in elsewhere.text


async def test_there_is_a_page_in_each_project_of_what_was_said_there(folder: Path, stamp: Stamp) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await went_over(memory)
        await memory.ask(WriteCheckpoint(session="s1", project=HERE, goal="A login"))
        assert (await memory.ask(RegrowPages())).pages == 2
    pages = {path.parent.name.split("-")[0]: path.read_text() for path in (folder / "sessions").rglob("*.md")}
    assert {name: (WORD in text, "Add a login" in text) for name, text in pages.items()} == {
        HERE: (False, True),
        THERE: (True, False),
    }
    assert f"project: {THERE}" in pages[THERE].replace('"', "")


async def test_the_daemon_quotes_what_was_said_in_a_project_for_that_one(memory: OpenMemory) -> None:
    await went_over(memory)
    await memory.ask(Checkpoint(session="s1", project=THERE, moment="before", text=f"keep the {WORD}", trigger="auto"))
    await memory.context("Now the logout", session="s1", project=HERE)
    await memory.record("Now the logout", "Done.", session="s1", project=HERE)
    await memory.ask(EndSession(session="s1", reason="logout"))
    assert WORD not in await seen_from(memory, HERE)
    events = [one.draft.event for one in await memory.events() if isinstance(one.draft.event, CheckpointWritten)]
    assert [(one.moment, one.done) for one in events if WORD not in str(one)] == [
        ("before", ("Add a login",)),
        ("end", ("Now the logout",)),
    ]
    (there,) = [one for one in events if WORD in str(one)]
    assert (there.moment, there.files, there.text) == ("before", (f"/src/{WORD}.py",), f"keep the {WORD}")


async def test_what_was_left_in_the_other_project_is_gone_on_with_there(memory: OpenMemory) -> None:
    await went_over(memory)
    await memory.ask(WriteCheckpoint(session="s1", project=THERE, goal=f"The {WORD}", pending=("feed it",)))
    (one,) = await memory.ask(ListSessions(project=THERE, within=THERE))
    assert (one.id, one.goal, one.directory) == ("s1", f"The {WORD}", "")
    resumed = await memory.ask(ResumeSession(project=THERE, into="s9", within=THERE))
    assert (resumed.session, "feed it" in resumed.text, "login" in resumed.text) == ("s1", True, False)
    assert f"The {WORD}" in (await memory.context(None, session="s7", project=THERE)).text
    told = await memory.ask(ShowSession(session="s1", within=THERE))
    assert ([turn.prompt for turn in told.turns], told.changed) == (
        [f"Where is the {WORD}?"],
        (f"/src/{WORD}.py",),
    )
