"""What git remembers: the work of late, the files that change most, those that change together. `commits` asks git and
is the only one here that runs anything; the rest is pure.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby
from pathlib import Path

import anyio
from msgspec import Struct

from aftermind.cli.onboarding.statement import Stated, names, short
from aftermind.cli.repositories import QUIETLY

MOST = 500
"""Commits that are looked at."""
RECENT, TOLD, TOGETHER = 60, 10, 10
WIDE = 25
"""Files of one commit; of more it is no sign that they belong together."""
PATIENCE = 30.0
_CONVENTIONAL = re.compile(r"(?:feat|fix|docs|chore|refactor|test|build|ci|perf|style|revert)(?:\([^)]*\))?!?: ")
_FORMAT = "%x1e%H%x1f%aI%x1f%s%x1f"


class Commit(Struct, frozen=True):
    """`day`: when it was written, as YYYY-MM-DD."""

    id: str
    day: str
    subject: str
    files: tuple[str, ...]


class NoHistory(Exception):
    """Why there is none to read."""


async def commits(folder: Path) -> list[Commit]:
    """The newest, newest first. Nothing a repository configures is run: no pager, no hook, no watcher, no signature."""
    words = ["git", "-C", str(folder), *QUIETLY, "-c", "log.showSignature=false", "-c", "color.ui=false", "--no-pager"]
    words += ["log", f"--max-count={MOST}", "--no-merges", "--no-renames", "--no-ext-diff", "--no-textconv"]
    words += ["--name-only", f"--format={_FORMAT}", "-z"]
    try:
        with anyio.fail_after(PATIENCE):
            ran = await anyio.run_process(words, check=False, stderr=subprocess.PIPE)
    except FileNotFoundError:
        raise NoHistory("git is not installed") from None
    except TimeoutError:
        raise NoHistory(f"git did not answer within {PATIENCE:g} seconds") from None
    if ran.returncode:
        said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NoHistory(short(said[0].removeprefix("fatal: ")) if said else f"git ended with {ran.returncode}")
    return list(parsed(ran.stdout.decode("utf-8", "replace")))


def parsed(text: str) -> Iterator[Commit]:
    for record in text.split("\x1e")[1:]:
        id, day, subject, files = [*record.split("\x1f", 3), "", "", ""][:4]
        listed = (one.strip("\n") for one in files.split("\0"))
        yield Commit(id, day[:10], subject, tuple(one for one in listed if one))


def history(found: Sequence[Commit]) -> Iterator[Stated]:
    """`found`: newest first."""
    if not found:
        return
    of_late = [commit for commit in found if commit.subject.strip()][:RECENT]
    for day, made in groupby(of_late, key=lambda commit: commit.day):
        listed = list(dict.fromkeys(short(commit.subject) for commit in reversed(list(made))))
        for start in range(0, len(listed), TOLD):  # from the day's first on: what comes later changes the last alone
            yield Stated(f"Work of {day}: {'; '.join(listed[start : start + TOLD])}.", "recent commits")
    conventional = sum(bool(_CONVENTIONAL.match(commit.subject)) for commit in found)
    if len(found) >= 10 and conventional >= 0.8 * len(found):
        yield Stated("Subjects of commits follow Conventional Commits (`fix(scope): …`).", "commits")
    changed = Counter(file for commit in found for file in commit.files)
    often = [f"{file} ({count})" for file, count in changed.most_common(10) if count > 2]
    if often:
        yield Stated(f"The files that changed most of late: {names(often)}.", "files")
    pairs = Counter(
        pair for commit in found if len(commit.files) <= WIDE for pair in combinations(sorted(set(commit.files)), 2)
    )
    for (one, other), count in pairs.most_common(TOGETHER):
        less = min(changed[one], changed[other])
        if count >= 5 and count >= 0.6 * less:
            yield Stated(f"{one} and {other} change together ({count} commits of late).", "files")
