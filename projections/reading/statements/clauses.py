"""Where a statement begins and ends in a sentence: what leads to it, why it is so, and what is said next say nothing of
what it says. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, takewhile

from aftermind.engine.lazily import lazily
from aftermind.engine.moments import A_WEEKDAY, BEGINS_A_MONTH
from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.statements.ordered_words import VALUES
from aftermind.projections.reading.statements.wording_words import COPULAS, QUALIFIERS

_LATELY = (
    r"(?:from now on|effective (?:today|immediately)|(?:starting|beginning) (?:today|now)"
    rf"|as of (?:today|now|yesterday|last night|(?:this|last) (?:morning|evening|week|month|year|{A_WEEKDAY}))"
    rf"|since (?:today|yesterday|last night|(?:this|last) (?:morning|evening|week|month|year|{A_WEEKDAY})|{A_WEEKDAY}))"
)
"""That it was otherwise before, and is so by now; what is so since 2019, or from a day to come on, is not of these."""
_LEADS = lazily(
    r"^\s*(?:[-*•]\s+|(?:note|fyi|btw|update|correction|remember|reminder|no|nope|nah|yeah|yep|ok|okay|so|hm+|oh|ah"
    r"|hey|sorry|actually|heads[ -]up|my bad|my mistake|scratch that|(?:(?:no|nah|nope)\s+)?wrong \w+"
    r"|change of plans?"
    r"|(?:i was|i'm|that was|that's) wrong"
    r"|i(?:'ve| have)? changed my mind)(?:\s+guys|\s+all|\s+everyone)?\s*[:,;]\s*"
    rf"|(?:fyi|btw|{_LATELY})(?:[:,;]\s+|\s+(?!\s|(?:is|was|has|had|and|or|until|till)\b)))+",
    re.IGNORECASE,
)
_SINCE = lazily(rf"(?<=\S)(?:,\s+|\s+){_LATELY}[.!;]?\s*$", re.IGNORECASE)
_LATELY_FIRST = lazily(_LATELY, re.IGNORECASE)
_WHEN = rf"yesterday|last|this|today|the (?:start|beginning|end)|\d{{4}}\b|\w+day\b|{BEGINS_A_MONTH}"
_REASON = lazily(
    r"(?<!\s)\s*(?:[,;(–—]\s*)?(?<!\S)(?:(?:because|bc|b/c|cuz|coz|thanks to|so that)(?!\S)"
    rf"|since (?!{_WHEN})\S+\s+\S+\s+\S).*$",
    re.IGNORECASE | re.DOTALL,
)
_ASIDE = lazily(
    r"\s?\((?:behind|since|as|see|cf|hinter|seit|siehe|derrière|depuis|voir|detrás de|desde|véase|ver|dietro|vedi"
    r"|atrás de)\b[^()]*\)(?=[.!;]?\s*$)",
    re.IGNORECASE,
)
_BESIDE = lazily(r"(?:[,;]|(?<=\s)[–—-])\s+behind(?:\s+[^\s,;()]*[^\s,;().!?:]){1,4}(?=[.!;]?\s*$)", re.IGNORECASE)
_POINTER = lazily(
    r"(?:[,;]|(?<=\s)[–—-])\s+(?:please\s+)?(?:(?:see|cf\.?|(?:as\s+|which\s+(?:is|was)\s+)?(?:set|defined|configured"
    r"|documented|described|specified|declared|pinned|hard-?coded)\s+(?:in|by|at))"
    r"\s+(?:(?:the|our)\s+)?(?P<where>[^\s,;()]*[^\s,;().!?:])"
    r"|(?:ask|ping|contact|check with|talk to)\s+(?:her|him|them|me|us)"
    r"(?:\s+first|\s+before\s+(?P<what>\w+ing(?:\s+[^\s,;()]*[^\s,;().!?:]){0,3}))?"
    r"|(?:enforced|checked|gated)\s+(?:in|by|on)\s+(?:our\s+|the\s+)?ci)[.!;]?\s*$",
    re.IGNORECASE,
)
_NEXT = lazily(r"(?:(?<!\s)\s+)?[,;]\s+(?:but\s+)?|(?<!\s)\s+(?:[–—-]|but)\s+", re.IGNORECASE)
_OVER = lazily(r"\bno longer\b|\bany ?(?:more|longer)\b", re.IGNORECASE)
_WORD = lazily(r"[^\W_]+")
_LIMITS = listed(
    """but only except unless when while if for in on at with without until till since because not though although or
    at as than unlike instead rather aber nur außer wenn für mit ohne bis seit weil mais sauf sans pour avec pero salvo
    sin para con mas exceto sem com ma tranne senza per"""
)
_NO_POINTER = QUALIFIERS.keys() | _LIMITS | {"and", "or"}
_FILES = listed(
    """compose dockerfile makefile config configuration conf cfg ini setting package json pyproject toml yaml yml md rst
    txt adoc nvmrc editorconfig prettierrc eslintrc readme contributing codeowners env envrc tsconfig cargo gemfile
    requirement constraint propertie doc documentation wiki adr changelog"""
)
"""Words, without their s, in names of files that hold for all of a project; any other may say what the value is of."""
_CASES = frozenset({"in", "on", "for", "at", "with", "by"})
_SAYING = COPULAS | {"use", "uses", "run", "runs", "has", "have"}
_WHO = frozenset({"we", "it", "they", "i", "now", "instead", "please", "use", "run"})
_DOES = listed(
    """use uses run runs deploy deploys build builds test tests host hosts ship store stores write prefer have
    has like love enjoy favor favour want"""
)
_STILL = listed("only for in still when if except sometimes also it them that there")
"""Of what takes another's place they say that this goes on."""
_STILL_SO = listed(
    """not do does did is are was were will would can could may might should must keep keeps plan never"""
)
_WHERE = listed("on at with by as to from of during via under after before")
"""Behind a `but` both say in which case it goes on, unless that is what ended: `on Fridays but on Mondays`."""
_MOST_CUTS = 50
"""Ends of a statement that are looked at."""
_LONGEST_CASE = 6
"""Words that say in which case something is so."""
_LONGEST_VALUE = 40
"""Characters."""
_TOLD = frozenset({"left", "gone", "went", "has", "have", "runs", "uses", "lives", "wants", "said", "took", "takes"})


