"""Checkpoints: written by whoever says where the work stands, and by the daemon where nobody does; and forgotten."""

from __future__ import annotations

import os
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.rebuilding import Rebuild, Rebuilt
from aftermind.cli.language.requests import Brief, Checkpoint, EndSession, NoteTool
from aftermind.cli.language.sessions import (
    BeginSession,
    CloseSession,
    ListSessions,
    ResumeSession,
    ShowSession,
    WriteCheckpoint,
)
from aftermind.engine.errors import NotFound, OffLimits, Unusable
from aftermind.engine.events import CheckpointWritten, ToolUse
from aftermind.engine.names import EventId
from aftermind.engine.stamp import Stamp
from tests.api.test_carrying import bring, export
from tests.erased import holding
from tests.opened import Clock

pytestmark = pytest.mark.anyio
SHOP = "shop"
WORD = "quokkaparade"


async def written(memory: OpenMemory) -> list[CheckpointWritten]:
    return [one.draft.event for one in await memory.events() if isinstance(one.draft.event, CheckpointWritten)]


async def worked(memory: OpenMemory, prompt: str, session: str = "s1", file: str = "limits.py") -> str:
    await memory.context(prompt, session=session, project=SHOP)
    await memory.ask(NoteTool(session=session, project=SHOP, tool=ToolUse(name="Edit", paths=(file,))))
    exchange = await memory.record(prompt, "Done.", session=session, project=SHOP)
    return exchange.memory


async def test_a_checkpoint_goes_into_the_session_that_was_last_alive(memory: OpenMemory) -> None:
    for session in ("s1", "s2"):
        await memory.ask(BeginSession(session=session, project=SHOP))
    await memory.ask(BeginSession(session="s2.agent", project=SHOP))
    assert (await memory.ask(WriteCheckpoint(project=SHOP, goal="A"))).session == "s2"
    assert (await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="B"))).session == "s1"
    assert (await memory.ask(WriteCheckpoint(project="elsewhere", goal="C"))).session.startswith("cli-")


async def test_of_two_assistants_at_work_each_writes_into_its_own_session(memory: OpenMemory) -> None:
    await memory.ask(BeginSession(session="c1", project=SHOP, client="cursor"))
    await memory.ask(BeginSession(session="o1", project=SHOP, client="opencode"))
    assert (await memory.ask(WriteCheckpoint(project=SHOP, client="cursor", goal="A"))).session == "c1"
    assert (await memory.ask(WriteCheckpoint(project=SHOP, client="opencode", goal="B"))).session == "o1"
    assert (await memory.ask(WriteCheckpoint(project=SHOP, client="gemini", goal="C"))).session == "o1"  # somebody's
    assert (await memory.ask(WriteCheckpoint(project=SHOP, goal="D"))).session == "o1"


async def test_what_ended_is_written_into_by_its_id_alone_and_of_who_types_it_goes_on(memory: OpenMemory) -> None:
    await memory.ask(BeginSession(session="s1", project=SHOP, client="cursor"))
    await memory.ask(CloseSession(session="s1"))
    asked = WriteCheckpoint(project=SHOP, goal="A")
    for _ in range(2):
        mine = (await memory.ask(asked)).session
        assert mine.startswith("cli-")
        (alive,) = await memory.ask(ListSessions(project=SHOP, active=True))
        assert alive.id == mine
        await memory.ask(CloseSession(session=mine))
    assert (await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="B"))).session == "s1"
    assert await memory.ask(ListSessions(project=SHOP, active=True)) == ()  # it may be its last word


async def test_a_session_with_a_dot_in_its_id_is_a_subagents_only_where_there_is_the_one_before_the_dot(memory) -> None:
    await memory.ask(BeginSession(session="s1", project=SHOP))
    await memory.ask(BeginSession(session="2026.11", project=SHOP))
    assert (await memory.ask(WriteCheckpoint(project=SHOP, goal="A"))).session == "2026.11"


async def test_the_same_request_delivered_twice_writes_one(memory: OpenMemory) -> None:
    key, asked = EventId("0190" + "a1" * 14), WriteCheckpoint(session="s1", project=SHOP, done=("it",))
    assert await memory.ask(asked, key) == await memory.ask(asked, key)
    assert len(await written(memory)) == 1


async def test_a_file_is_told_once_however_it_was_named_and_after_a_compaction(memory: OpenMemory, tmp_path) -> None:
    folder = str(tmp_path)
    edit = NoteTool(session="f1", project=folder, tool=ToolUse(name="Edit", paths=(f"{folder}/src/a.py",)))
    await memory.ask(BeginSession(session="f1", project=folder))
    for _ in range(2):
        await memory.ask(edit)
        await memory.ask(Checkpoint(session="f1", project=folder, moment="before"))
    await memory.ask(WriteCheckpoint(session="f1", project=folder, files=(f"{folder}/src/a.py", "b.py")))
    assert [one.files for one in await written(memory)][:2] == [("src/a.py",), ("src/a.py",)]
    assert (await memory.ask(ShowSession(session="f1"))).changed == ("src/a.py", "b.py")


