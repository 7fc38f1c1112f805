"""What a client's hooks told when it was said, and its transcript tells again: kept once, whichever came first."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.hooks import HERE, PROMPT
from tests.telling import Told, opened

from aftermind.cli.importing.claude import exchanges
from aftermind.cli.importing.exchange import Imported
from aftermind.cli.importing.intake import Counts, taken_in
from aftermind.cli.language.erasing import ForgetAll, Selection
from aftermind.engine.events import ExchangeRecorded, ExchangeRevised, PromptReceived

pytestmark = pytest.mark.anyio
S, P = "8f2f6a51-6c1e-4f0e-9c2f-0b7d3e1a5c44", "c0a7e3d2-91b4-4a6e-8f35-2d1c7b9e6f10"


@pytest.fixture
async def told(tmp_path: Path) -> AsyncIterator[Told]:
    async with opened(tmp_path / "store") as found:
        yield found


class Transcript:
    """A session's file, line by line; `old` as it was before prompts had ids that hooks are told too."""

    def __init__(self, folder: Path, session: str = S, *, old: bool = False) -> None:
        self.file, self._session, self._old = folder / f"{session}.jsonl", session, old
        self._lines: list[dict[str, Any]] = []

    def prompt(self, text: str = PROMPT, *, id: str = P, at: datetime | None = None, **more: Any) -> None:
        ids = {} if self._old else {"promptId": id}
        self._add("user", {"role": "user", "content": text}, at, **ids, **more)

    def answer(self, *texts: str, id: str = P, **more: Any) -> None:
        for text in texts:
            said = {"id": "msg_1", "role": "assistant", "content": [{"type": "text", "text": text}]}
            self._add("assistant", said, **more)
        result = [{"type": "tool_result", "tool_use_id": "t", "content": "…"}]
        self._add("user", {"role": "user", "content": result}, **({} if self._old else {"promptId": id}), **more)

    def _add(self, type: str, message: dict[str, Any], at: datetime | None = None, **more: Any) -> None:
        line = {
            "parentUuid": None,
            "isSidechain": False,
            "userType": "external",
            "cwd": HERE,
            "sessionId": self._session,
            "version": "2.1.240",
            "type": type,
            "message": message,
            "uuid": f"{self._session}-{len(self._lines)}",
            "timestamp": (at or datetime.now(UTC)).isoformat(),
        }
        self._lines.append({**line, **more})
        self.file.write_text("".join(json.dumps(one) + "\n" for one in self._lines), encoding="utf-8")


async def imported(told: Told, path: Path) -> Counts:
    return await taken_in(told.memory, exchanges(path, lambda _: None))


@pytest.mark.parametrize("old", [False, True], ids=["with prompt ids", "as it was before"])
async def test_what_a_hook_saw_is_not_imported_again(told, tmp_path, old):
    """Though the hook told the last words alone, and the transcript tells all of them."""
    ids: dict[str, Any] = {"prompt_id": None} if old else {}
    await told("claude-code", "UserPromptSubmit", **ids)
    await told("claude-code", "Stop", last_assistant_message="Done.", **ids)
    transcript = Transcript(tmp_path, old=old)
    transcript.prompt()
    transcript.answer("Let me look.", "Done.")
    counts = await imported(told, transcript.file)
    assert (counts.new, counts.revised) == (0, 1)
    exchange = await told.exchange()
    (whole,) = await told.events(ExchangeRevised)
    assert (exchange.answer, whole.answer) == ("Done.", "Let me look.\nDone.")
    assert (await imported(told, transcript.file)).repeated == 1
    head = (await told.memory.state()).head
    await told("claude-code", "Stop", last_assistant_message="Done.", **ids)
    assert (await told.memory.state()).head == head


@pytest.mark.parametrize("closed", ["listed", "below it", "paused"])
@pytest.mark.parametrize("filed", [None, "elsewhere"])
async def test_what_was_answered_where_nothing_is_captured_is_not_imported(told, tmp_path, closed, filed):
    """The assistant went there after the prompt; the hook that told so was refused."""
    asked, there = tmp_path / "asked", tmp_path / ("asked/secret" if closed == "below it" else "there")
    asked.mkdir()
    there.mkdir()
    if closed == "paused":
        await told.memory.pause(there)
    else:
        (there.parent / ".aftermindignore").write_text(f"{there.name}/\n")
    await told("claude-code", "UserPromptSubmit", cwd=str(asked))
    await told("claude-code", "Stop", cwd=str(there), last_assistant_message="The answer.")
    assert await told.events(ExchangeRecorded) == []
    transcript = Transcript(tmp_path)
    transcript.prompt(cwd=str(asked))
    transcript.answer("Let me look.", cwd=str(asked))
    transcript.answer("The answer.", cwd=str(there))
    counts = await taken_in(told.memory, exchanges(transcript.file, lambda _: None), filed)
    assert (counts.new, counts.off_limits) == (0, 1)
    if closed == "paused":  # what was said in the pause stays out when it is over
        await told.memory.resume(there)
        assert (await imported(told, transcript.file)).off_limits == 1


