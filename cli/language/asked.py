"""What every question is, who may ask it, and how one is asked.

A request says by what it is made of who may ask it. `answering/capturing/guarding.py` goes by that, and the checker
refuses a request that does not say it; so does it refuse a tool that asks what no assistant may.
"""

from __future__ import annotations

from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from aftermind.engine.names import EventId

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Asker: TypeAlias = Literal["person", "assistant"]


class Asked(Struct, Generic[T_co], frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask"):
    """A question whose answer is a `T_co`. Every one is of one of the kinds below."""


class Within(Asked[T_co], Generic[T_co], frozen=True, kw_only=True):
    """An assistant asks it as from a project, `within`: refused where that is paused or off limits, and other projects'
    memories are not there for it. A person asks from nowhere, and always may."""

    within: str | None = None


class ByEither(Asked[T_co], Generic[T_co], frozen=True, kw_only=True):
    """An assistant asks it of its own `project`, and is refused where that is paused or off limits; or a person, who
    always may, asks it of any. Which of them it is, it says."""

    asked_by: Asker = "person"


class InSession(Asked[T_co], Generic[T_co], frozen=True, kw_only=True):
    """Of a session at work in a `project`, told by a client's hook, an assistant or a person: refused where that is
    paused or off limits, whoever asks."""


class Harmless(Asked[T_co], Generic[T_co], frozen=True, kw_only=True):
    """Anybody may: what is answered is counts, sizes and times, and nobody's text."""


class NoAssistants(Asked[T_co], Generic[T_co], frozen=True, kw_only=True):
    """Asked by a person's command, a judge, a door that hands something on, or the process itself, and never by an
    assistant of its own. No pause holds it up; what it brings with it is looked at where it is taken in."""


class Ask(Protocol):
    """Has a request answered, here or by the process that holds the store. A request that writes and was given the same
    `key` before is done once."""

    async def __call__(self, asked: Asked[T], key: EventId | None = None) -> T: ...


class AskAsAssistant(Protocol):
    """The same for what an assistant may ask."""

    async def __call__(
        self, asked: Within[T] | ByEither[T] | InSession[T] | Harmless[T], key: EventId | None = None
    ) -> T: ...
