"""Exchanges from Claude Code's transcripts: a prompt, and all that is answered up to the next one.

The format is internal to its client and changes: what is not recognised is passed over, and nothing here relies on a
line being there. A session that was resumed or forked repeats the lines of the one before under a session id of its
own. A line that names the one it was copied from is taken for that one; else the prompt's uuid stays, and the first
transcript that tells it, by name, is the one it is taken from.

A prompt has two ids: that of its line (`uuid`), and that which hooks are told as well (`promptId`, of newer versions).
The second is its id here, where it has one, so that what a hook saw is known again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, structs

from aftermind.cli.importing.exchange import (
    Advance,
    Imported,
    Item,
    Unreadable,
    error_end,
    folder,
    from_iso,
    others,
    paths,
)
from aftermind.cli.importing.lines import Undecodable, decoded, lines
from aftermind.engine.errors import Unusable
from aftermind.engine.events import ToolUse
from aftermind.engine.stored import storable

NOT_SAID = (
    "<bash-", "<command-", "<ide_", "<local-command-", "<system-reminder", "<task-notification", "<user-memory-input",
)  # fmt: skip
"""How texts begin that the client wrote into the place of a prompt."""
INTERRUPTED = "[Request interrupted by user"


def is_said(text: str) -> bool:
    """Whether a person said it, and not the client in their place."""
    return not text.lstrip().startswith((*NOT_SAID, INTERRUPTED))


class _Kind(Struct, frozen=True):
    type: str = ""


class _Block(Struct, frozen=True):
    type: str = ""
    text: object = None
    id: object = None
    name: object = None
    input: object = None
    tool_use_id: object = None
    is_error: object = None
    content: object = None


class _Message(Struct, frozen=True):
    content: str | list[_Block] = ""

    @property
    def blocks(self) -> list[_Block]:
        content = self.content
        return [_Block(type="text", text=content)] if isinstance(content, str) else content


class _Line(Struct, frozen=True, rename="camel"):
    type: str
    message: _Message = _Message()
    uuid: str = ""
    session_id: str = ""
    cwd: str = ""
    timestamp: str = ""
    is_meta: bool = False
    is_sidechain: bool = False
    is_compact_summary: bool = False
    is_api_error_message: bool = False
    prompt_id: object = None
    forked_from: object = None

    @property
    def origin(self) -> tuple[str, str]:
        """The session and uuid of the line this one is, or is a copy of."""
        copied = self.forked_from if isinstance(self.forked_from, dict) else {}
        session, uuid = copied.get("sessionId"), copied.get("messageUuid")
        return (
            session if isinstance(session, str) and session else self.session_id,
            uuid if isinstance(uuid, str) and uuid else self.uuid,
        )


class _Turn(Struct):
    """One prompt while its answer is read."""

    line: _Line
    prompt: str
    ids: tuple[str, ...]
    """Its own one first."""
    answer: list[str] = []
    tools: dict[object, ToolUse] = {}
    told: set[str] = set()
    times: dict[str, None] = {}
    """Those of the answer's lines."""
    folders: dict[str, None] = {}
    """And where these were said: the assistant may go elsewhere meanwhile."""
    failed: bool = False


def transcripts(path: Path) -> list[Path]:
    """The file itself, or the transcripts below a folder in the order of their names, without subagents'."""
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.rglob("*.jsonl") if file.is_file())
    return [file for file in found if "subagents" not in file.relative_to(path).parts]


def exchanges(path: Path, advance: Advance) -> Iterator[Item]:
    """Transcript by transcript; each prompt once, whatever sessions repeat it."""
    files = transcripts(path)
    if not files:
        raise Unusable("a folder without transcripts (*.jsonl)", str(path))
    seen: set[str] = set()
    for file in files:
        prefix = storable(f"{file.relative_to(path)} ") if path.is_dir() else ""
        yield from _transcript(file, prefix, seen, advance)


