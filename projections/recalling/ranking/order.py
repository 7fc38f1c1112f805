"""A query's matches in, each with what it scores; an ordered list out. Pure: what is here decides what an assistant is
shown, and each result says why it is where it is.

The words a memory says itself make it relevant or not, or that it means the same, or that it worked for a like question
(the floor looks at nothing else); all else only reorders what is relevant.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from aftermind.engine.names import MemoryId
from aftermind.engine.policy import Ranking
from aftermind.projections.reading.manner import in_words
from aftermind.projections.reading.telling import Telling
from aftermind.projections.reading.twins import Twins
from aftermind.projections.recalling.candidate import Candidate, Floor, Hit, LeftOut, Outcomes, Ranked, Weighed
from aftermind.projections.recalling.verdicts.effect import factor, lift

if TYPE_CHECKING:
    from aftermind.projections.recalling.ranking.scoring import Scored

CHANCE = 0.25
"""Of what words tell, this much counts beside a cosine where they are too few of the query."""
LAST = 4
"""One place of an answer in so many is rather not for talk of a session that is in it already."""
AGAIN = "of a session that is there already"
TOO_LONG = "does not fit the token budget"
OBJECTIONS = ("contradicts ", "corrected by ")
"""How a reason begins that speaks against a memory."""
REASONS = """says means what a fact of the same words does the like cosine is called names the same file symbol number
says it close together says the name in full said around it not judged yet no clear verdict yet worked failed partly for
a like question lately did not work was judged alike of a session that is there already stands for which says the same
said by whom the query names says when says how things are done says what is preferred only asks said by an assistant
contradicts corrected by otherwise since linked nearest in time said then asked for by its id newest first learned gone
on with applies always before"""
"""Words that reasons are made of, which are nobody's: who looks for what is left of a text passes them over."""


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
        floor = ranking.near_floor if telling.bids or telling.plain else ranking.asked_floor
        return one.near + ranking.telling_near * told * eased >= floor
    return enough and told >= ranking.telling_floor * (2 if meant or telling.slight else 1)


def perhaps_relevant(one: Weighed, ranking: Ranking) -> bool:
    """Does it say anything of the query, or mean a little like it? That is a reason to look at it, and not to show it
    to who did not ask."""
    return bool(one.called) or one.said > 0 or one.near >= ranking.perhaps_near


def _says_enough(one: Weighed, asked_words: int, ranking: Ranking, one_word: float) -> bool:
    enough = len(one.parts) >= min(ranking.least_words, asked_words)
    return one.said >= (ranking.floor if enough else one_word)


def ranked(
    found: Scored,
    asked_words: int,
    ranking: Ranking,
    *,
    whole: Callable[[Sequence[int]], Sequence[Candidate]],
    ids: Callable[[Sequence[int]], Mapping[int, MemoryId]],
    limit: int | None = None,
    floor: Floor = "relevant",
    left_out: bool = False,
    telling: Telling | None = None,
) -> Ranked:
    """The best `limit`, best first; equal scores go to the newest. In the last quarter of them, talk of a session that
    is among them already loses some of its score. Those that may be shown are asked for `whole`, by their positions, a
    few at a time; one that is missing then is passed over. What is not among them is told where it is asked what was
    `left_out`, by the `ids` at these positions."""
    limit = ranking.limit if limit is None else limit
    order, scores, sessions, meant = found.order(), found.scores.copy(), found.matches.talks, found.meant
    shown: dict[int, Candidate] = {}
    left: list[tuple[int, float, str]] = []
    twins = Twins(ranking.alike)
    read: dict[int, Candidate | None] = {}
    heard: set[str] = set()
    again: set[int] = set()
    last = limit - limit // LAST if ranking.again_loss else limit
    one = cache(found.one)

    @cache
    def enough(n: int) -> bool:
        if floor == "relevant":
            return relevant(one(n), asked_words, ranking, telling, meant)
        return floor == "none" or perhaps_relevant(one(n), ranking)

    def too_little(n: int) -> str:
        it_does = floor == "relevant" and _says_enough(one(n), asked_words, ranking, ranking.one_word_floor)
        return "the query says too little that is not small talk" if it_does else "says too little of the query"

    while order and (left_out or len(shown) < limit):
        _, at, position, n = order.pop()
        session = sessions[n]
        if not enough(n):
            left.append((position, scores[n], too_little(n) if left_out else ""))
        elif last <= len(shown) < limit and session in heard and n not in again:
            again.add(n)
            scores[n] *= 1 - ranking.again_loss
            insort(order, (round(scores[n], 9), at, position, n))
        elif len(shown) >= limit:
            left.append((position, scores[n], f"beyond the {limit} best{f', {AGAIN}' if n in again else ''}"))
        else:
            if position not in read:
                coming = (other for _, _, other, m in reversed(order) if enough(m))
                some = [position, *islice(coming, limit - 1)]
                read |= dict.fromkeys(some) | {memory.position: memory for memory in whole(some)}
            if (candidate := read[position]) is None:
                continue
            if twin := _twin(twins, candidate) if floor != "none" else None:
                left.append((position, scores[n], f"says the same as {twin}, which is better"))
                continue
            shown[n] = candidate
            if session is not None:
                heard.add(session)

    def reasons(n: int, memory: Candidate) -> Iterator[str]:
        yield from _reasons(one(n), memory, found.best, ranking)
        if n in again:
            yield f"{AGAIN} (×{1 - ranking.again_loss:.2f})"
        if others := twins.stands_for(memory.memory):
            yield f"stands for {', '.join(others)}, which says the same"

    known = ids([position for position, _, _ in left]) if left_out else {}
    return Ranked(
        hits=tuple(
            Hit(candidate=memory, rank=rank, score=scores[n], reasons=tuple(reasons(n, memory)), says=one(n).parts)
            for rank, (n, memory) in enumerate(shown.items(), start=1)
        ),
        left_out=tuple(
            LeftOut(memory=known[position], score=score, why=why) for position, score, why in left if position in known
        ),
    )


