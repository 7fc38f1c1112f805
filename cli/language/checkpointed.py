"""A checkpoint as a JSON object, piped into a command or handed over by a hook. Pure."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from aftermind.cli.language.misused import Misused
from aftermind.cli.language.sessions import WriteCheckpoint
from aftermind.engine.stored import from_json


class Checkpointed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may stand in it. `pending` left out says nothing of what is pending."""

    session: str | None = None
    project: str | None = None
    client: str = ""
    text: str = ""
    goal: str = ""
    decisions: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    pending: tuple[str, ...] | None = None
    files: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


_decode = msgspec.json.Decoder(Checkpointed).decode


def checkpointed(text: str, *, session: str | None, project: str | None, client: str) -> WriteCheckpoint:
    """What the object says, where it says nothing of session, project and client those given; `Misused` for what is no
    such object."""
    try:
        said = from_json(_decode, text.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError) as error:
        hint = f"it is a JSON object of: {', '.join(Checkpointed.__struct_fields__)}"
        raise Misused(f"that is no checkpoint: {error}", hint=hint, logged="no checkpoint") from None
    return WriteCheckpoint(
        session=said.session or session,
        project=said.project or project,
        client=said.client or client,
        text=said.text,
        goal=said.goal,
        decisions=said.decisions,
        done=said.done,
        pending=said.pending,
        files=said.files,
        references=said.references,
        by="hook",
    )
