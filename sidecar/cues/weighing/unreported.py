"""What a remark says of an exchange where it does not report how that turned out: mostly nothing. Pure.

Rules in the order they are asked in. The first one that is about a remark says what the tally is after it; of those
that say nothing that is the tally as it was. A remark that none of them is about is a report (`reported.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import structs

from aftermind.sidecar.cues.clauses.heard import TROUBLE, Heard, requests
from aftermind.sidecar.cues.weighing.remarks import Remark
from aftermind.sidecar.cues.weighing.tallied import SURE, Tally
from aftermind.sidecar.utterances.grammar import (
    ALWAYS_ASKING,
    DENIALS,
    HOPES,
    MODALS,
    NEGATIONS,
    NO,
    OTHERS,
    PERSONS,
    POLITE,
    RELATIVES,
    REQUESTS,
    TAKING_UP,
    UNTOLD,
    WANTING,
    WHENS,
)
from aftermind.sidecar.utterances.hearsay import only_says_who, told_by_others

Rule: TypeAlias = Callable[[Remark, Tally], Tally | None]
"""The tally after a remark; None where the rule is not about it."""
_ANOTHERS = OTHERS | {"own"}
_WHETHER = frozenset("do does did is are was were has have can could will would".split())
"""They ask whether something is so."""
_WHY = frozenset("why warum wieso weshalb pourquoi perché waarom dlaczego почему чому".split())
_UNTIL = frozenset("until till bis hasta jusqu' finché tot zodra".split())
_GRANTED = frozenset("normal ok okay expected intended intentional deliberate matter matters weird strange".split())
"""Who asks so of something says that it is so: "is it normal that it still fails?"."""
_CHECKS = frozenset(
    """
    fix solve correct check verify test confirm see look review ensure sure why work works show prove try tell
    """.split()
)
"""Who asks for these leaves open whether it works."""
_TAKES_FOR_GRANTED = ({"is", "there", "reason"}, {"is", "it", "me", "or"})
_CAME = frozenset("worked passed ging lief funktionierte klappte funcionó funcionou".split())
"""What was awaited came: "ran it again until it passed"."""
_ON = frozenset("wait run do keep go try continue repeat please".split())
"""They order to wait, or to do it over."""
_HOW = frozenset("by from to via through differently off over into durch über anders vers par por desde".split())
"""After what goes, they tell how or where it does."""
_ENDS = frozenset({"all", "enough", "today", "now"})


def denies(remark: Remark, heard: Sequence[Heard]) -> bool:
    """Whether a message begins with a "no" to what was answered: "no, it crashes". To a question it is the reply."""
    if not remark.part.first or remark.lead not in NO or remark.setting.asked_back:
        return False
    after = heard[1:2]
    following = remark.plain[1:] or [word.text for part in after for word in part.words]
    if not _ENDS.isdisjoint(following[:5]):  # "no, that is all"
        return False
    if following == ["not"] and all(part.contrasts for part in after):  # "no, not yet"
        return False
    if any(part.has("work") and not part.has("fail", "still", "fault") for part in (remark.part, *after)):
        return False  # "no, it is fine", "no it is fine"
    if remark.lead in DENIALS and following and following[0] not in REQUESTS and not any(part.asks for part in after):
        return True
    return not following or following[0] in TAKING_UP or any(part.has("fail", "still", "revert") for part in after)


def _a_request(remark: Remark, tally: Tally) -> Tally | None:
    """What is wanted next, or what something is to be like: "add a test for the failing case"."""
    if remark.has("revert", "still"):
        return None
    return tally if remark.lead in RELATIVES or requests(remark.part) else None


def _a_hope(remark: Remark, tally: Tally) -> Tally | None:
    """A success after a few words of hope: "ich hoffe, das klappt"."""
    before = remark.before
    if before is None or not remark.has("work") or before.has("work"):
        return None
    follows = before.sentence == remark.part.sentence and len(before.words) <= 4
    return tally if follows and any(word.text in HOPES for word in before.words) else None


def _what_is_quoted(remark: Remark, tally: Tally) -> Tally | None:
    """What a colon introduces after a request or somebody's words: "the log says: still failing"."""
    before = remark.before
    introduced = remark.part.introduced and before is not None and (requests(before) or before.has("told"))
    return tally if introduced else None


def _what_is_to_be_undone(remark: Remark, tally: Tally) -> Tally | None:
    """What was done is to be undone: "please revert that". Of something else it says nothing, nor does a question."""
    if not remark.has("revert"):
        return None
    if remark.holds(_ANOTHERS):
        return tally
    return None if remark.part.asks or remark.setting.asked_back else tally.adding("revert", remark.text)


def _a_question(remark: Remark, tally: Tally) -> Tally | None:
    """A question says nothing, but for one that tells of a failure: "is not working?", "why is it still red?"."""
    if not remark.part.asks:
        return None
    if _asks_after_a_but(remark, tally) and (remark.signs - {"praise", "hush"} or remark.holds(_CHECKS)):
        return structs.replace(tally, good=())  # "works, but can you fix the logout?"
    if remark.has("fail") and remark.plain[1:2] == ["not"]:
        tally = tally.adding("fail", remark.text)
    why = remark.lead in ALWAYS_ASKING
    if "you" in remark.said and remark.lead and not why:  # "can you still see the error?"
        return tally
    asks = remark.lead in _WHETHER and not _is_granted(remark.said)
    if asks or ("supposed" in remark.said and remark.lead not in _WHY):
        return tally  # "does it still fail on main?", "what is it supposed to be?"
    told = remark.has("still") and (why or remark.has(*TROUBLE, "fail"))
    return tally.adding("fail", remark.text, SURE) if told else tally