def _twin(twins: Twins, one: Candidate) -> MemoryId | None:
    if one.status == "superseded":  # what was so once is another thing than what is so again
        return None
    failed = one.outcomes.mostly_failed
    return twins.of(one.memory, one.speaker, one.text, one.answer, failed=failed, talk=one.kind == "exchange")


def _reasons(one: Weighed, memory: Candidate, best: float, ranking: Ranking) -> tuple[str, ...]:
    """What the score is made of, in words."""
    words = sorted(one.parts, key=lambda word: (-one.parts[word], word))
    reasons = [f"says {', '.join(words[:6])}{' …' if len(words) > 6 else ''} ({one.said:.2f})"] if words else []
    if one.lent > one.near:
        reasons.append(f"means what a fact of the same words does (+{ranking.near_weight * one.lent:.2f})")
    elif one.lent > 0:
        reasons.append(f"means the like (cosine {one.lent:.2f}, +{ranking.near_weight * one.lent:.2f})")
    if one.called:
        reasons.insert(0, f"is called {', '.join(one.called[:3])} (+{ranking.name_weight:.2f})")
    if (same := ranking.thing_weight * one.things) >= 0.005:
        reasons.append(f"names the same file, symbol or number (+{same:.2f})")
    if (close := ranking.together_weight * one.together) >= 0.005:
        reasons.append(f"says it close together (+{close:.2f})")
    if (full := ranking.full_name_weight * one.in_full) >= 0.005:
        reasons.append(f"says the name in full (+{full:.2f})")
    if one.around >= 0.005:
        reasons.append(f"said around it (+{one.around:.2f})")
    reasons += in_words(one.manner, ranking)
    if memory.outcomes.uses:
        reasons.append(f"{record(memory.outcomes)} (×{factor(memory.outcomes, ranking):.2f})")
    if (learned := one.lesson) is not None:
        how = "worked" if learned.leaning > 0 else "did not work" if learned.leaning < 0 else "was judged"
        how += " lately" if learned.leaning * (2 * learned.worked - learned.judged) < 0 else ""
        reasons.append(
            f"{how} for a like question: {learned.worked} of {learned.judged}, {learned.alike:.2f} alike "
            f"({lift(learned, best, ranking):+.2f})"
        )
    return (*reasons, *objections(memory))


def objections(candidate: Candidate) -> list[str]:
    """What stands against it, in words."""
    contradicts, corrected = OBJECTIONS
    found = [f"{contradicts}{', '.join(candidate.disputed)}"] if candidate.disputed else []
    return [*found, f"{corrected}{', '.join(candidate.corrected)}"] if candidate.corrected else found


def record(outcomes: Outcomes) -> str:
    """`worked 4 of 5`, with what was partial; `failed 2 of 2`; `no clear verdict yet` where every one was `unknown`;
    `not judged yet` without any."""
    if not outcomes.uses:
        return "no clear verdict yet" if outcomes.unknown else "not judged yet"
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
            left.append(LeftOut(memory=hit.candidate.memory, score=hit.score, why=TOO_LONG))
    return taken, left
