"""`.aftermindignore`: which folders and files nothing is captured from and nothing is shown in.

A list is written as `.gitignore` is and holds for the folder it lies in and everything below. A pattern of a nearer
list goes before one of a list further up, but nothing takes a folder out that is off limits as a whole. `*` or `.` in
a folder's own list is the folder itself. The user's own list (`config.ignore_file`) is read from the root of the disk
(`~/` and `$HOME/` are the home; a path that does not say where it begins is meant wherever it is), and no other list
takes anything back from it. What a line names is also what it leads to, where there is a link on the way.

Guarantee: it fails closed. A list that cannot be read, or has a line that is no pattern, puts everything below its
folder off limits; the user's own, everything there is. Lists are read again when they changed. Anybody may have
written a list or a path: how long it takes to judge one is bounded, and what is beyond judging is off limits.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from aftermind.engine.errors import Unusable

if TYPE_CHECKING:
    from aftermind.cli.privacy.patterns import Patterns

NAME = ".aftermindignore"
LARGEST = 64 * 1024
"""Bytes of a list; a longer one is none."""
MOST_LINES = 1000
"""Lines of a list."""
DEEPEST, LONGEST = 100, 1024
"""Folders on the way to a path, and its bytes, that a list is asked about."""
LONGEST_NAME, LONGEST_PATH = 255, 4096
"""Bytes that a name and a path can have. A longer one is judged by the folders before it."""
MOST_KEPT = 1000
"""Lists that are held at once."""
_PROBES = ("any-file", "0")
"""Names of files that may come to be in a folder: who names both of such names means the folder."""
_NOWHERE = (errno.ENOENT, errno.ENOTDIR)
_GLOB = re.compile(r"(?<!\\)[*?[]")
_HOME = re.compile(r"(!?)(?:~|\$HOME|\$\{HOME\})(/.*|)", re.DOTALL)
_VARIABLE = re.compile(r"!?\$(?:\w+|\{\w+\})/")
"""The beginning of a path as a shell would write it."""
_ESCAPED, _SPECIAL = re.compile(r"\\(.)"), re.compile(r"[\\*?[\]]|\s(?=\s*$)")
Stamp: TypeAlias = tuple[int, int, int, int]
Links: TypeAlias = dict[Path, str]
"""Where the places lead that a list's lines name."""


class List(Struct, frozen=True):
    """The patterns of one file, which speak of what is below `root`; or why there are none to be had."""

    file: Path
    root: Path
    patterns: Patterns | None = None
    wrong: str = ""


class Lists:
    """All lists there are, as they are now."""

    def __init__(self, own: Path) -> None:
        self._own = own
        self._read: dict[Path, tuple[Stamp, Links, List]] = {}

    def why(self, path: Path, *, is_folder: bool) -> str:
        """Why a path is off limits, naming the list; empty when it is not. It need not exist. Both the path as it is
        written and what it leads to count."""
        found = ""
        for place, cut in _ways(path):
            is_folder = is_folder or cut
            own = self._list(self._own, Path(place.anchor))
            found = found or self._below(place, is_folder, () if own is None else (own,), near=False)
            found = found or self._below(place, is_folder, (), near=True)
        return found

    def wrong(self, folder: Path) -> Iterator[List]:
        """The lists that hold in a folder and cannot be read."""
        return (one for one in self.holding(folder) if one.wrong)

    def holding(self, folder: Path) -> Iterator[List]:
        """The lists that hold in a folder, the user's own among them."""
        for place, _ in _ways(folder):
            of_folders = (self._list(one / NAME, one) for one in (*reversed(place.parents), place))
            for one in (self._list(self._own, Path(place.anchor)), *of_folders):
                if one is not None:
                    yield one

    def _below(self, place: Path, is_folder: bool, lists: tuple[List, ...], *, near: bool) -> str:
        """From the root down to the path: the first folder on the way that is off limits decides. `near`: with the
        lists of the folders themselves."""
        for wrong in (one for one in lists if one.wrong):
            return _cannot(wrong)
        for one in (*reversed(place.parents), place):
            if lists and (len(one.parts) > DEEPEST or len(os.fsencode(one)) > LONGEST):
                return f"its path is too long to be looked for in {lists[0].file}"
            if one != Path(place.anchor) and (said := _said(lists, one, is_folder=is_folder or one != place)):
                return said
            if near and (is_folder or one != place) and (more := self._list(one / NAME, one)) is not None:
                if more.wrong:
                    return _cannot(more)
                lists = (more, *lists)
        inside = [_said(lists, place / probe, is_folder=False) for probe in _PROBES] if is_folder else [""]
        return inside[0] if all(inside) else ""

    def _list(self, file: Path, root: Path) -> List | None:
        try:
            facts = file.stat()
        except ValueError:  # a NUL in it: it leads nowhere
            return None
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG or (error.errno in _NOWHERE and not file.is_symlink()):
                return None
            return List(file, root, wrong=error.strerror or str(error))
        stamp = (facts.st_mtime_ns, facts.st_size, facts.st_ino, facts.st_ctime_ns)
        kept = self._read.get(file)
        if kept is None or kept[0] != stamp or any(_real(place) != real for place, real in kept[1].items()):
            if len(self._read) >= MOST_KEPT:
                self._read.clear()
            links: Links = {}
            found = _read(file, root, facts.st_mode, facts.st_size, links, is_own=file == self._own)
            kept = self._read[file] = (stamp, links, found)
        return kept[2]


