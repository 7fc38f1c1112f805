"""log: the events, one line each, oldest first. Works beside a writer."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused, meant
from aftermind.cli.terminal.arguments import count, position
from aftermind.engine.names import START, Position, session_stream

if TYPE_CHECKING:
    from aftermind.engine.log import Recorded
    from aftermind.engine.logs.sqlite_log import SqliteLogReader

BATCH = 500
AT_A_TERMINAL = 50
"""The newest, where a person says nothing else; what is piped is whole."""
PAUSE = 0.25
"""Seconds between two looks at another process's appends."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "With --after, --limit counts from there on; without it, the newest N are\n"
        f"printed. At a terminal these are {AT_A_TERMINAL}, where neither is said; --after 0 prints\n"
        "all. With --json each line is one object: position, stream, version, id,\n"
        "at, noted, because, event.\n\n"
        "examples:\n"
        "  aftermind log --limit 20\n"
        "  aftermind log --type exchange-recorded --session s1\n"
        "  aftermind log --follow --json"
    )
    parser.add_argument(
        "--type", metavar="TYPE", action="append", default=[], help="only events of this type, repeatable"
    )
    parser.add_argument("--stream", metavar="STREAM", help="only this stream: memory-ID, session-ID, project-ID")
    parser.add_argument("--session", metavar="SESSION", help="only what happened in this session")
    parser.add_argument("--after", metavar="POSITION", type=position, help="only what came after this position")
    parser.add_argument("--limit", metavar="N", type=count, help="at most so many")
    parser.add_argument("-f", "--follow", action="store_true", help="go on with what comes, until Ctrl-C")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened_log
    from aftermind.cli.terminal.tables import note, nothing_to_print

    _check_types(arguments.type)
    seen, left, printed, all_of_them = Position(arguments.after or START), arguments.limit, 0, 0
    unasked = left is None and arguments.after is None and not arguments.json and sys.stdout.isatty()
    left = AT_A_TERMINAL if unasked else left
    from_the_end = arguments.after is None and left is not None
    async with opened_log(arguments) as log:
        if from_the_end:
            newest: deque[Recorded] = deque(maxlen=left)
            async for recorded in _events(log, seen, follow=False):
                seen = recorded.position
                if _is_wanted(recorded, arguments):
                    newest.append(recorded)
                    all_of_them += 1
            for recorded in newest:
                _show(recorded, as_json=arguments.json)
            printed, left = len(newest), None
            if unasked and printed < all_of_them:
                sys.stdout.flush()
                note(f"The newest {printed} of {all_of_them:,}: `--limit N` shows N of them, `--after 0` all.")
        if not from_the_end or arguments.follow:
            async for recorded in _events(log, seen, follow=arguments.follow):
                if _is_wanted(recorded, arguments):
                    _show(recorded, as_json=arguments.json)
                    printed += 1
                if left is not None and printed >= left:
                    break
    if not printed:
        nothing_to_print("No event of the log is like that.")
    return 0


async def _events(log: SqliteLogReader, seen: Position, *, follow: bool) -> AsyncIterator[Recorded]:
    """Every event after `seen`; with `follow`, for ever. Of a damaged log, what stands before the damage."""
    import anyio

    from aftermind.engine.errors import LogDamaged

    while True:
        try:
            batch = await log.after(seen, limit=BATCH)
        except LogDamaged as damage:
            for recorded in await log.after(seen, limit=max(0, damage.position - seen)):
                yield recorded
            raise
        for recorded in batch:
            yield recorded
            seen = recorded.position
        if len(batch) == BATCH:
            continue
        if not follow:
            return
        sys.stdout.flush()
        await anyio.sleep(PAUSE)
        await log.refresh()


def _is_wanted(recorded: Recorded, arguments: Namespace) -> bool:
    from aftermind.cli.language.ids import session_id
    from aftermind.engine.stored import tag_of

    event = recorded.draft.event
    if arguments.type and tag_of(event) not in arguments.type:
        return False
    if arguments.stream is not None and recorded.stream != arguments.stream:
        return False
    if arguments.session is None:
        return True
    session = session_id(arguments.session)
    return recorded.stream == session_stream(session) or getattr(event, "session", None) == session


def _show(recorded: Recorded, *, as_json: bool) -> None:
    from aftermind.cli.language.explaining import in_words
    from aftermind.cli.terminal.tables import one_line, show_hanging, show_json_line, when

    if as_json:
        draft = recorded.draft
        show_json_line(
            {
                "position": recorded.position,
                "stream": recorded.stream,
                "version": recorded.version,
                "id": draft.id,
                "at": draft.at,
                "noted": draft.noted,
                "because": draft.because,
                "event": draft.event,
            }
        )
        return
    step = in_words(recorded)
    stream = one_line(recorded.stream)
    show_hanging(f"{recorded.position:>6}  {when(step.at)}  ", f"{step.type:<17}  {stream}  {one_line(step.what)}")


def _check_types(types: list[str]) -> None:
    from aftermind.engine.stored import FORMS

    for tag in types:
        if tag not in FORMS:
            close = meant(tag, FORMS)
            hint = f"did you mean {' or '.join(close)}?" if close else f"the types are: {', '.join(FORMS)}"
            raise Misused(f"there is no type of event {tag!r}", hint=hint)
