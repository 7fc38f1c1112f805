"""Cursor: hooks in `hooks.json`, the MCP server in `mcp.json`, and in a project a rule: only at a session's start does
Cursor take a hook's context for certain. Rules of the user's level are kept in its settings, not in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aftermind.cli.clients.client import SERVER, Client, File, Setting, hooks, joined
from aftermind.cli.clients.hooks import Hook
from aftermind.cli.clients.rules import rules
from aftermind.cli.editing.text import Json
from aftermind.cli.editing.wanted import Given

NAME: Final = "cursor"
_HEAD = "---\ndescription: What was learned in earlier sessions\nalwaysApply: true\n---\n\n"


def traces(setting: Setting) -> tuple[Path, ...]:
    return (setting.home / ".cursor",)


def files(setting: Setting) -> tuple[File, ...]:
    folder = (setting.project or setting.home) / ".cursor"
    version = Given(at=("version",), value=1)
    server = setting.entry(("mcpServers", SERVER), setting.server(NAME))
    found = (
        File(path=folder / "hooks.json", form="json", about="hooks", wants=(version, *hooks(setting, NAME, _hook))),
        File(path=folder / "mcp.json", form="json", about="MCP server", wants=(server,)),
    )
    if setting.project is None:
        return found
    rule = folder / "rules" / "aftermind.mdc"
    return (*found, File(path=rule, form="text", about="rule", wants=(rules(_HEAD),)))


def _hook(hook: Hook, words: list[str]) -> Json:
    return {"command": joined(words), "timeout": hook.seconds}


CLIENT = Client(
    name=NAME,
    title="Cursor",
    programs=("cursor", "cursor-agent"),
    traces=traces,
    files=files,
    next="restart Cursor; it asks once whether to allow the MCP server",
)
