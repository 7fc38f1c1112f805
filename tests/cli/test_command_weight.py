"""A command that asks a daemon loads what asking takes: everything that answers is loaded by who holds the store."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.hooked import LATE, clean

ANSWERS = (
    "numpy",
    "aftermind.cli.answering",
    "aftermind.cli.holding.held",
    "aftermind.cli.forms",
    "aftermind.cli.past.opening",
    "aftermind.engine.logs.sqlite_log",
    "aftermind.engine.backups",
    "aftermind.projections.recalling.finding",
    "aftermind.projections.recalling.ranking",
    "mcp",
)


def test_what_opens_a_store_for_a_command_loads_nothing_that_answers():
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import aftermind.cli.opening, aftermind.cli.language.keeping"],
        capture_output=True,
        env=clean(),
        timeout=LATE,
        check=True,
    )
    names = set(re.findall(r"^import time:\s+\d+ \|\s+\d+ \|\s+(\S+)$", ran.stderr.decode(), re.MULTILINE))
    assert "aftermind.cli.reaching.joining" in names
    assert not [name for name in names if any(name == one or name.startswith(f"{one}.") for one in ANSWERS)]
