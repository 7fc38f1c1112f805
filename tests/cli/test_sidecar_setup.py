"""sidecar setup, test, key, disable: by the real command, a real terminal and the real litellm, against loopback."""

from __future__ import annotations

import json
import os
import signal
import tomllib

import pytest
from tests.cli.test_terminal import on_a_terminal
from tests.keyrings import a_keyring
from tests.model_servers import Hang, Refuse, Say, closed_port, model_server
from tests.sidecar.test_offers import OLLAMA

RIGHT = json.dumps(
    {
        "outcome": "failed",
        "evidence": "No, that is wrong: nothing answers on 8080.",
        "memories": [{"memory": "M1", "used": True, "effect": "misled"}],
        "learned": [],
        "summary": "Asked for the port of staging; the answer was wrong.",
    }
)
PRAISE = RIGHT.replace('"failed"', '"worked"')
SECRET = "sk-test-4f9d2c7b1a"


def ran(process, *words, **environment):
    """Exit code, output and errors of the real command."""
    stdin = environment.pop("stdin", b"")
    running = process(*words, **({"env": environment["env"]} if "env" in environment else {}))
    out, err = running.communicate(stdin, timeout=100)
    return running.returncode, out.decode(), err.decode()


def config(place):
    path = place / "config.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


@pytest.fixture
def ollama():
    with model_server(Say(RIGHT)) as server:
        server.listed = {"/api/tags": OLLAMA}
        yield server


def test_a_script_gets_the_recommended_model_tried_and_saved(process, place, ollama):
    status, out, err = ran(process, "sidecar", "setup", "--base-url", ollama.url, "--no-input", "--json")
    assert status == 0, err
    found = json.loads(out)
    assert (found["model"], found["outcome"], found["right"], found["local"], found["key"]) == (
        "ollama_chat/qwen3:8b",
        "failed",
        True,
        True,
        "none",
    )
    assert found["usage"]["tokens_in"] == 900
    assert config(place) == {
        "scoring": "sidecar",
        "sidecar": {"model": "ollama_chat/qwen3:8b", "base_url": ollama.url},
    }
    assert len(ollama.asked) == 1


def test_a_program_of_this_machine_is_reached_without_a_proxy_wherever_its_model_runs(process, env, ollama):
    proxy = f"http://127.0.0.1:{closed_port()}"
    env = {**env, "HTTP_PROXY": proxy, "http_proxy": proxy}
    words = ("--model", "ollama_chat/qwen3:8b-cloud", "--base-url", ollama.url, "--no-input")
    status, out, err = ran(process, "sidecar", "setup", *words, "--confirm", "ollama.com/qwen3:8b-cloud", env=env)
    assert (status, bool(ollama.asked)) == (0, True), out + err


@pytest.mark.parametrize(
    ("does", "words", "helps"),
    [
        (Say(PRAISE), "says worked of an exchange that plainly failed", "another model"),
        (Refuse(404, "model not found"), "has no model", "lists the models"),
    ],
)
def test_a_model_that_does_not_judge_is_not_saved(process, place, does, words, helps):
    with model_server(does) as server:
        url = f"{server.url}/v1"
        status, out, err = ran(process, "sidecar", "setup", "--model", "openai/x", "--base-url", url, "--no-input")
    assert (status, words in err, helps in err) == (5, True, True), out + err
    assert config(place) == {}


def test_a_place_elsewhere_is_asked_nothing_before_it_was_confirmed_by_its_name(process, place, cli):
    with model_server(Say(RIGHT)) as server:
        host = f"0.0.0.0:{server.port}"  # reaches this machine, and does not say so
        words = ("sidecar", "setup", "--model", "openai/judge", "--base-url", f"http://{host}/v1", "--no-input")
        status, _, err = ran(process, *words)
        assert (status, f"--confirm {host}/judge" in err) == (2, True)
        status, _, err = ran(process, *words, "--confirm", f"{host}/other")
        assert (status, f"what would be asked is {host}/judge" in err) == (2, True)
        assert (config(place), server.asked) == ({}, [])
        assert ran(process, *words, "--confirm", f"{host}/judge")[0] == 0
        assert config(place)["sidecar"]["confirmed"] == f"{host}/judge"
        cli("config", "unset", "sidecar.confirmed")
        refused = cli("sidecar", "test")
        assert (refused.status, f"config set sidecar.confirmed {host}/judge" in refused.err) == (2, True)
        assert len(server.asked) == 1


