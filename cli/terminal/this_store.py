"""Which store the commands mean that are printed as a next step.

`main` says once what `--home` was; every sentence, hint and finding goes through `of_this_store` where it is printed or
made, so that no command has to think of it: one that is followed must never work on another store. Somebody's own words
in quotation marks, or told apart from ours (`say`), stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMANDS = re.compile(r"“[^”]*”|(?:(?<=`)|(?<=\$\())aftermind (?=[a-z])(?![^`]*--(?:home|help)\b)")
"""A quotation, or the beginning of a command in backticks that does not say itself of which store it is."""


class _Named:
    """The `--home` of this run as it was written; empty where none was."""

    home = ""


_THIS = _Named()


def is_of(home: str) -> None:
    """What is printed from now on is of this store; empty for the one that is meant where nothing is said."""
    _THIS.home = home


def home_in(words: Sequence[str]) -> str:
    """The store that the words of a command line name, also of one that is not understood; empty where none is."""
    home = ""
    for word, following in zip(words, (*words[1:], ""), strict=False):
        if word == "--":
            break
        if word == "--home" or word.startswith("--home="):
            home = word.partition("=")[2] or following
    return home


def of_this_store(text: str) -> str:
    """The text, whose commands name the store that the command line did."""
    home = _THIS.home
    if not home or "aftermind " not in text:
        return text
    from shlex import quote

    named = f"aftermind --home {quote(home)} "
    return _COMMANDS.sub(lambda found: found[0] if found[0].startswith("“") else named, text)
