"""A pattern that is compiled when it is first looked for, and not when its module is imported.

The house has 250 of them. To compile all takes a third of the time in which a process is ready to answer, and most
processes end before they need one in ten. Pure.
"""

from __future__ import annotations

import re
from typing import Any, cast

_ASKED = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn", "flags", "groupindex")


def lazily(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`; a pattern that is none raises `re.error` at its first use."""
    return cast("re.Pattern[str]", _Later(pattern, flags))


class _Later:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Asked once: from then on what was compiled answers by itself."""
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for each in _ASKED:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)
