"""OpenCode's wait for a package of its own. As soon as there is a plugin, also one that imports nothing, OpenCode
installs `@opencode-ai/plugin` from npm into every folder of its configuration, and its first turn waits for that:
without network some 70 seconds, at every start.

It looks at names alone: where `node_modules` is there and `package-lock.json` names what is asked for, it installs
nothing. So `init` writes these two into a folder of which nothing needs the package, and says so; where something does,
it says what will happen and changes nothing. Is one written that needs it later, our plugin takes them out again. Pure,
but for the looking.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.clients.client import File, Setting
from aftermind.cli.editing.wanted import Given

PACKAGE = "@opencode-ai/plugin"
MARK = "aftermind.json"
"""In `node_modules`: by it we know our own, and that folder is there."""
_WHY = f"Made by `aftermind init`, so that OpenCode does not wait for {PACKAGE}, which nothing here needs."
_CODE = ("plugin", "plugins", "tool", "tools")
_LARGEST = 1024 * 1024
Plan: TypeAlias = Literal["prevent", "announce", "nothing"]


class Found(Struct, frozen=True, kw_only=True):
    """One folder of OpenCode's configuration, as it is."""

    folder: Path
    is_ours: bool = False
    is_named: bool = False
    """`node_modules` is there, and the lock file names the package: OpenCode installs nothing."""
    has_packages: bool = False
    """Somebody installs packages there."""
    is_needed: bool = False
    """Code in it speaks of the package."""


def planned(found: Found) -> Plan:
    """What is to be done about a folder."""
    if found.is_ours and not found.is_needed:
        return "prevent"
    if found.is_named:
        return "nothing"
    return "announce" if found.has_packages or found.is_needed else "prevent"


def files(setting: Setting) -> tuple[File, ...]:
    """The files that keep OpenCode from waiting, where they may be written."""
    return tuple(file for found in _found(setting) if planned(found) == "prevent" for file in _stand_in(found.folder))


def says(setting: Setting) -> tuple[str, ...]:
    """What a user has to know of it."""
    found = _found(setting)
    said = [
        f"OpenCode installs {PACKAGE} into {one.folder} from npm at its next start, and the first turn waits for it; "
        "without network some 70 seconds, at every start. Something there needs it, so nothing was changed about that."
        for one in found
        if planned(one) == "announce"
    ]
    if any(planned(one) == "prevent" for one in found):
        said.append(
            f"OpenCode neither fetches {PACKAGE} from npm nor waits for it, as nothing needs it. In a project with "
            "an `.opencode` folder of its own it still may: `aftermind init --opencode --project` there prevents that."
        )
    return tuple(said)


def _stand_in(folder: Path) -> tuple[File, File]:
    lock = (
        Given(at=("lockfileVersion",), value=3),
        Given(at=("packages",), value={"": {"dependencies": {PACKAGE: "*"}}}),
    )
    return (
        File(
            path=folder / "node_modules" / MARK,
            form="json",
            about="no wait for npm",
            wants=(Given(at=("why",), value=_WHY),),
        ),
        File(path=folder / "package-lock.json", form="json", about="no wait for npm", wants=lock),
    )


def _found(setting: Setting) -> list[Found]:
    return [_looked_at(folder) for folder in _folders(setting)]


def _folders(setting: Setting) -> list[Path]:
    """Where OpenCode installs: for a user its own folder and, if it is there, `~/.opencode`; in a project `.opencode`,
    if it is there."""
    if setting.project is not None:
        return [folder for folder in (setting.project / ".opencode",) if folder.is_dir()]
    own = setting.folder("XDG_CONFIG_HOME", ".config") / "opencode"
    return [own, *(folder for folder in (setting.home / ".opencode",) if folder.is_dir())]


def _looked_at(folder: Path) -> Found:
    modules, lock = folder / "node_modules", folder / "package-lock.json"
    return Found(
        folder=folder,
        is_ours=(modules / MARK).exists(),
        is_named=modules.exists() and _names_it(lock),
        has_packages=any((folder / name).exists() for name in ("package.json", "node_modules", lock.name, "bun.lock")),
        is_needed=any(_speaks_of_it(file) for name in _CODE for file in sorted((folder / name).glob("*.[jt]s"))),
    )


def _names_it(lock: Path) -> bool:
    try:
        return PACKAGE in json.loads(lock.read_bytes())["packages"][""]["dependencies"]
    except (OSError, ValueError, LookupError, TypeError):
        return False


def _speaks_of_it(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return PACKAGE.encode() in opened.read(_LARGEST)
    except OSError:
        return False
