"""VS Code: the MCP server in `mcp.json`, and a rule in a file of instructions. Its hooks cannot put a memory before the
model, and do not tell the answer, so none are set."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from aftermind.cli.clients.client import SERVER, Client, File, Setting
from aftermind.cli.clients.rules import rules
from aftermind.cli.editing.wanted import Entry

NAME: Final = "vscode"
EDITIONS = ("Code", "Code - Insiders", "VSCodium")
_RULE = "aftermind.instructions.md"
_HEAD = "---\ndescription: What was learned in earlier sessions\napplyTo: '**'\n---\n\n"


def traces(setting: Setting) -> tuple[Path, ...]:
    return tuple(_users(setting, edition) for edition in EDITIONS)


def files(setting: Setting) -> tuple[File, ...]:
    server = Entry(at=("servers", SERVER), value={"type": "stdio", **setting.server(NAME)})
    if setting.project is not None:
        places = [(setting.project / ".vscode" / "mcp.json", setting.project / ".github" / "instructions" / _RULE)]
    else:
        there = [folder for folder in traces(setting) if folder.is_dir()] or [traces(setting)[0]]
        places = [(folder / "mcp.json", folder / "prompts" / _RULE) for folder in there]
    return tuple(
        file
        for servers, rule in places
        for file in (
            File(path=servers, form="json", about="MCP server", wants=(server,)),
            File(path=rule, form="text", about="rule", wants=(rules(_HEAD),)),
        )
    )


def _users(setting: Setting, edition: str) -> Path:
    """Where an edition keeps what is the user's."""
    if sys.platform == "darwin":
        return setting.home / "Library" / "Application Support" / edition / "User"
    if sys.platform == "win32":
        return setting.folder("APPDATA", "AppData/Roaming") / edition / "User"
    return setting.folder("XDG_CONFIG_HOME", ".config") / edition / "User"


CLIENT = Client(
    name=NAME,
    title="VS Code",
    programs=("code", "code-insiders", "codium"),
    traces=traces,
    files=files,
    next="reload the window of VS Code and start the server aftermind (it asks whether to trust it)",
)
