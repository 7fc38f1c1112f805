"""When a standing rule applies, and which of two goes before: read from its own words and its tags. Pure.

A directive is a memory like any other, so it is corrected, locked, undone, forgotten and exported like any other. Its
condition is what its text begins or ends with (`On push: …`, `In tests/: …`, `… before committing`), or what its tags
say (`on:push`, `in:tests/`, `about:billing`); where a tag says of a sort, the text is not asked. Without a condition it
applies always.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct

from aftermind.engine.errors import Unusable
from aftermind.engine.names import GLOBAL, Scope

ACTS = frozenset(
    (
        *("push", "commit", "merge", "rebase", "release", "deploy", "publish", "test", "review", "install", "migrate"),
        *("build", "tag", "refactor", "debug", "upgrade", "rename", "delete", "document", "pull", "branch"),
    )
)
"""What a text has to speak of, for its end or a word without a colon to be a condition."""
_GIVEN = re.compile(r"(on|in|about):(.+)", re.DOTALL)
_ON = re.compile(
    r"(?:on|when|whenever|before|after|while|for)\s+(?:you\s+|we\s+|i\s+)?(?:every\s+|each\s+|any\s+|an?\s+|the\s+)?"
    r"(?P<act>[a-z]+)(?:\s+to\s+[\w/.-]+)?\s*(?P<end>[:,])\s*",
    re.IGNORECASE,
)
_AT_THE_END = re.compile(
    r"\b(?:on|when|whenever|before|after|while)\s+(?:you\s+|we\s+)?(?:every\s+|each\s+|any\s+|an?\s+|the\s+)?"
    r"(?P<act>[a-z]+)\W*\Z",
    re.IGNORECASE,
)
_IN = re.compile(
    r"(?:in|under|within|inside|for|on)\s+(?P<path>`?[\w.@~*{}-]*[/.*][\w./@*{},-]*`?)\s*[:,]?\s+", re.IGNORECASE
)
_ABOUT = re.compile(r"(?:about|for|of)\s+(?:the\s+)?(?P<name>[\w .@#!&/-]{2,60}?)\s*:\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_PATH = re.compile(  # begun where a run of its letters begins, once: of a long one no other beginning does better
    r"(?<![\w.@~+-])[\w.@~+-]*+[/\\][\w./\\@+-]*|(?<![\w@+-])[\w@+-]++\.[A-Za-z]\w{0,8}\b|\.[A-Za-z][\w.-]+"
)
PATHS = "src/, src/api.py or *.sql, for example"
LONGEST = 20_000
"""Characters of what is said at a moment that are looked at."""


class Condition(Struct, frozen=True):
    """All sorts that are given must hold; of a sort, one is enough. None given: always."""

    on: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    about: tuple[str, ...] = ()

    @property
    def is_always(self) -> bool:
        return not (self.on or self.within or self.about)

    @property
    def told(self) -> str:
        """In words: `on push, in tests/`."""
        sorts = (("on", self.on), ("in", self.within), ("about", self.about))
        return ", ".join(f"{name} {' or '.join(some)}" for name, some in sorts if some)


class Moment(Struct, frozen=True):
    """What goes on: the words of a prompt or of a tool's call, and the paths that are touched or named."""

    words: frozenset[str] = frozenset()
    spoken: str = ""
    """The words in their order, each in its plain form, between spaces."""
    paths: tuple[str, ...] = ()


def moment(text: str, paths: Iterable[str] = ()) -> Moment:
    """Of a prompt, or of a tool's name and command, with the paths it touches."""
    text = text[:LONGEST]
    said = [plain(word) for word in _WORD.findall(text.casefold())]
    named = _PATH.findall(text) if "/" in text or "." in text or "\\" in text else []
    found = dict.fromkeys(one.replace("\\", "/") for one in (*paths, *named))
    return Moment(frozenset(said), f" {' '.join(said)} ", tuple(found))


def condition(text: str, tags: Sequence[str] = ()) -> Condition:
    """When a rule of these words and tags applies."""
    given = _given(tags)
    said = _said(text)
    return Condition(given.on or said.on, given.within or said.within, given.about or said.about)


