"""What of a sentence is kept with a clause that is worth keeping, and which clauses ask. Pure.

A sentence is kept whole, but for what asks, what is wanted because of it, and what tells of trouble: a rule whose
reason or whose other half is cut off says less than the user did.
"""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.engine.names import Kind
from aftermind.sidecar.captures.in_general import in_its_place
from aftermind.sidecar.captures.signs import Read
from aftermind.sidecar.captures.words.grammar import ADDRESSES, FILLS, ORDERS, SUBJECTS
from aftermind.sidecar.utterances.grammar import ALWAYS_ASKING, ASKING, CONDITIONS, NO, POLITE, REQUESTS, WHENS
from aftermind.sidecar.utterances.voice import Clause

REJECTED = {"once", "maybe", "others", "ask"}
"""Signs of what is not kept."""
LEFT = REJECTED | {"trouble"}
"""Signs of what a sentence is not kept on to."""
SO = frozenset("so please pls bitte also alors donc así então quindi dus więc поэтому так".split())
"""What they begin is wanted because of what was said."""
WHERE = frozenset(
    """
    in on at for with during under bei im am auf für mit an à en dans pour avec le sur con para em no na nel op voor
    """.split()
)
"""What says where, when or for whom something is so, however short."""
EVER = {"ever", "never", "always"}
WINDOW = 12
"""Clauses before and after one that are looked at: pasted, a thousand may be called a sentence."""
MOST_ACTING = 7
"""Words of a clause that only acts on what was said."""


def around(read: Sequence[Read], at: int, end: int | None = None) -> Sequence[Read]:
    """A clause, or those up to an end, and those that stand near."""
    return read[max(0, at - WINDOW) : (at + 1 if end is None else end) + WINDOW]


def asking(clauses: Sequence[Clause]) -> list[bool]:
    """Which clauses are, or belong to, a question: from the one that begins it to the end of its sentence; all of it
    where none does ("we squash here, right?", "always strict, isn't it?")."""
    begun: dict[int, int] = {}
    for at, clause in enumerate(clauses):
        plain = [word.text for word in clause.words if word.text not in POLITE]
        if clause.asks and plain and plain[0] in ASKING and plain[1:2] != ["not"] and clause.sentence not in begun:
            begun[clause.sentence] = at
    return [clause.asks and at >= begun.get(clause.sentence, 0) for at, clause in enumerate(clauses)]


def continues(read: Sequence[Read], at: int, end: int, kind: Kind) -> bool:
    """Whether a clause goes on with what the one before it said: to the end of its sentence, or to where something is
    wanted or is wrong. "Ever." is said of a rule in a sentence of its own."""
    one = read[end]
    if kind == "directive" and end == at + 1 and alone(one) & EVER:
        return True
    if kind == "directive" and end == at + 1 and in_its_place(read[at], one):
        return True
    if end == at + 1 and kind in ("directive", "decision") and _stands_instead(read[at], one):
        return True
    ordered = first(read[at]) in ("whenever", "when", "before", "after") and end == at + 1
    if one.clause.sentence != read[at].clause.sentence:
        return False
    return ordered or not (one.signs & LEFT or acts(one) or why(one) or first(one) in REQUESTS | SO)


def _stands_instead(ended: Read, one: Read) -> bool:
    """Whether a clause orders what is to be used instead of what is used no more: "…, run the tests with nox"."""
    before = {word.text for word in ended.clause.words}
    every = [word.text for word in one.clause.words]
    said = [word for word in every if word not in POLITE]
    over = before >= {"no", "longer"} or before >= {"not", "more"} or "anymore" in before
    together = ended.clause.sentence == one.clause.sentence
    if set(every) & ({"once", "just"} | AT_HAND) - {"the", "my", "your"}:
        return False
    if not over or not together or one.signs & (LEFT - {"ask"}) or one.clause.asks or not 2 <= len(said) <= MOST_ACTING:
        return False
    return (said[0] == "use" and said[1] not in AT_HAND) or (said[0] in _WORKS and said[-2] in ("with", "using", "via"))


