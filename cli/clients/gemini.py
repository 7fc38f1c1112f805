"""Gemini CLI: hooks and the MCP server in one `settings.json`. Its hooks count in milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aftermind.cli.clients.client import SERVER, Client, File, Setting, handler, joined
from aftermind.cli.clients.hooks import HOOKS, Hook
from aftermind.cli.editing.text import Json
from aftermind.cli.editing.wanted import Element, Entry, Want

NAME: Final = "gemini"


def traces(setting: Setting) -> tuple[Path, ...]:
    return (setting.home / ".gemini",)


def files(setting: Setting) -> tuple[File, ...]:
    path = (setting.project or setting.home) / ".gemini" / "settings.json"
    wants: list[Want] = [_hook(setting, hook) for hook in HOOKS[NAME]]
    wants.append(Entry(at=("mcpServers", SERVER), value=setting.server(NAME)))
    return (File(path=path, form="json", about="hooks, MCP server", wants=tuple(wants)),)


def _hook(setting: Setting, hook: Hook) -> Element:
    def value(words: list[str]) -> Json:
        one: dict[str, Json] = {
            "type": "command",
            "name": f"aftermind-{hook.moment}",
            "command": joined(words),
            "timeout": round(hook.seconds * 1000),
        }
        return {"matcher": hook.matcher, "hooks": [one]} if hook.matcher else {"hooks": [one]}

    return handler(setting, NAME, ("hooks", hook.on), hook.moment, value)


CLIENT = Client(
    name=NAME,
    title="Gemini CLI",
    programs=("gemini",),
    traces=traces,
    files=files,
    switches=((("tools", "enableHooks"), False), (("hooksConfig", "enabled"), False)),
    next="restart Gemini CLI",
)
