"""JSON and JSONC, edited in their text: a member or an element is put in, replaced or taken out, nothing else moves.

Guarantee: comments, the order of keys, indentation, line endings, a byte-order mark and trailing commas stay. Each
edit is read back before it counts: what it did not mean to change is the same, token by token, and every comment that
was not inside what went is there. Pure; raises `NotParsed` for what cannot be read, or is no object where one must be.

A library was looked for: those there are re-print the document, guess at comments, or are a week old.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from aftermind.cli.editing.jsonc_tree import Container, Node, Scalar, comments, kind_of, read, value_of
from aftermind.cli.editing.text import Json, NotParsed, Splice, newline_of, place, spliced

UNIT = "  "
_INDENT = re.compile(r"[ \t]*")
_LINE_COMMENT_LAST = re.compile(r"//[^\r\n]*\Z")
_SAME_LINE = re.compile(r"(?>(?:[ \t]*+(?:/\*[^\r\n]*?\*/|//[^\r\n]*+))*)")
Way: TypeAlias = Sequence[str | int]
"""Keys, and indices of elements."""
_Shape: TypeAlias = "str | tuple[str | None, tuple[tuple[str | None, _Shape], ...]]"


class Astray(AssertionError):
    """An edit would have changed more than it was meant to. Nothing was written."""


def parsed(text: str) -> Json:
    """What it says; None for a text without a value."""
    root = read(text)
    return None if root is None else value_of(root)


def has(text: str, keys: Way) -> bool:
    root = read(text)
    return root is not None and _found(root, keys) is not None


def has_comment(text: str, keys: Way) -> bool:
    """Whether a comment would go with that member or element."""
    root = read(text)
    into = None if root is None else _found(root, keys[:-1])
    if not isinstance(into, Container) or (at := _index(into, keys[-1])) is None:
        return False
    item = into.items[at]
    return any(item.start <= begin < item.over for begin, _ in comments(text))


def put(text: str, keys: Way, value: Json) -> str:
    """The member has that value; objects on the way to it are made. A member that is new comes last in its object. An
    index stands for an element that is there."""
    root = read(text)
    if root is None:
        return _begun(text, _nested(keys, value))
    node: Node = root
    for depth, key in enumerate(keys):
        child = _child(node, key)
        if child is None:
            into = _object(text, node, keys[:depth])
            return _appended(text, root, into, str(key), _nested(keys[depth + 1 :], value))
        node = child
    if value_of(node) == value:
        return text
    new = _rendered(text, value, _indent_of_line(text, node.start), multiline=_is_broken(text, root))
    return _checked(text, root, [(node.start, node.end, new)], {id(node): _shape_of_value(value)})


def add(text: str, keys: Way, value: Json) -> str:
    """The list has one more element, its last; the list is made where there is none."""
    root = read(text)
    if root is None or (node := _found(root, keys)) is None:
        return put(text, keys, [value])
    if not isinstance(node, Container) or node.kind != "[":
        raise NotParsed(f"{_named(keys)} is {kind_of(node)}, where a list belongs", *place(text, node.start))
    return _appended(text, root, node, None, value)


def drop(text: str, keys: Way) -> str:
    """Without that member (a key) or element (an index); the text itself where there is none."""
    root = read(text)
    node: Node | None = root
    for key in keys[:-1]:
        node = None if node is None else _child(node, key)
    if root is None or not isinstance(node, Container) or (at := _index(node, keys[-1])) is None:
        return text
    gone = node.items[at]
    left = tuple((item.key, _shape(text, item.node)) for item in node.items if item is not gone)
    return _checked(text, root, _cuts(text, node, at), {id(node): (node.kind, left)})


# --- putting in -----------------------------------------------------------------------------------------------


def _appended(text: str, root: Node, into: Container, key: str | None, value: Json) -> str:
    """At the end of a container, written as its other items are."""
    newline, items = newline_of(text), into.items
    own = _indent_of_line(text, into.start)
    lead = f"{_plain(key)}{_colon(text)}" if key is not None else ""
    if not items:
        broken = into is root or _is_broken(text, root)
        inside = text[into.start + 1 : into.end - 1]
        indent = own + _unit(text, root)
        new = lead + _rendered(text, value, indent, multiline=broken)
        if not broken and not inside.strip():
            splices = [(into.start + 1, into.end - 1, new)]
        else:
            kept = inside.rstrip()
            splices = [(into.start + 1 + len(kept), into.end - 1, f"{newline}{indent}{new}{newline}{own}")]
    elif _begins_its_line(text, items[0].start):
        last, indent = items[-1], _indent_of_line(text, items[0].start)
        new = lead + _rendered(text, value, indent, multiline=True)
        after = _after_comments(text, last.over)
        trailing = "," if last.comma >= 0 else ""
        splices = [(after, after, f"{newline}{indent}{new}{trailing}")]
        if last.comma < 0:
            splices.append((last.end, last.end, ","))
            if after == last.end:  # one place, two words
                splices = [(after, after, f",{newline}{indent}{new}")]
    else:
        last = items[-1]
        new = lead + _rendered(text, value, own, multiline=False)
        space = _comma(text).removeprefix(",")
        word = f"{space}{new}," if last.comma >= 0 else f",{space}{new}"
        splices = [(last.over, last.over, word)]
    shape = (*((item.key, _shape(text, item.node)) for item in items), (key, _shape_of_value(value)))
    return _checked(text, root, splices, {id(into): (into.kind, shape)})


def _begun(text: str, value: Json) -> str:
    """A document in a file that had none: after what comments there are."""
    newline = newline_of(text)
    ended = text if not text.strip("\ufeff \t\r\n") or text.endswith("\n") else text + newline
    new = ended + _rendered(text, value, "", multiline=True) + newline
    if parsed(new) != value or _comments(new) != _comments(text):
        raise Astray("a new document reads back as another")
    return new


def _nested(keys: Way, value: Json) -> Json:
    for key in reversed(keys):
        value = {str(key): value}
    return value


def _rendered(text: str, value: Json, indent: str, *, multiline: bool) -> str:
    """The value as JSON; `indent` is that of the line it begins in."""
    if not multiline:
        return json.dumps(value, ensure_ascii=False, separators=(_comma(text), _colon(text)))
    root = read(text)
    unit, colon = (UNIT, ": ") if root is None else (_unit(text, root), _colon(text))
    return _laid_out(value, newline_of(text) + indent, unit, colon)


def _laid_out(value: Json, newline: str, unit: str, colon: str) -> str:
    """On lines of its own what holds more than plain values; a list of those stays on one."""
    inside = newline + unit
    if isinstance(value, Mapping) and value:
        lines = [f"{_plain(key)}{colon}{_laid_out(one, inside, unit, colon)}" for key, one in value.items()]
        return f"{{{inside}{f',{inside}'.join(lines)}{newline}}}"
    if isinstance(value, list | tuple) and any(isinstance(one, Mapping | list | tuple) for one in value):
        lines = [_laid_out(one, inside, unit, colon) for one in value]
        return f"[{inside}{f',{inside}'.join(lines)}{newline}]"
    return _plain(value)


def _plain(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _unit(text: str, root: Node) -> str:
    """By how much an item is indented more than its container: what the first one of the document says."""
    if isinstance(root, Container):
        for item in root.items[:1]:
            if _begins_its_line(text, item.start):
                return _indent_of_line(text, item.start).removeprefix(_indent_of_line(text, root.start)) or UNIT
    return UNIT


def _colon(text: str) -> str:
    return ":" if re.search(r'":\S', text) and not re.search(r'":\s', text) else ": "


def _comma(text: str) -> str:
    return "," if _colon(text) == ":" else ", "


def _is_broken(text: str, root: Node) -> bool:
    """Whether the document is written on several lines."""
    return "\n" in text[root.start : root.end] or (isinstance(root, Container) and not root.items)


def _begins_its_line(text: str, at: int) -> bool:
    begin = text.rfind("\n", 0, at) + 1
    return begin > 0 and not text[begin:at].strip(" \t")


def _indent_of_line(text: str, at: int) -> str:
    begin = text.rfind("\n", 0, at) + 1
    found = _INDENT.match(text, begin, at)
    return found[0] if found else ""


def _after_comments(text: str, at: int) -> int:
    """After the comments that stand behind on the same line, unless something else does too."""
    found = _SAME_LINE.match(text, at)
    end = found.end() if found else at
    rest = text[end:].lstrip(" \t")
    return end if not rest or rest[0] in "\r\n" else at


# --- taking out -----------------------------------------------------------------------------------------------


def _cuts(text: str, container: Container, at: int) -> list[Splice]:
    """What goes with an item: its comma or the one before it, and the line it leaves empty."""
    items, gone = container.items, container.items[at]
    before = items[at - 1].over if at else container.start + 1
    if len(items) == 1 and not text[before : gone.start].strip() and not text[gone.over : container.end - 1].strip():
        return [(before, container.end - 1, "")]
    begin = gone.start
    while begin > before and text[begin - 1] in " \t":
        begin -= 1
    starts_line = begin > before and text[begin - 1] == "\n"
    if starts_line:
        begin -= 2 if text[begin - 2 : begin] == "\r\n" and begin - 2 >= before else 1
    end = gone.over
    if not starts_line and at == 0 and len(items) > 1:
        begin = gone.start
        while text[end] in " \t":
            end += 1
    if _LINE_COMMENT_LAST.search(text[before:begin]) and text[end : end + 1] not in ("\n", "\r", ""):
        begin = gone.start  # what follows on the line must not become part of the comment
    cuts: list[Splice] = [(begin, end, "")]
    if at and at == len(items) - 1 and gone.comma < 0:
        comma = items[at - 1].comma
        cuts = [(comma, end, "")] if begin == comma + 1 else [(comma, comma + 1, ""), *cuts]
    return cuts


# --- reading back ---------------------------------------------------------------------------------------------


def _checked(text: str, root: Node, splices: list[Splice], changed: dict[int, _Shape]) -> str:
    """The new text, which says what was meant and nothing else."""
    new = spliced(text, splices)
    again = read(new)
    if again is None or _shape(new, again) != _shape(text, root, changed):
        raise Astray("an edit reads back as another")
    kept = [
        text[begin:end]
        for begin, end in comments(text)
        if not any(first <= begin and end <= last for first, last, _ in splices)
    ]
    if _comments(new) != kept:
        raise Astray("an edit lost a comment")
    return new


def _comments(text: str) -> list[str]:
    return [text[begin:end] for begin, end in comments(text)]


def _shape(text: str, node: Node, changed: dict[int, _Shape] | None = None) -> _Shape:
    """All that a tree says, scalars as they are written; `changed` takes the place of some nodes."""
    if changed and id(node) in changed:
        return changed[id(node)]
    if isinstance(node, Scalar):
        return text[node.start : node.end]
    return node.kind, tuple((item.key, _shape(text, item.node, changed)) for item in node.items)


def _shape_of_value(value: Json) -> _Shape:
    text = _plain(value)
    node = read(text)
    assert node is not None
    return _shape(text, node)


# --- finding --------------------------------------------------------------------------------------------------


def _object(text: str, node: Node, keys: Way) -> Container:
    if isinstance(node, Container) and node.kind == "{":
        return node
    name = f"{_named(keys)} is" if keys else "the file holds"
    raise NotParsed(f"{name} {kind_of(node)}, where an object belongs", *place(text, node.start))


def _named(keys: Way) -> str:
    return ".".join(map(str, keys))


def _found(root: Node, keys: Way) -> Node | None:
    node: Node | None = root
    for key in keys:
        node = None if node is None else _child(node, key)
    return node


def _child(node: Node, key: str | int) -> Node | None:
    at = _index(node, key)
    return node.items[at].node if isinstance(node, Container) and at is not None else None


def _index(node: Node, key: str | int) -> int | None:
    if not isinstance(node, Container):
        return None
    if isinstance(key, str):
        return node.index(key) if node.kind == "{" else None
    return key if node.kind == "[" and 0 <= key < len(node.items) else None
