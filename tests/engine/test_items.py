"""The law of fencing, as hypothesis may try it: clocks that go back, holders that sleep, numbers that were made up."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aftermind.engine.errors import AftermindError, Held, NotHeld, Refused, Unusable
from aftermind.engine.event_forms.items import ClaimReleased, ClaimRenewed, ItemClaimed
from aftermind.engine.events import Known
from aftermind.engine.items import life
from aftermind.engine.items.life import Blocker, Holder, Item, Queued, evolve, item_of, name_of
from aftermind.engine.items.queueing import hand_out
from aftermind.engine.names import EventId, ItemId, Label, Scope, SessionId
from tests.given import NOON

SCOPE, NAME = Scope("p1"), "src/billing.py"
LEASE = timedelta(minutes=15)
HOLDERS = ("ada", "bob", "eve")
acts = st.tuples(
    st.sampled_from(("take", "take", "take", "renew", "release", "check", "break", "old renew", "old release")),
    st.sampled_from(HOLDERS),
    st.integers(-1_800, 3_600),  # seconds that the clock moves before, which may be back
)


class World:
    """One item, who believes to hold it, and every number that was given out."""

    def __init__(self) -> None:
        self.item, self.now, self.count = Item(id=ItemId("i1")), NOON, 0
        self.numbers: list[int] = []
        self.believed: dict[str, list[int]] = {name: [] for name in HOLDERS}

    def happened(self, event: Known) -> None:
        self.count += 1
        self.item = evolve(self.item, event, self.now, EventId(f"e{self.count}"))

    def act(self, what: str, who: str, seconds: int) -> Known | None:
        self.now += timedelta(seconds=seconds)
        numbers = self.believed[who]
        fence = (numbers[0] if what.startswith("old") else numbers[-1]) if numbers else 1
        what = what.removeprefix("old ")
        match what:
            case "take":
                holder = Holder(by=Label(who), session=SessionId(who))
                return life.take(self.item, NAME, SCOPE, holder, self.now, LEASE)
            case "renew":
                return life.renew(self.item, NAME, SCOPE, fence, None, self.now, LEASE)
            case "release":
                return life.release(self.item, NAME, SCOPE, fence, None, self.now, Label("released"))
            case "break":
                return life.break_(self.item, NAME, SCOPE, self.now)
            case _:
                life.own(self.item, NAME, fence, None, self.now)
                return None


@given(st.lists(acts, max_size=60))
@example([("take", "ada", 0), ("take", "bob", 1_000), ("old renew", "ada", 0), ("old release", "ada", 0)])
@example([("take", "ada", 3_600), ("release", "ada", -1_800), ("take", "bob", -1_800)])
def test_a_later_claim_has_a_higher_number_and_nobody_holds_beside_another(did: list[tuple[str, str, int]]) -> None:
    world = World()
    for what, who, seconds in did:
        before = world.item.claim
        try:
            event = world.act(what, who, seconds)
        except Held:
            assert what == "take"
            assert before is not None
            assert before.holds(world.now)
            continue
        except NotHeld:
            holds = before is not None and before.holds(world.now)
            assert not (holds and what == "break")
            assert not (holds and not what.startswith("old") and world.believed[who][-1:] == [before.fence])
            continue
        match event:
            case ItemClaimed(fence=fence):
                assert before is None or not before.holds(world.now), "two hold"
                assert fence > max(world.numbers, default=0), "a number that is not higher"
                world.numbers.append(fence)
                world.believed[who].append(fence)
            case ClaimRenewed(fence=fence) | ClaimReleased(fence=fence):
                assert before is not None
                assert before.holds(world.now), "what is over came to life again"
                assert fence == before.fence == max(world.numbers), "an old number was good for something"
            case _:
                assert before is not None
                assert before.holds(world.now)
        if event is not None:
            world.happened(event)


def test_a_number_grows_also_where_the_log_was_taken_back() -> None:
    """After an older backup was restored, or the store was begun anew, the history is shorter; the clock goes on."""
    world = World()
    first = world.act("take", "ada", 0)
    assert isinstance(first, ItemClaimed)
    anew = World()
    second = anew.act("take", "bob", 60)
    assert isinstance(second, ItemClaimed)
    assert second.fence > first.fence


def test_a_renewal_never_shortens_a_lease() -> None:
    world = World()
    taken = world.act("take", "ada", 0)
    assert isinstance(taken, ItemClaimed)
    world.happened(taken)
    renewed = life.renew(world.item, NAME, SCOPE, taken.fence, None, world.now, timedelta(seconds=1))
    assert renewed.until == taken.until


def test_who_asks_again_is_told_that_it_is_his_own() -> None:
    world = World()
    taken = world.act("take", "ada", 0)
    assert isinstance(taken, ItemClaimed)
    world.happened(taken)
    with pytest.raises(Held) as refused:
        world.act("take", "ada", 1)
    assert refused.value.fence == taken.fence
    assert "this session" in refused.value.hint


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caf\u00e9.py", "cafe\u0301.py"),
        (" a \t b\n", "a b"),
        ("\u212b", "\u00c5"),
        ("👩\u200d💻", "👩💻"),
        ("☃\ufe0f", "☃"),
    ],
    ids=ascii,
)
def test_one_thing_has_one_name(one: str, other: str) -> None:
    assert item_of(SCOPE, name_of(one)) == item_of(SCOPE, name_of(other))


@pytest.mark.parametrize(("one", "other"), [("a", "b"), ("a,b", "a"), ("A", "a"), ("!12", "!1"), ("a/b", "a b")])
def test_another_thing_has_another(one: str, other: str) -> None:
    assert item_of(SCOPE, name_of(one)) != item_of(SCOPE, name_of(other))
    assert item_of(SCOPE, one) != item_of(Scope("p2"), one)


@pytest.mark.parametrize("text", ["", "  \n", "\u200b\u200d", "x" * 1_001])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(Unusable):
        name_of(text)


@pytest.mark.parametrize("seconds", [0.0, 0.99, -5.0, 86_401.0, float("nan"), float("inf")])
def test_a_lease_has_an_end(seconds: float) -> None:
    with pytest.raises(AftermindError):
        life.lease_of(seconds)


def at(seconds: int) -> datetime:
    return NOON + timedelta(seconds=seconds)


@pytest.mark.parametrize("blockers", [(Blocker(event=EventId("e"), by="waits for legal"),), ()])
def test_what_was_put_off_or_blocked_since_it_was_chosen_is_not_handed_out(blockers: tuple[Blocker, ...]) -> None:
    deferred = None if blockers else NOON + timedelta(days=1)
    item = Item(id=ItemId("i1"), queued=Queued(priority=3, deferred=deferred), blockers=blockers)
    with pytest.raises(Refused):
        hand_out(item, NAME, SCOPE, Holder(by=Label("ada")), NOON, LEASE)


def test_what_waits_for_another_is_handed_out_where_that_one_is_done() -> None:
    blockers = (Blocker(event=EventId("e"), by="login", on=ItemId("i2")),)
    item = Item(id=ItemId("i1"), queued=Queued(priority=3), blockers=blockers)
    assert isinstance(hand_out(item, NAME, SCOPE, Holder(by=Label("ada")), NOON, LEASE)[0], ItemClaimed)
