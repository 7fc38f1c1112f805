"""What an assistant reads: recalled memories as a fenced block of reference data, within a token budget. Pure.

Law: what is in the fence cannot close it, cannot look like another line of it, and is never captured again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo

from msgspec import Struct, structs

from aftermind.engine.memories.book import Pages
from aftermind.engine.policy import Ranking
from aftermind.projections.recalling.candidate import Candidate, Hit, LeftOut
from aftermind.projections.recalling.lookups.timeline import Timeline, in_order
from aftermind.projections.recalling.ranking.order import TOO_LONG, objections, record, within_budget
from aftermind.projections.recalling.shown.fences import MEMORIES, NEWEST, OLDEST, SECTIONS
from aftermind.projections.recalling.shown.snippet import cited, snippet
from aftermind.projections.recalling.shown.wording import (
    age,
    asked_before,
    quoted,
    said_by,
    shortened,
    stands_for,
    tokens,
)

OPEN, CLOSE = MEMORIES.opening, MEMORIES.closing
LEAST_LINE, LONGEST_LINE = 60, 600
"""Characters of one memory in a briefing, those that say what was asked; the whole is one `aftermind show` away."""
LONGEST_COST = 260
"""Tokens of one memory, so that two are told in any script: in those that cost more, lines are shorter."""
LONGEST_STEP = 140
"""Characters of one memory on a timeline, which has many."""


class Briefing(Struct, frozen=True, kw_only=True):
    """A block ready to be shown, with its hits as they are read in it. Empty text: nothing relevant, nothing shown."""

    text: str
    tokens: int
    hits: tuple[Hit, ...]
    left_out: tuple[LeftOut, ...]


def briefing(
    hits: Sequence[Hit],
    left_out: Sequence[LeftOut],
    now: datetime,
    ranking: Ranking,
    timeline: Timeline | None = None,
) -> Briefing:
    """The fenced block of the hits that fit, the best first to be given room; in it they stand by their sections, rules
    first, and in each the best first. What a timeline tells comes before all, in the order of its time."""
    steps, dated, over = _steps(timeline, ranking.budget - tokens(OPEN) - tokens(CLOSE))
    there = {hit.candidate.memory for hit in steps}
    hits = [hit for hit in hits if hit.candidate.memory not in there]
    lines = [line(hit.candidate, now, hit.says) for hit in hits]
    sections = [_section(hit.candidate) for hit in hits]
    costs = [tokens(text) for text in lines]
    if len(set(sections)) > 1 or dated:  # the first of a section pays for what stands above it
        costs = [
            cost + (tokens(f"{SECTIONS[own]}\n") if own not in sections[:n] else 0)
            for n, (cost, own) in enumerate(zip(costs, sections, strict=True))
        ]
    frame = tokens(OPEN) + tokens(CLOSE) + tokens(dated)
    taken, beyond = within_budget(hits, costs, ranking.budget - frame)
    over += beyond
    said = {hit.candidate.memory: (own, text) for hit, own, text in zip(hits, sections, lines, strict=True)}
    text = _block(dated, [said[hit.candidate.memory] for hit in taken])
    while taken and tokens(text) > ranking.budget:  # a heading whose first line did not fit
        last = taken.pop()
        over.append(LeftOut(memory=last.candidate.memory, score=last.score, why=TOO_LONG))
        text = _block(dated, [said[hit.candidate.memory] for hit in taken])
    if not taken and not steps:
        return Briefing(text="", tokens=0, hits=(), left_out=(*left_out, *over))
    as_read = (*steps, *sorted(taken, key=lambda hit: said[hit.candidate.memory][0]))
    shown = tuple(structs.replace(hit, rank=rank) for rank, hit in enumerate(as_read, 1))
    return Briefing(text=text, tokens=tokens(text), hits=shown, left_out=(*left_out, *over))


def _steps(timeline: Timeline | None, budget: int) -> tuple[list[Hit], str, list[LeftOut]]:
    """What of a timeline fits, in its order; its lines below their heading; and what does not fit."""
    if timeline is None:
        return [], "", []
    heading = f"{NEWEST if timeline.newest_first else OLDEST}\n"
    lines = {hit.candidate.memory: _step(hit.candidate, timeline.zone) for hit in timeline.hits}
    costs = [tokens(text) for text in lines.values()]
    taken, over = within_budget(timeline.hits, costs, budget - tokens(heading))
    steps = in_order(taken, newest_first=timeline.newest_first)
    told = "".join(lines[hit.candidate.memory] for hit in steps)
    return steps, heading + told if told else "", over


def _block(dated: str, lines: Sequence[tuple[int, str]]) -> str:
    """The fence around the lines by their sections; one section alone needs nothing above it."""
    sections = sorted({section for section, _ in lines})
    if len(sections) == 1 and not dated:
        return OPEN + "".join(text for _, text in lines) + CLOSE
    parts = [f"{SECTIONS[one]}\n" + "".join(text for own, text in lines if own == one) for one in sections]
    return OPEN + dated + "".join(parts) + CLOSE


def _section(memory: Candidate) -> int:
    """Which of the sections a memory stands in. What failed is told as that, whatever it is."""
    outcomes = memory.outcomes
    if outcomes.mostly_failed:
        return 3
    match memory.kind:
        case "directive" | "preference":
            return 0
        case "fact" | "configuration" | "decision" | "blocker":
            return 1
        case _:
            return 2 if outcomes.worked else 4


def line(memory: Candidate, now: datetime, says: Mapping[str, float] = {}) -> str:
    """One memory as one line: `- [id] (collection, age, record) text`. `says`: the words that were asked and are in
    it; of a long text the part is shown that has most of them."""
    if memory.notes:  # of a rule its scope, of an old answer what is newer: more than where it is kept
        noted = dict.fromkeys(map(quoted, memory.notes))
        tried = [record(memory.outcomes)] if memory.outcomes.uses else []
        open = tuple(id for id in memory.disputed if not any(id in note for note in noted))
        told = [age(now - memory.at), *noted, *tried, *objections(structs.replace(memory, disputed=open))]
    else:
        told = [memory.collection, age(now - memory.at), record(memory.outcomes), *objections(memory)]
    return _line(memory, told, LONGEST_LINE, says)


def _step(memory: Candidate, zone: tzinfo) -> str:
    """The same in short, with its day and time in the zone in place of its age; a record only where it has one."""
    told = [memory.collection, f"{memory.at.astimezone(zone):%Y-%m-%d %H:%M}"]
    tried = [record(memory.outcomes)] if memory.outcomes.uses else []
    return _line(memory, [*told, *tried, *objections(memory)], LONGEST_STEP)


def _line(memory: Candidate, told: Sequence[str], longest: int, says: Mapping[str, float] = {}) -> str:
    found = _of_length(memory, told, longest, says)
    while longest > LEAST_LINE and (cost := tokens(found)) > LONGEST_COST:
        longest = max(LEAST_LINE, min(longest - 1, longest * LONGEST_COST // cost))
        found = _of_length(memory, told, longest, says)
    return found


def _of_length(memory: Candidate, told: Sequence[str], longest: int, says: Mapping[str, float]) -> str:
    in_short = stands_for(memory.summary, memory.text, memory.answer)
    label = ", ".join([*told, "in short"] if in_short else told)
    text = quoted(memory.summary if in_short else memory.text)
    room = longest // 2 if memory.answer and not in_short else longest
    source = asked_before(memory.about, room // 2) or _source(memory, memory.pages)
    text = shortened(source + snippet(text, max(room - len(source), room // 2), says), room)
    if memory.turns and not in_short:
        part = text[len(source) :]  # with fewer pages to name, its source is no longer
        text = _source(memory, cited(part, memory.text, memory.spread, quoted)) + part
    if memory.answer and not in_short:
        arrow = " → " if text else ""  # of a subagent's work nobody may have said what was asked
        text = f"{text}{arrow}{snippet(quoted(memory.answer), room, says)}"
    return f"- [{memory.memory}] ({label}) {shortened(text, longest)}\n"


def _source(memory: Candidate, pages: Pages) -> str:
    source = said_by(memory.speaker, memory.place, pages)
    return f"{quoted(source)}: " if source else ""
