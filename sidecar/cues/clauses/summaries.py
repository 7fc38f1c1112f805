"""The lines in which tools sum up what they ran and what of it failed: "Tests: 1 failed, 41 passed, 42 total", "Failed:
1, Passed: 4", "# fail 1". Pure.

Such a line holds counts and the words that go with them, and nothing else: whoever says more in it tells something of
their own. One in which nothing failed is read as any other text.
"""

from __future__ import annotations

import re

_BAD = r"(?:fail(?:ed|ing|ures?|s)?|errors?)"
_FAILING = re.compile(
    rf"(?<![\w.,])(?P<n>\d{{1,6}})\s(?:(?:unit\s|e2e\s)?(?:tests?|specs?|examples?|suites?|checks?)\s)?{_BAD}\b"
    rf"|\b{_BAD}(?:\s*[:=]\s*|\s)(?P<of>\d{{1,6}})\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:tests?|specs?|examples?|suites?|checks?|files?|assertions?|snapshots?|problems?|warnings?|total|pass(?:ed|ing)?"
    r"|fail(?:ed|ing|ures?|s)?|errors?|skipped|ignored|pending|todo|flaky|xfailed|xpassed|deselected|measured|filtered"
    r"|result|results|run|ran|ok|found|source|checked|duration|time|in|out|of|across|and|ms|s|sec|seconds|m|min)\b"
    r"|\d+(?:[.,:]\d+)*(?:ms|s|m)?|[^\w?？]",
    re.IGNORECASE,
)
LONGEST = 200
"""Characters of a line that sums up."""


def summed_up(said: str) -> tuple[tuple[str, ...], str]:
    """The lines that say that something failed, and the text, as long as before, without any line of a sum."""
    lines = said.split("\n")
    sums = [at for at, line in enumerate(lines) if _is_a_sum(line)]
    failing = tuple(lines[at] for at in sums if counts_failures(lines[at]))
    if not failing:
        return (), said
    for at in sums:
        lines[at] = " " * len(lines[at])
    return failing, "\n".join(lines)


def sums_up_failures(line: str) -> bool:
    """Whether a line is such a sum, and not of none that failed."""
    return _is_a_sum(line) and counts_failures(line)


def counts_failures(line: str) -> bool:
    """Whether one of the counts in a line is of failures, and not of none."""
    return any(int(found["n"] or found["of"]) for found in _FAILING.finditer(line[:LONGEST]))


def _is_a_sum(line: str) -> bool:
    counts = any(map(str.isdigit, line[:LONGEST]))
    return counts and len(line) <= LONGEST and not _COUNTED.sub("", line).strip()
