"""Configurations as people have them, and a home to put them in: what `init` may never harm."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent / "golden" / "configs"
PLACES = {
    ("claude-code", "settings.json"): ".claude/settings.json",
    ("claude-code", "claude.json"): ".claude.json",
    ("opencode", "opencode.json"): ".config/opencode/opencode.json",
    ("opencode", "opencode.jsonc"): ".config/opencode/opencode.jsonc",
    ("cursor", "mcp.json"): ".cursor/mcp.json",
    ("cursor", "hooks.json"): ".cursor/hooks.json",
    ("codex", "config.toml"): ".codex/config.toml",
    ("codex", "hooks.json"): ".codex/hooks.json",
    ("codex", "AGENTS.md"): ".codex/AGENTS.md",
    ("gemini", "settings.json"): ".gemini/settings.json",
    ("vscode", "mcp.json"): ".config/Code/User/mcp.json",
}
"""Where each kind of file lies in a home."""
CLIENTS = ("claude-code", "opencode", "cursor", "codex", "gemini", "vscode")
FLAGS = tuple(f"--{name}" for name in CLIENTS)


def golden() -> list[Path]:
    """Every configuration, by `client/file/what it has in it`."""
    return sorted(path for path in GOLDEN.glob("*/*/*") if path.is_file())


def client_of(config: Path) -> str:
    return config.parts[-3]


def placed(config: Path, home: Path) -> Path:
    """Puts a configuration where its client looks for it."""
    path = home / PLACES[config.parts[-3], config.parts[-2]]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(config.read_bytes())
    return path


def everything(folder: Path) -> Mapping[str, tuple[int, bytes | str]]:
    """Every file, folder and link below it, with its mode and content."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if path.is_symlink():
            found[str(path.relative_to(folder))] = (mode, str(path.readlink()))
        else:
            found[str(path.relative_to(folder))] = (mode, path.read_bytes() if path.is_file() else b"")
    return found


def states(ran: Any) -> dict[str, str]:
    """What became of each file, by its path."""
    return {file["path"]: file["state"] for client in ran.json["clients"] for file in client["files"]}


def holds(path: Path) -> bool:
    """Whether our entries are in it."""
    return b"aftermind" in path.read_bytes() or b"/bin/hook" in path.read_bytes()
