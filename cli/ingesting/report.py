"""What an ingestion says in the end: the counts for a program; for a person a sentence, and what was wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

from msgspec import Struct

from aftermind.cli.ingesting.ignoring import NOBODYS
from aftermind.cli.ingesting.walking import Ways
from aftermind.cli.terminal.tables import counted
from aftermind.engine.names import BookId

KEPT, FEW = 1000, 10
"""Of so many files each is named in JSON, and to a person."""


class Said(Struct, frozen=True):
    """A file, and what there is to say of it."""

    path: str
    why: str


class Lost(Struct, frozen=True):
    """A book whose file is gone, or is not taken any more."""

    id: BookId
    path: str


class Report(Struct, kw_only=True):
    """`found` counts the files that were looked at. `passed`, `unreadable` and `remarks` name the first of those that
    were passed over, could not be read, or were read with a remark; a book among them keeps the edition it had."""

    dry_run: bool = False
    found: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    chunks: int = 0
    forgotten: int = 0
    passed_over: dict[str, int] = {}
    passed: list[Said] = []
    ignored: int = 0
    ignored_by: dict[str, int] = {}
    hidden: int = 0
    linked: int = 0
    nobodys: int = 0
    repositories: int = 0
    off_limits: int = 0
    failed: int = 0
    unreadable: list[Said] = []
    remarked: int = 0
    remarks: list[Said] = []
    lost: list[Lost] = []
    unseen: list[Lost] = []

    @property
    def read(self) -> int:
        return self.new + self.changed + self.unchanged

    def passes_over(self, path: Path, why: str) -> None:
        self.passed_over[why] = self.passed_over.get(why, 0) + 1
        if len(self.passed) < KEPT:
            self.passed.append(Said(str(path), why))

    def cannot_read(self, path: Path, why: str) -> None:
        self.failed += 1
        if len(self.unreadable) < KEPT:
            self.unreadable.append(Said(str(path), why))

    def remark(self, path: Path, why: str) -> None:
        self.remarked += 1
        if len(self.remarks) < KEPT:
            self.remarks.append(Said(str(path), why))

    def left_out(self, ways: Ways) -> None:
        self.ignored, self.ignored_by = ways.ignored, ways.ignored_by
        self.hidden, self.linked = ways.hidden, ways.linked
        self.nobodys, self.repositories = ways.nobodys, ways.repositories
        self.off_limits = ways.off_limits


def lines(report: Report) -> Iterator[str]:
    """The report for a person."""
    yield _sentence(report)
    if report.passed_over:
        reasons = ", ".join(f"{count:,} {why}" for why, count in Counter(report.passed_over).most_common())
        code = next((Path(one.path).suffix for one in report.passed if one.why == "source code"), "")
        hint = f" (`--glob {quote(f'*{code}')}` takes some all the same)" if code else ""
        yield f"Passed over {counted(sum(report.passed_over.values()), 'file')}: {reasons}{hint}. `--json` names them."
    if report.ignored and report.found:
        yield f"Left out {_ignored(report)}."
    if report.nobodys and report.found:
        yield f"Left out {_nobodys(report)}."
    if report.repositories:
        repositories = counted(report.repositories, "repository", "repositories")
        yield f"Left out {repositories} below this one: what is named itself is taken."
    if report.linked:
        to = "to folders, out of the repository, or to what is left out: name what is meant to take it"
        yield f"Did not follow {counted(report.linked, 'link')} {to}."
    if report.off_limits:
        yield f"Left out {counted(report.off_limits, 'file')} that a list puts off limits (.aftermindignore)."
    if report.failed:
        yield from _named(f"Could not read {counted(report.failed, 'file')}", report.unreadable, report.failed)
    if report.remarks:
        yield from _named(counted(report.remarked, "remark"), report.remarks, report.remarked)
    if report.forgotten:
        was = "was" if report.forgotten == 1 else "were"
        yield f"{counted(report.forgotten, 'chunk')} {was} forgotten before, and stayed so."
    if report.lost:
        many = len(report.lost)
        yield _books("1 book has lost its file" if many == 1 else f"{many:,} books have lost their files", report.lost)
    if report.unseen:
        many = len(report.unseen)
        files = "1 book's file was" if many == 1 else f"{many:,} books' files were"
        yield _books(f"{files} not looked at (ignored, hidden, off limits or another repository's)", report.unseen)


def _books(what: str, books: Sequence[Lost]) -> str:
    named = " ".join(one.id for one in books[:FEW]) + (" …" if len(books) > FEW else "")
    return f"{what}; `aftermind remove {named}` takes {'it' if len(books) == 1 else 'them'} out of recall."


def _ignored(report: Report) -> str:
    lists = list(report.ignored_by)
    more = f" and {counted(len(lists) - 1, 'other list')}" if len(lists) > 1 else ""
    return f"{report.ignored:,} that git ignores ({lists[0]}{more})"


def _nobodys(report: Report) -> str:
    return f"{counted(report.nobodys, 'folder')} of what others wrote ({', '.join(sorted(NOBODYS))})"


def _nothing(report: Report) -> str:
    """Why there is nothing, where a folder had something."""
    if report.failed:
        return "Nothing could be read."
    left = [_ignored(report)] if report.ignored else []
    left += [_nobodys(report)] if report.nobodys else []
    left += [f"{report.hidden:,} that {'is' if report.hidden == 1 else 'are'} hidden"] if report.hidden else []
    told = ", ".join([*left[:-2], " and ".join(left[-2:])])
    why = f" Left out {told}: what is named itself is taken." if left and not report.found else ""
    return f"There are no documents to ingest.{why}"


def _sentence(report: Report) -> str:
    chunks = counted(report.chunks, "chunk")
    if report.dry_run:
        return f"Found {counted(report.new, 'document')}, {chunks}. Nothing was written."
    if not report.new and not report.changed:
        return f"Nothing new: {_unchanged(report)}." if report.unchanged else _nothing(report)
    parts = [counted(report.new, "new book")] if report.new else []
    if report.changed:
        parts.append(counted(report.changed, "changed one" if parts else "changed book"))
    more = f"; {_unchanged(report)}" if report.unchanged else ""
    return f"Ingested {' and '.join(parts)}, {chunks}{more}."


def _unchanged(report: Report) -> str:
    return f"{counted(report.unchanged, 'book')} {'is' if report.unchanged == 1 else 'are'} unchanged"


def _named(heading: str, told: list[Said], count: int) -> Iterator[str]:
    """A few by name; of many the commonest reasons, each with its first file."""
    yield f"{heading}:"
    if count <= FEW:
        yield from (f"  {one.path}: {one.why}" for one in told)
        return
    reasons = Counter(one.why for one in told)
    for why, times in reasons.most_common(FEW):
        first = next(one.path for one in told if one.why == why)
        yield f"  {first}{f' and {times - 1:,} more' if times > 1 else ''}: {why}"
    listed = "all" if count <= len(told) else f"the first {len(told):,}"
    yield f"  --json lists {listed} of them."
