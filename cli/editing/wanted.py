"""What is to stand in a file of another program's, as data, and the two edits: put in, taken out. Pure.

Putting in twice is putting in once. What a person changed in an entry of ours stays, but for the words that are run.
Taking out finds our entries by what they run, wherever they have been moved to; a person's own are never touched, also
not those that are empty. What was made for ours stays if a person has written a comment into it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from aftermind.cli.editing import jsonc, marked, toml
from aftermind.cli.editing.text import BOM, Json, Keys

Form: TypeAlias = Literal["json", "toml", "text"]
FIRM = ("type", "command", "args")
"""The words that are run: these are ours, everything else in an entry may be changed by a person."""
_HANDLERS = "hooks"


class Entry(Struct, frozen=True, kw_only=True, tag=True):
    """A member (in TOML a table), ours where it runs `mark`, a word of this store's. `kin` is a pattern that finds ours
    of any store, whose place this one takes. One of the same name that runs anything else is a person's: it is neither
    replaced (`Taken`) nor taken out."""

    at: Keys
    value: Mapping[str, Any]
    mark: str = ""
    kin: str = ""


class Element(Struct, frozen=True, kw_only=True, tag=True):
    """An element of a list, ours by what it runs: some words in it hold `mark`, which names this store. `kin` is a
    pattern that finds ours of any store, whose place this one takes."""

    of: Keys
    value: Any
    mark: str
    kin: str


class Given(Struct, frozen=True, kw_only=True, tag=True):
    """A member its owner's program needs. One that is there is left as it is; ours alone is taken out again."""

    at: Keys
    value: Any


class Section(Struct, frozen=True, kw_only=True, tag=True):
    """Lines between marks. `head` goes before them in a new file."""

    body: str
    version: int
    head: str = ""
    sign: str = "<!--"


Want: TypeAlias = Entry | Element | Given | Section


class Taken(ValueError):
    """The name of an entry of ours is a person's own entry's. `keys` leads to it; `program` is what that one runs."""

    def __init__(self, keys: Keys, program: str) -> None:
        self.keys, self.program = keys, program
        super().__init__(f"{'.'.join(keys)} is not ours")


def put_in(text: str, form: Form, wants: Iterable[Want]) -> str:
    """With all of them. `Taken` where an entry of a person's has the name of ours."""
    for want in wants:
        match want:
            case Entry():
                text = _entry(text, form, want)
            case Element():
                text = _element(text, want)
            case Given():
                text = text if jsonc.has(text, want.at) else jsonc.put(text, want.at, want.value)
            case Section():
                head = want.head if not text.removeprefix(BOM) else ""
                text = marked.put(text + head, want.body, want.version, sign=want.sign)
    return text


def made(text: str, form: Form, wants: Iterable[Want]) -> tuple[Keys, ...]:
    """The objects, lists and given members that are not there before and are after: empty again they go, too."""
    found: list[Keys] = []
    for want in wants if form == "json" else ():
        keys: Keys = ()
        match want:
            case Entry(at=at):
                keys = at[:-1]
            case Element(of=at) | Given(at=at):
                keys = at
        found += [keys[:end] for end in range(1, len(keys) + 1) if not jsonc.has(text, keys[:end])]
    return tuple(dict.fromkeys(found))


def taken_out(text: str, form: Form, wants: Sequence[Want], made: Sequence[Keys] = ()) -> str:
    """Without any of them; of what was `made` for them, without what is empty now."""
    for want in wants:
        match want:
            case Entry(at=at) if _is_ours(_at(_parsed(text, form), at), want):
                text = toml.drop(text, at) if form == "toml" else jsonc.drop(text, at)
            case Element():
                text = _without(text, want)
            case Section():
                text = marked.drop(text)
                if text.removeprefix(BOM).strip() == want.head.strip():
                    text = text[: len(text) - len(text.removeprefix(BOM))]
            case Given() | Entry():
                pass
    if form != "json":
        return text
    given = {want.at: want.value for want in wants if isinstance(want, Given)}
    for keys in sorted(made, key=len, reverse=True):
        if keys not in given and _at(jsonc.parsed(text), keys) in ({}, []) and not jsonc.has_comment(text, keys):
            text = jsonc.drop(text, keys)
    left = jsonc.parsed(text)
    ours = {keys[0]: given[keys] for keys in made if len(keys) == 1 and keys in given}
    if isinstance(left, dict) and ours and left == ours:  # nobody else needs them
        for key in ours:
            text = jsonc.drop(text, (key,))
    return text


def says_nothing(text: str, form: Form) -> bool:
    """Whether nothing is left in it: a file that was made for us may go."""
    if form == "json":
        return jsonc.parsed(text) in (None, {}) and "/" not in text
    return not text.strip(f"{BOM} \t\r\n")


def runs(text: str, of: Keys, pattern: str) -> Iterator[str]:
    """What the elements of a list that the pattern is found in run, each as a line of a shell."""
    for place in _places(text, of, re.compile(pattern)):
        yield _words(_at(jsonc.parsed(text), place))


def supplanted(text: str, form: Form, wants: Iterable[Want]) -> tuple[str, ...]:
    """What other stores' entries run, whose places ours take."""
    found: list[str] = []
    for want in wants:
        if isinstance(want, Element):
            found += [line for line in runs(text, want.of, want.kin) if want.mark not in line]
        if isinstance(want, Entry) and want.kin:
            there = _at(_parsed(text, form), want.at)
            if re.search(want.kin, _words(there)) and not _is_ours(there, want):
                found.append(_words(there))
    return tuple(dict.fromkeys(found))


