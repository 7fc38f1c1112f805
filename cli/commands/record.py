"""record: one exchange from standard input; a memory is born from it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.terminal.arguments import add_project, add_session, project_of

EXPLAINED = """\
Standard input is a JSON object, or plain text.

  {"prompt": "how do we deploy?", "answer": "make deploy", "id": "msg-7"}

The keys are prompt, answer, session, id, project, client, at (a time with its
zone, 2026-01-31T12:00:00Z) and tools (a list of {"name", "paths", "ok",
"error"}). All may be left out but prompt and answer together; an option given
here takes the place of its key. The same id again is recorded once; with a
longer answer, it is a revision. What a prompt states is learned as of "at", and
replaces nothing that was said later.

Plain text is the prompt, a line with nothing but ---, and the answer:

  how do we deploy?
  ---
  make deploy
"""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    add_session(parser)
    parser.add_argument("--client", metavar="CLIENT", help="the program the exchange happened in (default: cli)")
    parser.add_argument("--id", metavar="ID", help="the client's own id of the message")
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.language.delivered import delivered
    from aftermind.cli.language.ids import session_of
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.stdin import all_of_stdin
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.cli.this_folder import meant

    given = delivered(await all_of_stdin())
    named = arguments.everywhere or arguments.project is not None or given.project is None
    project = project_of(arguments) if named else given.project
    async with opened(arguments) as memory:
        project = await meant(memory, project) if named else project
        exchange = await memory.record(
            given.prompt,
            given.answer,
            session=session_of(arguments.session or given.session, project),
            project=project,
            id=arguments.id or given.id,
            tools=given.tools,
            client=arguments.client or given.client or "cli",
            at=given.at,
        )
    if arguments.json:
        show_json(exchange)
    elif exchange.delivery == "new":
        say(f"Recorded exchange {exchange.id}; memory {exchange.memory} was born from it.")
    elif exchange.delivery == "revised":
        say(f"The answer of exchange {exchange.id} grew; its memory {exchange.memory} has it now.")
    else:
        say(f"Exchange {exchange.id} is recorded already (memory {exchange.memory}).")
    return 0
