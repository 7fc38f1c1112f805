"""Lines as `.gitignore` writes them: which paths one fits.

As git does, a list is asked about each folder on the way to a path, and then about the path: a pattern fits what it
names and nothing below. So `!docs/` takes back no `docs/secrets/` that a line before took out. A list may be anybody's,
and one line of it (`*a*a*a*b`) could keep a regular expression busy for hours. So the one that is made of a line never
goes back further than one `*` and one `**`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from aftermind.engine.errors import Unusable

LONGEST = 1024
"""Characters of a line; a longer one is no pattern."""
_UNTIL_BLANKS = re.compile(r"(?:\\[\s\S]?|[^\\ ]| +(?=[^ ]))*")
"""A line without the blanks at its end; one behind a backslash is none of them."""
_LITERAL = re.compile(r"[^*?[\\]*")
_STARS = re.compile(r"\*+")
_NAMED = re.compile(r"\[:([^\]]*):\]")
CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "xdigit": "0-9A-Fa-f",
    "space": " \t\n\r",
    "blank": " \t",
    "punct": '#-.:-@\\[-`{-~!"',
    "graph": '0-~#-.!"',
    "print": " -.0-~",
    "cntrl": "\x01-\x1f\x7f",
}
"""As git knows them. A slash is in none of them, for no name has one."""


class Pattern(Struct, frozen=True):
    """One line. `fits` is asked of a path, or `by_name` of the last name in it. `of_folders`: of nothing else."""

    takes_out: bool
    of_folders: bool
    by_name: bool
    fits: re.Pattern[str]

    def names(self, relative: str) -> bool:
        """Whether it names the path itself; folders end in `/`."""
        if self.of_folders and not relative.endswith("/"):
            return False
        path = relative.removesuffix("/")
        return self.fits.fullmatch(path.rpartition("/")[2] if self.by_name else path) is not None


class Patterns:
    """The lines of a `.gitignore`, each of which has to be a pattern, a remark or blank; `Unusable` names one that is
    none of these. `besides` are other ways to write what a line names. `folded`: capitals are small letters."""

    def __init__(
        self,
        lines: Sequence[str],
        besides: Callable[[str], Iterable[str]] = lambda line: (),
        *,
        folded: bool = False,
    ) -> None:
        self._patterns: list[tuple[str, Pattern]] = []
        for number, line in enumerate(lines, 1):
            if not line.strip(" ") or line.startswith("#"):
                continue
            for written in (line, *besides(line)):
                if (pattern := pattern_of(written, folded=folded)) is None:
                    raise Unusable(f"line {number} is no pattern", written)
                self._patterns.append((line, pattern))

    def speaks_of(self, relative: str) -> tuple[str, bool] | None:
        """The last pattern that fits a path itself, and whether it takes it out; None where none does. Folders end in
        `/`, and what one says of them holds for what is below."""
        for line, pattern in reversed(self._patterns):
            if pattern.names(relative):
                return line, pattern.takes_out
        return None

    def means(self, relative: str) -> bool:
        """Whether a file is meant by the last pattern that fits it, or a folder it is in."""
        ways = [*(relative[: found.end()] for found in re.finditer("/", relative)), relative]
        return next((one.takes_out for _, one in reversed(self._patterns) if any(map(one.names, ways))), False)

    def __len__(self) -> int:
        return len(self._patterns)


def pattern_of(line: str, *, folded: bool = False) -> Pattern | None:
    """None for a line that is no pattern: nothing fits it. `folded`: capitals are small letters, of the alphabet alone,
    as to git; unlike there also one that stands alone in a class (`[A]`)."""
    trimmed = _UNTIL_BLANKS.match(line)
    assert trimmed is not None
    written = trimmed[0].removeprefix("!")
    names = written.removesuffix("/")
    by_name = "/" not in names
    names = names.removeprefix("/")
    if not names or line.startswith("#") or len(line) > LONGEST:
        return None
    try:
        fits = re.compile(_regex(names), re.ASCII | re.IGNORECASE if folded else 0)
    except (IndexError, ValueError):  # a bracket that is not closed, a backslash with nothing behind it; a wrong class
        return None
    return Pattern(not line.startswith("!"), written.endswith("/"), by_name, fits)


def _regex(names: str) -> str:
    """What fits the same paths. Of every `*` but the last of a segment, and every `**` but the last of a pattern, the
    shortest that lets what stands up to the next one fit is as good as any: it is not gone back to."""
    first, *blocks = ["/".join(map(_once, segments)) for segments in _blocks(names)]
    inner = "".join(f"(?>(?:[^/]*/)*?{block})" for block in blocks[:-1])
    return first + inner + "".join(f"(?:[^/]*/)*{block}" for block in blocks[-1:])


def _once(parts: list[str]) -> str:
    """Every `*` but the last of a segment as short as may be, once and for all."""
    first, *rest = parts
    inner = "".join(f"(?>[^/]*?{part})" for part in rest[:-1] if part)
    return first + inner + "".join(f"[^/]*{part}" for part in rest[-1:])


def _blocks(names: str) -> list[list[list[str]]]:
    """What stands between two `**/`, in it the segments between two slashes, and in each what stands between two `*`,
    as expressions."""
    blocks, place = [[[""]]], 0
    literal = _LITERAL.match(names)
    assert literal is not None
    begins = literal.end()
    """Where git begins to look for more than the letters themselves: also behind these `**` is one."""
    while place < len(names):
        segments = blocks[-1]
        match names[place]:
            case "/":
                segments.append([""])
            case "*":
                stars = _STARS.match(names, place)
                assert stars is not None
                is_deep = place in (0, begins) or names[place - 1] == "/"
                place = stars.end() - 1
                if len(stars[0]) == 1 or not is_deep or names[place + 1 : place + 2] not in ("", "/"):
                    segments[-1].append("")
                elif place + 1 == len(names):
                    segments[-1][-1] += r"[\s\S]*"
                else:
                    blocks.append([[""]])
                    place += 1
            case "?":
                segments[-1][-1] += "[^/]"
            case "[":
                found, place = _class(names, place)
                segments[-1][-1] += found
            case "\\":
                place += 1
                segments[-1][-1] += re.escape(names[place])
            case letter:
                segments[-1][-1] += re.escape(letter)
        place += 1
    return blocks


def _class(names: str, place: int) -> tuple[str, int]:
    """What fits a class of characters, and the place of the bracket that ends it. `[!a]` is no slash, either."""
    place += 1
    is_other = names[place] in "!^"
    place += is_other
    begins, inside, before = place, "", ""
    while place == begins or names[place] != "]":
        if named := _NAMED.match(names, place):
            if named[1] not in CLASSES:
                raise ValueError(f"no class of characters: {named[1]}")
            inside, before, place = inside + CLASSES[named[1]], "", named.end()
            continue
        is_range = names[place] == "-" and before and names[place + 1] != "]"
        place += bool(is_range)
        place += names[place] == "\\"
        if not is_range:
            before = names[place]
            inside += re.escape(before)
        elif before > names[place]:  # git takes `z-a` for a `z`, which nobody means
            raise ValueError("a range that runs backwards")
        else:
            inside += f"{re.escape(before)}-{re.escape(names[place])}"
            before = ""
        place += 1
    if is_other:
        return f"[^/{inside}]", place
    if not inside:
        raise ValueError("a class of no characters")
    return f"(?!/)[{inside}]", place
