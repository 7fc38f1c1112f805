"""What a session's own events say of where its work stands: what was asked and answered, what nobody answered, which
files its tools touched. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from msgspec import Struct

from aftermind.cli.privacy.words import HIDDEN
from aftermind.engine.events import (
    CheckpointWritten,
    ExchangeRecorded,
    ExchangeRevised,
    PromptReceived,
    SessionStarted,
    ToolUse,
    ToolUsed,
)
from aftermind.engine.log import Recorded
from aftermind.engine.masking.private import is_private
from aftermind.engine.names import Label, Scope, SessionId
from aftermind.projections.reading.work import Work
from aftermind.projections.recalling.shown.wording import quoted, shortened

LONGEST, LONGEST_GOAL = 160, 300
"""Characters of a prompt that is quoted, and of one that stands for a goal."""
MOST_DONE, MOST_FILES = 12, 50
READING = frozenset(
    (
        *("read", "view", "cat", "open", "readfile", "read_file", "notebookread"),
        *("ls", "list", "list_dir", "list_directory", "glob", "find"),
        *("grep", "search", "grep_search", "file_search", "codebase_search"),
        *("lsp", "webfetch", "websearch"),
    )
)
"""Tools of the clients we know that change nothing, by their names in lower case; of an MCP server's the last word. A
file that a tool missing here only looked at is told as changed."""


class Files(Struct, frozen=True, kw_only=True):
    """The files a session's tools touched, each once, in the order of its last touch: those that were changed, and
    those that were only looked at."""

    changed: tuple[str, ...] = ()
    looked: tuple[str, ...] = ()


def quoted_since(history: Sequence[Recorded], work: Work) -> CheckpointWritten | None:
    """What was said and done since the last checkpoint, where `work` stood; None where that is nothing. Its session,
    scope and moment are for the caller to say. What is open is not quoted: it may be answered the next moment."""
    last = max(
        (place for place, one in enumerate(history) if isinstance(one.draft.event, CheckpointWritten)), default=-1
    )
    since = history[last + 1 :]
    asked = [one.draft.event.prompt for one in since if isinstance(one.draft.event, ExchangeRecorded)]
    files = files_of(since, folder_of(history))
    if not (asked or open_prompt(since) or files.changed or files.looked):
        return None
    done = tuple(dict.fromkeys(short for text in asked[-MOST_DONE:] if (short := _short(text))))
    return CheckpointWritten(
        session=SessionId(""),
        scope=Scope(""),
        moment=Label(""),
        trigger=Label(""),
        goal=work.goal or _short(next(_asked(history), ""), LONGEST_GOAL),
        done=done,
        files=files.changed[-MOST_FILES:],
    )


def said_in(history: Sequence[Recorded], scopes: Sequence[Scope] | None) -> list[Recorded]:
    """What was said, done and written down in these scopes (None: in all); a session may go from one project into
    another."""
    if scopes is None:
        return list(history)
    return [one for one in history if getattr(one.draft.event, "scope", scopes[0]) in scopes]


def scopes_in(history: Iterable[Recorded]) -> tuple[Scope, ...]:
    """Where something was said or done, in the order of the first time."""
    events = (one.draft.event for one in history)
    told = (PromptReceived, ToolUsed, ExchangeRecorded, ExchangeRevised)
    return tuple(dict.fromkeys(event.scope for event in events if isinstance(event, told)))


def open_prompt(history: Sequence[Recorded]) -> str:
    """The last prompt, where nothing answers it."""
    for one in reversed(history):
        match one.draft.event:
            case ExchangeRecorded() | ExchangeRevised():
                return ""
            case PromptReceived(text=text):
                return "" if is_private(text) else text
            case _:
                pass
    return ""


def folder_of(history: Iterable[Recorded]) -> str:
    """The folder a session began in; empty where its beginning is not among these."""
    events = (one.draft.event for one in history)
    return next((event.directory for event in events if isinstance(event, SessionStarted)), "")


def files_of(history: Sequence[Recorded], folder: str = "") -> Files:
    """By the paths that tools told, below the session's folder as from there: `folder`, or where it began."""
    folder = folder or folder_of(history)
    changed, looked = dict[str, None](), dict[str, None]()
    for one in history:
        for tool in _tools(one):
            for told in tool.paths:
                path = below(folder, told)
                if path == HIDDEN or (path in changed and _only_looks(tool)):
                    continue
                place, other = (looked, changed) if _only_looks(tool) else (changed, looked)
                place.pop(path, None)
                other.pop(path, None)
                place[path] = None
    return Files(changed=tuple(changed), looked=tuple(looked))


def _tools(one: Recorded) -> Iterator[ToolUse]:
    match one.draft.event:
        case ToolUsed(tool=tool):
            yield tool
        case ExchangeRecorded(tools=tools) | ExchangeRevised(tools=tools):
            yield from tools
        case _:
            return


def _only_looks(tool: ToolUse) -> bool:
    return not tool.ok or tool.name.rpartition("__")[2].lower() in READING


def below(folder: str, path: str) -> str:
    if not folder or not PurePath(path).is_absolute() or not PurePath(path).is_relative_to(folder):
        return path
    return str(PurePath(path).relative_to(folder))


def _asked(history: Sequence[Recorded]) -> Iterator[str]:
    for one in history:
        match one.draft.event:
            case PromptReceived(text=text) | ExchangeRecorded(prompt=text) if text.strip() and not is_private(text):
                yield text
            case _:
                pass


def _short(text: str, most: int = LONGEST) -> str:
    return "" if is_private(text) else shortened(quoted(text), most)
