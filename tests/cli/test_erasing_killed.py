"""A few trials of the campaign `bench.faults erasing`: killed or without room, and completed by who opens it next."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress

pytestmark = pytest.mark.anyio


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the campaign needs Linux")
async def test_what_was_cut_off_while_it_was_forgotten_is_completed(tmp_path: Path) -> None:
    from bench.fault_erasing import Erasings

    campaign = Erasings(tmp_path, 5, seed=3)
    assert await campaign.run(Progress(console=Console(quiet=True))), campaign.wrong
    assert campaign.kinds == {"killed": 4, "no room": 1}
