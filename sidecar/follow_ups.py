"""What the user's next message says of how an exchange turned out: signs, each with its words. Pure.

A clause counts by what it is: a report counts; a question, a request, a condition, an intention does not. What was
pasted counts where it is output that fails or passes. A word for trouble counts only where it is of this exchange.
Text that addresses a judge is left out before anything is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.sidecar.addressed import without_orders
from aftermind.sidecar.cues_words.grammar import (
    ALWAYS_ASKING,
    ANAPHORA,
    ASKING,
    CONTRAST,
    NO,
    OWN,
    PERSONS,
    POLITE,
    REQUESTS,
    SINCE,
    TAKING_UP,
    WANTS_TROUBLE,
)
from aftermind.sidecar.phrases import Hit, Table, Word, hits, words
from aftermind.sidecar.ports import Case
from aftermind.sidecar.voice import Clause, Message, ends_of, listen

Says: TypeAlias = Literal["work", "fail", "part", "revert"]

_COUNTS = re.compile(
    r"(?<![\w.])(?P<n>\d{1,6}) (?P<what>fail(?:ed|ing|ures?|s)?|errors?|broken|passed|passing|pass|ok|successful"
    r"|Fehler|erreurs?|errores|erros|errori|fouten|passent|pasan)\b",
    re.IGNORECASE,
)
_FASTER = re.compile(
    r"(?<![\w.])\d+(?:[.,]\d+)?\s?(?:ms|s|sec\w*|min\w*|h|hours?|[kmg]b)?,? (?:instead of|statt|au lieu de"
    r"|en vez de|em vez de|invece di"
    r"|in plaats van|zamiast|вместо|замість) (?:\w+ ){0,2}\d+(?:[.,]\d+)?\s?(?:ms|s|sec\w*|sek\w*|min\w*|h|hours?"
    r"|stunden?|heures?|[kmg]b)\b"
    r"|\b(?:down to|from \d\S*(?: \w+)? (?:down )?to|runter auf|auf) \d+(?:[.,]\d+)?\s?(?:ms|s|sec\w*|min\w*|[kmg]b)\b",
    re.IGNORECASE,
)
_OUTPUT_FAILS = re.compile(
    r"Traceback|\w*(?:Error|Exception)\b|\b(?:FAIL(?:ED|URE)?|ERR|ERROR|FATAL|panic(?:ked)?|fatal|Caused by)\b"
    r"|^\s*(?:error|e)\b[\[:]"
    r"|✗|✕|×|exit (?:status|code:?) [1-9]|\bnpm ERR"
)
_OUTPUT_PASSES = re.compile(r"^\s*(?:PASS|PASSED|ok|✓)\b|✓|\bpassed\b|BUILD SUCCESS|0 fail")
_ASKED_FOR = re.compile(
    r"\?\s*$|\b(?:paste|send|share|post|tell me|show me|provide|let me know|could you|can you)\b"
    r"|\b(?:schick|zeig|poste|sag mir)\w*|\b(?:envoie|colle|montre|pega|envía|mándame|cole|mande|incolla|manda"
    r"|wklej|podaj)\w*"
    r"|пришл\w+|покаж\w+|скинь\w*|надішл\w+|yapıştır|貼|教えて|发一下|贴|붙여|보내",
    re.IGNORECASE,
)


class Sign(Struct, frozen=True, gc=False):
    """What some words say of the outcome."""

    says: Says
    words: str


class Heard(Struct, frozen=True):
    """A clause, or a part of one after a "but", with what was found in it."""

    text: str
    words: Sequence[Word]
    hits: Sequence[Hit]
    asks: bool
    contrasts: bool
    first: bool

    def has(self, *signs: str) -> bool:
        return any(hit.sign in signs for hit in self.hits)


def signs_of(case: Case, follow_up: str, table: Table) -> list[Sign]:
    """The signs in a follow-up, in the order of their weight; none where nothing is said of the exchange."""
    follow_up = ends_of(follow_up)
    signs, rest = _counted(without_orders(follow_up))
    message = listen(rest)
    trouble_wanted = WANTS_TROUBLE.search(case.prompt) is not None
    asked_back = _ASKED_FOR.search(case.answer[-300:]) is not None
    about = _content(f"{case.prompt} {case.answer}")
    typed = _spoken(_heard(follow_up, message, table), about, trouble_wanted, asked_back)
    signs += typed
    if not trouble_wanted and not asked_back:
        signs += _pasted(message, signs)
    if not signs and _asked_again(case.prompt, message):
        signs.append(Sign("fail", follow_up.strip()))
    return signs


def _counted(said: str) -> tuple[list[Sign], str]:
    """What counts of tests say, and the text without them."""
    found = list(_COUNTS.finditer(said))
    bad = [match for match in found if match["what"][:2].lower() not in ("pa", "ok", "su")]
    rest = _COUNTS.sub(lambda match: " " * len(match[0]), said)
    for match in bad:
        if int(match["n"]):
            return [Sign("fail", match[0])], rest
    faster = _FASTER.search(rest)
    if faster:
        return [Sign("work", faster[0])], rest.replace(faster[0], " " * len(faster[0]))
    return [Sign("work", match[0]) for match in found[:1] if len(bad) or int(match["n"])], rest


def _pasted(message: Message, signs: Sequence[Sign]) -> list[Sign]:
    if not message.pasted or any(sign.says in ("work", "fail", "revert") for sign in signs):
        return []
    if message.clauses and message.clauses[0].words[0].text in REQUESTS:
        return []
    for line in message.pasted:
        if _OUTPUT_FAILS.search(line[:2000]):
            return [Sign("fail", line.strip())]
    for line in message.pasted:
        if _OUTPUT_PASSES.search(line[:2000]):
            return [Sign("work", line.strip())]
    return []


# --- clauses ------------------------------------------------------------------------------------------------------


def _heard(follow_up: str, message: Message, table: Table) -> list[Heard]:
    heard: list[Heard] = []
    asking_from: dict[int, int] = {}
    for at, clause in enumerate(message.clauses):
        if clause.asks and clause.sentence not in asking_from and _asks(clause):
            asking_from[clause.sentence] = at
    for at, clause in enumerate(message.clauses):
        asks = clause.asks and at >= asking_from.get(clause.sentence, 0)
        pieces = _split(clause)
        for place, (begin, text, said, contrasts) in enumerate(pieces):
            start = clause.start + begin
            heard.append(
                Heard(
                    text=follow_up[start : start + len(text)],
                    words=said,
                    hits=tuple(hits(table, text, said)),
                    asks=asks
                    or (clause.asks and place > 0)
                    or (not clause.asks and bool(said) and said[0].text in ALWAYS_ASKING),
                    contrasts=contrasts,
                    first=at == 0 and place == 0,
                )
            )
    return heard


def _split(clause: Clause) -> list[tuple[int, str, list[Word], bool]]:
    """A clause, cut before each word of contrast. One at the end is of the whole."""
    said = clause.words
    cuts = [at for at, word in enumerate(said) if word.text in CONTRAST]
    if not cuts:
        return [(0, clause.text, said, False)]
    if cuts == [len(said) - 1]:
        return [(0, clause.text, said[:-1], True)]
    found = []
    for begin, end in zip([0, *cuts], [*cuts, len(said)], strict=True):
        part = said[begin:end]
        contrasts = begin in cuts
        part = part[1:] if contrasts else part
        if part:
            start = part[0].start
            text = clause.text[start : part[-1].end]
            moved = [Word(word.text, word.start - start, word.end - start) for word in part]
            found.append((start, text, moved, contrasts))
    return found


def _asks(clause: Clause) -> bool:
    said = [word.text for word in clause.words if word.text not in POLITE]
    return bool(said) and said[0] in ASKING


def _spoken(heard: Sequence[Heard], about: set[str], trouble_wanted: bool, asked_back: bool) -> list[Sign]:
    signs: list[Sign] = []
    good: list[Sign] = []
    past: list[Sign] = []
    praised = perfect = ""
    mine = sure = steady = open_ended = opened_first = False
    for before, part in zip((None, *heard), heard, strict=False):
        plain = [word.text for word in part.words if word.text not in POLITE]
        if not plain and not part.hits:
            continue
        if part.has("aside") and part.hits[0].sign == "aside" and part.hits[0].first <= 1:
            break
        if "unrelated" in plain or ({word.text for word in part.words} & OWN and part.has("told")):
            continue
        if part.first and plain[:1] and plain[0] in NO and not asked_back and _takes_up(plain, heard[1:2]):
            signs.append(Sign("fail", part.text))
            sure = True
        if plain[:1] and plain[0] in REQUESTS and not part.has("revert", "still"):
            continue
        if part.has("revert") and not part.asks and not asked_back:
            signs.append(Sign("revert", part.text))
            continue
        if part.asks:
            if part.has("still"):
                signs.append(Sign("fail", part.text))
                sure = True
            continue
        if part.has("if"):
            continue
        if part.has("wish"):
            if part.has("work"):
                signs.append(Sign("fail", part.text))
            continue
        if part.has("later") and not part.has("still", "fail", "work"):
            continue
        mine = mine or part.has("mine")
        likely = part.contrasts or {word.text for word in part.words[:2]} & SINCE
        trouble = part.has("fault") or (part.has("weak") and likely)
        if part.has("still", "fail") or (trouble and not trouble_wanted and _of_this(part, about)):
            if part.has("work"):
                good.append(Sign("work", part.text))
            partly = part.has("part", "only") or (part.contrasts and _reported(before))
            says: Says = "part" if partly else "fail"
            sure = sure or part.has("still", "fail")
            steady = steady or part.has("still")
            (past if part.has("past") else signs).append(Sign(says, part.text))
        elif part.has("part") or (part.has("only") and good):
            signs.append(Sign("part", part.text))
        elif part.has("work"):
            good.append(Sign("work", part.text))
        elif part.contrasts and good and part.words and not part.has("praise", "perfect", "later", "mine", "hush"):
            signs.append(Sign("part", part.text))
        elif _unexplained(part, plain):
            open_ended = True
            opened_first = opened_first or not signs
        if part.has("perfect"):
            perfect = perfect or part.text
        praised = praised or (part.text if part.has("praise") else "")
    if trouble_wanted and any(part.has("still") for part in heard if not part.asks):
        good = []
    elif trouble_wanted and (good or perfect):
        signs = [sign for sign in signs if sign.says != "fail"]
    doubtful = (open_ended and not sure) or opened_first or (praised and not steady and not _turned(heard))
    if not good and doubtful:
        signs = [sign for sign in signs if sign.says == "revert"]
    if not good and not signs and perfect:
        good.append(Sign("work", perfect))
    if not good:
        signs += past
    elif mine:
        signs = [sign for sign in signs if sign.says != "fail"]
    return good + signs


def _takes_up(plain: Sequence[str], after: Sequence[Heard]) -> bool:
    """Whether a "no" denies what was answered, rather than declining something."""
    following = plain[1:] or [word.text for part in after for word in part.words]
    return not following or following[0] in TAKING_UP or any(part.has("fail", "still", "revert") for part in after)


def _unexplained(part: Heard, plain: Sequence[str]) -> bool:
    """Whether a clause reports something without a known sign: trouble beside it may not be the whole story."""
    return len(plain) > 2 and not part.hits and not {word.text for word in part.words[:2]} & PERSONS


def _turned(heard: Sequence[Heard]) -> bool:
    """Whether praise is taken back by what follows: "great, now it deletes my files"."""
    return any(part.contrasts or {word.text for word in part.words[:2]} & SINCE for part in heard)


def _reported(before: Heard | None) -> bool:
    """Whether what stands before a "but" says how something is, rather than what somebody did."""
    if before is None or before.asks or before.hits or len(before.words) < 3:
        return False
    return not {word.text for word in before.words[:2]} & PERSONS


def _of_this(part: Heard, about: set[str]) -> bool:
    """Whether trouble that is named is likely of this exchange."""
    said = {word.text for word in part.words}
    if said & OWN and not said & {"this", "that", "it"} and not _content(part.text) & about:
        return False
    return bool(said & ANAPHORA) or bool(_content(part.text) & about) or len(said) <= 4


def _content(text: str) -> set[str]:
    """The beginnings of the words that are about something."""
    return {word.text[:5] for word in words(text[:4000]) if len(word.text) > 3 and word.text not in ANAPHORA}


def _asked_again(prompt: str, message: Message) -> bool:
    """The same words once more: nothing was solved."""
    before = {word.text for word in words(prompt[:4000]) if len(word.text) > 2}
    again = {word.text for clause in message.clauses for word in clause.words if len(word.text) > 2}
    if len(before) < 4 or len(again) < 4:
        return False
    return len(before & again) >= 0.7 * len(again) and len(before & again) >= 0.6 * len(before)
