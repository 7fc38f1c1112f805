"""Memories in, each with what was found of it; an ordered list out. Pure: what is here decides what an assistant is
shown, and each result says why it is where it is.

A score begins as a share of the query. The words a memory says itself make it relevant or not, or that it means the
same, or that it worked for a like question (the floor looks at nothing else); what is said around it is added, how it
did before multiplies, and how it did for like questions is added or taken away: they only reorder what is relevant.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence

from msgspec import structs

from aftermind.engine.names import Kind, MemoryId, SessionId
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.manner import PLAIN, in_words, moved
from aftermind.projections.reading.telling import Telling
from aftermind.projections.reading.twins import Twins
from aftermind.projections.recalling.candidate import (
    ALONE,
    Around,
    Candidate,
    Hit,
    LeftOut,
    Outcomes,
    Ranked,
    Weighed,
)

VALUED: tuple[Kind, ...] = ("fact", "preference", "configuration", "decision")
"""Kinds that give a thing a value, which a newer one replaces."""


CHANCE = 0.25
"""Of what words tell, this much counts beside a cosine where they are too few of the query."""
LEFT = 0.05
"""Of a score, this share is left whatever failed: what failed keeps its order, below all else."""
LAST = 4
"""One place of an answer in so many is rather not for talk of a session that is in it already."""
OBJECTIONS = ("contradicts ", "corrected by ")
"""How a reason begins that speaks against a memory."""


def relevant(
    one: Weighed, asked_words: int, ranking: Ranking, telling: Telling | None = None, meant: bool = False
) -> bool:
    """Is it called by name, does it say enough of the query itself, or mean the same, or has it worked for a like one?
    Where others are called by name, who has names and is not must say far more. `telling`: what the query's words tell
    in this store; without it each tells enough. `meant`: there are cosines, which are asked first then."""
    if one.called and (telling is None or telling.names(one.called)):
        return True
    if one.other and one.said < ranking.uncalled_floor:
        return False
    if telling is not None and telling.idle and ranking.telling_floor > 0:  # one thanks is like another
        return False
    if one.lesson is not None and one.lesson.leaning >= ranking.like_floor:
        return True
    if telling is None:
        return one.near >= ranking.near_floor or _says_enough(one, asked_words, ranking, ranking.one_word_sought)
    told = telling.of(one.parts, one.things > 0)
    enough = _says_enough(one, asked_words, ranking, ranking.one_word_floor)
    enough = enough or (not telling.slight and told >= ranking.one_word_telling and one.said >= ranking.one_word_told)
    if meant and one.near > 0:
        eased = CHANCE if telling.plain or not enough else 1
        return one.near + ranking.telling_near * told * eased >= ranking.near_floor
    return enough and told >= ranking.telling_floor * (2 if meant or telling.slight else 1)


def _says_enough(one: Weighed, asked_words: int, ranking: Ranking, one_word: float) -> bool:
    enough = len(one.parts) >= min(ranking.least_words, asked_words)
    return one.said >= (ranking.floor if enough else one_word)


def ranked(
    weighed: Iterable[Weighed],
    asked_words: int,
    ranking: Ranking,
    *,
    whole: Callable[[Sequence[int]], Sequence[Candidate]],
    limit: int | None = None,
    floor: bool = True,
    left_out: bool = False,
    telling: Telling | None = None,
) -> Ranked:
    """The best `limit`, best first; equal scores go to the newest. In the last quarter of them, talk of a session that
    is among them already loses some of its score. Without `floor` nothing is too weak. Those that may be shown are
    asked for `whole`, by their positions, a few at a time; one that is missing then is passed over. What is not among
    them is told where it is asked what was `left_out`."""
    limit = ranking.limit if limit is None else limit
    every = list(weighed)
    lent = alike_near(every)
    plain = [_plain(one, near, ranking) for one, near in zip(every, lent, strict=True)]
    best = max(plain, default=0.0)
    scores = [_moved(score, one, best, ranking) for score, one in zip(plain, every, strict=True)]
    order = sorted(
        (round(score, 9), one.at, one.position, n) for n, (score, one) in enumerate(zip(scores, every, strict=True))
    )
    meant = any(one.near > 0 for one in every)
    hits: list[Hit] = []
    left: list[LeftOut] = []
    twins = Twins(ranking.alike)
    read: dict[int, Candidate | None] = {}
    heard: set[SessionId] = set()
    again: set[int] = set()
    last = limit - limit // LAST if ranking.again_loss else limit
    while order and (left_out or len(hits) < limit):
        _, at, position, n = order.pop()
        one, score, why = every[n], scores[n], ""
        if floor and not relevant(one, asked_words, ranking, telling, meant):
            why = "says too little of the query"
        elif last <= len(hits) < limit and one.said_in in heard and n not in again:
            again.add(n)
            scores[n] *= 1 - ranking.again_loss
            insort(order, (round(scores[n], 9), at, position, n))
            continue
        elif len(hits) >= limit:
            why = f"beyond the {limit} best{', of a session that is there already' if n in again else ''}"
        if why:
            left.append(LeftOut(memory=one.memory, score=score, why=why))
            continue
        if position not in read:
            some = [position, *(other for _, _, other, _ in reversed(order[max(0, len(order) - limit + 1) :]))]
            read |= dict.fromkeys(some) | {memory.position: memory for memory in whole(some)}
        candidate = read[position]
        if candidate is None:
            continue
        twin = _twin(twins, candidate) if floor else None
        if twin is not None:
            left.append(LeftOut(memory=one.memory, score=score, why=f"says the same as {twin}, which is better"))
            continue
        if one.said_in is not None:
            heard.add(one.said_in)
        reasons = _reasons(one, candidate, lent[n], best, ranking)
        if n in again:
            reasons = (*reasons, f"of a session that is there already (×{1 - ranking.again_loss:.2f})")
        hits.append(Hit(candidate=candidate, rank=len(hits) + 1, score=score, reasons=reasons))
    return Ranked(
        hits=tuple(_standing_for(twins.stands_for(h.candidate.memory), h) for h in hits),
        left_out=tuple(left) if left_out else (),
    )


def _twin(twins: Twins, one: Candidate) -> MemoryId | None:
    failed = one.outcomes.failed > one.outcomes.worked + one.outcomes.partial
    return twins.of(one.memory, one.speaker, one.text, one.answer, failed=failed)


def _standing_for(others: Sequence[MemoryId], hit: Hit) -> Hit:
    if not others:
        return hit
    return structs.replace(hit, reasons=(*hit.reasons, f"stands for {', '.join(others)}, which says the same"))


def among_texts_of(usual: float, ranking: Ranking) -> Ranking:
    """The same ranking, with what a cosine counts where texts of so many characters are usual."""
    weight = ranking.near_weight
    longer = max(1.0, usual / ranking.near_usual)
    return structs.replace(ranking, near_weight=max(weight, min(ranking.near_most, weight * longer)) if weight else 0.0)


def alike_near(memories: Sequence[Weighed]) -> list[float]:
    """The cosine each memory scores with. Of facts that say the same words the nearest lends its cosine to all: a model
    does not know which value is current, and by equal scores the newest comes first."""
    facts = [frozenset(one.parts) if one.kind in VALUED else None for one in memories]
    nearest: dict[frozenset[str], float] = {}
    for words, one in zip(facts, memories, strict=True):
        if words and one.near > nearest.get(words, 0.0):
            nearest[words] = one.near
    return [nearest.get(words, one.near) if words else one.near for words, one in zip(facts, memories, strict=True)]


def _around(said: Around, ranking: Ranking) -> float:
    if said is ALONE:
        return 0.0
    return (
        ranking.next_weight * said.after
        + ranking.previous_weight * said.before * (2 if said.asked else 1)
        + ranking.session_weight * said.rest
        + ranking.answering_weight * max(0.0, said.answering)
        + ranking.session_near_weight * said.session_near
    )


def _factor(outcomes: Outcomes, ranking: Ranking) -> float:
    return 1 + ranking.outcome_weight * (2 * outcomes.expected - 1)


def _plain(one: Weighed, near: float, ranking: Ranking) -> float:
    """The score before any outcome."""
    own = one.said + ranking.near_weight * max(0.0, near)
    own += (ranking.name_weight if one.called else 0.0) + ranking.thing_weight * one.things
    own += ranking.together_weight * one.together
    score = own + _around(one.around, ranking)
    return score if one.manner is PLAIN else max(LEFT * score, score + moved(one.manner, ranking))


def _moved(plain: float, one: Weighed, best: float, ranking: Ranking) -> float:
    """The score with its outcomes; `best` is the query's best before any."""
    if one.lesson is None and not one.outcomes.uses:
        return plain
    score = plain * _factor(one.outcomes, ranking)
    return max(LEFT * score, score + _lift(one, best, ranking))


