"""A folder of pages, kept as the store is: what is new or another is written, what is gone is taken away, and what we
did not write, or somebody edited since, is left alone.

What we wrote stands in a list in the folder. Nothing is written through a link, and a page is there whole or not. What
stands in one cannot speak to the terminal of who reads it, nor turn the direction of writing.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path, PurePosixPath

import msgspec
from msgspec import Struct

from aftermind.cli.terminal.tables import visible
from aftermind.engine.errors import Refused
from aftermind.engine.store.lasting import refusal

LIST = ".aftermind-pages.json"
_PART = ".aftermind-page.part"


class _List(Struct):
    """Paths of our pages, and the SHA-256 of what we wrote."""

    pages: dict[str, str] = {}


class Written(Struct):
    """`left`: pages that would be ours, but are somebody else's or were edited."""

    written: int = 0
    same: int = 0
    removed: int = 0
    left: list[str] = []


class Tree:
    """Pages are `put`, and `finish` takes away those that were not."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.expanduser().absolute()
        self.done = Written()
        self._now: dict[str, str] = {}
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._before = self._listed()
        except (FileExistsError, NotADirectoryError) as error:
            raise Refused(f"{self.folder} is not a folder", hint="name another, which may be a new one") from error
        except OSError as error:
            raise refusal(error, self.folder) from error

    def put(self, place: PurePosixPath, text: str) -> None:
        name, data = str(place), visible(text.replace("\r\n", "\n")).encode("utf-8", "replace")
        digest, path = sha256(data).hexdigest(), self.folder / place
        try:
            there = self._digest(path)
            if there == digest:
                self._now[name] = digest
                self.done.same += 1
            elif there is not None and there != self._before.get(name):
                self.done.left.append(name)
                if name in self._before:  # it was edited, and may be given back
                    self._now[name] = self._before[name]
            else:
                self._write(path, data)
                self._now[name] = digest
                self.done.written += 1
        except OSError as error:
            raise refusal(error, path) from error

    def finish(self, *, all_of_it: bool) -> Written:
        """With `all_of_it`, pages of ours that were not put are gone from the store; else they are of another part."""
        try:
            kept = {} if all_of_it else dict(self._before)
            for name, digest in self._before.items() if all_of_it else ():
                if name not in self._now:
                    self._take_away(name, digest)
            self._note({**kept, **self._now})
        except OSError as error:
            raise refusal(error, self.folder) from error
        return self.done

    def _take_away(self, name: str, digest: str) -> None:
        path = self.folder / name
        if self._digest(path) == digest:
            path.unlink()
            self.done.removed += 1
            for parent in path.parents:
                if parent == self.folder or any(parent.iterdir()):
                    break
                parent.rmdir()
        elif path.exists():
            self.done.left.append(name)

    def _write(self, path: Path, data: bytes) -> None:
        for parent in reversed(path.relative_to(self.folder).parents[:-1]):
            (self.folder / parent).mkdir(mode=0o700, exist_ok=True)
        part = path.parent / _PART
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        try:
            with os.fdopen(os.open(part, flags, 0o600), "wb") as file:
                file.write(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def _digest(self, path: Path) -> str | None:
        """Of the file that is there; None where there is none. `Refused` for a link, or what is no file."""
        for parent in (path, *path.parents):
            if parent == self.folder:
                break
            if parent.is_symlink():
                raise Refused(f"{parent} is a link, and nothing is written through one", hint="take it away")
        if not path.exists():
            return None
        if not path.is_file():
            raise Refused(f"{path} is no file", hint="name another folder")
        return sha256(path.read_bytes()).hexdigest()

    def _listed(self) -> dict[str, str]:
        """What we wrote before. Without a list that can be read nothing is ours."""
        try:
            found = msgspec.json.decode((self.folder / LIST).read_bytes(), type=_List).pages
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
            return {}
        return {name: digest for name, digest in found.items() if _is_below(name)}

    def _note(self, pages: dict[str, str]) -> None:
        self._write(self.folder / LIST, msgspec.json.format(msgspec.json.encode(_List(dict(sorted(pages.items()))))))


def _is_below(name: str) -> bool:
    place = PurePosixPath(name)
    return not place.is_absolute() and ".." not in place.parts and place.suffix == ".md"
