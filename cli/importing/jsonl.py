"""Exchanges as JSON lines: the plain form, for whatever has no reader of its own (docs/import.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from aftermind.cli.importing.exchange import Advance, Imported, Item, Unreadable, error_end, from_iso
from aftermind.cli.importing.lines import Undecodable, decoded, lines
from aftermind.engine.events import ToolUse
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import storable

LONGEST_CLIENT = 64


class _Tool(Struct, frozen=True):
    name: str
    paths: tuple[str, ...] = ()
    ok: bool = True
    error: str = ""


class _Line(Struct, frozen=True):
    """The schema of one line."""

    prompt: str
    answer: str
    session: str
    id: str | None = None
    project: str | None = None
    client: str = ""
    at: str | None = None
    tools: tuple[_Tool, ...] = ()


def exchanges(path: Path, advance: Advance) -> Iterator[Item]:
    """One exchange a line."""
    for number, text in lines(path, advance):
        try:
            yield _imported(decoded(text, _Line))
        except Undecodable as error:
            yield Unreadable(f"line {number}", str(error))


def _imported(line: _Line) -> Imported:
    at = from_iso(line.at) if line.at is not None else None
    if line.at is not None and at is None:
        raise Undecodable(f"`at` is {line.at[:40]!r}, and not a time with its zone, as 2026-01-31T12:00:00+00:00 is")
    if not line.session.strip():
        raise Undecodable("`session` is empty")
    if not line.prompt.strip() and not line.answer.strip():
        raise Undecodable("`prompt` and `answer` are both empty")
    if not (line.client.isascii() and line.client.isprintable() and len(line.client) <= LONGEST_CLIENT):
        raise Undecodable(f"`client` is not a plain word of up to {LONGEST_CLIENT} characters")
    if line.project is not None and line.project.startswith("~"):
        try:
            Path(line.project).expanduser()
        except RuntimeError as error:
            raise Undecodable("`project` is in the home of a user who is not here") from error
    said = derive_id(line.session, line.prompt)
    return Imported(
        session=line.session,
        id=line.id or derive_id(said, at.isoformat() if at is not None else ""),
        prompt=line.prompt,
        answer=line.answer,
        project=storable(line.project.strip()) or None if line.project is not None else None,
        client=line.client,
        at=at,
        tools=tuple(ToolUse(name=t.name, paths=t.paths, ok=t.ok, error=error_end(t.error)) for t in line.tools),
    )
