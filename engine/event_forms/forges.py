"""What forges said of what is referred to. Part of `events.py`, and under its rules."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from aftermind.engine.event_forms.parts import Happened
from aftermind.engine.names import Label, Scope


class ReferenceEnriched(Happened, frozen=True, tag="reference-enriched"):
    """What a forge said of an issue, a merge request or an epic that a project refers to, when it was asked. The
    reference is whole: `github.com/owner/repo#12`. Its state is `missing` where the forge knows none, or shows it to
    nobody who asks so."""

    scope: Scope
    reference: str
    what: Label = Label("")
    state: Label = Label("")
    title: str = ""
    labels: tuple[str, ...] = ()
    url: str = ""


class ForgeLimited(Happened, frozen=True, tag="forge-limited"):
    """A forge asked not to be asked until then."""

    host: str
    until: datetime


ForgeEvent: TypeAlias = ReferenceEnriched | ForgeLimited
