"""Where the system's file for a store lies, and whether it is there. Cheap: a daemon asks before it ends."""

from __future__ import annotations

import sys
from pathlib import Path

from aftermind.cli.always_on.written import Daemon
from aftermind.cli.config import config_file, default_home, from_environment, of_others

SYSTEMD, LAUNCHD = "systemd", "launchd"


def system() -> str:
    """What starts programs here when somebody logs in; empty where it is neither."""
    return {"linux": SYSTEMD, "darwin": LAUNCHD}.get(sys.platform, "")


def daemon_of(folder: Path) -> Daemon:
    """What is to be started for a store, by this very interpreter."""
    config = str(config_file().absolute()) if from_environment("config") else ""
    return Daemon(python=sys.executable, store=folder, config=config, usual=folder == default_home().absolute())


def file_of(daemon: Daemon, kind: str) -> Path:
    """Where the system reads it."""
    if kind == LAUNCHD:
        return Path.home() / "Library" / "LaunchAgents" / f"{daemon.name}.plist"
    return (of_others("XDG_CONFIG_HOME") or Path.home() / ".config") / "systemd" / "user" / f"{daemon.name}.service"


def is_standing(folder: Path) -> bool:
    """Whether the system is told of this store's daemon."""
    kind = system()
    return bool(kind) and file_of(daemon_of(folder), kind).is_file()
