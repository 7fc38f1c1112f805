"""Where the data sets get their stores: of one model and one ranking.

`opened` is the one place that opens a store for a set, and `ready` the one that waits until what went in can be found.
A model is plugged in here: into what `open_memory` is given, and into what `ready` waits for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import TypeVar, cast

from msgspec import Struct, structs

import aftermind
from aftermind.engine.policy import Policy, Ranking

T = TypeVar("T")
MODELS = ("none", "static")


class Setting(Struct, frozen=True, kw_only=True):
    """What a run varies. `model` is `none` (words alone), `static`, or the folder of a model."""

    model: str = "none"
    ranking: Ranking = Ranking()


class NotEmbedded(RuntimeError):
    """A run with a model would have measured words alone, or only some of the vectors."""


@asynccontextmanager
async def opened(folder: Path, setting: Setting) -> AsyncIterator[aftermind.OpenMemory]:
    """The store of a folder, with the setting's model and ranking."""
    policy = Policy(ranking=setting.ranking)
    async with aftermind.open_memory(folder, policy=policy, model=setting.model) as memory:
        yield memory


async def ready(memory: aftermind.OpenMemory) -> None:
    """Returns when everything that was kept can be recalled in every way there is, however long that takes; raises when
    it never will be: nothing was computed in ten minutes."""
    await memory.caught_up()
    before = None
    while True:
        embedded = await memory.embedded(600)
        if embedded.name == "none" or (embedded.used and not embedded.why):
            return
        if (embedded.vectors, embedded.followed) == before:
            raise NotEmbedded(f"{embedded.name}: {embedded.why or 'no model is in use'}")
        before = embedded.vectors, embedded.followed


class Stores:
    """The stores of one run, in one folder. Those of sets that only ask are filled once and asked in every setting."""

    def __init__(self, folder: Path, setting: Setting) -> None:
        self.setting = setting
        self._folder = folder
        self._filled: dict[str, object] = {}
        self._made: dict[str, object] = {}
        self._numbers = count(1)

    def ranked(self, ranking: Ranking) -> Stores:
        """The same stores, asked with another ranking."""
        other = Stores(self._folder, structs.replace(self.setting, ranking=ranking))
        other._filled, other._made, other._numbers = self._filled, self._made, self._numbers
        return other

    @asynccontextmanager
    async def filled(
        self, name: str, fill: Callable[[aftermind.OpenMemory], Awaitable[T]]
    ) -> AsyncIterator[tuple[aftermind.OpenMemory, T]]:
        """A store that is only asked, and what `fill` returned when it filled it."""
        async with opened(self._folder / name, self.setting) as memory:
            if name not in self._filled:
                self._filled[name] = await fill(memory)
            await ready(memory)  # opened again, its vectors are there, and its model is not yet
            yield memory, cast("T", self._filled[name])

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What no ranking of ours changes, such as the floors: made the first time, the same in every setting."""
        if name not in self._made:
            self._made[name] = make()
        return cast("T", self._made[name])

    def fresh(self) -> Path:
        """A folder for a store that is written to while it is measured."""
        return self._folder / f"fresh-{next(self._numbers)}"
