"""Any text is a legal query, and what it asks for is its words in every script."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aftermind.projections.reading.spellings import spellings
from aftermind.projections.reading.terms import MOST_WORDS, otherwise, terms
from aftermind.projections.recalling.matching import K1_PLUS_1, brevity, saturated
from tests.strategies import texts

pytestmark = pytest.mark.anyio
OPERATORS = (
    "AND",
    "OR",
    "NOT",
    "NEAR(",
    "*",
    "^",
    ":",
    "(",
    ")",
    '"',
    "'",
    "''",
    "{",
    "}",
    "+",
    "-",
    "user:",
    "rowid",
    ";",
    "--",
    "%",
)
queries = st.one_of(
    texts, st.lists(st.sampled_from((*OPERATORS, "zebra", "漢字", "\x00", "\ud800")), max_size=8).map(" ".join)
)


def asked(query: str) -> list[str]:
    return [term.text for term in terms(query)]


async def found(memory, query: str, **options) -> list[str]:
    return [hit.text for hit in await memory.recall(query, **options)]


# --- what a query asks for ------------------------------------------------------------------------------------


def test_a_query_asks_for_its_distinct_words_without_those_that_say_nothing():
    assert asked("How do we deploy the Billing service? Deploy it!") == ["deploy", "billing", "service"]


def test_what_is_written_without_spaces_is_asked_for_in_windows_of_three():
    assert asked("東京都庁") == ["東京都", "京都庁"]
    assert asked("漢字") == ["漢字"]
    assert asked("deploy 漢字 now") == ["deploy", "漢字", "now"]


def test_of_a_long_query_both_ends_are_asked():
    paste = " ".join(f"frame{n}" for n in range(300))
    said = asked(f"zebra {paste} crossing")
    assert len(said) == 48
    assert (said[0], said[-1]) == ("zebra", "crossing")


async def test_a_word_with_vowel_signs_is_one_word(memory):
    await memory.remember("सर्वर पोर्ट 8081 पर है")
    assert await found(memory, "सर्वर पोर्ट") == ["सर्वर पोर्ट 8081 पर है"]


@given(queries)
def test_any_text_is_cut_into_few_words(query):
    found = terms(query)
    assert len(found) <= MOST_WORDS
    assert len(set(found)) == len(found)
    assert all(term.text and '"' not in term.text and "\x00" not in term.text for term in found)


# --- whatever is asked ----------------------------------------------------------------------------------------


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(query=queries)
async def test_any_text_is_a_legal_query(memory, query):
    await memory.remember("A zebra crosses 漢字 AND the road")
    for floor in (True, False):
        assert len(await memory.recall(query, history=True, floor=floor)) <= 1


@pytest.mark.parametrize(
    "query", ["", " ", "\n", "?!", "what is the", "ok thanks", "\x00", "\ud800", "👩‍💻", '"', "''", "*"]
)
async def test_a_query_without_a_word_that_says_something_finds_nothing(memory, query):
    await memory.remember("What is the zebra doing, ok thanks 👩‍💻 * \" ''")
    assert await found(memory, query, floor=False) == []


@pytest.mark.parametrize(
    "query",
    [
        "zebra AND giraffe", "zebra OR", "NOT zebra", "NEAR(zebra crossing)", "zebra*", "^zebra", "user:zebra",
        "(zebra", "zebra)", '"zebra', "'zebra'", "zebra's", "zebra\x00crossing", "\ud800zebra", "zebra 👩‍💻",
        "{zebra}", "-zebra", "zebra;--",
    ],
)  # fmt: skip
async def test_no_character_of_a_query_is_an_operator(memory, query):
    await memory.remember("The zebra crossing is closed")
    await memory.remember("Nothing of the kind")
    assert await found(memory, query, floor=False) == ["The zebra crossing is closed"]


async def test_a_query_of_a_megabyte_is_answered(memory):
    await memory.remember("The zebra crossing is closed")
    noise = "lorem ipsum dolor " * 60_000
    assert await found(memory, f"{noise} is the zebra crossing open?", floor=False) == ["The zebra crossing is closed"]
    assert await found(memory, f"is the zebra crossing open? {noise}", floor=False) == ["The zebra crossing is closed"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("We deploy on Fridays", "deploying"),
        ("Connections are pooled", "connection pooling"),
        ("The DEPLOY script", "deploy Script"),
        ("Das Café öffnet", "cafe offnet"),
        ("don't use the user's password", "user's passwords"),
        ("Das Büro in Köln", "BÜRO KÖLN"),
        ("résumé parser", "re\u0301sume\u0301 parser"),
        ("re\u0301sume\u0301 parser", "résumé parser"),
        ("résumé", "re\u0301sume\u0301"),
        ("наш сервер упал", "СЕРВЕР упал"),
        ("השרת נפל", "השרת"),
        ("الخادم توقف", "الخادم"),
        ("सर्वर बंद है", "सर्वर बंद"),
        ("서버가 멈췄다", "서버가"),
    ],
)
async def test_a_word_is_found_in_its_other_forms(memory, text, query):
    await memory.remember(text)
    await memory.remember("something else altogether")
    assert await found(memory, query) == [text]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("部署流程写在文档里", "部署流程是什么"),
        ("部署流程写在文档里", "部署"),
        ("部署流程写在文档里", "文"),
        ("デプロイはmakeで行う", "デプロイ"),
        ("デプロイはmakeで行う", "make"),
        ("毎朝のかいぎは九時", "かいぎ"),
        ("เซิร์ฟเวอร์ล่มเมื่อวาน", "เซิร์ฟเวอร์"),
        ("ကျွန်ုပ်တို့၏ဆာဗာ", "ဆာဗာ"),
        ("東京のserverはport 5432", "東京 server port"),
        ("東京のserverはport 5432", "serverは"),
        ("𠮷野家に行った", "𠮷野家"),
    ],
)
async def test_scripts_without_spaces_are_found(memory, text, query):
    await memory.remember(text)
    await memory.remember("something else altogether 天気予報")
    assert await found(memory, query) == [text]


async def test_a_rare_word_beats_a_common_one(memory):
    for number in range(20):
        await memory.remember(f"The server number {number} runs fine")
    await memory.remember("The zebra is striped")
    assert (await found(memory, "server zebra", floor=False))[0] == "The zebra is striped"


async def test_a_word_in_every_memory_still_finds_them_in_a_store_of_three(memory):
    for host in ("alpha", "beta", "gamma"):
        await memory.remember(f"port of {host}")
    assert len(await memory.recall("port")) == 3


async def test_one_memory_alone_is_found(memory):
    await memory.remember("port of alpha")
    assert await found(memory, "port alpha") == ["port of alpha"]


async def test_a_users_word_outweighs_an_assistants(memory):
    said = await memory.record("the zebra crossing", "noted, a thing", session="a")
    answered = await memory.record("noted, a thing", "the zebra crossing", session="b")
    hits = await memory.recall("zebra crossing")
    assert [hit.id for hit in hits] == [said.memory, answered.memory]
    assert hits[0].score > hits[1].score


async def test_strengths_are_shares_of_the_query(memory):
    await memory.remember("zebra")
    await memory.remember("zebra crossing in a very long text about many other things and more of them")
    await memory.remember("nothing of the kind")
    whole = pytest.approx(saturated(brevity(0)) / K1_PLUS_1, abs=1e-4)
    both, one = [hit.score for hit in await memory.recall("zebra crossing", floor=False)]
    (crossing,) = [hit.score for hit in await memory.recall("crossing", floor=False)]
    assert both == crossing == whole, "who says all of it, in so few words, whatever it is"
    assert 0 < one < both / 2, "of the two words it is the commoner one"


# --- where nobody says the word -------------------------------------------------------------------------------


@pytest.mark.parametrize("prompt", [False, True])
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("The owner of billing is Ann", "which team owns billing?"),
        ("The owner of billing is Ann", "who owns that?"),
        ("The owner of billing is Ann", "ownership of billing"),
        ("The leader of the search guild is Bo", "who leads the search guild?"),
        ("The runner of nightly jobs is Di", "who currently runs nightly jobs?"),
        ("We live in kubernetes clusters", "where are the kubern clusters?"),
    ],
)
async def test_it_is_a_beginning_or_what_somebody_is_or_does(memory, text, query, prompt):
    for n in range(8):
        await memory.remember(f"The printer on floor {n} is out of paper")
    await memory.remember(text)
    assert await found(memory, query, prompt=prompt) == [text]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("The date of the retreat is decided later", "late invoices"),
        ("The summer party is in Lisbon", "sums of invoices"),
        ("Use lower case in table names", "low memory"),
        ("The user table has 12 columns", "who uses redis"),
        ("It does not matter", "sizes of mats"),
    ],
)
async def test_a_word_is_not_met_in_another_that_only_begins_like_it(memory, text, query):
    await memory.remember(text)
    assert await found(memory, query) == []


async def test_where_somebody_says_it_it_is_nothing_else(memory):
    await memory.remember("Ann owns the vault")
    await memory.remember("The owner pays")
    assert await found(memory, "who owns it?", floor=False) == ["Ann owns the vault"]


async def test_what_is_asked_for_already_counts_once(memory):
    await memory.remember("The owner pays on Fridays, and so on and so on")
    (twice,) = await memory.recall("who owns the owner's boat?", floor=False)
    (once,) = await memory.recall("who rows the owner's boat?", floor=False)
    assert twice.score == once.score


@pytest.mark.parametrize(
    ("query", "others"),
    [
        ("who owns it", ["owner"]), ("who now leads it", ["leader"]), ("who uses it", []),
        ("what runs it", []), ("who runs it", ["runner"]), ("who plans it", ["planner"]), ("who tows it", ["tower"]),
        ("WHO OWNS IT", ["owner"]), ("ownership", ["ownership", "owner"]), ("maintain", ["maintain"]),
        ("worship", ["worship"]), ("owns", []), ("who goes", []), ("p95", []), ("漢字", []),
    ],
)  # fmt: skip
def test_what_else_a_word_may_mean(query, others):
    assert [other.text for term in terms(query) for other in otherwise(term) if not other.spelled] == others


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("zuerich", ["zürich"]), ("zürich", ["zuerich"]), ("neue", []), ("queue", []), ("deploy", []),
        ("groessenwahn", ["größenwahn", "grössenwahn", "groeßenwahn"]), ("strasse", ["straße"]),
        ("größe", ["groesse", "groeße", "grösse"]), ("wasserstrasse", ["waßerstraße", "waßerstrasse", "wasserstraße"]),
    ],
)  # fmt: skip
def test_a_german_word_has_other_spellings(word, others):
    assert list(spellings(word)) == others


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Größenwahn GmbH is the customer", "Groessenwahn"),
        ("Größenwahn GmbH is the customer", "GROSSENWAHN"),
        ("GRÖSSENWAHN GmbH is the customer", "Größenwahn"),
        ("Groessenwahn GmbH is the customer", "Größenwahn"),
        ("Die Rückfallebene läuft in Zürich", "zuerich"),
        ("Die Rückfallebene läuft in Zürich", "rueckfallebene"),
        ("Die Rückfallebene läuft in Zürich", "rueckfall"),
        ("Das Lager steht in Zuerich", "Zürich"),
        ("Das Lager steht in der Hafenstraße", "hafenstrasse"),
        ("Das Lager steht in der Hafenstrasse", "Hafenstraße"),
        (unicodedata.normalize("NFD", "Das Lager steht in Zürich"), "zuerich"),
    ],
)
async def test_a_german_word_is_found_however_it_is_spelled(memory, text, query):
    await memory.remember(text)
    assert await found(memory, query) == [text]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("The kettle is a pot", "poet"),
        ("The font is Arial", "aerial"),
        ("Isral is a name", "Israel"),
        ("Michal wrote the parser", "Michael"),
    ],
)
async def test_what_only_the_index_takes_for_another_spelling_is_none(memory, text, query):
    await memory.remember(text)
    assert text not in await found(memory, query)


async def test_who_says_the_word_is_not_asked_in_another_spelling(memory):
    await memory.remember("The lager stands in Zuerich")
    await memory.remember("Das Lager steht in Zürich")
    assert await found(memory, "zuerich") == ["The lager stands in Zuerich"]
