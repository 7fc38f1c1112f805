"""checkpoint: where the work stands, written down for whoever goes on with it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_project, project_of

if TYPE_CHECKING:
    from aftermind.cli.language.sessions import WriteCheckpoint

EXPLAINED = """\
A goal takes the place of the one before. Decisions, what is done, files and
references are added to those before. What is pending is all that is: it takes
the place of what was. Without --session it is the project's session that was
last alive.

Piped in with --from-stdin it is a JSON object: {"goal": "…", "done": ["…"],
"pending": ["…"], "decisions": ["…"], "files": ["…"], "references": ["…"],
"text": "…", "session": "…"}, each of them or none. An empty "pending" says that
nothing is.

examples:
  aftermind checkpoint --goal 'Rate limiting' --done Bucket --pending Tests
  aftermind checkpoint --decision 'Redis: the limits hold across workers'
  aftermind checkpoint --nothing-pending 'Merged, and deployed to staging'"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("text", metavar="TEXT", nargs="*", help="where the work stands, in free words")
    parser.add_argument("--session", metavar="SESSION", help="the client's id of the session")
    parser.add_argument("--goal", metavar="TEXT", default="", help="what the work is for")
    for name, about in (
        ("decision", "what was decided, and why"),
        ("done", "what is done"),
        ("pending", "what is not done yet; all of it"),
        ("file", "a file that was touched"),
        ("reference", "an address, a document, a ticket"),
    ):
        parser.add_argument(f"--{name}", metavar="TEXT", action="append", default=[], help=f"{about}; may be repeated")
    parser.add_argument("--nothing-pending", action="store_true", help="nothing is pending any more")
    parser.add_argument("--from-stdin", action="store_true", help="read a JSON object from standard input")
    parser.add_argument("--client", metavar="CLIENT", default="", help="whose session it is, if it is a new one")
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import counted, say, show_json
    from aftermind.cli.this_folder import meant

    asked = await _asked(arguments)
    async with opened(arguments) as memory:
        place = as_written(await meant(memory, asked.project))
        written = await memory.ask(structs.replace(asked, project=place))
    if arguments.json:
        show_json(written)
        return 0
    left = len(written.work.pending)
    pending = counted(left, "thing is", "things are") if left else "nothing is"
    say(f"Written into session {written.session}; {pending} pending.")
    return 0


async def _asked(arguments: Namespace) -> WriteCheckpoint:
    from aftermind.cli.language.sessions import WriteCheckpoint
    from aftermind.cli.places import as_written

    project = as_written(project_of(arguments))
    if arguments.nothing_pending and arguments.pending:
        raise Misused("--pending and --nothing-pending say two things", hint="leave out one of them")
    if not arguments.from_stdin:
        return WriteCheckpoint(
            session=arguments.session,
            project=project,
            client=arguments.client,
            text=" ".join(arguments.text),
            goal=arguments.goal,
            decisions=tuple(arguments.decision),
            done=tuple(arguments.done),
            pending=() if arguments.nothing_pending else tuple(arguments.pending) or None,
            files=tuple(arguments.file),
            references=tuple(arguments.reference),
        )
    from msgspec import structs

    from aftermind.cli.language.checkpointed import checkpointed
    from aftermind.cli.terminal.stdin import text_or_stdin

    told = checkpointed(await text_or_stdin("-"), session=arguments.session, project=project, client=arguments.client)
    return structs.replace(told, by="person")
