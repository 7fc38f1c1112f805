"""model: what recall by meaning goes by: a static model that ships with the program, a sentence transformer in a folder
or of fastembed's list, or none. Nothing is downloaded unless `pull` says so."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future

    from aftermind.cli.language.process import Modelled
    from aftermind.projections.meaning.embedding import Model

NEXT = {
    "failed": "it is tried again every minute; `aftermind model list` shows what else there is",
    "hung": "`aftermind restart` loads it anew; `aftermind model use static` takes another",
}
EMPTY = "the model could not take their texts, which are found by their words alone; each start tries them again"
SILENT = 5.0
"""Seconds after which somebody at a terminal is told what is waited for."""
UNREAD = 10
"""Seconds after which whoever holds the store will not take the model that was configured, or its files as they are."""
ABOUT = {
    "static": "ships with the program; 256 dimensions, a tenth of a millisecond a query",
    "none": "recall works on words alone",
}


_OF_IMAGES = ("clip-", "siglip")
"""In the names of models that compare texts with images, and texts with each other badly."""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common
    from aftermind.cli.terminal.arguments import named

    parser.epilog = (
        "examples:\n"
        "  aftermind model status\n"
        "  aftermind model use static --wait\n"
        "  aftermind model use ~/models/all-MiniLM-L6-v2     (a folder with model.onnx)\n"
        "  aftermind model pull BAAI/bge-small-en-v1.5       (asks the network)"
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    status = actions.add_parser("status", help="which model is in use, and how far its vectors are", allow_abbrev=False)
    list_ = actions.add_parser("list", help="what there is, and what is here already", allow_abbrev=False)
    use = actions.add_parser("use", help="recall by this one from now on", allow_abbrev=False)
    use.add_argument("name", metavar="NAME", type=named, help="static, none, a folder, or a name of the list")
    use.add_argument("--wait", action="store_true", help="until every memory has its vectors by it")
    pull = actions.add_parser("pull", help="download one of the list; the only command that does", allow_abbrev=False)
    pull.add_argument("name", metavar="NAME", type=named, help="a name of the list")
    remove = actions.add_parser("remove", help="delete a download and its vectors", allow_abbrev=False)
    remove.add_argument("name", metavar="NAME", type=named, help="a name of the list, or of a folder that was used")
    for action in (status, list_, use, pull, remove):
        add_common(action)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.commands.pulling import pull, remove

    match arguments.action:
        case "status":
            return await _status(arguments)
        case "list":
            return _list(arguments)
        case "use":
            return await _use(arguments)
        case "pull":
            return await pull(arguments)
        case _:
            return await remove(arguments)


async def _status(arguments: Namespace) -> int:
    import os

    from aftermind.cli.examining.folder import megabytes
    from aftermind.cli.language.process import Modelled
    from aftermind.cli.opening import NoStore, home_of, opened
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import say, show_hanging, show_json
    from aftermind.projections.meaning.kept import kept, names

    try:
        async with opened(arguments, make=False) as memory:
            found, own = await memory.embedded(0), (await memory.state()).pid == os.getpid()
    except NoStore as none:
        name, why = configuration().model.name, f"{none}; {none.hint}"
        found, own = Modelled(name=name, used="", fingerprint="", vectors=0, followed=0, head=0, why=why), True
    gone = _gone(found, home_of(arguments))
    called = names(home_of(arguments))
    mine = {found.fingerprint, *(one for one, name in called.items() if own and name == found.name)}
    others = {other: size for other, size in kept(home_of(arguments)).items() if other not in mine}
    if arguments.json:
        show_json({**_facts(found), "gone": gone, "running": not own, "other_vectors": others})
        return 0
    say(f"{'configured':<10}  {found.name}")
    if own:
        loads = "no daemon runs; `aftermind start` starts one, which loads it"
        alone = "memories are recalled by their words"
        why = found.why if not found.head else alone if found.name == "none" else loads
        say(f"{'in use':<10}  none: {why}")
    else:
        for name, value in [*_described(found), *([("", gone)] if gone else [])]:
            show_hanging(f"{name:<10}  ", value, paths=True)
    if others:
        by = " and ".join(sorted({called.get(other, "a model of another time") for other in others}))
        told = f"{megabytes(sum(others.values()))} of vectors by {by}, to go back to"
        told += "; `aftermind model remove NAME` or a change to yet another removes them"
        show_hanging(f"{'beside':<10}  ", told, paths=True)
    return 0


def _described(found: Modelled) -> list[tuple[str, str]]:
    lines = [("in use", found.used or "none: memories are recalled by their words")]
    if found.coming:
        lines.append(("coming", f"{found.coming}, as soon as every memory has its vectors"))
    if found.fingerprint:
        level = "level with the log" if found.followed >= found.head else f"{found.followed:,} of {found.head:,} events"
        lines.append(("vectors", f"{found.vectors:,}, {level}"))
        if found.empty:
            lines.append(("", f"{found.empty:,} of them {'is' if found.empty == 1 else 'are'} empty: {EMPTY}"))
    if found.why:
        lines.append(("state", f"{found.phase}: {found.why}"))
        if found.phase in NEXT:
            lines.append(("", f"→ {NEXT[found.phase]}"))
    else:
        lines.append(("state", found.phase))
    return lines


def _gone(found: Modelled, home: Path) -> str:
    """That the model in use is not there any more, and what follows."""
    from aftermind.projections.meaning.embedding import checked
    from aftermind.projections.meaning.model_files import DOWNLOADS, NoModel

    try:
        checked(found.used or "none", home / DOWNLOADS)
    except NoModel as error:
        return f"{error.why}: it serves until the daemon stops, from then on memories are recalled by their words"
    return ""


def _facts(found: Modelled) -> dict[str, object]:
    from msgspec import structs

    return structs.asdict(found)


def _list(arguments: Namespace) -> int:
    from aftermind.cli.examining.folder import megabytes
    from aftermind.cli.opening import home_of
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import note, show_json, show_table
    from aftermind.projections.meaning.embedding import downloadable
    from aftermind.projections.meaning.kept import kept, names
    from aftermind.projections.meaning.model_files import DOWNLOADS, EXTRA, downloaded, size_of

    wanted, home = configuration().model.name, home_of(arguments)
    downloads, vectors = home / DOWNLOADS, kept(home)
    here = downloaded(downloads)
    rows = [(name, "with the program", about) for name, about in ABOUT.items()]
    folders = {name: f"{megabytes(vectors[one])} of vectors" for one, name in names(home).items() if one in vectors}
    folders.setdefault(wanted, "configured")
    for name, about in sorted(folders.items()):
        if Path(name).is_absolute():
            rows.append((name, "a folder" if Path(name).is_dir() else "is gone", about))
    dimensions = {"static": "256"}
    listed = downloadable()
    for one in listed:
        if one.name not in here and any(word in one.name.lower() for word in _OF_IMAGES):
            continue
        dimensions[one.name] = one.about.partition(" ")[0]
        size, told = size_of(one.name, downloads), f"{one.gigabytes:g} GB"
        if size:
            told = f"here, {megabytes(size)}" if one.name in here else f"{megabytes(size)} of {told}"
        rows.append((one.name, told, one.about))
    if arguments.json:
        show_json(
            [{"name": name, "where": where, "about": about, "used": name == wanted} for name, where, about in rows]
        )
        return 0
    sizes = {"static": "included", "none": "words only"}
    shown = [
        ("*" if name == wanted else "", name, dimensions.get(name, ""), sizes.get(name, where))
        for name, where, _ in rows
    ]
    show_table(("", "NAME", "DIM.", "SIZE"), shown, whole=True)
    if not listed:
        note(f"Without fastembed there are no others: {EXTRA}")
    return 0


async def _use(arguments: Namespace) -> int:
    from aftermind.cli.commands.config import write_key
    from aftermind.cli.commands.pulling import whole
    from aftermind.cli.config import from_environment, variable
    from aftermind.cli.interrupting import CTRL_C
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.projections.meaning.model_files import DOWNLOADS

    name = whole(arguments.name)
    model = await _tried(name, home_of(arguments) / DOWNLOADS)  # what cannot be used is refused
    path, own = write_key("model.name", name), variable("model.name")
    told = "as soon as a daemon has its vectors; `aftermind model status` tells"
    CTRL_C.line = f"interrupted: recall goes by {_words(name)} {told}"
    found = await _waited(arguments, name, model) if arguments.wait else None
    before = found is not None and _is_of_before(found, model)
    if arguments.json:
        facts = {"model": name, "path": str(path), "dimensions": 0 if model is None else model.dimensions}
        show_json({**facts, "state": None if found is None else _facts(found)})
    elif found is None:
        soon = (
            "" if model is None else " as soon as every memory has its vectors, and until then by what it goes by now"
        )
        say(f"Recall goes by {_words(name)}{soon or ' from now on'}.")
        if model is not None:
            say("`aftermind model status` tells how far it is, `--wait` waits.")
    elif found.name != name:
        say(f"{name} is configured, but who holds the store goes by {found.name}.")
        say(f"  → {own} may name that in its environment; `aftermind restart` starts it in this one")
    elif found.phase == "level" and before:
        say(f"{name} is configured, but who holds the store still goes by the files that were there before.")
        say("  → it looks at them every minute; `aftermind model status` tells how it goes on")
    elif found.phase == "none":
        say(f"Recall goes by {_words(name)} from now on.")
    elif found.phase == "level":
        say(f"Every memory has its vectors by {name}; recall goes by it as long as a daemon runs.")
    else:
        say(f"{name} is configured and not in use: {found.why or found.phase}.")
        say(f"  → {NEXT.get(found.phase, '`aftermind model status` tells how it goes on')}")
    if not arguments.json and from_environment("model.name") is not None:
        say(f"{own} is set here and goes before it.")
    return 0 if found is None or (found.name == name and found.phase in ("level", "none") and not before) else 5


async def _tried(name: str, downloads: Path) -> Model | None:
    """The model of that name, which has taken a text. `NoModel` where it takes longer than a daemon would wait for it,
    too; its thread is left alone with it."""
    import asyncio
    import atexit

    from aftermind.cli.holding import model_state
    from aftermind.cli.terminal.tables import note
    from aftermind.projections.meaning.apart import Lane
    from aftermind.projections.meaning.embedding import loaded
    from aftermind.projections.meaning.model_files import NoModel

    lane: Lane[str, Model | None] = Lane(lambda name: loaded(name, downloads))
    sent, longest = lane.send(name), model_state.LONGEST
    loading = asyncio.wrap_future(sent)
    lane.end()
    await asyncio.wait({loading}, timeout=min(SILENT, longest))
    if not loading.done():
        note(f"{name} is being loaded and tried with a text, for {longest:g} s at the most …")
        await asyncio.wait({loading}, timeout=longest - min(SILENT, longest))
    if not loading.done():
        hint = "try again when this machine is less busy, or take another of `aftermind model list`"
        atexit.register(_left_alone, sent, NoModel.status)
        raise NoModel(name, f"it hangs: after {longest:g} s it had not come back from its first text", hint=hint)
    return await loading


def _left_alone(sent: Future[Model | None], status: int) -> None:
    """The process ends without its library being torn down under a thread that is in it, which would abort."""
    import os
    import sys

    if not sent.done():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)


def _is_of_before(found: Modelled, model: Model | None) -> bool:
    """Whether what is told is about files that were there before those that were tried: replaced, or mended."""
    return model is not None and found.phase in ("level", "failed", "hung") and found.fingerprint != model.fingerprint


def _words(name: str) -> str:
    return "words alone" if name == "none" else name


async def _waited(arguments: Namespace, name: str, model: Model | None) -> Modelled | None:
    """How it is when the change is over, whichever way; None where there is no store yet."""
    from anyio import sleep

    from aftermind.cli.opening import NoStore, opened
    from aftermind.cli.terminal.progress import bar

    try:
        async with opened(arguments, make=False) as memory:
            found = await memory.embedded(0)
            followed = 0
            with bar("Computing vectors", found.head, hidden=arguments.json) as done:
                for second in range(3600):
                    found = await memory.embedded(1.0)
                    if found.name != name or _is_of_before(found, model):  # what was configured is not read yet
                        if second >= UNREAD:
                            return found
                        await sleep(1.0)
                        continue
                    if found.phase in ("level", "none", "failed", "hung"):
                        return found
                    if found.coming == name:
                        done(found.followed - followed)
                        followed = found.followed
            return found
    except NoStore:
        return None
