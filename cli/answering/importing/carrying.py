"""Events of another log, taken into this one that has its own (decision 0041).

In every stream, those that are not here yet are appended in their order behind what is here; `at` stays, `noted` is
now, for now is when this store learns of them. What was erased here does not come back. All of a request, or nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import anyio.lowlevel
from msgspec import structs

from aftermind.cli.answering.filing import scope_of, scopes_of
from aftermind.cli.answering.opened import Opened
from aftermind.cli.carrying.drafting import drafted, is_of_the_store
from aftermind.cli.carrying.mapping import event_id, mapped
from aftermind.cli.language.carrying import CarriedIn, Carry, Fate
from aftermind.engine.erasing.emptying import FORGETS, FORGOTTEN
from aftermind.engine.errors import HalfRepeated, Refused
from aftermind.engine.events import MemoryForgotten, WordsForgotten
from aftermind.engine.log import Append, Recorded
from aftermind.engine.logs.chain import Link, Standing
from aftermind.engine.logs.sqlite_log import SqliteLog
from aftermind.engine.names import EventId, Scope, StreamName
from aftermind.engine.stored import from_bytes

AT_ONCE = 20
"""Events that are looked through for secrets before somebody else has a turn."""
TRIES = 3
"""With one pen somebody else's import of the same file is all that can come between."""


async def carry(store: Opened, asked: Carry) -> CarriedIn:
    into: Scope | None = None
    if asked.project is not None:
        into = (await scopes_of(store, asked.project))[-1] if asked.dry_run else await scope_of(store, asked.project)
    for attempt in range(TRIES):
        try:
            async with store.turn:  # nothing is forgotten between the look and the append
                return await _carried(store, asked, into)
        except HalfRepeated:
            if attempt == TRIES - 1:
                raise
    raise AssertionError("unreachable")


async def _carried(store: Opened, asked: Carry, into: Scope | None) -> CarriedIn:
    log = store.log
    if not isinstance(log, SqliteLog):
        raise Refused("what is past takes nothing in", hint="`aftermind import` writes to the store as it is now")
    digests = await log.known([id for link in asked.links for id in _ids(link, into)])
    known = set(digests)
    own = known if into is None else {link.id for link in asked.links if _is_own(link, digests)}
    emptied = store.erasing.known if store.erasing is not None else frozenset[EventId]()
    projects = {_project(one) for one in await log.beginning("project-")} if emptied else set()
    links = [_as_of(link, into, own) for link in asked.links]
    standing = await log.standing(
        [link.stream for link in links if link is not None and link.stream.startswith("memory-")]
    )
    meant = [_meant(link) for link in links]
    told = await log.told(list({id for named in meant for id in named}))
    now = store.stamp.now()
    fates: list[Fate] = []
    appends: list[Append] = []
    for number, (original, link) in enumerate(zip(asked.links, links, strict=True), 1):
        if number % AT_ONCE == 0:
            await anyio.lowlevel.checkpoint()
        gone = not emptied.isdisjoint(_names(original.id, link, projects))
        fate = _fate(original, link, own, known, standing, gone=gone)
        if fate == "new" and not told.isdisjoint(meant[number - 1]):
            fate = "forgotten-there"
        fates.append(fate)
        if link is not None and fate in ("new", "erased"):
            known.add(link.id)
            draft = drafted(link, erased=gone, noted=now)
            appends.append(Append(stream=link.stream, drafts=(draft,)))
    if appends and not asked.dry_run:
        await log.append(*appends)
    return CarriedIn(fates=tuple(fates))


def _meant(link: Link | None) -> Sequence[EventId]:
    """The events that are erased where this one is taken in. Nobody else's log erases what is said in this one."""
    if link is None or link.tag not in FORGETS:
        return ()
    event = from_bytes(link.tag, link.payload)
    return event.quoted_in if isinstance(event, MemoryForgotten | WordsForgotten) else ()


def _project(recorded: Recorded) -> Scope:
    return Scope(recorded.stream.removeprefix("project-"))


def _names(id: EventId, link: Link | None, projects: Collection[Scope]) -> Iterator[EventId]:
    """Every id under which the event of that id may have been taken in and forgotten here: its own, and what a project
    gave it."""
    yield id
    if link is not None:
        yield link.id
    yield from (event_id(id, project) for project in projects)


def _ids(link: Link, into: Scope | None) -> Sequence[EventId]:
    because = () if link.because is None else (link.because,)
    return (link.id,) if into is None else (link.id, event_id(link.id, into), *because)


def _is_own(link: Link, digests: Mapping[EventId, bytes]) -> bool:
    """Whether it is one's own event that comes back: two stores may derive one id, for a session of one name, but each
    has a salt of its own."""
    return link.id in digests and link.digest in (b"", digests[link.id])


def _as_of(link: Link, into: Scope | None, own: set[EventId]) -> Link | None:
    """The event as it is to stand here; what was caused by something of one's own stays so."""
    if into is None:
        return link
    found = mapped(link, into)
    if found is not None and link.because is not None and link.because in own:
        return structs.replace(found, because=link.because)
    return found


def _fate(
    original: Link,
    link: Link | None,
    own: set[EventId],
    known: set[EventId],
    standing: Mapping[StreamName, Standing],
    *,
    gone: bool,
) -> Fate:
    if original.id in own or (link is not None and link.id in known):
        return "known"
    if is_of_the_store(original):
        return "of-store"
    if link is None:
        return "of-store" if original.stream.startswith("project-") else "not-mapped"
    here = standing.get(link.stream)
    if here is not None and here.forgotten:
        return "forgotten-here"
    if here is not None and here.told and link.tag == FORGOTTEN:
        return "forgotten-there"
    return "erased" if gone or link.payload is None else "new"