def _asks_after_a_but(remark: Remark, tally: Tally) -> bool:
    """Whether it is asked after a success and a "but": "works, but can you also add a test?"."""
    contrasts = remark.part.contrasts or (remark.before is not None and remark.before.contrasts and remark.before.asks)
    return contrasts and remark.part.sentence == tally.good_in and remark.lead not in ALWAYS_ASKING


def _is_granted(said: Sequence[str]) -> bool:
    """Whether a question takes what fails for granted: "is there a reason it still crashes?", "is it me or …?"."""
    ahead = set(said[: said.index("still")]) if "still" in said else set[str]()
    return any(ahead >= asked for asked in _TAKES_FOR_GRANTED) or ("that" in ahead and not _GRANTED.isdisjoint(ahead))


def _a_condition(remark: Remark, tally: Tally) -> Tally | None:
    """It takes back the success that is told in the same sentence: "it works, if I run it twice"."""
    if not remark.has("if"):
        return None
    return structs.replace(tally, good=()) if remark.part.sentence == tally.good_in else tally


def _what_is_awaited(remark: Remark, tally: Tally) -> Tally | None:
    """A success that somebody waits for: "when it works, tell me"."""
    if not remark.has("work"):
        return None
    if any(_is_awaited(remark.said, hit.first) for hit in remark.part.hits if hit.sign == "work"):
        return tally
    awaits = list(remark.plain[:3]) == ["as", "soon", "as"] or remark.lead in WHENS
    return tally if awaits and any(hit.sign == "work" and 0 <= hit.first <= 4 for hit in remark.part.hits) else None


def _is_awaited(said: Sequence[str], first: int) -> bool:
    """Whether a success at a word follows a "when" or "until" that something stands before: "tell me when it works"."""
    at = next((at for at in range(first - 1, max(first - 4, 0), -1) if said[at] in WHENS | _UNTIL), 0)
    if at == 0 or said[at - 1] == "even":
        return False
    came = said[at] in _UNTIL and said[first] in _CAME and said[0] not in _ON
    return not came and any(word not in POLITE for word in said[:at])


def _what_has_to_be(remark: Remark, tally: Tally) -> Tally | None:
    """A success after a word that asks for it: "es muss funktionieren", "I want it fixed"."""
    if not remark.has("work"):
        return None
    if remark.lead == "get" and "to" in remark.said and "i" not in remark.said[:2]:  # "get the tests to pass"
        return tally
    first, last = max((hit.first, hit.last) for hit in remark.part.hits if hit.sign == "work")
    leading = remark.said[: max(first, min(last, 2), 0)]
    wanted = not PERSONS.isdisjoint(leading[:2]) and not WANTING.isdisjoint(leading[:4])
    return tally if wanted or not MODALS.isdisjoint(leading) else None


def _a_wish(remark: Remark, tally: Tally) -> Tally | None:
    """A success that is wished for is none: "I wish it worked"."""
    if not remark.has("wish"):
        return None
    return tally.adding("fail", remark.text) if remark.has("work") else tally


def _an_intention(remark: Remark, tally: Tally) -> Tally | None:
    """What somebody will see later: "I'll test it tonight"."""
    return tally if remark.has("later") and not remark.has("still", "fail", "work") else None


def _an_aside(remark: Remark, tally: Tally) -> Tally | None:
    """What is said in passing, not at the beginning of a remark: "we can talk about it anyway"."""
    return tally if remark.has("aside") else None


def _what_is_not_so_now(remark: Remark, tally: Tally) -> Tally | None:
    """A success that was, or that is hoped for: "it worked yesterday", "hopefully it works"."""
    not_now = remark.has("work") and (remark.has("past") or not HOPES.isdisjoint(remark.plain))
    return tally if not_now else None


def _what_is_left_open(remark: Remark, tally: Tally) -> Tally | None:
    """A success of which nobody is sure: "looks right, but im not sure"; "works, not sure about windows" is one."""
    unsure = bool(tally.good and remark.said) and remark.said[-1] in UNTOLD and remark.holds(NEGATIONS)
    return structs.replace(tally, good=()) if unsure and remark.part.sentence == tally.good_in else None


def _what_is_so_instead(remark: Remark, tally: Tally) -> Tally | None:
    """How something goes, after a "no" to what was answered: "no, it works by polling", and not "no, it works now"."""
    before = remark.before
    if before is None or not before.first or before.words[0].text not in NO or remark.has("fail", "still"):
        return None
    last = max((hit.last for hit in remark.part.hits if hit.sign == "work"), default=-1)
    return tally if last >= 0 and not _HOW.isdisjoint(remark.said[last : last + 2]) else None


def _what_others_tell(remark: Remark, tally: Tally) -> Tally | None:
    """A success that only somebody else tells of: "bob says it works", "Bob meint, es läuft"."""
    first = next((hit.first for hit in remark.part.hits if hit.sign in ("work", "perfect")), -1)
    if first < 0 or remark.has("fail", "still"):
        return None
    said, before = list(remark.said), remark.before
    if before is not None and before.sentence == remark.part.sentence and not before.hits:
        lead = [word.text for word in before.words]
        if only_says_who(lead):
            said, first = [*lead, *said], first + len(lead)
    return tally if told_by_others(said, first) else None


UNREPORTED: tuple[Rule, ...] = (
    _a_request,
    _a_hope,
    _what_is_quoted,
    _what_is_to_be_undone,
    _a_question,
    _a_condition,
    _what_is_awaited,
    _what_has_to_be,
    _a_wish,
    _an_intention,
    _an_aside,
    _what_is_not_so_now,
    _what_is_left_open,
    _what_is_so_instead,
    _what_others_tell,
)
