"""What people read (sentences, tables) and what programs read (`--json`).

Guarantee: a memory's text cannot speak to the terminal. Control characters and the marks that turn the direction of
writing are shown as escapes, and nothing in a text is taken as markup. Without a terminal nothing is cut, wrapped
or coloured.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, TextIO

from aftermind.cli.terminal.this_store import of_this_store
from aftermind.cli.terminal.wrapping import wrapped
from aftermind.engine.zones import HERE

if TYPE_CHECKING:
    from rich.console import Console

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_GAP = "  "
_NARROW = 20
"""Columns a text needs to be read beside others."""
_HANGING = 4
"""Columns a text is indented by under a line that leaves it no room."""
EXCERPT = 200
"""Characters of a text in a list; `aftermind show` prints all of it."""
_JUDGED = re.compile(
    r"(?:memory-scored|exchange-judged)\b.*? (?:scored it|judged the exchange): (worked|partial|failed)\b"
)
_COLOURS = {"worked": "green", "partial": "yellow", "failed": "red"}


def visible(text: str) -> str:
    """The text as a terminal may have it: only line breaks and tabs are left of what steers one."""
    return _CONTROL.sub(_escape, text)


def one_line(text: str) -> str:
    return visible(" ".join(text.split()))


def when(at: datetime) -> str:
    """A time as the person at this machine reads it."""
    return at.astimezone(HERE).strftime("%Y-%m-%d %H:%M:%S")


def when_in(at: datetime, zone: str) -> str:
    """The same for what goes by the clock of somewhere else, which is told by that one first."""
    if not zone:
        return when(at)
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} in {zone} ({when(at)} here)"
    except (ZoneInfoNotFoundError, ValueError, OSError):  # said on another machine
        return when(at)


def say(text: str = "", theirs: str = "") -> None:
    """Sentences; at a terminal they are broken between words, and nothing that somebody copies is cut in two. What ends
    them in somebody's own words, as a memory's, is `theirs`."""
    print(fitted(text, sys.stdout, theirs))


def note(text: str, theirs: str = "") -> None:
    """For the person who looks on, beside what is printed."""
    print(fitted(text, sys.stderr, theirs), file=sys.stderr)


def show_text(text: str) -> None:
    """A text as it is, line by line: a memory's, a page, a value."""
    print(visible(text))


def fitted(text: str, to: TextIO, theirs: str = "") -> str:
    """The sentences as they may be written there, their commands of the store that was named."""
    text = visible(of_this_store(text) + theirs)
    if not to.isatty():
        return text
    from shutil import get_terminal_size

    columns = get_terminal_size().columns
    return "\n".join(part for line in text.split("\n") for part in wrapped(line, columns))


def nothing_to_print(text: str) -> None:
    """Says why a terminal stays empty; a program gets nothing at all."""
    if sys.stdout.isatty():
        note(text)


def counted(number: int, noun: str, many: str = "") -> str:
    """`1 memory`, `2 memories`."""
    return f"{number:,} {noun if number == 1 else many or f'{noun}s'}"


def are(number: int) -> str:
    """`is` of one, and `are` of any other number."""
    return "is" if number == 1 else "are"


def excerpt(text: str, answer: str = "", speaker: str = "", most: int = EXCERPT, says: Mapping[str, float] = {}) -> str:
    """A part of a memory on one line, of an exchange `question → answer`: its beginning, or what says most of those
    words."""
    from aftermind.projections.recalling.shown.snippet import snippet
    from aftermind.projections.recalling.shown.wording import quoted, shortened

    source = f"{quoted(speaker)}: " if speaker else ""
    said, arrow, answered = quoted(text), " → " if answer and text else "", quoted(answer)
    half = (most - len(arrow)) // 2
    room = max(half, most - len(arrow) - len(answered)) if answer else most
    if len(source) + len(said) > room and len(source) > room // 3:  # what was asked is seldom in the title
        source = f"{shortened(quoted(speaker), room // 3)}: "
    said = shortened(source + snippet(said, room - len(source), says), room)
    return f"{said}{arrow}{snippet(answered, most - len(arrow) - len(said), says)}"


def room(taken: int) -> int:
    """Characters of a text that stand beside `taken` columns on three lines of the terminal; all of an excerpt where
    there is none."""
    from shutil import get_terminal_size

    if not sys.stdout.isatty():
        return EXCERPT
    return min(EXCERPT, max(6 * _NARROW, 3 * (get_terminal_size().columns - taken) - 15))


