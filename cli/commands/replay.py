"""replay: what the assistant knew at a moment: the log up to there, in views of its own, open for reading commands."""

from __future__ import annotations

import sys
from argparse import REMAINDER, ArgumentParser, Namespace
from collections.abc import Callable
from hashlib import sha256

from aftermind.cli.language.misused import Misused, meant
from aftermind.cli.past.moments import EXPLAINED as MOMENTS
from aftermind.cli.terminal.arguments import count

FILTERS = ("since", "to", "session", "stream", "type", "project")
AT_ONCE = 500
"""Lines that are printed at once."""
READERS = ("search", "context", "stats", "show", "links", "why", "books")
EXPLAINED = f"""\
COMMAND is one of {", ".join(READERS)},
with its own options, and is answered as it would have been then: with what was
known, and the clock of then. Nothing is written to the store, not even what
`context` shows. What was forgotten since is not there either.

{MOMENTS}

--from, --to, --session, --stream, --type and --project leave out everything
else, as if it had never been recorded.

With --policy or --model, every prompt that was recorded is asked again under
another ranking, each with what was known at its own moment, and compared; the
file holds keys of the ranking that are to be otherwise: `asked_floor = 0.55`.

examples:
  aftermind replay --until yesterday search deploy
  aftermind replay --until 2026-05-01T12:00 context which port has staging
  aftermind replay --until '2 hours ago'
  aftermind replay --session s1 --as-jsonl
  aftermind replay --policy other.toml --last 200 --each"""


def configure(parser: ArgumentParser) -> None:
    parser.usage = "aftermind replay [--until MOMENT] [COMMAND …]"
    parser.epilog = EXPLAINED
    parser.add_argument("then", metavar="COMMAND", nargs=REMAINDER, help="what is asked of that moment")
    parser.add_argument("--until", metavar="MOMENT", help="how far the log is replayed (default: to its end)")
    parser.add_argument("--from", dest="since", metavar="MOMENT", help="only events from then on")
    parser.add_argument("--to", metavar="MOMENT", help="only events up to then; the moment stays that of --until")
    parser.add_argument(
        "--session", metavar="SESSION", action="append", default=[], help="only of this session, repeatable"
    )
    parser.add_argument(
        "--stream", metavar="STREAM", action="append", default=[], help="only of this stream, repeatable"
    )
    parser.add_argument("--type", metavar="TYPE", action="append", default=[], help="only of this type, repeatable")
    parser.add_argument("--project", metavar="PROJECT", help="only of this project, and of none")
    parser.add_argument("--as-jsonl", action="store_true", help="print the events, a line of JSON each, and fold none")
    parser.add_argument("--keep", metavar="FOLDER", help="put the store as it was then into a new folder, and keep it")
    parser.add_argument("--policy", metavar="FILE", help="a TOML file with another ranking: what if it had been so?")
    parser.add_argument("--model", metavar="NAME", help="another embedding model: what if?")
    parser.add_argument("--last", metavar="N", type=count, help="with --policy or --model: only the last N prompts")
    parser.add_argument("--each", action="store_true", help="with --policy or --model: every prompt that differs")


def run(arguments: Namespace) -> object:
    """What is asked of the moment is read before anything is folded."""
    chosen = bool(arguments.policy or arguments.model)
    if chosen + bool(arguments.as_jsonl) + bool(arguments.keep) + bool(arguments.then) > 1:
        raise Misused("only one of COMMAND, --as-jsonl, --keep, and --policy or --model can be asked for at once")
    if (arguments.last or arguments.each) and not chosen:
        raise Misused("--last and --each go with --policy or --model")
    if chosen:
        from aftermind.cli.commands import replay_what_if

        return replay_what_if.run(arguments)
    if arguments.as_jsonl:
        return _print(arguments)
    if arguments.keep:
        return _keep(arguments)
    if not arguments.then:
        return _tell(arguments)
    try:
        nested = _nested(arguments)
    except SystemExit as end:  # its --help
        return int(end.code or 0)
    return _answer(arguments, nested)


def _nested(arguments: Namespace) -> Namespace:
    """The command that is to be answered, and its own arguments."""
    from argparse import RawDescriptionHelpFormatter

    from aftermind.cli.main import COMMANDS, Parser, add_common, command

    name, *words = arguments.then
    if name not in READERS:
        close = meant(name, READERS)
        hint = f"did you mean {' or '.join(close)}?" if close else f"it can be {', '.join(READERS)}"
        raise Misused(f"{name!r} cannot be asked of the past", hint=hint)
    summary = dict(COMMANDS)[name]
    form = RawDescriptionHelpFormatter
    parser = Parser(
        prog=f"aftermind replay {name}", description=f"{summary}.", formatter_class=form, allow_abbrev=False
    )
    command(name).configure(parser)
    add_common(parser)
    common = {key: getattr(arguments, key) for key in ("home", "json", "traceback")}
    nested = Namespace(**common, command=name)
    parser.read(words, nested)
    arguments.home = nested.home  # said behind the command it is meant all the same
    return nested


