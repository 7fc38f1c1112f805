"""What assistants kept of earlier sessions on this machine, for who wants to begin with it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from aftermind.cli.clients.client import Name, Setting
from aftermind.cli.importing import opencode

DAYS = 30


class History(Struct, frozen=True, kw_only=True):
    """A source `aftermind import` understands."""

    client: Name
    title: str
    path: Path


def histories(setting: Setting) -> tuple[History, ...]:
    """Those that are there."""
    transcripts = setting.folder("CLAUDE_CONFIG_DIR", ".claude") / "projects"
    of_opencode = opencode.database(setting.folder("XDG_DATA_HOME", opencode.USUAL))
    found = []
    if transcripts.is_dir() and any(transcripts.glob("*/*.jsonl")):
        found.append(History(client="claude-code", title="Claude Code", path=transcripts))
    if of_opencode.is_file():
        found.append(History(client="opencode", title="OpenCode", path=of_opencode))
    return tuple(found)
