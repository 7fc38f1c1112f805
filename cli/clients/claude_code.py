"""Claude Code: hooks in `settings.json`, the MCP server in `.claude.json`.

In a project both are the user's own there (`settings.local.json`, and the project's entry of `.claude.json`): what
they say is a path of this machine, which is nothing to commit.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aftermind.cli.clients.client import SERVER, Client, File, Setting, grouped, hooks
from aftermind.cli.clients.hooks import Hook
from aftermind.cli.editing.text import Json, Keys

NAME: Final = "claude-code"


def traces(setting: Setting) -> tuple[Path, ...]:
    return _folder(setting), _state(setting)


def files(setting: Setting) -> tuple[File, ...]:
    place: Keys
    if setting.project is None:
        settings, place = _folder(setting) / "settings.json", ("mcpServers", SERVER)
    else:
        settings = setting.project / ".claude" / "settings.local.json"
        place = ("projects", str(setting.project), "mcpServers", SERVER)
    server = setting.entry(place, {"type": "stdio", **setting.server(NAME)})
    return (
        File(path=settings, form="json", about="hooks", wants=hooks(setting, NAME, group)),
        File(path=_state(setting), form="json", about="MCP server", wants=(server,)),
    )


def group(hook: Hook, words: list[str]) -> Json:
    """A hook as its settings, and its plugins, hold it."""
    program, *rest = words
    return grouped({"type": "command", "command": program, "args": rest, "timeout": hook.seconds})


def _folder(setting: Setting) -> Path:
    return setting.folder("CLAUDE_CONFIG_DIR", ".claude")


def _state(setting: Setting) -> Path:
    moved = setting.variables.get("CLAUDE_CONFIG_DIR")
    return (moved or setting.home) / ".claude.json"


CLIENT = Client(
    name=NAME,
    title="Claude Code",
    programs=("claude",),
    traces=traces,
    files=files,
    switches=((("disableAllHooks",), True),),
    next="start a new session of Claude Code",
)
