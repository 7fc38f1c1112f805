"""What an exchange is among OpenCode's messages: one message of the user and those of the assistant that answer it.

Pure, and the same for both who read them: the import, from OpenCode's database, and the daemon, from what the plugin
hands over. So an exchange that both see is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from aftermind.cli.importing.exchange import error_end, paths
from aftermind.engine.events import ToolUse


class Time(Struct, frozen=True):
    created: float | None = None
    completed: float | None = None


class Message(Struct, frozen=True):
    role: str
    parentID: str = ""  # noqa: N815 - OpenCode's spelling
    time: Time | None = None
    error: object = None
    summary: object = None
    """True of an assistant's compaction; of a user's message it is something else."""
    finish: str = ""
    path: object = None
    """Where the assistant was."""

    @property
    def folder(self) -> str:
        cwd = self.path.get("cwd") if isinstance(self.path, dict) else None
        return cwd if isinstance(cwd, str) else ""


class State(Struct, frozen=True):
    status: str = ""
    input: object = None
    error: object = None
    metadata: object = None


class Part(Struct, frozen=True):
    type: str
    text: str = ""
    synthetic: bool = False
    ignored: bool = False
    tool: str = ""
    state: State | None = None


class Turn(Struct):
    """One message of the user while its answers are gathered."""

    id: str
    at: float | None = None
    done: float | None = None
    """When its last message was completed, in milliseconds, as `at`."""
    prompt: list[str] = []
    answer: list[str] = []
    tools: list[ToolUse] = []
    folders: dict[str, None] = {}
    """Where it was answered."""
    compacts: bool = False
    ended: bool = False
    """By its last assistant message: completed, and without an error."""
    works_on: bool = False
    """It broke off for a tool: another message of the assistant comes."""
    goes_on: bool = False
    """OpenCode wrote it itself, to have the turn before go on."""

    def whole(self) -> tuple[str, str]:
        """Prompt and answer."""
        return "\n".join(self.prompt), "\n".join(filter(None, self.answer))


class Turns:
    """Those of one session; messages are begun in their order, and their parts added in theirs."""

    def __init__(self) -> None:
        self._of: dict[str, Turn] = {}

    def begin(self, id: str, message: Message, created: float | None = None) -> None:
        """A prompt opens its turn; an answer says how its turn stands."""
        if message.role == "user":
            at = message.time.created if message.time is not None else None
            self._of[id] = Turn(id=id, at=created if at is None else at)
        elif (turn := self._of.get(message.parentID)) is not None and message.summary is not True:
            turn.ended = message.error is None and (message.time is None or message.time.completed is not None)
            turn.works_on = message.finish == "tool-calls"
            turn.done = message.time.completed if message.time is not None else None
            turn.folders[message.folder] = None

    def add(self, id: str, message: Message, part: Part) -> None:
        """What one part of a message adds to its turn."""
        mine = message.role == "user"
        turn = self._of.get(id if mine else message.parentID)
        if turn is None:
            return
        if part.type == "compaction":
            turn.compacts = True
            return
        if not mine and (message.summary is True or message.error is not None):
            return
        if part.type == "text" and not part.synthetic and not part.ignored:
            (turn.prompt if mine else turn.answer).append(part.text)
        elif part.type == "text" and mine:
            turn.goes_on = True
        elif part.type == "tool" and part.tool:
            turn.tools.append(tool_use(part.tool, part.state or State()))

    def ended(self, *, settled: bool = False) -> Iterator[Turn]:
        """The turns that were answered to their end, in their order; only `settled` ones: without the last, where the
        assistant still works on it. What answers a message that OpenCode wrote itself (after a compaction, after a
        subagent) is the answer to the prompt before."""
        found: list[Turn] = []
        for turn in self._of.values():
            prompt, answer = turn.whole()
            if turn.compacts:
                continue
            if prompt.strip():
                found.append(turn)
            elif found and found[-1].ended and turn.goes_on and answer.strip():
                found[-1].answer += turn.answer
                found[-1].tools += turn.tools
                found[-1].folders |= turn.folders
                found[-1].ended, found[-1].works_on, found[-1].done = turn.ended, turn.works_on, turn.done
        for place, turn in enumerate(found, 1):
            is_last = place == len(found)
            if turn.ended and not (settled and is_last and turn.works_on) and (turn.whole()[1].strip() or turn.tools):
                yield turn


def tool_use(name: str, state: State) -> ToolUse:
    """A command that ended with another status than 0 failed, though the tool that ran it did not."""
    ran = state.metadata if isinstance(state.metadata, dict) else {}
    exited = state.status != "error" and ran.get("exit") not in (None, 0)
    failed = exited or state.status == "error"
    said = ran.get("output") if exited else state.error
    error = error_end(said) if failed and isinstance(said, str) else ""
    return ToolUse(name=name, paths=paths(state.input), ok=not failed, error=error)
