"""Rules, preferences and who the user is: shown at the start, and where a prompt wants something done they bear on."""

from __future__ import annotations

import pytest

from aftermind import OpenMemory
from aftermind.engine.policy import Ranking
from aftermind.projections.recalling.standing.pins import MOST, bears, cues, spoken

pytestmark = pytest.mark.anyio
LONG_REQUEST = (
    "Add an endpoint to the billing service that exports all invoices of a customer as CSV, with pagination, a rate "
    "limit, a feature flag, metrics, and a unit test for each error it can return, written in {}, then update the docs"
)


async def shown(memory: OpenMemory, prompt: str | None, project: str = "shop", session: str = "s") -> list[str]:
    context = await memory.context(prompt, session=session, project=project)
    return [one.id for one in context.memories]


@pytest.fixture
async def noise(memory: OpenMemory) -> None:
    for number in range(12):
        await memory.remember(f"Invoice {number} of the customer export is written by worker{number}", project="shop")


@pytest.mark.usefixtures("noise")
async def test_a_preference_that_bears_on_a_long_request_is_shown_with_why(memory):
    pinned = await memory.remember("I prefer pytest over unittest", kind="preference", project="shop")
    context = await memory.context(LONG_REQUEST.format("pytest"), session="s", project="shop")
    found = {one.id: one.reasons for one in context.memories}
    assert found == {pinned: ("a standing preference that speaks of pytest",)}
    assert pinned not in await shown(memory, LONG_REQUEST.format("rust"))
    assert any("speaks of pytest" in step.what for step in (await memory.why(pinned)).steps)


async def test_a_rule_about_a_folder_is_shown_for_a_file_in_it(memory):
    rule = await memory.remember("Always ask Dana before files under migrations/ change", project="shop")
    assert await shown(memory, "rename the column in db/migrations/0004_add_index.py") == [rule]
    assert await shown(memory, "rename the column in db/seeds/users.py") == []


def test_that_a_rule_names_the_file_counts_more_than_what_it_forbids():
    rule = cues("Never use black in legacy_rates.py before you commit")
    asked = spoken("run black over src/pricing/legacy_rates.py, then commit", [rule])
    assert bears(rule, asked, Ranking()) == (2.0, "names legacy_rates.py")
    assert bears(rule, spoken("run black over rates.py, then commit", [rule]), Ranking()) == (1.0, "is for commit")


async def test_a_rule_about_a_file_is_shown_for_the_file(memory):
    rule = await memory.remember("Never reformat legacy_rates.py", kind="directive", project="shop")
    assert await shown(memory, "add a docstring to the top of src/pricing/legacy_rates.py please") == [rule]


async def test_a_command_brings_the_rule_that_says_all_of_it(memory):
    rule = await memory.remember("Run the tests with -x and only for the package you changed", kind="directive")
    assert await shown(memory, "run the tests") == [rule]
    assert await shown(memory, "run the build") == []
    trunk = await memory.remember("Never commit straight to the main branch", kind="directive")
    assert await shown(memory, "commit this") == [trunk]


IN_A_LONG_REQUEST = (
    "I wrote a migration that adds a column to the orders table and backfills it in batches, and it ran through on "
    "staging. {}, then tell me what you {}"
)


@pytest.mark.parametrize("told", ["see", "did"])
@pytest.mark.parametrize(
    ("rule", "asked", "why"),
    [
        ("Never push to main without a review", "Commit it and push to main", "is against “push to main”"),
        ("Never push to main without a review", "Push this to the main branch", "is against “Push this to the main”"),
        ("Always run the linter before committing", "Commit it", "is for committing"),
        ("Never deploy on Fridays", "Deploy it", "is against deploy"),
    ],
)
async def test_a_rule_about_what_a_long_request_wants_done_is_shown_with_its_own_words(memory, rule, asked, why, told):
    """Though most of these words are plain ones, and the request says a great deal else, some of it of the past."""
    id = await memory.remember(rule, project="shop")
    context = await memory.context(IN_A_LONG_REQUEST.format(asked, told), session="s", project="shop")
    assert {one.id: one.reasons for one in context.memories} == {id: (f"a standing rule that {why}",)}


@pytest.mark.parametrize("rule", ["Don't push to main", "Don’t push to main"])
async def test_whichever_apostrophe_a_rule_is_written_with(memory, rule):
    id = await memory.remember(rule, kind="directive", project="shop")
    assert await shown(memory, IN_A_LONG_REQUEST.format("Push it to main", "did")) == [id]


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ("Never push to main without a review", "Push the button twice. The main menu opens"),
        ("Never push to main without a review", "Open the main menu and push the button"),
        ("Never push. Main is for releases", "Push this to the main branch"),
        ("Always run the linter before committing", "Look at the last commit"),
    ],
)
async def test_a_rule_about_something_else_done_with_the_same_words_is_not(memory, rule, asked):
    await memory.remember(rule, project="shop")
    assert await shown(memory, IN_A_LONG_REQUEST.format(asked, "did")) == []


@pytest.mark.parametrize("prompt", ["thanks!", "ok", "good morning", "yes please", "name", "what changed?"])
async def test_small_talk_brings_none(memory, prompt):
    await memory.remember("Always run the tests before you commit", kind="directive", project="shop")
    await memory.remember("I prefer short answers, thanks", kind="preference", project="shop")
    await memory.remember("My name is Priya and I work as a data engineer", project="shop")
    assert await shown(memory, prompt) == []


