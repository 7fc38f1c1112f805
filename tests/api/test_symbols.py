"""A symbol is found however it is written: in one word, with lines between its words, as a flag, or in plain words."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.anyio

CACHE = "getUserById returns null when the cache is cold"
POOL = "Set MAX_CONN_POOL_SIZE to 25 on staging"
RETRIES = "The flag --max-retries must stay below 5"
REFUND = "PaymentService.processRefund() throws InsufficientFundsError for a partial one"
OTHERS = ["The deploy pipeline builds with Node 20", "Ada reviews the billing worker", "Logs are kept for 30 days"]


@pytest.fixture
async def told(memory):
    for text in (CACHE, POOL, RETRIES, REFUND, *OTHERS):
        await memory.remember(text, project="p")
    return memory


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("getUserById", CACHE),
        ("get_user_by_id", CACHE),
        ("why is get user by id null?", CACHE),
        ("GET_USER_BY_ID is null", CACHE),
        ("MAX_CONN_POOL_SIZE", POOL),
        ("maxConnPoolSize", POOL),
        ("max conn pool size", POOL),
        ("max_retries", RETRIES),
        ("why is maxRetries limited?", RETRIES),
        ("process_refund()", REFUND),
        ("insufficient funds", REFUND),
        ("an insufficient_funds_error", REFUND),
    ],
)
async def test_a_symbol_is_found_in_every_spelling(told, query: str, text: str) -> None:
    found = await told.recall(query, project="p")
    assert [hit.text for hit in found][:1] == [text]


@pytest.mark.parametrize("query", ["which java version?", "the git hooks", "a script", "type of the hub"])
async def test_a_name_of_two_words_is_none_of_its_words(memory, query: str) -> None:
    await memory.remember("We write JavaScript and TypeScript, hosted on GitHub")
    assert not await memory.recall(query)


async def test_words_of_many_symbols_push_no_word_out_of_a_question(told) -> None:
    trace = " ".join(f"someHandler{n}OfThatThing" for n in range(60))
    found = await told.recall(f"{trace} and why does PROCESS_REFUND throw insufficient funds?", project="p")
    assert REFUND in [hit.text for hit in found]
