"""No verdict reads the wrong prompt, and nothing that was shown is credited elsewhere: in whichever order the pieces of
a session come, each answer is one exchange, with its own prompt, what was shown for that, and what was said next."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.given import ON_DISK
from tests.in_order import FACTS, UNNAMED, WORDS, Client, How, Session, World

pytestmark = pytest.mark.anyio
What = Literal["prompt", "answer", "broken off", "drain", "begin anew", "bring"]
Step = tuple[What, Client, str, How]
CLIENTS: tuple[Client, ...] = ("opencode", "claude-code", "codex", "gemini", "json")
KEEP: tuple[Client, ...] = ("opencode", "claude-code")
"""Those whose own histories are imported."""
LAMP, PORT, GO_ON = WORDS

_client = st.sampled_from(CLIENTS)
_how = st.sampled_from(("at once", "at once", "at once", "twice", "spooled", "at once and spooled"))
_answered = st.tuples(st.just("answer"), _client, st.just(""), _how)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("prompt"), _client, st.sampled_from(WORDS), _how),
        st.tuples(st.just("prompt"), st.just("opencode"), st.sampled_from(WORDS), st.just("never")),
        _answered,
        _answered,
        st.tuples(st.just("answer"), st.sampled_from(KEEP), st.just(""), st.just("never")),
        st.tuples(st.just("bring"), st.sampled_from(KEEP), st.just(""), st.just("at once")),
        st.tuples(st.just("broken off"), _client, st.just(""), st.just("at once")),
        st.tuples(st.sampled_from(("drain", "begin anew")), st.just("json"), st.just(""), st.just("at once")),
    ),
    max_size=40,
)


def prompt(client: Client, words: str = GO_ON, how: How = "at once") -> Step:
    return ("prompt", client, words, how)


def answer(client: Client, how: How = "at once") -> Step:
    return ("answer", client, "", how)


def broken_off(client: Client) -> Step:
    return ("broken off", client, "", "at once")


def bring(client: Client) -> Step:
    return ("bring", client, "", "at once")


DRAIN: Step = ("drain", "json", "", "at once")


async def done(world: World, sessions: dict[Client, Session], step: Step) -> None:
    what, client, words, how = step
    of = sessions[client]
    world.now += timedelta(seconds=15)
    match what:
        case "prompt":
            if client in UNNAMED:
                of.open.clear()
            await world.prompt(of, words, how)
        case "answer" if of.open:
            await world.answer(of, how)
        case "broken off" if of.open:
            of.open.pop(0)
        case "drain":
            await world.drain()
        case "begin anew":
            await world.begin_anew()
        case "bring":
            world.now += timedelta(minutes=1)
            await world.bring(of)
        case _:
            pass  # there is nothing to answer


@settings(ON_DISK, max_examples=60)
@given(steps)
@example([prompt("opencode", LAMP), prompt("opencode", PORT), answer("opencode")])  # one is queued
@example([prompt("opencode"), prompt("opencode"), prompt("opencode"), answer("opencode")])  # in the same words
@example([prompt("opencode", LAMP, "never"), prompt("opencode", PORT), answer("opencode")])
@example([prompt("opencode", GO_ON, "never"), prompt("opencode"), answer("opencode")])
@example([prompt("json", LAMP), prompt("json", PORT, "spooled"), answer("json"), DRAIN])
@example([prompt("codex", LAMP, "spooled"), prompt("codex", PORT), answer("codex"), answer("codex"), DRAIN])
@example([prompt("opencode", LAMP), answer("opencode", "never"), prompt("opencode", PORT), bring("opencode")])
@example([prompt("claude-code"), prompt("claude-code"), answer("claude-code"), answer("claude-code", "never")])
@example([prompt("opencode", LAMP, "spooled"), answer("opencode", "never"), bring("opencode"), DRAIN])
async def test_in_whichever_order_each_answer_is_its_own_prompts(steps: list[Step]) -> None:
    sessions: dict[Client, Session] = {client: Session(client) for client in CLIENTS}
    with TemporaryDirectory() as name:
        world = World(Path(name) / "store")
        await world.begin()
        try:
            for fact in FACTS:
                await world.memory.remember(fact)
            for step in steps:
                await done(world, sessions, step)
            world.now += timedelta(minutes=2)
            await world.drain()
            for client in KEEP:  # what nobody told is in their histories
                await world.bring(sessions[client])
            known: dict[Any, Any] = {client: await world.recorded(of) for client, of in sessions.items()}
            assert known == {client: of.expected() for client, of in sessions.items()}
        finally:
            await world.end()