def without_lead(text: str) -> str:
    """`heads up, …`, `my bad, …`: they say nothing of what follows."""
    return _LEADS.sub("", text)


def without_since(text: str) -> str:
    """`… since last Tuesday`, `… from now on`: that it is so now."""
    return _SINCE.sub("", text)


def is_of_late(text: str) -> bool:
    """Whether it says so before or behind what it states."""
    lead = _LEADS.match(text)
    return (lead is not None and _LATELY_FIRST.search(lead[0]) is not None) or _SINCE.search(text) is not None


def without_reason(text: str) -> str:
    """`…, because the old one was slow`: with what was so goes why it was."""
    return _REASON.sub("", text)


def without_aside(text: str) -> str:
    """`… (behind nginx)`, `… (see docs/ports.md)`: they add to a statement; `(in staging)` and `(staging)` say in which
    case it holds."""
    return _BESIDE.sub("", _ASIDE.sub("", text))


def without_pointer(text: str) -> str:
    return text.removesuffix(pointer(text))


def pointer(text: str) -> str:
    """`…, see docs/ports.md`, `…, ask her first`, `…, enforced in CI`: where more is said at its end, and in no case.
    Nothing where it names an environment, a condition, somebody else to ask, or what else may be meant: `see tenant-a`,
    `set in apps/legacy/.nvmrc`."""
    if (found := _POINTER.search(text)) is None:
        return ""
    if not _NO_POINTER.isdisjoint(_words(found["what"] or "")):
        return ""
    if found["where"] is None:
        return found[0]
    where = _words(found["where"].lower().replace("docker-compose", "compose"))
    own = {word.removesuffix("s") for word in _words(text[: found.start()])}
    known = all(word.removesuffix("s") in _FILES | own and word not in QUALIFIERS for word in where)
    return found[0] if known else ""


def says_is_over(text: str) -> bool:
    """`no longer`, `not any more`: whatever else it says, it ends what was so."""
    return _OVER.search(text) is not None


def beginnings(text: str) -> list[str]:
    """What of a text says something by itself, before more is said that is a statement of its own: "Tom owns billing
    now" of "Tom owns billing now, Lena moved to search". What limits it stays with it: "the port is 5000, but only in
    production" has no such beginning. The longest first."""
    found: list[str] = []
    ended = _OVER.search(text)
    for cut in islice(_NEXT.finditer(text), _MOST_CUTS):
        said = _first(text, cut.end(), 5)
        is_over = ended is not None and ended.end() <= cut.start()
        over = is_over and _STILL.isdisjoint(said)
        if "but" in cut[0].lower() and over:
            where = _WHERE.intersection(said)
            over = _STILL_SO.isdisjoint(said) and (not where or where <= set(_words(text[: cut.start()])))
        if is_over and _only_another(text, cut.end()):
            found.append(text[: cut.start()].strip())
            continue
        if "but" in cut[0].lower() and (over or "," not in cut[0]):
            found += [text[: cut.start()].strip()] if over else []
            continue
        verb = any(word in COPULAS | _TOLD | {"s"} or word.endswith(("ed", "ete")) for word in said[1:])
        verb = verb or (over and said[0] in _WHO and not _DOES.isdisjoint(said) and _names_another(text, cut, said))
        if len(said) < 2 or said[0] in _LIMITS or "but" in cut[0].lower() or not verb:
            return found[::-1]
        if not _is_case(text[: cut.start()]):
            found.append(text[: cut.start()].strip())
    return found[::-1]


def _only_another(text: str, start: int) -> bool:
    """`no longer npm, only pnpm`: what goes on is another of those of which one is used at a time."""
    said = _words(text[start : start + _LONGEST_VALUE])
    said = said[:1] + said[1 + (said[1:2] in (["use"], ["in"], ["with"])) :]
    if len(said) != 2 or said[0] != "only" or start + _LONGEST_VALUE < len(text):
        return False
    sort, value = VALUES.get(said[1], ("", ""))
    others = {VALUES[word] for word in _words(text[:start]) if word in VALUES}
    return any(one[0] == sort and one[1] != value for one in others)


def _names_another(text: str, cut: re.Match[str], said: Sequence[str]) -> bool:
    """Whether what is said next names another thing than what ended: `…, I like light mode`, and not `…, I like dark
    mode at night`."""
    named = [word for word in said if word not in _WHO | _DOES]
    first = set(takewhile(lambda word: word not in _WHERE, named)) or set(named) - _WHERE
    return not first <= set(_words(text[: cut.start()]))


def _is_case(text: str) -> bool:
    """Whether it only says where or when something is so: "in staging, …"."""
    said = _first(text, 0, _LONGEST_CASE + 1)
    return 0 < len(said) <= _LONGEST_CASE and said[0] in _CASES and _SAYING.isdisjoint(said)


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _first(text: str, start: int, count: int) -> list[str]:
    """So many words from there on."""
    return [match[0].lower() for match in islice(_WORD.finditer(text, start), count)]
