"""What signs capture beside what a person stated, and what comes back when it is forgotten."""

from __future__ import annotations

import pytest

from tests.api.test_learning import bank, judged, learned

pytestmark = pytest.mark.anyio
OLD, NEW, NEWEST = (f"The api port is {port}" for port in (8080, 9999, 7777))


async def said(memory, text: str, session: str = "s", **where):
    await memory.context(text, session=session, **where)
    return await memory.record(text, "ok", session=session, **where)


async def test_what_a_person_stated_is_contradicted_by_what_signs_capture_and_both_are_told(memory):
    old = await memory.remember(OLD)
    await said(memory, NEW)
    await said(memory, NEWEST, "s2")
    found = await bank(memory, history=True)
    assert {text: one.status for text, one in found.items()} == {OLD: "live", NEW: "superseded", NEWEST: "live"}
    assert ("contradicts", found[NEWEST].id) in {(one.relation, one.id) for one in (await memory.why(old)).related}
    (hit,) = [hit for hit in await memory.recall("which api port?") if hit.id == old]
    assert f"contradicts {found[NEWEST].id}" in "; ".join(hit.reasons)


async def test_what_a_person_put_in_other_words_is_stated_by_hand(memory):
    await said(memory, OLD)
    (captured,) = (await bank(memory)).values()
    await memory.correct(captured.id, NEW)
    await said(memory, NEWEST, "s2")
    assert set(await bank(memory)) == {NEW, NEWEST}


async def test_what_a_judge_that_reads_meaning_learns_takes_its_place(memory):
    await memory.remember(OLD)
    await judged(memory, learned(NEW), prompt="which one?")
    assert set(await bank(memory)) == {NEW}
