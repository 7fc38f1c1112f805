"""Values of which one keeps the others out where something is ordered: a language, a package manager, a way to indent,
a day. Pure."""

from __future__ import annotations

from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.wording_values import CHOICES

_ALTERNATIVES = (
    "npm pnpm yarn bun",
    "pip uv poetry pipenv pdm",
    "maven gradle",
    "pytest unittest",
    "jest vitest",
    "tox nox",
)
"""Of those of a line one is used for one thing, and not another beside it."""
LANGUAGES = table.CLASSES[1]
VALUES = {
    **{word: ("day", day) for word, day in table.DAYS.items() if day.endswith("day") and day != "weekday"},
    **{word: ("language", word) for word in LANGUAGES},
    **{word: found for word, found in CHOICES.items() if found[0] in ("language", "indentation")},
    **{name: (line, name) for line in _ALTERNATIVES for name in line.split()},
}
"""A word → what it is a value of, and which."""
