"""A text cut into pieces that say of what kind they are: an amount, a day, a path, a name, a plain word. Pure."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias
from unicodedata import normalize

from msgspec import Struct

from aftermind.engine.lazily import lazily
from aftermind.engine.moments import WEEKDAYS
from aftermind.projections.reading.statements import words as table

Sort: TypeAlias = Literal["amount", "day", "clock", "place", "name", "toggle", "word", "mark"]


class Piece(Struct, frozen=True):
    """`key` compares equal where two say the same; `unit` is an amount's dimension, or what is counted."""

    key: str
    raw: str
    sort: Sort
    unit: str = ""

    @property
    def is_name(self) -> bool:
        """Written with a capital: of somebody or something."""
        return self.raw[:1].isupper()


_PIECE = lazily(
    r"""(?P<quoted>`[^`\n]+`|"[^"\n]+"|“[^”\n]+”|(?<!\w)'[^'\n]+'(?!\w))
      | (?P<url>\b[a-z][a-z0-9+.-]{1,20}://[^\s<>"'`]+)
      | (?P<iso>\b\d{4}-\d{2}-\d{2}\b)
      | (?P<clock>\b\d{1,2}:\d{2}(?:\s?(?:am|pm|utc|cet|est|pst|gmt))?\b)
      | (?P<path>(?<![\w.])(?:(?:~|\.{1,2})?/[\w.@~+/{}*-]*|\.[a-z]\w*(?:\.\w+)*))
      | (?P<number>(?<![\w])v?\d[\d.,_]*(?:-[a-z]\w*)?(?:%|[a-zµ]{1,3}\b)?)
      | (?P<word>[#@]?[^\W_](?:[\w]|[._/@\\+\#:'’*-](?=[\w*]))*(?:\+\+|\#)?|_\w+|\#\w[\w-]*)
      | (?P<mark>[=,;:()—–+&]|\s-\s)""",
    re.VERBOSE | re.IGNORECASE,
)
_BEGINNING = ("In", "On", "For", "At", "By")
"""Their capital is the sentence's where no name follows, or a comma soon: `In staging`, and not `In Rainbows`."""
_AMOUNT = lazily(r"(v?)(\d[\d.,_]*?)[.,]?([a-zµ%]{0,3})", re.IGNORECASE)
_WHOLE = lazily(r"v?\d[\d.,]*")
_ADDRESS = lazily(r"\d{1,3}(?:\.\d{1,3}){3}")
_CODE = lazily(r"[_@\\#:\d+]|[a-z][A-Z]|\w\.\w")
_FILE = lazily(r"[\w.-]+\.(?:[a-z]{1,5}\d?)", re.IGNORECASE)


def pieces(text: str) -> list[Piece]:
    found: list[Piece] = []
    for match in _PIECE.finditer(normalize("NFKC", text).replace("’", "'")):
        raw = match[0].strip()
        match match.lastgroup:
            case "quoted":
                found.append(_of_word(raw[1:-1], quoted=True))
            case "url" | "path":
                found.append(Piece(raw.rstrip(".,;:").lower(), raw, "place"))
            case "iso":
                found.append(Piece(raw, raw, "day"))
            case "clock":
                found.append(Piece(raw.lower().replace(" ", "").lstrip("0"), raw, "clock"))
            case "number":
                found.append(_of_number(raw))
            case "mark":
                found.append(Piece(raw.strip(), raw, "mark"))
            case _:
                found.append(_of_word(raw))
    if found and found[-1].key in ("on", "off"):  # else it says where
        found[-1] = _toggle(found[-1].raw)
    if len(found) > 1 and found[0].raw in _BEGINNING:
        case = not found[1].is_name or found[1].key in table.CASES or any(piece.key == "," for piece in found[2:7])
        found[0] = Piece(found[0].key, found[0].key, "word") if case else found[0]
    return _together(found)


def _toggle(raw: str) -> Piece:
    return Piece("enabled" if raw.lower() in table.ON | {"on"} else "disabled", raw, "toggle")


def _of_number(raw: str) -> Piece:
    split = _AMOUNT.fullmatch(raw)
    if split is None:
        return Piece(raw.lower(), raw, "name")
    number, unit = split[2].rstrip(".,").replace(",", "").replace("_", ""), split[3].lower()
    if not unit:
        return Piece(number, raw, "place" if _ADDRESS.fullmatch(number) else "amount")
    if unit in table.UNITS:
        return _measured(number, unit, raw)
    return Piece(raw.lower(), raw, "amount" if unit in ("k", "m", "x", "am", "pm") else "name")


def _measured(number: str, unit: str, raw: str) -> Piece:
    dimension, size = table.UNITS[unit]
    try:
        return Piece(f"{float(number) * size:g}", raw, "amount", dimension)
    except ValueError:
        return Piece(number, raw, "amount", dimension)


def _of_word(raw: str, *, quoted: bool = False) -> Piece:
    raw = raw.strip()
    key = raw.lower()
    if _WHOLE.fullmatch(key):
        return _of_number(key)
    if "/" in raw or ("." in raw and not quoted and not raw[0].isupper() and _FILE.fullmatch(raw)):
        return Piece(key, raw, "place")
    if quoted:
        return Piece(" ".join(key.split()), raw, "name")
    if key in table.DAYS:
        return Piece(table.DAYS[key], raw, "day")
    if key in table.NUMBERS:
        return Piece(table.NUMBERS[key], raw, "amount")
    if key in table.ON or key in table.OFF:
        return _toggle(raw)
    is_code = _CODE.search(raw) is not None or (raw.isupper() and len(raw) > 1)
    return Piece(key, raw, "name" if is_code else "word")


def _together(found: list[Piece]) -> list[Piece]:
    """An amount with its unit, a month with its day and year, as one piece."""
    joined: list[Piece] = []
    at = 0
    while at < len(found):
        piece = found[at]
        after = found[at + 1] if at + 1 < len(found) else None
        if piece.sort == "amount" and after is not None and after.key in table.UNITS and not piece.unit:
            joined.append(_measured(piece.key, after.key, f"{piece.raw} {after.raw}"))
            at += 2
        elif _is_month(piece) and after is not None and after.sort == "amount" and not after.unit:
            length = 2
            while at + length < len(found) and found[at + length].sort == "amount" and length < 4:
                length += 1
            joined.append(_day(found[at : at + length]))
            at += length
        elif piece.sort == "amount" and not piece.unit and after is not None and _is_month(after):
            length = 3 if at + 2 < len(found) and found[at + 2].sort == "amount" else 2
            joined.append(_day(found[at : at + length]))
            at += length
        else:
            joined.append(piece)
            at += 1
    return _without_weekdays(joined)


def _without_weekdays(found: list[Piece]) -> list[Piece]:
    """`Friday, 11 December` is the 11th of December."""
    kept: list[Piece] = []
    for piece in found:
        if piece.sort == "day" and piece.key not in table.DAYS.values():
            before = kept[:-1] if kept and kept[-1].key == "," else kept
            if before and before[-1].raw.lower() in WEEKDAYS and before[-1].sort == "day":
                kept = before[:-1]
        kept.append(piece)
    return kept


def _is_month(piece: Piece) -> bool:
    return piece.key in table.MONTHS and piece.is_name


def _day(parts: list[Piece]) -> Piece:
    said = sorted(part.key[:3] if _is_month(part) else part.key for part in parts)
    return Piece(" ".join(said), " ".join(part.raw for part in parts), "day")
