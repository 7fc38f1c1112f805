"""What is forgotten takes along what was made of it, and nothing else: no lesson that only shares a judge's words with
it, no prompt of another turn; and of what is meant no part is left."""

from __future__ import annotations

from datetime import timedelta

import pytest

from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.cli.language.requests import Brief, EndTurn, Forget, NoteTool
from aftermind.engine.errors import NotFound
from aftermind.engine.events import PromptReceived, ToolUse, ToolUsed
from aftermind.engine.names import EventId
from aftermind.sidecar.ports import Case, Findings
from tests.api.test_learning import bank, learned
from tests.desks import MODEL, put, taken

pytestmark = pytest.mark.anyio
TALK = (
    ("I like dark mode in every editor", "The user prefers the dark theme", "web"),
    ("tabs not spaces here, as always", "The user prefers tabs over spaces", "web"),
    ("squash the commits before you merge", "The user prefers squashed commits", "shop"),
)


async def taught(memory, talk=TALK) -> dict[str, str]:
    """What a model learned of the talk, each in a session of its own; the lessons and where they are."""
    lessons: dict[EventId, str] = {}
    for number, (prompt, lesson, project) in enumerate(talk):
        told = await memory.record(prompt, "Done.", session=f"s{number}", project=project)
        await memory.end_session(f"s{number}")
        lessons[told.id] = lesson
    while isinstance(work := await taken(memory, MODEL), Case):
        lesson = lessons.get(work.exchange)
        said = (learned(lesson, kind="preference", evidence=work.prompt),) if lesson else ()
        assert await put(memory, work, Findings(outcome="worked", evidence=work.prompt, learned=said))
    return {text: one.id for project in ("web", "shop") for text, one in (await bank(memory, project)).items()}


async def test_another_lesson_stays_that_only_has_a_judges_words_in_common(memory):
    lessons = await taught(memory)
    assert {*lessons} == {lesson for _, lesson, _ in TALK}
    await memory.ask(Forget(id=lessons[TALK[0][1]], within="web"))
    assert {*await bank(memory, "web")} == {TALK[1][1]}
    assert {*await bank(memory, "shop")} == {TALK[2][1]}


async def test_a_lesson_of_another_project_or_of_before_was_not_learned_beside_it(memory):
    """The word is rare: only the lesson says it besides. But no judge had the memory before it."""
    early = (("it is dark", "The wombat theme is dark", "web"), ("it is slow", "The wombat build is slow", "shop"))
    lessons = await taught(memory, early)
    late = await memory.remember("Our mascot is a wombat", project="web")
    await memory.forget(late)
    assert {*await bank(memory, "web"), *await bank(memory, "shop")} == {*lessons}


async def test_a_lesson_that_a_judge_learned_beside_it_goes(memory):
    kept = await memory.remember("Billing is deployed by the wombat gate", project="web")
    lessons = await taught(memory, (("how do I deploy billing?", "The wombat gate deploys billing", "web"),))
    assert len(lessons) == 2
    await memory.forget(kept)
    assert await bank(memory, "web") == {}


async def test_also_where_it_was_corrected_since(memory):
    kept = await memory.remember("Billing is deployed by the wombat gate", project="web")
    lessons = await taught(memory, (("how do I deploy billing?", "The wombat gate deploys billing", "web"),))
    await memory.correct(lessons["The wombat gate deploys billing"], "The wombat gate deploys the billing service")
    await memory.forget(kept)
    assert await bank(memory, "web", history=True) == {}


async def test_also_where_it_holds_everywhere(memory):
    kept = await memory.remember("Billing is deployed by the wombat gate", project="web")
    await memory.record("how do I deploy billing?", "Done.", session="s", project="web")
    await memory.end_session("s")
    work = await taken(memory, MODEL)
    assert isinstance(work, Case)
    lesson = learned("The wombat gate deploys billing", kind="procedure", everywhere=True, evidence=work.prompt)
    assert await put(memory, work, Findings(outcome="worked", evidence=work.prompt, learned=(lesson,)))
    assert len(await bank(memory, "web")) == 2
    await memory.forget(kept)
    assert await bank(memory, "web") == {}


