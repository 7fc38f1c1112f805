"""What amounts in a follow-up say: counts of tests, so many of so many, from so much to so much. Pure.

A time or a size that shrank is a success. One that grew is a failure where less was asked for, and says nothing
elsewhere. "9 of 14" is a part. What was read is blank afterwards, so that nothing reads it again.
"""

from __future__ import annotations

import re
from itertools import product
from typing import Literal, TypeAlias

from msgspec import Struct

Says: TypeAlias = Literal["work", "fail", "part", "revert"]


class Sign(Struct, frozen=True, gc=False):
    """What some words say of the outcome."""

    says: Says
    words: str


_COUNTS = re.compile(
    r"(?<![\w.,])(?P<n>\d{1,6}|\d{1,3}(?:,\d{3}){1,3}) "
    r"(?P<what>fail(?:ed|ing|ures?|s)?|errors?|broken|passed|passing|pass|ok|successful"
    r"|Fehler|erreurs?|errores|erros|errori|fouten|passent|pasan)\b",
    re.IGNORECASE,
)
_SOME_OF = re.compile(
    r"(?<![\w.])(?P<some>\d{1,5}) (?:out )?(?:of|von|sur|de|di|su|van(?: de)?|z|ze|из|з)"
    r"(?: (?:the|my|den|les|los|las|os|as|i|le))? (?P<all>\d{1,5})\b(?! ?(?:%|ms|s|sec\w*|min\w*|[kmg]b)\b)",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?:step|part|page|phase|chapter|item|task|teil|schritt|seite|étape|paso|passo|version)\s$", re.IGNORECASE
)
_UNITS = (
    (1e-3, "time", r"ms|millis\w*"),
    (
        3600.0,
        "time",
        r"h|hours?|stunden?|heures?|horas?|or[ae]|uur|uren|godzin\w*|час\w*|годин\w*|saat\w*|小时|時間|시간",
    ),
    (60.0, "time", r"min\w*|dakika\w*|dk|мин\w*|хв\w*|分钟|分鐘|分|분"),
    (1.0, "time", r"s|sec\w*|sek\w*|seg\w*|saniye\w*|sn|с|сек\w*|秒|초"),
    (1e3, "size", r"kb|kib|kilo\w*"),
    (1e9, "size", r"gb|gib|gig\w*|гб"),
    (1e6, "size", r"mb|mib|meg\w*|мб"),
)
_UNIT = "|".join(unit for _, _, unit in _UNITS)
_NOTHING = r"nothing|zero|nichts|rien|nada|niente|niets|zera|нуля"
_ENDS = r"(?![^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
_BEGINS = r"(?<![\w.])"
_NUMBER = r"\d{1,9}(?:[.,]\d{1,9}){0,3}"
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3}){2,})")
_PERHAPS_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")


def _amount(at: str) -> str:
    return (
        rf"(?:(?P<n{at}>{_NUMBER})\s?(?:(?P<u{at}>{_UNIT}){_ENDS})?"
        rf"|(?:[^\W\d_]{{1,12}} ){{0,2}}(?P<w{at}>{_UNIT}){_ENDS})"
    )


_SECOND = rf"(?:{_amount('b')}|(?P<no>{_NOTHING})\b)"
_CHANGES = (
    re.compile(
        rf"{_BEGINS}(?:from|von|vom|de|da|van|z|ze|с|со|от|з|від|从|從)\s?{_amount('a')},?"
        rf"\s?(?:(?:down|runter|naar beneden|up)\s)?(?:to|auf|zu|à|a|para|pra|naar|op|do|до|到|降到|降至)\s?{_SECOND}",
        re.IGNORECASE,
    ),
    re.compile(rf"{_BEGINS}{_amount('a')}\s?(?:->|→|=>|から|에서|降到|降至|变成|到)\s?{_SECOND}", re.IGNORECASE),
)
_INSTEAD = re.compile(
    rf"{_BEGINS}{_amount('b')},? (?:instead of|statt|au lieu de|en vez de|em vez de|invece di|in plaats van|zamiast"
    rf"|вместо|замість) (?:\w+ ){{0,2}}{_amount('a')}",
    re.IGNORECASE,
)
_DOWN_TO = re.compile(rf"\b(?:down to|runter auf) {_NUMBER}\s?(?:{_UNIT}){_ENDS}", re.IGNORECASE)
_LESS = re.compile(
    r"\b(?:slow\w*|speed\w*|fast\w*|quick\w*|takes?|long|latency|time|size|big|huge|large|shrink|reduce|smaller|cut"
    r"|memory|langsam\w*|schnell\w*|dauert|ewig|klein\w*|groß|lent\w*|rapid\w*|vite|réduis|taille|lent[oa]|tarda"
    r"|rápid[oa]|tamaño|demora|tamanho|veloc\w*|ridu\w*|dimension\w*|traag|snel\w*|kleiner|przyspiesz|wolno|szybciej"
    r"|медленн\w*|быстр\w*|ускор\w*|повільн\w*|швидш\w*|yavaş|hızlan\w*)\b|慢|快|遅|速|느려|느린|빠르|줄여|오래",
    re.IGNORECASE,
)


