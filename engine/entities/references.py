"""What of a forge a text refers to: issues and pull requests (`#12`), merge requests (`!34`), epics (`&56`), with or
without the project they are of (`owner/repo#12`, `group/sub/project!34`), or by their address. Pure, by shape alone.

What a sign and a number stand for is only told where nothing else is: not in the middle of a word or another address
(`C#7`, `a!12`), not as a colour, an HTML entity, a place in a page, or a shell's redirection. A number after a word
that says what it is (`issue 12`, `MR 34`) is one, too; a number alone is none.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, cast

from msgspec import Struct

from aftermind.engine.lazily import lazily

Sign: TypeAlias = Literal["#", "!", "&"]
SIGNS: dict[Sign, str] = {"#": "issue", "!": "merge request", "&": "epic"}
"""GitHub counts pull requests with its issues, so there `#` is either."""
MOST, READ, QUOTED = 64, 100_000, 400
"""References of one text, those said first; characters of it that are looked at, and in which code begins."""


class Reference(Struct, frozen=True, order=True):
    """One of them. `path` is the project's, an epic's group's; `host` where that is said; both in lower case."""

    sign: Sign
    number: str
    path: str = ""
    host: str = ""

    @property
    def key(self) -> str:
        """`github.com/owner/repo#12`: as much of it as is known."""
        return f"{self.host}/{self.short}" if self.host else self.short

    @property
    def short(self) -> str:
        return f"{self.path}{self.sign}{self.number}"

    @property
    def keys(self) -> tuple[str, ...]:
        """All it may be said as, wherever that is: the whole one first."""
        return (self.key, self.short) if self.host else (self.short,)


_NOUNS_END = ("issue", "issues", "pr", "mr", "request", "ticket", "bug", "epic")
_SPOT = lazily(
    r"https?://[^\s<>\"'`|\\^{}]+|#\d{1,7}(?!\d)|!\d{1,7}(?!\d)|&\d{1,7}(?!\d)|GH-\d{1,7}(?!\d)"
    rf"| (?=\d)(?<=(?i:{'|'.join(noun[-2:] for noun in _NOUNS_END)}) )\d{{1,7}}(?!\d)"
)
"""Where one may be. Each way begins with a letter of its own, so that the rest of a text is passed over quickly.
Behind a space a number is looked at only where a noun may end before it: most texts have numbers."""
_LETTER = r"A-Za-z0-9_À-ӿ"
"""What makes a word longer; scripts that are written without spaces do not."""
_LONGER = lazily(rf"[{_LETTER}]|[.]\d")
_NO_SIGN = lazily(rf"[{_LETTER}#!&=$@%.?\\/+-]")
_NO_PATH = lazily(rf"[{_LETTER}#!&@:+~%\\]")
"""After what no sign, and no path, begins."""
_NOUNS = "issues?|pr|pull request|mr|merge request|ticket|bug|epic"
_NOUN = lazily(rf"(?<![{_LETTER}-])(?P<noun>{_NOUNS})$", re.IGNORECASE)
LONGEST_NOUN = 16
"""Characters, and what is before it."""
_IN_PATH = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/")
LONGEST_PATH = 200
ADDRESS = lazily(
    r"https?://(?:[^\s/@]*@)?(?P<host>[\w.-]+|\[[\da-f:]+\])(?::\d+)?/(?P<path>[\w.~-]+(?:/[\w.~-]+)*?)(?:/-)?"
    r"/(?P<what>issues|work_items|pulls?|pull-requests|merge_requests|epics)/(?P<number>\d{1,9})(?!\w)",
    re.IGNORECASE,
)
"""Of an issue and its like, on any host."""
_HOST = lazily(r"[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3}", re.IGNORECASE)
_WHOLE = lazily(r"(?P<host>[^/\s]+)/(?P<path>[^\s#!&]+)(?P<sign>[#!&])(?P<number>\d+)")
_FILE = lazily(
    r"\.(?:md|markdown|rst|txt|adoc|html?|py|pyi|tsx?|jsx|rs|go|c|h|cc|cpp|hpp|java|kt|rb|php|css|scss|json|ya?ml|toml"
    r"|sh|sql|xml|svg|lock|cfg|ini|ipynb)$",
    re.IGNORECASE,
)
"""The end of a file's name: a number behind it is a place in that file. `next.js` is a project as well."""
_FOLDER = lazily(r"(?:src|docs?|lib|tests?|app|pkg|cmd|internal|node_modules|dist|build)/", re.IGNORECASE)
_PATH = lazily(r"[A-Za-z0-9_][\w.-]*(?:/[A-Za-z0-9_][\w.-]*)+|[a-z][\w.]*-[\w.-]+", re.ASCII)
_AFTER_ANOTHER = lazily(r"\d/$")
"""`#12/#13`."""
_SIGN_OF: dict[str, Sign] = {"mr": "!", "merge request": "!", "epic": "&"}
_NAMED = lazily(rf"(?:(?:{_NOUNS}) |GH-)?[#!&]?\d{{1,7}}", re.IGNORECASE)
_COLOUR = lazily(
    r"(?:colou?r|background|fill|stroke|border|shadow|gradient|theme|hex)[\w-]*[\"']?\s*[:=(]?\s*[\"']?$", re.IGNORECASE
)


