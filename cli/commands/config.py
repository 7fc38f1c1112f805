"""config: what is configured and by whom; `set` and `unset` edit the file and leave its comments."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

HEADER = "# Aftermind's configuration: `aftermind config get` lists every key.\n"


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.keys import KEYS
    from aftermind.cli.main import add_common

    width = max(len(key.name) for key in KEYS)
    gap = " " * (width + 4)
    keys = "\n".join(
        fill(f"  {key.name:<{width}}  {key.about}: {key.expected}", 79, subsequent_indent=gap) for key in KEYS
    )
    parser.epilog = (
        f"keys:\n{keys}\n\n"
        "An environment variable goes before the file: AFTERMIND_RANKING_LIMIT for\nranking.limit.\n\n"
        "examples:\n"
        "  aftermind config get\n"
        "  aftermind config set ranking.limit 8\n"
        "  aftermind config unset ranking.limit"
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    get = actions.add_parser("get", help="print every key, or one key's value", allow_abbrev=False)
    get.add_argument("key", metavar="KEY", nargs="?", help="ranking.limit, for example")
    set_ = actions.add_parser("set", help="write a key into the file", allow_abbrev=False)
    set_.add_argument("key", metavar="KEY", help="ranking.limit, for example")
    set_.add_argument("value", metavar="VALUE", help="its value from now on")
    unset = actions.add_parser("unset", help="take a key out of the file", allow_abbrev=False)
    unset.add_argument("key", metavar="KEY", help="ranking.limit, for example")
    path = actions.add_parser("path", help="print where the file is", allow_abbrev=False)
    for action in (get, set_, unset, path):
        add_common(action)


async def run(arguments: Namespace) -> int:
    match arguments.action:
        case "get":
            return _get(arguments)
        case "set":
            return _set(arguments)
        case "unset":
            return _unset(arguments)
        case _:
            return _path(arguments)


def _get(arguments: Namespace) -> int:
    from aftermind.cli.settings import key_of, settings
    from aftermind.cli.terminal.tables import show_json, show_table, show_text

    found = settings()
    if arguments.key is not None:
        key = key_of(arguments.key)
        one = next(setting for setting in found if setting.key == key.name)
        show_json(one) if arguments.json else show_text(str(one.value))
    elif arguments.json:
        show_json(found)
    else:
        show_table(("KEY", "FROM", "VALUE"), [(one.key, one.source, str(one.value)) for one in found])
    return 0


def _set(arguments: Namespace) -> int:
    from aftermind.cli.config import from_environment, variable
    from aftermind.cli.settings import Setting, key_of, value_of
    from aftermind.cli.terminal.tables import say, show_json

    key = key_of(arguments.key)
    value = value_of(key, arguments.value, "the command line")
    if key.name == "home":
        value = str(Path(str(value)).expanduser().absolute())
    path = write_key(key.name, value)
    if arguments.json:
        show_json(Setting(key=key.name, value=value, source="file"))
    else:
        say(f"{key.name} is {value} in {path}.")
        if from_environment(key.name) is not None:
            say(f"{variable(key.name)} is set and goes before it.")
    return 0


def write_key(key: str, value: str | int | float) -> Path:
    """Puts a key into the file, which keeps its comments; where that is."""
    return write_keys({key: value})


def write_keys(values: Mapping[str, str | int | float | None]) -> Path:
    """Puts some keys into the file, and takes out those that are None: all of it or nothing."""
    import tomlkit

    from aftermind.cli.config import config_file
    from aftermind.cli.settings import key_of

    path, document = config_file(), _document()
    for key, value in values.items():
        table, _, name = key.rpartition(".")
        if value is None:
            _taken_out(document, key)
            continue
        place = document.setdefault(table, tomlkit.table()) if table else document
        if not isinstance(place, MutableMapping):
            key_of(table, str(path))  # a value stands where the table belongs
        place[name] = value
    _write(path, document)
    return path


def _taken_out(document: TOMLDocument, key: str) -> bool:
    """Whether the key was in it."""
    *tables, name = key.split(".")
    place: object = document
    for table in tables:
        place = place.get(table) if isinstance(place, MutableMapping) else None
    if not isinstance(place, MutableMapping) or name not in place or isinstance(place[name], MutableMapping):
        return False
    del place[name]
    if len(tables) == 1 and not document[tables[0]] and not document[tables[0]].as_string().strip():
        del document[tables[0]]  # a table of which nothing is left, not even a comment
    return True


def _unset(arguments: Namespace) -> int:
    from aftermind.cli.config import config_file
    from aftermind.cli.settings import key_of
    from aftermind.cli.terminal.tables import say, show_json

    path, document = config_file(), _document()
    if _taken_out(document, arguments.key):  # also a key that does not exist: this is how it is taken out
        _write(path, document)
        said = f"{arguments.key} is not in {path} any more."
    else:
        key_of(arguments.key)
        said = f"{arguments.key} is not in {path}."
    show_json({"unset": arguments.key, "path": str(path)}) if arguments.json else say(said)
    return 0


def _path(arguments: Namespace) -> int:
    from aftermind.cli.config import config_file
    from aftermind.cli.terminal.tables import show_json, show_text

    path = str(config_file())
    show_json({"path": path}) if arguments.json else show_text(path)
    return 0


def _document() -> TOMLDocument:
    """The file as it is written, comments and all; a new one where there is none."""
    import tomlkit

    from aftermind.cli.config import config_file
    from aftermind.cli.settings import parsed

    path = config_file()
    parsed(path)  # refuses what is not TOML, with the line
    return tomlkit.parse(path.read_bytes().decode("utf-8-sig") if path.exists() else HEADER)


def _write(path: Path, document: TOMLDocument) -> None:
    """All of it or nothing: written beside, then put in place. Readable by its owner alone."""
    import os
    from tempfile import mkstemp

    import tomlkit

    from aftermind.cli.settings import Misconfigured

    path = path.resolve()  # a link stays a link
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)  # made with mode 0600
        beside = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
                file.write(tomlkit.dumps(document))
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise Misconfigured(
            f"{path} cannot be written: {error.strerror}", hint="AFTERMIND_CONFIG names another"
        ) from error
