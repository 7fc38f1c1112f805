"""What an import says in the end: the counts for a program, one sentence for a person."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from aftermind.cli.importing.exchange import Item, Unreadable
from aftermind.cli.importing.intake import Counts
from aftermind.cli.importing.source import Format
from aftermind.cli.terminal.tables import counted as count

FEW, FIRST = 5, 3
"""Of so many reasons all are told; of more, the first."""


class Report(Struct, frozen=True, kw_only=True):
    """`format` is None when there was nothing to read. Of a dry run, `found` and `sessions` are all there is to say."""

    format: Format | None
    dry_run: bool
    found: int = 0
    sessions: int | None = None
    new: int = 0
    repeated: int = 0
    revised: int = 0
    different: int = 0
    off_limits: int = 0
    older: int = 0
    """Said before what was asked for (`--days`), or without a time: left out."""
    unreadable: int = 0
    problems: tuple[Unreadable, ...] = ()
    differing: tuple[str, ...] = ()


def counted(items: Iterable[Item], format: Format, *, dry_run: bool) -> Report:
    """Of items that are read and not recorded."""
    counts, sessions, found = Counts(), set[str](), 0
    for item in items:
        if isinstance(item, Unreadable):
            counts.not_read(item)
        else:
            found += 1
            sessions.add(item.session)
    return Report(
        format=format,
        dry_run=dry_run,
        found=found,
        sessions=len(sessions),
        unreadable=counts.unreadable,
        problems=tuple(counts.problems),
    )


def recorded(counts: Counts, format: Format) -> Report:
    """Of items that were taken in."""
    return Report(
        format=format,
        dry_run=False,
        found=counts.new + counts.repeated + counts.revised + counts.different + counts.off_limits,
        new=counts.new,
        repeated=counts.repeated,
        revised=counts.revised,
        different=counts.different,
        off_limits=counts.off_limits,
        unreadable=counts.unreadable,
        problems=tuple(counts.problems),
        differing=tuple(counts.differing),
    )


def sentence(report: Report, path: Path) -> str:
    """What became of the source."""
    if report.format is None:
        return f"Nothing to import: {path} is empty."
    if not report.found:
        parts = [f"Found no exchanges in {path}"]
    elif report.dry_run:
        parts = [f"Found {count(report.found, 'exchange')} in {count(report.sessions or 0, 'session')}"]
    else:
        parts = [f"Imported {count(report.new, 'new exchange')}"]
    if report.repeated:
        parts.append(f"{report.repeated:,} {'was' if report.repeated == 1 else 'were'} already there")
    if report.revised:
        parts.append(f"{report.revised:,} revised")
    if report.different:
        parts.append(f"{report.different:,} with another text than is recorded (exchange {report.differing[0]})")
    if report.off_limits:
        were = "was" if report.off_limits == 1 else "were"
        parts.append(f"{report.off_limits:,} {were} off limits, private, or said during a pause")
    if report.older:
        were = "was" if report.older == 1 else "were"
        parts.append(f"{report.older:,} said before that or without a time {were} left out")
    if report.unreadable:
        noun = "record" if report.format == "opencode" else "line"
        parts.append(f"{count(report.unreadable, noun)} could not be read ({_reasons(report)})")
    said = ", ".join(parts) + (". Nothing was written." if report.dry_run else ".")
    if not report.found and path.is_dir():
        said += f" A file of JSON lines is imported by its name: `aftermind import {path / 'FILE.jsonl'}`."
    return said


def _reasons(report: Report) -> str:
    few = report.unreadable <= FEW
    told = "; ".join(f"{one.place}: {one.why}" for one in report.problems[: FEW if few else FIRST])
    listed = "all" if report.unreadable <= len(report.problems) else f"the first {len(report.problems)}"
    return told if few else f"{told}; …; --json lists {listed}"
