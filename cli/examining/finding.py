"""What was found: one `Finding` for each thing that was looked at, and how bad the worst of them is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from aftermind.cli.terminal.this_store import of_this_store

Level: TypeAlias = Literal["ok", "note", "warning", "fault"]
"""`note` is worth knowing; a `warning` will hurt; with a `fault` something does not work now."""
LEVELS: tuple[Level, ...] = get_args(Level)
Values: TypeAlias = Mapping[str, str | int | float | bool | list[str] | None]
_NONE: Values = {}


class Finding(Struct, frozen=True):
    """`found` is a sentence for people, `values` the same for programs, `mend` the next step."""

    looked_at: str
    level: Level
    found: str
    values: Values
    mend: str = ""


def ok(looked_at: str, found: str, values: Values = _NONE) -> Finding:
    return Finding(looked_at, "ok", of_this_store(found), values)


def note(looked_at: str, found: str, values: Values = _NONE, mend: str = "") -> Finding:
    return Finding(looked_at, "note", of_this_store(found), values, of_this_store(mend))


def warning(looked_at: str, found: str, values: Values = _NONE, *, mend: str) -> Finding:
    return Finding(looked_at, "warning", of_this_store(found), values, of_this_store(mend))


def fault(looked_at: str, found: str, values: Values = _NONE, *, mend: str) -> Finding:
    return Finding(looked_at, "fault", of_this_store(found), values, of_this_store(mend))


def worst(findings: Sequence[Finding]) -> Level:
    return max((one.level for one in findings), key=LEVELS.index, default="ok")


class Surviving:
    """Whatever breaks inside becomes a finding of its own, by its name: one thing that cannot be examined must not
    hide the others."""

    def __init__(self, findings: list[Finding], looked_at: str) -> None:
        self._findings, self._looked_at = findings, looked_at

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> bool:
        if not isinstance(error, Exception):  # nothing, or somebody wants this program to end
            return False
        place = ""
        while trace is not None:
            place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
            trace = trace.tb_next
        found = f"it could not be examined: {type(error).__name__}: {error} ({place})"
        mend = "see that you may read it; if you may, please report this line"
        self._findings.append(fault(self._looked_at, found, {"error": type(error).__name__}, mend=mend))
        return True
