"""What many questions took of memory goes back to the system when nobody asks, and not before."""

from __future__ import annotations

import subprocess
import sys

import pytest

from aftermind.cli.holding.unused import MANY

ASKED = """
import sys
from pathlib import Path
import anyio
from aftermind.cli.holding.unused import QUIET, Unused

def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 2**20

async def main():
    unused = Unused()
    taken = [bytearray(b"x" * 50_000) for _ in range(2_000)]
    for _ in range(int(sys.argv[1])):
        unused.taken()
    kept = taken[::10]
    del taken
    found = [megabytes()]
    for pause in (0, QUIET, QUIET):
        await anyio.sleep(pause)
        await unused.give_back()
        found.append(megabytes())
    print(*found)

anyio.run(main)
"""


def resident(questions: int) -> list[int]:
    ran = subprocess.run(
        [sys.executable, "-c", ASKED, str(questions)], check=True, capture_output=True, text=True, timeout=60
    )
    return [int(one) for one in ran.stdout.split()]


@pytest.mark.skipif(sys.platform != "linux", reason="the C library is another")
def test_it_goes_back_after_many_questions_once_it_is_quiet() -> None:
    at_first, at_once, quiet, later = resident(MANY)
    assert at_once >= at_first - 5
    assert quiet < at_once - 40
    assert later >= quiet - 5


@pytest.mark.skipif(sys.platform != "linux", reason="the C library is another")
def test_after_a_few_questions_it_stays_for_the_next() -> None:
    at_first, *others = resident(MANY - 1)
    assert min(others) >= at_first - 5
