"""What a form of a client is made of: the moments it knows, what a payload means, and how an answer is told. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from aftermind.cli.language.delivered import told
from aftermind.cli.language.misused import meant as alike
from aftermind.cli.language.requests import Brief, Checkpoint, EndSession, EndTurn, NoteTool, Record
from aftermind.cli.language.sessions import AskGate, Gated, WriteCheckpoint
from aftermind.cli.language.wire import NotUnderstood

Moment: TypeAlias = Literal[
    "start", "prompt", "gate", "tool", "turn", "subagent", "compact", "compacted", "checkpoint", "end", "failed"
]
"""The EVENT a client's configuration names: a session starts; a prompt was sent; a tool is about to be used; it was; an
answer is complete; a subagent's is; the conversation will be compacted; it was; somebody says where the work stands;
the session is over; a turn broke off."""
MOMENTS: tuple[Moment, ...] = get_args(Moment)
AWAITED: tuple[Moment, ...] = ("start", "prompt", "compact", "gate")
"""Those whose answer the client waits for."""
CHECK = "check"
"""No moment of a client's: it asks whether the daemon answers, and nothing of it is kept."""
NOWHERE = "unknown folder"
"""The project of what was said in a folder that cannot be told: never the global scope, which everybody sees."""
Meant: TypeAlias = Brief | Record | NoteTool | EndTurn | Checkpoint | EndSession | AskGate | WriteCheckpoint | None
"""None: it is understood, and there is nothing to do."""


class Form(Struct, frozen=True, kw_only=True):
    """One client's way of saying things. What no client of that form sends is `NotUnderstood`."""

    moments: tuple[Moment, ...]
    meant: Callable[[Moment, bytes, str], Meant]
    """What a payload (the hook's standard input as it was) means at a moment, said in a folder (empty: unknown)."""
    printed: Callable[[Moment, bytes, str], str]
    """What the client reads for that payload when the answer's text is this: its standard output, `""` for none."""
    noticed: Callable[[Moment, bytes, str, str], str] | None = None
    """The same with a line for its user beside the text, where a client shows its user one when a session begins."""
    gated: Callable[[bytes, Gated], str] | None = None
    """What the client reads before it uses a tool, where it asks."""


def as_it_is(moment: Moment, payload: bytes, text: str) -> str:
    """`printed` of a client that takes the text itself."""
    return text


def word(what: str, said: str, known: tuple[str, ...]) -> str:
    """A word of a closed list; `NotUnderstood` with the nearest ones otherwise."""
    if said in known:
        return said
    close = alike(said, known)
    hint = f"did you mean {' or '.join(close)}?" if close else f"one of: {', '.join(known)}"
    raise NotUnderstood(f"there is no {what} {said!r}", hint=hint, logged=f"{what} {told(said, known)}")