async def _answer(arguments: Namespace, nested: Namespace) -> int:
    from aftermind.cli.main import command
    from aftermind.cli.past.asked import replayed, store_of
    from aftermind.cli.terminal.tables import note, when
    from aftermind.engine.errors import NotFound
    from aftermind.engine.names import MemoryId, memory_stream
    from aftermind.engine.store.beside import read_log
    from aftermind.engine.stored import storable

    async with replayed(arguments, hidden=nested.json) as past:
        if not nested.json:
            empty = "" if past.point.position else ", before anything was recorded"
            note(f"As of {when(past.point.time)}, position {past.point.position}{empty}:")
        nested.past = past
        try:
            status: int = await command(nested.command).run(nested)
        except NotFound as error:
            async with read_log(store_of(arguments)) as log:
                known = await log.stream(memory_stream(MemoryId(storable(error.id))))
            if known and known[0].position > past.point.position:
                error.hint = (
                    f"not yet then: it was recorded at position {known[0].position}, {when(known[0].draft.noted)}"
                )
            raise
        return status


async def _tell(arguments: Namespace) -> int:
    """What there was, in numbers."""
    from msgspec import structs

    from aftermind.cli.past.asked import replayed
    from aftermind.cli.terminal.tables import counted, say, show_json, when

    async with replayed(arguments, hidden=arguments.json) as past:
        stats = await past.memory.stats()
        point, why = past.point, past.meant.why
    if arguments.json:
        facts = {"position": point.position, "time": point.time, "model": past.meant.name, "why": why}
        show_json({**facts, **structs.asdict(stats)})
        return 0
    say(f"As of {when(point.time)}, position {point.position}: {counted(stats.events, 'event')}.")
    for name, found in (("memories", stats.collections), ("statuses", stats.statuses), ("scored", stats.verdicts)):
        say(f"{name:<8}  {', '.join(f'{number:,} {word}' for word, number in found.items() if number) or 'none'}")
    say(f"{'sessions':<8}  {stats.sessions:,}")
    say(f"{'projects':<8}  {', '.join(stats.projects.values()) or 'none'}")
    if why:
        say(f"Words alone decide there: {why}.")
    return 0


def _said(value: str | list[str]) -> str:
    """A filter as it was given, as the first line of an export tells it."""
    return value if isinstance(value, str) else ", ".join(value)


async def _print(arguments: Namespace) -> int:
    from aftermind import __version__
    from aftermind.cli.carrying.line import end, header, line_of
    from aftermind.cli.past.asked import choice_of, events_of, moment_of, store_of
    from aftermind.cli.past.choosing import Choosing
    from aftermind.cli.past.opening import point_of
    from aftermind.engine.stamp import Stamp
    from aftermind.engine.store.beside import read_log

    home, now = store_of(arguments), Stamp().now()
    async with read_log(home) as log:
        point = await point_of(log, moment_of(arguments.until), now)
        choosing = Choosing(await choice_of(arguments, log))
        asked = {name: _said(value) for name in FILTERS if (value := getattr(arguments, name))}
        lines = [header(program=__version__, store="", head=point.position, exported=now, filters=asked)]
        digest, count = sha256(), 0
        async for recorded in events_of(home, log, point.position):
            if choosing.wants(recorded):
                lines.append(line_of(recorded))
                count += 1
            if len(lines) >= AT_ONCE:
                lines = _out(lines, digest.update)
        _out(lines, digest.update)
    _out([end(count, digest.hexdigest())], digest.update)
    return 0


def _out(lines: list[bytes], heard: Callable[[bytes], None]) -> list[bytes]:
    """They are printed; what is left of them."""
    text = b"".join(lines)
    heard(text)
    sys.stdout.write(text.decode())
    return []


async def _keep(arguments: Namespace) -> int:
    from aftermind.cli.past.asked import moment_of, store_of
    from aftermind.cli.past.keeping import kept
    from aftermind.cli.past.opening import point_of
    from aftermind.cli.terminal.tables import counted, say, show_json, when
    from aftermind.engine.stamp import Stamp
    from aftermind.engine.store.beside import read_log

    if any(getattr(arguments, name) for name in FILTERS):
        raise Misused("a store that is kept is whole", hint="--until says how far; leave the other filters out")
    home = store_of(arguments)
    async with read_log(home) as log:
        point = await point_of(log, moment_of(arguments.until), Stamp().now())
        folder, events = await kept(home, log, point.position, arguments.keep)
    if arguments.json:
        show_json({"folder": str(folder), "position": point.position, "time": point.time, "events": events})
        return 0
    say(f"Kept {counted(events, 'event')}, up to {when(point.time)}, in {folder}.")
    say(f"`aftermind --home {folder} search …` asks it. Its clock is today's: what is over by now is over there too.")
    say("It is a copy: what you forget from now on, `forget` does not take out of it.")
    return 0