def leads_to(before: Read, one: Read, kind: Kind) -> bool:
    """Whether a clause begins the sentence of what is kept: what a value was, or when a rule holds. A rule says the
    rest itself, and what stands before it is mostly what was wrong; unless it says "a new one", and that which."""
    left = LEFT | {"lead", "wish", "deny"}
    if stands_for_another(one):
        told = {word.text for word in before.clause.words}
        near = one.clause.sentence - before.clause.sentence <= 1
        return near and len(told) > 2 and not before.signs & left and not told & (AT_HAND - {"the", "my", "your"})
    if kind in ("directive", "preference"):
        if first(before) not in WHENS | CONDITIONS:
            return False
        left -= {"maybe"}
    if before.clause.sentence != one.clause.sentence or before.signs & left:
        return False
    said = {word.text for word in before.clause.words}
    return (
        (len(said) > 2 or first(before) in WHERE or before.clause.mark == ":")
        and not said <= POLITE | NO | ADDRESSES | FILLS
        and first(before) not in REQUESTS
    )


def stands_for_another(one: Read) -> bool:
    """Whether a clause says what is meant only beside what was said before it: "always add a new one"."""
    said = [word.text for word in one.clause.words]
    return said[-1:] in (["one"], ["ones"]) and said[-2:-1] != [] and said[-2] in _OTHERS


def acts(one: Read) -> bool:
    """Whether a clause wants something done to what was said before it."""
    said = [word.text for word in one.clause.words]
    return (
        2 <= len(said) <= MOST_ACTING and said[1] in ("it", "them") and said[0] not in SUBJECTS | {"and", "so", "where"}
    )


def why(one: Read | None) -> bool:
    return one is not None and bool(one.clause.words) and one.clause.words[0].text in ALWAYS_ASKING | {"which", "any"}


def before_why(said: list[str]) -> list[str]:
    """The words of a clause without a reason in it, which may end with "it" and its like."""
    return said[: next((at for at, word in enumerate(said) if at and word in _BECAUSE), None)]


def alone(one: Read) -> set[str]:
    return {word.text for word in one.clause.words} if len(one.clause.words) == 1 else set()


def first(one: Read) -> str:
    return one.clause.words[0].text if one.clause.words else ""


_OTHERS = frozenset({"new", "another", "other", "fresh", "separate", "different", "second"})
_WORKS = frozenset({"run", "build", "test", "format", "lint", "deploy", "install", "write", "manage"})
AT_HAND = frozenset({"it", "this", "that", "these", "those", "them", "me", "the", "my", "your"})
"""What they begin is before somebody's eyes: a task, and no rule."""
_BECAUSE = frozenset({"because", "since", "as"})
_STOPPED = frozenset(
    """
    using adding writing committing mocking hardcoding putting creating generating suggesting formatting reformatting
    renaming removing skipping asking answering naming prefixing squashing rebasing
    """.split()
)


def done_no_more(one: Read) -> bool:
    """Whether a clause tells that a tool is used no more, and forbids nothing: "we don't deploy with X any more"."""
    said = [word.text for word in one.clause.words if word.text not in POLITE]
    ended = said[-1:] in (["anymore"], ["longer"]) or said[-2:] == ["any", "more"]
    tool = bool({"with", "via", "through"} & set(said[4:-2])) and not AT_HAND & set(said)
    return ended and tool and said[:3] == ["we", "do", "not"]


def no_more(one: Read) -> bool:
    """Whether a clause ends for good how somebody works: "don't squash commits any more", "stop using emojis"."""
    said = [word.text for word in one.clause.words if word.text not in POLITE]
    if said[:1] == ["stop"]:
        return len(said) > 2 and said[1] in _STOPPED and said[2] not in AT_HAND
    ended = said[-1:] in (["anymore"], ["longer"]) or said[-2:] == ["any", "more"]
    return ended and said[:2] == ["do", "not"] and len(said) > 4 and said[2] in ORDERS and said[3] not in AT_HAND
