"""Codex CLI: hooks in `hooks.json`, the MCP server in `config.toml`, and a section of `AGENTS.md`: its hooks run only
after the user has looked at them and trusts them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aftermind.cli.clients.client import SERVER, Client, File, Setting, grouped, hooks, joined
from aftermind.cli.clients.hooks import Hook
from aftermind.cli.clients.rules import rules
from aftermind.cli.editing.text import Json

NAME: Final = "codex"


def traces(setting: Setting) -> tuple[Path, ...]:
    return (setting.folder("CODEX_HOME", ".codex"),)


def files(setting: Setting) -> tuple[File, ...]:
    own = setting.folder("CODEX_HOME", ".codex")
    folder = own if setting.project is None else setting.project / ".codex"
    server = setting.entry(("mcp_servers", SERVER), setting.server(NAME))
    rule = (own if setting.project is None else setting.project) / "AGENTS.md"
    return (
        File(path=folder / "hooks.json", form="json", about="hooks", wants=hooks(setting, NAME, _hook)),
        File(path=folder / "config.toml", form="toml", about="MCP server", wants=(server,)),
        File(path=rule, form="text", about="rule", wants=(rules(),)),
    )


def _hook(hook: Hook, words: list[str]) -> Json:
    return grouped({"type": "command", "command": joined(words), "timeout": hook.seconds})


CLIENT = Client(
    name=NAME,
    title="Codex CLI",
    programs=("codex",),
    traces=traces,
    files=files,
    switches=(
        (("features", "hooks"), False),
        (("features", "codex_hooks"), False),
        (("mcp_servers", SERVER, "enabled"), False),
    ),
    next="start Codex and trust the hooks: `/hooks` shows them (in a project, trust its .codex folder first)",
)