def _transcript(file: Path, prefix: str, seen: set[str], advance: Advance) -> Iterator[Item]:
    turn: _Turn | None = None
    for number, text in lines(file, advance):
        try:
            if decoded(text, _Kind).type not in ("user", "assistant"):
                continue
            line = decoded(text, _Line)
        except Undecodable as error:
            yield Unreadable(f"{prefix}line {number}", str(error))
            continue
        if line.is_meta or line.is_sidechain or line.is_compact_summary:
            continue
        if line.type == "assistant":
            if turn is not None:
                _answer(turn, line)
            continue
        if any(block.type == "tool_result" for block in line.message.blocks):
            if turn is not None:
                _results(turn, line)
            continue
        said = [block.text for block in line.message.blocks if isinstance(block.text, str)]
        if turn is not None and not any(text.startswith(INTERRUPTED) for text in said):
            yield from _ended(turn, file)
        prompt = "\n".join(text for text in said if is_said(text))
        # what answers a command, or repeats a known prompt, answers no prompt of ours: there is no turn to add it to
        uuid = line.origin[1]
        turn = _Turn(line=line, prompt=prompt, ids=_ids(line, seen)) if prompt.strip() and uuid not in seen else None
        if turn is not None and not uuid:
            yield Unreadable(f"{prefix}line {number}", "a prompt without `uuid`")
            turn = None
        seen.update((uuid, *(turn.ids if turn is not None else ())))
    if turn is not None:
        yield from _ended(turn, file)


def _ids(line: _Line, seen: set[str]) -> tuple[str, ...]:
    """A prompt's ids. Several lines may be of one prompt: to the first one its id belongs."""
    uuid, prompt = line.origin[1], line.prompt_id
    return (prompt, uuid) if isinstance(prompt, str) and prompt.strip() and prompt not in seen else (uuid,)


def _answer(turn: _Turn, line: _Line) -> None:
    """What one line adds: the lines of one message, and the messages of one turn, follow one another."""
    if line.uuid and line.uuid in turn.told:
        return
    turn.told.add(line.uuid)
    turn.folders[line.cwd] = None
    turn.failed = line.is_api_error_message
    if turn.failed:
        return
    turn.times[line.timestamp] = None
    for block in line.message.blocks:
        if block.type == "text" and isinstance(block.text, str) and block.text:
            turn.answer.append(block.text)
        elif block.type == "tool_use" and isinstance(block.name, str) and block.name:
            key = block.id if isinstance(block.id, str) else len(turn.tools)
            turn.tools[key] = ToolUse(name=block.name, paths=paths(block.input))


def _results(turn: _Turn, line: _Line) -> None:
    """How the tools of the turn ended."""
    turn.folders[line.cwd] = None
    for block in line.message.blocks:
        if block.is_error is True and isinstance(block.tool_use_id, str) and block.tool_use_id in turn.tools:
            used = turn.tools[block.tool_use_id]
            turn.tools[block.tool_use_id] = structs.replace(used, ok=False, error=error_end(_printed(block.content)))


def _printed(content: object) -> str:
    """A tool's output, which is text or blocks of it."""
    if isinstance(content, str):
        return content
    texts = [block.get("text") for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return "\n".join(text for text in texts if isinstance(text, str))


def _ended(turn: _Turn, file: Path) -> Iterator[Imported]:
    """The turn as an exchange, unless it failed or nothing was answered."""
    answer = "\n".join(turn.answer)
    if turn.failed or not (answer.strip() or turn.tools):
        return
    project = folder(turn.line.cwd)
    yield Imported(
        session=turn.line.origin[0] or file.stem,
        id=turn.ids[0],
        also=turn.ids[1:],
        prompt=turn.prompt,
        answer=answer,
        project=project,
        client="claude-code",
        at=from_iso(turn.line.timestamp),
        tools=tuple(turn.tools.values()),
        answered=tuple(at for said in turn.times if (at := from_iso(said)) is not None),
        elsewhere=others(turn.folders, project),
    )
