"""A rule that begins with when it holds from is kept whole, however that is set off from it; and what only begins so is
no rule."""

from __future__ import annotations

import pytest

from aftermind.sidecar.captures.messages import captured

RULES = """
For the future: run cargo fmt before committing
For the future, use tabs.
For the future: all strings go through the translation helper
Für die Zukunft: immer uv statt pip nutzen
Pour l'avenir : utilise toujours des tabulations
From now on, use tabs.
from now on use tabs
Use tabs, from now on.
From now on: use spaces
From now on - use spaces
OK, from now on, please use tabs.
And from now on, never commit .env files.
As of now, squash commits before a merge.
Going forward, use uv instead of pip.
Moving forward: use uv instead of pip
In future, write tests in pytest
In the future: write tests in pytest
As a rule, write the test before the code.
From now on, whenever you change code, run the tests
From now on, before you commit, run the linter
From now on, if you touch the api, run the linter
From now on, in this repo, use pnpm
From now on, when you rename a file, never squash commits
From now on deploying on Fridays is fine
from now on, pushing to develop is ok
Ab jetzt, nutze Tabs
Ab sofort: immer uv statt pip nutzen
Von nun an: immer uv statt pip nutzen.
Künftig: immer uv statt pip nutzen.
Von jetzt an immer uv statt pip nutzen
Désormais, utilise toujours des tabulations
À partir de maintenant : utilise toujours des tabulations
A partir de ahora, usa siempre tabulaciones
De ahora en adelante: nunca uses sudo
A partir de agora: sempre use tabs
D'ora in poi: usa sempre le tabulazioni
Vanaf nu: gebruik altijd tabs
Od teraz: zawsze używaj tabulatorów
Отныне: всегда используй табы
""".strip().splitlines()
ONLY_TOLD = """
use it, from now on
From now on, whenever you change code.
From now on, before you commit
From now on, if it fails, I will leave
From now on, in this repo, it is fast
From now on, I am in Berlin.
From now on, it gets complicated.
From now on, the list loads in 2 seconds
Going forward, we'll see
it works, from now on
As a rule, it works.
I'll do it, from now on, myself
in the future, please use the new endpoint in this file
for the future we need a better parser
for the future release, use tabs in this file
for the future deploy script use tabs
for the future, all is well
deploying on Fridays is fine
from now on parsing the file is fine
from now on everything on Fridays is fine
from now on deploying is fine
from now on deploying this to staging is fine
from now on, is deploying on Fridays fine?
for the future: all users see the banner
for this session only, from now on, use tabs
Going forward.
From now on.
from now on?
From now on: what would you do?
Ab jetzt, geht nichts mehr
Von nun an geht es bergab
In the future, cars will fly
The docs say: from now on, use tabs.
My boss said: from now on, never use tabs
""".strip().splitlines()


@pytest.mark.parametrize("message", RULES)
def test_a_rule_is_kept_with_when_it_holds_from(message: str) -> None:
    (rule,) = captured(message)
    assert rule.kind == "directive"
    assert len(rule.text.split()) >= len(message.rstrip(".").split()) - 3
    assert message.rstrip(".").endswith(rule.text)


@pytest.mark.parametrize("message", ONLY_TOLD)
def test_what_begins_so_and_orders_nothing_is_no_rule(message: str) -> None:
    assert captured(message) == ()


@pytest.mark.parametrize(
    ("message", "rules"),
    [
        ("Now: never commit .env files.", ["never commit .env files"]),
        ("Now: never log passwords", ["never log passwords"]),
        ("And now: always use tabs.", ["always use tabs"]),
        ("Jetzt: niemals direkt auf main pushen", ["niemals direkt auf main pushen"]),
        (
            "great, that worked! Now: never commit .env files. And always use pnpm instead of npm from now on.",
            ["never commit .env files", "always use pnpm instead of npm from now on"],
        ),
        (
            "Thanks. From now on, use tabs. Going forward: squash commits before a merge.",
            ["From now on, use tabs", "Going forward: squash commits before a merge"],
        ),
    ],
)
def test_who_says_now_before_a_colon_says_the_rest_too(message: str, rules: list[str]) -> None:
    assert [one.text for one in captured(message)] == rules


@pytest.mark.parametrize("message", ["Right now it says: never commit .env files", "Now the docs say: always use tabs"])
def test_others_words_after_a_colon_are_nobodys_rule(message: str) -> None:
    assert captured(message) == ()