def show_hanging(head: str, text: str, *, paths: bool = False) -> None:
    """A line that begins with `head`; at a terminal the text wraps beside it, and verdicts have their colours. With
    `paths` it is ours as a sentence is: nothing that somebody copies is cut in two, and commands are of this store."""
    head, text = visible(head), visible(of_this_store(text)) if paths else visible(text)
    if not sys.stdout.isatty():
        print(head + text)
        return
    from rich.text import Text

    line, console = Text(text), _console()
    if paths and console.width - len(head) >= _NARROW:
        first, *others = wrapped(text, console.width - len(head))
        print(head + first, *(" " * len(head) + other for other in others), sep="\n")
        return
    if match := _JUDGED.match(text):
        line.stylize(_COLOURS[match[1]], *match.span(1))
    width = len(head)
    if console.width - width < _NARROW:
        width = _HANGING
        console.print(Text(head.rstrip()))
        head = " " * width
    for part in line.wrap(console, max(1, console.width - width), overflow="fold"):
        part.rstrip()
        console.print(Text(head) + part)
        head = " " * width


def show_error(what: str, hint: str, kind: str, *, as_json: bool) -> None:
    if as_json:
        import msgspec

        told = {"error": of_this_store(what), "hint": of_this_store(hint), "type": kind}
        print(_json(told, msgspec.json.encode), file=sys.stderr)
        return
    note(f"aftermind: {what}")
    if hint:
        note(f"  → {hint}")


def show_json(value: object) -> None:
    """One JSON document: indented for a person at a terminal, on one line for a program."""
    import msgspec

    def indented(value: object) -> bytes:
        return msgspec.json.format(msgspec.json.encode(value), indent=2)

    print(_json(value, indented if sys.stdout.isatty() else msgspec.json.encode))


def show_json_line(value: object) -> None:
    """One document of many: always on one line."""
    import msgspec

    print(_json(value, msgspec.json.encode))


def show_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, whole: bool = False) -> None:
    """A table whose last column holds text and takes the room that is left; with `whole` it is not wrapped, for a path
    that somebody copies."""
    clean = [tuple(map(one_line, row)) for row in rows]
    if sys.stdout.isatty() and not whole:
        _show_fitting(headings, clean)
        return
    widths = [max(map(len, column)) for column in zip(headings, *clean, strict=True)]
    for row in (headings, *clean):
        print(_GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _show_fitting(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """As wide as the terminal: ids stay whole and the text wraps, under its row where it has no room beside it, as its
    heading then stands under the others. What does not fit of a row that is wider itself stands in front of the text,
    by its heading."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = _console()
    widths = _widths(headings, rows)
    if _taken(widths) - len(_GAP) > console.width:
        while len(widths) > 1 and _taken(widths) - len(_GAP) > console.width:
            widths.pop()
        headings, rows = (*headings[: len(widths)], headings[-1]), [_narrower(headings, row, widths) for row in rows]
    taken = _taken(widths)
    widest = max(len(row[-1]) for row in (headings, *rows))
    if console.width - taken < min(_NARROW, widest):
        aligned = taken - len(_GAP) <= console.width
        if aligned:
            console.print(Text(_GAP.join(map(str.ljust, headings, widths)).rstrip(), style="bold"))
            console.print(Padding(Text(headings[-1], style="bold"), (0, 0, 0, len(_GAP))))
        for *cells, text in rows:
            shown = map(str.ljust, cells, widths) if aligned else filter(None, cells)
            console.print(Text(_GAP.join(shown).rstrip()))
            if text:
                console.print(Padding(Text(text), (0, 0, 0, len(_GAP))))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in headings[:-1]:
        table.add_column(heading, no_wrap=True)
    table.add_column(headings[-1], overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _widths(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Of the columns but the text's."""
    return [max(map(len, column)) for column in list(zip(headings, *rows, strict=True))[:-1]]


def _taken(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * len(widths)


def _narrower(headings: Sequence[str], row: Sequence[str], widths: Sequence[int]) -> tuple[str, ...]:
    """The row with so many columns, and the others before its text."""
    kept = len(widths)
    others = [f"{name.lower()} {cell}" for name, cell in list(zip(headings, row, strict=True))[kept:-1] if cell]
    return (*row[:kept], ": ".join(filter(None, (", ".join(others), row[-1]))))


@cache
def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False)


def _json(value: object, encode: Callable[[object], bytes]) -> str:
    """In JSON such a character can only stand inside a string, where its escape means the same."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", encode(value).decode("utf-8", "replace"))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
