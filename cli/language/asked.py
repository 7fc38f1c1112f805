"""What every question is, and how one is asked."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from aftermind.engine.names import EventId

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Asked(Struct, Generic[T_co], frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask"):
    """A question whose answer is a `T_co`."""


class Ask(Protocol):
    """Has a request answered, here or by the process that holds the store. A request that writes and was given the same
    `key` before is done once."""

    async def __call__(self, asked: Asked[T], key: EventId | None = None) -> T: ...
