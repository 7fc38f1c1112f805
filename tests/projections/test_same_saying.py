"""What says the same differs in how it is written, and in nothing that is another statement."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.same_saying import grouped, keys

SAME = (
    ("The API listens on port 8000.", "the api listens on port 8000"),
    ("API listens on port 8000", "the api listens on port 8000"),
    ("API listens on port 8000", "The Api listens on port 8000!"),
    ("The API's port is 8000", "The port of the api is 8000"),
    ("The `API` listens on port 8000", "The API listens on port 8000"),
    ("Always run CI before a merge", "always run ci before a merge"),
    ("GitHub hosts the code", "github hosts the code"),
    ("Github hosts the code", "GitHub hosts the code"),
    ("PostgreSQL is on port 5432", "postgresql is on port 5432"),
    ("The DB listens on 5432", "the db listens on 5432"),
    ("Do NOT deploy on Friday", "do not deploy on Friday"),
    ("Don't deploy on Friday", "don't deploy on friday"),
    ("Pre-commit runs ruff", "pre-commit runs ruff"),
    ("The v2 API is slow", "the v2 api is slow"),
    ("The README is in docs/Readme.md", "the readme is in `docs/Readme.md`"),
    ("Staging runs on AWS in eu-west-1", "staging runs on aws in eu-west-1"),
    ("Uploads are limited to 10 MB by the API", "uploads are limited to 10 MB by the api"),
    ("The URL of the CDN is cdn.example.org", "the url of the cdn is cdn.example.org"),
    ("Die API hört auf Port 8000", "die api hört auf port 8000"),
    ("ÜBER uns steht im Wiki", "über uns steht im wiki"),
    ("Use GraphQL for the API", "use graphql for the api"),
    ("The CI profile of ADA is slow", "the ci profile of Ada is slow"),
    ("Deploys go out on MON", "deploys go out on mon"),
    ("Every PR needs a review by the QA", "every pr needs a review by the qa"),
    ("Log errors as JSON", "log errors as json"),
    ("The VPN is needed for the DB", "the vpn is needed for the db"),
)
OTHERWISE = (
    ("The API listens on port 8000", "the api listens on port 8001"),
    ("The API is not on port 8000", "the api is on port 8000"),
    ("Only the API has TLS", "the api has TLS"),
    ("Never push to MAIN", "always push to main"),
    ("Team A deploys on Friday", "Team deploys on Friday"),
    ("Plan A is cheap", "The plan is cheap"),
)
CAPITALS_ARE_THE_POINT = (
    ("Uploads are limited to 10 MB", "Uploads are limited to 10 Mb"),
    ("Bandwidth is measured in MB", "Bandwidth is measured in Mb"),
    ("The plant gives 5 MW", "The plant gives 5 mW"),
    ("Ship it to US", "Ship it to us"),
    ("IT owns the printers", "it owns the printers"),
    ("WHO decides on releases", "who decides on releases"),
    ("The variable is called fooBar", "The variable is called foobar"),
    ("The class FooBar caches tokens", "the class foobar caches tokens"),
    ("Use the method toJSON", "use the method toJson"),
    ("Write GitHub, not Github", "Write Github, not GitHub"),
    ("Name constants FOO, not foo", "Name constants foo, not FOO"),
    ("Spell it GitHub", "spell it github"),
    ("Der Branch heißt MAIN", "Der Branch heißt main"),
    ("The password is HUNTER", "The password is hunter"),
    ("The door code is ABCDE", "the door code is abcde"),
    ("Tokens are case sensitive: ABC", "tokens are case sensitive: abc"),
    ("`DEBUG` is on in staging", "`debug` is on in staging"),
    ("`DEBUG` is on", "debug is on"),
    ("Run `make Build-ALL`", "run `make Build-All`"),
    ('Say "Hello WORLD" to users', 'Say "Hello world" to users'),
    ("Call parseURL() first", "Call parseUrl() first"),
    ("foo() comes first", "goo() comes first"),
    ("Logs are in src/App", "logs are in src/app"),
    ("Run app.TS", "run app.ts"),
    ("Set MAX_SIZE to 5", "set max_size to 5"),
    ("The image is v2-Alpine3", "the image is v2-alpine3"),
    ("The flag is -V", "the flag is -v"),
    ("Commit with --Amend", "commit with --amend"),
    ("The host is db.Example", "the host is db.example"),
    ("The env var is DEBUG", "the env var is debug"),
    ("Set the environment variable DEBUG", "set the environment variable debug"),
    ("Orders have the column userId", "orders have the column userid"),
    ("Sort by userId", "sort by userid"),
    ("We import pyYAML", "we import pyyaml"),
    ("We import PIL", "we import pil"),
    ("Ids have the type INT", "ids have the type int"),
    ("The header ETAG is sent", "the header etag is sent"),
    ("Pass the flag V to the linter DEBUG", "pass the flag V to the linter debug"),
    ("The folder SRC is generated", "the folder src is generated"),
    ("The file README is generated", "the file readme is generated"),
    ("The branch MAIN is protected", "the branch main is protected"),
    ("The table USERS is huge", "the table users is huge"),
    ("The field ID is unique", "the field id is unique"),
    ("The prefix AB is for tickets", "the prefix ab is for tickets"),
    ("The tag LATEST moves", "the tag latest moves"),
    ("The label BUG is for bugs", "the label bug is for bugs"),
    ("Commits begin with FIX", "commits begin with fix"),
    ("Grep for ERROR", "grep for error"),
    ("SQL keywords like SELECT", "SQL keywords like select"),
    ("The wifi key: ABCD", "the wifi key: abcd"),
    ("The SSID is HOMENET", "the ssid is homenet"),
    ("The key of the cache: ABC", "the key of the cache: abc"),
    ("The token of the staging bot is ABC", "the token of the staging bot is abc"),
    ("The promo code SAVE works", "the promo code save works"),
    ("Die Datei README ist alt", "die datei readme ist alt"),
    ("Der Branch MAIN ist geschützt", "der branch main ist geschützt"),
)


def say_the_same(*texts: str) -> bool:
    groups = grouped({text: list(keys(text, "", typed=True)) for text in texts})
    return {len(group) for group in groups.values()} == {len(texts)}


@pytest.mark.parametrize(("one", "other"), SAME)
def test_how_a_word_is_written_makes_no_other_statement(one, other):
    assert say_the_same(one, other)
    assert say_the_same(other, one)


@pytest.mark.parametrize(("one", "other"), [*OTHERWISE, *CAPITALS_ARE_THE_POINT])
def test_what_capitals_or_words_make_another_statement_is_kept_apart(one, other):
    assert not say_the_same(one, other)


def test_several_say_the_same_where_each_says_the_same_as_one_of_them():
    both = ("Staging's port is 8081", "The port of staging is 8081", "the PORT of STAGING is 8081")
    assert say_the_same(*both)
    assert not say_the_same(*both, "The port of staging is 8082")


def test_who_says_it_tells_statements_apart():
    said = {who: list(keys("I like tabs", who, typed=True)) for who in ("Ada", "Bob", "ada")}
    assert grouped(said) == {"Ada": ["Ada", "ada"], "Bob": ["Bob"], "ada": ["Ada", "ada"]}
