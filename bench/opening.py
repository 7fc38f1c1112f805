"""Where every bench of recall gets its stores: of one model and one ranking.

`opened` is the one place that opens a store, and `ready` the one that waits until what went in can be found. A model
is plugged in here: into what `open_memory` is given, and into what `ready` waits for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar, cast

from msgspec import Struct, structs

import aftermind
from aftermind.engine.policy import Policy, Ranking

T = TypeVar("T")
MODELS = ("none",)


class Setting(Struct, frozen=True, kw_only=True):
    """What a run varies. `model` is `none`, `static`, or the folder of a model."""

    model: str = "none"
    ranking: Ranking = Ranking()


class NoSuchModel(ValueError):
    def __init__(self, model: str) -> None:
        super().__init__(f"this bench cannot measure with the model {model!r} yet; it knows: {', '.join(MODELS)}")


@asynccontextmanager
async def opened(folder: Path, setting: Setting) -> AsyncIterator[aftermind.OpenMemory]:
    """The store of a folder, with the setting's model and ranking."""
    if setting.model not in MODELS:
        raise NoSuchModel(setting.model)
    async with aftermind.open_memory(folder, policy=Policy(ranking=setting.ranking)) as memory:
        yield memory


async def ready(memory: aftermind.OpenMemory) -> None:
    """Returns when everything that was kept can be recalled in every way there is."""
    await memory.caught_up()


class Stores:
    """The stores of one run, in one folder. Those of sets that only ask are filled once and asked in every setting."""

    def __init__(self, folder: Path, setting: Setting) -> None:
        self.setting = setting
        self._folder = folder
        self._filled: dict[str, object] = {}
        self._fresh = 0

    def ranked(self, ranking: Ranking) -> Stores:
        """The same stores, asked with another ranking."""
        other = Stores(self._folder, structs.replace(self.setting, ranking=ranking))
        other._filled = self._filled
        other._folder = self._folder
        return other

    @asynccontextmanager
    async def filled(
        self, name: str, fill: Callable[[aftermind.OpenMemory], Awaitable[T]]
    ) -> AsyncIterator[tuple[aftermind.OpenMemory, T]]:
        """A store that is only asked, and what `fill` returned when it filled it."""
        async with opened(self._folder / name, self.setting) as memory:
            if name not in self._filled:
                self._filled[name] = await fill(memory)
                await ready(memory)
            yield memory, cast(T, self._filled[name])

    def fresh(self) -> Path:
        """A folder for a store that is written to while it is measured."""
        self._fresh += 1
        return self._folder / f"fresh-{id(self)}-{self._fresh}"
