"""What was handed over in no form there is, and the words that may have been meant."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.errors import AftermindError


class Misused(AftermindError):
    """The command line itself, or what was piped into it, does not fit. `logged` is what a log may hold of that."""

    status = 2

    def __init__(self, what: str, *, hint: str = "", logged: str = "") -> None:
        self.hint, self.logged = hint, logged
        super().__init__(what)


def meant(word: str, known: Iterable[str]) -> list[str]:
    """The known words that may have been meant: those that begin so, and those that look alike."""
    from difflib import get_close_matches

    known = list(known)
    begin = [name for name in known if len(word) > 2 and name.startswith(word.casefold())]
    return list(dict.fromkeys([*begin, *get_close_matches(word, known)]))[:3]
