"""How far an erasing is: written by who erases, read by who asks."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from aftermind.cli.language.erasing import Copies, Erasure, Left, Step


class Progress:
    """What is told of the run that is under way, or of the last."""

    def __init__(self) -> None:
        self.told = Erasure()

    def begin(self) -> None:
        self.told = Erasure(step="log", runs=self.told.runs)

    def step(self, step: Step, total: int = 0) -> None:
        self.told = structs.replace(self.told, step=step, done=0, total=total)

    def more(self, done: int = 1) -> None:
        self.told = structs.replace(self.told, done=self.told.done + done)

    def emptied(self, events: int) -> None:
        self.told = structs.replace(self.told, events=self.told.events + events)

    def rewrote(self, *names: str) -> None:
        self.told = structs.replace(self.told, files=tuple(dict.fromkeys((*self.told.files, *names))))

    def spooled(self, files: int) -> None:
        self.told = structs.replace(self.told, spooled=files)

    def vectors(self, rows: int) -> None:
        self.told = structs.replace(self.told, vectors=rows)

    def backups(self, copies: Iterable[Copies]) -> None:
        told = tuple(copies)
        spooled = self.told.spooled + sum(one.spooled for one in told)
        self.told = structs.replace(self.told, backups=told, spooled=spooled)

    def looked(self, size: int, left: Iterable[Left]) -> None:
        self.told = structs.replace(self.told, looked=size, left=tuple(left))

    def waits(self, why: str, remaining: int) -> None:
        self.told = structs.replace(self.told, step="waits", why=why, remaining=remaining)

    def end(self, run: int) -> None:
        self.told = structs.replace(self.told, step="done", runs=run, why="", remaining=0)
