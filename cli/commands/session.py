"""session: what was worked on, where it stands, and going on with it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import (
    actions_of,
    add_everything,
    add_project,
    count,
    plain_id,
    project_of,
    project_or_all,
)

if TYPE_CHECKING:
    from aftermind.cli.language.sessions import Listed
    from aftermind.cli.open_memory import OpenMemory
    from aftermind.engine.names import SessionId

MOST = 20
ENDED = "ended"
"""Why a session ends, where nobody says."""
EXPLAINED = """\
A session is what an assistant's window did under one id. Its work stands as its
checkpoints say (`aftermind checkpoint`), and as its prompts, tools and verdicts
do. An id may be shortened to its first characters, four at least, as long as no
other one begins so. One in which nothing is said for half an hour is not active
any more (`lifecycle.quiet_minutes`).

examples:
  aftermind session list --active
  aftermind session search rate limiter --client opencode
  aftermind session show ses_4f2a
  aftermind session resume
  aftermind session export ses_4f2a > handover.md
  aftermind session end s1 --summary 'It works; its metrics are missing'"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.epilog = EXPLAINED
    action = actions_of(parser)
    listing = action("list", "list the sessions of a project, the last used first")
    listing.add_argument("--active", action="store_true", help="those that are alive")
    search = action("search", "find the sessions that say something, the best first")
    search.add_argument("query", metavar="WORDS", nargs="+", help="what is looked for; any of the words may do")
    for one in (listing, search):
        one.add_argument("--client", metavar="CLIENT", default="", help="of this assistant: claude-code, opencode, …")
        one.add_argument("--limit", metavar="N", type=count, default=MOST, help=f"at most N (default: {MOST})")
        add_everything(one)
    show = action("show", "tell all there is of one session")
    resume = action("resume", "print the briefing by which an assistant goes on with a session")
    resume.add_argument("--budget", metavar="TOKENS", type=count, help="at most so long (default: 1500)")
    resume.add_argument(
        "--into", metavar="SESSION", help="the session that goes on: what it is shown is recorded as shown"
    )
    resume.add_argument("--client", metavar="CLIENT", default="", help="whose session that is")
    add_project(resume)
    export = action("export", "write sessions as Markdown: one to standard output, several into a folder")
    export.add_argument("--to", metavar="FOLDER", help="a file each, with the project's others; what is gone goes")
    export.add_argument("--pages", action="store_true", help="write the store's own pages of all sessions anew")
    add_everything(export)
    for one, many in ((show, None), (resume, "?"), (export, "*")):
        one.add_argument(
            "session", metavar="SESSION", nargs=many, type=plain_id, help="a session's id, or how it begins"
        )
    every = [listing, search, show, resume, export]
    for name, about in _LIVING:
        one = action(name, about)
        one.add_argument("session", metavar="SESSION", type=plain_id, help="a session's id")
        every.append(one)
        if name == "start":
            one.add_argument("--client", metavar="CLIENT", default="", help="whose session it is")
            add_project(one)
        if name == "end":
            one.add_argument("--reason", metavar="WORD", default=ENDED, help=f"why, in a word (default: {ENDED})")
            one.add_argument("--summary", metavar="TEXT", default="", help="what there is to say in the end")
    for one in every:
        add_common(one)


_LIVING = (
    ("start", "begin a session; begun twice it is one, and goes on where it had ended"),
    ("beat", "say that a session is alive"),
    ("end", "end a session, with a summary"),
)


async def run(arguments: Namespace) -> int:
    match arguments.action:
        case "list" | "search":
            return await _list(arguments)
        case "show":
            return await _show(arguments)
        case "resume":
            return await _resume(arguments)
        case "export":
            from aftermind.cli.commands.session_export import export

            return await export(arguments)
        case _:
            return await _live(arguments)


async def _list(arguments: Namespace) -> int:
    from aftermind.cli.language.sessions import ListSessions
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import say, show_json, show_table

    project, everything = project_or_all(arguments)
    looked_for = " ".join(arguments.query) if arguments.action == "search" else None
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        asked = ListSessions(
            project=as_written(project),
            all=everything,
            active=arguments.action == "list" and arguments.active,
            client=arguments.client,
            query=looked_for,
            limit=arguments.limit,
        )
        found = await memory.ask(asked)
    if arguments.json:
        show_json(found)
    elif found:
        show_table(("SESSION", "LAST", "CLIENT", "STATE", "EXCHANGES", "PROJECT", "GOAL"), [_row(one) for one in found])
    else:
        elsewhere = "" if everything else " `--all` asks every project."
        say(f"{'No session says that.' if looked_for is not None else 'There are no such sessions.'}{elsewhere}")
    return 0


def _row(one: Listed) -> tuple[str, ...]:
    from aftermind.cli.terminal.tables import when

    state = "active" if one.active else f"ended{one.why}" if one.ended is not None else "quiet"
    return one.id, when(one.last)[:16], one.client, state, str(one.exchanges), one.project or one.scope, one.goal


async def _show(arguments: Namespace) -> int:
    from aftermind.cli.carrying.pages.telling import session_told
    from aftermind.cli.language.sessions import ShowSession
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import show_json, show_text

    async with opened(arguments, make=False) as memory:
        told = await memory.ask(ShowSession(session=arguments.session))
    if arguments.json:
        show_json(told)
    else:
        show_text(session_told(told).rstrip("\n"))
    return 0


async def _resume(arguments: Namespace) -> int:
    from aftermind.cli.language.sessions import ResumeSession
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import nothing_to_print, show_json, show_text

    async with opened(arguments, make=False) as memory:
        found = await memory.ask(
            ResumeSession(
                session=arguments.session,
                project=as_written(project_of(arguments)),
                into=arguments.into,
                client=arguments.client,
                budget=arguments.budget,
            )
        )
    if arguments.json:
        show_json(found)
    elif found.text:
        show_text(found.text)
    else:
        nothing_to_print("There is nothing to go on with here. `aftermind session list --all` lists every project's.")
    return 0


async def _known(memory: OpenMemory, session: str) -> SessionId | None:
    """The session that is known by that id, or by what it begins with."""
    from aftermind.cli.language.sessions import ShowSession
    from aftermind.engine.errors import NotFound, Unusable

    try:
        return (await memory.ask(ShowSession(session=session, git=False))).session.id
    except (NotFound, Unusable):
        return None


async def _live(arguments: Namespace) -> int:
    from aftermind.cli.language.sessions import BeginSession, CloseSession, KeepAlive
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.cli.this_folder import meant

    session = arguments.session
    async with opened(arguments, make=arguments.action == "start") as memory:
        match arguments.action:
            case "start":
                place = as_written(await meant(memory, project_of(arguments)))
                known = await _known(memory, session)
                session = await memory.ask(BeginSession(session=session, project=place, client=arguments.client))
                done = f"Session {session} goes on." if session == known else f"Session {session} has begun."
            case "beat":
                await memory.ask(KeepAlive(session=session))
                done = f"Session {session} is alive."
            case _:
                asked = CloseSession(session=session, reason=arguments.reason, summary=arguments.summary)
                session = await memory.ask(asked)
                done = f"Session {session} has ended."
    if arguments.json:
        show_json({"session": session})
    else:
        say(done)
    return 0
