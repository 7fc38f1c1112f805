"""Standing rules: which are in force, which apply at a moment, and what a new one contradicts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import structs

from aftermind.cli.answering.filing import own_scopes, scopes_of, seen_of
from aftermind.cli.answering.learning.lessons import CONTRADICTS
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import Remembered, remembered
from aftermind.cli.language.projects import Directive, Directives, DropDirective
from aftermind.engine import memory as life
from aftermind.engine.errors import Unusable
from aftermind.engine.events import MemoriesLinked, MemoryRecorded
from aftermind.engine.log import Draft
from aftermind.engine.memories.directives import condition
from aftermind.engine.names import MemoryId
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import Stamp, derive_id
from aftermind.projections.reading.statements.opposed import sense
from aftermind.projections.reading.statements.ordered import another_order, ordered_once
from aftermind.projections.recalling.candidate import Candidate, Outcomes
from aftermind.projections.recalling.standing.clashes import Clash, Rule, clashes
from aftermind.projections.recalling.standing.directives import at_a_moment, in_force, told


async def directives(store: Opened, asked: Directives) -> tuple[Directive, ...]:
    now, scopes = store.stamp.now(), await seen_of(store, asked.project)
    own = scopes[-1]
    if asked.at.strip():
        chosen = await store.read(lambda c: at_a_moment(c, scopes, now, asked.at))
        rules, why = [rule for rule, _ in chosen], {rule.id: told for rule, told in chosen if told}
    else:
        rules, why = await store.read(lambda c: in_force(c, scopes, now)), {}
    when = {rule.id: rule.when for rule in rules}
    return tuple(
        Directive(
            id=hit.candidate.memory,
            text=hit.candidate.text,
            on=when[hit.candidate.memory].on,
            within=when[hit.candidate.memory].within,
            about=when[hit.candidate.memory].about,
            notes=hit.candidate.notes,
            memory=remembered(hit.candidate),
            why=why.get(hit.candidate.memory, ""),
        )
        for hit in await store.read(lambda c: told(c, rules, why, own))
    )


async def drop(store: Opened, asked: DropDirective) -> Remembered:
    if asked.within is not None:
        store = structs.replace(store, sees=await scopes_of(store, asked.within))
    first, done = await store.first_id()
    memory = await store.memory(asked.id)
    if memory.kind != "directive":
        hint = f"`aftermind archive {memory.memory}` takes any memory out of recall"
        raise Unusable(f"that is a {memory.kind}, not a directive", asked.id, hint=hint)
    if not done:
        await store.decide(asked.id, first, lambda one: life.archive(one, asked.reason))
    return remembered(await store.memory(asked.id))


def opposed_to(connection: Connection, event: MemoryRecorded, at: datetime) -> tuple[Clash, ...]:
    """The rules that a new one contradicts and of which nobody can tell which goes before."""
    if event.kind != "directive":
        return ()
    known = in_force(connection, own_scopes(event.scope), at)
    new = Rule(_candidate(event, at), condition(event.text, event.tags), sense(event.text))
    return tuple(one for one in clashes((new, *known)) if event.memory in (one.one, one.other) and one.first is None)


def ordered_anew(connection: Connection, event: MemoryRecorded, at: datetime) -> dict[MemoryId, str]:
    """The rules of the same scope and condition that order the same with another of a closed set of values, with the
    words they share: a newer one holds. Nothing that is locked, or that somebody else said, and nothing that may be
    done in either way."""
    if event.kind != "directive" or not ordered_once(event.text):
        return {}
    when, speaker = condition(event.text, event.tags), event.speaker.casefold()
    found: dict[MemoryId, str] = {}
    for rule in in_force(connection, (event.scope,), at):
        one = rule.memory
        theirs = one.speaker.casefold()
        if rule.when != when or one.locked or one.at > at or (speaker and theirs and speaker != theirs):
            continue
        if words := another_order(event.text, one.text):
            found[rule.id] = words
    return found


def _candidate(event: MemoryRecorded, at: datetime) -> Candidate:
    return Candidate(
        memory=event.memory,
        position=0,
        kind=event.kind,
        collection=event.collection,
        scope=event.scope,
        status="live",
        session=None,
        at=at,
        outcomes=Outcomes(),
        text=event.text,
    )


def links(event: MemoryRecorded, born: Draft, opposed: Sequence[Clash], stamp: Stamp) -> list[Draft]:
    """That they contradict each other, said with the new one."""
    found = []
    for clash in opposed:
        other = clash.other if clash.one == event.memory else clash.one
        link = MemoriesLinked(memory=event.memory, other=other, relation=CONTRADICTS, evidence=clash.about)
        found.append(stamp.draft(link, id=derive_id(born.id, f"contradicts {other}"), because=born.id))
    return found
