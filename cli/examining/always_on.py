"""Whether the system that was told to keep the daemon there does so, and starts this version of it."""

from __future__ import annotations

from pathlib import Path

from aftermind.cli.always_on.installing import installation, standing
from aftermind.cli.always_on.standing import system
from aftermind.cli.examining.finding import Finding, Values, note, ok, warning

NAME = "service"


def service_found(folder: Path) -> Finding | None:
    """None where the system was not told of this store."""
    if not system():
        return None
    found, plan = standing(folder), installation(folder)
    if not found.installed:
        return None
    values: Values = {"file": found.file, "ours": found.is_ours, "active": found.active, "pid": found.pid or None}
    if not found.is_ours:
        return note(NAME, f"{found.file} is somebody else's", values)
    if plan.file.read_bytes() != plan.content:
        told = f"{found.file} starts another installation, or with another configuration"
        return warning(NAME, told, values, mend="`aftermind service install` writes it anew")
    if found.trouble:
        return warning(
            NAME, f"{found.kind} does not say how it is: {found.trouble}", values, mend="log in, and look again"
        )
    if not found.active:
        return note(NAME, f"{found.kind} does not run it now", values, "`aftermind start` has it do so")
    return ok(NAME, f"{found.kind} runs it as process {found.pid}", values)
