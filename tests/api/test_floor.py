"""What the key `ranking.floor` asks of a match, and where it is not asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

import aftermind
from aftermind.cli.keys import KEYS
from aftermind.engine.policy import Policy

pytestmark = pytest.mark.anyio
FACTS = (
    "Staging listens on port 8081",
    "The port of the queue is closed on weekends",
    "The invoices live in bucket inv-7",
    "Invoices of Berlin customers are sent by mail",
    "Customers of last year got a discount",
    "Anna owns the billing service",
)
LONG = "which port does staging use in the lab of the new office, where customers and invoices of last year live"


async def shown(folder: Path, floor: float, prompt: str, model: str = "none") -> int:
    ranking = structs.replace(Policy().ranking, floor=floor)
    async with aftermind.open_memory(folder / f"{model}{floor}", policy=Policy(ranking=ranking), model=model) as memory:
        for fact in FACTS:
            await memory.remember(fact)
        await memory.embedded()
        return (await memory.context(prompt, session="s")).text.count("\n- [")


async def test_by_words_it_leaves_out_what_says_less_of_the_prompt(folder: Path) -> None:
    assert await shown(folder, 0.0, LONG) > await shown(folder, 1.0, LONG)


async def test_a_rare_word_that_tells_enough_is_not_asked_for_a_share(folder: Path) -> None:
    assert await shown(folder, 1.0, "who owns billing?") == 1


async def test_beside_a_model_what_means_the_same_is_shown_at_any_floor(folder: Path) -> None:
    asked = "where do the invoices live?"
    assert await shown(folder, 1.0, asked, "static") > 0


def test_the_line_of_the_key_says_so() -> None:
    (key,) = [key for key in KEYS if key.name == "ranking.floor"]
    assert all(part in key.about for part in ("by words", "rare word", "with a model"))
