"""What every question is."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

T_co = TypeVar("T_co", covariant=True)


class Asked(Struct, Generic[T_co], frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ask"):
    """A question whose answer is a `T_co`."""
