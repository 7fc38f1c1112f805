"""Events of somebody else's log under ids of their own, all in one project: so that they stand beside one's own and
double nothing. Pure: the same event and project always give the same ids.

Every id is derived anew, and everything that refers to it the same way: what caused it, which memory, session or book
it speaks of, what was shown, judged and linked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

from aftermind.engine.events import Erased, Unknown
from aftermind.engine.logs.chain import Link
from aftermind.engine.names import BookId, EventId, MemoryId, ProjectId, Scope, SessionId, StreamName
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import from_bytes, to_bytes

_STREAMS = ("memory-", "session-", "book-")


def mapped(link: Link, into: Scope) -> Link | None:
    """The event as one of the project `into`; None for one that cannot be: of a stream that belongs to its own store or
    project, or of a form this program does not know."""
    prefix = next((prefix for prefix in _STREAMS if link.stream.startswith(prefix)), None)
    event = from_bytes(link.tag, link.payload)
    if prefix is None or isinstance(event, Unknown):
        return None
    payload = None if isinstance(event, Erased) else to_bytes(_rewritten(event, into))
    own = link.stream.removeprefix(prefix)
    return structs.replace(
        link,
        id=event_id(link.id, into),
        stream=StreamName(prefix + (_session(own, into) if prefix == "session-" else _short(own, into))),
        because=event_id(link.because, into) if link.because is not None else None,
        payload=payload,
        salt=b"" if payload is not None else None,
    )


def event_id(id: EventId, into: Scope) -> EventId:
    return derive_id(id, f"in {into}")


def _session(id: str, into: Scope) -> str:
    return derive_id(id, f"session in {into}")


def _short(id: str, into: Scope) -> str:
    """As long as it was, with the letter it begins with; a past wording's place is kept."""
    name, at, place = id.partition("@")
    return f"{name[:1]}{derive_id(name, f'thing in {into}')[: max(16, len(name) - 1)]}{at}{place}"


def _rewritten(event: Struct, into: Scope) -> Any:
    changes = {name: rewrite(getattr(event, name), into) for name, rewrite in _references(type(event))}
    return structs.replace(event, **changes) if changes else event


@cache
def _references(form: type[Struct]) -> tuple[tuple[str, Callable[[Any, Scope], Any]], ...]:
    """The fields that name something, and how each is rewritten."""
    hints = get_type_hints(form)
    return tuple((name, rewrite) for name, hint in hints.items() if (rewrite := _rewriting(hint)) is not None)


def _rewriting(hint: Any) -> Callable[[Any, Scope], Any] | None:
    if hint in (Scope, ProjectId):
        return lambda _, into: into
    if hint is EventId:
        return event_id
    if hint is SessionId:
        return _session
    if hint in (MemoryId, BookId):
        return _short
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _rewritten if _references(hint) else None
    if get_origin(hint) in (Union, UnionType):
        inner = next((found for one in get_args(hint) if (found := _rewriting(one)) is not None), None)
        return None if inner is None else lambda value, into: None if value is None else inner(value, into)
    if get_origin(hint) is tuple:
        each = _rewriting(get_args(hint)[0])
        return None if each is None else lambda value, into: tuple(each(one, into) for one in value)
    return None
