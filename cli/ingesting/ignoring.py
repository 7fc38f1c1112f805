"""What git would not look at, and what a glob asks for. The only door to pathspec.

A list may be anybody's, and one line of it (`*a*a*a*b`) could keep a regular expression busy for hours. So what
pathspec makes of a line is rewritten to fit as much and never to go back further than one `*` and one `**`.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from pathspec import GitIgnoreSpec, PathSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from aftermind.engine.errors import Unusable

LARGEST = 1024 * 1024
"""Bytes of a list of patterns; a longer one is none."""
LONGEST = 1024
"""Characters of a line; a longer one is no pattern."""
_STAR, _LEADING, _INNER = "[^/]*", "^(?:.+/)?", "(?:/.+)?"
"""What pathspec makes of `*`, and of `**` at the beginning and between two folders."""
_CLASS = re.compile(r"\\.|\[\^?\]?[^\]]*\]", re.DOTALL)
_NO_SLASH = "(?!/)"


class Wanted:
    """Globs in the way `.gitignore` writes them: `*.md`, `docs/**/*.txt`, `!drafts/`; the last that fits a file
    decides. None wants everything."""

    def __init__(self, globs: Sequence[str]) -> None:
        for glob in globs:
            if not _means_something(glob):
                raise Unusable("no pattern of files", glob, hint="`--glob '*.md'`, for example")
        self._spec = PathSpec.from_lines("gitignore", globs) if globs else None

    def __bool__(self) -> bool:
        return self._spec is not None

    def wants(self, relative: str) -> bool:
        return self._spec is None or self._spec.match_file(relative)


class Patterns:
    """The lines of a `.gitignore`, each of which has to be a pattern, a remark or blank; `Unusable` names one that is
    none of these."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines: list[str] = []
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            if not _means_something(line) or _spec([line]).patterns[0].include is None:
                raise Unusable(f"line {number} is no pattern", line)
            self._lines.append(line)
        self._spec = _spec(self._lines)

    def speaks_of(self, relative: str) -> tuple[str, bool] | None:
        """The last pattern that fits a path, and whether it takes it out; None where none does. Folders end in `/`."""
        found = self._spec.check_file(relative)
        if found.include is None or found.index is None:
            return None
        return self._lines[found.index], found.include


class _List(Struct, frozen=True):
    """The patterns that stand in one folder."""

    folder: Path
    spec: GitIgnoreSpec


class Ignored:
    """The patterns that hold in a folder: its own, those of the folders above it up to its repository's, and the
    repository's own list."""

    def __init__(self, lists: tuple[_List, ...] = ()) -> None:
        self._lists = lists

    @classmethod
    def in_folder(cls, folder: Path) -> Ignored:
        """Those that hold in a folder somebody named."""
        above = [folder, *folder.parents]
        root = next((one for one in above if (one / ".git").exists()), folder)
        ignored = cls(_read(root, root / ".git" / "info" / "exclude"))
        for one in reversed(above[: above.index(root) + 1]):
            ignored = ignored.inside(one)
        return ignored

    def inside(self, folder: Path) -> Ignored:
        """With the list of one more folder."""
        more = _read(folder, folder / ".gitignore")
        return Ignored((*self._lists, *more)) if more else self

    def ignores(self, path: Path, *, is_folder: bool) -> bool:
        """The last pattern that speaks of it decides, those of the nearest list first."""
        for one in reversed(self._lists):
            relative = os.path.relpath(path, one.folder).replace(os.sep, "/")
            said = one.spec.check_file(f"{relative}/" if is_folder else relative).include
            if said is not None:
                return said
        return False


def _read(folder: Path, file: Path) -> tuple[_List, ...]:
    try:
        if not file.is_file() or file.stat().st_size > LARGEST:
            return ()
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # it cannot be read, by git neither
        return ()
    spec = _spec(filter(_means_something, lines))
    return (_List(folder, spec),) if len(spec) else ()


def _means_something(pattern: str) -> bool:
    """Git passes over a line that is no pattern."""
    try:
        _spec([pattern])
    except ValueError:
        return False
    return bool(pattern.strip())


def _spec(lines: Iterable[str]) -> GitIgnoreSpec:
    """`ValueError` for a line that is no pattern."""
    return GitIgnoreSpec.from_lines(lines, _Bounded, backend="simple")


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
        regex, include = super().pattern_to_regex(pattern)
        return None if regex is None else bounded(regex), include


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