async def test_pending_is_all_that_is_and_an_empty_list_says_that_nothing_is(memory: OpenMemory) -> None:
    say = {"session": "s1", "project": SHOP}
    await memory.ask(WriteCheckpoint(**say, pending=("a", "b", "c")))
    assert (await memory.ask(WriteCheckpoint(**say, done=("b",)))).work.pending == ("a", "c")
    assert (await memory.ask(WriteCheckpoint(**say, decisions=("d",)))).work.pending == ("a", "c")
    assert (await memory.ask(WriteCheckpoint(**say, pending=("c", "e")))).work.pending == ("c", "e")
    assert (await memory.ask(WriteCheckpoint(**say, pending=("e",), done=("e",)))).work.pending == ("e",)
    work = (await memory.ask(WriteCheckpoint(**say, pending=()))).work
    assert (work.pending, work.done, work.decisions, work.checkpoints) == ((), ("b", "e"), ("d",), 6)


@pytest.mark.parametrize("more", [{}, {"goal": "  "}, {"pending": None, "done": ("",)}])
async def test_a_checkpoint_that_says_nothing_is_refused(memory: OpenMemory, more) -> None:
    with pytest.raises(Unusable, match="nothing to say"):
        await memory.ask(WriteCheckpoint(project=SHOP, **more))
    with pytest.raises(Unusable, match="100 things done"):
        await memory.ask(WriteCheckpoint(project=SHOP, done=("x",) * 101))


async def test_secrets_and_private_text_do_not_persist_in_a_checkpoint(memory: OpenMemory, folder: Path) -> None:
    key = "ghp_" + "x7Kq" * 9
    private = f"<private>{WORD}</private>"
    fields = {name: (f"{name} {key} {private}",) for name in ("done", "pending", "decisions", "files", "references")}
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal=f"goal {key}", text=f"text {private}", **fields))
    with pytest.raises(OffLimits):
        await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal=private))
    told = await memory.ask(ShowSession(session="s1"))
    assert key not in str(told)
    assert WORD not in str(told)
    assert holding(folder, key, WORD) == {}


async def test_before_a_compaction_the_daemon_writes_what_the_session_says(memory: OpenMemory) -> None:
    await worked(memory, "Add rate limiting")
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, decisions=("Redis",), pending=("Metrics",)))
    await worked(memory, "Use Redis for it", file="redis.py")
    await memory.context("Now the metrics", session="s1", project=SHOP)
    await memory.ask(Checkpoint(session="s1", project=SHOP, moment="before", trigger="auto", text="keep the limits"))
    *_, last = await written(memory)
    assert (last.moment, last.trigger, last.by, last.text) == ("before", "auto", "daemon", "keep the limits")
    assert (last.goal, last.done, last.files) == ("Add rate limiting", ("Use Redis for it",), ("redis.py",))
    told = await memory.ask(ShowSession(session="s1"))
    assert (told.work.pending, told.open) == (("Metrics",), "Now the metrics")
    await memory.ask(Checkpoint(session="s1", project=SHOP, moment="after", trigger="auto", text="We added limits."))
    assert (await memory.ask(ShowSession(session="s1"))).work.summary == "We added limits."


async def test_a_long_turn_that_is_compacted_twice_is_written_down_twice_and_each_once(memory: OpenMemory) -> None:
    asked = Checkpoint(session="s1", project=SHOP, moment="before", trigger="auto", message="prompt-1")
    await memory.context("Rewrite all of it", session="s1", project=SHOP)
    for file in ("first.py", "second.py"):
        await memory.ask(NoteTool(session="s1", project=SHOP, tool=ToolUse(name="Edit", paths=(file,))))
        await memory.ask(asked)
        await memory.ask(asked)
    assert [one.files for one in await written(memory) if one.files] == [("first.py",), ("second.py",)]


async def test_who_compacts_is_told_where_the_work_stands(memory: OpenMemory) -> None:
    await worked(memory, "Add rate limiting")
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, pending=("Metrics",)))
    told = await memory.ask(Brief(session="s1", project=SHOP, client="opencode", compacting=True))
    assert "- Metrics" in told.text.splitlines()
    assert "- limits.py" in told.text.splitlines()


async def test_at_a_sessions_end_the_daemon_writes_it_down_once(memory: OpenMemory) -> None:
    await worked(memory, "Add rate limiting")
    await memory.ask(EndSession(session="s1", reason="logout"))
    await memory.ask(EndSession(session="s1", reason="logout"))
    (only,) = await written(memory)
    assert (only.moment, only.by, only.done) == ("end", "daemon", ("Add rate limiting",))
    await memory.ask(CloseSession(session="s1", summary="It is merged"))
    *_, last = await written(memory)
    assert (last.moment, last.text, last.done) == ("end", "It is merged", ())


