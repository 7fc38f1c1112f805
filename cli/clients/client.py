"""What an assistant is to `init`, `uninstall` and `doctor`: a place to look at, and files with what has to stand in
them, as data. Everything but `setting` and the looking is pure."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.clients.hooks import GATES, PATIENCE, Hook, hooks_of
from aftermind.cli.config import of_others
from aftermind.cli.doors import BIN, command
from aftermind.cli.editing.text import Json, Keys
from aftermind.cli.editing.wanted import Element, Entry, Form, Want

Name: TypeAlias = Literal["claude-code", "opencode", "cursor", "codex", "gemini", "vscode"]
SERVER = "aftermind"
"""What the MCP server is called; clients name its tools after it."""
PIPE, PLUGIN = "pipe.py", "opencode.js"


class Setting(Struct, frozen=True, kw_only=True):
    """Where `init` works: for one store, at the level of the user, or of one project."""

    store: Path
    home: Path
    project: Path | None = None
    variables: Mapping[str, Path] = {}
    """Where the user's environment says that clients keep their configuration."""
    gate: bool = False
    """Whether an assistant is asked for checkpoints before it uses tools."""

    def folder(self, variable: str, usual: str) -> Path:
        """A client's folder at the user's level."""
        return self.variables.get(variable) or self.home / usual

    def hook(self, client: Name, moment: str) -> list[str]:
        """The words a hook runs."""
        gates = any(hook.moment == moment for hook in GATES.get(client, ()))
        return [*command(self.store), client, moment, *([PATIENCE] if gates else ())]

    def pipe(self, client: Name) -> list[str]:
        """The words of the MCP server."""
        door = str(self.store / BIN / PIPE)
        return [sys.executable, "-I", "-S", door, "--home", str(self.store), "--client", client]

    def entry(self, at: Keys, value: Mapping[str, Json]) -> Entry:
        """The MCP server, at its place in a client's file."""
        return Entry(at=at, value=value, mark=shlex.quote(str(self.store / BIN / PIPE)), kin=_SERVERS)

    def server(self, client: Name) -> dict[str, Json]:
        """The MCP server as most clients want it said."""
        program, *words = self.pipe(client)
        return {"command": program, "args": words}


class File(Struct, frozen=True, kw_only=True):
    """One file of a client's, and what has to stand in it."""

    path: Path
    form: Form
    about: str
    wants: tuple[Want, ...]


class Client(Struct, frozen=True, kw_only=True):
    """One assistant. `files` says what its configuration needs; an empty tuple is nothing at that level."""

    name: Name
    title: str
    programs: tuple[str, ...]
    """Commands by which it is found."""
    traces: Callable[[Setting], tuple[Path, ...]]
    """Folders and files by which it is found."""
    files: Callable[[Setting], tuple[File, ...]]
    next: str
    """What the user does for it to take effect."""
    switches: tuple[tuple[Keys, bool], ...] = ()
    """What in its files switches hooks or servers off, and by which value."""
    says: Callable[[Setting], tuple[str, ...]] = lambda _: ()
    """What else a user has to know."""


VARIABLES = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG", "APPDATA")


def setting(store: Path, project: Path | None = None) -> Setting:
    """As the environment of this process says."""
    from aftermind.cli.settings import configuration

    said = {name: folder for name in VARIABLES if (folder := of_others(name)) is not None}
    gate = configuration().gate
    wanted = bool(gate.remind_after or gate.hold_after or gate.rules)
    return Setting(store=store, home=Path.home(), project=project, variables=said, gate=wanted)


def hooks(setting: Setting, client: Name, said: Callable[[Hook, list[str]], Json]) -> tuple[Element, ...]:
    """A client's hooks, each in the list of its event and found again by the file it runs. `said` makes of its words
    what the client wants."""
    return tuple(
        Element(
            of=("hooks", hook.on),
            value=said(hook, setting.hook(client, hook.moment)),
            mark=_mark(setting, client),
            kin=_KIN.format(client=client),
        )
        for hook in hooks_of(client, gate=setting.gate)
    )


def grouped(one: dict[str, Json]) -> Json:
    """As clients want a hook that keep them in groups."""
    return {"hooks": [one]}


_KIN = r"[/\\]bin[/\\]hook(?:\.py)?\b.* {client} [a-z]+\b"
"""Any store's hook, as `command` and `args` say it, quoted or not."""


_SERVERS = r"[/\\]bin[/\\]pipe\.py\b"
"""Any store's MCP server, in what an entry runs."""


def _mark(setting: Setting, client: Name) -> str:
    """What is in the words of this store's hooks for that client, however they are written: a path as it is, or
    quoted for a shell. Both end with the client's name, so that one pattern of text does for all moments."""
    return f"{shlex.join(command(setting.store))} {client} "


def joined(words: list[str]) -> str:
    """As a client wants it that runs a line of a shell."""
    return shlex.join(words)
