"""A few trials of the campaign on backups (`python -m bench.faults backups` does hundreds)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bench.fault_backups import KINDS, Backups
from rich.progress import Progress

pytestmark = pytest.mark.anyio


@pytest.mark.skipif(sys.platform != "linux", reason="its processes are forked, and their room is limited")
async def test_damage_kills_and_a_full_disk_lose_nothing_that_any_copy_has(tmp_path: Path) -> None:
    campaign = Backups(tmp_path, 3 * len(KINDS), 5)
    with Progress(disable=True) as progress:
        fine = await campaign.run(progress)
    assert fine, campaign.figures()["details"]
    assert sum(campaign.kinds.values()) == 3 * len(KINDS)
