"""Forges are asked about what memories refer to: only those that somebody named, for nothing but that, and whatever one
of them answers, it is told and nothing else is hurt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs
from tests.cli.conftest import Cli
from tests.forges import ISSUE, MERGE_REQUEST, PULL, Forge, Reply, forge, says

from aftermind.cli.enriching.forges import LONG, SHORT, address, forges, told
from aftermind.engine.entities.references import references
from aftermind.engine.errors import Unusable

ONE, TWO = "/api/v3/repos/acme/shop/issues/12", "/api/v3/repos/acme/shop/issues/13"
HOST = "127.0.0.1"
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def server() -> Iterator[Forge]:
    with forge() as told:
        yield told


@pytest.fixture
def named(cli: Cli, server: Forge, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Two issues are referred to, and the forge may be asked."""
    monkeypatch.setenv("AFTERMIND_ENRICH_FORGES", f"github:http://{HOST}:{server.port}")
    cli("remember", f"Prices: https://{HOST}/acme/shop/issues/12", "--project", "shop")
    cli("remember", f"And https://{HOST}/acme/shop/pull/13 of last year", "--project", "shop")
    return cli


def test_nothing_is_asked_until_a_forge_is_named(cli, server):
    cli("remember", f"Prices: https://{HOST}/acme/shop/issues/12", "--project", "shop")
    refused = cli("enrich")
    assert refused.status == 2
    assert "no forge may be asked" in refused.err
    foretold = cli("enrich", "--dry-run", "--json", "--all").json
    assert (foretold["wanted"], foretold["others"]) == ([], {HOST: 1})
    assert server.asked == []


def test_what_is_said_is_kept_shown_and_not_asked_again(named, server):
    server.replies |= {ONE: says(ISSUE), TWO: says(PULL)}
    foretold = named("enrich", "--dry-run", "--json", "--project", "shop").json
    assert sorted(one["reference"] for one in foretold["wanted"]) == [f"{HOST}/acme/shop#12", f"{HOST}/acme/shop#13"]
    assert server.asked == []
    ran = named("enrich", "--project", "shop", "--json").json
    assert (ran["told"], ran["missing"], ran["failures"], ran["left"]) == (2, 0, [], {})
    assert sorted(server.paths) == [ONE, TWO]
    assert "authorization" not in server.asked[0][1]
    told = named("context", "--entity", f"https://{HOST}/acme/shop/issues/12", "--project", "shop").out
    assert "issue closed: Prices are rounded twice [bug, billing]" in told
    (id,) = [one["id"] for one in named("search", "last year", "--project", "shop", "--json").json][:1]
    assert "pull request merged: Round once" in named("show", id).out
    assert "looked up" in named("log").out
    assert "Not kept" not in named("log", "--json").out
    again = named("enrich", "--project", "shop", "--json").json
    assert (again["told"], again["fresh"], len(server.asked)) == (0, 2, 2)
    named("config", "set", "enrich.hours", "0")
    assert named("enrich", "--limit", "1", "--project", "shop", "--json").json["told"] == 1


