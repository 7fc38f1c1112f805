"""pause, resume: nothing is captured and nothing shown, in one project or everywhere, for a time or until it ends."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.terminal.arguments import project_of, stretch

EXPLAINED = """\
Nothing of prompts, answers and tools is captured then, and no assistant is
shown anything; what was said meanwhile is not recorded later either. What you
ask for yourself works: search, show, remember, correct, forget, ingest. Each
project has its own pause, everywhere has another; one does not end the other.

examples:
"""
RESUMED = """\
Prompts, answers and tools are captured again, and assistants shown what is
known; what was said during the pause stays unrecorded. Each project has its
own pause, everywhere has another; one does not end the other.

examples:
"""


def configure(parser: ArgumentParser) -> None:
    pausing = parser.prog.endswith("pause")
    word = "pause" if pausing else "resume"
    examples = [f"aftermind {word}", f"aftermind {word} --everywhere"]
    if pausing:
        examples += ["aftermind pause --project ~/src/acme --for 2h"]
        parser.add_argument(
            "--for", dest="stretch", metavar="TIME", type=stretch, help="30m, 2h, 1d, 1h30m (default: until `resume`)"
        )
    parser.epilog = (EXPLAINED if pausing else RESUMED) + "\n".join(f"  {example}" for example in examples)
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--project",
        metavar="PROJECT",
        help="the project: a folder (with a slash in it, or `.`), a name, or an id (default: the current folder's)",
    )
    place.add_argument("--everywhere", action="store_true", help="in every project")


async def run(arguments: Namespace) -> int:
    return await _pause(arguments) if arguments.command == "pause" else await _resume(arguments)


async def _pause(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.privacy.telling import sentence
    from aftermind.cli.privacy.words import resuming
    from aftermind.cli.terminal.tables import say, show_json, when
    from aftermind.cli.this_folder import meant
    from aftermind.engine.stamp import Stamp

    project = project_of(arguments)
    is_here = arguments.project is None and not arguments.everywhere
    until = None if arguments.stretch is None else Stamp().now() + arguments.stretch
    async with opened(arguments) as memory:
        project = await meant(memory, project)
        before = (await memory.limits(project)).paused
        paused = await memory.pause(project, until=until)
    ended = next((one.until for one in before if one.scope == paused.scope), None)
    if arguments.json:
        show_json(paused)
    else:
        ends = "aftermind resume" if is_here else resuming(paused.scope)
        say(f"{sentence(paused)} Nothing is captured or shown there; `{ends}` ends it.")
        if ended is not None and paused.until is None:
            say(f"It would have ended by itself at {when(ended)}; now it does not. `--for` says how long.")
    return 0


async def _resume(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.privacy.telling import sentence
    from aftermind.cli.privacy.words import resuming
    from aftermind.cli.terminal.tables import say, show_json

    project = project_of(arguments)
    async with opened(arguments, make=False) as memory:
        ended = await memory.resume(project)
        limited = await memory.limits(project)
    if arguments.json:
        show_json({"resumed": ended, "limits": limited})
        return 0
    place = "everywhere" if project is None else "in this project"
    say(f"Resumed {place}." if ended else f"It was not paused {place}.")
    for paused in limited.paused:
        say(f"{sentence(paused)} `{resuming(paused.scope)}` ends that.")
    return 0
