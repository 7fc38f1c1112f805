"""Many memories at once: what is meant is found and told first, and then archived or restored, as events that one undo
takes back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec import Struct, structs

from aftermind.cli.answering.filing import known_scope
from aftermind.cli.answering.fit import in_utc
from aftermind.cli.answering.keeping.restoring import opposed, restored
from aftermind.cli.answering.learning.in_time import Ends, ended, ended_anew
from aftermind.cli.answering.opened import Opened
from aftermind.cli.language.keeping import Member, Tidied, Tidy, Which
from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.event_forms.particulars import MemoriesTidied
from aftermind.engine.events import Known, MemoryArchived
from aftermind.engine.log import Draft
from aftermind.engine.logs.transact import Histories
from aftermind.engine.memory import Memory
from aftermind.engine.moments import microseconds_or_none, moment
from aftermind.engine.names import TIDYING, EventId, Label, MemoryId, StreamName, memory_stream
from aftermind.engine.policy import Lifecycle
from aftermind.engine.sqlite import Connection, as_json
from aftermind.engine.stamp import derive_id
from aftermind.projections.recalling.shown.wording import shortened

AT_ONCE = 200
"""Memories of one append: an undo reads them all."""
LONGEST = 100
Decision = Callable[[Memory], Sequence[Known]]


class Found(Struct, frozen=True, kw_only=True):
    """A memory that is meant."""

    member: Member
    locked: bool = False


async def tidy(store: Opened, asked: Tidy) -> Tidied:
    first, _ = await store.first_id()  # delivered again, it goes on with what is left
    found = await _meant(store, asked)
    open = [one for one in found if not one.locked]
    members = [one.member for one in open]
    told = Tidied(memories=len(members), first=tuple(members[: asked.limit]), locked=len(found) - len(open))
    if not asked.apply or not members:
        return told
    now, rules = store.stamp.now(), store.policy.lifecycle
    ids = {one.id: _archiving(asked.reason) for one in members}
    if asked.how == "restore":
        others = await store.read(lambda c: opposed(c, list(ids), now))
        ids = {id: _restoring(now, rules, others.get(id, {})) for id in ids}
    return await applied(store, told, ids, Label(asked.how), first, ids)


def _archiving(reason: str) -> Decision:
    return lambda memory: life.archive(memory, reason)


def _restoring(now: datetime, rules: Lifecycle, others: Mapping[MemoryId, str]) -> Decision:
    return lambda memory: restored(memory, now, rules, others)


async def applied(
    store: Opened,
    told: Tidied,
    decisions: Mapping[MemoryId, Decision],
    how: Label,
    first: EventId,
    counted: Collection[MemoryId],
) -> Tidied:
    """What was decided of each, so many of them in one append, each append under an event of its own. Which a rule
    refuses by now, because something became of it meanwhile, stays as it is. Of those that are `counted` it is told how
    many it came to."""
    ids, roots, count = list(decisions), [], 0
    begun = await store.log.find(first) is not None
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        root = first if start == 0 and not begun else derive_id(first, f"tidied {some[0]}")
        shortened = await store.read(partial(ended, gone=some, now=store.stamp.now()))
        drafts = _Drafts(store, {id: decisions[id] for id in some}, how, root, shortened)
        if await store.transact([memory_stream(id) for id in (*some, *shortened)], drafts) is not None:
            roots.append(root)
            count += sum(memory_stream(id) in drafts.found for id in some if id in counted)
    await store.views.reached(None)
    return structs.replace(told, memories=count, done=tuple(roots))


class _Drafts:
    """One append: what was decided of some memories, by their histories."""

    def __init__(
        self, store: Opened, decisions: Mapping[MemoryId, Decision], how: Label, root: EventId, shortened: Ends
    ) -> None:
        self._store, self._decisions, self._how, self._root = store, decisions, how, root
        self._shortened = shortened
        self.found: dict[StreamName, list[Draft]] = {}

    def __call__(self, histories: Histories) -> Mapping[StreamName, Sequence[Draft]]:
        self.found = {}
        archived = list[MemoryId]()
        for id, decision in self._decisions.items():
            try:
                events = decision(life.fold(id, histories[memory_stream(id)]))
            except (Refused, NotFound):
                continue
            if drafts := [self._draft(event, id, number) for number, event in enumerate(events)]:
                self.found[memory_stream(id)] = drafts
                archived += [id] if any(isinstance(event, MemoryArchived) for event in events) else []
        if not self.found:
            return {}
        tidied = MemoriesTidied(how=self._how, memories=len(self.found))
        longer = ended_anew(self._shortened, archived, histories, self._store.stamp, self._root)
        return {TIDYING: [self._store.stamp.draft(tidied, id=self._root)], **longer, **self.found}

    def _draft(self, event: Known, id: MemoryId, number: int) -> Draft:
        return self._store.stamp.draft(event, id=derive_id(self._root, f"{id} {number}"), because=self._root)


async def _meant(store: Opened, asked: Tidy) -> list[Found]:
    which = asked.which
    _must_name_something(which)
    own = None if which.all else await known_scope(store, which.project)
    before = in_utc(which.before)
    status = "live" if asked.how == "archive" else "archived"
    rows = await store.read(lambda c: _rows(c, which, own, before, status))
    if which.ids and not which.match and len(rows) < len(which.ids):
        known = {one.member.id for one in rows}
        for id in which.ids:
            if id not in known:
                memory = await store.memory(id)
                raise Refused(f"{id} is {memory.status}", hint=f"`aftermind show {id}` tells more")
    return rows


def _must_name_something(which: Which) -> None:
    if not (which.ids or which.kinds or which.tags or which.match or which.before or which.resolved):
        raise Unusable("nothing is said of which memories are meant", "", hint="a kind, a tag, words, an age, or ids")


def _rows(connection: Connection, which: Which, own: str | None, before: datetime | None, status: str) -> list[Found]:
    """Statements and exchanges; what stands in a book comes and goes with it."""
    sql = """SELECT s.memory, s.text, s.answer, s.kind, s.at, s.locked, ifnull(p.name, '') FROM shelf s
      LEFT JOIN project p ON p.id = s.scope LEFT JOIN particular r ON r.memory = s.memory
      WHERE s.status = :status AND s.book IS NULL
      AND (:ids = '[]' OR s.memory IN (SELECT value FROM json_each(:ids)))
      AND (:own IS NULL OR s.scope = :own OR :ids <> '[]')
      AND (:kinds = '[]' OR s.kind IN (SELECT value FROM json_each(:kinds)))
      AND (:tags = '[]' OR EXISTS
        (SELECT 1 FROM json_each(s.tags) t WHERE t.value IN (SELECT value FROM json_each(:tags))))
      AND (NOT :resolved OR r.resolved IS NOT NULL)
      AND (:before IS NULL OR max(s.at, ifnull(r.resolved, s.at)) < :before) ORDER BY s.at, s.position"""
    asked = {
        "status": status,
        "ids": as_json(which.ids),
        "own": own,
        "kinds": as_json(which.kinds),
        "tags": as_json(which.tags),
        "resolved": which.resolved,
        "before": microseconds_or_none(before),
    }
    words = which.match.casefold()
    return [
        Found(
            member=Member(id=id, text=_short(text, answer), kind=kind, at=moment(at), project=project),
            locked=bool(locked),
        )
        for id, text, answer, kind, at, locked, project in connection.execute(sql, asked)
        if not words or words in text.casefold() or words in answer.casefold()
    ]


def _short(text: str, answer: str) -> str:
    return shortened(" ".join((text or answer).split()), LONGEST)
