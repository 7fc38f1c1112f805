"""How it is with the model that recall by meaning goes by, and what a person is told of it. Pure."""

from __future__ import annotations

from msgspec import Struct

from aftermind.cli.language.process import ModelPhase
from aftermind.projections.meaning.model_files import NONE

LONGEST = 120.0
"""Seconds that loading a model may take before it counts as hung."""


class Running(Struct, frozen=True):
    """A model that is loaded. `why` it does not go on, where it does not; `hung`: it has not come back from a call;
    `level`: all there is has its vector."""

    name: str
    why: str = ""
    hung: bool = False
    level: bool = False


class ModelState(Struct, frozen=True, kw_only=True):
    """`wanted` is what is configured, `name` what was begun with last; `loading`: for so many seconds; `why` that came
    to nothing, where it did. The one that is `used` serves until the one that is `coming` is level."""

    wanted: str
    name: str
    loading: float | None = None
    why: str = ""
    used: Running | None = None
    coming: Running | None = None

    @property
    def is_settled(self) -> bool:
        """Whether nothing is to change."""
        return self.name == self.wanted and self.loading is None and self.coming is None

    @property
    def is_level(self) -> bool:
        return self.is_settled and (self.used is None or self.used.level)

    @property
    def loads_long(self) -> bool:
        return self.loading is not None and self.loading > LONGEST

    @property
    def fails(self) -> bool:
        """Whether what is on its way will not come soon."""
        return (
            bool(self.why) or self.loads_long or (self.coming is not None and bool(self.coming.why or self.coming.hung))
        )

    @property
    def phase(self) -> ModelPhase:
        if self.loads_long or any(one.hung for one in self._concerned):
            return "hung"
        if self.wanted == NONE:
            return "none"
        if self.name != self.wanted or self.loading is not None:
            return "loading"
        if self.why or any(one.why for one in self._concerned):
            return "failed"
        return "level" if self.is_level else "embedding"

    @property
    def reason(self) -> str:
        """Why words decide alone, or by another model than is wanted, or not of all memories; empty where none of it
        is so."""
        if self.loading is not None:
            return f"{self.name} is being loaded{f', for {self.loading:,.0f} s' if self.loads_long else ''}"
        for one in self._concerned:
            if one.hung:
                return f"{one.name} hangs: it has not come back from a text it was given"
            if one.why:
                return one.why
        if self.name not in ("", self.wanted):
            return ""  # what came to nothing was another, and the one that is wanted is begun in a moment
        if self.why or self.coming is None:
            return self.why
        return f"the vectors of {self.coming.name} are being computed"

    @property
    def _concerned(self) -> list[Running]:
        """The one that comes, and the one in use, unless another is on its way: what ails it is over soon."""
        there = [one for one in (self.coming, self.used) if one is not None]
        return [one for one in there if self.is_settled or one.name == self.wanted]
