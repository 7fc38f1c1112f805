"""The hook as its clients run it: a bare process of a bare interpreter, of which nothing but silence and 0 may come."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from aftermind.engine.store import spool

HOOK = Path(__file__).parents[1] / "cli" / "doors" / "hook.py"
EVENTS = ("prompt", "turn", "end")
LATE = 60.0
"""Seconds after which a hook counts as hanging, on a machine that is busy with other tests."""


class Hooked(NamedTuple):
    out: bytes


def command(
    *words: str | bytes, home: Path | None, python: str = sys.executable, hook: Path = HOOK
) -> list[str | bytes]:
    return [python, "-I", "-S", str(hook), *(["--home", str(home)] if home else []), *words]


def hooked(
    home: Path | None,
    *words: str | bytes,
    stdin: bytes | int = b"",
    python: str = sys.executable,
    hook: Path = HOOK,
    env: Mapping[str, str] | None = None,
    **more: Any,
) -> Hooked:
    """What it printed. Whatever happens, that is all: nothing on stderr, and 0, and it does not hang."""
    piped = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    more = {"stdout": subprocess.PIPE, **more}
    ran = subprocess.run(
        command(*words, home=home, python=python, hook=hook),
        **piped,
        stderr=subprocess.PIPE,
        env=clean() if env is None else {**clean(), **env},
        timeout=LATE,
        check=False,
        **more,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    return Hooked(ran.stdout or b"")


def clean() -> dict[str, str]:
    """An environment that says nothing of any store."""
    config = os.environ.get("AFTERMIND_CONFIG", "/nowhere/config.toml")
    return {"PATH": os.environ["PATH"], "HOME": "/nowhere", "AFTERMIND_CONFIG": config}


def said(
    prompt: str = "how do I deploy the billing service?", answer: str = "", session: str = "s", **more: Any
) -> bytes:
    return json.dumps({"prompt": prompt, "answer": answer, "session": session, **more}).encode()


def kept(folder: Path) -> int:
    """How much waits in the spool."""
    return len(spool.spooled(folder).waiting)
