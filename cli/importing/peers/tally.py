"""What was found in another program's data and what became of it: counts for a program, a few lines for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from aftermind.cli.importing.exchange import Imported, Unreadable
from aftermind.cli.importing.intake import Counts, PassedOver
from aftermind.cli.importing.peers.told import Item, Left, ToldBook
from aftermind.cli.language.importing import Told
from aftermind.cli.terminal.tables import are
from aftermind.cli.terminal.tables import counted as count

NO_PROJECT = ""
"""Stands for what belongs to no project and is visible everywhere."""


class Tally(PassedOver, Struct):
    """`memories` is how many were found, `fates` what became of them; of a dry run that is empty. Keys of `projects`
    are folders and names, and empty for what is visible everywhere."""

    program: str
    dry_run: bool
    sources: list[str] = []
    memories: int = 0
    exchanges: int = 0
    books: int = 0
    kinds: dict[str, int] = {}
    collections: dict[str, int] = {}
    outcomes: dict[str, int] = {}
    projects: dict[str, int] = {}
    by_name_only: list[str] = []
    superseded: int = 0
    archived: int = 0
    locked: int = 0
    links: int = 0
    fates: dict[str, int] = {}
    told: Counts | None = None
    """What became of the exchanges."""
    left: list[Left] = []
    older: int = 0
    """Said before what was asked for (`--days`), or without a time: left out."""
    unreadable: int = 0
    problems: list[Unreadable] = []

    @property
    def found(self) -> int:
        return self.memories + self.exchanges + self.books

    def meets(self, item: Item) -> None:
        """Counts one thing that was found."""
        match item:
            case Unreadable():
                self.not_read(item)
            case Left():
                self._leaves(item)
            case Imported():
                self.exchanges += 1
                _add(self.projects, str(item.project or NO_PROJECT))
            case ToldBook():
                self.books += 1
            case Told():
                self.memories += 1
                _add(self.kinds, item.kind)
                _add(self.collections, item.collection)
                _add(self.projects, item.project or NO_PROJECT)
                for word in item.words:
                    _add(self.outcomes, word.outcome)
                replaced = item.ended is not None and item.ended.by is not None
                self.superseded += replaced
                self.archived += item.ended is not None and not replaced
                self.locked += item.locked
                self.links += len(item.ties)

    def _leaves(self, item: Left) -> None:
        for place, known in enumerate(self.left):
            if (known.what, known.why) == (item.what, item.why):
                self.left[place] = Left(known.what, known.why, known.count + item.count)
                return
        self.left.append(item)


def _add(counts: dict[str, int], key: str, more: int = 1) -> None:
    counts[key] = counts.get(key, 0) + more


def lines(tally: Tally) -> Iterator[str]:
    """What a person is told."""
    yield _first(tally)
    for label, counts in (("kinds", tally.kinds), ("collections", tally.collections), ("outcomes", tally.outcomes)):
        if counts:
            yield f"  {label}: {_sorted(counts)}"
    marks = {"superseded": tally.superseded, "archived": tally.archived, "locked": tally.locked, "links": tally.links}
    if any(marks.values()):
        yield f"  of them: {_sorted({name: number for name, number in marks.items() if number})}"
    if tally.projects:
        yield f"  projects: {_sorted({name or 'visible everywhere': n for name, n in tally.projects.items()})}"
    for name in tally.by_name_only:
        yield f"  {name} is known by its name alone: `--map {name}=FOLDER` files it under the folder it is in"
    if tally.projects.get(NO_PROJECT) and tally.program != "rules":
        yield "  what names no project is visible everywhere: `--project FOLDER` files all there is under one"
    if tally.left:
        yield "Has no place here:"
        yield from (f"  {one.count:,} {one.what}: {one.why}" for one in tally.left)
    if tally.older:
        yield f"Left out {count(tally.older, 'thing')} said before that or without a time."
    if tally.unreadable:
        yield f"{count(tally.unreadable, 'thing')} could not be read:"
        yield from (f"  {one.place}: {one.why}" for one in tally.problems)
        if tally.unreadable > len(tally.problems):
            yield f"  and {tally.unreadable - len(tally.problems):,} more"


def _first(tally: Tally) -> str:
    if tally.dry_run:
        parts = _things(tally.memories, tally.exchanges, tally.books)
        return f"Found {', '.join(parts) or 'nothing'} of {tally.program}. Nothing was written."
    fates, told = Counter(tally.fates), tally.told or Counts()
    parts = _things(fates["new"], told.new, tally.books)
    grown = fates["grown"] + told.revised
    known = fates["repeated"] + told.repeated
    withheld = fates["off limits"] + told.off_limits
    said = [f"Imported {', '.join(parts) or 'nothing new'} of {tally.program}"]
    said += [f"{known:,} {'was' if known == 1 else 'were'} already there"] if known else []
    said += [f"{grown:,} brought up to date"] if grown else []
    said += (
        [f"{fates['forgotten']:,} {'stays' if fates['forgotten'] == 1 else 'stay'} forgotten"]
        if fates["forgotten"]
        else []
    )
    said += (
        [f"{fates['archived']:,} archived that {are(fates['archived'])} not there any more"]
        if fates["archived"]
        else []
    )
    said += [f"{count(told.different, 'exchange')} with another text than is recorded"] if told.different else []
    said += [f"{withheld:,} off limits, private, or said during a pause"] if withheld else []
    return ", ".join(said) + "."


def _things(memories: int, exchanges: int, books: int) -> list[str]:
    named = ((memories, "memory", "memories"), (exchanges, "exchange", ""), (books, "book", ""))
    return [count(number, noun, many) for number, noun, many in named if number]


def _sorted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in sorted(counts.items(), key=lambda one: (-one[1], one[0])))
