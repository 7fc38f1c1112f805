"""Threads share a few heaps of the C library, where it lets itself be told so."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from aftermind.engine.heaps import FEW

TOLD = """
import ctypes, sys
from threading import Barrier, Thread
from aftermind.engine.heaps import few_heaps, give_back
if sys.argv[2] == "few":
    few_heaps()
here, kept = Barrier(9), []
def going():
    kept.append(bytearray(50_000))
    here.wait()
    here.wait()
threads = [Thread(target=going) for _ in range(8)]
for one in threads: one.start()
here.wait()
library = ctypes.CDLL(None)
library.fopen.restype, library.malloc_info.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_void_p)
library.fclose.argtypes = (ctypes.c_void_p,)
file = library.fopen(sys.argv[1].encode(), b"w")
library.malloc_info(0, file)
library.fclose(file)
here.wait()
give_back()
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="another C library")
def test_threads_share_a_few_heaps(tmp_path: Path) -> None:
    heaps = {}
    for how in ("few", "many"):
        file = tmp_path / how
        subprocess.run([sys.executable, "-c", TOLD, str(file), how], check=True, timeout=60)
        heaps[how] = file.read_text().count("<heap nr=")
    assert heaps["few"] <= FEW < heaps["many"]
