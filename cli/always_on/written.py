"""What the system is told, as it is written. Pure.

The unit and whoever starts a daemon by need start the same program on the same store, and the store's lock lets one of
them live; `ALWAYS` has that one be the system's.
"""

from __future__ import annotations

import plistlib
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from aftermind.engine.errors import AftermindError

ALWAYS = "--always"
"""Said to a daemon that takes the place of one that ends when it is idle."""
MARK = "Made by `aftermind service install`; `aftermind service remove` takes it away."
AGAIN = 5
"""Seconds after a failure."""
FAILURES = 5
"""In `FAILURES_WITHIN` seconds, after which the system gives up until somebody starts it."""
FAILURES_WITHIN = 300
ENDS_WITHIN = 90
"""Seconds in which the daemon gives its last answers."""


class Unwritable(AftermindError):
    """A name that the system's own files cannot hold."""

    status = 2

    def __init__(self, what: str) -> None:
        self.hint = "use a folder with a plainer name"
        super().__init__(what)


class Daemon(Struct, frozen=True, kw_only=True):
    """What is started. `config` is the configuration's file, where the environment names another than the usual one."""

    python: str
    store: Path
    config: str = ""
    usual: bool
    """Whether it is the store of who names none."""

    @property
    def name(self) -> str:
        """One a store: the usual one's is the plain one."""
        return "aftermind" if self.usual else f"aftermind-{sha256(str(self.store).encode()).hexdigest()[:8]}"

    @property
    def as_written(self) -> bool:
        """Whether systemd (244 and later) is to take no `$` for a variable: in a program's path none can be doubled."""
        return "$" in self.python

    @property
    def words(self) -> list[str]:
        return [self.python, "-I", "-m", "aftermind.cli.daemon", str(self.store), ALWAYS]


def unit(daemon: Daemon) -> str:
    """For systemd. `Unwritable` for a name with a line's end in it."""
    if not {*"'\"\\"}.isdisjoint(daemon.python):
        raise Unwritable(f"systemd starts no program whose path has a quote or a backslash: {daemon.python}")
    words = " ".join(_quoted(word, command=not daemon.as_written) for word in daemon.words)
    environment = f"Environment={_quoted(f'AFTERMIND_CONFIG={daemon.config}')}\n" if daemon.config else ""
    return (
        f"# {MARK}\n"
        "[Unit]\n"
        f"Description=Aftermind, memory for coding assistants ({_plain(str(daemon.store))})\n"
        f"StartLimitIntervalSec={FAILURES_WITHIN}\n"
        f"StartLimitBurst={FAILURES}\n"
        "\n"
        "[Service]\n"
        "Type=exec\n"
        f"ExecStart={':' if daemon.as_written else ''}{words}\n"
        f"{environment}"
        "Restart=on-failure\n"
        f"RestartSec={AGAIN}\n"
        "KillMode=mixed\n"
        f"TimeoutStopSec={ENDS_WITHIN}\n"
        "UMask=0077\n"
        "NoNewPrivileges=yes\n"
        "\n"
        "[Install]\n"
        "WantedBy=default.target\n"
    )


def agent(daemon: Daemon) -> bytes:
    """For launchd, as a property list."""
    said: dict[str, object] = {
        "Label": daemon.name,
        "ProgramArguments": daemon.words,
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": AGAIN,
        "ExitTimeOut": ENDS_WITHIN,
        "ProcessType": "Background",
        "Umask": 0o077,
        "StandardOutPath": str(daemon.store / "logs" / "daemon.out"),
        "StandardErrorPath": str(daemon.store / "logs" / "daemon.out"),
    }
    if daemon.config:
        said["EnvironmentVariables"] = {"AFTERMIND_CONFIG": daemon.config}
    return plistlib.dumps(said).replace(b"<plist ", f"<!-- {MARK} -->\n<plist ".encode(), 1)


def _plain(text: str) -> str:
    """A name in a line that is read by people. `%` stands for things there."""
    if any(ord(letter) < 32 or 0xD800 <= ord(letter) < 0xE000 for letter in text):
        raise Unwritable(f"{text!r} cannot be written into a unit")
    return text.replace("%", "%%")


def _quoted(text: str, *, command: bool = False) -> str:
    """One word. In a command line `$` stands for variables, too."""
    said = _plain(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{said.replace("$", "$$") if command else said}"'
