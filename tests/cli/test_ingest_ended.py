"""Where the store cannot take any more, `aftermind ingest` says why, how much is kept, and goes on when run again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.documents import prose

from aftermind.cli.ingesting.intake import Intake

LIMIT = 1_000_000


@pytest.mark.skipif(sys.platform == "win32", reason="nobody limits a process's files there")
def test_a_limit_on_files_is_told_as_that_and_the_next_run_takes_the_rest(
    cli: Cli, docs: Path, process: Callable[..., subprocess.Popen[bytes]]
) -> None:
    import resource

    for number in range(200):
        (docs / f"{number}.md").write_text(f"# Ferry {number}\n\n{prose(60, number * 60)}\n")
    ended = process("ingest", "docs", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)))
    _, err = ended.communicate(timeout=60)
    early, what, hint = err.decode().splitlines()
    assert ended.returncode == 5
    assert "could not be used: no file of this process may have more than 1,000,000 bytes (`ulimit -f`)" in what
    assert hint.startswith("  → raise that limit and run the command again")
    assert early.endswith(" taken whole, none by half; run it again to go on")
    said = int(early.split("at least ")[1].split()[0])
    kept = len(cli("books", "--json").json)
    assert 0 < said <= kept < 201
    assert cli("ingest", "docs").out.startswith(f"Ingested {201 - kept} new books, ")
    assert len(cli("books", "--json").json) == 201


def test_who_only_counts_is_not_told_that_anything_was_taken(
    cli: Cli, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Intake, "take", fails)
    assert "ended early while it counted; nothing was written" in cli("ingest", "docs", "--dry-run").err
    assert "0 books taken whole" in cli("ingest", "docs").err
