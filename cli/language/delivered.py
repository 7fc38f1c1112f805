"""An exchange as a program hands it over: a JSON object, or prompt and answer with a line `---` between them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

import msgspec
from msgspec import Raw, Struct

from aftermind.cli.language.misused import Misused, meant
from aftermind.engine.events import ToolUse
from aftermind.engine.stored import from_json

_DIVIDER = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_HINT = "`aftermind record --help` shows the form"
_PLACE = re.compile(r"at `\$\.([a-z]+)")
_WORD = re.compile(r"[A-Za-z_-]{1,20}")
_TOLD = 3
"""Strange keys that a log names."""


class Delivered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was handed over; an unknown key is refused, for it may be a misspelt one."""

    prompt: str = ""
    answer: str = ""
    session: str | None = None
    id: str | None = None
    project: str | None = None
    client: str | None = None
    at: datetime | None = None
    tools: tuple[ToolUse, ...] = ()


KEYS = Delivered.__struct_fields__
_decode = msgspec.json.Decoder(Delivered).decode
_decode_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def delivered(text: str) -> Delivered:
    """`Misused` when it is neither form."""
    if not text.strip():
        raise Misused("standard input was empty", hint=_HINT, logged="empty")
    if text.lstrip().startswith("{"):
        try:
            return from_json(_decode, text.encode("utf-8", "replace"))
        except (msgspec.ValidationError, RecursionError) as error:
            raise _unfit(text, error) from None
        except msgspec.DecodeError as error:
            if _DIVIDER.search(text) is None:
                raise Misused(f"the exchange is not JSON: {error}", hint=_HINT, logged="no JSON") from None
    divider = _DIVIDER.search(text)
    if divider is None:
        raise Misused("there is no line `---` between prompt and answer", hint=_HINT, logged="no JSON")
    return Delivered(prompt=text[: divider.start()].strip(), answer=text[divider.end() :].strip())


def told(word: str, known: Iterable[str]) -> str:
    """What a log may hold of a word somebody sent: the word where it is nearly one of ours, else how long it is."""
    from difflib import get_close_matches

    known = list(known)
    near = [name for name in known if abs(len(name) - len(word)) <= len("_id")]
    if word in known or (_WORD.fullmatch(word) and get_close_matches(word, near, 1, 0.75)):
        return word
    return f"of {len(word)} characters"


def _unfit(text: str, error: Exception) -> Misused:
    """Names the keys that are none, or the one whose value is of another type."""
    try:
        strange = [key for key in from_json(_decode_keys, text.encode("utf-8", "replace")) if key not in KEYS]
    except (msgspec.DecodeError, RecursionError):
        return Misused(f"the exchange does not fit: {error}", hint=_HINT, logged="no JSON")
    if not strange:
        place = _PLACE.search(str(error))
        logged = f"the value of {place[1]}" if place is not None and place[1] in KEYS else "a value"
        return Misused(f"the exchange does not fit: {error}", hint=_HINT, logged=logged)
    first = strange[0][:60]
    close = meant(first, KEYS)
    more = f" (and {len(strange) - 1:,} more)" if len(strange) > 1 else ""
    return Misused(
        f"the exchange does not fit: there is no key {first!r}{more}",
        hint=f"did you mean {' or '.join(close)}?" if close else f"the keys are: {', '.join(KEYS)}",
        logged=", ".join(f"key {told(key, KEYS)}" for key in strange[:_TOLD]) + (", …" if strange[_TOLD:] else ""),
    )
