"""OpenCode: the plugin and the MCP server, both in its one configuration.

It merges several files; a list is said in one of them, so the plugin goes where a list of plugins is already, else
into the last one that is there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aftermind.cli.clients import opencode_dependencies
from aftermind.cli.clients.client import PLUGIN, SERVER, Client, File, Setting
from aftermind.cli.doors import BIN
from aftermind.cli.editing import jsonc
from aftermind.cli.editing.text import NotParsed
from aftermind.cli.editing.wanted import Element, Given, Want

NAME: Final = "opencode"
SCHEMA = "https://opencode.ai/config.json"
_NAMES = ("opencode.json", "opencode.jsonc")


def traces(setting: Setting) -> tuple[Path, ...]:
    return (_folder(setting),)


def files(setting: Setting) -> tuple[File, ...]:
    url = (setting.store / BIN / PLUGIN).as_uri()
    wants: list[Want] = [
        Given(at=("$schema",), value=SCHEMA),
        Element(of=("plugin",), value=url, mark=url, kin=r"/bin/opencode\.js$"),
        setting.entry(("mcp", SERVER), {"type": "local", "command": setting.pipe(NAME), "enabled": True}),
    ]
    path = configuration(setting)
    if path.exists():
        wants = wants[1:]  # OpenCode puts it in itself, where it wants it
    edited = File(path=path, form="json", about="plugin, MCP server", wants=tuple(wants))
    return (edited, *opencode_dependencies.files(setting))


def configuration(setting: Setting) -> Path:
    """The one of its files that is edited."""
    if setting.project is None and (named := setting.variables.get("OPENCODE_CONFIG")) is not None:
        return named
    there = [path for path in _candidates(setting) if path.exists()]
    with_plugins = [path for path in there if _has_plugins(path)]
    return [_candidates(setting)[0], *there, *with_plugins][-1]


def _candidates(setting: Setting) -> list[Path]:
    """Those it reads, the later ones over the earlier; a new one is called as the first."""
    if setting.project is None:
        return [_folder(setting) / name for name in (*_NAMES[:1], "config.json", *_NAMES)]
    folders = (setting.project, setting.project / ".opencode")
    return [folder / name for folder in folders for name in _NAMES]


def _has_plugins(path: Path) -> bool:
    try:
        return jsonc.has(path.read_text(encoding="utf-8-sig"), ("plugin",))
    except (OSError, UnicodeDecodeError, NotParsed):
        return False


def _folder(setting: Setting) -> Path:
    return setting.folder("XDG_CONFIG_HOME", ".config") / "opencode"


CLIENT = Client(
    name=NAME,
    title="OpenCode",
    programs=("opencode",),
    traces=traces,
    files=files,
    switches=((("mcp", SERVER, "enabled"), False),),
    next="restart OpenCode",
    says=opencode_dependencies.says,
)
