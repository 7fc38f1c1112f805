"""Names: who is called by one is shown, and who has others is not; a label names nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest

from aftermind.cli.language.requests import Remember
from aftermind.engine.memories.particulars import Particulars
from aftermind.projections.reading.slips import is_slip
from aftermind.projections.recalling.words import naming
from aftermind.projections.recalling.words.naming import BEARERS
from aftermind.projections.views.called import names, spelled

pytestmark = pytest.mark.anyio


async def found(memory, query: str, **options) -> list[str]:
    return [hit.text for hit in await memory.recall(query, **options)]


async def test_who_is_called_by_an_alias_is_shown_and_says_so(memory):
    await memory.remember("Everything is deployed to EKS with Helm", tags=["kubernetes", "k8s", "kube"])
    await memory.remember("Pods of the batch jobs run at night", tags=["batch jobs"])
    (hit,) = await memory.recall("how does kube schedule the pods we deployed with Helm?")
    assert hit.text.startswith("Everything")
    assert hit.reasons[0] == "is called kube (+0.50)"


async def test_a_name_of_several_words_is_called_by_all_of_them_together(memory):
    await memory.remember("Failed messages wait for a person", tags=["dead_letter_queue", "dead letter"])
    assert await found(memory, "what happens to Dead-Letter messages?") == ["Failed messages wait for a person"]
    (hit,) = await memory.recall("the dead wrote a letter")
    assert not any("called" in reason for reason in hit.reasons)


async def test_what_is_rarely_spoken_of_is_found_beside_what_is_spoken_of_often(memory, monkeypatch):
    monkeypatch.setattr(naming, "MOST_SPEAKING", 3)
    await memory.remember("ERR-4711 is a full disk, nothing else")
    for number in range(5):
        await memory.remember(f"In `src/app.py` line {number} is wrong")
    assert (await found(memory, "why does ERR-4711 come from `src/app.py`?"))[0].startswith("ERR-4711")


async def test_where_one_is_called_who_has_other_names_must_say_far_more(memory):
    await memory.remember("It is restarted with care at weekends", tags=["billing"])
    await memory.remember("The pods restart at weekends", tags=["checkout"])
    asked = "when do pods of billing restart, which alarms fire, and who watches dashboards?"
    assert await found(memory, asked) == ["It is restarted with care at weekends"]
    asked = asked.replace("billing", "payments")
    assert "The pods restart at weekends" in await found(memory, asked), "nobody is called"


async def test_what_is_over_is_called_by_its_name_by_who_asks_for_history_alone(memory, clock):
    told = Particulars(until=clock.time + timedelta(days=2))
    await memory.ask(Remember(text="It is restarted with care at weekends", tags=("billing",), particulars=told))
    clock.wait(days=3)
    assert await found(memory, "who watches billing?") == []
    (hit,) = await memory.recall("who watches billing?", history=True)
    assert hit.reasons[0].startswith("is called billing")


async def test_what_was_put_away_makes_no_label_of_a_name(memory):
    for number in range(BEARERS + 1):
        await memory.archive(await memory.remember(f"It was restarted by script {number}", tags=["billing"]))
    await memory.remember("It is restarted with care at weekends", tags=["billing"])
    (hit,) = await memory.recall("who watches billing?")
    assert hit.reasons[0].startswith("is called billing")


async def test_where_nobody_is_called_names_take_nothing_away(memory):
    await memory.remember("The pods of checkout restart at night", tags=["batch jobs"])
    assert await found(memory, "when do the checkout pods restart?") == ["The pods of checkout restart at night"]


async def test_what_has_no_names_is_found_by_its_words_beside_who_is_called(memory):
    await memory.remember("It caches carts", tags=["redis"])
    await memory.remember("Redis evicts carts by allkeys-lru since the outage")
    assert set(await found(memory, "which carts does Redis evict after the outage?")) == {
        "It caches carts",
        "Redis evicts carts by allkeys-lru since the outage",
    }


async def test_a_tag_of_many_is_a_label_and_names_nobody(memory):
    for number in range(BEARERS + 1):
        await memory.remember(f"entry {'abcdefgh'[number]} of the diary", tags=["payments"])
    hits = await memory.recall("payments?", floor=False)
    assert hits
    assert not any("called" in reason for hit in hits for reason in hit.reasons)


async def test_a_slip_of_the_keyboard_is_forgiven_of_words_nobody_says(memory):
    await memory.remember("Strict mode everywhere", tags=["TypeScript"])
    for typed in ("typscript", "typsecript", "typeescript", "tipescript typoscript"):
        assert await found(memory, f"{typed} config") == ["Strict mode everywhere"], typed
    assert await found(memory, "mypescript config") == []


async def test_a_corrected_memory_keeps_its_names_and_a_forgotten_one_does_not(memory):
    id = await memory.remember("In src/old.py", tags=["parser"])
    await memory.correct(id, "In src/new.py")
    assert await found(memory, "where is the parser?") == ["In src/new.py"]
    hit, *_ = await memory.recall("who wrote new.py of the parser")
    assert any("same file" in reason for reason in hit.reasons)
    assert not any("same file" in reason for hit in await memory.recall("old.py parser") for reason in hit.reasons)
    await memory.forget(id)
    assert await found(memory, "where is the parser?") == []


async def test_names_of_one_project_call_nobody_in_another(memory):
    await memory.remember("the cache", project="one", tags=["redis"])
    assert await found(memory, "redis?", project="two") == []


def test_names_are_compared_however_they_are_written():
    assert spelled("class_hierarchies") == spelled("Class hierarchy") == ["class", "hierarchy"]
    assert names(["React.js", "@typescript-eslint", "the", "x", "a b c d e f g"]) == [
        ("react", "js"),
        ("typescript", "eslint"),
    ]


@pytest.mark.parametrize(
    ("typed", "name", "slip"),
    [
        ("eror", "error", True),
        ("errror", "error", True),
        ("errro", "error", True),
        ("mango", "mongo", False),
        ("reach", "react", False),
        ("kubernites", "kubernetes", True),
        ("typsecrpit", "typescript", False),
        ("error", "error", False),
    ],
)
def test_what_one_slip_makes(typed, name, slip):
    assert is_slip(typed, name) is slip
