"""Everything that is known of one thing."""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.cli.answering.directives.directing import directives
from aftermind.cli.answering.entities.blocking import told as blocker_told
from aftermind.cli.answering.entities.meant import meant_in
from aftermind.cli.answering.filing import scopes_of
from aftermind.cli.answering.items.claims import leases
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.answers import remembered
from aftermind.cli.language.entities import Entity, References, TellEntity, Tie
from aftermind.cli.language.items import Lease
from aftermind.cli.language.projects import Directive, Directives
from aftermind.engine.entities.references import reference
from aftermind.engine.items.life import item_of
from aftermind.engine.names import MemoryId, Scope
from aftermind.engine.sqlite import VALUES, Connection, as_json
from aftermind.projections.recalling.lookups import entity
from aftermind.projections.recalling.lookups.entity import Thing
from aftermind.projections.views import enriched
from aftermind.projections.views.enriched import Enrichment

MOST = 1_000
"""Of each sort."""


async def tell(store: Opened, asked: TellEntity) -> Entity:
    thing, scopes = await meant_in(store, asked.said, asked.project)
    limit = min(max(1, asked.limit), MOST)
    now = store.stamp.now()
    found = await store.read(lambda c: entity.speaking(c, scopes, thing, now))
    blockers = [one for one in found if one.kind == "blocker"]
    exchanges = [one for one in found if one.kind == "exchange"]
    others = [one for one in found if one.kind not in ("blocker", "exchange")]
    every = [blockers, exchanges, others]
    shown = [one.memory for some in every for one in some[:limit]]
    return Entity(
        said=thing.said,
        kind=thing.kind,
        known_as=tuple(one.key for one in thing.wanted) or thing.keys[:1],
        on_forge=await store.read(lambda c: _on_forge(c, scopes, thing)),
        rules=await _rules(store, asked, thing),
        blockers=tuple([await blocker_told(store, one) for one in blockers[:limit]]),
        memories=tuple(map(remembered, others[:limit])),
        exchanges=tuple(map(remembered, exchanges[:limit])),
        checkpoints=tuple((await store.read(lambda c: entity.checkpoints(c, scopes, thing)))[:limit]),
        claims=tuple((await _claims(store, asked, thing))[:limit]),
        links=await store.read(lambda c: _links(c, shown, scopes)),
        more=sum(max(0, len(some) - limit) for some in every),
    )


async def references(store: Opened, asked: References) -> tuple[Enrichment, ...]:
    one = await store.memory(asked.id)
    return await store.read(lambda c: enriched.of(c, [one.scope], [meant.key for meant in entity.referred(c, one)]))


def _on_forge(connection: Connection, scopes: Sequence[Scope], thing: Thing) -> tuple[Enrichment, ...]:
    return enriched.of(connection, scopes, [one.key for one in thing.wanted]) if thing.wanted else ()


async def _rules(store: Opened, asked: TellEntity, thing: Thing) -> tuple[Directive, ...]:
    """Those whose condition it meets; one about an issue only where that is this one."""
    spoken = f"`{thing.said}`" if not thing.wanted else thing.said
    rules = [one for one in await directives(store, Directives(project=asked.project, at=spoken)) if one.why]
    return tuple(await store.read(lambda c: [one for one in rules if _is_about(c, one, thing)]))


def _is_about(connection: Connection, rule: Directive, thing: Thing) -> bool:
    at = entity.home(connection, rule.memory.scope)
    if any(entity.speaks(name, thing, at) for name in rule.about):
        return True
    return not thing.wanted and not (rule.about and all(map(reference, rule.about)))


async def _claims(store: Opened, asked: TellEntity, thing: Thing) -> list[Lease]:
    """What is held of what is called so, or by a name that speaks of it; of the project alone, as claims are."""
    scopes, now = await scopes_of(store, asked.project), store.stamp.now()
    return await store.read(lambda c: [one for one in leases(c, scopes, now) if _is_held_of(c, one, thing)])


def _is_held_of(connection: Connection, lease: Lease, thing: Thing) -> bool:
    is_called_so = lease.id == item_of(lease.scope, thing.said)
    return is_called_so or entity.speaks(lease.item, thing, entity.home(connection, lease.scope))


def _links(connection: Connection, memories: Sequence[MemoryId], scopes: Sequence[Scope]) -> tuple[Tie, ...]:
    """What is said of them and others that are seen here."""
    sql = f"""SELECT DISTINCT l.memory, l.relation, l.other FROM link l
      JOIN shelf a ON a.memory = l.memory JOIN shelf b ON b.memory = l.other
      WHERE (l.memory IN ({VALUES.format("m")}) OR l.other IN ({VALUES.format("m")})) AND l.memory <> l.other
        AND a.scope IN ({VALUES.format("s")}) AND b.scope IN ({VALUES.format("s")}) ORDER BY l.at, 1, 3 LIMIT 50"""
    rows = connection.execute(sql, {"m": as_json(memories), "s": as_json(scopes)})
    return tuple(Tie(memory=MemoryId(one), relation=relation, other=MemoryId(other)) for one, relation, other in rows)