def without_others(text: str, form: Form, wants: Iterable[Want], lines: Iterable[str]) -> str:
    """Without those entries of other stores that run one of `lines`, and without what held nothing but them."""
    gone = set(lines)
    theirs: list[Entry | Element] = []
    for want in wants:
        match want:
            case Element():
                theirs += [structs.replace(want, mark=line) for line in runs(text, want.of, want.kin) if line in gone]
            case Entry(at=at) if (line := _words(_at(_parsed(text, form), at))) in gone:
                theirs.append(structs.replace(want, mark=line))
            case _:
                pass
    if form != "json":
        return taken_out(text, form, theirs)
    held = [
        keys
        for whole in (want.of if isinstance(want, Element) else want.at[:-1] for want in theirs)
        for keys in (whole[:end] for end in range(1, len(whole) + 1))
    ]
    return taken_out(text, form, theirs, tuple(dict.fromkeys(held)))


def _entry(text: str, form: Form, want: Entry) -> str:
    there = _at(_parsed(text, form), want.at)
    if want.kin and there is not None and not re.search(want.kin, _words(there)):
        raise Taken(want.at, _program(there))
    value = {**there, **_firm(want.value, there)} if isinstance(there, Mapping) else want.value
    if form == "toml":
        return toml.put(text, want.at, value)
    if not isinstance(there, Mapping):
        return jsonc.put(text, want.at, want.value)
    for key, one in value.items():
        text = jsonc.put(text, (*want.at, key), one)
    return text


def _firm(value: Mapping[str, Json], there: Mapping[str, Json]) -> dict[str, Json]:
    return {key: one for key, one in value.items() if key in FIRM and there.get(key) != one}


def _element(text: str, want: Element) -> str:
    """Where one of ours is, of whatever store, this one takes its place; any more than one go."""
    places = list(_places(text, want.of, re.compile(want.kin)))
    for place in reversed(places[1:]):
        text = jsonc.drop(text, place)
    if not places:
        return jsonc.add(text, want.of, want.value)
    there = _at(jsonc.parsed(text), places[0])
    mine = _handler(want.value)
    if isinstance(there, list):  # with a person's options beside it
        return jsonc.put(text, (*places[0], 0), mine)
    if not isinstance(there, Mapping) or not isinstance(mine, Mapping):
        return jsonc.put(text, places[0], mine)
    for key, value in _firm(mine, there).items():
        text = jsonc.put(text, (*places[0], key), value)
    return text


def _without(text: str, want: Element) -> str:
    """The handlers that run this store's words; a group that has no other goes with them."""
    pattern = re.compile(re.escape(want.mark))
    for place in reversed(list(_places(text, want.of, pattern))):
        text = jsonc.drop(text, place)
        group = place[: len(want.of) + 1]
        is_group = len(place) > len(group)
        if is_group and _at(jsonc.parsed(text), place[:-1]) == [] and not jsonc.has_comment(text, group):
            text = jsonc.drop(text, group)
    return text


def _places(text: str, of: Keys, pattern: re.Pattern[str]) -> Iterator[tuple[str | int, ...]]:
    """Where the elements are that the pattern is found in; in a group of handlers, where the handlers are."""
    there = _at(jsonc.parsed(text), of)
    for at, one in enumerate(there if isinstance(there, list) else ()):
        handlers = one.get(_HANDLERS) if isinstance(one, Mapping) else None
        if isinstance(handlers, list):
            for which, two in enumerate(handlers):
                if pattern.search(_words(two)):
                    yield (*of, at, _HANDLERS, which)
        elif pattern.search(_words(one)):
            yield (*of, at)


def _words(value: Json) -> str:
    """What a handler runs, as a line of a shell; of a pair, as OpenCode has a plugin with its options, the first."""
    if isinstance(value, list):
        return value[0] if value and isinstance(value[0], str) else ""
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping):
        return ""
    program, words = value.get("command"), value.get("args")
    if isinstance(program, str) and isinstance(words, list):
        return shlex.join([program, *map(str, words)])
    if isinstance(program, list):
        return shlex.join(map(str, program))
    return program if isinstance(program, str) else ""


def _is_ours(there: Json, want: Entry) -> bool:
    """By what it runs; where nothing says what that would be, by its name."""
    return there is not None and (not want.mark or f" {want.mark} " in f" {_words(there)} ")


def _program(there: Json) -> str:
    """What an entry runs, without the words that go with it: those may be secret."""
    found = there.get("command") if isinstance(there, Mapping) else None
    return str(found[0] if isinstance(found, list) and found else found or "something else")


def _parsed(text: str, form: Form) -> Json:
    return toml.parsed(text) if form == "toml" else jsonc.parsed(text)


def _handler(value: Any) -> Any:
    """What is run: the one handler of a group, or the element itself."""
    return value[_HANDLERS][0] if isinstance(value, Mapping) and _HANDLERS in value else value


def _at(value: Json, place: Sequence[str | int]) -> Json:
    for key in place:
        if isinstance(key, str):
            value = value.get(key) if isinstance(value, Mapping) else None
        else:
            value = value[key] if isinstance(value, list) and key < len(value) else None
    return value
