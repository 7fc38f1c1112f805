"""ocm (openCodeMemory): sessions with their goals, decisions and lists, from its database or its Markdown files.

Each line is a memory: what is private in a text, or a secret, is out of it before it is parted into lines.
An item is known by its session, its section and its words, so the database and the Markdown of one session are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from aftermind.cli.importing.exchange import Advance, Unreadable
from aftermind.cli.importing.lines import text_in
from aftermind.cli.importing.peers.tables import tables
from aftermind.cli.importing.peers.told import (
    Item,
    Left,
    Peer,
    Source,
    at_seconds,
    at_text,
    own_id,
    parsed,
    text_of,
)
from aftermind.cli.language.importing import Told
from aftermind.engine.errors import Unusable
from aftermind.engine.names import Collection, Kind
from aftermind.engine.stored import clean_text
from aftermind.engine.zones import HERE

NAME, FOLDER, DATABASE = "ocm", ".openCodeMemory", "memory.db"
NEEDED = {"sessions": ("id", "project", "started_at"), "session_chunks": ("session_id", "chunk_type", "content")}
SECTIONS: dict[str, tuple[Kind, Collection, str]] = {
    "goal": ("plan", "history", "goal"),
    "decision": ("decision", "memory_bank", ""),
    "work_completed": ("event", "history", "done"),
    "work_summary": ("event", "history", "summary"),
    "work_pending": ("plan", "history", "to do"),
    "plan_file": ("fact", "memory_bank", "plan file"),
    "reference": ("fact", "memory_bank", "reference"),
    "files": ("event", "history", "files"),
}
HEADINGS = {
    "goal": "goal",
    "work completed": "work_completed",
    "work to be completed": "work_pending",
    "created": "files",
    "modified": "files",
    "deleted": "files",
    "work done": "work_summary",
    "plan files": "plan_file",
    "architecture decisions": "decision",
    "references": "reference",
}
"""Its Markdown's headings, without their marks."""
DIFF = Left("summaries of git's differences", "git says them")
_HEADING = re.compile(r"^#{2,3}\s+[^\w]*(.+?)\s*$")
_LINK = re.compile(r"^\[(?P<title>.*)\]\((?P<url>\S+)\)$")


class _Session(Struct, frozen=True, kw_only=True):
    id: str
    project: str | None
    tool: str
    at: datetime | None


def sources(path: Path | None) -> list[Source]:
    """A folder of its own, a project's, a database, a Markdown file; or all that its registry knows."""
    if path is not None:
        inside = path / FOLDER if (path / FOLDER).is_dir() else path
        return [_source(inside)] if inside.exists() else []
    home = _usual()
    known = parsed(text_in(home / "registry.json"))
    folders = [Path(text_of(one.get("db_path"))).parent for one in _objects(known) if one.get("db_path")]
    found = [home, *folders, Path.cwd() / FOLDER]
    return [_source(one) for one in dict.fromkeys(found) if (one / DATABASE).exists() or (one / "sessions").is_dir()]


def _usual() -> Path:
    return Path.home() / FOLDER


def _source(path: Path) -> Source:
    """What lies in a project's own folder belongs to that project; what lies in the home names its own."""
    folder = path if path.is_dir() else path.parent
    folder = folder.parent if folder.name == "sessions" else folder
    own = folder.name == FOLDER and folder.resolve().parent != Path.home().resolve()
    return Source(path=path, project=str(folder.resolve().parent) if own else None)


def read(source: Source, advance: Advance) -> Iterator[Item]:
    path = source.path
    database = path / DATABASE if path.is_dir() else path
    if path.is_file() and path.suffix != ".md":
        yield from _database(path, source, advance)
    elif path.is_dir() and database.is_file():
        yield from _database(database, source, advance)
    else:
        files = [path] if path.is_file() else sorted([*path.glob("*.md"), *(path / "sessions").glob("*.md")])
        if not files:
            raise Unusable(f"neither {NAME}'s database nor its Markdown sessions", str(path))
        for file in files:
            advance(file.stat().st_size)
            yield from _markdown(file, source)


