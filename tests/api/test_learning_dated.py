"""An exchange that is told later than it was said teaches what it says, as of then; what is newer stays."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.api.test_learning import bank
from tests.given import NOON

pytestmark = pytest.mark.anyio
HOUR, DAY, YEAR = timedelta(hours=1), timedelta(days=1), timedelta(days=365)
BEFORE = NOON - 2 * DAY
OLD, NEW, NEWEST = (f"The api port is {port}" for port in (8080, 9999, 7777))


async def told(memory, text: str, at=None, session: str = "s", **more):
    return await memory.record(text, "ok", session=session, at=at, **more)


async def status(memory) -> dict[str, str]:
    return {text: one.status for text, one in (await bank(memory, history=True)).items()}


@pytest.mark.parametrize("ago", [70 * HOUR / 60, 9 * HOUR, DAY, 14 * DAY, 3 * YEAR])
async def test_rules_and_preferences_of_any_age_are_learned_with_their_time(memory, ago):
    at = NOON - ago
    await told(memory, "Always run isort before you commit. I prefer vim over emacs.", at)
    learned = await bank(memory)
    assert {one.kind for one in learned.values()} == {"directive", "preference"}
    assert {one.at for one in learned.values()} == {at}


async def test_what_is_newer_holds_in_whichever_order_it_is_told(memory):
    await told(memory, f"{NEW}.", BEFORE + DAY)
    await told(memory, f"{OLD}.", BEFORE)
    assert await status(memory) == {OLD: "superseded", NEW: "live"}
    await told(memory, f"{NEWEST}.")
    assert await status(memory) == {OLD: "superseded", NEW: "superseded", NEWEST: "live"}
    await told(memory, f"{NEW}.", BEFORE + DAY, session="another")
    assert (await status(memory))[NEWEST] == "live"


async def test_what_a_person_stated_since_stays(memory):
    await memory.remember(OLD)
    await told(memory, f"{NEW}.", BEFORE)
    assert await status(memory) == {OLD: "live", NEW: "superseded"}


async def test_of_what_a_person_stated_before_it_contradicts(memory):
    await memory.remember(OLD, at=BEFORE)
    await told(memory, f"{NEW}.", BEFORE + DAY)
    assert await status(memory) == {OLD: "live", NEW: "live"}


async def test_a_rule_that_orders_otherwise_gives_way_to_a_newer_one(memory):
    await told(memory, "From now on, always use pnpm.")
    await told(memory, "From now on, always use npm.", BEFORE)
    assert [text for text in await bank(memory) if "npm" in text and "pnpm" not in text] == []
    assert any("pnpm" in text for text in await bank(memory))


async def test_told_twice_it_is_learned_once(memory):
    for _ in range(2):
        await told(memory, f"{OLD}.", BEFORE, id="message-1")
    assert await status(memory) == {OLD: "live"}
    assert len(await memory.latest(limit=50)) == 2  # and its exchange


async def test_a_date_to_come_counts_as_now(memory):
    await told(memory, f"{OLD}.", NOON + YEAR)
    await told(memory, f"{NEW}.")
    assert await status(memory) == {OLD: "superseded", NEW: "live"}


async def test_it_answers_what_was_said_before_it_and_not_what_came_later(memory):
    await memory.record("Which port is staging on?", "Staging listens on port 8080.", session="s", at=BEFORE)
    await memory.record("Which port is grafana on?", "Grafana listens on port 3000.", session="s", at=BEFORE + DAY)
    await memory.record("No, the port is 8081 now.", "I see.", session="s", at=BEFORE + HOUR)
    assert list(await bank(memory)) == ["Staging listens on port 8081"]


async def test_an_import_teaches_nothing_by_itself(memory):
    await told(memory, f"{OLD}. I prefer vim over emacs.", BEFORE, collection="history")
    assert await bank(memory) == {}


async def test_a_question_of_then_teaches_no_more_than_one_of_now(memory):
    for text in ("Is the api port 8080?", "What if we always used isort, what do you think?", "Thanks!"):
        await told(memory, text, BEFORE)
    assert await bank(memory) == {}
