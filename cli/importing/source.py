"""Which of the readers a file is for: its content says, never its name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias, assert_never

from msgspec import UNSET, Struct

from aftermind.cli.importing import claude, jsonl, opencode
from aftermind.cli.importing.exchange import Advance, Item
from aftermind.cli.importing.lines import Undecodable, decoded, lines
from aftermind.cli.importing.peers.rules import FILES
from aftermind.engine.errors import Unusable

Format: TypeAlias = Literal["jsonl", "opencode", "claude"]
TITLES: dict[Format, str] = {
    "jsonl": "exchanges as JSON lines",
    "opencode": "an OpenCode database",
    "claude": "Claude Code transcripts",
}
RULES = {Path(name).name for name in FILES}
"""How files of rules are called; they say nothing that could be told apart from other prose."""
_SQLITE = b"SQLite format 3\x00"
_LINES_LOOKED_AT = 50
"""A transcript that was cut may begin with a broken line; fifty of them are no transcript."""


class _Line(Struct, frozen=True):
    """What the two kinds of JSON lines are told apart by."""

    prompt: object = UNSET
    answer: object = UNSET
    type: object = UNSET
    sessionId: object = UNSET  # noqa: N815 - Claude Code's spelling


def detected(path: Path, named: Format | None = None) -> Format | None:
    """The format of what is there, or the one it was said to be; None when there is nothing in it. Raises `Unusable`
    for anything else."""
    try:
        path.stat()
    except (OSError, ValueError) as error:
        raise Unusable("no such file or folder", str(path)) from error
    if path.is_dir() and named not in (None, "claude"):
        raise Unusable(f"a folder, where {TITLES[named]} would be one file", str(path))
    if path.is_dir():
        if not claude.transcripts(path):
            here = path / opencode.DATABASE
            hint = f"`aftermind import {here}` reads OpenCode's database" if here.is_file() else ""
            raise Unusable("a folder without transcripts (*.jsonl)", str(path), hint=hint)
        return "claude"
    if not path.is_file():
        raise Unusable("neither a file nor a folder", str(path))
    beginning = _begins(path)
    if named is not None or beginning == _SQLITE:
        return (named or "opencode") if beginning else None
    looked_at = 0
    for _, text in islice(lines(path, lambda _: None), _LINES_LOOKED_AT):
        looked_at += 1
        try:
            line = decoded(text, _Line)
        except Undecodable:
            continue
        is_exchange = line.prompt is not UNSET or line.answer is not UNSET
        if isinstance(line.type, str) and (not is_exchange or line.sessionId is not UNSET):
            return "claude"
        if is_exchange:
            return "jsonl"
    if looked_at == 0:
        return None
    if path.name in RULES or path.suffix == ".mdc":
        raise Unusable("rules for assistants", str(path), hint=f"`aftermind import rules {path}` imports them")
    raise Unusable(
        "neither exchanges as JSON lines, nor an OpenCode database, nor a Claude Code transcript",
        str(path),
        hint="`aftermind import PATH --format jsonl` says of each line what is wrong with it",
    )


def size(path: Path, format: Format) -> int:
    """Bytes there are to read."""
    files = claude.transcripts(path) if format == "claude" else [path]
    return sum(file.stat().st_size for file in files)


def exchanges(path: Path, format: Format, advance: Advance) -> Iterator[Item]:
    """What is there, read as it is asked for."""
    match format:
        case "jsonl":
            return jsonl.exchanges(path, advance)
        case "opencode":
            return opencode.exchanges(path, advance)
        case "claude":
            return claude.exchanges(path, advance)
        case _:
            assert_never(format)


def _begins(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE))
    except OSError as error:
        raise Unusable(f"cannot be read ({error.strerror or error})", str(path)) from error
