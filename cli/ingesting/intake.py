"""Files become books: looked at in batches, read one by one; small ones are handed over together, of a large one its
parts. Whatever is wrong with one of them is told of it and ends nothing; a store that fails ends it all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from aftermind.cli.config import ignore_file
from aftermind.cli.ingesting.reader import Reader, Reading
from aftermind.cli.ingesting.report import Lost, Report
from aftermind.cli.ingesting.walking import File, OutOfReach, real
from aftermind.cli.language.answers import Book, Ingested
from aftermind.cli.language.books import FOLDER_FORMS
from aftermind.cli.language.requests import Edition, Source
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.privacy.lists import Lists
from aftermind.cli.reaching.editions import LARGEST_PART, PART, Numbers, file_of, source_of
from aftermind.cli.reading.cutting import CUT
from aftermind.cli.reading.decoding import Looked
from aftermind.cli.reading.document import PassedOver, Unreadable
from aftermind.engine.errors import Refused, Unusable
from aftermind.engine.memories.book import Chunk

UNSEEN = ("ci", *FOLDER_FORMS)
"""What `onboard` reads though it is hidden, or no file: that no ingestion looks at it does not mean it was put away."""
AT_ONCE = 200
"""Files that are looked at before it is asked which of them have to be read."""


class Small(Struct, frozen=True):
    """A file that was read whole."""

    file: File
    edition: Edition
    letters: int


class Intake:
    """Where files go: into a store, or, to be counted only, nowhere; a store is then asked what it has. `advance` is
    told the bytes that are done with."""

    def __init__(
        self,
        memory: OpenMemory | None,
        reader: Reader,
        project: str | Path | None,
        report: Report,
        advance: Callable[[float], None],
    ) -> None:
        self._memory, self._reader, self._project = memory, reader, project
        self._report, self._advance = report, advance
        self._known: Mapping[str, Book] = {}
        self._seen: set[str] = set()
        self._untold: set[Path] = set()
        self._small: list[Small] = []

    async def take(self, files: Iterable[File | OutOfReach], paths: Sequence[Path], *, every: bool = False) -> None:
        """Takes them all in; returns when they are durable. They are what is in the named `paths`: `every` file
        there that is not ignored, hidden, off limits or another repository's, or some of them."""
        if self._memory is not None:
            self._known = {book.path: book for book in await self._memory.books(self._project)}
        there = self._there(files)
        while batch := list(islice(there, AT_ONCE)):
            looked = [(one, seen) for one in batch for seen in await self._looked(one)]
            todo = await self._to_read([Source(path=source_of(one.path), digest=seen.digest) for one, seen in looked])
            for number, (one, seen) in enumerate(looked):
                if number in todo:
                    await self._read(one, seen)
                else:
                    self._report.unchanged += 1
                    self._advance(one.size)
        await self._hand_over()
        self._tell_of_those_missed(paths, every=every)

    def _tell_of_those_missed(self, paths: Sequence[Path], *, every: bool) -> None:
        """Books of these paths whose files are gone, or were not among what was found there; and those from elsewhere
        whose files are gone, and one of that name was found: a folder that is moved has other paths."""
        untold = tuple(f"{path}{os.sep}" for path in self._untold)
        named = {str(real(path)) for path in paths}
        inside = tuple(f"{real(path)}{os.sep}" for path in paths if path.is_dir())
        found = {Path(source).name for source in self._seen}
        lists = Lists(ignore_file())
        for source, book in self._known.items():
            file = file_of(source)
            is_here = file.startswith(inside) or file in named
            if (
                source in self._seen
                or not (is_here or Path(file).name in found)
                or f"{file}{os.sep}".startswith(untold)
            ):
                continue  # what cannot be looked into was told
            if _is_gone(file, book.form):
                self._report.lost.append(Lost(book.id, source))
            elif (
                is_here
                and every
                and (book.form not in UNSEEN or lists.why(Path(file), is_folder=book.form in FOLDER_FORMS))
            ):
                self._report.unseen.append(Lost(book.id, source))

    def _there(self, files: Iterable[File | OutOfReach]) -> Iterator[File]:
        """The files that can be looked at; of the others it is told why not."""
        for one in files:
            self._report.found += 1
            if isinstance(one, File):
                self._seen.add(source_of(one.path))
                yield one
            else:
                self._untold.add(one.path)
                self._report.cannot_read(one.path, one.why)

    async def _looked(self, one: File) -> list[Looked]:
        """The file as it is, or nothing."""
        try:
            return [await self._reader.look(os.fsencode(one.path), called=one.called, asked_for=one.asked_for)]
        except (PassedOver, Unreadable) as error:
            self._not_taken(one, error)
            return []

    async def _to_read(self, sources: list[Source]) -> set[int]:
        if self._memory is None or not sources:
            return set(range(len(sources)))
        return set(await self._memory.unread(sources, cut=CUT, project=self._project))

    async def _read(self, one: File, looked: Looked) -> None:
        done = 0.0

        def advance(share: float) -> None:
            nonlocal done
            self._advance((share - done) * one.size)
            done = share

        try:
            reading = await self._reader.read(looked, advance)
            if self._memory is None or self._report.dry_run:
                async for _ in reading.chunks:
                    self._report.chunks += 1
                is_known = source_of(one.path) in self._known
                self._report.changed += is_known
                self._report.new += not is_known
            else:
                await self._handed(one, looked, reading)
            for remark in reading.remarks:
                self._report.remark(one.path, remark)
        except (PassedOver, Unreadable, Refused, Unusable) as error:
            self._not_taken(one, error)
        advance(1.0)

    async def _handed(self, one: File, looked: Looked, reading: Reading) -> None:
        """A file that is soon over waits for others; a longer one goes its own way."""
        assert self._memory is not None
        first: list[Chunk] = []
        letters = 0
        async for chunk in reading.chunks:
            first.append(chunk)
            letters += len(chunk.text)
            if len(first) >= PART or letters > LARGEST_PART:
                break
        else:
            numbers = Numbers()
            edition = Edition(
                path=source_of(one.path),
                title=reading.title,
                chunks=tuple(map(numbers.numbered, first)),
                form=looked.form,
                digest=looked.digest,
                size=looked.size,
                cut=CUT,
            )
            self._small.append(Small(one, edition, letters))
            if sum(len(small.edition.chunks) for small in self._small) >= PART:
                await self._hand_over()
            return
        ingested = await self._memory.ingest(
            one.path,
            _both(first, reading.chunks),
            title=reading.title,
            form=looked.form,
            digest=looked.digest,
            size=looked.size,
            cut=CUT,
            project=self._project,
        )
        self._taken(ingested)

    async def _hand_over(self) -> None:
        """The small ones together; where one of them is refused, each alone."""
        small, self._small = self._small, []
        if not small or self._memory is None:
            return
        try:
            for ingested in await self._memory.ingest_all([one.edition for one in small], self._project):
                self._taken(ingested)
        except (Refused, Unusable) as error:
            if len(small) == 1:
                self._not_taken(small[0].file, error)
                return
            for one in small:
                self._small = [one]
                await self._hand_over()

    def _taken(self, ingested: Ingested) -> None:
        self._report.forgotten += ingested.forgotten
        match ingested.delivery:
            case "unchanged":
                self._report.unchanged += 1
            case "new":
                self._report.new += 1
                self._report.chunks += ingested.chunks
            case "changed":
                self._report.changed += 1
                self._report.chunks += ingested.chunks

    def _not_taken(self, one: File, error: Exception) -> None:
        if isinstance(error, PassedOver):
            self._report.passes_over(one.path, str(error))
        else:
            self._report.cannot_read(one.path, str(error))
        if (book := self._known.get(source_of(one.path))) is not None:
            hint = f"`aftermind remove {book.id}` takes it out"
            self._report.remark(one.path, f"its edition before stays ({error}); {hint}")


def _is_gone(path: str, form: str) -> bool:
    """Whether there is no such file, or a folder in its place; of what was read from a folder, nothing there."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode) and form not in FOLDER_FORMS
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


async def _both(first: list[Chunk], rest: AsyncIterator[Chunk]) -> AsyncIterator[Chunk]:
    for chunk in first:
        yield chunk
    async for chunk in rest:
        yield chunk
