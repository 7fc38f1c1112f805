"""Tells the system of a store's daemon, and takes that back: the file, and the system's own commands that read it.

Guarantee: where one of them fails, the file is as it was. A file of that name that is not ours is left alone.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from aftermind.cli.always_on.standing import LAUNCHD, SYSTEMD, daemon_of, file_of, system
from aftermind.cli.always_on.written import MARK, Daemon, agent, unit
from aftermind.engine.errors import AftermindError

PATIENCE = 120.0
"""Seconds for one of the system's commands: it waits for the daemon to end."""
_USER = ("systemctl", "--user")


class NotTold(AftermindError):
    """The system could not be told."""

    status = 5

    def __init__(self, what: str, *, hint: str) -> None:
        self.hint = hint
        super().__init__(what)


class NotOurs(NotTold):
    """Somebody else wrote the file of that name."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"{file} is not ours", hint="take it away, or move it, and try again")


class Plan(Struct, frozen=True, kw_only=True):
    """What installing or removing does, in its order."""

    daemon: Daemon
    kind: str
    file: Path
    content: bytes
    """What the file holds when it is installed."""
    commands: tuple[tuple[str, ...], ...]


class Standing(Struct, frozen=True, kw_only=True):
    """How the system says it is."""

    kind: str
    file: str
    installed: bool
    is_ours: bool
    enabled: bool = False
    active: bool = False
    pid: int = 0
    trouble: str = ""


def installation(folder: Path, kind: str | None = None) -> Plan:
    """`NotTold` where there is neither systemd nor launchd."""
    daemon, kind, file, content = _file(folder, kind)
    if kind == LAUNCHD:
        return Plan(daemon=daemon, kind=kind, file=file, content=content, commands=(
            ("launchctl", "bootstrap", _domain(), str(file)),
        ))  # fmt: skip
    name = file.name
    return Plan(daemon=daemon, kind=kind, file=file, content=content, commands=(
        (*_USER, "daemon-reload"), (*_USER, "enable", name), (*_USER, "restart", name),
    ))  # fmt: skip


def removal(folder: Path, kind: str | None = None) -> Plan:
    """`NotTold` where there is neither systemd nor launchd."""
    daemon, kind, file, content = _file(folder, kind)
    commands: tuple[tuple[str, ...], ...] = ((*_USER, "disable", "--now", file.name),)
    if kind == LAUNCHD:
        commands = (("launchctl", "bootout", f"{_domain()}/{daemon.name}"),)
    return Plan(daemon=daemon, kind=kind, file=file, content=content, commands=commands)


def install(plan: Plan) -> bool:
    """Whether anything was changed. `NotTold` where the system does not take it; then nothing is."""
    before = _ours(plan.file)
    if before == plan.content and _state(plan).active:
        return False
    if plan.kind == LAUNCHD and before is not None:  # what is loaded already is not read again
        _run(removal(plan.daemon.store, plan.kind).commands[0], must=False)
    _write(plan.file, plan.content)
    try:
        for command in plan.commands:
            _run(command)
    except NotTold:
        if before is None:
            _take_away(plan)
        else:
            _write(plan.file, before)
        raise
    return True


def start(folder: Path) -> None:
    """`NotTold` where the system does not."""
    plan = installation(folder)
    if plan.kind == LAUNCHD:
        _run(("launchctl", "kickstart", f"{_domain()}/{plan.daemon.name}"))
    else:
        _run((*_USER, "start", plan.file.name))


def remove(plan: Plan) -> bool:
    """Whether there was anything. The daemon ends when it has answered what it accepted."""
    if _ours(plan.file) is None:
        return False
    for command in plan.commands:
        _run(command, must=False)  # a system that is not there has nothing loaded
    _take_away(plan)
    return True


def standing(folder: Path) -> Standing:
    kind = system()
    if not kind:
        return Standing(kind="", file="", installed=False, is_ours=False)
    return _state(installation(folder, kind))


def _state(plan: Plan) -> Standing:
    try:
        ours = _ours(plan.file) is not None
    except NotOurs:
        return Standing(kind=plan.kind, file=str(plan.file), installed=True, is_ours=False)
    found = Standing(kind=plan.kind, file=str(plan.file), installed=ours, is_ours=ours)
    if not ours:
        return found
    if plan.kind == LAUNCHD:
        status, said = _run(("launchctl", "print", f"{_domain()}/{plan.daemon.name}"), must=False)
        facts = dict(line.strip().partition(" = ")[::2] for line in said.splitlines() if " = " in line)
        active = status == 0 and facts.get("state") == "running"
        pid, enabled, trouble = facts.get("pid", "0"), status == 0, "" if status == 0 else said.strip()
    else:
        asked = (*_USER, "show", plan.file.name, "--property=ActiveState,MainPID,UnitFileState")
        status, said = _run(asked, must=False)
        facts = dict(line.partition("=")[::2] for line in said.splitlines())
        active, enabled = facts.get("ActiveState") == "active", facts.get("UnitFileState") == "enabled"
        pid, trouble = facts.get("MainPID", "0"), "" if status == 0 else said.strip()
    return Standing(
        kind=plan.kind,
        file=str(plan.file),
        installed=True,
        is_ours=True,
        enabled=enabled,
        active=active,
        pid=int(pid) if pid.isdecimal() else 0,
        trouble=trouble,
    )


def _file(folder: Path, kind: str | None) -> tuple[Daemon, str, Path, bytes]:
    kind = system() if kind is None else kind
    if kind not in (SYSTEMD, LAUNCHD):
        hint = "a daemon starts with the first request anyway; or have `aftermind start` run when you log in"
        raise NotTold("this system has neither systemd nor launchd", hint=hint)
    daemon = daemon_of(folder)
    return daemon, kind, file_of(daemon, kind), agent(daemon) if kind == LAUNCHD else unit(daemon).encode()


def _domain() -> str:
    return f"gui/{os.getuid()}"


def _ours(file: Path) -> bytes | None:
    """What is in it; None where it is not there. `NotOurs` where somebody else wrote it."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotTold(f"{file} cannot be read: {error.strerror}", hint="see that it is a file of yours") from error
    if MARK.encode() not in content:
        raise NotOurs(file)
    return content


