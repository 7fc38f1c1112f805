"""A tool: what it takes and gives, as types from which its schemas are made, and what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from aftermind.cli.language.wire import Unreachable
from aftermind.cli.offering.window import Window
from aftermind.cli.terminal.this_store import of_this_store
from aftermind.engine.errors import AftermindError, ExchangeDiffers, Held, NotFound, NotHeld, NothingToScore, Unusable
from aftermind.engine.names import EventId


class Tool(Struct, frozen=True, kw_only=True):
    """`does` is given the window, the key of the request (the same again is the same request) and what it takes. Its
    answer goes out as JSON. It raises `AftermindError` for what the model should be told."""

    name: str
    title: str
    about: str
    takes: type[Struct]
    gives: type[Struct]
    does: Callable[[Window, EventId, Any], Awaitable[Struct]]
    reads: bool = False
    """Nothing becomes another for it."""
    destroys: bool = False
    """What it is asked to change is not as it was."""
    adds: bool = False
    """Asked for the same in another request, it may do more: hand out the next item, write one checkpoint more."""


class Misfit(AftermindError):
    """Arguments that are not what a tool takes."""

    status = 2

    def __init__(self, tool: Tool, why: str) -> None:
        self.hint = _words_of(tool, why) or f"{tool.name} takes: {', '.join(taken(tool))}"
        super().__init__(f"the arguments do not fit: {why}")


def _words_of(tool: Tool, why: str) -> str:
    """The words there are for the argument of which another was said."""
    if not why.startswith("Invalid enum value"):
        return ""
    form = msgspec.inspect.type_info(tool.takes)
    assert isinstance(form, msgspec.inspect.StructType)
    name = why.rpartition(" - at `")[2].rstrip("`").partition("[")[0]
    known = next((field.type for field in form.fields if field.encode_name == name), None)
    while isinstance(known, msgspec.inspect.VarTupleType | msgspec.inspect.Metadata):
        known = known.item_type if isinstance(known, msgspec.inspect.VarTupleType) else known.type
    if not isinstance(known, msgspec.inspect.LiteralType):
        return ""
    return f"{name} is one of: {', '.join(map(str, known.values))}"


def taken(tool: Tool) -> list[str]:
    """The names of its arguments, with a star those that are required."""
    return [f"{field.encode_name}{'*' if field.required else ''}" for field in msgspec.structs.fields(tool.takes)]


def arguments(tool: Tool, said: Mapping[str, Any]) -> Struct:
    """What a model says, as the tool takes it; `Misfit` where that cannot be. A number may be written as text."""
    try:
        return msgspec.convert(dict(said), tool.takes, strict=False)
    except msgspec.ValidationError as error:
        raise Misfit(tool, str(error).replace("`$", "`").replace("`.", "`")) from None


def schema(form: type[Struct]) -> dict[str, Any]:
    """The JSON Schema of a type, in as few words as it takes: written out, without titles."""
    (whole,), parts = msgspec.json.schema_components((form,), ref_template="{name}")
    found: dict[str, Any] = _plain(whole, parts)
    found.pop("description", None)
    return found


def _plain(node: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(one, parts) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        part = dict(parts[node["$ref"]])
        part.pop("description", None)
        return _plain(part, parts)
    kept = {name: value for name, value in node.items() if name != "title" or isinstance(value, dict)}
    if kept.get("default") in ((), [], {}, "", None, False):
        kept.pop("default", None)
    if kept.get("required") == []:
        kept.pop("required")
    return {name: _plain(value, parts) for name, value in kept.items()}


def told(error: AftermindError) -> str:
    """An error as a model reads it: what happened, and what it can do. Commands are for people."""
    match error:
        case NotFound(what="memory"):
            hint = "search_memory finds the ids of this project's memories"
        case NotFound(what="memory of this exchange"):
            hint = "a memory is scored where it was shown: search_memory shows it"
        case NothingToScore():
            hint = "nothing was recorded here yet; name memories by their ids instead"
        case ExchangeDiffers() | Held() | Misfit() | NotFound() | NotHeld() | Unusable():
            hint = error.hint if "`" not in error.hint else ""
        case Unreachable():
            hint = "try once more"
        case _:
            hint = f"the user can mend it: {of_this_store(error.hint)}" if error.hint else ""
    text = str(error)
    begins = text if any(map(str.isdigit, text.split(" ", 1)[0])) else text[:1].upper() + text[1:]  # an id is as it is
    text = begins.rstrip(".") + "."
    return f"{text} Next: {hint}." if hint else text
