"""Values of which one keeps the others out where something is ordered: a language, a package manager, a way to indent,
a day; and of what there is one language at a time. Pure."""

from __future__ import annotations

from aftermind.engine.memories.directives import plain
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
VALUES = {
    **{word: ("day", day) for word, day in table.DAYS.items() if day.endswith("day") and day != "weekday"},
    **{word: ("language", word) for word in table.CLASSES[1]},
    **{word: found for word, found in CHOICES.items() if found[0] in ("language", "indentation")},
    **{name: (line, name) for line in _ALTERNATIVES for name in line.split()},
}
"""A word → what it is a value of, and which."""
GIVEN_IN_ONE = frozenset(
    frozenset(map(plain, line.split()))
    for line in """
    answer
    answer question
    explain
    explanation
    summary
    comment
    code comment
    inline comment
    review comment
    doc
    code doc
    documentation
    docstring
    readme
    changelog
    release note
    commit
    commit message
    pr
    pr title
    pr description
    pull request
    pull request title
    pull request description
    merge request
    merge request description
    log message
    variable name
    function name
    class name
    test name
    branch name
    identifier
    """.strip().splitlines()
)
"""What an assistant gives, or writes in a repository, in one language at a time. Mails, posts, what users read and what
is said to others are in the language of who reads them, and may be in several."""
