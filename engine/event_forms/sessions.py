"""What can have happened to a session besides what was said in it: that it goes on, where its work stands, what was
held back until somebody says so. Part of `events.py`, and under its rules."""

from __future__ import annotations

from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.names import Label, Scope, SessionId


class SessionContinued(Happened, frozen=True, tag="session-continued"):
    """It is alive though nothing was said: kept alive, or begun again after it had ended."""

    session: SessionId


class CheckpointWritten(Happened, frozen=True, tag="checkpoint-written"):
    """Where the work stands. `moment`: before or after the client compacts the conversation, at the session's end, or
    whenever somebody says so (`now`); `text` is what they said in free words, after a compaction what is left of it.

    A goal takes the place of the one before. Decisions, what was done, files and references are added to those before;
    what is `pending` is all that is, where it says any, and with `finished` nothing is. Who wrote it is `by`: an
    assistant, a person, or the daemon, whose own quotes only what the session said before it.
    """

    session: SessionId
    scope: Scope
    moment: Label
    trigger: Label
    text: str = ""
    goal: str = ""
    decisions: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    finished: bool = False
    files: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    by: Label = Label("")


class ToolHeld(Happened, frozen=True, tag="tool-held"):
    """A tool was held back after so many `uses` without a checkpoint. Recorded before it is, so that nothing is held
    back where nothing can be recorded."""

    session: SessionId
    scope: Scope
    uses: int
