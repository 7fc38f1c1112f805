"""From what a model wrote to one JSON object, or to none. Pure, and it takes any text.

Accepted: the object alone, in a code fence, with prose before and after it, after a model's thoughts
(`<think>…</think>`), with commas before a closing bracket. Not accepted: an object that never ends, two different
ones, single quotes, anything above `LARGEST`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

LARGEST = 65_536
"""Characters of a reply. The longest that fits what is asked for has a quarter of it."""
DEEPEST = 12
_THOUGHTS = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)
_LOOSE_COMMA = re.compile(r",(?=\s*[}\]])")
_BEYOND = re.compile(r'["{}\[\]\\]')


class Unreadable(Exception):
    """What is wrong with a reply, without quoting it."""


def object_in(text: str, key: str) -> dict[str, Any]:
    """The one object of a reply that has that key. Raises `Unreadable`."""
    if len(text) > LARGEST:
        raise Unreadable(f"the answer has {len(text):,} characters, and at most {LARGEST:,} are read")
    text = text.encode("utf-8", "replace").decode()
    if not text.strip():
        raise Unreadable("the answer is empty")
    found = _objects(_THOUGHTS.sub("", text), key) or _objects(text, key)
    if len(found) > 1:
        raise Unreadable("the answer holds several objects that contradict each other")
    if not found:
        raise Unreadable(_why(text, key))
    return found[0]


def _objects(text: str, key: str) -> list[dict[str, Any]]:
    """Those that have the key, each once."""
    found: list[dict[str, Any]] = []
    for piece in _balanced(text):
        for candidate in (piece, _without_loose_commas(piece)):
            try:
                read = msgspec.json.decode(candidate)
            except (msgspec.DecodeError, RecursionError):
                continue
            if isinstance(read, dict) and key in read and read not in found:
                found.append(read)
            break
    return found


def _why(text: str, key: str) -> str:
    start = text.lstrip()[:200].casefold()
    if start.startswith(("<!doctype", "<html", "<?xml")):
        return "the answer is a web page"
    return f"the answer holds no complete JSON object with {key!r}" if "{" in text else "the answer is prose, not JSON"


def _balanced(text: str) -> Iterator[str]:
    """Every outermost {…} of it, in one pass; brackets inside a JSON string are none."""
    depth, start, quoted = 0, 0, False
    at = 0
    while (match := _BEYOND.search(text, at)) is not None:
        at = match.end()
        match match.group():
            case "\\" if quoted:
                at += 1
            case '"' if depth:
                quoted = not quoted
            case "{" | "[" if depth and not quoted:
                depth += 1
            case "{" if not depth:
                depth, start = 1, match.start()
            case "}" | "]" if depth and not quoted:
                depth -= 1
                if depth == 0:
                    yield text[start:at]
            case _:
                pass
        if depth > DEEPEST:
            return


def _without_loose_commas(piece: str) -> str:
    """The same without commas before a closing bracket, where no string stands."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', piece)
    for place in range(0, len(parts), 2):
        parts[place] = _LOOSE_COMMA.sub("", parts[place])
    return "".join(parts)
