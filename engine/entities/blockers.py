"""The text of a blocker names what it waits for, so that it is found by that. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.engine.entities.shapes import entities


def naming(text: str, things: Sequence[str]) -> str:
    """The text, with those of the things behind it that it does not name yet."""
    named = entities(text)
    missing = [thing.strip() for thing in dict.fromkeys(things) if thing.strip() and not set(keys(thing)) & set(named)]
    if not missing:
        return text
    return f"{text.rstrip().rstrip('.')} (waits for {', '.join(map(_plain, missing))})."


def keys(thing: str) -> tuple[str, ...]:
    """What a thing is known by, whatever its shape."""
    return entities(thing) or entities(_quoted(thing))


def _plain(thing: str) -> str:
    """As it is, where its shape says that it is a thing; else in quotes, which do."""
    return thing if entities(thing) else _quoted(thing)


def _quoted(thing: str) -> str:
    return f"`{' '.join(thing.replace('`', ' ').split())}`"