def _lift(one: Weighed, best: float, ranking: Ranking) -> float:
    """What verdicts for like questions add, or take away."""
    return ranking.like_weight * best * one.lesson.leaning if one.lesson is not None else 0.0


def _reasons(one: Weighed, memory: Candidate, near: float, best: float, ranking: Ranking) -> tuple[str, ...]:
    """What the score is made of, in words."""
    around = _around(one.around, ranking)
    words = sorted(one.parts, key=lambda word: (-one.parts[word], word))
    reasons = [f"says {', '.join(words[:6])}{' …' if len(words) > 6 else ''} ({one.said:.2f})"] if words else []
    if near > one.near:
        reasons.append(f"means what a fact of the same words does (+{ranking.near_weight * near:.2f})")
    elif near > 0:
        reasons.append(f"means the like (cosine {near:.2f}, +{ranking.near_weight * near:.2f})")
    if one.called:
        reasons.insert(0, f"is called {', '.join(one.called[:3])} (+{ranking.name_weight:.2f})")
    if (same := ranking.thing_weight * one.things) >= 0.005:
        reasons.append(f"names the same file, symbol or number (+{same:.2f})")
    if (close := ranking.together_weight * one.together) >= 0.005:
        reasons.append(f"says it close together (+{close:.2f})")
    if around >= 0.005:
        reasons.append(f"said around it (+{around:.2f})")
    reasons += in_words(one.manner, ranking)
    if one.outcomes.uses:
        reasons.append(f"{record(one.outcomes)} (×{_factor(one.outcomes, ranking):.2f})")
    if (learned := one.lesson) is not None:
        how = "worked" if learned.leaning > 0 else "did not work" if learned.leaning < 0 else "was judged"
        how += " lately" if learned.leaning * (2 * learned.worked - learned.judged) < 0 else ""
        reasons.append(
            f"{how} for a like question: {learned.worked} of {learned.judged}, {learned.alike:.2f} alike "
            f"({_lift(one, best, ranking):+.2f})"
        )
    return (*reasons, *objections(memory))


