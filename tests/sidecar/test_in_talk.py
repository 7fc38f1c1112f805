"""What is said in passing is kept where it holds: not what others tell, nor how a server answers just now."""

from __future__ import annotations

import pytest

from aftermind.sidecar.captures.messages import captured, told
from tests.sidecar.exchanges import cases

TOLD_BY_OTHERS = """
bob claims the staging port is 8081
bob swears staging listens on 8081
bob told me staging listens on 8081
Bob meint, Staging lauscht auf Port 8081
laut Bob lauscht Staging auf Port 8081
selon Bob, staging écoute sur le port 8081
según Bob, staging escucha en el puerto 8081
segundo o Bob, staging escuta na porta 8081
volgens Bob luistert staging op poort 8081
supposedly staging listens on 8081
allegedly the staging port is 8081
"""
ANSWERS = """
no, the API is 502
nein, die API ist 500
nope, the endpoint is 503
staging is 503 again
the staging endpoint is 404 for everyone
our staging api is now 500
"""
UNMEANT = """
always use yarn (just kidding, pnpm)
use tabs in this repo. jk
sure, let's always push to main lol
from now on, always use pnpm in this repo 🙃
the staging port is 8081, right
so the staging port is 8081, right
the staging port is 8081 or 8082
the staging port is 8081... or was it 8082
the staging port is 8081. or was it 8082?
you said the staging port is 8081
but you said the staging port is 8081
iirc the staging port is 8081
"""
KEPT = """
as you said, the staging port is 8081
the staging port is 8081 lol
the staging port is 8081. right, now add a test
from now on, always use pnpm in this repo. haha the old lockfile is gone
the staging port is 8081
Staging lauscht auf Port 8081
staging écoute sur le port 8081
no, the API is 8081
the staging api is 8081
the api port is 502
our rate limit is 429
the staging timeout is 500
our cluster on staging is 500 nodes
we use pnpm in this repo
btw we use pnpm in this repo
we use ruff as formatter in our monorepo
the redis url moved to redis://cache2.internal:6380
the redis url moved btw to redis://cache2.internal:6380
the database url is now postgres://db2.internal/shop
"""
LEFT = """
we use pnpm in this repo?
do we use pnpm in this repo
we use pnpm in this repo, don't we?
i think we use pnpm in this repo
bob says we use pnpm in this repo
we used npm in this repo
we use pnpm in another repo
we use pnpm in this repo for now
we use it in this repo
we use both in this repo
is the redis url redis://cache2.internal:6380?
move the redis url to redis://cache2.internal:6380
the redis url was redis://cache2.internal:6380
the redis url moved to redis://app:hunter2@cache2.internal:6380
"""


@pytest.mark.parametrize("message", cases(TOLD_BY_OTHERS + ANSWERS))
def test_what_others_tell_and_how_a_server_answers_is_no_value(message: str) -> None:
    assert captured(message) == ()
    assert told(message) == []


@pytest.mark.parametrize("message", cases(UNMEANT))
def test_what_is_said_in_jest_asked_or_one_of_two_is_not_kept(message: str) -> None:
    assert captured(message) == ()


@pytest.mark.parametrize("message", cases(KEPT))
def test_what_is_so_is_kept(message: str) -> None:
    assert len(captured(message)) == 1


@pytest.mark.parametrize("message", cases(LEFT))
def test_what_is_asked_doubted_past_or_names_nothing_is_not(message: str) -> None:
    assert captured(message) == ()


def test_what_is_thrown_in_before_a_value_is_no_part_of_what_is_kept() -> None:
    (kept,) = captured("the redis url moved btw to redis://cache2.internal:6380")
    assert kept.text == "the redis url moved to redis://cache2.internal:6380"
    assert kept.evidence == "the redis url moved btw to redis://cache2.internal:6380"


def test_what_a_repo_works_with_is_a_decision() -> None:
    (kept,) = captured("we use pnpm in this repo")
    assert kept.kind == "decision"
