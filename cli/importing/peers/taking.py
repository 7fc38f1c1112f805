"""What a reader gives goes into a store, a few at a time: what is in one of its files does not end the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import structs

from aftermind.cli.config import ignore_file
from aftermind.cli.importing.exchange import Advance, Imported, Unreadable
from aftermind.cli.importing.intake import Counts, taken_in
from aftermind.cli.importing.peers.tally import Tally
from aftermind.cli.importing.peers.told import Item, Peer, Source, ToldBook
from aftermind.cli.language.importing import TakeIn, Told
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.places import as_written, folder_of, place_of
from aftermind.cli.privacy.lists import Lists
from aftermind.engine.errors import DiskFailed, FileDamaged, OffLimits, Unusable
from aftermind.engine.memories.exchange import memory_of
from aftermind.engine.names import Label, MemoryId
from aftermind.engine.projects import plain_remote

AT_ONCE, LARGEST = 64, 256 * 1024
"""Memories, and characters, of one request."""
EXCHANGES_AT_ONCE = 500


class Places:
    """Where the projects are that a program knows by a name: as the user says, or here."""

    def __init__(self, named: Mapping[str, str], here: Path) -> None:
        self._named = named
        self._known: dict[str, str | None] = {}
        place = place_of(here)
        self._here = place.directory
        remotes = filter(None, map(plain_remote, place.remotes))
        self._names = {Path(place.directory).name, *(remote.partition("/")[2] for remote in remotes)}

    def of(self, project: str | None) -> str | None:
        """The folder of a project, or its name."""
        if project is None:
            return None
        if project not in self._known:
            found = self._named.get(project) or (self._here if project in self._names else project)
            self._known[project] = as_written(found)
        return self._known[project]

    def by_name_only(self) -> list[str]:
        return sorted(name for name in self._known.values() if name is not None and folder_of(name) is None)


def items(
    peer: Peer, sources: Sequence[Source], advance: Advance, since: datetime | None, tally: Tally
) -> Iterator[Item]:
    """All of all sources; one that cannot be read is told and passed over. What was said before that time, or has none,
    is counted in the `tally` and left out."""
    for source in sources:
        try:
            for item in peer.read(source, advance):
                at = item.at if isinstance(item, Told | Imported) else since
                if since is None or (at is not None and at >= since):
                    yield item
                else:
                    tally.older += 1
        except (Unusable, FileDamaged, DiskFailed) as error:
            hint = f" ({error.hint})" if error.hint else ""
            yield Unreadable(str(source.path), f"{error.what if isinstance(error, Unusable) else error}{hint}")


def noted(found: Iterable[Item], said: set[MemoryId]) -> Iterator[Item]:
    """The same, and the memories that are told are noted."""
    for item in found:
        if isinstance(item, Told):
            said.add(memory_of(item.id))
        yield item


def counted(found: Iterable[Item], places: Places, project: str | None, tally: Tally) -> None:
    """Of what is read and not recorded."""
    for item in found:
        tally.meets(_placed(item, places, project))
    tally.by_name_only = places.by_name_only()


async def taken(memory: OpenMemory, found: Iterable[Item], places: Places, project: str | None, tally: Tally) -> None:
    """Of what is recorded. Returns when it is durable."""
    lists = Lists(ignore_file())
    waiting: list[Told] = []
    said: list[Imported] = []
    for item in found:
        if project is not None and _is_listed(lists, item):
            tally.fates["off limits"] = tally.fates.get("off limits", 0) + 1
            continue
        item = _placed(item, places, project)
        tally.meets(item)
        match item:
            case Told():
                waiting.append(item)
            case Imported():
                said.append(item)
            case ToldBook():
                await _book(memory, item, tally)
            case _:
                continue
        if len(waiting) >= AT_ONCE or sum(len(one.text) for one in waiting) > LARGEST:
            await _sent(memory, waiting, tally)
            waiting = []
        if len(said) >= EXCHANGES_AT_ONCE:
            await _recorded(memory, said, tally)
            said = []
    await _sent(memory, waiting, tally)
    await _recorded(memory, said, tally)
    tally.by_name_only = places.by_name_only()


def _is_listed(lists: Lists, item: Item) -> bool:
    """Whether what would be filed elsewhere was said in a folder that is off limits."""
    said_in = item.project if isinstance(item, Told | Imported | ToldBook) else None
    folder = folder_of(said_in) if said_in else None
    return folder is not None and bool(lists.why(folder, is_folder=True))


def _placed(item: Item, places: Places, project: str | None) -> Item:
    if not isinstance(item, Told | Imported | ToldBook):
        return item
    said = item.project
    where = as_written(project) if project is not None else places.of(None if said is None else str(said))
    if project is not None and said is not None and isinstance(item, Told | Imported):
        elsewhere = as_written(said) or ""
        return structs.replace(item, project=where, elsewhere=(elsewhere,))
    return structs.replace(item, project=where)


async def _sent(memory: OpenMemory, told: list[Told], tally: Tally) -> None:
    if not told:
        return
    for one, became in zip(
        told, await memory.ask(TakeIn(program=Label(tally.program), memories=tuple(told))), strict=True
    ):
        tally.fates[became.fate] = tally.fates.get(became.fate, 0) + 1
        if became.fate == "unreadable":
            tally.not_read(Unreadable(f"memory {one.id}", became.why))


async def _recorded(memory: OpenMemory, said: list[Imported], tally: Tally) -> None:
    if not said:
        return
    counts, before = await taken_in(memory, said), tally.told or Counts()
    for problem in counts.problems:
        tally.not_read(problem)
    numbers = ("new", "repeated", "revised", "different", "off_limits", "unreadable")
    tally.told = Counts(**{name: getattr(counts, name) + getattr(before, name) for name in numbers})


async def _book(memory: OpenMemory, book: ToldBook, tally: Tally) -> None:
    try:
        await memory.ingest(book.path, book.chunks, title=book.title, form="text", project=book.project)
    except (Unusable, OffLimits) as error:
        tally.books -= 1
        tally.not_read(Unreadable(f"book {book.title}", str(error)))
