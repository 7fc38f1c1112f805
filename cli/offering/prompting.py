"""Prompts a person picks in the client: to recall, and to remember."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from aftermind.cli.language.requests import Search
from aftermind.cli.offering.own_session import its_session
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import NotFound, Unusable
from aftermind.engine.names import EventId


class Prompt(Struct, frozen=True, kw_only=True):
    """`takes`: its one argument, which is required, and what it means."""

    name: str
    title: str
    about: str
    takes: str
    meaning: str


RECALL = Prompt(
    name="recall",
    title="Recall",
    about="What earlier sessions of this project know about something.",
    takes="about",
    meaning="what to look for",
)
REMEMBER = Prompt(
    name="remember",
    title="Remember",
    about="Has something kept for later sessions.",
    takes="what",
    meaning="what to keep",
)
PROMPTS = (RECALL, REMEMBER)


async def prompted(window: Window, key: EventId, name: str, said: Mapping[str, str]) -> tuple[Prompt, str]:
    """What is said to the model in the person's name. `NotFound` for another prompt, `Unusable` without its
    argument."""
    prompt = next((one for one in PROMPTS if one.name == name), None)
    if prompt is None:
        raise NotFound("prompt", name, hint=f"there are: {', '.join(one.name for one in PROMPTS)}")
    text = said.get(prompt.takes, "").strip()
    if not text:
        raise Unusable(f"{prompt.name} needs an argument", prompt.takes, hint=f"it is {prompt.meaning}")
    if prompt is REMEMBER:
        return prompt, (
            "Keep this for later sessions with add_to_memory_bank, as one or more statements that make sense alone; "
            f"search_memory first tells whether it makes an older memory untrue.\n\n{text}"
        )
    return prompt, f"{await _known(window, key, text)}\n\nWhat of that answers this, and what follows from it? {text}"


async def _known(window: Window, key: EventId, text: str) -> str:
    """What is known, as any briefing is told."""
    search = Search(
        session=await its_session(window), query=text, project=window.directory, client=window.client, briefed=True
    )
    return (await window.ask(search, key)).text or "Earlier sessions say nothing about this."
