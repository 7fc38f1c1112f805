"""What a text names that is one thing and not a word among others: files, symbols, packages, commands, error codes,
people (`@ada`), and the issues and merge requests of a forge (`references.py`). Pure, and by their shape alone; no list
of names.

Two texts that name the same thing say so in different words around it: a file by its path or by its last part, an
issue as `#318` or `issue 318`. A thing is known by its `key`, the same for all of these.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from aftermind.engine.entities.references import references, without_addresses
from aftermind.engine.lately import lately
from aftermind.engine.lazily import lazily

MOST, LONGEST = 32, 80
"""Things of one text that are kept, those named first; characters of a key."""
ABBREVIATION = 3
"""Characters of what has a dot in it and is no file: `e.g`."""
SPELLED = 6
"""Letters of a symbol that is known by them alone, too: `max_retries`, `--max-retries`, `maxRetries` are one thing."""
READ, REMEMBERED, KNOWN = 20_000, 200, 16_000
"""Characters of a text that are looked at; of a part of it, where what it names is remembered; and how many parts
are."""

_THING = lazily(
    r"""
    `(?P<quoted>[^`\n]{2,80})`
  | (?P<path>(?<![\w/.@:-])(?:[~.]{0,2}/)?@?[\w.-]+(?:/[\w.@+-]+)+
      | (?<![\w./-])[\w-]+(?:\.[\w-]+)*\.[a-z][a-z\d]{0,9}\b(?!\())
  | (?P<code>\b0x[\da-f]{2,16}\b | \b[a-z]{1,8}[-_]?\d{2,8}\b(?!-\d)
      | (?<![\w-])[a-z]+(?:[-_][a-z\d]+)*[-_]\d+[a-z\d_-]*\b)
  | (?P<person>(?<![\w.@/+:-])@[a-z][\w-]{1,38}\b(?![/@(]|\.[a-z]))
  | (?P<symbol>\b[a-z_]\w*(?:::\w+)+ | \b[a-z_]\w*_[a-z\d]+\b | \b[a-z]\w*\(\) | (?<!\S)--?[a-z][\w-]+
      | \b(?-i:[a-z]+[A-Z]\w*|[A-Z][a-z\d]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*|E[A-Z]{4,})\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PACKAGE = lazily(
    r"""(?<![\w./@:+-])(?P<name>@?[a-z\d][\w.-]*(?:/[\w.-]+)*)(?:\[[\w,.-]+\])?
    (?:==(?=\d+\.\d)|@[~^]?v?(?!\d+(?:\.\d+){3}))\d[\d.]*(?:[-+][\w.+-]+)?(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
"""A package with its version: `left-pad@1.3`, `requests==2.31`; not `root@10.0.0.5`, nor `icon@2x.png`."""
_PART = lazily(r"`[^`\n]{2,80}`|[^\s`]+|`")
_SPACE = lazily(r"\s+")
_JOINT = lazily(r"^-+|[_-]")


def entities(text: str) -> tuple[str, ...]:
    """The keys of what a text names, each once: what it refers to, then the rest in its order. A path is known by its
    last part, too."""
    if not text:
        return ()
    text = text if text.isascii() else normalize("NFC", text)
    said = dict.fromkeys(key for one in references(text) for key in one.keys)
    text = without_addresses(text[:READ]) if said else text[:READ]
    found: dict[str, None] = {}
    for part in dict.fromkeys(_parts(text)):
        if keys := (_looked_for if len(part) > REMEMBERED or part.isdecimal() else _known)(part):
            found.update(dict.fromkeys(keys))
            if len(found) >= MOST:
                break
    return (*said, *(key for key in tuple(found)[:MOST] if key not in said))


def _parts(text: str) -> list[str]:
    """The pieces of a text of which each names things by itself: its words, and what it quotes."""
    return _PART.findall(text) if "`" in text else text.split()


def _looked_for(part: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    if "@" in part or "==" in part:
        names = (one["name"].casefold() for one in _PACKAGE.finditer(part))
        found.update((name, None) for name in names if 1 < len(name) <= LONGEST)
        part = part if part.startswith("`") else _PACKAGE.sub(" ", part)
    for match in () if part.isdecimal() else _THING.finditer(part):
        found.update((key, None) for key in _keys(match) if 1 < len(key) <= LONGEST)
        if len(found) >= MOST:
            break
    return tuple(found)


@lately(KNOWN)
def _known(part: str) -> tuple[str, ...]:
    """Texts are made of the same words, which are looked at once; numbers there is no end of."""
    return _looked_for(part)


def _keys(match: re.Match[str]) -> tuple[str, ...]:
    said = match[0].strip("`").rstrip(".:-").casefold()
    if match["quoted"]:
        inner = _THING.fullmatch(said)
        return (*(_keys(inner) if inner and not inner["quoted"] else ()), _SPACE.sub(" ", said.strip()))
    if match["path"]:
        last = said.rstrip("/").rpartition("/")[2]
        if len(said) <= ABBREVIATION:
            return ()
        return (said.removeprefix("./"), last) if "." in last else (said.removeprefix("./"),)
    name = said.removesuffix("()")
    letters = _JOINT.sub("", name) if match["symbol"] else name
    return (name, letters) if letters != name and len(letters) >= SPELLED else (name,)
