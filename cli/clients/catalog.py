"""All assistants: a tuple a person can read."""

from __future__ import annotations

from shutil import which

from aftermind.cli.clients import claude_code, codex, cursor, gemini, opencode, vscode
from aftermind.cli.clients.client import Client, Setting

ALL: tuple[Client, ...] = (
    claude_code.CLIENT,
    opencode.CLIENT,
    cursor.CLIENT,
    codex.CLIENT,
    gemini.CLIENT,
    vscode.CLIENT,
)


def found(client: Client, setting: Setting) -> str:
    """By what it shows that it is installed; empty where nothing does."""
    for program in client.programs:
        if (path := which(program)) is not None:
            return path
    return next((str(path) for path in client.traces(setting) if path.exists()), "")
