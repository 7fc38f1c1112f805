"""What is asked of items of work: to be held by one at a time, and to wait in a queue; it is part of `requests.py`.

An item is any text, and is always of one project; without one, of all. `within` is the project an assistant asks from.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from msgspec import Struct

from aftermind.cli.language.answers import Step
from aftermind.cli.language.asked import Within
from aftermind.engine.items.life import LEASE
from aftermind.engine.names import ItemId, Scope, SessionId

SECONDS = LEASE.total_seconds()


class Item(Struct, frozen=True, kw_only=True):
    """What everything that is told of an item begins with."""

    item: str
    id: ItemId
    scope: Scope

    @property
    def called(self) -> str:
        """Its name; of one whose name was forgotten its id, by which it is meant as well."""
        return self.item or f"{self.id} (its name was forgotten)"


class Lease(Item, frozen=True, kw_only=True):
    """A claim. `holds`: by the clock of whoever answered; one that does not was not released, its time is over."""

    fence: int
    by: str
    client: str
    session: SessionId | None
    since: datetime
    until: datetime
    holds: bool

    @property
    def holder(self) -> str:
        """`ada`, `opencode (session s1)`."""
        return f"{self.by} (session {self.session})" if self.session is not None else self.by


class Claimed(Struct, frozen=True, kw_only=True):
    """An item, its lease where somebody holds it, and all that was ever done with it, oldest first."""

    item: str
    id: ItemId
    lease: Lease | None
    fence: int
    """The highest number that was given out; 0 where none was."""
    steps: tuple[Step, ...]


class TakeClaim(Within[Lease], tag="take-claim", frozen=True, kw_only=True):
    """An item is somebody's alone for so many `seconds`, renewed or not; `Held` where it is already. With a `session`
    the claim ends when that does."""

    item: str
    project: str | None = None
    by: str = ""
    client: str = ""
    session: str | None = None
    seconds: float = SECONDS


class RenewClaim(Within[Lease], tag="renew-claim", frozen=True, kw_only=True):
    """Its holder is alive; by its number, or the session that took it. `NotHeld` for anybody else."""

    item: str
    project: str | None = None
    fence: int | None = None
    session: str | None = None
    seconds: float = SECONDS


class ReleaseClaim(Within[Lease], tag="release-claim", frozen=True, kw_only=True):
    """As it was; somebody else may take it now. `broken`: whoever holds it, which only a person says."""

    item: str
    project: str | None = None
    fence: int | None = None
    session: str | None = None
    broken: bool = False


class CheckClaim(Within[Lease], tag="check-claim", frozen=True, kw_only=True):
    """Whether a number still is the one that holds; `NotHeld` for an old one. For who guards what is worked on."""

    item: str
    fence: int
    project: str | None = None


class ListClaims(Within[tuple[Lease, ...]], tag="list-claims", frozen=True, kw_only=True):
    """What is held in a project (None: in none), or everywhere, what ends first first; `over`: also what was not
    released, and is over."""

    project: str | None = None
    all: bool = False
    over: bool = False
    session: str | None = None
    limit: int = 50


class ShowClaim(Within[Claimed], tag="show-claim", frozen=True, kw_only=True):
    item: str
    project: str | None = None


Items: TypeAlias = TakeClaim | RenewClaim | ReleaseClaim | CheckClaim | ListClaims | ShowClaim
