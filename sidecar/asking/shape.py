"""The shape of a model's answer: its JSON Schema, which servers that can hold the model to, and how an answer is read
that was not held to it. Pure.

Required are the outcome, of a memory its label, of a lesson its text and kind. Further keys are ignored, null is left
out, numbers and booleans may be written as strings, words in any case. An entry of a list that does not fit is left
out; anything else that does not fit makes the answer unreadable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from aftermind.engine.names import Outcome
from aftermind.sidecar.models.replies import Unreadable
from aftermind.sidecar.ports import Effect

LessonKind: TypeAlias = Literal["fact", "preference", "configuration", "decision", "directive", "procedure"]
LEARNED = 8
"""Lessons of one answer, at most."""
TEXT = 400
"""Characters of a lesson. A longer one is left out: cut in the middle it might say the opposite."""
_ENTRIES = 64
_CLOSED = ("outcome", "effect", "kind")


class Rated(Struct, frozen=True, kw_only=True):
    memory: str
    used: bool = False
    effect: Effect = "neutral"


class Lesson(Struct, frozen=True, kw_only=True):
    text: str
    kind: LessonKind
    evidence: str = ""
    wrong: str = ""
    replaces: str | None = None
    everywhere: bool = False
    tags: tuple[str, ...] = ()


class Answer(Struct, frozen=True, kw_only=True):
    """In this order it is written: the words come before what follows from them."""

    evidence: str = ""
    outcome: Outcome
    memories: tuple[Rated, ...] = ()
    learned: tuple[Lesson, ...] = ()
    summary: str = ""


class Shorter(Struct, frozen=True, kw_only=True):
    summary: str


def schema(shape: type[Struct]) -> bytes:
    """JSON Schema as servers want it: in one piece, every key required, no other allowed."""
    (whole,), parts = msgspec.json.schema_components([shape], ref_template="{name}")

    def inlined(part: Any) -> Any:
        if isinstance(part, list):
            return [inlined(one) for one in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return inlined(parts[part["$ref"]])
        part = {key: inlined(value) for key, value in part.items() if key not in ("title", "default", "description")}
        if "properties" in part:
            part |= {"required": list(part["properties"]), "additionalProperties": False}
        return {"type": "string"} | part if "enum" in part else part

    return msgspec.json.encode(inlined(whole))


def answer_of(said: Mapping[str, Any]) -> Answer:
    """An object as an answer. Raises `Unreadable`."""
    plain = _plain(said)
    memories, learned = _entries(plain, "memories"), _entries(plain, "learned")
    answer: Answer = _read(plain, Answer)
    return msgspec.structs.replace(
        answer,
        memories=tuple(one for entry in memories if (one := _fitting(entry, Rated)) is not None),
        learned=tuple(one for entry in learned if (one := _fitting(entry, Lesson)) is not None),
    )


def shorter_of(said: Mapping[str, Any]) -> Shorter:
    shorter: Shorter = _read(_plain(said), Shorter)
    return shorter


def _plain(said: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is null, and with the words of closed lists as we write them."""
    return {
        key: value.strip().strip(".").casefold() if key in _CLOSED and isinstance(value, str) else value
        for key, value in said.items()
        if value is not None
    }


def _entries(plain: dict[str, Any], key: str) -> list[Any]:
    """Takes a list out. Memories by label, as they were asked of, are a list too."""
    entries = plain.pop(key, [])
    if isinstance(entries, dict) and key == "memories":
        entries = [{"memory": label, **value} for label, value in entries.items() if isinstance(value, dict)]
    if not isinstance(entries, list):
        raise Unreadable(f"{key!r} of the answer is no list")
    return entries[:_ENTRIES]


def _read(plain: dict[str, Any], shape: type[Any]) -> Any:
    try:
        return msgspec.convert(plain, shape, strict=False)
    except msgspec.ValidationError as error:
        wrong = str(error).partition(" - at ")[2]  # the rest of it may quote the answer
        raise Unreadable(f"the answer does not fit{f' at {wrong}' if wrong else ''}") from None


def _fitting(entry: object, shape: type[Any]) -> Any:
    if not isinstance(entry, dict):
        return None
    try:
        return msgspec.convert(_plain(entry), shape, strict=False)
    except msgspec.ValidationError:
        return None
