"""What stands around the store: the configuration, what was logged, the model, the clients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from aftermind.cli.config import config_file, default_home, from_environment
from aftermind.cli.doors import BIN, copies, is_copied
from aftermind.cli.examining.finding import Finding, Values, fault, note, ok, warning
from aftermind.cli.logbook import FILE, KEPT, LOGS
from aftermind.cli.reaching.starting import OUTPUT
from aftermind.cli.settings import Misconfigured, parsed, settings
from aftermind.cli.terminal.tables import counted
from aftermind.engine.errors import DiskFailed, DiskFull, LogDamaged, StoreUnusable

LATELY = timedelta(days=1)
KINDS = 5
"""Kinds of failures that are named to a person; a program gets all of them."""
LAST_WORDS = 4096
"""Bytes of the end of a daemon's own output."""
OF_THE_DISK = {form.__name__ for form in (DiskFull, DiskFailed, LogDamaged, StoreUnusable)}
"""Failures that are nobody's mistake and concern everybody; the others are refusals somebody was told of."""


def configuration_found() -> tuple[Finding, Path]:
    """Whether it can be read, and where the store is by it; where it cannot, by what can be read of it."""
    path = config_file()
    values: Values = {"path": str(path), "exists": path.exists()}
    try:
        found = settings()
    except Misconfigured as error:
        return fault("configuration", str(error), values, mend=error.hint), _home_in(path)
    said = Counter(setting.source for setting in found)
    values = {**values, "file": said["file"], "environment": said["environment"]}
    home = next(Path(str(setting.value)) for setting in found if setting.key == "home")
    told = f"{counted(said['file'], 'key')} in {path}" if path.exists() else f"all defaults; there is no {path}"
    if said["environment"]:
        told += f", {said['environment']} in the environment"
    return ok("configuration", told, values), home


def _home_in(path: Path) -> Path:
    if named := from_environment("home"):
        return Path(named)
    try:
        home = parsed(path).get("home")
    except Misconfigured:
        home = None
    return Path(home) if isinstance(home, str) and home.strip() else default_home()


def logs_found(folder: Path, now: datetime) -> Finding:
    """What failed or broke in the last day."""
    broke, failed = failures(_lines(folder / LOGS), now - LATELY)
    values: Values = {
        "broke": broke.total(),
        "failed": failed.total(),
        "kinds": sorted(f"{kind} {count}" for kind, count in (broke + failed).items()),
    }
    if not broke and not failed:
        return ok("logs", "nothing failed in the last day", values)
    found = f"in the last day {broke.total():,} broke, {failed.total():,} failed or were refused"
    told = (broke + failed).most_common(KINDS)
    others = (broke + failed).total() - sum(count for _, count in told)
    kinds = ", ".join([*(f"{kind} {count:,}" for kind, count in told), *([f"others {others:,}"] if others else [])])
    if broke or OF_THE_DISK & failed.keys():
        return warning("logs", f"{found}: {kinds}", values, mend="`aftermind logs` shows them")
    return note("logs", f"{found}: {kinds}", values, "`aftermind logs` shows them")


def failures(lines: Iterable[bytes], since: datetime) -> tuple[Counter[str], Counter[str]]:
    """What broke and what failed since then, by kind. A line that cannot be read says nothing."""
    broke: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for line in lines:
        facts = _facts(line)
        if not _is_later(facts.get("at"), since):
            continue
        if facts.get("event") == "conversation-broke":
            broke["conversation-broke"] += 1
        elif isinstance(kind := facts.get("broke"), str):
            broke[kind] += 1
        elif isinstance(kind := facts.get("failed"), str):
            failed[kind] += 1
    return broke, failed


def _facts(line: bytes) -> Mapping[str, Any]:
    if b'"failed"' not in line and b"broke" not in line:
        return {}
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _is_later(at: object, since: datetime) -> bool:
    try:
        return datetime.fromisoformat(str(at)) >= since
    except (ValueError, TypeError):
        return False


def _lines(logs: Path) -> Iterable[bytes]:
    for name in (*(f"{FILE}.{number}" for number in range(KEPT, 0, -1)), FILE):
        if (logs / name).is_file():
            yield from (logs / name).read_bytes().splitlines()


def output_found(folder: Path, *, daemon: bool) -> Finding:
    """What the last daemon printed, which is nothing while all is well."""
    path = folder / LOGS / OUTPUT
    said = path.read_bytes()[-LAST_WORDS:] if path.is_file() else b""
    lines = [line for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    values: Values = {"path": str(path), "last": lines[-10:]}
    if not lines:
        return ok("daemon.out", "the last daemon printed nothing", values)
    found = f"the last daemon printed: {' / '.join(lines[-2:])}"
    if daemon:
        return note("daemon.out", found, values, "`aftermind logs` shows all of it")
    return warning("daemon.out", found, values, mend="`aftermind logs` shows all of it, `aftermind start` tries again")


def clients_found(folder: Path) -> Finding:
    """Whether the copies of the thin doors are those of this version and installation."""
    place = folder / BIN
    wanted = copies(folder)
    missing = [name for name in wanted if not (place / name).is_file()]
    other = [name for name, content in wanted.items() if name not in missing and not is_copied(place / name, content)]
    values: Values = {"missing": missing, "other_version": other}
    if other:
        found = f"{', '.join(other)} in {place}: of another version or installation"
        return warning("clients", found, values, mend="`aftermind restart` puts this one's there")
    if missing:
        names = "what assistants run" if len(missing) == len(wanted) else ", ".join(missing)
        return note("clients", f"{names}: not in {place} yet; a daemon or `aftermind init` puts it there", values)
    return ok("clients", f"what assistants run is in {place}, all {len(wanted)} files of this version", values)