def objections(candidate: Candidate) -> list[str]:
    """What stands against it, in words."""
    contradicts, corrected = OBJECTIONS
    found = [f"{contradicts}{', '.join(candidate.disputed)}"] if candidate.disputed else []
    return [*found, f"{corrected}{', '.join(candidate.corrected)}"] if candidate.corrected else found


def record(outcomes: Outcomes) -> str:
    """`worked 4 of 5`, with what was partial; `failed 2 of 2`; `not judged yet` without a verdict that counts."""
    if not outcomes.uses:
        return "not judged yet"
    if outcomes.failed == outcomes.uses:
        return f"failed {outcomes.failed} of {outcomes.uses}"
    partly = f", {outcomes.partial} partly" if outcomes.partial else ""
    return f"worked {outcomes.worked} of {outcomes.uses}{partly}"


def within_budget(hits: Sequence[Hit], costs: Sequence[int], budget: int) -> tuple[list[Hit], list[LeftOut]]:
    """The best hits whose costs add up to no more than the budget; one that is too long is passed over."""
    taken: list[Hit] = []
    left: list[LeftOut] = []
    for hit, cost in zip(hits, costs, strict=True):
        if cost <= budget:
            taken.append(hit)
            budget -= cost
        else:
            left.append(LeftOut(memory=hit.candidate.memory, score=hit.score, why="does not fit the token budget"))
    return taken, left
