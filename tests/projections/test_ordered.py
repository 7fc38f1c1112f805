"""Rules that order one thing with two values, decisions that are taken back; and those that can stand side by side."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.ordered import another_order, leaves, ordered_once, takes_back
from aftermind.projections.reading.statements.sought import sought
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

ANOTHER = """
always answer in German | always answer in English
always answer in German | always answer in English from now on
always answer in German | from now on answer in English
always answer in German | please always reply to me in English
always answer in German | antworte ab jetzt immer auf Englisch
bitte immer auf Deutsch antworten | immer auf Englisch antworten
réponds toujours en français | réponds toujours en anglais
always write commit messages in German | always write commit messages in English
always write commit messages in German | commit messages must be in English from now on
use German for comments | write comments in English
all comments should be in German | comments must be written in English
always use npm | from now on always use pnpm
always use npm | always use pnpm instead of npm
always use npm in this repo | use yarn, not npm
Use pnpm, never npm. | use npm from now on
use pnpm not npm | from now on use yarn
nimm pnpm statt npm | nimm ab jetzt npm
utilise pnpm au lieu de npm | utilise toujours yarn
use pip | from now on use uv instead of pip
always use tabs | from now on use spaces
always run the tests with tox | run the tests with nox from now on
always use pip, never uv | use uv not pip, pip breaks our lockfile
always use pip | use uv - it is faster
always use pip | use uv not pip; it never pins anything
use npm | from now on use pnpm not npm, npm's too slow
use npm, it has fewer surprises | use pnpm not npm, npm can't dedupe
always use jest | use vitest instead of jest, jest doesn't know modules
nimm pip | nimm ab jetzt uv statt pip, pip zerlegt das Lockfile
always use pip | don't use pip, use uv
always use pip, never uv | never use pip, always uv
always use npm | please don't use npm anymore - use pnpm instead
we decided to deploy on Fridays | we decided to deploy on Tuesdays instead
we decided to use npm | we decided to use pnpm because it is faster
""".strip().splitlines()
BESIDE = """
always answer in German | always answer in German
always answer in German | always write comments in English
always answer in German | always answer support tickets in English
always answer in German | never answer in English
always answer in German | answer in English when the ticket is English
always answer in German | answer in English if I write English
always answer in German | also answer in English
always answer in German | always answer in German and English
always answer in German | answer in simple English
always answer in German | write commit messages in English
always answer in German | answer in short sentences
answer questions about Rust in German | answer questions about Go in English
write user-facing texts in German | write log messages in English
write commit messages in German | write PR descriptions in English
write the frontend docs in German | write the backend docs in English
always use npm | always use uv
always use npm | always use Docker
always use npm | use pnpm for the docs
always use npm in the frontend | always use pnpm in the backend
always use npm | never use pnpm
always use npm | use npm ci in CI
always use npm | don't use yarn
always use npm | use npm or pnpm
always use npm | use pnpm when npm fails
always use npm scripts | always use pnpm
use npm on staging | use pnpm on production
always use tabs | use spaces in YAML files
always run the tests with pytest | run the benchmarks with unittest
we decided to deploy on Fridays | we decided to deploy on Tuesdays
we decided to deploy on Fridays | we decided to release on Tuesdays instead
test the deploy on Fridays | test the deploy on Mondays instead of Sundays
we decided to deploy on Fridays | the meeting is on Tuesday instead
always test on Mondays | always deploy on Tuesdays
the docs are in German | the tests are in English
speak German | use English
always add translations in German | always add translations in English
always test the emails in German | always test the emails in English
use German number formats | use English number formats for exports
import the German holidays | import the English holidays
we sell in German shops | we sell in English shops
always use jest for units | always use vitest for browsers
always use poetry: it pins | always use uv
use npm (not for the docs) | use yarn
use npm since it is stable, in the docs only | use yarn
use npm | use yarn not npm, npm is for the docs
use npm | use yarn not npm, npm works in the image
use npm | use yarn, it is only faster when cached
use npm | use yarn not npm, npm is still fine
use npm | use yarn, pnpm breaks our lockfile
use npm | use yarn not npm, npm scripts stay
use npm | use yarn not npm, run make sync
use npm | use yarn not npm, it must be 4.1
use npm | don't use npm, use yarn in the docs
use npm | don't use npm, run make sync
use npm | don't use npm audit, use yarn
use npm | don't use docker, use yarn
use npm because yarn is slow unless it is cached | use yarn
document how to use npm | document how to use pnpm
add a guide to use npm | add a guide to use yarn
test with npm | test with pnpm
check compatibility with npm | check compatibility with pnpm
ship a template with npm | ship a template with pnpm
show errors in German | show errors in English
generate invoices in German | generate invoices in English
""".strip().splitlines()

STATED = """
Please answer me in German | Please answer me in English
Answer in German | Answer in English
Always answer me in French | Answer in German
Answer in German | Actually, answer me in English from now on
Answer in German, please | Reply to me in English please
Answer in German | You should answer in English
Antworte auf Deutsch | Bitte antworte auf Englisch
Answer in German | Antworte bitte auf Englisch
Réponds en français | Réponds en anglais
Write commit messages in German | Write commit messages in English
Answer my questions in German | Answer my questions in English
Write code comments in German | Write all code comments in English
""".strip().splitlines()
STATED_BESIDE = """
Answer in German | Please answer in German
Answer in German | Do not answer in English
Answer in German | Write comments in English
Answer in German | Answer support tickets in English
Answer in German | Answer in English when the ticket is English
Answer in German | Answer in English?
Answer in German | Could you answer in English
Answer in German | Also answer in English
Answer in German | Sometimes answer in English
Answer in German | Answer in German and English
Answer in German | Answer in English today
Answer in German | Answer in English for now
Answer in German | Answer this in English
Answer in German | Answer in plain English
Answer in German | I speak English
Answer in German | We answer in English
Answer in German | The bot answers in English
Speak to customers in German | Answer in English
Write a letter in German | Write a letter in English
Write user texts in German | Write log messages in English
Write tests in Python | Write tests in Rust
Show errors in German | Show errors in English
The site must be available in German | The site must be available in English
We write commit messages in German | We write commit messages in English
Use German number formats | Use English number formats
Use npm | Use pnpm
We use npm | We use pnpm
Use tabs | Use spaces
Use pytest | Use unittest
Deploy on Fridays | Deploy on Mondays
Answer customers in German | Answer customers in English
Reply to Tom in German | Reply to Tom in English
Reply to reviews in German | Reply to reviews in English
Answer the question in German | Answer the question in English
Write emails in German | Write emails in English
Write blog posts in German | Write blog posts in English
Write UI texts in German | Write UI texts in English
Write labels in German | Write labels in English
Write fixtures in German | Write fixtures in English
Use German for customers | Use English for customers
Antworte Kunden auf Deutsch | Antworte Kunden auf Englisch
Réponds aux clients en français | Réponds aux clients en anglais
""".strip().splitlines()


def pair(line: str) -> tuple[str, str]:
    one, other = line.split(" | ")
    return one, other


@pytest.mark.parametrize("line", ANOTHER)
def test_the_same_ordered_with_another_value_is_another_order(line: str) -> None:
    older, newer = pair(line)
    assert another_order(newer, older)


@pytest.mark.parametrize("line", STATED)
def test_what_is_ordered_takes_its_place_whatever_it_is_called(line: str) -> None:
    older, newer = pair(line)
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]
    for one, other in ((older, newer), (newer, older)):
        assert asks_for(one) & found_by(other)
        assert other in those([other], sought(one))


@pytest.mark.parametrize("line", STATED_BESIDE)
def test_and_nothing_is_replaced_that_only_sounds_like_it(line: str) -> None:
    older, newer = pair(line)
    assert beside(older, newer) == beside(newer, older) == Settled()


@pytest.mark.parametrize(
    "text",
    [
        "Always answer in English",
        "As a general rule, write commit messages in German",
        "Always use pnpm",
        "From now on use uv instead of pip because it is faster",
        "Use yarn, not npm",
        "You have to make sure to use pnpm",
        "Use spaces for indentation",
        "We use pnpm in the frontend",
        "Run the tests with nox",
        "Deploy on Mondays instead",
    ],
)
def test_what_is_done_in_one_way_at_a_time_is_ordered_once(text: str) -> None:
    assert ordered_once(text)


@pytest.mark.parametrize(
    "text",
    [
        "Answer customers in English",
        "Write an email in German",
        "Write the summary in German",
        "Use retries with npm",
        "Use the yarn registry",
        "Use npm audit",
        "Use pnpm today",
        "Be careful with yarn",
        "Help me with npm",
        "Pin versions with poetry",
        "Separate columns with tabs",
        "Use two spaces",
        "Use a linter",
    ],
)
def test_and_what_may_be_done_in_several_is_not(text: str) -> None:
    assert not ordered_once(text)


@pytest.mark.parametrize("line", BESIDE)
def test_what_can_hold_beside_the_other_is_none(line: str) -> None:
    older, newer = pair(line)
    assert another_order(newer, older) == another_order(older, newer) == ""


@pytest.mark.parametrize(
    "line",
    [
        "we decided to use RabbitMQ | we decided not to use RabbitMQ after all",
        "we decided to use RabbitMQ | we won't use RabbitMQ after all",
        "we decided not to support IE11 | we decided to support IE11 after all",
        "we decided to use RabbitMQ because it has queues | we decided not to use RabbitMQ",
    ],
)
def test_a_decision_in_the_same_words_denied_is_taken_back(line: str) -> None:
    older, newer = pair(line)
    assert takes_back(newer, older)
    assert takes_back(older, newer)


@pytest.mark.parametrize(
    "line",
    [
        "we decided to use RabbitMQ | we decided to use RabbitMQ",
        "we decided to use RabbitMQ | we decided not to use Kafka",
        "we decided to use RabbitMQ | we decided not to use RabbitMQ for emails",
        "we decided to use RabbitMQ | we decided not to use RabbitMQ until the audit",
        "we decided to use RabbitMQ in production | we decided not to use RabbitMQ in staging",
        "we decided to use RabbitMQ | we decided not to expose RabbitMQ",
        "we decided to use RabbitMQ, not Kafka | we decided not to use RabbitMQ",
        "we decided to support IE11 | we decided not to support IE11 and Safari 9",
        "we decided to use Redis | we will not use Redis for now",
        "we decided to merge it | we decided not to merge it",
        "we decided to refactor this | we decided not to refactor this",
        "we will deploy today | we will not deploy today",
        "we will use Redis this week | we will not use Redis this week",
    ],
)
def test_a_decision_of_something_else_takes_none_back(line: str) -> None:
    older, newer = pair(line)
    assert takes_back(newer, older) == takes_back(older, newer) == ""


@pytest.mark.parametrize(
    "line",
    [
        "we decided to use RabbitMQ as the broker | we switched from RabbitMQ to Redis",
        "we decided on RabbitMQ as the broker | we moved from RabbitMQ to Redis as the broker",
        "we decided to use RabbitMQ as the broker | we replaced RabbitMQ with Redis because ops already runs it",
        "we decided to use RabbitMQ as the broker | we decided to use Redis as the broker instead of RabbitMQ",
        "we went with Kafka | we're switching from Kafka to NATS",
        "we decided to use RabbitMQ as the broker | we decided not to use RabbitMQ after all",
        "we switched from npm to pnpm | we switched from pnpm to bun",
    ],
)
def test_a_decision_that_leaves_what_was_chosen_is_at_odds_with_the_choice(line: str) -> None:
    older, newer = pair(line)
    assert leaves(newer, older)
    assert not leaves(older, newer)


@pytest.mark.parametrize(
    "line",
    [
        "we decided to use RabbitMQ as the broker | we switched from Kafka to Redis",
        "we decided to use RabbitMQ as the broker | we switched from Kafka to RabbitMQ",
        "we decided to use RabbitMQ as the broker | we decided to use Redis as the cache",
        "we decided to use RabbitMQ as the broker | we switched from RabbitMQ to Redis for sessions",
        "we decided to use RabbitMQ as the broker | we decided not to use RabbitMQ for sessions",
        "we decided not to use RabbitMQ | we switched from RabbitMQ to Redis",
        "we decided to keep the RabbitMQ adapter | we replaced RabbitMQ with Redis",
        "we decided to use RabbitMQ in production | we replaced RabbitMQ with Redis in staging",
        "we decided to use Postgres instead of RabbitMQ | we replaced RabbitMQ with Redis",
        "we decided to use RabbitMQ as the broker | we replaced it with Redis",
        "we decided to use RabbitMQ as the broker | we moved from the office to Berlin",
    ],
)
def test_a_decision_that_leaves_something_else_is_at_odds_with_none(line: str) -> None:
    older, newer = pair(line)
    assert leaves(newer, older) == ""


@pytest.mark.parametrize("piece", ["a ", "in ", "we use ", "instead of ", "from a to ", "not ", ", ", "(", "ä"])
def test_long_texts_are_read_in_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert another_order(text, text) == takes_back(text, text) == leaves(text, text) == ""
    assert not ordered_once(text)
