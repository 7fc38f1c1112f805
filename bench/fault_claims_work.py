"""One process of the claims campaign: takes, writes, renews, sleeps past its lease, abandons, until it is told to end.

    python -m bench.fault_claims_work STORE PLACE NAME SEED ITEMS

What it was told it notes in PLACE/NAME.jsonl, a line at once, so that a kill leaves what was noted. Each item has a
file that stands for what the claim guards: it takes a write only under a number that is no lower than it has seen.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import anyio

from aftermind.cli.language.items import CheckClaim, Lease, ReleaseClaim, RenewClaim, TakeClaim
from aftermind.cli.language.wire import Silent, TooLate, Unreachable
from aftermind.cli.reaching.joining import Joined
from aftermind.cli.reaching.starting import started
from aftermind.engine.errors import Held, Left, NotHeld, StoreHeld

PROJECT = "campaign"
LEASE = 1.0
LOST = (Unreachable, Silent, TooLate, Left, StoreHeld)
"""What comes of a daemon that is killed: nobody knows whether it was done."""


class Worker:
    def __init__(self, store: Path, place: Path, name: str, seed: int, items: int) -> None:
        self.store, self.place, self.name = store, place, name
        self.chance = Random(seed)
        self.items = [item_name(number) for number in range(items)]
        self.notes = os.open(place / f"{name}.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def note(self, what: str, item: str, **facts: Any) -> None:
        line = {"what": what, "item": item, "by": self.name, "at": time.time(), **facts}
        os.write(self.notes, (json.dumps(line) + "\n").encode())

    async def work(self) -> None:
        joined: Joined | None = None
        while not (self.place / "over").exists():
            try:
                joined = joined or Joined(self.store, await started(self.store, 60))
                await self.once(joined)
            except LOST as error:
                self.note("lost", "", why=type(error).__name__)
                if joined is not None:
                    await joined.close()
                joined = None
        if joined is not None:
            await joined.close()

    async def once(self, joined: Joined) -> None:
        """One item, half of the time one of the two that all want."""
        item = self.chance.choice(self.items[:2] if self.chance.random() < 0.5 else self.items)
        try:
            lease = await joined.ask(TakeClaim(item=item, project=PROJECT, by=self.name, seconds=LEASE))
        except Held as held:
            self.note("refused", item, by_whom=held.by, fence=held.fence)
            return
        self.note("taken", item, fence=lease.fence, since=lease.since.timestamp(), until=lease.until.timestamp())
        self.written(item, lease.fence)
        what = self.chance.random()
        if what < 0.02:
            await anyio.sleep(LEASE + 0.1 + self.chance.random() / 2)
            await self.comes_back(joined, item, lease)
        elif what < 0.03:
            self.note("abandoned", item, fence=lease.fence)
        else:
            if what < 0.15:
                await self.kept(
                    joined, item, lease, RenewClaim(item=item, project=PROJECT, fence=lease.fence, seconds=LEASE)
                )
                self.written(item, lease.fence)
            self.note("releasing", item, fence=lease.fence)
            await self.kept(joined, item, lease, ReleaseClaim(item=item, project=PROJECT, fence=lease.fence))

    async def kept(self, joined: Joined, item: str, lease: Lease, asked: RenewClaim | ReleaseClaim) -> None:
        """What its holder may do, unless it was so slow that the lease is over."""
        try:
            answered = await joined.ask(asked)
        except NotHeld as late:
            over = time.time() >= lease.until.timestamp()
            self.note("late" if over else "refused its holder", item, fence=lease.fence, why=late.why)
        else:
            if isinstance(asked, RenewClaim):
                self.note("renewed", item, fence=lease.fence, until=answered.until.timestamp())

    async def comes_back(self, joined: Joined, item: str, lease: Lease) -> None:
        """Every use of the number is refused, and the file knows whether somebody came between."""
        said: dict[str, Any] = {"item": item, "project": PROJECT, "fence": lease.fence}
        for asked in (CheckClaim(**said), RenewClaim(**said), ReleaseClaim(**said)):
            try:
                await joined.ask(asked)
            except NotHeld:
                self.note("old refused", item, fence=lease.fence)
            else:
                self.note("old accepted", item, fence=lease.fence, asked=type(asked).__name__)
        self.written(item, lease.fence)

    def written(self, item: str, fence: int) -> None:
        """A write to what the claim guards."""
        with (self.place / f"{self.items.index(item)}.guarded").open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            known, writer = (file.read() or "0 -").split(" ", 1)
            if fence < int(known):
                self.note("write refused", item, fence=fence)
            elif fence == int(known) and writer != self.name:
                self.note("two with one number", item, fence=fence, other=writer)
            else:
                file.truncate(0)
                file.write(f"{fence} {self.name}")


def item_name(number: int) -> str:
    """Names of which careless code makes others."""
    return f"src/{number}.py, src/{number + 1}.py 👩‍💻"


if __name__ == "__main__":
    store, place, name, seed, items = sys.argv[1:]
    anyio.run(Worker(Path(store), Path(place), name, int(seed), int(items)).work)