def test_gitlab_is_asked_by_its_own_ways_and_with_its_token(cli, server, monkeypatch):
    monkeypatch.setenv("AFTERMIND_ENRICH_FORGES", f"gitlab:http://{HOST}:{server.port}")
    monkeypatch.setenv("AFTERMIND_ENRICH_TOKENS", f"{HOST}=SHOP_TOKEN")
    monkeypatch.setenv("SHOP_TOKEN", TOKEN)
    for path in ("a/b/c/-/merge_requests/4", "a/b/c/-/issues/12", "groups/a/b/-/epics/2"):
        cli("remember", f"See https://{HOST}/{path}", "--global")
    replies = {"/api/v4/projects/a%2Fb%2Fc/merge_requests/4": says(MERGE_REQUEST)}
    replies["/api/v4/projects/a%2Fb%2Fc/issues/12"] = says({"iid": 12, "title": f"x {TOKEN}", "state": "closed"})
    server.replies |= replies
    ran = cli("enrich", "--all", "--json").json
    assert (ran["told"], ran["missing"]) == (2, 1)
    assert "/api/v4/groups/a%2Fb/epics/2" in server.paths
    assert {headers.get("private-token") for _, headers in server.asked} == {TOKEN}
    assert "merge request open: Round once" in cli("context", "--entity", f"{HOST}/a/b/c!4", "--global").out
    assert "missing" in cli("context", "--entity", f"{HOST}/a/b&2", "--global").out
    assert TOKEN not in cli("log", "--json").out + cli("config", "list").out
    assert "[masked" in cli("context", "--entity", f"{HOST}/a/b/c#12", "--global").out


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(status=401), "it wants a token"),
        (Reply(status=403), "it may not be seen without a token"),
        (Reply(status=403, headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4102444800"}), "left alone"),
        (Reply(status=429, headers={"Retry-After": "3600"}), "wants to be left alone until"),
        (Reply(status=429, headers={"Retry-After": "soon"}), "wants to be left alone until"),
        (Reply(status=429, headers={"Retry-After": "9" * 5_000}), "wants to be left alone until"),
        (Reply(status=403, headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9" * 5_000}), "left alone"),
        (Reply(status=503), "it answered 503"),
        (Reply(body=b"<html>Log in</html>", headers={"Content-Type": "text/html"}), "no JSON"),
        (Reply(body=b'{"number": 99, "title": "x", "state": "open"}'), "of something else"),
        (Reply(body=b'{"number": 12, "title": "x", "state": 7}'), "tells no state"),
        (Reply(status=302, headers={"Location": "https://elsewhere.example.org/"}), "it answered 302"),
        (Reply(hangs=True), "did not answer within 1 seconds"),
    ],
    ids=[
        "401",
        "403",
        "403-limited",
        "429",
        "429-soon",
        "429-long",
        "403-long",
        "503",
        "HTML",
        "another",
        "no-state",
        "elsewhere",
        "hang",
    ],
)
def test_whatever_a_forge_answers_it_is_told_and_nothing_is_kept(named, server, reply, why):
    named("config", "set", "enrich.timeout_seconds", "1")
    server.replies |= {ONE: reply, TWO: reply}
    ran = named("enrich", "--project", "shop")
    assert ran.status == 0, ran.err
    assert why in ran.out
    assert named("context", "--entity", f"{HOST}/acme/shop#12", "--project", "shop", "--json").json["on_forge"] == []
    assert named("search", "prices", "--project", "shop").status == 0


def test_a_forge_that_is_not_there_is_told(named, server, monkeypatch):
    monkeypatch.setenv("AFTERMIND_ENRICH_FORGES", f"github:http://{HOST}:1")
    assert "it cannot be reached" in named("enrich", "--project", "shop").out


def test_who_asks_to_be_left_alone_is_and_the_next_time_too(named, server):
    server.replies |= {ONE: Reply(status=429, headers={"Retry-After": "3600"}), TWO: says(PULL)}
    server.replies[TWO].headers |= {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4102444800"}
    first = named("enrich", "--project", "shop", "--json").json
    assert len(server.asked) == 1
    assert (first["told"] + first["missing"], first["not_asked"]) in ((1, 1), (0, 2))
    again = named("enrich", "--project", "shop", "--json").json
    assert len(server.asked) == 1
    assert "left alone until" in again["left"][HOST]


def test_the_token_goes_to_no_other_place(named, server, monkeypatch):
    monkeypatch.setenv("AFTERMIND_ENRICH_TOKENS", f"{HOST}=SHOP_TOKEN")
    monkeypatch.setenv("SHOP_TOKEN", TOKEN)
    with forge() as other:
        server.replies[ONE] = Reply(status=301, headers={"Location": f"http://{HOST}:{other.port}{ONE}"})
        server.replies[TWO] = Reply(status=301, headers={"Location": f"http://{HOST}:{server.port}/api/v3/moved"})
        server.replies["/api/v3/moved"] = says(PULL)
        ran = named("enrich", "--project", "shop", "--json").json
        assert other.asked == []
    assert ran["told"] == 1
    assert [one["why"] for one in ran["failures"]] == ["it answered 301"]
    assert {headers.get("authorization") for _, headers in server.asked} == {f"Bearer {TOKEN}"}


def test_a_token_that_is_not_there_leaves_the_host(named, server, monkeypatch):
    monkeypatch.setenv("AFTERMIND_ENRICH_TOKENS", f"{HOST}=SHOP_TOKEN")
    assert "SHOP_TOKEN holds no key" in named("enrich", "--project", "shop").out
    assert server.asked == []


def test_of_a_project_that_is_paused_nothing_is_asked(named, server):
    named("pause", "--project", "shop")
    assert "Nothing has to be asked" in named("enrich", "--all").out
    assert server.asked == []


def test_what_is_forgotten_takes_along_what_was_said_of_it_alone(named, server, place: Path):
    server.replies |= {ONE: says(ISSUE), TWO: says(PULL)}
    named("enrich", "--project", "shop")
    memories = {one["text"]: one["id"] for one in named("search", "https", "--project", "shop", "--json").json}
    named("remember", f"Still {HOST}/acme/shop#13", "--project", "shop")
    for id in memories.values():
        assert named("forget", id, "--yes").status == 0
    said = b"".join(path.read_bytes() for path in (place / "store").rglob("*") if path.is_file())
    assert b"Prices are rounded twice" not in said
    assert b"Round once" in said


def test_a_whole_project_is_forgotten_with_what_was_said_of_it(named, server, place: Path):
    server.replies |= {ONE: says(ISSUE), TWO: says(PULL)}
    named("enrich", "--project", "shop")
    assert named("forget", "--project", "shop", "--yes").status == 0
    said = b"".join(path.read_bytes() for path in (place / "store").rglob("*") if path.is_file())
    assert b"Prices are rounded twice" not in said
    assert b"Round once" not in said


def test_a_project_sees_nothing_of_what_was_said_for_another(named, server):
    server.replies |= {ONE: says(ISSUE), TWO: says(PULL)}
    named("enrich", "--project", "shop")
    assert named("context", "--entity", f"{HOST}/acme/shop#12", "--project", "q", "--json").json["on_forge"] == []


@pytest.mark.parametrize(
    ("said", "root"),
    [
        ("github.com", "https://api.github.com"),
        ("gitlab.com", "https://gitlab.com/api/v4"),
        ("github:git.example.org:8443", "https://git.example.org:8443/api/v3"),
        ("https://gitlab.example.org/", "https://gitlab.example.org/api/v4"),
        ("gitlab:http://[::1]:80", "http://[::1]:80/api/v4"),
    ],
)
def test_a_forge_is_a_host_and_its_kind(said: str, root: str) -> None:
    assert [one.root for one in forges(said, "")] == [root]


@pytest.mark.parametrize(
    ("said", "tokens"),
    [
        ("git.example.org", ""),
        ("gitlab:http://git.example.org", ""),
        ("gitlab:ftp://x.org", ""),
        ("github.com/acme", ""),
        ("user@github.com", ""),
        ("github.com", f"github.com={TOKEN}"),
        ("github.com", "gitlab.com=NAME"),
    ],
)
def test_what_is_no_forge_is_refused(said: str, tokens: str) -> None:
    with pytest.raises(Unusable) as refused:
        forges(said, tokens)
    assert TOKEN not in f"{refused.value} {refused.value.hint}"


@pytest.mark.parametrize("path", ["https://github.com/../../issues/1", "https://github.com/a/../issues/1", "a/b#٣"])
def test_a_reference_that_would_lead_elsewhere_at_a_forge_is_not_asked_about(path: str) -> None:
    (github,) = forges("github.com", "")
    (one,) = references(f"see {path}")
    assert address(github, structs.replace(one, host="github.com")) == ""


@pytest.mark.parametrize("secret", [TOKEN, f"<private>{'quokka ' * 9}</private>"])
def test_no_half_of_what_is_secret_is_left_where_a_text_is_cut(secret: str) -> None:
    (github,) = forges("github.com", "")
    (one,) = references("see https://github.com/acme/shop/issues/12")
    half = len(secret) // 2
    issue = ISSUE | {
        "title": "x" * (LONG - half - 1) + f" {secret}",
        "labels": ["y" * (SHORT - half - 1) + f" {secret}"],
    }
    found = told(
        github, one, json.dumps(issue | {"html_url": f"https://x/{'z' * (LONG - 11 - half)}?{secret}"}).encode()
    )
    for text in (found.title, *found.labels, found.url):
        assert "a1B2" not in text
        assert "quokka" not in text
        assert len(text) <= LONG


def test_enrich_prints_json_for_programs(named, server):
    server.replies[ONE] = says(ISSUE)
    assert json.loads(named("enrich", "--project", "shop", "--json").out)["told"] == 1
