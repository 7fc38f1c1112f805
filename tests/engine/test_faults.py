"""A few kills and a few power cuts, as `bench/faults.py` does them by the hundred: nothing acknowledged is lost,
nothing is there twice, and chain, views and spool are in order afterwards."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are followed through /proc")


def figures(place: Path, *words: str) -> dict[str, Any]:
    """What a campaign that found nothing wrong tells."""
    file = place / "figures.json"
    command = [sys.executable, "-m", "bench.faults", *words, "--folder", str(place), "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def test_kills_lose_and_double_nothing(disk: Path) -> None:
    found = figures(disk, "kills", "--kills", "8", "--seed", "7")
    assert (found["kills"], found["lost"], found["doubled"]) == (8, 0, 0)
    assert found["acknowledged by the socket"] > 0
    assert found["acknowledged by the spool"] > 0


@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="not installed: a C compiler")
def test_power_cuts_lose_what_a_control_acknowledges_too_early_and_nothing_of_ours(tmp_path: Path) -> None:
    found = figures(tmp_path, "power", "--cuts", "3", "--controls", "4", "--seed", "7")
    assert (found["cuts of the daemon"], found["lost"], found["doubled"]) == (3, 0, 0)
    assert found["controls"]["OFF"]["lost"] > 0
    assert found["controls"]["FULL"]["lost"] == 0
