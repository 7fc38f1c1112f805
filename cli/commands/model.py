"""model: what recall by meaning goes by: a static model that ships with the program, a sentence transformer in a folder
or of fastembed's list, or none. Nothing is downloaded unless `pull` says so."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

ABOUT = {
    "static": "ships with the program; 256 dimensions, a tenth of a millisecond a query",
    "none": "recall works on words alone",
}


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.epilog = (
        "examples:\n"
        "  aftermind model status\n"
        "  aftermind model use static\n"
        "  aftermind model use ~/models/all-MiniLM-L6-v2     (a folder with model.onnx)\n"
        "  aftermind model pull BAAI/bge-small-en-v1.5       (asks the network)"
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    status = actions.add_parser("status", help="which model is in use, and how far its vectors are", allow_abbrev=False)
    list_ = actions.add_parser("list", help="what there is, and what is here already", allow_abbrev=False)
    use = actions.add_parser("use", help="recall by this one from now on", allow_abbrev=False)
    use.add_argument("name", metavar="NAME", help="static, none, a folder, or a name of the list")
    pull = actions.add_parser("pull", help="download one of the list; the only command that does", allow_abbrev=False)
    pull.add_argument("name", metavar="NAME", help="a name of the list")
    remove = actions.add_parser("remove", help="delete a download and its vectors", allow_abbrev=False)
    remove.add_argument("name", metavar="NAME", help="a name of the list, or of a folder that was used")
    for action in (status, list_, use, pull, remove):
        add_common(action)


async def run(arguments: Namespace) -> int:
    match arguments.action:
        case "status":
            return await _status(arguments)
        case "list":
            return _list(arguments)
        case "use":
            return _use(arguments)
        case "pull":
            return await _pull(arguments)
        case _:
            return _remove(arguments)


async def _status(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import say, show_json

    async with opened(arguments, make=False) as memory:
        found = await memory.embedded(0)
    if arguments.json:
        show_json(found)
        return 0
    say(f"configured  {found.name}")
    say(f"in use      {found.used or f'none: {found.why}'}")
    if found.fingerprint:
        say(f"vectors     {found.vectors:,}, up to position {found.followed:,} of {found.head:,}")
        if found.used and found.why:
            say(f"            {found.why}")
    return 0


def _list(arguments: Namespace) -> int:
    from aftermind.cli.opening import home_of
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import show_json, show_table
    from aftermind.projections.embedding import downloadable, downloaded

    wanted, here = configuration().model.name, downloaded(home_of(arguments) / "models")
    rows = [(name, "with the program", about) for name, about in ABOUT.items()]
    if wanted not in ABOUT and Path(wanted).expanduser().is_dir():
        rows.append((wanted, "a folder", "configured"))
    rows += [(one.name, "here" if one.name in here else f"{one.gigabytes:g} GB", one.about) for one in downloadable()]
    if arguments.json:
        show_json(
            [{"name": name, "where": where, "about": about, "used": name == wanted} for name, where, about in rows]
        )
    else:
        marked = [("*" if name == wanted else "", name, where, about) for name, where, about in rows]
        show_table(("", "NAME", "WHERE", "ABOUT"), marked)
    return 0


def _use(arguments: Namespace) -> int:
    from aftermind.cli.commands.config import write_key
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.projections.embedding import NONE, STATIC, checked

    name = arguments.name
    if name not in (STATIC, NONE) and Path(name).expanduser().is_dir():
        name = str(Path(name).expanduser().absolute())
    checked(name, home_of(arguments) / "models")
    path = write_key("model.name", name)
    if arguments.json:
        show_json({"model": name, "path": str(path)})
    else:
        say(f"Recall goes by {name} from now on. Vectors follow: `aftermind model status` tells.")
    return 0


async def _pull(arguments: Namespace) -> int:
    from anyio import to_thread

    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.tables import note, say, show_json
    from aftermind.engine.store import fit_folder
    from aftermind.projections.embedding import pulled

    folder = fit_folder(home_of(arguments), make=True) / "models"
    note(f"Downloading {arguments.name} to {folder} …")
    await to_thread.run_sync(pulled, arguments.name, folder)
    if arguments.json:
        show_json({"model": arguments.name, "folder": str(folder)})
    else:
        say(f"{arguments.name} is here. `aftermind model use {arguments.name}` takes it into use.")
    return 0


def _remove(arguments: Namespace) -> int:
    from aftermind.cli.opening import home_of
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.arguments import Misused
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.projections.embedding import removed

    if arguments.name == configuration().model.name:
        raise Misused(f"{arguments.name} is in use", hint="`aftermind model use static` first")
    count = removed(arguments.name, home_of(arguments) / "models")
    if arguments.json:
        show_json({"model": arguments.name, "files": count})
    else:
        say(f"{arguments.name}: {count} files removed." if count else f"{arguments.name} was not downloaded.")
    return 0