_WANTED = re.compile(
    r"(?:^|[.!?;\n] ?)(?:(?:and|now|then|please|also|next|ok|jetzt|bitte)[,:]? ){0,3}"
    r"(?:change|set|make|move|reduce|lower|raise|bump|increase|decrease|cut|ändere|stell|mach|setze|passe|cambia"
    r"|mets|muda|zmień|verander|zet|измени|поставь)\b[^.!?;\n]{0,80}$|\b(?:should|can you"
    r"|could you)\b[^.!?;\n]{0,80}$",
    re.IGNORECASE,
)
_NOT_A_COUNT = re.compile(
    r"\b(?:after|every|each|first|last|top|than|least|most|max|allow|allows|up to|on|if|when|per|nach|ab|bei"
    r"|après|tras"
    r"|después de|após|dopo|na|po|после|the|those|these|your)\s$",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[^.!?;\n]{0,80}[?？]")


def counted(said: str, prompt: str) -> tuple[list[Sign], str]:
    """What the amounts say, and the text, as long as before, without them."""
    found = [match for match in _COUNTS.finditer(said) if not _NOT_A_COUNT.search(said[: match.start()][-80:])]
    found = [
        match for match in found if not _ASKS.match(said, match.end()) and not _WANTED.search(_before(said, match))
    ]
    bad = [match for match in found if match["what"][:2].lower() not in ("pa", "ok", "su")]
    for match in bad:
        if _count(match):
            return [Sign("fail", match[0])], _without(said, *found)
    rest = _without(said, *found)
    changed = _changed(rest, prompt)
    if changed is not None:
        match, says = changed
        return [Sign(says, match[0])] if says else [], _without(rest, match)
    some = _SOME_OF.search(rest)
    if some and 0 < int(some["some"]) < int(some["all"]) and not _PLACE.search(rest[: some.start()]):
        return [Sign("part", some[0])], _without(rest, some)
    good = [match for match in found if match not in bad]
    if good and not any(map(_count, good)):
        return [], rest  # nothing passed that could have failed
    return [Sign("work", match[0]) for match in found[:1]], rest


def _count(match: re.Match[str]) -> int:
    return int(match["n"].replace(",", ""))


_IN_A_LINE = re.compile(r"[^\n]")


def _before(said: str, match: re.Match[str]) -> str:
    return said[max(0, match.start() - 120) : match.start()]


def _is_wanted(said: str, match: re.Match[str]) -> bool:
    """Whether an amount is asked for, or asked about."""
    return bool(_WANTED.search(_before(said, match)) or _ASKS.match(said, match.end()))


def _without(text: str, *found: re.Match[str]) -> str:
    """The text with these blanked: as long, and of as many lines."""
    for match in found:
        text = text[: match.start()] + _IN_A_LINE.sub(" ", match[0]) + text[match.end() :]
    return text


def _changed(said: str, prompt: str) -> tuple[re.Match[str], Says | None] | None:
    """How a time or a size changed, if that is said."""
    down = _DOWN_TO.search(said)
    for pattern in (*_CHANGES, _INSTEAD):
        match = pattern.search(said)
        if match is None:
            continue
        if _is_wanted(said, match):
            return match, None
        before, after = _measure(match, "a"), _measure(match, "b")
        unit = before[1] or after[1]
        if unit is None or (before[1] and after[1] and before[1][1] != after[1][1]):
            continue
        was = [number * (before[1] or unit)[0] for number in before[0]]
        became = [number * (after[1] or unit)[0] for number in after[0]]
        read = list(zip(was, became, strict=True) if len(was) == len(became) else product(was, became))
        if all(now < then for then, now in read):
            return match, "work"
        return match, "fail" if all(now > then for then, now in read) and _LESS.search(prompt) else None
    return None if down is None else (down, "work")


def _measure(match: re.Match[str], at: str) -> tuple[tuple[float, ...], tuple[float, str] | None]:
    """What the number may be (1 where there is but a unit, 0 for nothing), and its unit, if it has one."""
    groups = match.groupdict()
    if at == "b" and groups.get("no"):
        return (0.0,), None
    number = groups[f"n{at}"]
    unit = groups[f"u{at}"] or groups[f"w{at}"]
    meant = None if unit is None else next((u[:2] for u in _UNITS if re.fullmatch(u[2], unit, re.IGNORECASE)), None)
    return ((1.0,) if number is None else _readings(number)), meant


def _readings(number: str) -> tuple[float, ...]:
    """`1,200` is over a thousand; `1.200` may be that, or a little over one; `1,2` and `1.2` are the same."""
    if _THOUSANDS.fullmatch(number):
        return (float(re.sub(r"[.,]", "", number)),)
    *whole, last = re.split(r"[.,]", number)
    decimal = float(f"{''.join(whole)}.{last}" if whole else last)
    return (decimal, float("".join((*whole, last)))) if _PERHAPS_THOUSANDS.fullmatch(number) else (decimal,)