def tags_of(asked: Condition) -> tuple[str, ...]:
    """The tags that say a condition; `Unusable` for a path that is in no other path."""
    for path in asked.within:
        if ".." in path.replace("\\", "/").split("/"):
            raise Unusable("a rule's path is compared by its names, wherever it begins", path, hint=PATHS)
    sorts = (("on", asked.on), ("in", asked.within), ("about", asked.about))
    return tuple(f"{name}:{one.strip()}" for name, some in sorts for one in some if one.strip())


def _given(tags: Sequence[str]) -> Condition:
    found: dict[str, list[str]] = {"on": [], "in": [], "about": []}
    for tag in tags:
        if match := _GIVEN.fullmatch(tag.strip()):
            found[match[1]].append(match[2].strip())
    return Condition(tuple(filter(None, found["on"])), tuple(filter(None, found["in"])), tuple(found["about"]))


def _said(text: str) -> Condition:
    text = text.strip()[:LONGEST]
    on: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    if begins := _IN.match(text):
        within = (begins["path"].strip("`,"),)
        text = text[begins.end() :]
    if begins := _ON.match(text):
        if begins["end"] == ":" or plain(begins["act"]) in _PLAIN_ACTS:
            on = (begins["act"].lower(),)
        text = text[begins.end() :] if on else text
        if not within and (inner := _IN.match(text)):
            within = (inner["path"].strip("`,"),)
    elif not within and (names := _ABOUT.match(text)):
        about = (names["name"],)
    if not on and (ends := _AT_THE_END.search(text)) and plain(ends["act"]) in _PLAIN_ACTS:
        on = (ends["act"].lower(),)
    return Condition(on, within, about)


def applies(rule: Condition, now: Moment) -> str:
    """Why the rule applies at that moment (`on push`), in words; empty where it does not, or applies always."""
    if rule.is_always:
        return ""
    told = []
    for name, some, holds in (("on", rule.on, _acts), ("in", rule.within, _touches), ("about", rule.about, _speaks)):
        if some:
            reason = next((one for one in some if holds(one, now)), None)
            if reason is None:
                return ""
            told.append(f"{name} {reason}")
    return ", ".join(told)


def _acts(act: str, now: Moment) -> bool:
    words = [plain(word) for word in _WORD.findall(act.casefold())]
    return bool(words) and now.words.issuperset(words)


def _touches(path: str, now: Moment) -> bool:
    """A folder or file by its place in a path, wherever that begins; with `*`, by its pattern."""
    wanted = path.replace("\\", "/").removeprefix("./").strip("/")
    if not wanted:
        return bool(now.paths)
    if "*" in wanted:
        many = wanted if wanted.startswith("*") else f"*/{wanted}"
        return any(fnmatchcase(f"/{one}", many) or fnmatchcase(f"/{one}", f"{many}/*") for one in now.paths)
    return any(f"/{wanted}/" in f"/{one}/" for one in now.paths)


def _speaks(name: str, now: Moment) -> bool:
    words = [plain(word) for word in _WORD.findall(name.casefold())]
    return bool(words) and f" {' '.join(words)} " in now.spoken


def narrowness(scope: Scope, rule: Condition) -> tuple[int, ...]:
    """How narrow a rule is: of two that say the opposite where both apply, the narrower one goes before. A thing it is
    about, then the longest path, then what is done, then the project."""
    path = max((len(one.strip("/").split("/")) for one in rule.within), default=0)
    return (bool(rule.about), path, bool(rule.on), scope != GLOBAL)


def plain(word: str) -> str:
    """A word without the ends that `push`, `pushes`, `pushed` and `pushing` differ by; good for comparing alone."""
    for end in ("ing", "ed", "es", "s", "e"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            word = word[: -len(end)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1].isalpha():
        word = word[:-1]
    return f"{word[:-1]}y" if len(word) > 3 and word[-1] == "i" else word


_PLAIN_ACTS = frozenset(map(plain, ACTS))