@pytest.mark.parametrize("old", [False, True], ids=["with prompt ids", "as it was before"])
async def test_what_is_known_is_not_imported_again_when_its_repository_has_moved(told, tmp_path, old):
    """By hooks, and nothing is appended, though its folder is gone and tells of no repository any more."""
    ids: dict[str, Any] = {"prompt_id": None} if old else {}
    repository(tmp_path / "here")
    where = str(tmp_path / "here" / "sub")
    await told("claude-code", "UserPromptSubmit", cwd=where, **ids)
    await told("claude-code", "Stop", cwd=where, last_assistant_message="Done.", **ids)
    transcript = Transcript(tmp_path, old=old)
    transcript.prompt(cwd=where)
    transcript.answer("Done.", cwd=where)
    assert (await imported(told, transcript.file)).repeated == 1
    head = (await told.memory.state()).head
    (tmp_path / "here").rename(tmp_path / "there")
    assert (await imported(told, transcript.file)).repeated == 1
    elsewhere = await taken_in(told.memory, exchanges(transcript.file, lambda _: None), "another")
    assert elsewhere.repeated == 1
    assert (await told.memory.state()).head == head


@pytest.mark.parametrize("forgotten", ["memory", "project"])
async def test_what_was_forgotten_is_not_imported_when_its_repository_has_moved(told, tmp_path, forgotten):
    repository(tmp_path / "here")
    where = str(tmp_path / "here" / "sub")
    await told("claude-code", "UserPromptSubmit", cwd=where)
    await told("claude-code", "Stop", cwd=where, last_assistant_message="Done.")
    (memory,) = [one.id for one in await told.memory.latest(project=tmp_path / "here")]
    if forgotten == "memory":
        await told.memory.forget(memory)
    else:
        await told.memory.ask(ForgetAll(selection=Selection(projects=(where,))))
    head = (await told.memory.state()).head
    transcript = Transcript(tmp_path)
    transcript.prompt(cwd=where)
    transcript.answer("Done.", cwd=where)
    (tmp_path / "here").rename(tmp_path / "there")
    assert (await imported(told, transcript.file)).repeated == 1
    assert (await told.memory.state()).head == head


@pytest.mark.parametrize("answered", [True, False])
async def test_what_was_forgotten_of_a_turn_without_a_name_is_not_imported_and_its_neighbours_are(
    told, tmp_path, answered
):
    """The client told hooks no id of the prompt: session and time are all that is left of it."""
    ids: dict[str, Any] = {"prompt_id": None}
    await told("claude-code", "UserPromptSubmit", prompt="the quokka", **ids)
    if answered:
        await told("claude-code", "Stop", last_assistant_message="The quokka it is.", **ids)
    (prompt,) = [one for one in await told.memory.events() if isinstance(one.draft.event, PromptReceived)]
    await told.memory.ask(ForgetAll(selection=Selection(events=(prompt.draft.id,))))
    await told("claude-code", "UserPromptSubmit", prompt="another one", **ids)
    head = (await told.memory.state()).head
    transcript = Transcript(tmp_path, old=True)
    transcript.prompt("long before", at=prompt.draft.at - timedelta(minutes=5))
    transcript.answer("It was.")
    transcript.prompt("the quokka", at=prompt.draft.at)
    transcript.answer("The quokka it is.")
    transcript.prompt("another one")
    transcript.answer("So it is.")
    counts = await imported(told, transcript.file)
    assert (counts.new, counts.repeated) == (2, 1)
    said = [one.draft.event for one in await told.memory.events(head)]
    assert [one.prompt for one in said if isinstance(one, ExchangeRecorded)] == ["long before", "another one"]


async def test_two_projects_may_use_one_sessions_name_and_ids(told):
    """And what is forgotten in one of them is no word about the other, which was said at another time."""
    now = datetime.now(UTC)
    for project, answer in (("shop", "8081"), ("blog", "8082")):
        line = Imported(session="s1", id="1", prompt="Which port?", answer=answer, project=project, at=now)
        assert (await taken_in(told.memory, [line])).new == 1
    for project, answer in (("shop", "Yes"), ("blog", "Yes, and more")):  # without a time
        line = Imported(session="s1", id="2", prompt="Is it up?", answer=answer, project=project)
        assert (await taken_in(told.memory, [line])).new == 1
    (memory,) = [one.id for one in await told.memory.latest(project="shop") if one.text == "Which port?"]
    await told.memory.forget(memory)
    before = Imported(session="s1", id="1", prompt="Which port?", answer="80", at=now - timedelta(days=1))
    assert (await taken_in(told.memory, [before], "third")).new == 1
    again = Imported(session="s1", id="1", prompt="Which port?", answer="8081", at=now)
    assert (await taken_in(told.memory, [again], "fourth")).repeated == 1


def repository(folder: Path) -> None:
    (folder / "sub").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")