async def test_common_words_are_somebodys_where_nobody_else_says_them(memory):
    kept = await memory.remember("The word at the front door is happy dog", project="web")
    await taught(memory, (("how do I get in?", "The user enters by saying happy dog", "web"),))
    await memory.forget(kept)
    assert await bank(memory, "web") == {}


async def test_the_next_turn_may_say_the_same_words(memory):
    said = {"session": "s", "project": "web", "client": "claude-code"}
    for number in (1, 2):
        await memory.ask(Brief(prompt="continue with the giraffe", message=f"m{number}", **said))
    await memory.ask(EndTurn(prompt="", answer="Rotated.", message="m1", **said))
    (first,) = await memory.recall("giraffe", project="web")
    await memory.forget(first.memory.id)
    await memory.ask(EndTurn(prompt="", answer="Documented.", message="m2", **said))
    assert [hit.memory.answer for hit in await memory.recall("giraffe", project="web")] == ["Documented."]


async def test_a_tool_goes_with_its_turn_though_its_prompt_named_none(memory):
    said = {"session": "s", "project": "web", "client": "claude-code"}
    await memory.ask(Brief(prompt="Rotate the zebra credentials", **said))
    await memory.ask(NoteTool(tool=ToolUse(name="zebratool"), message="m1", **said))
    await memory.ask(EndTurn(prompt="Rotate the zebra credentials", answer="Rotated.", message="m1", **said))
    (first,) = await memory.recall("zebra credentials", project="web")
    await memory.forget(first.memory.id)
    assert [one for one in await memory.events() if isinstance(one.draft.event, ToolUsed)] == []


async def test_a_prompt_that_waits_for_its_answer_is_not_the_turns_before_it(memory):
    said = {"session": "s", "project": "web", "client": "claude-code"}
    for number, prompt in enumerate(("Rotate the zebra credentials", "Document the giraffe deployment"), 1):
        await memory.ask(Brief(prompt=prompt, message=f"m{number}", **said))
        await memory.ask(NoteTool(tool=ToolUse(name=f"tool{number}"), message=f"m{number}", **said))
    await memory.ask(EndTurn(prompt="", answer="Rotated.", message="m1", **said))
    (first,) = await memory.recall("zebra credentials", project="web")
    await memory.forget(first.memory.id)
    events = [one.draft.event for one in await memory.events()]
    assert [one.text for one in events if isinstance(one, PromptReceived)] == ["Document the giraffe deployment"]
    assert [one.tool.name for one in events if isinstance(one, ToolUsed)] == ["tool2"]
    await memory.ask(EndTurn(prompt="", answer="Documented.", message="m2", **said))
    (second,) = await memory.recall("giraffe deployment", project="web")
    assert (second.memory.answer, second.memory.text) == ("Documented.", "Document the giraffe deployment")


async def test_an_answer_that_went_on_in_the_time_that_is_forgotten_goes_whole(memory, stamp):
    told = await memory.record("how do we deploy", "with make", session="s", id="1")
    since = (stamp.now() + timedelta(seconds=1)).astimezone()
    while stamp.now() < since:
        pass
    await memory.record("how do we deploy", "with make and the quokkaparade gate", session="s", id="1")
    await over(memory, sessions=("s",), since=since)
    with pytest.raises(NotFound):
        await memory.show(told.memory)
    assert await memory.recall("quokkaparade") == ()


@pytest.mark.parametrize("before", [True, False])
async def test_what_was_corrected_since_goes_with_every_wording(memory, stamp, before):
    told = await memory.record("how do we deploy the zebrafinch", "with the quokkaparade", session="s", id="1")
    between = stamp.now() + timedelta(seconds=1)
    while stamp.now() < between:
        pass
    await memory.correct(told.memory, "with make")
    await over(memory, sessions=("s",), **({"until": between} if before else {"since": between}))
    with pytest.raises(NotFound):
        await memory.show(told.memory)
    assert await memory.recall("quokkaparade zebrafinch", history=True) == ()


async def over(memory, **meant) -> None:
    begun = await memory.ask(ForgetAll(selection=Selection(**meant)))
    done = await memory.ask(Erasing(run=begun.run, seconds=60.0))
    assert (done.step, done.left) == ("done", ())
