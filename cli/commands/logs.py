"""logs: what the daemon did, a line a request. It holds ids, sizes and times, never a text."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from aftermind.cli.terminal.arguments import count

POLL = 0.3


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("-n", "--lines", metavar="N", type=count, default=50, help="the last N lines (default: 50)")
    parser.add_argument("-f", "--follow", action="store_true", help="wait for more, until Ctrl-C")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.logbook import FILE, LOGS
    from aftermind.cli.opening import home_of
    from aftermind.cli.reaching.starting import OUTPUT
    from aftermind.cli.terminal.tables import nothing_to_print
    from aftermind.engine.store.folder import fit_folder

    home = home_of(arguments)
    if home.exists():
        fit_folder(home, make=False)
    folder = home / LOGS
    lines = _tail(folder / FILE, arguments.lines)
    for line in lines:
        _show(line, as_json=arguments.json)
    words = _tail(folder / OUTPUT, 20)
    if words and not arguments.json:
        _show_last_words(words)
    if arguments.follow:
        await _follow(folder / FILE, as_json=arguments.json)
    elif not lines and not words:
        nothing_to_print(f"There are no logs in {folder} yet.")
    return 0


def _tail(file: Path, most: int) -> list[str]:
    """The last lines of a log and of the older file it was rotated into."""
    lines: list[str] = []
    for one in (file.with_name(f"{file.name}.1"), file):
        try:
            lines += one.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
    return lines[-most:]


def _show(line: str, *, as_json: bool) -> None:
    import msgspec

    from aftermind.cli.terminal.tables import say, show_text

    if as_json:
        show_text(line)
        return
    try:
        facts = msgspec.json.decode(line, type=dict[str, str | int | float | bool | None])
    except msgspec.DecodeError:
        show_text(line)
        return
    at, event = str(facts.pop("at", ""))[:23].replace("T", " "), facts.pop("event", "?")
    say(f"{at}  {event:<16}  {'  '.join(f'{name}={value}' for name, value in facts.items())}".rstrip())


def _show_last_words(words: list[str]) -> None:
    from aftermind.cli.terminal.tables import note

    note("The daemon's own output, from its last start:")
    for line in words:
        note(f"  {line}")


async def _follow(file: Path, *, as_json: bool) -> None:
    """Prints what is added, also after the file was rotated away."""
    import anyio

    place, known = _end(file)
    while True:
        await anyio.sleep(POLL)
        end, inode = _end(file)
        if inode != known or end < place:
            place, known = 0, inode
        if end > place:
            with file.open("rb") as opened:
                opened.seek(place)
                *whole, rest = opened.read().split(b"\n")
                place = opened.tell() - len(rest)
            for line in whole:
                _show(line.decode("utf-8", "replace"), as_json=as_json)


def _end(file: Path) -> tuple[int, int]:
    try:
        facts = file.stat()
    except OSError:
        return 0, 0
    return facts.st_size, facts.st_ino
