"""An exchange as a program hands it over: a JSON object, or prompt and answer with a line `---` between them."""

from __future__ import annotations

import re
from datetime import datetime

import msgspec
from msgspec import Struct

from aftermind.cli.arguments import Misused
from aftermind.engine.events import ToolUse
from aftermind.engine.stored import from_json

_DIVIDER = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_HINT = "`aftermind record --help` shows the form"


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


_decode = msgspec.json.Decoder(Delivered).decode


def delivered(text: str) -> Delivered:
    """`Misused` when it is neither form."""
    if not text.strip():
        raise Misused("standard input was empty", hint=_HINT)
    if text.lstrip().startswith("{"):
        try:
            return from_json(_decode, text.encode("utf-8", "replace"))
        except (msgspec.ValidationError, RecursionError) as error:
            raise Misused(f"the exchange does not fit: {error}", hint=_HINT) from None
        except msgspec.DecodeError as error:
            if _DIVIDER.search(text) is None:
                raise Misused(f"the exchange is not JSON: {error}", hint=_HINT) from None
    divider = _DIVIDER.search(text)
    if divider is None:
        raise Misused("there is no line `---` between prompt and answer", hint=_HINT)
    return Delivered(prompt=text[: divider.start()].strip(), answer=text[divider.end() :].strip())
