"""project: which projects there are, which of them see each other's memories, and which one a folder is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aftermind.cli.language.projects import Project
    from aftermind.engine.names import ProjectId

EXPLAINED = """\
A project is what the client says: its folder, the git repository that is in,
with all worktrees and clones, and forks that share a remote with it. What
belongs to one is seen in that one only.

`share` lets a project see another's memories as well, until `unshare`; that one
sees nothing for it. What is stated in either still belongs to that one.

`join` says that a folder is a project that is known: one that was moved or
renamed, or never had a git repository or a remote.

examples:
  aftermind project list
  aftermind project share billing     (this project also sees billing)
  aftermind project unshare billing
  aftermind project join webshop --project ~/src/webshop-2"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.epilog = EXPLAINED
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    list_ = actions.add_parser("list", help="every project", allow_abbrev=False)
    show = actions.add_parser("show", help="all a project is known by, and whom it sees", allow_abbrev=False)
    show.add_argument("project", metavar="PROJECT", nargs="?", default=".", help="(default: the current folder's)")
    share = actions.add_parser("share", help="see another project's memories as well", allow_abbrev=False)
    unshare = actions.add_parser("unshare", help="see them no more", allow_abbrev=False)
    for action in (share, unshare):
        action.add_argument("other", metavar="PROJECT", help="the project that is seen")
        action.add_argument("--project", metavar="PROJECT", default=".", help="who sees it (default: this one)")
    join = actions.add_parser("join", help="say that a folder is a project that is known", allow_abbrev=False)
    join.add_argument("other", metavar="PROJECT", help="the project, by its name, id or former folder")
    join.add_argument("--project", metavar="PROJECT", default=".", help="the folder (default: the current one)")
    for action in (list_, show, share, unshare, join):
        add_common(action)


async def run(arguments: Namespace) -> int:
    match arguments.action:
        case "list" | "show":
            return await _show(arguments)
        case "join":
            return await _join(arguments)
        case _:
            return await _share(arguments)


async def _show(arguments: Namespace) -> int:
    from aftermind.cli.language.projects import Projects
    from aftermind.cli.opening import opened
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import counted, nothing_to_print, say, show_json, show_table

    one = arguments.action == "show"
    async with opened(arguments, make=False) as memory:
        found = await memory.ask(Projects(project=as_written(arguments.project) if one else None))
    if arguments.json:
        show_json(found[0] if one and found else found)
    elif not found:
        nothing_to_print("Nothing was kept in that project yet." if one else "There is no project yet.")
    elif one:
        say(f"{found[0].name}  {found[0].id}  ({counted(found[0].memories, 'memory', 'memories')})")
        for alias in found[0].aliases:
            say(f"  {alias}")
        for told, others in (("sees", found[0].sees), ("is seen by", found[0].seen_by)):
            if others:
                say(f"  {told} {_named(others)}")
    else:
        rows = [(p.id, str(p.memories), _named(p.sees), p.name) for p in found]
        show_table(("ID", "MEMORIES", "SEES ALSO", "PROJECT"), rows)
    return 0


def _named(others: dict[ProjectId, str]) -> str:
    return ", ".join(name or id for id, name in others.items())


async def _share(arguments: Namespace) -> int:
    from shlex import quote

    from aftermind.cli.language.projects import Projects, Share, Unshare
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import say, show_json

    own, other = _place(arguments.project), _place(arguments.other)
    begins = arguments.action == "share"
    asked = Share(project=own, other=other) if begins else Unshare(project=own, other=other)
    async with opened(arguments, make=False) as memory:
        new = await memory.ask(asked)
        (mine,) = await memory.ask(Projects(project=own))
        (its,) = await memory.ask(Projects(project=other))
    if arguments.json:
        show_json({"new": new, "project": mine})
    elif begins:
        again = "" if new else " already"
        ends = f"`aftermind project unshare {quote(its.name)}` ends that"
        say(f"{mine.name} sees the memories of {its.name}{again}; {ends}.")
    else:
        say(f"{mine.name} does not see the memories of {its.name}{' any more' if new else ''}.")
    return 0


async def _join(arguments: Namespace) -> int:
    from aftermind.cli.language.projects import Join
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import say, show_json

    folder = _place(arguments.project)
    async with opened(arguments, make=False) as memory:
        joined = await memory.ask(Join(folder=folder, project=_place(arguments.other)))
    if arguments.json:
        show_json(joined)
        return 0
    say(f"{folder} is {joined.project.name} from now on.")
    if joined.before is not None:
        say(_kept(joined.before))
    return 0


def _kept(before: Project) -> str:
    stay = "memory stays" if before.memories == 1 else "memories stay"
    return (
        f"It was {before.name}, whose {before.memories:,} {stay} there: `aftermind project share {before.id}` "
        f"shows them here too, `aftermind project join {before.id}` takes this back."
    )


def _place(project: str) -> str:
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.arguments import known_place

    return as_written(known_place(project)) or project
