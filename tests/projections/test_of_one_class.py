"""A language that somebody prefers, one of two, a version that is required: of one class there is one at a time."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import sought
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

PREFERRED = (
    ("User prefers German answers", "User prefers English answers"),
    ("I prefer answers in German", "I prefer English answers"),
    ("I prefer English answers", "Actually, I prefer answers in French"),
    ("The user prefers English comments", "The user now prefers German comments"),
    ("I prefer Python snippets", "I prefer Rust snippets"),
    ("I prefer JSON output", "I prefer YAML output"),
    ("I prefer German answers for docs", "I prefer English answers for docs"),
    ("I prefer short German summaries", "I prefer short French summaries"),
    ("I prefer Python code snippets", "I prefer Ruby code snippets"),
    ("I prefer docs in Markdown", "I prefer LaTeX docs"),
    ("I prefer explanations in German for tests", "I prefer English explanations for tests"),
)
PREFERRED_APART = (
    ("User prefers German answers", "User prefers English comments"),
    ("User prefers German answers", "User prefers short answers"),
    ("User prefers German answers", "User prefers JSON answers"),
    ("User prefers German answers", "User prefers English answers for code"),
    ("User prefers German answers", "User prefers German and English answers"),
    ("User prefers German answers", "User prefers English answers when he writes English"),
    ("User prefers German answers", "User also prefers English answers"),
    ("User prefers German answers", "Anna prefers English answers"),
    ("I like German films", "I like English films"),
    ("I love Python books", "I love Rust books"),
    ("I prefer German beer", "I prefer English tea"),
    ("I prefer German answers", "I preferred English answers"),
    ("I prefer tabs", "I preferred spaces"),
    ("User prefers German answers", "User prefers answers in bullet points"),
    ("User prefers German answers", "User prefers answers in German"),
    ("I prefer TypeScript over JavaScript.", "I prefer Kotlin over Java."),
    ("I prefer vanilla JavaScript.", "I prefer vanilla CSS."),
    ("I prefer JSON over XML", "I prefer YAML over TOML"),
    ("I prefer idiomatic Go", "I prefer idiomatic Rust"),
    ("I prefer typed Python", "I prefer typed PHP"),
    ("I prefer plain SQL", "I prefer plain HTML"),
    ("I prefer Python dataclasses", "I prefer Kotlin dataclasses"),
    ("I prefer bash on Linux", "I prefer bash on Windows"),
    ("I prefer the GNU tools on macOS", "I prefer the GNU tools on Linux"),
    ("I prefer Python comments", "I prefer Rust comments"),
    ("I prefer Python snippets over prose", "I prefer Rust snippets over prose"),
    ("I prefer German answers to English ones", "I prefer French answers to English ones"),
    ("I prefer tests with German comments", "I prefer tests with English comments"),
    ("I prefer answers for German users", "I prefer answers for English users"),
    ("I prefer German and English answers", "I prefer German and French answers"),
)
RATHER = (
    ("I prefer pytest over unittest", "I prefer unittest over pytest"),
    ("I like tea more than coffee", "I like coffee more than tea"),
    ("I like tea better than coffee", "I prefer coffee over tea"),
    ("I prefer tea to coffee", "I now prefer coffee to tea"),
    ("I prefer `pytest` over `unittest`", "Actually, I prefer unittest over pytest now"),
    ("User prefers vim over emacs", "The user prefers emacs over vim"),
    ("We prefer Kotlin over Java", "We prefer Java over Kotlin"),
    ("I prefer small commits over big pull requests", "I prefer big pull requests over small commits"),
    ("Prefer composition over inheritance", "Prefer inheritance over composition"),
    ("I prefer pytest over unittest for small projects", "I prefer unittest over pytest for small projects"),
)
RATHER_APART = (
    ("I prefer pytest over unittest", "I prefer pytest over nose"),
    ("I prefer pytest over unittest", "I prefer unittest over nose"),
    ("I prefer pytest over unittest", "I prefer unittest over pytest for big projects"),
    ("I prefer pytest over unittest for small projects", "I prefer unittest over pytest for big projects"),
    ("I prefer dark tea over coffee", "I prefer tea over dark coffee"),
    ("We prefer pytest over unittest", "I prefer unittest over pytest"),
    ("Anna prefers pytest over unittest", "I prefer unittest over pytest"),
    ("He prefers vim over emacs", "She prefers emacs over vim"),
    ("They prefer vim over emacs", "I prefer emacs over vim"),
    ("I preferred pytest over unittest", "I prefer unittest over pytest"),
    ("I prefer pytest over unittest", "I preferred unittest over pytest"),
    ("I prefer pytest over unittest", "I don't prefer unittest over pytest"),
    ("I prefer pytest over unittest", "Sometimes I prefer unittest over pytest"),
    ("I prefer pytest over unittest", "I might prefer unittest over pytest"),
    ("I prefer pytest over unittest", "Do I prefer unittest over pytest?"),
    ("I prefer pytest over unittest", "I prefer unittest over pytest when it is small"),
    ("I like tea more than coffee", "I like coffee"),
    ("I like tea more than coffee", "I like coffee more than juice"),
    ("I like tea more than coffee in the morning", "I like coffee more than tea in the evening"),
    ("I like tea more than 2 coffees", "I like coffee more than tea"),
    ("I like walking to work", "I like work to walking"),
    ("I prefer tea and juice over coffee", "I prefer coffee over tea and juice"),
    ("I prefer it over vim", "I prefer vim over it"),
    ("I prefer not testing over testing", "I prefer testing over not testing"),
    ("The team prefers vim over emacs", "I prefer emacs over vim"),
    ("My team prefers vim over emacs", "Your team prefers emacs over vim"),
    ("Users prefer vim over emacs", "I prefer emacs over vim"),
    ("I want JSON over HTTP", "I want HTTP over JSON"),
    ("I like cheese over pasta", "I like pasta over cheese"),
    ("I would rather have tea than coffee", "I would rather have coffee than tea"),
    ("I prefer the API over the CLI of npm", "I prefer the CLI over the API of pnpm"),
)
REQUIRED = (
    ("We require two approvals", "We require one approval"),
    ("We require one approval", "We require two approvals"),
    ("PRs require two approvals", "PRs now require one approval"),
    ("Python 3.11 is required", "Python 3.12 is required"),
    ("Python 3.11 is required", "Python 3.12 is now required."),
    ("The project requires Python 3.11", "Python 3.12 is required"),
    ("Python 3.11 is needed for the docs", "Python 3.12 is required for the docs"),
    ("Java 17 is required", "Java 21 is required"),
    ("Windows 10 is required", "Windows 11 is required"),
    ("Postgres 14.2 is required", "Postgres 16.1 is required"),
    ("Python 3.11 is required by the worker", "The worker requires Python 3.12"),
)
REQUIRED_APART = (
    ("We require two approvals", "We require one of two approvals"),
    ("We require two approvals", "We require one more"),
    ("We require two approvals", "We require one another"),
    ("We require two approvals", "We require one test"),
    ("We require two approvals on main", "We require one approval on dev"),
    ("We require two approvals", "We require one approval in CI"),
    ("The task needs two days", "The task needs one day"),
    ("The bug requires two lines", "The bug requires one line"),
    ("My PR needs two approvals", "My PR needs one approval"),
    ("We use two databases", "We use one database"),
    ("One of the owners is Tom", "One of the owners is Ana"),
    ("Python 3.11 is required", "Python 3.12 is required for the docs"),
    ("Python 3.11 is required by the worker", "Python 3.12 is required by the client"),
    ("Python 3.11 is required", "Ruby 3.3 is required"),
    ("Python 3.11 is supported", "Python 3.12 is supported"),
    ("Python 3.11 is required", "Python 3.12 is recommended"),
    ("Python 3.11 is required", "Python 3.12 is not required"),
    ("Step 2 is required", "Step 3 is required"),
    ("Port 80 is required", "Port 443 is required"),
    ("Section 3.1 is required", "Section 3.2 is required"),
    ("Issue 12 is required for the release", "Issue 13 is required for the release"),
    ("Python 3.11 is required", "Python 3.12 is required in CI"),
    ("Python 3.11 is required", "Python 3.12 is also required"),
    ("Two approvals are required", "Three tests are required"),
    ("Room 12 is required", "Room 13 is required"),
)


@pytest.mark.parametrize(("older", "newer"), PREFERRED + RATHER + REQUIRED)
def test_another_of_its_class_takes_its_place(older: str, newer: str) -> None:
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]
    for one, other in ((older, newer), (newer, older)):
        assert asks_for(one) & found_by(other)
        assert other in those([other], sought(one))


@pytest.mark.parametrize(("older", "newer"), PREFERRED_APART + RATHER_APART + REQUIRED_APART)
def test_of_another_class_or_for_something_else_both_stay(older: str, newer: str) -> None:
    assert beside(older, newer) == Settled()
