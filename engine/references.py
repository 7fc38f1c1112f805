"""What of a forge a text refers to: issues and pull requests (`#12`), merge requests (`!34`), epics (`&56`), with or
without the project they are of (`owner/repo#12`, `group/sub/project!34`), or by their address. Pure, and by shape alone.

What a sign and a number stand for is only told where nothing else is: not in the middle of a word or another address
(`C#7`, `a!12`), not as a colour, an HTML entity, a place in a page, or a shell's redirection. A number after a word
that says what it is (`issue 12`, `MR 34`) is one, too; a number alone is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias, cast

from msgspec import Struct

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


_LIKELY = re.compile(
    r"[#!&]\d|://|\b(?:issues?|pr|pull request|mr|merge request|ticket|bug|epic) #?\d|\bGH-\d", re.IGNORECASE
)
"""A first look, which most texts do not pass."""
_LETTER = r"A-Za-z0-9_À-ӿ"
"""What makes a word longer; scripts that are written without spaces do not."""
_REFERENCE = re.compile(
    rf"""
    (?P<url>https?://[^\s<>"'`|\\^{{}}]+)
  | (?<![{_LETTER}./@:+~%\\-])(?P<path>[A-Za-z0-9_][\w.-]*(?:/[A-Za-z0-9_][\w.-]*)+|[a-z][\w.]*-[\w.-]+(?=&))
      (?P<of>[#!&])(?P<there>\d{{1,7}})(?![{_LETTER}]|[.]\d)
  | (?:(?<![{_LETTER}#!&=$@%.?\\/+-])|(?<=\d/))(?P<sign>[#!&])(?P<number>\d{{1,7}})(?![{_LETTER}]|[.]\d)
  | (?<![{_LETTER}-])(?P<noun>issues?|pr|pull[ ]request|mr|merge[ ]request|ticket|bug|epic)[ ]\#?(?P<counted>\d{{1,7}})
      (?![{_LETTER}]|[.]\d)
  | (?<![{_LETTER}-])(?-i:GH)-(?P<github>\d{{1,7}})(?![{_LETTER}])
    """,
    re.VERBOSE | re.IGNORECASE,
)
ADDRESS = re.compile(
    r"https?://(?:[^\s/@]*@)?(?P<host>[\w.-]+|\[[\da-f:]+\])(?::\d+)?/(?P<path>[\w.~-]+(?:/[\w.~-]+)*?)(?:/-)?"
    r"/(?P<what>issues|work_items|pulls?|pull-requests|merge_requests|epics)/(?P<number>\d{1,9})(?!\w)",
    re.IGNORECASE,
)
"""Of an issue and its like, on any host."""
_HOST = re.compile(r"[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}", re.IGNORECASE)
_FILE = re.compile(
    r"\.(?:md|markdown|rst|txt|adoc|html?|py|pyi|tsx?|jsx|rs|go|c|h|cc|cpp|hpp|java|kt|rb|php|css|scss|json|ya?ml|toml"
    r"|sh|sql|xml|svg|lock|cfg|ini|ipynb)$",
    re.IGNORECASE,
)
"""The end of a file's name: a number behind it is a place in that file. `next.js` is a project as well."""
_FOLDER = re.compile(r"(?:src|docs?|lib|tests?|app|pkg|cmd|internal|node_modules|dist|build)/", re.IGNORECASE)
_COLOUR = re.compile(
    r"(?:colou?r|background|fill|stroke|border|shadow|gradient|theme|hex)[\w-]*[\"']?\s*[:=(]?\s*[\"']?$", re.IGNORECASE
)


def references(text: str) -> tuple[Reference, ...]:
    """What a text refers to, each once, in its order."""
    text = text[:READ]
    if not _LIKELY.search(text):
        return ()
    found: dict[Reference, None] = {}
    for match in _REFERENCE.finditer(text):
        found.update(dict.fromkeys(_meant(match)))
        if len(found) >= MOST:
            break
    return tuple(found)[:MOST]


def reference(said: str) -> Reference | None:
    """The one that is meant where nothing but a reference is said; None where it is something else."""
    whole = _REFERENCE.fullmatch(said.strip())
    return next(_meant(whole), None) if whole is not None else None


def without_addresses(text: str) -> str:
    """The text without the addresses of issues and their like, whose parts name nothing."""
    return ADDRESS.sub(" ", text) if "://" in text else text


def _meant(match: re.Match[str]) -> Iterator[Reference]:
    if match["url"]:
        if (address := ADDRESS.match(match["url"])) is not None:
            yield _of_address(address)
    elif match["path"]:
        yield from _of_project(match["path"], cast("Sign", match["of"]), match["there"])
    elif match["noun"]:
        noun = match["noun"].casefold()
        sign: Sign = "!" if noun in ("mr", "merge request") else "&" if noun == "epic" else "#"
        yield from _numbered(sign, match["counted"])
    elif match["github"]:
        yield from _numbered("#", match["github"])
    elif not _is_something_else(match):
        yield from _numbered(cast("Sign", match["sign"]), match["number"])


def _numbered(sign: Sign, number: str, path: str = "", host: str = "") -> Iterator[Reference]:
    if plain := number.lstrip("0"):
        yield Reference(sign, plain, path.casefold(), host.casefold())


def _of_address(address: re.Match[str]) -> Reference:
    what, path = address["what"].casefold(), address["path"].strip("/")
    sign: Sign = "!" if what == "merge_requests" else "&" if what == "epics" else "#"
    path = path.removeprefix("groups/") if sign == "&" or "/-/" in address[0] else path
    return Reference(sign, address["number"].lstrip("0") or "0", path.casefold(), address["host"].casefold())


def _of_project(path: str, sign: Sign, number: str) -> Iterator[Reference]:
    if sign != "&" and (_FILE.search(path) or _FOLDER.match(path)):
        return
    first, _, rest = path.partition("/")
    if "/" in rest and _HOST.fullmatch(first):
        yield from _numbered(sign, number, rest, first)
    else:
        yield from _numbered(sign, number, path)


def _is_something_else(match: re.Match[str]) -> bool:
    """A colour, an anchor of a page, a place among arguments, a character of HTML."""
    sign, number, text, at = match["sign"], match["number"], match.string, match.start()
    before = text[max(0, at - 40) : at]
    if sign != "#":
        in_code = text.count("`", max(0, at - QUOTED), at) % 2 == 1
        return in_code and (sign == "&" or len(number) == 1) or (sign == "&" and before.endswith((">", "(")))
    if before.endswith("](") or text[match.end() : match.end() + 1] == "%":
        return True
    return len(number) in (3, 6) and (number[0] == "0" or bool(_COLOUR.search(before)))