def test_what_an_ollama_hands_on_is_confirmed_by_the_place_it_goes_to(cli, place):
    with model_server(Say(RIGHT)) as server:
        server.listed = {"/api/tags": {"models": [{"name": "judge:latest", "remote_host": "https://ollama.com:443"}]}}
        words = ("--model", "openai/judge", "--base-url", f"{server.url}/v1", "--no-input")
        refused = cli("sidecar", "setup", *words)
        assert (refused.status, "--confirm ollama.com/judge" in refused.err) == (2, True), refused.err
        assert (config(place), server.asked) == ({}, [])


def test_a_person_picks_from_the_list_sees_the_verdict_and_agrees(process, place, ollama):
    status, sent = on_a_terminal(process, "sidecar", "setup", "--base-url", ollama.url, columns=200, types=b"\ny\n")
    assert status == 0, sent
    assert "qwen3:8b" in sent
    assert "recommended" in sent
    assert all(heading in sent for heading in ("NUMBER", "REMARK"))
    assert "nomic-embed-text" not in sent
    assert "not here: sent on to https://ollama.com:443" in sent
    assert "failed (as everybody would)" in sent
    assert "no money" in sent
    assert config(place)["sidecar"]["model"] == "ollama_chat/qwen3:8b"


def test_a_person_types_another_model_and_where_it_is(process, place, ollama):
    typed = f"openai/x\n{ollama.url}/v1/\ny\n".encode()
    words = ("sidecar", "setup", "--base-url", ollama.url)
    status, sent = on_a_terminal(process, *words, columns=200, types=typed)
    assert (status, "At which address?" in sent) == (0, True), sent
    assert config(place)["sidecar"] == {"model": "openai/x", "base_url": f"{ollama.url}/v1"}
    endings = ((b"99\nnone\n", 0, "There is no 99 in the list."), (b"openai/x\nnowhere\n", 2, "must be an address"))
    for typed, ends, why in endings:
        status, sent = on_a_terminal(process, *words, columns=200, types=typed)
        assert (status, why in sent) == (ends, True), sent


@pytest.mark.parametrize("types", [b"none\n", b"\nn\n"])
def test_a_no_leaves_everything_as_it_was(process, place, ollama, types):
    before = "# mine\n[ranking]\nlimit = 3\n"
    (place / "config.toml").write_text(before)
    status, sent = on_a_terminal(process, "sidecar", "setup", "--base-url", ollama.url, types=types)
    assert (status, "Nothing was changed" in sent) == (0, True)
    assert (place / "config.toml").read_text() == before


def test_where_no_model_is_a_person_is_told_what_to_do_and_enter_leaves_all_as_it_is(process, place):
    words = ("sidecar", "setup", "--base-url", "http://127.0.0.1:1")
    status, sent = on_a_terminal(process, *words, columns=200, types=b"\n")
    assert (status, "Nothing was changed" in sent) == (0, True), sent
    assert "start Ollama, LM Studio, llama.cpp or vLLM with a small instruct model, and try again" in sent
    assert "A number" not in sent


def test_ctrl_c_while_the_model_is_asked_leaves_everything_as_it_was(process, place):
    with model_server(Hang()) as server:
        words = ("sidecar", "setup", "--model", "openai/x", "--base-url", f"{server.url}/v1", "--no-input")
        running = process(*words, start_new_session=True)
        for _ in range(3000):
            if server.asked:
                break
            server.over.wait(0.02)
        assert server.asked
        os.killpg(running.pid, signal.SIGINT)
        running.communicate(timeout=30)
    assert running.returncode == 130
    assert config(place) == {}


