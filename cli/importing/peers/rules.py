"""Rules that people write for their assistants: CLAUDE.md, AGENTS.md, .cursorrules, .cursor/rules/*.mdc.

Each list item and each paragraph is a memory, with the heading above it as a tag. What orders is a directive, the rest
a fact. What is private in a file, or a secret, goes before the file is taken apart. A file's rules belong to the
project of its folder; those in the user's own folders to all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

from msgspec import Struct

from aftermind.cli.editing.marked import drop
from aftermind.cli.editing.text import NotParsed
from aftermind.cli.importing.exchange import Advance
from aftermind.cli.importing.peers.told import Item, Left, Peer, Source, own_id
from aftermind.cli.ingesting.ignoring import repository_of
from aftermind.cli.language.importing import Told
from aftermind.cli.privacy.lists import Lists
from aftermind.engine.errors import Unusable
from aftermind.engine.stored import clean_text

NAME = "rules"
FILES = (
    *("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", ".cursorrules", ".windsurfrules"),
    ".github/copilot-instructions.md",
)
FOLDERS = ((".cursor/rules", "*.mdc"), (".claude/rules", "*.md"))
OWN = (".claude/CLAUDE.md", ".config/opencode/AGENTS.md", ".codex/AGENTS.md")
"""The user's own, below the home: they hold in every project."""
LARGEST = 1024 * 1024
LONGEST_TAG = 40
_ITEM = re.compile(r"^(?P<indent>\s*)(?:[-*+]|\d{1,3}[.)])\s+(?P<text>.*)$")
_HEADING = re.compile(r"^#{1,6}\s+(?P<text>.*?)\s*#*\s*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IMPORT = re.compile(r"^@[\w~./-]+$")
_ORDERS = re.compile(
    r"^(?:please\s+)?(?:use|run|keep|write|add|avoid|prefer|make|put|follow|ask|check|test|commit|create|update|do|"
    r"ensure|include|name|return|only|stick|let|treat|format|document|read|never|always|don't|no)\b"
    r"|\b(?:always|never|must|should|do not|don't|avoid|prefer|not allowed|required|forbidden)\b",
    re.IGNORECASE,
)


class _Piece(Struct):
    heading: str
    lines: list[str]


def sources(path: Path | None) -> list[Source]:
    """A file, a project's folder; or the folder one is in, and the user's own."""
    if path is not None and path.is_file():
        return [Source(path=path, project=_project(path))]
    folder = (path or Path.cwd()).absolute()
    found = [file for file in _named_so(folder) if _leads_out(file, folder) is None]
    own = [Path.home() / name for name in OWN] if path is None else []
    found += [file for file in own if file.is_file() and file not in found]
    return [Source(path=file, project=_project(file)) for file in found]


def linked_out(path: Path | None) -> list[Left]:
    """The files of a folder that are left out because a link leads out of its repository."""
    if path is not None and path.is_file():
        return []
    folder = (path or Path.cwd()).absolute()
    left = [(file, there) for file in _named_so(folder) if (there := _leads_out(file, folder)) is not None]
    return [
        Left(
            f"file {file.relative_to(folder)}",
            f"its link leads out of the repository, to {there}; `aftermind import rules {quote(str(file))}` takes it",
        )
        for file, there in left
    ]


def off_limits(found: Sequence[Source], lists: Lists) -> dict[Path, Left]:
    """The files that a list names, by their paths, also where somebody names them."""
    whys = {one.path: lists.why(one.path, is_folder=False) for one in found}
    return {path: Left(f"file {path.name}", f"it is off limits: {why}") for path, why in whys.items() if why}


def _named_so(folder: Path) -> list[Path]:
    found = [folder / name for name in FILES if (folder / name).is_file()]
    return found + [file for name, mark in FOLDERS for file in sorted((folder / name).rglob(mark))]


def _leads_out(file: Path, folder: Path) -> Path | None:
    """Where a file really is, if that is outside the folder's repository: what a link brings in is another's.
    (`Path.resolve` raises where links lead in a circle.)"""
    inside = (repository_of(folder) or folder).resolve()
    there = Path(os.path.realpath(file))
    return None if there.is_relative_to(inside) else there


def _project(file: Path) -> str | None:
    """The folder whose rules they are; None for the user's own."""
    if file.absolute() in [Path.home() / name for name in OWN]:
        return None
    folder = file.absolute().parent
    for part in reversed(folder.parents):
        if folder.relative_to(part).parts[:1] and folder.relative_to(part).parts[0] in (
            ".cursor",
            ".claude",
            ".github",
        ):
            return str(part)
    return str(folder)


def tag(source: Source) -> str:
    """By which all rules of one file are known."""
    if source.project is None:
        return f"~/{source.path.absolute().relative_to(Path.home()).as_posix()}"
    return source.path.absolute().relative_to(source.project).as_posix()


def read(source: Source, advance: Advance) -> Iterator[Item]:
    path = source.path
    try:
        if path.stat().st_size > LARGEST:
            raise Unusable("too large for a file of rules", str(path), hint=f"`aftermind ingest {path}` reads books")
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise Unusable(f"cannot be read ({error.strerror or error})", str(path)) from error
    advance(len(text))
    front, body = _parts(_COMMENT.sub("", clean_text(_without_ours(text))))
    if front:
        yield Left(f"lines of the head of {path.name}", "for which files rules hold is its client's", len(front))
    own, imports = tag(source), 0
    for piece in _pieces(body.splitlines()):
        said = "\n".join(piece.lines).strip()
        if _IMPORT.match(said):
            imports += 1
        elif said:
            yield Told(
                id=own_id(NAME, source.project or "", own, said),
                text=said,
                kind="directive" if _ORDERS.search(said) else "fact",
                project=source.project,
                tags=tuple(filter(None, (NAME, own, piece.heading[:LONGEST_TAG]))),
            )
    if imports:
        yield Left(f"files that {path.name} names", "`aftermind import rules FILE` imports each", imports)


def _without_ours(text: str) -> str:
    """Without the section that `aftermind init` put there."""
    try:
        return drop(text)
    except NotParsed:
        return text


def _parts(text: str) -> tuple[Sequence[str], str]:
    """The lines of a head between `---`, and what follows."""
    lines = text.splitlines()
    if lines and lines[0].strip() == "---" and "---" in (rest := [line.strip() for line in lines[1:]]):
        end = rest.index("---")
        return [line for line in rest[:end] if line], "\n".join(lines[end + 2 :])
    return (), text


def _pieces(lines: Sequence[str]) -> Iterator[_Piece]:
    """List items of the first level with what is below them, paragraphs, and code with what leads to it."""
    heading, piece, fenced, blank = "", _Piece("", []), "", False
    for line in lines:
        mark = line.strip()[:3]
        if fenced or mark in ("```", "~~~"):
            piece.lines.append(line)
            fenced = "" if fenced and mark == fenced else fenced or mark
            blank = False
        elif match := _HEADING.match(line):
            yield piece
            heading = match["text"]
            piece, blank = _Piece(heading, []), False
        elif (item := _ITEM.match(line)) and len(item["indent"]) < 2:
            yield piece
            piece, blank = _Piece(heading, [item["text"]]), False
        elif not line.strip():
            blank = True
        elif blank and not line.startswith((" ", "\t")):
            yield piece
            piece, blank = _Piece(heading, [line.strip()]), False
        else:
            piece.lines.append(line.rstrip())
            blank = False
    yield piece


PEER = Peer(name=NAME, title="rules for assistants", sources=sources, usual=Path.cwd, read=read)