async def test_a_session_that_went_quiet_is_written_down_and_one_that_was_imported_is_not(
    folder: Path, stamp: Stamp, clock: Clock
) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await worked(memory, "Add rate limiting")
        await memory.record("long ago", "yes", session="old", project=SHOP, at=clock.time - timedelta(days=300))
        clock.wait(minutes=31)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        assert [(one.session, one.moment, one.done) for one in await written(memory)] == [
            ("s1", "end", ("Add rate limiting",))
        ]


@pytest.fixture
def work(tmp_path: Path, clock: Clock) -> Path:
    """A repository with a commit of a minute ago."""
    folder = tmp_path / "work"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    written_at(folder / "kept.py", clock.time)
    committed(folder, clock.time)
    clock.wait(minutes=1)
    return folder


def written_at(path: Path, at: datetime) -> None:
    path.write_text("x = 1\n")
    os.utime(path, (at.timestamp(), at.timestamp()))


def committed(work: Path, at: datetime) -> None:
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), at.isoformat())
    for words in (("add", "."), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "All")):
        subprocess.run(["git", "-C", str(work), *words], check=True, env={**os.environ, **dates})


async def asked(memory: OpenMemory, work: Path, session: str = "s1") -> None:
    await memory.context("Add rate limiting", session=session, project=work)
    await memory.record("Add rate limiting", "Done.", session=session, project=work)


async def test_where_no_tool_told_a_path_git_says_what_was_changed(
    memory: OpenMemory, clock: Clock, work: Path
) -> None:
    await asked(memory, work)
    written_at(work / "limits.py", clock.time)
    clock.wait(minutes=1)
    told = await memory.ask(ShowSession(session="s1"))
    assert (told.changed, told.by_git) == (("limits.py",), True)
    await memory.ask(EndSession(session="s1"))
    (only,) = await written(memory)
    assert only.files == ("limits.py",)


async def test_where_a_prompt_was_wholly_private_git_is_not_asked_what_was_changed_for_it(
    memory: OpenMemory, clock: Clock, work: Path
) -> None:
    await asked(memory, work)
    await memory.context("<private>write my notice</private>", session="s1", project=work)
    written_at(work / "notice.py", clock.time)
    clock.wait(minutes=1)
    await memory.ask(EndSession(session="s1"))
    (only,) = await written(memory)
    assert only.files == ()


async def test_what_was_changed_before_or_after_a_session_is_not_named_in_it(
    memory: OpenMemory, clock: Clock, work: Path
) -> None:
    written_at(work / "before.py", clock.time)
    clock.wait(minutes=5)
    await asked(memory, work)
    written_at(work / "limits.py", clock.time)
    clock.wait(minutes=1)
    await memory.ask(EndSession(session="s1"))
    clock.wait(minutes=5)
    written_at(work / "after.py", clock.time)
    assert (await memory.ask(ShowSession(session="s1"))).changed == ("limits.py",)
    await asked(memory, work, "s2")
    committed(work, clock.time)
    assert (await memory.ask(ShowSession(session="s1"))).changed == ("limits.py",)
    assert (await memory.ask(ShowSession(session="s2"))).changed[0] == "after.py", "which it committed"


async def test_what_two_sessions_may_have_changed_is_named_in_neither(
    memory: OpenMemory, clock: Clock, work: Path
) -> None:
    await asked(memory, work)
    await asked(memory, work, "s1.agent")
    clock.wait(minutes=1)
    written_at(work / "mine.py", clock.time)
    clock.wait(minutes=1)
    await asked(memory, work, "s2")
    clock.wait(minutes=1)
    written_at(work / "whose.py", clock.time)
    clock.wait(minutes=1)
    assert (await memory.ask(ShowSession(session="s1"))).changed == ("mine.py",)
    assert (await memory.ask(ShowSession(session="s2"))).changed == ()


