"""The configuration: environment before file before defaults, typed, and edited without losing a comment."""

from __future__ import annotations

import sys
from datetime import timedelta

import pytest

from aftermind.cli.config import home
from aftermind.cli.keys import KEYS
from aftermind.cli.settings import configuration, policy_of
from aftermind.engine.policy import Policy, Spending


def written(place, text):
    (place / "config.toml").write_text(text, encoding="utf-8")


def test_without_a_file_the_policy_is_the_default_one(place):
    assert policy_of(configuration()) == Policy()


def test_the_environment_goes_before_the_file_and_the_file_before_the_default(cli, place, monkeypatch):
    written(place, "[ranking]\nlimit = 7\nbudget = 300\n")
    monkeypatch.setenv("AFTERMIND_RANKING_LIMIT", "9")
    sources = {row["key"]: (row["value"], row["source"]) for row in cli("config", "get", "--json").json}
    assert sources["ranking.limit"] == (9, "environment")
    assert sources["ranking.budget"] == (300, "file")
    assert sources["ranking.floor"][1] == "default"
    assert set(sources) == {key.name for key in KEYS}


def test_what_is_configured_is_what_is_decided_by(place):
    written(place, "[ranking]\nfloor = 0\n[lifecycle]\nworking_hours = 1.5\nhistory_days = 2\n")
    policy = policy_of(configuration())
    assert policy.ranking.floor == 0
    assert policy.lifecycle.working_lifetime == timedelta(minutes=90)
    assert policy.lifecycle.history_lifetime == timedelta(days=2)


def test_the_store_is_where_the_option_says_then_the_environment_then_the_file(cli, place, monkeypatch):
    written(place, f"home = '{place / 'filed'}'\n")
    assert home() == place / "store"
    monkeypatch.delenv("AFTERMIND_HOME")
    assert home() == place / "filed"
    assert cli("remember", "a", "fact").status == 0
    assert cli("remember", "a", "fact", "--home", str(place / "given")).status == 0
    assert cli("stats", "--json").json["folder"] == str(place / "filed")
    assert cli("stats", "--json", "--home", str(place / "given")).json["folder"] == str(place / "given")
    assert cli("--home", str(place / "given"), "--json", "stats").json["folder"] == str(place / "given")


def test_a_configured_limit_cuts_a_search(cli):
    for day in ("Monday", "Tuesday", "Friday"):
        cli("remember", f"On {day} the deploy of service {day} is made by {day * 3}")
    cli("config", "set", "ranking.limit", "2")
    assert len(cli("search", "deploy service", "--json").json) == 2


