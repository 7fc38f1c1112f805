"""Lines as `.gitignore` writes them: which paths one fits. The only door to pathspec.

As git does, a list is asked about each folder on the way to a path, and then about the path: a pattern fits what it
names and nothing below. (pathspec's own answer for a path is another: there `!docs/` takes back `docs/secrets/`, which
a line before took out.) A list may be anybody's, and one line of it (`*a*a*a*b`) could keep a regular expression busy
for hours. So what pathspec makes of a line is rewritten to fit as much and never to go back further than one `*` and
one `**`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence

from pathspec import PathSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from aftermind.engine.errors import Unusable

LONGEST = 1024
"""Characters of a line; a longer one is no pattern."""
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


class Patterns:
    """The lines of a `.gitignore`, each of which has to be a pattern, a remark or blank; `Unusable` names one that is
    none of these. `besides` are other ways to write what a line names."""

    def __init__(self, lines: Sequence[str], besides: Callable[[str], Iterable[str]] = lambda line: ()) -> None:
        self._patterns: list[tuple[str, Bounded]] = []
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            for written in (line, *besides(line)):
                if (pattern := pattern_of(written)) is None:
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


def any_of(globs: Sequence[str]) -> Callable[[str], bool]:
    """Whether a file's path is meant by globs: by the last that fits it, or a folder it is in."""
    return PathSpec.from_lines("gitignore", globs).match_file


def pattern_of(line: str) -> Bounded | None:
    """None for a line that is no pattern: git passes over it."""
    try:
        pattern = Bounded(line)
    except ValueError:
        return None
    return pattern if pattern.include is not None else None


class Bounded(GitIgnoreSpecPattern):
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
