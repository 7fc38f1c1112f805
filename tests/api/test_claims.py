"""Claims: one holder at a time, told to who is refused; leases that end by themselves; numbers that only grow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

import aftermind
from aftermind import OpenMemory
from aftermind.cli.language.erasing import ForgetAll, Selection
from aftermind.cli.language.items import (
    CheckClaim,
    Lease,
    ListClaims,
    ReleaseClaim,
    RenewClaim,
    ShowClaim,
    TakeClaim,
)
from aftermind.cli.language.queueing import Queue
from aftermind.cli.language.requests import EndSession
from aftermind.cli.language.sessions import BeginSession, CloseSession
from aftermind.engine.errors import Held, NotHeld, OffLimits, Unusable
from aftermind.engine.event_forms.items import ClaimReleased, ItemClaimed, ItemNamed
from aftermind.engine.events import SessionEnded
from aftermind.engine.names import EventId, ItemId
from aftermind.engine.policy import SECTIONS, Boot, Policy
from aftermind.engine.stamp import Stamp
from tests.erased import holding
from tests.opened import Clock

pytestmark = pytest.mark.anyio
SHOP, FILE = "shop", "src/billing.py"


async def take(memory: OpenMemory, item: str = FILE, by: str = "ada", **asked: Any) -> Lease:
    return await memory.ask(TakeClaim(item=item, by=by, **{"project": SHOP, **asked}))


async def held(memory: OpenMemory, **asked: Any) -> list[str]:
    return [one.item for one in await memory.ask(ListClaims(**{"project": SHOP, **asked}))]


async def events(memory: OpenMemory, *forms: type) -> list[Any]:
    return [one.draft.event for one in await memory.events() if isinstance(one.draft.event, forms)]


async def test_who_is_refused_is_told_by_whom_and_until_when(memory: OpenMemory) -> None:
    mine = await take(memory, session="s1")
    with pytest.raises(Held) as refused:
        await take(memory, by="bob", session="s2")
    assert (refused.value.item, refused.value.by, refused.value.fence) == (FILE, "ada (session s1)", mine.fence)
    assert refused.value.until == f"{mine.until:%Y-%m-%d %H:%M:%S} UTC"
    assert str(mine.fence) in str(refused.value)
    assert await held(memory) == [FILE]


async def test_of_many_that_claim_at_one_instant_one_wins(memory: OpenMemory) -> None:
    """Claims race: the losers name the winner."""
    won: list[Lease] = []
    lost: list[Held] = []

    async def one(name: str) -> None:
        try:
            won.append(await take(memory, by=name))
        except Held as refused:
            lost.append(refused)

    async with anyio.create_task_group() as tasks:
        for number in range(12):
            tasks.start_soon(one, f"w{number}")
    (winner,) = won
    assert {(refused.by, refused.fence) for refused in lost} == {(winner.by, winner.fence)}
    assert len(await events(memory, ItemClaimed)) == 1


async def test_a_holder_that_died_is_followed_by_the_next_when_its_lease_is_over(
    folder: Path, stamp: Stamp, clock: Clock
) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        dead = await take(memory, seconds=600)
        clock.wait(minutes=9)
        with pytest.raises(Held):
            await take(memory, by="bob")
        clock.wait(minutes=2)
        assert await held(memory) == []
        assert await held(memory, over=True) == [FILE]
    async with aftermind.open_memory(folder, stamp=stamp) as memory:  # nobody had to be there when it ended
        new = await take(memory, by="bob")
        assert new.fence > dead.fence


async def test_who_slept_past_its_lease_comes_back_to_an_old_number(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        old = await take(memory, seconds=60)
        clock.wait(minutes=2)
        asked: dict[str, Any] = {"item": FILE, "project": SHOP, "fence": old.fence}
        for late in (RenewClaim(**asked), ReleaseClaim(**asked), CheckClaim(**asked)):
            with pytest.raises(NotHeld, match="the lease of number"):  # also while nobody else has it
                await memory.ask(late)
        new = await take(memory, by="bob")
        for late in (RenewClaim(**asked), ReleaseClaim(**asked), CheckClaim(**asked)):
            with pytest.raises(NotHeld, match=f"number {old.fence} is old: bob holds it as number {new.fence}"):
                await memory.ask(late)
        assert (await memory.ask(CheckClaim(item=FILE, project=SHOP, fence=new.fence))).by == "bob"


async def test_a_heartbeat_keeps_it(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        mine = await take(memory, seconds=60)
        for _ in range(5):
            clock.wait(seconds=50)
            kept = await memory.ask(RenewClaim(item=FILE, project=SHOP, fence=mine.fence, seconds=60))
            assert kept.fence == mine.fence
        with pytest.raises(Held):
            await take(memory, by="bob")


async def test_a_heartbeat_of_an_unknown_claim_is_an_error(memory: OpenMemory) -> None:
    for asked in (
        RenewClaim(item="nothing", project=SHOP, fence=1),
        RenewClaim(item="nothing", project="never seen", fence=1),
        RenewClaim(item="nothing", project=SHOP),
        ReleaseClaim(item="nothing", project=SHOP, session="s1"),
        ReleaseClaim(item="nothing", project=SHOP, broken=True),
        CheckClaim(item="nothing", project=SHOP, fence=1),
    ):
        with pytest.raises(NotHeld, match="nobody ever held it"):
            await memory.ask(asked)
    assert await events(memory, ItemNamed) == []


async def test_a_release_lets_the_next_one_in_and_is_no_second_time(memory: OpenMemory) -> None:
    mine = await take(memory)
    with pytest.raises(Unusable, match="whose claim it is"):
        await memory.ask(ReleaseClaim(item=FILE, project=SHOP))
    with pytest.raises(NotHeld):  # somebody else's
        await memory.ask(ReleaseClaim(item=FILE, project=SHOP, session="s9"))
    gone = await memory.ask(ReleaseClaim(item=FILE, project=SHOP, fence=mine.fence))
    assert (gone.fence, gone.holds) == (mine.fence, False)
    with pytest.raises(NotHeld):
        await memory.ask(ReleaseClaim(item=FILE, project=SHOP, fence=mine.fence))
    assert (await take(memory, by="bob")).fence > mine.fence


async def test_a_person_breaks_what_somebody_holds(memory: OpenMemory) -> None:
    mine = await take(memory)
    await memory.ask(ReleaseClaim(item=FILE, project=SHOP, broken=True))
    with pytest.raises(NotHeld):
        await memory.ask(RenewClaim(item=FILE, project=SHOP, fence=mine.fence))


async def test_asked_twice_under_one_key_it_is_one_claim(memory: OpenMemory) -> None:
    """As after a connection that was lost with the answer on its way, whatever happened since."""
    key, over = EventId("01" * 16), EventId("02" * 16)
    asked = TakeClaim(item=FILE, project=SHOP, by="ada")
    mine = await memory.ask(asked, key)
    assert await memory.ask(asked, key) == mine
    release = ReleaseClaim(item=FILE, project=SHOP, fence=mine.fence)
    assert await memory.ask(release, over) == await memory.ask(release, over)
    other = await take(memory, by="bob")
    assert (await memory.ask(asked, key)).fence == mine.fence
    assert (await memory.ask(release, over)).fence == mine.fence
    assert other.fence > mine.fence
    assert (len(await events(memory, ItemClaimed)), len(await events(memory, ClaimReleased))) == (2, 1)


async def test_a_key_of_another_request_is_refused_and_nothing_is_claimed(memory: OpenMemory) -> None:
    key = EventId("03" * 16)
    await memory.ask(TakeClaim(item=FILE, project=SHOP), key)
    other = ReleaseClaim(item=FILE, project=SHOP, broken=True)
    for asked in (TakeClaim(item="other", project=SHOP), Queue(items=("third",), project=SHOP)):
        with pytest.raises(Unusable, match="another request"):
            await memory.ask(asked, key)
    assert await held(memory) == [FILE]
    assert (await memory.ask(other)).holds is False


@pytest.mark.parametrize(
    "item",
    [
        *("src/a.py, src/b.py", "a,b", "👩‍💻 pairs", "漢字のメモ", "fix the login; then deploy", "!12", "#456", "&789"),
        *("owner/repo#1", "https://example.org/x/-/issues/3?a=1,2", 'it\'s "quoted" %_\\', "a\tb\nc", "x" * 1_000),
    ],
    ids=lambda item: ascii(item)[:30],
)
async def test_a_name_is_one_row_whatever_is_in_it(memory: OpenMemory, item: str) -> None:
    """Claim keys collide: an item is all of its text, never its parts."""
    await take(memory, item)
    assert await held(memory) == [item]
    for part in {part.strip() for by in (",", "/", None) for part in item.split(by)} - {item, ""}:
        await take(memory, part)
    with pytest.raises(Held):
        await take(memory, f"  {item} ")


@pytest.mark.parametrize("item", ["./src/a.py", "././src/a.py", "src//a.py", "src/./a.py", "src/a.py/", "./src/a.py//"])
async def test_two_spellings_of_one_path_are_one_item(memory: OpenMemory, item: str) -> None:
    await take(memory, "src/a.py")
    with pytest.raises(Held):
        await take(memory, item)
    assert await held(memory) == ["src/a.py"]


async def test_what_only_looks_like_a_spelling_of_a_path_is_an_item_of_its_own(memory: OpenMemory) -> None:
    apart = {".", "/", "..", "a", "/a", "../a", ".a", "a.", "a/.b", "a/..", "https://a", "https:a", "https:", "A"}
    for item in apart:
        await take(memory, item)
    assert set(await held(memory)) == apart


async def test_an_item_is_of_its_project(memory: OpenMemory) -> None:
    await take(memory)
    await take(memory, by="bob", project="billing")
    await take(memory, by="eve", project=None)
    assert await held(memory) == [FILE]
    assert len(await held(memory, all=True)) == 3
    assert [one.by for one in await memory.ask(ListClaims(all=True, within=SHOP))] == ["ada", "eve"]
    assert await held(memory, project="never seen") == []


async def test_a_session_that_ends_lets_go_of_what_it_held(memory: OpenMemory) -> None:
    for session, item in (("s1", FILE), ("s1", "b, c"), ("s2", "theirs")):
        await memory.ask(BeginSession(session=session, project=SHOP))
        await take(memory, item, by=session, session=session)
    await memory.ask(CloseSession(session="s1"))
    assert await held(memory) == ["theirs"]
    await memory.ask(EndSession(session="s2"))
    assert await held(memory) == []
    ended = await events(memory, SessionEnded, ClaimReleased)
    assert [type(one).__name__ for one in ended] == [
        "SessionEnded",
        *["ClaimReleased"] * 2,
        "SessionEnded",
        "ClaimReleased",
    ]


async def test_a_session_that_only_fell_silent_keeps_what_it_holds(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.ask(BeginSession(session="s1", project=SHOP))
        await take(memory, session="s1", seconds=7_200)
        clock.wait(hours=1)
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await memory.sweep()
        assert await held(memory) == [FILE]


async def test_a_session_begins_with_what_others_hold(folder: Path, stamp: Stamp, clock: Clock) -> None:
    async with aftermind.open_memory(folder, stamp=stamp) as memory:
        await take(memory, session="s1", by="opencode")
        await take(memory, "mine", session="s2")
        await take(memory, "elsewhere", project="billing")
        told = (await memory.context(session="s2", project=SHOP)).text
        (line,) = [line for line in told.splitlines() if "[claim]" in line]
        assert line == f"- [claim] (opencode, session s1, until 2026-05-01 12:15 UTC) {FILE}"
        clock.wait(hours=1)  # and nothing when it is over
        assert "[claim]" not in (await memory.context(session="s3", project=SHOP)).text
    boot = Boot(sections=tuple(name for name in SECTIONS if name != "active_sessions"))
    async with aftermind.open_memory(folder, stamp=stamp, policy=Policy(boot=boot)) as memory:
        await take(memory, session="s1", by="opencode")
        assert "[claim]" not in (await memory.context(session="s4", project=SHOP)).text


async def test_all_that_was_done_with_an_item_is_told(memory: OpenMemory) -> None:
    mine = await take(memory, session="s1")
    await memory.ask(RenewClaim(item=FILE, project=SHOP, session="s1"))
    told = await memory.ask(ShowClaim(item=FILE, project=SHOP))
    assert told.lease is not None
    assert (told.lease.fence, told.fence) == (mine.fence, mine.fence)
    assert [step.type for step in told.steps] == ["item-claimed", "claim-renewed"]
    nothing = await memory.ask(ShowClaim(item="nothing", project=SHOP))
    assert (nothing.lease, nothing.fence, nothing.steps) == (None, 0, ())


async def test_a_name_that_is_forgotten_leaves_the_lease(memory: OpenMemory) -> None:
    mine = await take(memory, "the merger with Acme")
    (name,) = [one for one in await memory.events() if isinstance(one.draft.event, ItemNamed)]
    await memory.ask(ForgetAll(selection=Selection(events=(name.draft.id,))))
    (left,) = await memory.ask(ListClaims(project=SHOP))
    assert (left.item, left.fence, left.id) == ("", mine.fence, mine.id)
    with pytest.raises(Held):
        await take(memory, "the merger with Acme", by="bob")


async def test_a_file_that_is_off_limits_is_no_name_an_assistant_gives(
    memory: OpenMemory, folder: Path, tmp_path: Path
) -> None:
    work, word = tmp_path / "work", "quokka"
    (work / "hush").mkdir(parents=True)
    (work / ".aftermindignore").write_text("hush/\n*.pem\n")
    place = str(work)
    for item in (f"hush/{word}.txt", f" {word}.pem ", str(work / "hush" / word)):
        with pytest.raises(OffLimits):
            await memory.ask(TakeClaim(item=item, project=place, within=place))
        with pytest.raises(OffLimits):
            await memory.ask(Queue(items=("open.py", item), project=place, within=place))
    assert holding(folder, word) == {}
    for item in ("open.py", "half\x00", f"~/{'x' * 300}", "renew the key, then deploy"):
        await memory.ask(TakeClaim(item=item, project=place, within=place))
    await memory.ask(TakeClaim(item=f"{word}.pem", project=place))  # a person says what a person says


async def test_what_is_private_or_secret_is_no_name(memory: OpenMemory) -> None:
    with pytest.raises(Unusable):
        await take(memory, "<private>the merger</private>")
    lease = await take(memory, "rotate ghp_" + "a1B2" * 9)
    assert "ghp_" not in lease.item
    assert ItemId(lease.id) == lease.id