async def test_a_file_that_is_off_limits_is_not_named_in_a_checkpoint(
    memory: OpenMemory, folder: Path, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    (work / "hush").mkdir(parents=True)
    (work / ".aftermindignore").write_text("hush/\n*.pem\n")
    files = (f"hush/{WORD}.txt", str(work / f"{WORD}.pem"), "limits.py", "half\x00", f"~/{'x' * 300}")
    for by in ("person", "assistant", "hook"):
        told = await memory.ask(WriteCheckpoint(session="s1", project=str(work), files=files, by=by))
        assert told.work.files[0] == "limits.py"
    assert holding(folder, WORD) == {}


# --- forgetting -----------------------------------------------------------------------------------------------


async def forgotten(memory: OpenMemory, **selection) -> None:
    begun = await memory.ask(ForgetAll(selection=Selection(**selection)))
    await memory.ask(Erasing(run=begun.run, seconds=60.0))


@pytest.mark.parametrize("field", ["goal", "text", "done", "pending", "decisions", "files", "references"])
async def test_no_delete_that_comes_back_every_field_of_a_checkpoint_is_erased(
    memory: OpenMemory, folder: Path, field: str
) -> None:
    said = f"the {WORD} {field}"
    more = {field: said if field in ("goal", "text") else (said,)}
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, **more))
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, done=("something else",)))
    events = [one.draft.id for one in await memory.events() if WORD in str(one.draft.event)]
    await forgotten(memory, events=tuple(events))
    told = await memory.ask(ShowSession(session="s1"))
    assert WORD not in str(told)
    assert told.work.done == ("something else",)
    assert holding(folder, WORD) == {}
    again = await memory.ask(WriteCheckpoint(session="s1", project=SHOP, **more))
    assert WORD in str(again.work)  # the same text can be written anew


async def test_what_the_daemon_quoted_goes_with_what_it_quotes(memory: OpenMemory, folder: Path) -> None:
    gone = await worked(memory, f"Where does the {WORD} begin?", file=f"src/{WORD}.py")
    await memory.ask(Checkpoint(session="s1", project=SHOP, moment="before", trigger="auto"))
    await worked(memory, "And the rest")
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="Parades", pending=("the end",)))
    await memory.ask(EndSession(session="s1"))
    await memory.forget(gone)
    assert holding(folder, WORD) == {}
    told = await memory.ask(ShowSession(session="s1"))
    assert (told.work.goal, told.work.pending, told.changed) == ("Parades", ("the end",), ("limits.py",))
    assert [turn.prompt for turn in told.turns] == ["And the rest"]


async def test_a_checkpoint_that_says_the_same_words_goes_with_them(memory: OpenMemory, folder: Path) -> None:
    prompt = f"Let the {WORD} begin at noon"
    gone = await worked(memory, prompt)
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, done=(f"Asked: {prompt}.",), goal="Parades"))
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, decisions=("At noon",)))
    await memory.forget(gone)
    assert holding(folder, WORD) == {}
    assert (await memory.ask(ShowSession(session="s1"))).work.decisions == ("At noon",)


async def test_a_session_that_is_forgotten_is_in_no_list_of_what_it_said(memory: OpenMemory, folder: Path) -> None:
    await worked(memory, f"The {WORD}")
    await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal=f"The {WORD}"))
    await memory.ask(CloseSession(session="s1", summary=f"The {WORD} was fine"))
    await forgotten(memory, sessions=("s1",))
    assert holding(folder, WORD) == {}
    assert (await memory.ask(ResumeSession(project=SHOP))).text == ""
    with pytest.raises(NotFound):
        await memory.ask(ShowSession(session="s1", within=SHOP))


async def test_a_second_index_out_of_step_is_none_what_is_searched_is_what_is_there(memory: OpenMemory) -> None:
    """Forgotten, corrected by a later one, grown anew: words are found where they stand and nowhere else."""
    for session, goal in (("s1", f"The {WORD}"), ("s2", "The otter"), ("s3", "The otter")):
        await memory.ask(WriteCheckpoint(session=session, project=SHOP, goal=goal))
    events = [one.draft.id for one in await memory.events() if WORD in str(one.draft.event)]

    async def found(query: str) -> list[str]:
        return [one.id for one in await memory.ask(ListSessions(project=SHOP, query=query))]

    assert (await found(WORD), await found("otters")) == (["s1"], ["s3", "s2"])
    await forgotten(memory, events=tuple(events))
    assert (await found(WORD), await found("otters")) == ([], ["s3", "s2"])
    begun = await memory.ask(Rebuild(views=("stands",)))
    await memory.ask(Rebuilt(run=begun.run, seconds=60.0))
    assert (await found(WORD), await found("otters")) == ([], ["s3", "s2"])
    await memory.ask(WriteCheckpoint(session="s2", project=SHOP, goal=f"The {WORD}"))
    assert await found(WORD) == ["s2"]


async def test_an_export_carries_where_the_work_stands(folder: Path, stamp: Stamp, tmp_path: Path) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await worked(memory, "Add rate limiting")
        await memory.ask(WriteCheckpoint(session="s1", project=SHOP, goal="Rate limiting", pending=("Tests",)))
        there = await memory.ask(ShowSession(session="s1", git=False))
    other = tmp_path / "other"
    await bring(other, await export(folder, tmp_path / "events.jsonl"))
    async with aftermind.open_memory(other, stamp=stamp) as memory:
        here = await memory.ask(ShowSession(session="s1", git=False))
    assert (here.work, here.stands, here.changed) == (there.work, there.stands, there.changed)
