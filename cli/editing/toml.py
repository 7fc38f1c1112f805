"""TOML, edited in its text: one table is put in or taken out, nothing else moves.

Guarantee: what is not that table stays byte for byte, comments and line endings included; each edit is read back
before it counts. A table goes to the end of the file as text. Only where that cannot be (its parent is written as an
inline table, say) tomlkit rewrites the part around it. Pure; raises `NotParsed`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping
from copy import deepcopy
from typing import Any

from aftermind.cli.editing.jsonc import Astray
from aftermind.cli.editing.text import BOM, Json, Keys, NotParsed, blank_before, newline_of

_AT_LINE = re.compile(r"(?P<why>.*?) ?\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LINE_FEED = re.compile(r"(?<!\r)\n")
_HEADER = re.compile(r"[ \t]*\[")


def parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix(BOM))
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.fullmatch(str(error))
        line = int(found["line"]) if found and found["line"] else text.count("\n") + 1
        column = int(found["column"]) if found and found["column"] else 1
        raise NotParsed(found["why"] if found else str(error), line, column) from None
    except (ValueError, RecursionError) as error:
        raise NotParsed(str(error), 1, 1) from None


def put(text: str, keys: Keys, value: Mapping[str, Json]) -> str:
    """The table has these values. A new table goes to the end of the file; of an old one only what differs changes."""
    before = parsed(text)
    there = _at(before, keys)
    if there == value:
        return text
    wanted = _with(before, keys, value)
    if there is None:
        new = _appended(text, keys, value)
        return new if _says(new, wanted) else _sure(_edited(text, keys, value), wanted)
    old = there if isinstance(there, Mapping) else {}
    for key in [key for key in old if key not in value]:
        text = _edited(text, keys, {}, gone=key)
    for key, one in value.items():
        if old.get(key) != one:
            text = _edited(text, keys, {key: one})
    return _sure(text, wanted)


def drop(text: str, keys: Keys) -> str:
    """Without that table; the text itself where there is none."""
    before = parsed(text)
    if _at(before, keys) is None:
        return text
    for wanted in _without(before, keys):
        for begin, end in _spans(text, keys):
            new = text[:begin] + text[end:]
            if _says(new, wanted):
                return new
    import tomlkit

    document = tomlkit.parse(text.removeprefix(BOM))
    place: Any = document
    for key in keys[:-1]:
        place = place[key]
    del place[keys[-1]]
    return _sure(_with_mark_of(text, tomlkit.dumps(document)), *_without(before, keys))


def _edited(text: str, keys: Keys, value: Mapping[str, Json], *, gone: str = "") -> str:
    """By tomlkit, which ends every new line with a line feed. It is told from what was there by being in one place, so
    that it alone gets the ending the first line has."""
    import tomlkit
    from tomlkit.items import InlineTable

    document = tomlkit.parse(text.removeprefix(BOM))
    place: Any = document
    for key in keys:
        if not isinstance(place, MutableMapping):
            break
        if key not in place:
            place[key] = tomlkit.inline_table() if isinstance(place, InlineTable) else tomlkit.table()
        place = place[key]
    if not isinstance(place, MutableMapping):
        raise NotParsed(f"{'.'.join(keys[:-1])} is no table", 1, 1)
    place.pop(gone, None)
    for key, one in value.items():
        if place.get(key) != one:
            place[key] = one
    new = _with_mark_of(text, tomlkit.dumps(document))
    begin = _alike(text, new)
    end = len(new) - _alike(text[begin:][::-1], new[begin:][::-1])
    return new[:begin] + _LINE_FEED.sub(newline_of(text), new[begin:end]) + new[end:]


def _alike(one: str, two: str) -> int:
    """How many characters both begin with."""
    return next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


def _appended(text: str, keys: Keys, value: Mapping[str, Json]) -> str:
    newline = newline_of(text)
    name = ".".join(key if _BARE.fullmatch(key) else json.dumps(key) for key in keys)
    lines = [f"[{name}]", *(f"{key} = {_value(one)}" for key, one in value.items()), ""]
    ended = text if not text.removeprefix(BOM) or text.endswith("\n") else text + newline
    blank = newline if ended.removeprefix(BOM) and not ended.endswith(newline * 2) else ""
    return ended + blank + newline.join(lines)


def _value(value: Json) -> str:
    """Strings, numbers, booleans and lists of them are the same in TOML as in JSON, but for one escape."""
    if isinstance(value, str | bool | int | float):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"no plain TOML value: {value!r}")


def _spans(text: str, keys: Keys) -> Iterator[tuple[int, int]]:
    """Where the table may stand: from its header, and the blank line before it, to the next; comments below its last
    line are the next one's."""
    name = r"\s*\.\s*".join(f'(?:{re.escape(key)}|"{re.escape(key)}")' for key in keys)
    header = re.compile(rf"^[ \t]*\[\s*{name}\s*(?P<deeper>\.[^\]\r\n]*)?\][^\n]*(?:\n|\Z)", re.MULTILINE)
    for found in header.finditer(text.removeprefix(BOM)):
        offset = len(text) - len(text.removeprefix(BOM))
        begin = found.start() + offset
        lines = text[found.end() + offset :].splitlines(keepends=True)
        for stop in [at for at, line in enumerate(lines) if _HEADER.match(line)] + [len(lines)]:
            kept = stop
            while kept and (not lines[kept - 1].strip() or lines[kept - 1].lstrip().startswith("#")):
                kept -= 1
            end = found.end() + offset + sum(map(len, lines[:kept]))
            if blank := blank_before(text, begin):
                yield begin - blank, end
            yield begin, end


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return parsed(text) == wanted
    except NotParsed:
        return False


def _sure(text: str, *wanted: Mapping[str, Any]) -> str:
    if not any(_says(text, one) for one in wanted):
        raise Astray("an edit reads back as another")
    return text


def _with_mark_of(text: str, new: str) -> str:
    return BOM * text.startswith(BOM) + new


def _at(document: Mapping[str, Any], keys: Keys) -> Any:
    place: Any = document
    for key in keys:
        if not isinstance(place, Mapping) or key not in place:
            return None
        place = place[key]
    return place


def _with(document: dict[str, Any], keys: Keys, value: Mapping[str, Json]) -> dict[str, Any]:
    wanted = deepcopy(document)
    place = wanted
    for key in keys[:-1]:
        place = place.setdefault(key, {})
        if not isinstance(place, dict):
            raise NotParsed(f"{'.'.join(keys[:-1])} is no table", 1, 1)
    place[keys[-1]] = {key: list(one) if isinstance(one, tuple) else one for key, one in value.items()}
    return wanted


def _without(document: dict[str, Any], keys: Keys) -> list[dict[str, Any]]:
    """What is left: with or without the tables around it, which a header alone makes."""
    found = [deepcopy(document)]
    place = found[0]
    for key in keys[:-1]:
        place = place[key]
    del place[keys[-1]]
    for depth in range(len(keys) - 1, 0, -1):
        if _at(found[-1], keys[:depth]) != {}:
            break
        less = deepcopy(found[-1])
        place = less
        for key in keys[: depth - 1]:
            place = place[key]
        del place[keys[depth - 1]]
        found.append(less)
    return found
