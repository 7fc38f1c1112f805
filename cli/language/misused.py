"""What was handed over in no form there is, and the words that may have been meant."""

from __future__ import annotations

from collections.abc import Iterable

from aftermind.engine.errors import AftermindError

_ALIKE, _NEARLY = 0.6, 0.1
"""How much a slip looks like the word that was meant, and how much less than the best other words may."""


class Misused(AftermindError):
    """The command line itself, or what was piped into it, does not fit. `logged` is what a log may hold of that."""

    status = 2

    def __init__(self, what: str, *, hint: str = "", logged: str = "") -> None:
        self.hint, self.logged = hint, logged
        super().__init__(what)


def meant(word: str, known: Iterable[str]) -> list[str]:
    """The known words that may have been meant: those that begin so, and those that look alike about as much as the one
    that does most."""
    from difflib import SequenceMatcher

    word, known = word.casefold(), list(known)
    begin = [name for name in known if len(word) > 2 and name.startswith(word)]
    alike = {name: SequenceMatcher(None, name, word).ratio() for name in known}
    least = max([_ALIKE, *(likeness - _NEARLY for likeness in alike.values())])
    close = sorted((name for name in known if alike[name] >= least), key=lambda name: -alike[name])
    return list(dict.fromkeys([*begin, *close]))[:3]