def references(text: str) -> tuple[Reference, ...]:
    """What a text refers to, each once, in its order."""
    found: dict[Reference, None] = {}
    for spot in _SPOT.finditer(text[:READ]):
        if (one := _meant(spot)) is not None:
            found[one] = None
            if len(found) >= MOST:
                break
    return tuple(found)


def reference(said: str) -> Reference | None:
    """The one that is meant where nothing but a reference is said; None where it is something else."""
    said = said.strip()
    found = references(said)
    is_all = len(found) == 1 and (ADDRESS.match(said) or said.casefold() == found[0].key or _NAMED.fullmatch(said))
    return found[0] if is_all else None


def whole(key: str) -> Reference | None:
    """The reference of a whole key, whose first part is a host whatever it looks like."""
    found = _WHOLE.fullmatch(key)
    if found is None:
        return None
    return Reference(cast("Sign", found["sign"]), found["number"], found["path"], found["host"])


def without_addresses(text: str) -> str:
    """The text without the addresses of issues and their like, whose parts name nothing."""
    return ADDRESS.sub(" ", text) if "://" in text else text


def _meant(spot: re.Match[str]) -> Reference | None:
    said, text, start = spot[0], spot.string, spot.start()
    match said[0]:
        case "h":
            address = ADDRESS.match(said)
            return _of_address(address) if address is not None else None
        case " ":
            before = text[max(0, start - LONGEST_NOUN) : start]
            if not before.lower().endswith(_NOUNS_END) or _LONGER.match(text, spot.end()):
                return None
            noun = _NOUN.search(before)
            return _numbered(_SIGN_OF.get(noun["noun"].casefold(), "#"), said[1:]) if noun is not None else None
        case "G":
            is_part = _LONGER.match(text, spot.end()) or (start and re.match(rf"[{_LETTER}-]", text[start - 1]))
            return None if is_part else _numbered("#", said[3:])
        case _:
            if _LONGER.match(text, spot.end()):
                return None
            return _signed(cast("Sign", said[0]), said[1:], text, start, spot.end())


def _signed(sign: Sign, number: str, text: str, start: int, end: int) -> Reference | None:
    """What a sign and a number stand for, by what is around them."""
    if (before := text[start - 1 : start]) in _IN_PATH and before:
        at = start
        while at > 0 and start - at < LONGEST_PATH and text[at - 1] in _IN_PATH:
            at -= 1
        path = text[at:start]
        if _PATH.fullmatch(path) and not (at and _NO_PATH.match(text[at - 1])):
            return _of_project(path, sign, number)
        if not _AFTER_ANOTHER.search(path):
            return None
    elif before and _NO_SIGN.match(before):
        return None
    return None if _is_something_else(sign, number, text, start, end) else _numbered(sign, number)


def _numbered(sign: Sign, number: str, path: str = "", host: str = "") -> Reference | None:
    plain = number.lstrip("0")
    return Reference(sign, plain, path.casefold(), host.casefold()) if plain else None


def _of_address(address: re.Match[str]) -> Reference:
    what, path = address["what"].casefold(), address["path"].strip("/")
    sign: Sign = "!" if what == "merge_requests" else "&" if what == "epics" else "#"
    path = path.removeprefix("groups/") if sign == "&" or "/-/" in address[0] else path
    return Reference(sign, address["number"].lstrip("0") or "0", path.casefold(), address["host"].casefold())


def _of_project(path: str, sign: Sign, number: str) -> Reference | None:
    if "/" not in path and sign != "&":  # only a group stands alone
        return None
    if sign != "&" and (_FILE.search(path) or _FOLDER.match(path)):
        return None
    first, _, rest = path.partition("/")
    if "/" in rest and _HOST.fullmatch(first):
        return _numbered(sign, number, rest, first)
    return _numbered(sign, number, path)


def _is_something_else(sign: Sign, number: str, text: str, start: int, end: int) -> bool:
    """A colour, an anchor of a page, a place among arguments, a redirection."""
    before = text[max(0, start - 40) : start]
    if sign != "#":
        in_code = text.count("`", max(0, start - QUOTED), start) % 2 == 1
        alone = text[start - 1 : start] == "`" == text[end : end + 1]
        if in_code and not alone and (sign == "&" or len(number) == 1):
            return True
        return sign == "&" and before.endswith((">", "("))
    if before.endswith("]("):
        return True
    return len(number) in (3, 6) and (number[0] == "0" or bool(_COLOUR.search(before)))
