"""Is a text in any file? As a person with a hex editor would look, and no cleverer than that."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path


def holding(folder: Path, *needles: str | bytes) -> dict[str, list[str]]:
    """Which files under a folder hold a needle: as UTF-8, as JSON writes it, with or without letters beyond ASCII, in
    any case of ASCII letters."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        data = path.read_bytes()
        lower = data.lower()
        hits = [repr(n) for n in needles if any(form in data or form.lower() in lower for form in forms(n))]
        if hits:
            found[str(path.relative_to(folder))] = hits
    return found


def forms(needle: str | bytes) -> Iterable[bytes]:
    if isinstance(needle, bytes):
        return [needle]
    return {
        needle.encode(),
        json.dumps(needle)[1:-1].encode(),
        json.dumps(needle, ensure_ascii=False)[1:-1].encode(),
    }
