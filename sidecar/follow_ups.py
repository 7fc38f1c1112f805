"""What the user's next message says of how an exchange turned out: signs, each with its words. Pure.

A clause counts by what it is: a report counts; a question, a request, a condition, an intention, a hope does not. What
was pasted counts where it is output that fails or passes. A word for trouble counts only where it is of this exchange.
Text that addresses a judge is left out before anything is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.addressed import by_a_client, without_orders
from aftermind.sidecar.amounts import Says, Sign, counted
from aftermind.sidecar.apart import apart
from aftermind.sidecar.corrected import corrected
from aftermind.sidecar.cues_words.grammar import (
    ALWAYS_ASKING,
    ANAPHORA,
    DENIALS,
    DISCUSSES,
    HOPES,
    LASTED,
    MODALS,
    NO,
    NOTS,
    OF_AN_ANSWER,
    OTHERS,
    OWN,
    PERSONS,
    POLITE,
    RELATIVES,
    REQUESTS,
    SINCE,
    TAKING_UP,
    THEN,
    UNTOLD,
    UNTRIED,
    WANTING,
    WANTS_TROUBLE,
    WHENS,
)
from aftermind.sidecar.doubted import believed
from aftermind.sidecar.heard import (
    MILD,
    TROUBLE,
    Heard,
    content,
    first_word,
    hear,
    is_wanted,
    named_first,
    of_this,
    requests,
    still_does,
    topics,
    unexplained,
)
from aftermind.sidecar.languages import SMALL_WORDS
from aftermind.sidecar.outputs import printed
from aftermind.sidecar.phrases import Table
from aftermind.sidecar.ports import Case
from aftermind.sidecar.repeated import asked_again
from aftermind.sidecar.voice import ends_of, listen

_ASKED_FOR = re.compile(
    r"\?\s*$|\b(?:paste|send|share|post|tell me|show me|provide|let me know|could you|can you)\b"
    r"|\b(?:schick|zeig|poste|sag mir)\w*|\b(?:envoie|colle|montre|pega|envía|mándame|cole|mande|incolla|manda"
    r"|wklej|podaj)\w*"
    r"|пришл\w+|покаж\w+|скинь\w*|надішл\w+|yapıştır|貼|教えて|发一下|贴|붙여|보내",
    re.IGNORECASE,
)


def signs_of(case: Case, follow_up: str, table: Table) -> list[Sign]:
    """The signs in a follow-up, in the order of their weight; none where nothing is said of the exchange."""
    follow_up = by_a_client(ends_of(follow_up))
    amounts, rest = counted(without_orders(follow_up), case.prompt)
    message = listen(rest)
    trouble_wanted = WANTS_TROUBLE.search(case.prompt) is not None
    asked_back = _ASKED_FOR.search(case.answer[-300:]) is not None
    about = content(f"{case.prompt} {case.answer}")
    if UNTRIED.search(message.typed):
        return []
    mended = "" if asked_back else corrected(case.answer, without_orders(message.typed))
    if mended:
        return [Sign("fail", mended)]
    heard = hear(follow_up, message, table)
    signs = _spoken(heard, amounts, about, trouble_wanted, asked_back)
    if not trouble_wanted:
        if DISCUSSES.match(case.prompt):
            signs = [sign for sign in signs if sign.says != "fail" or first_word(sign.words) in OF_AN_ANSWER]
        signs = apart(signs, heard, {word[:length] for word in topics(case.prompt) for length in (3, 4)})
    signs = believed(signs, heard, about)
    if not trouble_wanted and not asked_back:
        signs += printed(message, follow_up, heard, about, signs)
    if not signs and asked_again(case.prompt, follow_up):
        signs.append(Sign("fail", follow_up.strip()))
    return signs


def _spoken(
    heard: Sequence[Heard], counted: Sequence[Sign], about: set[str], trouble_wanted: bool, asked_back: bool
) -> list[Sign]:
    signs = [sign for sign in counted if sign.says != "work"]
    good = [sign for sign in counted if sign.says == "work"]
    good_in = -1
    praised = perfect = ""
    mine = open_ended = opened_first = False
    sure = steady = any(sign.says == "fail" for sign in counted)
    wants = any(part.asks or requests(part) for part in heard)
    for before, part in zip((None, *heard), heard, strict=False):
        plain = [word.text for word in part.words if word.text not in POLITE]
        if not plain and not part.hits:
            continue
        if part.has("aside") and part.hits[0].sign == "aside" and part.hits[0].first <= 1:
            break
        if "unrelated" in plain or ({word.text for word in part.words} & OWN and part.has("told")):
            continue
        if part.words and part.words[0].text in NO and part.has("praise", "hush"):
            continue
        if part.first and plain[:1] and plain[0] in NO and not asked_back and _takes_up(plain, heard[1:2]):
            signs.append(Sign("fail", part.text))
            sure = steady = True
        if (requests(part) or (plain[:1] and plain[0] in RELATIVES)) and not part.has("revert", "still"):
            continue
        if _hoped(before, part):
            continue
        if part.introduced and before and (requests(before) or before.has("told")):
            continue
        if part.has("revert") and {word.text for word in part.words} & (OTHERS | {"own"}):
            continue
        if part.has("revert") and not part.asks and not asked_back:
            signs.append(Sign("revert", part.text))
            continue
        if part.asks:
            if part.has("fail") and plain[1:2] == ["not"]:
                signs.append(Sign("fail", part.text))
            if any(word.text == "you" for word in part.words) and plain[:1] and plain[0] not in ALWAYS_ASKING:
                continue
            if part.has("still") and ((plain[:1] and plain[0] in ALWAYS_ASKING) or part.has(*TROUBLE, "fail")):
                signs.append(Sign("fail", part.text))
                sure = True
            continue
        if part.has("if"):
            good = [] if part.sentence == good_in else good
            continue
        if part.has("work") and (_is_awaited(part, plain) or _is_required(part)):
            continue
        if part.has("wish"):
            if part.has("work"):
                signs.append(Sign("fail", part.text))
            continue
        if part.has("later") and not part.has("still", "fail", "work"):
            continue
        if part.has("aside") or (part.has("work") and (part.has("past") or set(plain) & HOPES)):
            continue
        mine = mine or part.has("mine")
        likely = part.contrasts or {word.text for word in part.words[:2]} & SINCE
        trouble = part.has("fault") or (part.has("weak") and likely)
        if trouble and not part.has("still", "fail") and (named_first(part) or is_wanted(part)):
            trouble = False
        if still_does(part) and not content(part.text) & about:
            continue
        if wants and part.has("fail") and not part.has("still") and _of_another(part, about):
            continue
        here = part.sentence == good_in or of_this(part, about, wants)
        if part.has("still", "fail") or (trouble and not trouble_wanted and here):
            if part.has("work"):
                good.append(Sign("work", part.text))
            partly = part.has("part", "only") or (part.contrasts and _reported(before))
            says: Says = "part" if partly else "fail"
            if good and {word.text for word in part.words[:2]} & THEN and LASTED.search(good[-1].words):
                good = []
            sure = sure or part.has("still") or any(map(part.says_surely, part.hits))
            steady = steady or part.has("still")
            if not part.has("past"):
                signs.append(Sign(says, part.text))
        elif part.has("part") or (part.has("only") and good):
            signs.append(Sign("part", part.text))
        elif part.has("work"):
            good.append(Sign("work", part.text))
            good_in = part.sentence
        elif good and plain and part.words[-1].text in NOTS and plain[0] not in PERSONS:
            signs.append(Sign("part", part.text))
        elif part.words and part.words[0].text in NOTS and len(part.words) > 1 and not part.hits and before:
            if UNTOLD & set(plain[:3]):
                continue
            if part.sentence == good_in:
                signs.append(Sign("part", part.text))
            elif _was_so(before, part) or (not good and content(part.text) & about):
                signs.append(Sign("fail", part.text))
                sure = True
        elif part.contrasts and good and part.words and not part.has("praise", "perfect", "later", "mine", "hush"):
            signs.append(Sign("part", part.text))
        elif unexplained(part, plain):
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
        signs = [sign for sign in signs if sign.says != "fail"]
    if not good and not signs and perfect:
        good.append(Sign("work", perfect))
    if good and mine:
        signs = [sign for sign in signs if sign.says != "fail"]
    return good + signs


def _takes_up(plain: Sequence[str], after: Sequence[Heard]) -> bool:
    """Whether a "no" denies what was answered, rather than declining something."""
    following = plain[1:] or [word.text for part in after for word in part.words]
    if {"all", "enough", "today", "now"} & set(following[:5]):
        return False
    if plain[0] in DENIALS and following and following[0] not in REQUESTS and not any(part.asks for part in after):
        return True
    return not following or following[0] in TAKING_UP or any(part.has("fail", "still", "revert") for part in after)


def _turned(heard: Sequence[Heard]) -> bool:
    """Whether praise is taken back by what follows: "great, now it deletes my files"."""
    return any(part.contrasts or {word.text for word in part.words[:2]} & SINCE for part in heard)


def _reported(before: Heard | None) -> bool:
    """Whether what stands before a "but" says how something is, rather than what somebody did."""
    if before is None or before.asks or len(before.words) < 3 or any(hit.sign not in MILD for hit in before.hits):
        return False
    return not {word.text for word in before.words[:2]} & PERSONS


def _hoped(before: Heard | None, part: Heard) -> bool:
    """Whether what is said of a success begins with a hope: "ich hoffe, das klappt"."""
    if before is None or before.sentence != part.sentence or len(before.words) > 4 or before.has("work"):
        return False
    return part.has("work") and bool({word.text for word in before.words} & HOPES)


def _of_another(part: Heard, about: set[str]) -> bool:
    """Whether a failure is of something by name that the exchange was not about."""
    named = {word.text for hit in part.hits for word in part.words[hit.first : hit.last + 1]}
    theirs = content(" ".join(word.text for word in part.words if word.text not in named | SMALL_WORDS))
    return bool(theirs) and not theirs & about and not {word.text for word in part.words} & ANAPHORA


def _was_so(before: Heard, part: Heard) -> bool:
    """ "It worked yesterday, not today"."""
    return before.has("work") and before.has("past") and before.sentence == part.sentence


def _is_required(part: Heard) -> bool:
    """Whether a success is what has to be, by a word that stands before it: "es muss funktionieren"."""
    first, last = max((hit.first, hit.last) for hit in part.hits if hit.sign == "work")
    said = [word.text for word in part.words[: max(first, min(last, 2), 0)]]
    return bool(MODALS & set(said)) or bool(set(said[:2]) & PERSONS and set(said[:4]) & WANTING)


def _is_awaited(part: Heard, plain: Sequence[str]) -> bool:
    """Whether a success is what somebody waits for: "when it works, tell me"."""
    awaits = list(plain[:3]) == ["as", "soon", "as"] or bool(WHENS & set(plain[:1]))
    return awaits and any(hit.sign == "work" and 0 <= hit.first <= 4 for hit in part.hits)
