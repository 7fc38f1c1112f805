"""Gemini CLI: hooks and the MCP server in one `settings.json`. Its hooks count in milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aftermind.cli.clients.client import SERVER, Client, File, Setting, grouped, hooks, joined
from aftermind.cli.clients.hooks import Hook
from aftermind.cli.editing.text import Json
from aftermind.cli.editing.wanted import Want

NAME: Final = "gemini"


def traces(setting: Setting) -> tuple[Path, ...]:
    return (setting.home / ".gemini",)


def files(setting: Setting) -> tuple[File, ...]:
    path = (setting.project or setting.home) / ".gemini" / "settings.json"
    wants: list[Want] = [*hooks(setting, NAME, _hook)]
    wants.append(setting.entry(("mcpServers", SERVER), setting.server(NAME)))
    return (File(path=path, form="json", about="hooks, MCP server", wants=tuple(wants)),)


def _hook(hook: Hook, words: list[str]) -> Json:
    name, milliseconds = f"aftermind-{hook.moment}", round(hook.seconds * 1000)
    return grouped({"type": "command", "name": name, "command": joined(words), "timeout": milliseconds})


CLIENT = Client(
    name=NAME,
    title="Gemini CLI",
    programs=("gemini",),
    traces=traces,
    files=files,
    switches=((("tools", "enableHooks"), False), (("hooksConfig", "enabled"), False)),
    next="restart Gemini CLI",
)