def _database(path: Path, source: Source, advance: Advance) -> Iterator[Item]:
    with tables(path, NAME, NEEDED) as found:
        problems: list[Unreadable] = []
        columns = ("id", "project", "tool", "started_at", "goal")
        sessions: dict[str, _Session] = {}
        for row in found.read("sessions", columns, problems, "started_at, id"):
            session = _Session(
                id=text_of(row["id"]),
                project=source.project or text_of(row["project"]).strip() or None,
                tool=text_of(row["tool"]),
                at=at_seconds(row["started_at"]),
            )
            sessions[session.id] = session
            yield from _items(session, "goal", text_of(row["goal"]), session.at)
        size = path.stat().st_size / max(1, found.count("session_chunks"))
        chunks = ("session_id", "chunk_type", "content", "created_at")
        diffs = 0
        for row in found.read("session_chunks", chunks, problems, "id"):
            advance(size)
            section, of = text_of(row["chunk_type"]), sessions.get(text_of(row["session_id"]))
            if of is None:
                yield Left("items of sessions that are gone", "nothing says where and when they were said")
            elif section == "diff_summary":
                diffs += 1
            else:
                yield from _items(of, section, text_of(row["content"]), at_seconds(row["created_at"]) or of.at)
        files: dict[str, list[str]] = {}
        for row in found.read("session_files", ("session_id", "file_path"), problems, "change_type, file_path"):
            files.setdefault(text_of(row["session_id"]), []).append(text_of(row["file_path"]))
        for id, touched in files.items():
            if id in sessions:
                yield _files(sessions[id], touched)
        yield from problems
        if diffs:
            yield Left(DIFF.what, DIFF.why, diffs)
        yield from found.left(("sessions", "session_chunks", "session_files"), {})


def _items(session: _Session, section: str, content: str, at: datetime | None) -> Iterator[Told]:
    """One for each line, as its Markdown has them."""
    for text in _lines(clean_text(_said(section, content))):
        kind, collection, tag = SECTIONS.get(section, ("event", "history", section))
        yield Told(
            id=own_id(NAME, session.id, section, text),
            text=text,
            kind=kind,
            collection=collection,
            project=session.project,
            tags=tuple(filter(None, (NAME, session.tool, tag))),
            session=session.id,
            at=at,
        )


def _said(section: str, content: str) -> str:
    """Plan files and references are objects there."""
    if section not in ("plan_file", "reference") or not isinstance(told := parsed(content), dict):
        return content
    first, second = ("path", "header") if section == "plan_file" else ("title", "url")
    return ": ".join(filter(None, (text_of(told.get(first)).strip(), text_of(told.get(second)).strip())))


def _lines(content: str) -> Iterator[str]:
    for line in content.splitlines():
        if said := line.strip().removeprefix("- ").strip():
            yield said


def _files(session: _Session, touched: list[str]) -> Told:
    kind, collection, tag = SECTIONS["files"]
    return Told(
        id=own_id(NAME, session.id, "files"),
        text=f"Files changed: {', '.join(sorted(touched))}",
        kind=kind,
        collection=collection,
        project=session.project,
        tags=tuple(filter(None, (NAME, session.tool, tag))),
        session=session.id,
        at=session.at,
    )


def _markdown(file: Path, source: Source) -> Iterator[Item]:
    """One session as its Markdown tells it. Its times are this machine's; an item has none of its own."""
    front, body = _parts(clean_text(text_in(file)))
    if not front.get("session_id"):
        yield Unreadable(file.name, "no session of ocm: its head names no `session_id`")
        return
    session = _Session(
        id=front["session_id"],
        project=source.project or front.get("project") or None,
        tool=front.get("tool", ""),
        at=at_text(front.get("started_at", ""), HERE),
    )
    section, files, diffs = "", list[str](), 0
    for line in body.splitlines():
        if match := _HEADING.match(line):
            heading = match[1].lower()
            section = HEADINGS.get(heading, "")
            diffs += heading == "git diff summary"
        elif section == "files" and line.startswith("- "):
            files.append(line.removeprefix("- ").strip().strip("`"))
        elif section == "plan_file":
            cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|", 1)]
            if line.startswith("|") and len(cells) == 2 and cells[0] != "File" and not cells[0].startswith("--"):
                yield from _items(session, section, ": ".join(filter(None, cells)), session.at)
        elif section and line.strip() and line.strip() != "---":
            text = line.strip().removeprefix("- ")
            if section == "reference" and (link := _LINK.match(text)):
                text = ": ".join(filter(None, (link["title"], link["url"])))
            yield from _items(session, section, text, session.at)
    if files:
        yield _files(session, files)
    if diffs:
        yield Left(DIFF.what, DIFF.why)


def _parts(text: str) -> tuple[Mapping[str, str], str]:
    """The head's values, and what follows."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---" or "---" not in (rest := [line.strip() for line in lines[1:]]):
        return {}, text
    end = rest.index("---") + 1
    pairs = (line.partition(":") for line in lines[1:end])
    front = {key.strip(): value.strip() for key, _, value in pairs}
    return {key: value for key, value in front.items() if value != "null"}, "\n".join(lines[end + 1 :])


def _objects(value: object) -> list[Mapping[str, object]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


PEER = Peer(name=NAME, title="ocm (openCodeMemory)", sources=sources, usual=_usual, read=read)