async def test_what_was_said_in_a_pause_is_not_imported_into_another_project(told, tmp_path):
    await told.memory.pause(tmp_path)
    transcript = Transcript(tmp_path)
    transcript.prompt(cwd=str(tmp_path))
    transcript.answer("The answer.", cwd=str(tmp_path))
    counts = await taken_in(told.memory, exchanges(transcript.file, lambda _: None), "elsewhere")
    assert (counts.new, counts.off_limits) == (0, 1)


async def test_an_answer_the_transcript_tells_otherwise_is_the_same_exchange(told, tmp_path):
    await told("claude-code", "UserPromptSubmit", prompt_id=None)
    for answer in ("One.", "Two."):
        await told("claude-code", "Stop", last_assistant_message=answer, prompt_id=None)
    transcript = Transcript(tmp_path, old=True)
    transcript.prompt()
    transcript.answer("One.", "Something between.", "Two.")
    counts = await imported(told, transcript.file)
    assert (counts.new, counts.repeated, counts.different) == (0, 1, 0)


async def test_the_same_words_at_another_time_or_that_no_hook_saw_are_another_exchange(told, tmp_path):
    await told("claude-code", "UserPromptSubmit", prompt="go on", prompt_id=None)
    await told("claude-code", "Stop", last_assistant_message="Gone on.", prompt_id=None)
    transcript = Transcript(tmp_path, old=True)
    now = datetime.now(UTC)
    for ago, answer in ((timedelta(hours=2), "Then."), (timedelta(minutes=10), "Later."), (timedelta(), "Gone on.")):
        transcript.prompt("go on", at=now - ago)
        transcript.answer(answer)
    transcript.prompt("what else?")
    transcript.answer("Nothing.")
    counts = await imported(told, transcript.file)
    assert (counts.new, counts.repeated) == (3, 1)
    assert len(await told.events(ExchangeRecorded)) == 4


async def test_a_prompt_that_was_broken_off_takes_nobody_elses_exchange(told, tmp_path):
    """Both said the same; the second was answered."""
    for answer in (None, "The answer."):
        await told("claude-code", "UserPromptSubmit", prompt="go on", prompt_id=None)
        if answer:
            await told("claude-code", "Stop", last_assistant_message=answer, prompt_id=None)
    first, second = [one.draft.at for one in await told.memory.events() if isinstance(one.draft.event, PromptReceived)]
    transcript = Transcript(tmp_path, old=True)
    transcript.prompt("go on", at=first)
    transcript.answer("Half an answ")
    transcript.prompt("go on", at=second)
    transcript.answer("The answer.")
    counts = await imported(told, transcript.file)
    assert (counts.new, counts.repeated) == (1, 1)


async def test_what_was_imported_is_not_recorded_again_by_the_hook_that_ends_its_turn(told, tmp_path):
    """The hooks were installed in the middle of it."""
    transcript = Transcript(tmp_path)
    transcript.prompt()
    transcript.answer("Let me look.")
    assert (await imported(told, transcript.file)).new == 1
    await told("claude-code", "Stop", last_assistant_message="Done.")
    exchange = await told.exchange()
    (whole,) = await told.events(ExchangeRevised)
    assert (exchange.prompt, whole.answer) == (PROMPT, "Let me look.\n\nDone.")


async def test_what_was_imported_by_its_lines_id_is_not_imported_again_by_its_prompts(told, tmp_path):
    """By a version that knew of the one alone."""
    transcript = Transcript(tmp_path)
    transcript.prompt()
    transcript.answer("Done.")
    (one,) = exchanges(transcript.file, lambda _: None)
    same = {"session": one.session, "project": one.project, "at": one.at}
    await told.memory.record(one.prompt, one.answer, id=one.also[0], **same)
    assert (await imported(told, transcript.file)).repeated == 1


async def test_lines_of_one_prompt_are_told_apart(told, tmp_path):
    transcript = Transcript(tmp_path)
    transcript.prompt()
    transcript.answer("Done.")
    transcript.prompt("and what else?")
    transcript.answer("Nothing.")
    for new, repeated in ((2, 0), (0, 2)):
        counts = await imported(told, transcript.file)
        assert (counts.new, counts.repeated) == (new, repeated)


async def test_a_fork_that_says_so_is_known_whatever_its_name(told, tmp_path):
    """Its copy comes before the original in the folder, and hooks saw the original."""
    await told("claude-code", "UserPromptSubmit")
    await told("claude-code", "Stop", last_assistant_message="Done.")
    folder = tmp_path / "transcripts"
    folder.mkdir()
    for session, copied in (("0-fork", {"forkedFrom": {"sessionId": S, "messageUuid": f"{S}-0"}}), (S, {})):
        transcript = Transcript(folder, session)
        transcript.prompt(**copied)
        transcript.answer("Done.")
    transcript.prompt("and then?", id="later")
    transcript.answer("Then that.", id="later")
    counts = await imported(told, folder)
    assert (counts.new, counts.repeated) == (1, 1)
