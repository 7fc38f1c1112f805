"""What git would not look at, and what a glob asks for."""

from __future__ import annotations

import os
import subprocess
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from aftermind.cli.config import of_others
from aftermind.cli.privacy.patterns import Patterns, pattern_of
from aftermind.engine.errors import Unusable

LARGEST = 1024 * 1024
"""Bytes of a list of patterns; a longer one is none."""
PATIENCE = 5.0
"""Seconds in which git tells where its lists are."""


class Wanted:
    """Globs in the way `.gitignore` writes them: `*.md`, `docs/**/*.txt`, `!drafts/`; the last that fits a file
    decides. None wants everything."""

    def __init__(self, globs: Sequence[str]) -> None:
        for glob in globs:
            if pattern_of(glob) is None:
                raise Unusable("no pattern of files", glob, hint="`--glob '*.md'`, for example")
        if globs and all(glob.startswith("!") for glob in globs):
            raise Unusable("nothing but what is left out", globs[0], hint="`--glob '*.md'` says what is taken")
        self._patterns = Patterns(globs)

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def wants(self, relative: str) -> bool:
        return not self._patterns or self._patterns.means(relative)


class _List(Struct, frozen=True):
    """The patterns that hold below one folder, and where they stand."""

    folder: Path
    file: Path
    patterns: Patterns


NOBODYS = {"node_modules", "__pycache__", "site-packages", "venv"}
"""Folders of what somebody else wrote."""


class Ignored:
    """The patterns that hold in a folder: its own, those of the folders above it up to its repository's, the
    repository's own list, and the user's."""

    def __init__(self, lists: tuple[_List, ...] = (), root: Path | None = None, *, folded: bool = False) -> None:
        """`root`: the repository's folder, where there is one; `folded`: whether capitals mean nothing to it."""
        self._lists, self._root, self._folded = lists, root, folded

    @classmethod
    def in_folder(cls, folder: Path) -> Ignored:
        """Those that hold in a folder somebody named."""
        above, root = [folder, *folder.parents], repository_of(folder)
        ignored = cls() if root is None else cls().in_repository(root)
        for one in reversed(above[: above.index(root or folder) + 1]):
            ignored = ignored.with_list_of(one)
        return ignored

    def ends_at(self, folder: Path) -> bool:
        """Whether another repository begins there, in which git does not look from here."""
        return self._root is not None and is_repository(folder)

    def inside(self, folder: Path) -> Ignored:
        """With the list of one more folder, and where a repository begins there with what holds in that."""
        there = self.in_repository(folder) if self._root is None and is_repository(folder) else self
        return there.with_list_of(folder)

    def in_repository(self, root: Path) -> Ignored:
        """With the lists of a repository that lie in none of its folders."""
        folded = _of_git(root, "config", "--type=bool", "--get", "core.ignorecase") == "true"
        lists = (one for file in beyond_folders(root) for one in _read(root, file, folded=folded))
        return Ignored((*self._lists, *lists), root, folded=folded)

    def with_list_of(self, folder: Path) -> Ignored:
        more = _read(folder, folder / ".gitignore", folded=self._folded)
        return Ignored((*self._lists, *more), self._root, folded=self._folded) if more else self

    def ignores(self, path: Path, *, is_folder: bool) -> Path | None:
        """The list that takes it out of its folder, which is not taken out. The last pattern that speaks of it decides,
        those of the nearest list first."""
        for one in reversed(self._lists):
            name = os.path.relpath(path, one.folder).replace(os.sep, "/")
            relative = os.fsencode(name).decode("latin-1")
            if (said := one.patterns.speaks_of(f"{relative}/" if is_folder else relative)) is not None:
                return one.file if said[1] else None
        return None


class Reached:
    """The files that are looked at from a folder's repository, or where it is in none from the folder: neither they nor
    a folder on the way is hidden, taken out, or in another repository. What holds in a folder is asked for once."""

    def __init__(self, top: Path) -> None:
        self._root = repository_of(top) or top
        self._folders: dict[Path, Ignored | None] = {}

    def __contains__(self, file: Path) -> bool:
        if not file.is_relative_to(self._root) or file.name.startswith("."):
            return False
        if not self._folders:
            self._folders[self._root] = Ignored.in_folder(self._root)
        ways = [one for one in reversed(file.parents) if one not in self._folders and one.is_relative_to(self._root)]
        for folder in ways:
            self._folders[folder] = self._below(folder, self._folders[folder.parent])
        there = self._folders[file.parent]
        return there is not None and not there.ignores(file, is_folder=False)

    def _below(self, folder: Path, above: Ignored | None) -> Ignored | None:
        if above is None or folder.name.startswith(".") or folder.name in NOBODYS:
            return None
        if above.ignores(folder, is_folder=True) or above.ends_at(folder):
            return None
        return above.inside(folder)


def repository_of(folder: Path) -> Path | None:
    """The folder of the repository that a folder is in."""
    return next(filter(is_repository, (folder, *folder.parents)), None)


def is_repository(folder: Path) -> bool:
    """Also where a worktree or a submodule begins."""
    there = folder / ".git"
    return there.is_file() or os.path.lexists(there / "HEAD")


def beyond_folders(root: Path) -> Iterator[Path]:
    """The lists of a repository that lie in none of its folders: the user's, then its own. Without git, where they lie
    if nobody says otherwise."""
    own = (of_others("XDG_CONFIG_HOME") or Path.home() / ".config") / "git" / "ignore"
    yield Path(_of_git(root, "config", "--type=path", "--get", "core.excludesFile") or own)
    yield root / (_of_git(root, "rev-parse", "--git-path", "info/exclude") or ".git/info/exclude")


def _of_git(root: Path, *words: str) -> str:
    try:
        line = ["git", "-C", str(root), *words]
        ran = subprocess.run(line, capture_output=True, check=False, timeout=PATIENCE)  # noqa: S603 - words of ours
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return os.fsdecode(ran.stdout).removesuffix("\n") if ran.returncode == 0 else ""


def _read(folder: Path, file: Path, *, folded: bool) -> tuple[_List, ...]:
    try:
        if not file.is_file() or file.stat().st_size > LARGEST:
            return ()
        written = file.read_bytes().removeprefix(BOM_UTF8)
    except OSError:  # it cannot be read, by git neither
        return ()
    lines = (line.removesuffix("\r") for line in written.decode("latin-1").split("\n"))  # a byte is a letter to git
    patterns = Patterns([line for line in lines if pattern_of(line) is not None], folded=folded)
    return (_List(folder, file, patterns),) if len(patterns) else ()
