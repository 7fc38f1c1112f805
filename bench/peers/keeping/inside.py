"""Runs in a peer's own environment: keeps what `NAME.py` keeps, prints what the peer says it has, and stays until its
standard input ends.

    <python of the environment> -m bench.peers.keeping.inside NAME PROJECT
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import sys
from pathlib import Path

from bench.peers.inside import refuse_networks


async def main() -> None:
    name, project = sys.argv[1], Path(sys.argv[2])
    refuse_networks()
    with contextlib.redirect_stdout(sys.stderr):
        kept = importlib.import_module(f"bench.peers.keeping.{name}")
        says, held = await kept.keep(project)
    print(json.dumps(says), flush=True)
    sys.stdin.read()
    del held


asyncio.run(main())
