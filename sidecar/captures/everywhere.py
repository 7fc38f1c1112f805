"""Whether the user wants something in all projects: where the words it stands in say so. Pure."""

from __future__ import annotations

import re

from aftermind.engine.lazily import lazily
from aftermind.sidecar.captures.signs import phrases_of, read_clause
from aftermind.sidecar.utterances.languages import languages_of
from aftermind.sidecar.utterances.voice import listen

HERE = lazily(r"\b(?:in|for|of) (?:this|our) (?:repo\w*|project|code\w*|app|service|team)\b|\bhere\b", re.IGNORECASE)
"""What is said of one project."""
_SENTENCES = lazily(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")


def everywhere(quote: str, said: str) -> bool:
    """Whether one of the user's sentences that the quote is of says that it holds in all projects, and none that it
    holds in this one. Both texts are in the same spelling."""
    of_it = [one for one in _SENTENCES.split(said) if one.strip() and (one in quote or quote in one)]
    return any(_says_so(one, said) for one in of_it or [quote]) and not any(map(HERE.search, of_it))


def _says_so(sentence: str, around: str) -> bool:
    heard = listen(sentence)
    ready = phrases_of(languages_of(heard.typed, around))
    return any("everywhere" in read_clause(clause, sentence, ready).signs for clause in heard.clauses)
