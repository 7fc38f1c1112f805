"""VS Code: the MCP server in `mcp.json`, hooks in a file of their own, and a rule in a file of instructions: only at a
session's start do its hooks put something before the model, and none tells it the answer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from aftermind.cli.clients.client import SERVER, Client, File, Setting, hooks, joined
from aftermind.cli.clients.hooks import Hook
from aftermind.cli.clients.rules import rules
from aftermind.cli.editing.text import Json
from aftermind.cli.editing.wanted import Given

NAME: Final = "vscode"
EDITIONS = ("Code", "Code - Insiders", "VSCodium")
_RULE = "aftermind.instructions.md"
_HEAD = "---\ndescription: What was learned in earlier sessions\napplyTo: '**'\n---\n\n"


def traces(setting: Setting) -> tuple[Path, ...]:
    return tuple(_users(setting, edition) for edition in EDITIONS)


def files(setting: Setting) -> tuple[File, ...]:
    server = setting.entry(("servers", SERVER), {"type": "stdio", **setting.server(NAME)})
    if setting.project is not None:
        places = [(setting.project / ".vscode" / "mcp.json", setting.project / ".github" / "instructions" / _RULE)]
    else:
        there = [folder for folder in traces(setting) if folder.is_dir()] or [traces(setting)[0]]
        places = [(folder / "mcp.json", folder / "prompts" / _RULE) for folder in there]
    found = tuple(
        file
        for servers, rule in places
        for file in (
            File(path=servers, form="json", about="MCP server", wants=(server,)),
            File(path=rule, form="text", about="rule", wants=(rules(_HEAD),)),
        )
    )
    version = Given(at=("version",), value=1)  # for Copilot's own command line, which reads the folder, too
    folder = setting.home / ".copilot" if setting.project is None else setting.project / ".github"
    path = folder / "hooks" / "aftermind.json"
    return (*found, File(path=path, form="json", about="hooks", wants=(version, *hooks(setting, NAME, _hook))))


def _hook(hook: Hook, words: list[str]) -> Json:
    return {"type": "command", "command": joined(words), "timeout": hook.seconds}


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
