"""What git would not look at, and what a glob asks for. The only door to pathspec.

As git does, a list is asked about each folder on the way to a path, and then about the path: a pattern fits what it
names and nothing below. (pathspec's own answer for a path is another: there `!docs/` takes back `docs/secrets/`, which
a line before took out.) A list may be anybody's, and one line of it (`*a*a*a*b`) could keep a regular expression busy
for hours. So what pathspec makes of a line is rewritten to fit as much and never to go back further than one `*` and
one `**`.
"""

from __future__ import annotations

import os
import re
import subprocess
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from pathspec import PathSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from aftermind.cli.config import of_others
from aftermind.engine.errors import Unusable

LARGEST = 1024 * 1024
"""Bytes of a list of patterns; a longer one is none."""
LONGEST = 1024
"""Characters of a line; a longer one is no pattern."""
PATIENCE = 5.0
"""Seconds in which git tells where its lists are."""
_STAR, _LEADING, _INNER = "[^/]*", "^(?:.+/)?", "(?:/.+)?"
"""What pathspec makes of `*`, and of `**` at the beginning and between two folders."""
_ENDS = (("(?:(?P<ps_d>/)|$)", r"/?\Z"), ("(?P<ps_d>/)", r"/\Z"), ("/", r"/[\s\S]"))
"""What it ends with where a pattern names anything, a folder, or (`a/**`) what is in one; and what fits no more than
that."""
_CLASS = re.compile(r"\\.|\[\^?\]?[^\]]*\]", re.DOTALL)
_NO_SLASH = "(?!/)"
_OPENED, _NAMED = re.compile(r"\[[!^]?\]?"), re.compile(r"\[:(\w+):\]")
CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "xdigit": "0-9A-Fa-f",
    "space": " \t\n\r\f\v",
    "blank": " \t",
    "punct": '#-.:-@\\[-`{-~!"',
    "graph": '0-~#-.!"',
    "print": " -.0-~",
    "cntrl": "\x01-\x1f\x7f",
}
"""A slash is in none of them, for no name has one; and none begins with what negates."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Wanted:
    """Globs in the way `.gitignore` writes them: `*.md`, `docs/**/*.txt`, `!drafts/`; the last that fits a file
    decides. None wants everything."""

    def __init__(self, globs: Sequence[str]) -> None:
        for glob in globs:
            if _pattern(glob) is None:
                raise Unusable("no pattern of files", glob, hint="`--glob '*.md'`, for example")
        if globs and all(glob.startswith("!") for glob in globs):
            raise Unusable("nothing but what is left out", globs[0], hint="`--glob '*.md'` says what is taken")
        self._spec = PathSpec.from_lines("gitignore", globs) if globs else None

    def __bool__(self) -> bool:
        return self._spec is not None

    def wants(self, relative: str) -> bool:
        return self._spec is None or self._spec.match_file(relative)


class Patterns:
    """The lines of a `.gitignore`, each of which has to be a pattern, a remark or blank; `Unusable` names one that is
    none of these. `besides` are other ways to write what a line names."""

    def __init__(self, lines: Sequence[str], besides: Callable[[str], Iterable[str]] = lambda line: ()) -> None:
        self._patterns: list[tuple[str, _Bounded]] = []
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            for written in (line, *besides(line)):
                if (pattern := _pattern(written)) is None:
                    raise Unusable(f"line {number} is no pattern", written)
                self._patterns.append((line, pattern))

    def speaks_of(self, relative: str) -> tuple[str, bool] | None:
        """The last pattern that fits a path itself, and whether it takes it out; None where none does. Folders end in
        `/`, and what one says of them holds for what is below."""
        for line, pattern in reversed(self._patterns):
            if pattern.match_file(relative) is not None:
                return line, bool(pattern.include)
        return None

    def __len__(self) -> int:
        return len(self._patterns)


class _List(Struct, frozen=True):
    """The patterns that hold below one folder, and where they stand. `folded`: capitals are small letters there."""

    folder: Path
    file: Path
    patterns: Patterns
    folded: bool = False


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
            relative = os.path.relpath(path, one.folder).replace(os.sep, "/")
            relative = relative.lower() if one.folded else relative
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
        text = file.read_text(encoding="utf-8-sig", errors="surrogateescape")  # as names are
    except OSError:  # it cannot be read, by git neither
        return ()
    lines = (line.removesuffix("\r") for line in (text.lower() if folded else text).split("\n"))
    patterns = Patterns([line for line in lines if _pattern(line) is not None])
    return (_List(folder, file, patterns, folded),) if len(patterns) else ()


def _pattern(line: str) -> _Bounded | None:
    """None for a line that is no pattern: git passes over it."""
    try:
        pattern = _Bounded(line)
    except ValueError:
        return None
    return pattern if pattern.include is not None else None


class _Bounded(GitIgnoreSpecPattern):
    """A line whose regular expression takes time in proportion to what it looks at."""

    __slots__ = ()

    def __init__(self, pattern: str | re.Pattern[str] | None, include: bool | None = None) -> None:
        if isinstance(pattern, str) and len(pattern) > LONGEST:
            raise ValueError(f"longer than {LONGEST:,} characters")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # `[[a]`
                super().__init__(pattern, include)
        except re.error as error:  # `[z-a]`
            raise ValueError(str(error)) from None

    @classmethod
    def pattern_to_regex(cls, pattern: str) -> tuple[str | None, bool | None]:  # type: ignore[override]
        pattern = _ESCAPED.sub(lambda found: "/" if found[1] == "/" else found[0], _spelt_out(pattern))
        if pattern.strip() == "!/":  # it names nothing, as `/` does
            return None, None
        regex, include = super().pattern_to_regex(pattern)
        if regex is None:
            return None, include
        stem = pattern.rstrip().removeprefix("!").removesuffix("/**/")
        if pattern.rstrip().endswith("/**/") and stem.strip("*/"):  # the folders in one, however deep, and not that one
            return bounded(regex.removesuffix(_ENDS[1][0])) + r"/[\s\S]*/\Z", include
        end, fits = next(((end, fits) for end, fits in _ENDS if regex.endswith(end)), ("", ""))
        return bounded(regex.removesuffix(end)) + fits, include


def _spelt_out(pattern: str) -> str:
    """With its classes of characters (`[[:digit:]]`) as what is in them, which pathspec does not know. `ValueError` for
    one that nobody knows, and where a bracket is not closed."""
    found, place = "", 0
    while place < len(pattern):
        size = 2 if pattern[place] == "\\" else 1
        if pattern[place] == "[":
            opened = _OPENED.match(pattern, place)
            assert opened is not None
            inside, place = opened[0], opened.end()
            while not pattern.startswith("]", place):
                if place >= len(pattern):
                    raise ValueError("a bracket that is not closed")
                if named := _NAMED.match(pattern, place):
                    if named[1] not in CLASSES:
                        raise ValueError(f"no class of characters: {named[1]}")
                    inside, place = inside + CLASSES[named[1]], named.end()
                else:
                    size = 2 if pattern[place] == "\\" else 1
                    inside, place = inside + pattern[place : place + size], place + size
            found, place = f"{found}{inside}]", place + 1
        else:
            found, place = found + pattern[place : place + size], place + size
    return found


def bounded(regex: str) -> str:
    """What fits the same paths. Of every `*` but the last of a segment, and every `**` but the last of a pattern, the
    shortest that lets what stands up to the next one fit is as good as any: it is not gone back to."""
    if regex == ".":
        return r"[\s\S]"  # a name may begin with a newline
    blocks = _CLASS.sub(_within_a_name, regex).split(_INNER)
    found = ""
    for place, block in enumerate(blocks, 1):
        leads = block.startswith(_LEADING)
        segments = _once(block.removeprefix(_LEADING))
        more = "(?:[^/]+/)*" if leads else "(?:/[^/]+)*" if found else ""
        if place == len(blocks):
            found += ("^" if leads else "") + more + segments
        elif more:
            found += ("^" if leads else "") + f"(?>{more}?{segments}(?=/))"
        else:
            found += segments
    return found


def _within_a_name(found: re.Match[str]) -> str:
    """`[!a]` is no slash, in git."""
    return found[0] if found[0] == "[^/]" or found[0].startswith("\\") else _NO_SLASH + found[0]


def _once(segments: str) -> str:
    """Every `*` but the last of a segment as short as may be, once and for all."""
    first, *rest = segments.split(_STAR)
    found = first
    for place, part in enumerate(rest, 1):
        if place == len(rest) or "/" in part.replace("[^/]", "").replace(_NO_SLASH, ""):
            found += _STAR + part
        elif part:
            found += f"(?>{_STAR}?{part})"
    return found