def _write(file: Path, content: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        beside.write_bytes(content)
        beside.chmod(0o644)  # it holds no secret
        beside.replace(file)
    except OSError as error:
        raise NotTold(f"{file} cannot be written: {error.strerror}", hint="see that its folder is yours") from error


def _take_away(plan: Plan) -> None:
    """The file, the link that `enable` made of it, and folders that are empty then."""
    plan.file.unlink(missing_ok=True)
    wanted = plan.file.parent / "default.target.wants"
    if plan.kind == SYSTEMD:
        (wanted / plan.file.name).unlink(missing_ok=True)
        _run((*_USER, "daemon-reload"), must=False)
        _run((*_USER, "reset-failed", plan.file.name), must=False)
        with suppress(OSError):  # somebody else has something there
            for folder in (wanted, plan.file.parent, plan.file.parent.parent):
                if folder.exists():
                    folder.rmdir()


def _run(command: Sequence[str], *, must: bool = True) -> tuple[int, str]:
    """How a command of the system's ended, and what it said. `NotTold` where it `must` do it and did not."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL)  # noqa: S603 - its words are ours
        status, said = done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    except FileNotFoundError:
        status, said = 127, f"there is no {command[0]} here"
    except subprocess.TimeoutExpired:
        status, said = 124, f"it did not end within {PATIENCE:g} seconds"
    if must and status != 0:
        hint = "nothing was changed; where you are not logged in on the machine itself, `loginctl enable-linger` first"
        raise NotTold(f"`{' '.join(command)}` failed: {said or status}", hint=hint)
    return status, said
