"""What became of the events of a file: the counts for a program, a few sentences for a person."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.carrying.apart import Compared
from aftermind.cli.carrying.reading import Problem, Survey
from aftermind.cli.language.carrying import Fate
from aftermind.cli.terminal.tables import counted
from aftermind.engine.names import StreamName

Counted: TypeAlias = Fate | Literal["doubled"]
Way: TypeAlias = Literal["copied", "merged", "nothing"]
FEW = 5
NAMED = 20
COMPARED = Compared()


class Tally(Struct):
    """So many of each fate; the memories that were forgotten there and live here."""

    new: int = 0
    known: int = 0
    erased: int = 0
    of_store: int = 0
    forgotten_here: int = 0
    forgotten_there: list[str] = []
    not_mapped: int = 0
    doubled: int = 0

    def count(self, fate: Counted, stream: StreamName | None = None) -> None:
        if fate == "forgotten-there":
            if stream is not None and stream.startswith("memory-"):
                self.forgotten_there.append(stream.removeprefix("memory-"))
            return
        name = fate.replace("-", "_")
        setattr(self, name, getattr(self, name) + 1)


class Carried(Struct, frozen=True, kw_only=True):
    """`way`: `copied` into an empty store, `merged` into one that has events. `whole`: the file is all that was
    exported, unchanged. `apart`: what projects of the file are called here that are others here, by the names they have
    there; `untold`: those that became one though nothing says that they are. Of a dry run, the counts are what would
    be."""

    format: Literal["events"] = "events"
    dry_run: bool
    way: Way
    found: int
    new: int
    known: int
    erased: int
    of_store: int
    forgotten_here: int
    forgotten_there: tuple[str, ...]
    not_mapped: int
    doubled: int
    unreadable: int
    problems: tuple[Problem, ...]
    whole: bool
    store: str
    filters: dict[str, str]
    apart: dict[str, str]
    untold: tuple[str, ...]


def carried(survey: Survey, tally: Tally, way: Way, *, dry_run: bool, found: Compared = COMPARED) -> Carried:
    header = survey.header
    return Carried(
        dry_run=dry_run,
        way=way,
        found=survey.events,
        new=tally.new,
        known=tally.known,
        erased=tally.erased,
        of_store=tally.of_store,
        forgotten_here=tally.forgotten_here,
        forgotten_there=tuple(tally.forgotten_there[:NAMED]),
        not_mapped=tally.not_mapped,
        doubled=tally.doubled + survey.doubled,
        unreadable=survey.unreadable,
        problems=tuple(survey.problems),
        whole=survey.whole,
        store=header.store if header is not None else "",
        filters=dict(header.filters) if header is not None else {},
        apart={one.name: one.there for one in found.apart},
        untold=found.untold,
    )


def sentences(done: Carried, path: Path) -> list[str]:
    """What became of it, the most important first."""
    if not done.found and not done.unreadable:
        return [f"There is no event in {path}."]
    verb = "Would take in" if done.dry_run else "Took in"
    parts = [f"{verb} {counted(done.new, 'new event')}"]
    if done.erased:
        parts.append(f"{done.erased:,} more without {'its' if done.erased == 1 else 'their'} text, which was erased")
    if done.known:
        parts.append(f"{done.known:,} {'was' if done.known == 1 else 'were'} already here")
    if done.doubled:
        parts.append(f"{counted(done.doubled, 'line')} twice in the file")
    told = [", ".join(parts) + (". Nothing was written." if done.dry_run else ".")]
    if done.unreadable:
        shown = "; ".join(f"line {one.line}: {one.why}" for one in done.problems[:FEW])
        more = "; …" if done.unreadable > FEW else ""
        told.append(f"{counted(done.unreadable, 'line')} could not be used ({shown}{more}).")
    if not done.whole:
        told.append("The file is not all that was exported, or was changed: its end is missing or does not fit.")
    told += _of_projects(done)
    if done.of_store:
        told.append(
            f"{counted(done.of_store, 'event')} left out that {'tells' if done.of_store == 1 else 'tell'} of the other "
            "store itself (pauses, scoring, projects, claims and the queue, what was asked and spent, what it erased)."
        )
    if done.forgotten_here:
        told.append(f"{counted(done.forgotten_here, 'event')} left out, of memories that were forgotten here.")
    if done.not_mapped:
        told.append(
            f"{counted(done.not_mapped, 'event')} left out that this version cannot file under another project."
        )
    if done.forgotten_there:
        ids = " ".join(done.forgotten_there[:FEW])
        told.append(f"Forgotten there and still here: `aftermind forget {ids}` forgets them here, too.")
    return told


def _of_projects(done: Carried) -> list[str]:
    """Which projects of the file became what, where that is not plain."""
    goes = "would be" if done.dry_run else "is"
    told = [
        f"{name} in the file is another repository than {name} here: it {goes} the project {own}. "
        f"`aftermind project share {own}` shows it in the folder you are in."
        for own, name in done.apart.items()
    ]
    if done.untold and (done.new or done.erased):
        names, one = ", ".join(done.untold[:FEW]) + (", …" if len(done.untold) > FEW else ""), len(done.untold) == 1
        told.append(
            f"{names} {'has' if one else 'have'} the same path here and there, and nothing tells whether "
            f"{'it is' if one else 'they are'} the same: what is known of both {goes} in one project. For what is not, "
            "there is `--scope NAME`; `--dry-run` says this before."
        )
    return told