def test_a_key_is_where_the_variable_says_and_nowhere_else(process, place, env):
    with model_server(Say(RIGHT)) as server:
        words = ("sidecar", "setup", "--model", "openai/x", "--base-url", f"{server.url}/v1", "--no-input")
        words = (*words, "--api-key-env", "JUDGE_KEY")
        refused = ran(process, *words, env=env)
        assert (refused[0], "JUDGE_KEY holds no key here" in refused[2]) == (5, True)
        assert "`export JUDGE_KEY=…` first" in refused[2]
        status, out, err = ran(process, *words, env={**env, "JUDGE_KEY": SECRET})
        assert status == 0, err
        assert server.keys == [f"Bearer {SECRET}"]
    assert config(place)["sidecar"]["api_key_env"] == "JUDGE_KEY"
    assert SECRET not in out + err + (place / "config.toml").read_text()


def test_a_key_in_the_keyring_is_asked_for_unseen_used_and_taken_out_again(process, place, env):
    rings, kept = a_keyring(place / "rings")
    env = {**env, **rings}
    with model_server(Say(RIGHT)) as server:
        words = ("sidecar", "setup", "--model", "openai/x", "--base-url", f"{server.url}/v1", "--keyring")
        status, sent = on_a_terminal(process, *words, columns=200, types=f"{SECRET}\ny\n".encode(), env=env)
        assert status == 0, sent
        host = f"127.0.0.1:{server.port}"
        assert json.loads(kept.read_text()) == {f"aftermind {host}": SECRET}
        tested, out, err = ran(process, "sidecar", "test", "--json", env=env)
        assert (tested, json.loads(out)["right"]) == (0, True), err
        assert server.keys == [f"Bearer {SECRET}"] * 2
        again = ran(process, "sidecar", "key", "set", stdin=b"sk-another-key\n", env=env)
        assert (again[0], json.loads(kept.read_text())) == (0, {f"aftermind {host}": "sk-another-key"})
        gone = ran(process, "sidecar", "disable", "--forget", env=env)
    assert (gone[0], json.loads(kept.read_text())) == (0, {})
    assert config(place) == {"scoring": "cues"}
    assert SECRET not in out + err + gone[1]


def test_disabled_the_model_stays_configured_and_rules_judge(cli, place):
    (place / "config.toml").write_text('[sidecar]\nmodel = "ollama_chat/qwen3:8b" # mine\n')
    said = cli("sidecar", "disable")
    assert "stays configured; `aftermind config set scoring sidecar`" in said.out
    assert config(place) == {"scoring": "cues", "sidecar": {"model": "ollama_chat/qwen3:8b"}}
    assert "# mine" in (place / "config.toml").read_text()


def test_what_cannot_be_asked_for_without_a_terminal_is_told(cli, place):
    refused = cli("sidecar", "setup")
    assert (refused.status, "--no-input` does not ask" in refused.err) == (2, True)
    for words in (("test",), ("key", "set")):
        assert "`aftermind sidecar setup` finds one" in cli("sidecar", *words).err
    wrong = cli("sidecar", "setup", "--model", "gpt-4o", "--no-input")
    assert "PROVIDER/MODEL, as litellm names it" in wrong.err
    assert "--model PROVIDER/gpt-4o: ollama_chat/gpt-4o" in wrong.err