def _read(file: Path, root: Path, mode: int, size: int, links: Links, *, is_own: bool) -> List:
    if not stat.S_ISREG(mode):
        return List(file, root, wrong="it is not a file")
    if size > LARGEST:
        return List(file, root, wrong=f"it is larger than {LARGEST:,} bytes")
    from aftermind.cli.privacy.patterns import Patterns  # few have a list

    try:
        lines = os.fsdecode(file.read_bytes()).removeprefix("\ufeff").splitlines()
        if len(lines) > MOST_LINES:
            return List(file, root, wrong=f"it has more than {MOST_LINES:,} lines")

        def besides(line: str) -> Iterator[str]:
            yield from _besides(line, root, links)
            if is_own:
                yield from _anywhere(line)

        meant = [_meant(line, root) for line in lines]
        number = next((n for n, line in enumerate(meant, 1) if is_own and _VARIABLE.match(line)), 0)
        if number:  # who reads the list knows no variables of a shell, and nothing would be kept out without a word
            wrong = f"line {number} begins with a variable, of which only $HOME is known: {meant[number - 1]!r}"
            return List(file, root, wrong=wrong)
        return List(file, root, Patterns(meant, besides))
    except OSError as error:
        return List(file, root, wrong=error.strerror or str(error))
    except Unusable as error:
        return List(file, root, wrong=str(error))


def _meant(line: str, root: Path) -> str:
    """A pattern as git would write it: a home, as seen from the root, instead of `~` or `$HOME`, and everything instead
    of a dot."""
    bare = line.strip()
    if bare in (".", "./"):
        return "*"
    if (at_home := _HOME.fullmatch(bare)) is not None:
        sign, rest = at_home.groups()
        homes = [f"{_literal(home)}{rest}" for home in (Path.home().as_posix(), _real(Path.home()))]
        for top, path in product((root.as_posix(), _real(root)), homes):
            above = f"{_literal(top.rstrip('/'))}/"
            if f"{path}/".startswith(above):
                below = path[len(above) :]
                return f"{sign}/{below}" if below.strip("/") else f"{sign}*"
        return f"{sign}{homes[0]}"
    return line if line.endswith("\\ ") else line.rstrip()  # a tab behind a name is a slip, and would open it


def _anywhere(line: str) -> Iterator[str]:
    """A path of the user's own list that does not say where it begins, wherever it is: who writes `clients/acme/` there
    means no folder at the root of the disk, and nobody would be told that nothing fits. What is taken back stays as it
    is written: that would open more."""
    if "/" in line.rstrip("/") and not line.startswith(("/", "!", "**/")):
        yield f"**/{line.removeprefix('./')}"


def _besides(line: str, root: Path, links: Links) -> Iterator[str]:
    """The same pattern by where its folders lead, as far as it names any by their whole names. What is taken back is
    not followed itself: a link cannot open what is off limits. Every place that was followed is noted in `links`."""
    bare = line.rstrip()
    sign, end = "!" if bare.startswith("!") else "", "/" if bare.endswith("/") else ""
    names = bare[len(sign) :].strip("/").split("/")
    whole = next((n for n, name in enumerate(names) if _GLOB.search(name)), len(names))
    before_last = min(whole, len(names) - 1)
    top = Path(_real(root))
    for upto in (before_last,) if sign or whole == before_last else (before_last, whole):
        if not 0 < upto <= DEEPEST:
            continue
        place = root.joinpath(*(_ESCAPED.sub(r"\1", name) for name in names[:upto]))
        real = Path(links.setdefault(place, _real(place)))
        if real != top / place.relative_to(root) and real.is_relative_to(top):
            leads = (_literal(name) for name in real.relative_to(top).parts)
            yield f"{sign}/{'/'.join((*leads, *names[upto:])) or '*'}{end}"


def _real(place: Path) -> str:
    try:
        return os.path.realpath(place)
    except (OSError, ValueError):  # no name of a file
        return str(place)


def _literal(name: str) -> str:
    """A name, or a path, as a pattern that fits it alone."""
    return _SPECIAL.sub(r"\\\g<0>", name)


def _said(lists: tuple[List, ...], path: Path, *, is_folder: bool) -> str:
    """The nearest list that speaks of a path decides."""
    for one in lists:
        relative = os.path.relpath(path, one.root).replace(os.sep, "/")
        if one.patterns is not None and (found := one.patterns.speaks_of(f"{relative}/" if is_folder else relative)):
            pattern, ignored = found
            return f"{one.file} names it ({pattern})" if ignored else ""
    return ""


def _cannot(wrong: List) -> str:
    return f"{wrong.file} cannot be heeded: {wrong.wrong}"


def _ways(path: Path) -> tuple[tuple[Path, bool], ...]:
    """The path as it is written, and where it leads; and whether it was cut before a name that nothing can have."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - `..` goes back the way that is written
    written = _possible(absolute)
    try:
        real = Path(os.path.realpath(written))
    except (OSError, ValueError):  # no name of a file
        real = written
    try:
        followed = Path(os.path.realpath(_possible(Path(path).absolute())))  # `link/..` leads where the system goes
    except (OSError, ValueError):
        followed = real
    return tuple((one, written != absolute) for one in dict.fromkeys((written, real, followed)))


def _possible(path: Path) -> Path:
    size, parts = 0, list(path.parts[:1])
    for name in path.parts[1:]:
        try:
            bytes = len(os.fsencode(name))
        except UnicodeEncodeError:
            break
        size += bytes + 1
        if bytes > LONGEST_NAME or size > LONGEST_PATH:
            break
        parts.append(name)
    return Path(*parts)
