"""A pattern that is compiled at its first use is what one compiled at once is, and those of the house can be."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from aftermind.engine.lazily import _Later, lazily

ROOT = Path(__file__).parents[2]
USING = [
    file.relative_to(ROOT).with_suffix("")
    for folder in ("engine", "projections", "sidecar", "cli")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if "import lazily" in file.read_text(encoding="utf-8")
]


def test_it_finds_what_one_compiled_at_once_finds() -> None:
    text, pattern = "Port 80, then port 443", r"port (?P<number>\d+)"
    now, later = re.compile(pattern, re.IGNORECASE), lazily(pattern, re.IGNORECASE)
    assert later.pattern == now.pattern
    assert "search" not in vars(later)
    for _ in range(2):
        assert later.findall(text) == now.findall(text)
        assert later.sub("-", text) == now.sub("-", text)
        assert [found["number"] for found in later.finditer(text)] == ["80", "443"]
        assert (later.flags, later.groups, later.groupindex) == (now.flags, now.groups, now.groupindex)
    assert "search" in vars(later)


def test_one_that_is_none_is_told_at_its_first_use() -> None:
    broken = lazily("(")
    with pytest.raises(re.error):
        broken.search("")


def test_every_one_of_the_house_is_one() -> None:
    found = [later for file in USING for later in patterns(vars(import_module(".".join(("aftermind", *file.parts)))))]
    assert len(found) > 100
    for later in found:
        assert later.groups >= 0


def patterns(among: object) -> list[_Later]:
    """Those among the values of a module, and in its tables."""
    if isinstance(among, _Later):
        return [among]
    if isinstance(among, dict):
        return [one for value in list(among.values()) if not callable(value) for one in patterns(value)]
    return [one for value in among for one in patterns(value)] if isinstance(among, tuple | list) else []
