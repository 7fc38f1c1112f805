"""What hypothesis may throw at the house: texts as they come, every event form, appends."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from hypothesis import settings
from hypothesis import strategies as st
from msgspec import Raw, Struct

from aftermind.engine.events import (
    Known,
    MemoryLocked,
    Unknown,
)
from aftermind.engine.log import Append, Draft
from aftermind.engine.names import (
    MemoryId,
    StreamName,
    Version,
)
from tests.given import draft

FORMS: tuple[type[Struct], ...] = get_args(Known)
FEW = settings(max_examples=settings().max_examples // 4)
"""For what is asked of each form, or of each text in one: the same code answers for all of them."""

# --- texts and fields -----------------------------------------------------------------------------------------

SCRIPTS = ("漢字かな交じり文", "ไทย", "👩‍💻🇪🇺", "שלום עולם", "مرحبا", "e\u0301", "İ")
FRAGMENTS = (*SCRIPTS, "\x00", "\ud800", "\udfff", '"\\', "\u2028", "", "a")
texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.lists(st.sampled_from(FRAGMENTS), max_size=6).map(" ".join),
)
ids = st.text("0123456789abcdef", min_size=1, max_size=8)
times = st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@cache
def events_of(form: type[Struct]) -> st.SearchStrategy[Any]:
    """Any value of one form."""
    return st.builds(form, **{name: values_of(hint) for name, hint in get_type_hints(form).items()})


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    if hint is str:
        return texts
    if isinstance(hint, NewType):
        return st.integers(0, 2**53) if hint.__supertype__ is int else ids
    if hint is datetime:
        return times
    if hint is date:
        return times.map(datetime.date)
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.integers(-(2**53), 2**53)
    if hint is float:
        return st.floats(allow_nan=False, allow_infinity=False)
    if hint is bytes:
        return st.binary(max_size=20)
    if hint is NoneType or hint is None:
        return st.none()
    if isinstance(hint, type) and issubclass(hint, Struct):
        return events_of(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(parts)
    if origin is tuple and parts[1:] == (Ellipsis,):
        return st.lists(values_of(parts[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, parts))
    if origin is dict:
        return st.dictionaries(values_of(parts[0]), values_of(parts[1]), max_size=3)
    if origin in (UnionType, Union):
        return st.one_of(*map(values_of, parts))
    raise AssertionError(f"no strategy for {hint}")


known = st.one_of(*map(events_of, FORMS))
unknown = st.builds(
    lambda tag, body: Unknown(tag=f"future-{tag}", raw=Raw(b'{ "type" : "future-%s", "x":%d }' % (tag.encode(), body))),
    ids,
    st.integers(0, 99),
)
events = st.one_of(known, unknown)


def drafts(event: st.SearchStrategy[Any] = events, id: st.SearchStrategy[str] = ids) -> st.SearchStrategy[Draft]:
    return st.builds(Draft, id=id, at=times, noted=times, because=st.none() | ids, event=event)


few_drafts = st.sampled_from("abcdefghijkl").map(lambda id: draft(id, MemoryLocked(memory=MemoryId(id))))
appends = st.builds(
    Append,
    stream=st.sampled_from(["memory-1", "memory-2", "session-1"]).map(StreamName),
    drafts=st.lists(few_drafts, min_size=1, max_size=3).map(tuple),
    expected=st.none() | st.integers(0, 3).map(Version),
)
append_calls = st.lists(st.lists(appends, max_size=2), max_size=10)
"""Calls of `append`, over few streams and few ids: versions that have moved, repeats, halves of repeats."""