async def test_what_only_asks_brings_none_by_cue(memory):
    await memory.remember("I prefer pytest over unittest", kind="preference", project="shop")
    hits = await memory.recall("when did pytest come out?", project="shop", prompt=True)
    assert hits
    assert all("standing" not in reason for hit in hits for reason in hit.reasons)


async def test_a_pin_is_shown_once_and_in_its_own_scope(memory):
    pinned = await memory.remember("I prefer pytest over unittest", kind="preference", project="shop")
    assert (await shown(memory, "write it in pytest rather than unittest")).count(pinned) == 1
    assert await shown(memory, "write it in pytest rather than unittest", project="bank") == []


async def test_what_did_not_hold_is_no_pin_unless_it_is_locked(memory):
    failed = await memory.remember("I prefer pytest over unittest", kind="preference", project="shop")
    assert await shown(memory, LONG_REQUEST.format("pytest")) == [failed]
    told = await memory.record("", "Done.", session="s", project="shop")
    await memory.score("failed", exchange=told.id, memories={failed: "failed"})
    assert await shown(memory, LONG_REQUEST.format("pytest"), session="t") == []
    await memory.lock(failed)
    assert await shown(memory, LONG_REQUEST.format("pytest"), session="u") == [failed]


async def test_what_was_replaced_is_no_pin(memory):
    old = await memory.remember("I prefer pytest over unittest", kind="preference", project="shop")
    new = await memory.remember("I prefer unittest over pytest", kind="preference", project="shop", supersedes=old)
    assert await shown(memory, LONG_REQUEST.format("pytest")) == [new]


async def test_at_most_three_are_pinned_those_that_bear_most_on_it(memory):
    for word in ("logging", "metrics", "tracing", "alerts", "dashboards"):
        await memory.remember(f"I prefer {word} by the vendor of {word}", kind="preference", project="shop")
    prompt = (
        "Set up logging, metrics, tracing, alerts and dashboards for the billing service, with one place to configure "
        "them all, sensible defaults, a short page that explains them and an example for each environment we have"
    )
    hits = await memory.recall(prompt, project="shop", prompt=True)
    assert sum("standing preference" in hit.reasons[0] for hit in hits) <= 3


async def test_a_session_begins_with_who_the_user_is_and_what_holds_the_locked_first(memory):
    taste = await memory.remember("I prefer tabs", kind="preference", project="shop")
    rule = await memory.remember("Never use floats for money", project="shop")
    who = await memory.remember("My name is Priya and I work as a data engineer", project="shop")
    tagged = await memory.remember("Based in Lisbon", project="shop", tags=["identity"])
    locked = await memory.remember("I like dry humour", kind="preference", project="shop")
    await memory.lock(locked)
    await memory.remember("Staging listens on port 8080", project="shop")
    await memory.remember("My name is somebody else's", project="bank")
    began = await shown(memory, None)
    assert set(began[:2]) == {who, tagged}
    assert began[2] == locked
    assert set(began[3:]) == {taste, rule}


async def test_a_session_does_not_begin_with_the_same_said_twice(memory):
    await memory.remember("I prefer tabs over spaces", kind="preference", project="shop")
    again = await memory.remember("I just really prefer tabs over spaces.", kind="preference", project="shop")
    assert await shown(memory, None) == [again]


@pytest.mark.parametrize(
    "prompt",
    [
        "commit and push",
        "please commit everything",
        "commit my work",
        "can you commit now?",
        "git commit",
        "commit this",
    ],
)
async def test_a_command_brings_the_rules_about_what_it_wants_done(memory, prompt):
    rule = await memory.remember("Never commit .env files", kind="directive", project="shop")
    assert await shown(memory, prompt) == [rule]


@pytest.mark.parametrize(
    "prompt", ["rename the commit hook", "write tests", "push it", "who commits?", "review the docs"]
)
async def test_a_command_about_something_else_brings_none(memory, prompt):
    await memory.remember("Never commit .env files, run the tests", kind="directive", project="shop")
    assert await shown(memory, prompt) == []


@pytest.mark.parametrize(
    ("rule", "prompt"),
    [
        ("Please always use pnpm and never npm in this repo", "npm install lodash"),
        (
            "I prefer pytest over unittest for anything that is new",
            "add a unittest for the parser of the invoice lines",
        ),
        (
            "Don't use luxon, dates are handled by Temporal here",
            "format the date with luxon in the header",
        ),
        ("Nimm niemals lodash, wir haben eigene Funktionen dafür", "sortiere die Liste mit lodash"),
    ],
)
async def test_what_a_rule_forbids_brings_it(memory, rule, prompt):
    pinned = await memory.remember(rule, kind="preference", project="shop")
    assert pinned in await shown(memory, prompt)
    assert pinned not in await shown(memory, "install the parser of the header", session="other")


async def test_a_lock_and_who_the_user_is_outlast_any_number_of_newer_preferences(memory):
    name = await memory.remember("My name is Ingrid", project="shop")
    rule = await memory.remember("Never push to the release branch", kind="directive", project="shop")
    await memory.lock(rule)
    for number in range(MOST + 5):
        await memory.remember(f"I prefer tool{number} over device{number}", kind="preference", project="shop")
    assert {name, rule} <= {*await shown(memory, None)}
    assert rule in await shown(memory, "push it to the release branch")