def test_set_and_unset_keep_comments_and_the_rest(cli, place):
    written(place, "# mine\n[ranking] # about ranking\nlimit = 7 # seven\nbudget = 300\n")
    assert cli("config", "set", "ranking.limit", "8").out == f"ranking.limit is 8 in {place / 'config.toml'}.\n"
    expected = "# mine\n[ranking] # about ranking\nlimit = 8 # seven\nbudget = 300\n"
    assert (place / "config.toml").read_text() == expected
    assert cli("config", "get", "ranking.limit").out == "8\n"
    cli("config", "unset", "ranking.budget")
    assert (place / "config.toml").read_text() == expected.replace("budget = 300\n", "")
    assert cli("config", "unset", "ranking.budget").status == 0
    assert [path.name for path in place.iterdir() if "toml" in path.name] == ["config.toml"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links are POSIX")
def test_the_file_is_its_owners_alone_and_a_link_stays_a_link(cli, place):
    (place / "config.toml").symlink_to(place / "dotfiles.toml")
    cli("config", "set", "ranking.limit", "8")
    assert (place / "config.toml").is_symlink()
    assert (place / "dotfiles.toml").stat().st_mode & 0o777 == 0o600


def test_path_prints_where_the_file_is(cli, place):
    assert cli("config", "path").out == f"{place / 'config.toml'}\n"
    assert cli("config", "path", "--json").json == {"path": str(place / "config.toml")}


def test_an_unknown_key_names_the_close_one(cli, place):
    for words in (("get", "ranking.limt"), ("set", "ranking.limt", "3"), ("unset", "ranking.limt")):
        refused = cli("config", *words)
        assert refused.status == 2
        assert "did you mean ranking.limit?" in refused.err
    written(place, "[ranking]\nlimt = 3\n")
    assert "did you mean ranking.limit?" in cli("stats").err
    assert cli("config", "unset", "ranking.limt").status == 0
    assert cli("config", "get").status == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[ranking]\nlimit = 'many'\n", "ranking.limit must be a whole number from 1 to 100, not 'many'"),
        ("[ranking]\nlimit = true\n", "not True"),
        ("[ranking]\nfloor = nan\n", "ranking.floor must be a number from 0 to 1, not nan"),
        ("[ranking]\nlimit = 0\n", "not 0"),
        ("home = 3\n", "home must be a folder, from / or ~ on, not 3"),
        ("home = 'memory'\n", "home must be a folder, from / or ~ on, not 'memory'"),
        ("home = '$HOME/memory'\n", "home must be a folder, from / or ~ on, not '$HOME/memory'"),
        ("ranking = 3\n", "there is no key 'ranking'"),
        ("[ranking]\nlimit = \n", "line 2"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_what_was_expected_and_where(cli, place, text, expected):
    written(place, text)
    refused = cli("stats")
    assert refused.status == 2
    assert expected in refused.err
    assert str(place / "config.toml") in refused.err
    assert not (place / "store").exists()


def test_a_value_that_does_not_fit_is_never_written(cli, place, monkeypatch):
    assert cli("config", "set", "ranking.limit", "many").status == 2
    assert cli("config", "set", "ranking.floor", "nan").status == 2
    assert cli("config", "set", "home", "$HOME/memory").status == 2
    assert not (place / "config.toml").exists()


def test_a_wrong_value_of_the_environment_names_the_variable_and_how_to_be_rid_of_it(cli, monkeypatch):
    monkeypatch.setenv("AFTERMIND_RANKING_LIMIT", "many")
    what, hint = cli("stats").err.splitlines()
    assert "not 'many' (the environment variable AFTERMIND_RANKING_LIMIT holds it)" in what
    assert "`unset AFTERMIND_RANKING_LIMIT`" in hint
    assert "config set" not in hint


def test_a_home_of_the_environment_is_no_variable_of_a_shell(cli, place, monkeypatch):
    monkeypatch.setenv("AFTERMIND_HOME", "$HOME/memory")
    refused = cli("remember", "a fact")
    assert refused.status == 2
    assert "not '$HOME/memory' (the environment variable AFTERMIND_HOME holds it)" in refused.err
    assert not list(place.glob("**/$HOME"))


def test_a_file_that_a_variable_of_a_shell_names_is_none(cli, place, monkeypatch):
    monkeypatch.setenv("AFTERMIND_CONFIG", "$HOME/config.toml")
    for words in (("remember", "a fact"), ("config", "set", "ranking.limit", "3")):
        refused = cli(*words)
        assert refused.status == 2
        assert "no shell has read the variable in '$HOME/config.toml', which AFTERMIND_CONFIG holds" in refused.err
    assert "no shell has read the variable" in cli("doctor").out
    assert not list(place.glob("**/$HOME"))
    assert not (place / "store" / "log.db").exists()


def test_a_home_that_does_not_fit_is_mended_by_the_command_that_is_named(cli, place, monkeypatch):
    monkeypatch.delenv("AFTERMIND_HOME")
    written(place, "home = 'memory'\n")
    assert "`aftermind config set home VALUE`" in cli("stats").err
    assert cli("config", "set", "home", "memory").status == 0
    assert cli("config", "get", "home").status == 0


def test_what_the_sidecar_may_spend_is_what_is_decided_by(cli, place):
    written(place, "[sidecar]\ncalls_per_day = 0\ntokens_per_day = 1000\ndollars_per_day = 2\n")
    assert policy_of(configuration()).spending == Spending(calls=0, tokens=1000, dollars=2.0)
    assert "a whole number from 1 to 4" in cli("config", "set", "sidecar.parallel", "5").err
    cli("config", "set", "sidecar.model", "ollama/llama3.2:3b")
    cli("config", "set", "sidecar.base_url", "http://127.0.0.1:11434")
    found = configuration().sidecar
    assert (found.model, found.base_url, found.api_key_env) == ("ollama/llama3.2:3b", "http://127.0.0.1:11434", "")


@pytest.mark.parametrize(
    ("key", "secret"),
    [("api_key_env", "sk-proj-9f8e7d6c5b4a"), ("base_url", "https://me:sk-proj-9f8e7d6c5b4a@judge.example/v1")],
)
def test_a_key_where_its_place_is_named_is_refused_and_not_repeated(cli, place, key, secret):
    refused = cli("config", "set", f"sidecar.{key}", secret)
    assert refused.status == 2
    assert "sk-proj" not in refused.err + refused.out
    assert not (place / "config.toml").exists()
    written(place, f"[sidecar]\n{key} = '{secret}'\n")
    refused = cli("config", "get")
    assert refused.status == 2
    assert "sk-proj" not in refused.err


@pytest.mark.parametrize("address", ["http://127.0.0.1:99999/v1", "http://[::1/v1", "http://127.0.0.1:http/v1"])
def test_an_address_that_is_none_is_refused(cli, place, address):
    refused = cli("config", "set", "sidecar.base_url", address)
    assert (refused.status, "must be an address" in refused.err) == (2, True)
    assert not (place / "config.toml").exists()


def test_unset_takes_one_value_and_never_a_whole_table(cli, place):
    written(place, "ranking.limit = 7\n[foo.bar]\nbaz = 1\n")
    assert cli("config", "unset", "ranking").status == 2
    assert cli("config", "unset", "foo.bar.baz").status == 0
    cli("config", "set", "ranking.floor", "0.2")
    assert cli("config", "get", "ranking.limit").out + cli("config", "get", "ranking.floor").out == "7\n0.2\n"


def test_set_refuses_a_file_with_a_value_where_a_table_belongs(cli, place):
    written(place, "ranking = 3\n")
    assert "config unset ranking" in cli("config", "set", "ranking.floor", "0.2").err
    assert (place / "config.toml").read_text() == "ranking = 3\n"
    cli("config", "unset", "ranking")
    assert cli("config", "set", "ranking.floor", "0.2").status == 0


def test_a_scorer_is_one_of_three(cli, place):
    assert "sidecar, assistant or cues, not 'me'" in cli("config", "set", "scoring", "me").err
    for scorer in ("cues", "sidecar", "assistant"):
        assert cli("config", "set", "scoring", scorer).status == 0
        assert cli("config", "get", "scoring").out == f"{scorer}\n"


def test_a_wait_of_nothing_is_refused(cli):
    assert "at least 0.01" in cli("config", "set", "daemon.idle_minutes", "0").err