def test_without_the_library_that_asks_models_the_command_that_installs_it_is_named(cli, place, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for words in (("setup", "--no-input"), ("test",)):
        refused = cli("sidecar", *words)
        assert (refused.status, "litellm, which asks models, is not installed" in refused.err) == (2, True)
        assert "pip install 'aftermind[sidecar]'" in refused.err


def test_a_system_without_a_keyring_is_told_with_what_does_as_well(process, place, env):
    (place / "config.toml").write_text('[sidecar]\nmodel = "openai/judge"\n')
    env = {**env, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    status, out, err = ran(process, "sidecar", "key", "set", stdin=b"sk-test-4f9d\n", env=env)
    assert (status, "the system's keyring cannot be used (NoKeyringError)" in err) == (5, True)
    assert "`aftermind config set sidecar.api_key_env NAME`" in err
    assert "sk-test" not in out + err
    assert config(place) == {"sidecar": {"model": "openai/judge"}}


# --- init and uninstall ---------------------------------------------------------------------------------------


def test_init_offers_the_model_of_this_machine_as_one_question_whose_default_is_no(process, place, home, env, ollama):
    (place / "config.toml").write_text(f'[sidecar]\nbase_url = "{ollama.url}"\n')
    env = {**env, "HOME": str(home), "PATH": "/nowhere"}
    asked = "Let qwen3:8b of Ollama, on this machine, judge it? [y/N]"
    status, sent = on_a_terminal(process, "init", "--cursor", columns=200, types=b"y\n\n", env=env)
    assert (status, asked in sent) == (0, True), sent
    assert "model" not in config(place)["sidecar"]
    status, sent = on_a_terminal(process, "init", "--cursor", columns=200, types=b"y\n", env=env)
    assert (status, asked in sent, "judges from now on" in sent) == (0, True, True), sent
    assert config(place)["sidecar"]["model"] == "ollama_chat/qwen3:8b"
    status, sent = on_a_terminal(process, "init", "--cursor", columns=200, env=env)
    assert (status, asked in sent) == (0, False), sent


def test_init_without_a_terminal_asks_no_model_unless_a_flag_says_so(cli, place, home):
    (place / "config.toml").write_text('[sidecar]\nbase_url = "http://127.0.0.1:9"\n')
    made = cli("init", "--cursor", "--no-input")
    assert (made.status, made.err) == (0, "")
    told = cli("init", "--cursor", "--no-input", "--sidecar", "--json")
    assert (told.status, told.json["store"]) == (0, str(place / "store"))
    assert "no model that could judge was found on this machine" in told.err
    assert config(place) == {"sidecar": {"base_url": "http://127.0.0.1:9"}}


def test_uninstalled_no_model_judges_and_its_key_is_gone(process, place, home, env):
    rings, kept = a_keyring(place / "rings")
    env = {**env, **rings, "HOME": str(home)}
    kept.write_text('{"aftermind judge.example": "sk-test", "aftermind other.example": "sk-mine"}')
    before = '[sidecar]\nmodel = "openai/judge"\nbase_url = "https://judge.example/v1"\napi_key_env = "keyring"\n'
    (place / "config.toml").write_text(f'scoring = "sidecar"\n{before}parallel = 2\n')
    assert ran(process, "uninstall", "--cursor", env=env)[0] == ran(process, "uninstall", "--dry-run", env=env)[0] == 0
    assert config(place)["sidecar"]["model"] == "openai/judge"
    status, out, err = ran(process, "uninstall", env=env)
    assert (status, "openai/judge is not configured to judge any more. Its key is out" in out) == (0, True), err
    assert config(place) == {"sidecar": {"parallel": 2}}
    assert json.loads(kept.read_text()) == {"aftermind other.example": "sk-mine"}


def test_another_stores_uninstall_leaves_the_judge_of_the_configured_one(cli, place, home, monkeypatch):
    judge = '[sidecar]\nmodel = "openai/judge"\nbase_url = "http://127.0.0.1:9/v1"\n'
    (place / "config.toml").write_text(judge)
    told = cli("uninstall", "--home", str(place / "other"), "--json")
    assert (told.status, told.json["judge_forgotten"]) == (0, "")
    assert (place / "config.toml").read_text() == judge
    told = cli("uninstall", "--home", str(place / "work" / ".." / "store"), "--json")
    assert (told.status, told.json["judge_forgotten"]) == (0, "openai/judge")
    assert "sidecar" not in config(place)


def test_a_key_that_may_still_be_in_the_keyring_is_not_told_as_gone(process, place, home, env):
    env = {**env, "HOME": str(home), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    for words, told in ((("sidecar", "disable", "--forget"), "key"), (("uninstall",), "judge_key")):
        (place / "config.toml").write_text('[sidecar]\nmodel = "openai/judge"\napi_key_env = "keyring"\n')
        status, out, err = ran(process, *words, env=env)
        assert (status, "could not be reached, so its key is still there" in out) == (0, True), out + err
        (place / "config.toml").write_text('[sidecar]\nmodel = "openai/judge"\napi_key_env = "JUDGE_KEY"\n')
        status, out, err = ran(process, *words, "--json", env=env)
        assert (status, json.loads(out)[told]) == (0, "none"), out + err
