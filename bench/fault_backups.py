"""Backups, restore and repair under damage, SIGKILL and a full disk.

Each trial has a copy of one store, of which every event is known. Files of the store or of its backups are damaged; or
a backup, a restore, a repair, a forgetting is killed at a random instant, or meets a full disk. Then: a backup that has
lost something is told from one that has not; a log is the one before or the one after, whole; nothing that any copy had
is lost, and what nobody had is told; and nothing that was altered passes as what was recorded.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from rich.progress import Progress

from aftermind.cli.keeping.repairing import repaired
from aftermind.engine.backups.backup import Backup, BackupDamaged, found, rows_of, verified
from aftermind.engine.backups.making import backed_up
from aftermind.engine.backups.restoring import finished
from aftermind.engine.backups.segment import Row
from aftermind.engine.erasing import erased
from aftermind.engine.errors import AftermindError
from aftermind.engine.logs.verify import LINKS
from aftermind.engine.logs.verify import verified as log_verified
from aftermind.engine.sqlite import foreign
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import LOG
from bench.fault_backup_work import EVENTS, WORKS, begun, damaged, said, seen, works
from bench.fault_interrupting import Interrupting, said_of

KINDS = (
    "backup damaged",
    "log damaged, all of it backed up",
    "log damaged, a part backed up",
    "killed",
    "killed",
    "no room",
)


class Backups:
    """A campaign of so many trials."""

    def __init__(self, place: Path, trials: int, seed: int) -> None:
        self._place, self._trials, self._chance = place, trials, Random(seed)
        self._interrupting = Interrupting(works, self._chance)
        self.kinds: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.lost: list[str] = []
        self.undetected: list[str] = []
        self.told = self.emptied = 0

    async def run(self, progress: Progress) -> bool:
        template = self._place / "template"
        template.mkdir()
        await begun(template / "store", 1)
        shutil.copytree(template / "store", template / "partly")
        await said(template / "partly", Random(2), EVENTS // 3)  # which no backup has, but the views know of
        await seen(template / "partly")
        task = progress.add_task("backups", total=self._trials)
        for number in range(self._trials):
            kind = KINDS[number % len(KINDS)]
            self.kinds[kind] += 1
            trial = self._place / f"trial-{number}"
            trial.mkdir()
            store = trial / "store"
            shutil.copytree(
                template / ("partly" if "part" in kind or kind in ("killed", "no room") else "store"), store
            )
            try:
                await self._tried(kind, store, f"trial {number} ({kind})")
            except Exception as error:  # a trial that breaks the campaign's own code is a finding
                self.wrong.append(f"trial {number} ({kind}): {error!r}")
            shutil.rmtree(trial)
            progress.advance(task)
        return not (self.wrong or self.lost or self.undetected)

    def figures(self) -> dict[str, Any]:
        return {
            "trials": sum(self.kinds.values()),
            **dict(sorted(self.kinds.items())),
            **{f"ended: {end}": count for end, count in sorted(self.ends.items())},
            "events told lost, that no copy had": self.told,
            "events told to be without their text, that no copy had": self.emptied,
            "acknowledged events lost": len(self.lost),
            "undetected corruptions": len(self.undetected),
            "wrong": len(self.wrong),
            "details": {"lost": self.lost, "undetected": self.undetected, "wrong": self.wrong},
        }

    async def _tried(self, kind: str, store: Path, name: str) -> None:
        match kind:
            case "backup damaged":
                await self._backup_damaged(store, name)
            case "killed" | "no room":
                await self._interrupted(kind, store, name)
            case _:
                await self._log_damaged(store, name)

    async def _backup_damaged(self, store: Path, name: str) -> None:
        """Every byte of a backup is vouched for; and one made anew from the log is whole."""
        truth = rows_in(store)
        files = [path for path in (store / "backups").rglob("*") if path.is_file() and path.stat().st_size]
        how = damaged(self._chance.choice(sorted(files)), self._chance)
        whole, broken = found(store / "backups")
        for backup in whole:
            try:
                verified(backup)
            except BackupDamaged:
                broken.append(BackupDamaged(backup.path, how))
                continue
            if held(backup) != truth[: backup.manifest.events]:
                self.undetected.append(f"{name}: {how}")
        self.ends["detected" if broken else "no event touched"] += 1
        made = await backed_up(store, None, Stamp(), full=True)
        verified(made.backup)
        if held(made.backup) != truth:
            self.lost.append(f"{name}: a full backup after {how}")

    async def _log_damaged(self, store: Path, name: str) -> None:
        """What any copy had is there after a repair; what none had is told."""
        truth = rows_in(store)
        backed_up_to = found(store / "backups")[0][-1].manifest.head
        if self._chance.random() < 0.1:
            (store / LOG).unlink()
            how = "the log is gone"
        else:
            how = "; ".join(damaged(store / LOG, self._chance) for _ in range(self._chance.choice((1, 1, 3))))
        done = await repaired(store, None, Stamp())
        now, plan = rows_in(store), done.diagnosis.plan
        if any(row != old and row != (*old[:8], None, None, *old[10:]) for row, old in zip(now, truth, strict=False)):
            self.undetected.append(f"{name}: {how}: an event is another one")
        self._chain_holds(store, f"{name}: {how}")
        gone = {row[0] for row in truth[len(now) :]}
        bare = {row[0] for row, old in zip(now, truth, strict=False) if row[9] is None and old[9] is not None}
        if min(gone | bare, default=backed_up_to + 1) <= backed_up_to:
            self.lost.append(f"{name}: {how}: position {min(gone | bare)}, which a backup has")
        told = set() if plan is None else {*range(plan.head + 1, plan.highest + 1), *plan.emptied}
        if not gone | bare <= told:
            self.lost.append(f"{name}: {how}: positions {sorted((gone | bare) - told)[:4]} … went without a word")
        self.told += len(gone)
        self.emptied += len(bare)
        self.ends["repaired" if plan is not None else "no event touched"] += 1

    async def _interrupted(self, kind: str, store: Path, name: str) -> None:
        """Whatever it was doing: the log is the one before or the one after, the backups are whole, and the same work
        then comes to its end."""
        work = self._chance.choice(sorted(WORKS))
        before = rows_in(store)
        forgotten = self._chance.choice(before)
        store.with_name("forgotten").write_text(forgotten[1], encoding="ascii")
        old = held(found(store / "backups")[0][0])
        if work == "repair":
            damaged(store / LOG, self._chance)
        self.ends[f"{work}: {said_of(self._interrupting.ran(kind, work, store, work), {})}"] += 1
        finished(store)  # as whoever opens the store does first
        self._as_one_of(store, work, before, old, forgotten, f"{name} of a {work}")
        whole, broken = found(store / "backups")
        for backup in whole:
            verified(backup)
        if broken or not whole:
            self.wrong.append(f"{name} of a {work}: {len(whole)} backups, {broken}")
        if (end := self._interrupting.ended(store, work)) != 0:
            self.wrong.append(f"{name}: the {work} after it ends with {end}")
        self._as_one_of(store, work, before, old, forgotten, f"{name} of a {work}, done again")
        if work == "repair":
            self._chain_holds(store, f"{name} of a repair, done again")
            if rows_in(store)[: len(old)] != old:
                self.lost.append(f"{name} of a repair, done again: not all that a backup has")
        for backup in found(store / "backups")[0]:
            verified(backup)
            if work == "forget" and any(row[1] == forgotten[1] and row[9] is not None for row in held(backup)):
                self.wrong.append(f"{name}: {backup.path.name} still has what was forgotten")

    def _as_one_of(self, store: Path, work: str, before: list[Row], old: list[Row], forgotten: Row, name: str) -> None:
        """The log is what it may be after that work, done or not."""
        try:
            now = rows_in(store)
        except AftermindError:
            if work != "repair":
                raise
            return  # not mended yet
        bare: list[Row] = [(*row[:8], None, None, *row[10:]) if row == forgotten else row for row in before]
        if work == "repair":
            return  # the trials of damaged logs look at what it makes
        if now not in (before, old if work == "restore" else before, bare if work == "forget" else before):
            self.lost.append(f"{name}: {len(now)} events, neither the log before nor the one after")
        self._chain_holds(store, name)

    def _chain_holds(self, store: Path, name: str) -> None:
        try:
            with foreign(store / LOG) as connection:
                log_verified(connection, store / LOG)
        except AftermindError as error:
            self.wrong.append(f"{name}: {error}")
        erased.noted(store)


def rows_in(store: Path) -> list[Row]:
    with foreign(store / LOG) as connection:
        rows: list[Row] = connection.execute(LINKS, (0,)).fetchall()
    return rows


def held(backup: Backup) -> list[Row]:
    return [row for some in rows_of(backup) for row in some]
