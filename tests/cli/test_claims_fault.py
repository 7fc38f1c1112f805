"""A slice of `bench/claims.py`: real processes that all want the same few items, while they and the daemon are killed.
Never is one number given to two, never a later one lower, never do two hold."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bench.claims import NEVER

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are followed through /proc")
@pytest.mark.timeout(300)
def test_no_number_is_given_to_two_whatever_is_killed(tmp_path: Path) -> None:
    """Lost or double claims."""
    out = tmp_path / "claims.json"
    words = ["--claims", "150", "--processes", "4", "--seed", "11", "--json", str(out)]
    ran = subprocess.run([sys.executable, "-m", "bench.claims", *words], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    told = json.loads(out.read_text(encoding="utf-8"))
    assert told["claims"] >= 150
    assert told["taken"] > 0
    assert told["refused"] > 0
    assert told["kills of processes"] > 0
    assert told["kills of the daemon"] > 0
    assert {name: told[name] for name in NEVER} == dict.fromkeys(NEVER, 0)
