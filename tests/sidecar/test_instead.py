"""What a follow-up puts in the place of what the answer had is a failure of that; what is wanted beside it is none."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import exchange

INSTALLED = {"prompt": "install the dependencies", "answer": "npm install done"}
TOLD = {"prompt": "how do I install the dependencies?", "answer": "Run npm install."}
RAN = {"prompt": "run the e2e tests", "answer": "I ran npx playwright test."}
PUT = """
no, we use pnpm not npm
no, we use pnpm, not npm
no, we use pnpm
no we use pnpm
No, we use pnpm. Please change it everywhere.
no, use pnpm
No, use pnpm.
no. use pnpm
no, use `pnpm`
no, i use pnpm
no, please use pnpm
no, use npm ci
nope, we use pnpm here
oh no, we use pnpm
no, we run it with pnpm
don't use npm, use pnpm
please don't use npm, use pnpm
we don't use npm, use pnpm-fast
use pnpm instead
use pnpm instead of npm
please use pnpm rather than npm
use pnpm, not npm
we use pnpm here, not npm
it's pnpm, not npm
pnpm, not npm
""".strip().splitlines()
BESIDE = """
no, thanks
no problem
no, that's it for today
no need
no, go ahead
no, not yet
no worries, use whatever you like
no idea
no errors any more
no, it's fine
no, you're right
no, you did it right
no, I just wanted to know
no, use whatever you like
no, use what you have
no, use it as it is
no, use both
no, use the default
no, use your judgment
no, use port 9090
no, run it again
no, run them later
no, run everything
no, we use it already
no, we use pnpm elsewhere
no, we use npm
no use in trying again
no use case for that
no, should we use pnpm?
can we use pnpm instead of npm?
what if we use pnpm, not npm?
we also use pnpm
we use pnpm
next time use pnpm
now use vitest for the web package
use tabs, not spaces
use pnpm for the next package
use a lockfile instead
use the other one instead
never use default exports, use named exports
don't use abbreviations, use full words
we don't use feature branches, we use trunk-based development
I use pnpm at home
""".strip().splitlines()


@pytest.mark.parametrize("said", PUT)
@pytest.mark.parametrize("before", [INSTALLED, TOLD])
def test_what_is_used_in_its_place_is_a_failure_of_what_the_answer_had(said: str, before: dict[str, str]) -> None:
    findings = judge(exchange(said, **before))
    assert findings.outcome == "failed"
    assert findings.evidence
    assert findings.evidence in said


@pytest.mark.parametrize("said", ["no, use make e2e", "no, run make e2e", "use make e2e instead", "No, use make e2e."])
def test_a_command_in_its_place_is(said: str) -> None:
    findings = judge(exchange(said, **RAN))
    assert (findings.outcome, findings.evidence) == ("failed", said.rstrip("."))


@pytest.mark.parametrize("said", BESIDE)
@pytest.mark.parametrize("before", [INSTALLED, TOLD, RAN])
def test_what_is_wanted_beside_it_or_declined_is_none(said: str, before: dict[str, str]) -> None:
    if said == "no, we use npm" and before is RAN:
        said = "no, we use npx"
    assert judge(exchange(said, **before)).outcome in ("unknown", "worked")


@pytest.mark.parametrize(
    "answer",
    [
        "Added it. Shall I also update the docs?",
        "Added it. Want me to run npm test as well? I can also update the docs.",
        "Added it with npm. If you prefer another one, tell me.",
        "You can either use npm or make.",
        "I plan to use npm. Please confirm.",
    ],
)
@pytest.mark.parametrize(
    "said", ["no, use the old ones", "no, use pnpm", "no, we use pnpm", "use pnpm instead", "don't use npm, use pnpm"]
)
def test_the_reply_to_a_question_or_an_offer_is_none(answer: str, said: str) -> None:
    assert judge(exchange(said, prompt="add the endpoint", answer=answer)).outcome == "unknown"


@pytest.mark.parametrize("said", ["we use yarn, not npm", "use yarn instead of npm in the image", "use yarn instead"])
def test_after_an_explanation_a_choice_is_none(said: str) -> None:
    asked = {
        "prompt": "what is the difference between pnpm and npm?",
        "answer": "pnpm links packages, npm copies them.",
    }
    assert judge(exchange(said, **asked)).outcome == "unknown"


def test_what_worked_in_the_users_own_way_is_no_success_of_the_answer() -> None:
    assert judge(exchange("no, we use make for e2e, it works great", **RAN)).outcome == "partial"


@pytest.mark.parametrize("many", ["use npm instead of ", "no, we use pnpm, ", "npm, not "])
@pytest.mark.timeout(20)
def test_a_long_answer_is_read_in_time_that_grows_with_its_length(many: str) -> None:
    long = many * (100_000 // len(many))
    assert judge(exchange(f"no, we use {long}", prompt=long, answer=long)).outcome in ("failed", "unknown")


@pytest.mark.parametrize(
    ("prompt", "answer", "said"),
    [
        ("install with npm", "npm install done", "use pnpm, not npm"),
        ("install with npm", "npm install done", "use pnpm instead"),
        ("install with npm", "npm install done", "no, use pnpm"),
        ("use Redis", "Added Redis.", "don't use Redis, use Memcached"),
        ("use Redis", "Added Redis.", "no, use Memcached"),
        ("make the header blue", "Changed it to blue.", "use green, not blue"),
        ("make the header blue", "Changed it to blue.", "use green instead"),
        ("write it in JS", "Done, in JS.", "use TypeScript instead"),
    ],
)
def test_who_takes_back_what_they_asked_for_has_changed_their_mind(prompt: str, answer: str, said: str) -> None:
    assert judge(exchange(said, prompt=prompt, answer=answer)).outcome == "unknown"


@pytest.mark.parametrize(
    "said",
    [
        "use pnpm instead of npm in the Dockerfile",
        "use pnpm instead of npm for the docs site",
        "please use pnpm rather than npm in CI",
        "don't use npm in the docs, use pnpm",
        "don't use npm for the docs, use pnpm there",
        "no, run prettier next",
        "no, run prettier first",
        "no, use hooks like you did",
        "no, we use feature flags for the rollout, leave it",
        "no, I run Linux, so that is good",
        "no, I run into this all the time",
        "no, we use English",
        "use bullet points instead",
        "use German instead",
        "please use shorter sentences instead",
        "maybe, not sure",
    ],
)
@pytest.mark.parametrize("before", [INSTALLED, TOLD, RAN, {"prompt": "set the timeout to 30", "answer": "Sure."}])
def test_a_task_beside_it_or_a_taste_is_none(said: str, before: dict[str, str]) -> None:
    assert judge(exchange(said, **before)).outcome in ("unknown", "worked")


@pytest.mark.parametrize("said", ["no, we use pnpm", "no, I use pnpm", "use pnpm instead"])
def test_the_reply_to_a_question_anywhere_in_an_answer_is_none(said: str) -> None:
    answer = "Do you use npm? Then run npm install. " + "It reads package.json and writes a lock file beside it. " * 8
    assert judge(exchange(said, prompt="how do I install it?", answer=answer)).outcome == "unknown"


@pytest.mark.parametrize(
    "before",
    [
        {"prompt": "thanks", "answer": "You're welcome!"},
        {"prompt": "good morning", "answer": "Good morning!"},
        {"prompt": "we deploy on Tuesdays", "answer": "Noted."},
    ],
)
@pytest.mark.parametrize("said", ["use pnpm instead", "no, use pnpm"])
def test_of_what_was_only_noted_nothing_is_put_in_its_place(before: dict[str, str], said: str) -> None:
    assert judge(exchange(said, **before)).outcome == "unknown"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("use cookies instead", "unknown"),
        ("use cookies, not localStorage", "unknown"),
        ("don't use localStorage, use cookies", "unknown"),
        ("we use cookies, not localStorage", "failed"),
        ("no, we use cookies", "failed"),
    ],
)
def test_what_is_ordered_after_it_was_told_how_things_are_is_a_task(said: str, outcome: str) -> None:
    told = {"prompt": "how does our login work?", "answer": "It stores the token in localStorage."}
    assert judge(exchange(said, **told)).outcome == outcome


@pytest.mark.parametrize("said", ["no, please", "please", "just", "no"])
def test_a_few_words_name_nothing(said: str) -> None:
    assert "use" not in judge(exchange(said, **TOLD)).evidence


@pytest.mark.timeout(20)
def test_many_names_are_looked_for_in_time_that_grows_with_the_text() -> None:
    asked = " ".join(f"with {'a' * n}" for n in range(1, 200))
    assert judge(exchange("no, we use pnpm", prompt=asked, answer="a" * 20_000)).outcome in ("failed", "unknown")


@pytest.mark.parametrize(
    "said", ["no, pnpm", "no, `pnpm install`", "nope, yarn", "pnpm please", "pnpm, please", "pnpm bitte", "no, bun!"]
)
@pytest.mark.parametrize("before", [INSTALLED, TOLD])
def test_another_tool_of_its_kind_alone_is_put_in_its_place(said: str, before: dict[str, str]) -> None:
    assert judge(exchange(said, **before)).outcome == "failed"


@pytest.mark.parametrize(
    ("prompt", "answer", "said"),
    [
        *((TOLD["prompt"], TOLD["answer"], said) for said in ("pnpm", "pnpm?", "no pnpm", "no, pip", "no, npm")),
        *((TOLD["prompt"], TOLD["answer"], said) for said in ("npm please", "pnpm too please", "pnpm later please")),
        *((TOLD["prompt"], TOLD["answer"], said) for said in ("pnpm please for the docs", "docker please")),
        (TOLD["prompt"], "Run `npm install`, or `pnpm install`.", "pnpm please"),
        ("install with npm", "npm install done", "no, pnpm"),
        ("migrate from npm to yarn", "Ran yarn install.", "pnpm please"),
        ("install it", "Should I run npm install?", "no, pnpm"),
        ("install it", "I can run npm install or yarn install. Tell me which.", "bun please"),
        ("how does our CI install?", "It runs npm ci.", "pnpm please"),
        ("what is the difference between npm and yarn?", "npm is slower.", "pnpm please"),
        ("publish it", "Published to npm.", "no, pnpm"),
        ("thanks", "You're welcome!", "pnpm please"),
    ],
)
def test_a_tool_that_nothing_was_run_in_place_of_is_none(prompt: str, answer: str, said: str) -> None:
    assert judge(exchange(said, prompt=prompt, answer=answer)).outcome == "unknown"


MIGRATED = {"prompt": "the migration fails: column exists", "answer": "Run `alembic stamp head` to skip it."}


@pytest.mark.parametrize(
    "said",
    [
        "no! never stamp head, that hides drift. drop the column and rerun",
        "no, never stamp head",
        "no, don't stamp head",
        "no, we never stamp head",
        "No, never alembic stamp head!",
    ],
)
def test_advice_that_is_forbidden_in_its_own_words_has_failed(said: str) -> None:
    assert judge(exchange(said, **MIGRATED)).outcome == "failed"


@pytest.mark.parametrize(
    "said",
    [
        "never stamp head on prod",
        "no, never push to main",
        "no, never skip",
        "no, don't stamp head yet",
        "no, never stamp head before a backup",
        "no, should we never stamp head?",
        "no, never stamp heads",
    ],
)
def test_a_rule_beside_what_was_advised_tells_nothing_of_it(said: str) -> None:
    assert judge(exchange(said, **MIGRATED)).outcome == "unknown"


def test_to_forbid_what_was_asked_for_is_no_failure_of_the_answer() -> None:
    done = {"prompt": "stamp head please", "answer": "Ran alembic stamp head."}
    assert judge(exchange("no, never stamp head", **done)).outcome == "unknown"
