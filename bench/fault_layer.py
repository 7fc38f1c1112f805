"""The disk that loses what was not synced: `lost_writes.c`, compiled, and the programs that show what it takes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from bench import fault_control
from bench.fault_processes import ROOT

SOURCE = Path(__file__).with_name("lost_writes.c")
CUT = 77
"""How a process ends when its power is cut. (78: it did what the layer does not model.)"""
AT_THE_END = -1
"""The moment of a cut after all a process does."""


class Layer(Struct, frozen=True):
    """The compiled library, and where its cuts are reported."""

    library: Path
    shadow: Path
    report: Path

    def around(self, folder: Path, chance: Random, cut_at: int, aim: str = "") -> dict[str, str]:
        """The environment of a process under it."""
        return {
            "LD_PRELOAD": str(self.library),
            "LOST_UNDER": str(folder.resolve()),
            "LOST_SHADOW": str(self.shadow),
            "LOST_REPORT": str(self.report),
            "LOST_SEED": str(chance.getrandbits(32)),
            "LOST_CUT_AT": str(cut_at),
            **({"LOST_AIM": aim} if aim else {}),
        }

    def reports(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.report.read_text(encoding="utf-8").splitlines()]


def compiler() -> str | None:
    return next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)


def compiled(place: Path) -> Layer:
    cc = compiler()
    assert cc is not None
    layer = Layer(place / "lost_writes.so", place / "shadow", place / "cuts.jsonl")
    layer.shadow.mkdir()
    layer.report.touch()
    subprocess.run([cc, "-O2", "-shared", "-fPIC", "-o", str(layer.library), str(SOURCE)], check=True)
    return layer


def control(
    layer: Layer, place: Path, mode: str, cuts: int, chance: Random, done: Callable[[], None]
) -> dict[str, int]:
    """What such a program lost in some cuts, each in a folder of its own."""
    total: Counter[str] = Counter(cuts=0, acknowledged=0, lost=0, damaged=0)
    for number in range(cuts):
        folder, notes = place / f"control-{mode}-{number}", place / f"control-{mode}-{number}.notes"
        folder.mkdir()
        notes.touch()
        around = layer.around(folder, chance, chance.randrange(40, 2500))
        command = [sys.executable, "-m", "bench.fault_control", str(folder), str(notes), mode]
        ended = subprocess.run(command, cwd=ROOT, env={**os.environ, **around}, check=False).returncode
        assert ended == CUT, f"the control {mode} ended with {ended}"
        acknowledged = {int(line) for line in notes.read_text(encoding="ascii").split()}
        kept = fault_control.kept(folder, mode)
        lost = len(acknowledged - (kept or set()))
        total.update(cuts=1, acknowledged=len(acknowledged), damaged=kept is None, lost=lost)
        done()
    return dict(total)
