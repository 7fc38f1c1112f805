"""What was said next: the same whatever the order in which it arrived, and whatever the clock did meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.events import Erased, Event, ExchangeRecorded, MemoryForgotten, PromptReceived
from aftermind.engine.log import Append, Draft, Recorded
from aftermind.engine.names import GLOBAL, EventId, MemoryId, SessionId, session_stream
from aftermind.projections.views import waiting
from tests.given import NOON, ON_DISK, given_appends
from tests.histories import histories

pytestmark = pytest.mark.anyio
S = SessionId("s")
QUIET = timedelta(minutes=30)


class Told:
    """One thing of a session, said at a minute. An exchange answers a prompt, or comes without one."""

    def __init__(self, id: str, minute: int, answers: str | None = None, exchange: bool = False) -> None:
        self.id, self.minute, self.answers, self.exchange = id, minute, answers, exchange

    def arrived(self, order: int, live: bool) -> Append:
        """As it arrives: live, when it is said; or later than all there is."""
        at = NOON + timedelta(minutes=self.minute)
        noted = at if live else NOON + timedelta(days=1, seconds=order)
        event: Event = PromptReceived(session=S, scope=GLOBAL, text=self.id)
        if self.exchange:
            event = ExchangeRecorded(session=S, scope=GLOBAL, memory=MemoryId(self.id), prompt=self.id, answer="")
        because = EventId(self.answers) if self.answers else None
        draft = Draft(id=EventId(self.id), at=at, noted=noted, because=because, event=event)
        return Append(stream=session_stream(S), drafts=(draft,))


def conversation(turns: Sequence[tuple[int, bool]]) -> list[Told]:
    """Prompts one after the other, each answered after some more of them; some come as exchanges alone."""
    told = []
    for number, (delay, alone) in enumerate(turns):
        if alone:
            told.append(Told(f"e{number}", 10 * number, exchange=True))
        else:
            told.append(Told(f"p{number}", 10 * number))
            told.append(Told(f"e{number}", 10 * (number + delay) + 1 + number, answers=f"p{number}", exchange=True))
    return told


def expected(turns: Sequence[tuple[int, bool]]) -> dict[str, str | None]:
    names = [f"e{number}" if alone else f"p{number}" for number, (_, alone) in enumerate(turns)]
    return {f"e{number}": names[number + 1] if number + 1 < len(turns) else None for number in range(len(turns))}


async def follow_ups(folder: Path, appends: Sequence[Append]) -> dict[str, str | None]:
    async with given_appends(folder, *appends) as known:
        return dict(await known.rows("SELECT exchange, follow_up FROM worklist"))


@ON_DISK
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=8), st.randoms(use_true_random=False))
async def test_any_order_of_arrival_gives_the_same_follow_ups(turns, random) -> None:
    told = conversation(turns)
    in_order = sorted(told, key=lambda one: one.minute)
    shuffled = random.sample(told, len(told))
    shuffled.sort(key=lambda one: one.exchange and one.answers is not None)  # an answer comes after what it answers
    cut = random.randrange(len(in_order) + 1)
    late = {one.id for one in random.sample(in_order, cut)}
    on_time = [one for one in in_order if one.id not in late]
    waited = [one for one in shuffled if one.id in late]
    ways = {
        "as it was said": [one.arrived(0, live=True) for one in in_order],
        "all of it late": [one.arrived(order, live=False) for order, one in enumerate(shuffled)],
    }
    if not any(one.answers in late for one in on_time):  # what is answered live was heard
        ways["some of it late"] = [
            *(one.arrived(0, live=True) for one in on_time),
            *(one.arrived(order, live=False) for order, one in enumerate(waited)),
        ]
    for way, appends in ways.items():
        with TemporaryDirectory() as folder:
            assert await follow_ups(Path(folder), appends) == expected(turns), way


def said_next(events: Sequence[Recorded]) -> dict[EventId, EventId | None]:
    """The rule once more, as it would be read aloud: every exchange's follow-up, of all that is left of a history."""
    forgotten = {
        id for one in events if isinstance(one.draft.event, MemoryForgotten) for id in one.draft.event.quoted_in
    }
    shown = {one.draft.id: one.draft.because for one in events if getattr(one.draft.event, "shown", None) is not None}
    order: dict[EventId, tuple[str, float, int, object]] = {}
    prompts: set[EventId] = set()
    latest: dict[str, float] = {}
    rows: dict[EventId, tuple[str, float, int, object]] = {}
    for one in events:
        event, id = one.draft.event, one.draft.id
        tag = event.tag if isinstance(event, Erased) else None
        is_prompt = isinstance(event, PromptReceived) or tag == "prompt-received"
        if not (is_prompt or isinstance(event, ExchangeRecorded) or tag == "exchange-recorded"):
            continue
        said, live = one.draft.at.timestamp(), one.draft.at == one.draft.noted
        because = one.draft.because
        own = next((p for p in (because, shown.get(because)) if p in prompts and order[p][0] == one.stream), None)
        if live:
            said = max(said, latest.get(one.stream, said))
        scope = None if id in forgotten else getattr(event, "scope", None)
        if is_prompt or own is None:
            order[id] = one.stream, said, one.position, scope
            latest[one.stream] = max(said, latest.get(one.stream, said)) if live else latest.get(one.stream, said)
        if is_prompt:
            prompts.add(id)
        elif id not in forgotten:
            place = order[own or id]
            rows[id] = place[0], place[1], place[2], getattr(event, "scope", None)
    found: dict[EventId, EventId | None] = {}
    for id, (stream, said, position, scope) in rows.items():
        later = [
            (when, place, other)
            for other, (of, when, place, where) in order.items()
            if of == stream and (when, place) > (said, position) and where in (None, scope)
        ]
        found[id] = min(later)[2] if later else None
    return found


@ON_DISK
@given(histories())
async def test_every_row_knows_what_was_said_next(appends: list[Append]) -> None:
    with TemporaryDirectory() as folder:
        async with given_appends(Path(folder), *appends) as known:
            rows = await known.rows("SELECT exchange, follow_up FROM worklist")
            assert dict(rows) == said_next(await known.log.after(0, limit=10_000))  # type: ignore[arg-type]


async def test_who_is_last_waits_until_the_session_is_quiet(tmp_path: Path) -> None:
    one = Told("e0", 0, exchange=True)
    async with given_appends(tmp_path, one.arrived(0, live=True)) as known:
        for minutes, count in ((29, 0), (30, 1)):
            now = NOON + timedelta(minutes=minutes)
            found = await known.views.read(lambda c, now=now: waiting.queue(c, now, QUIET))  # type: ignore[misc]
            assert (found.waiting, found.ready) == (1, count)
