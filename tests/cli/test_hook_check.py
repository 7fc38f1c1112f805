"""Wiring up a hook: what would become of an event is told, with the key or word that is wrong, and nothing recorded."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from tests.daemons import processes, wait_until
from tests.hooked import hooked, kept
from tests.hooks import RECORDED, moment, stdin

from aftermind.cli.doors import hook
from aftermind.cli.forms import AWAITED, CHECK, Moment, meant
from aftermind.cli.language.delivered import told
from aftermind.cli.language.requests import Deliver
from aftermind.cli.language.wire import NotUnderstood
from aftermind.engine import errors
from aftermind.engine.store import spool

SECRET = "hunter2-hunter2"


def test_a_hook_and_the_daemon_know_the_same_events():
    assert set(hook.ANSWERS) == {*AWAITED, CHECK}
    assert set(AWAITED) < set(get_args(Moment))
    assert hook.CHECK == CHECK


@pytest.mark.parametrize("name", hook.REFUSALS, ids=bytes.decode)
def test_what_a_hook_takes_for_a_refusal_is_the_name_of_an_error(name):
    form = getattr(errors, name.decode(), NotUnderstood)
    assert issubclass(form, errors.AftermindError)
    assert form.__name__ == name.decode()


def test_what_is_understood_is_told_and_nothing_is_recorded(cli, place):
    piped = json.dumps({"prompt": "Which port?", "answer": "8081", "session": "s1", "project": "shop"}).encode()
    ran = cli("hook", "--check", "turn", stdin=piped)
    assert ran.status == 0
    for line in ("session   s1", "project   shop", "prompt    11 characters", "answer    4 characters"):
        assert line in ran.out
    assert "Nothing was recorded" in ran.out
    assert cli("hook", "--check", "turn", "--json", stdin=piped).json["prompt"] == 11
    here = cli("hook", "--check", "prompt", stdin=b'{"prompt":"Which port?","session":"s1"}')
    assert f"folder    {place / 'work'}" in here.out
    assert cli("hook", "--check", "end", stdin=b'{"session":"s1"}').out.startswith("event     end\nsession   s1\n")
    assert not (place / "store").exists()


@pytest.mark.parametrize(
    ("event", "piped", "named", "hint"),
    [
        ("prompt", b'{"promt":"x","session":"s"}', "'promt'", "prompt"),
        ("turn", b'{"session_id":"s","hook_event_name":"Stop"}', "'session_id' (and 1 more)", "session"),
        ("turn", b'{"prompt":"x","session":"s","colour":1}', "'colour'", "the keys are: prompt, answer"),
        ("prompt", b'{"prompt":7,"session":"s"}', "$.prompt", "record --help"),
        ("prompt", b'{"prompt":" ","session":"s"}', "a prompt without a text", "prompt"),
        ("prompt", b'{"answer":"so","session":"s"}', "a prompt without a text", "prompt"),
        ("turn", b'{"prompt":"","session":"s"}', "a turn without prompt and answer", "answer"),
        ("turn", b'{"prompt":', "not JSON", "record --help"),
        ("prompt", b"x", "no JSON object", '`{"prompt": …, "session": …}`'),
        ("turn", b"x\n---\ny", "no JSON object", '`{"prompt": …, "answer": …, "session": …}`'),
        ("end", b"[]", "no JSON object", '`{"session": …}`'),
        ("end", b'{"session":" "}', "no session", "session"),
        ("end", b"{}", "no session", "session"),
        ("end", b"", "was empty", "record --help"),
        ("start", b'{"session":"s"}', "no event 'start'", "prompt, turn, checkpoint, end"),
        ("promt", b'{"session":"s"}', "no event 'promt'", "did you mean prompt?"),
    ],
)
def test_what_is_not_understood_is_told_with_what_is_wrong(cli, place, event, piped, named, hint):
    ran = cli("hook", "--check", event, stdin=piped)
    assert (ran.status, ran.out) == (2, "")
    what, how = ran.err.splitlines()
    assert named in what
    assert hint in how
    assert not (place / "store").exists()
    with pytest.raises(NotUnderstood):  # a hook is answered the same
        meant(Deliver(client="json", event=event, payload=piped))


@pytest.mark.parametrize(("client", "event"), RECORDED)
def test_every_clients_hooks_can_be_tried(cli, place, client, event):
    ran = cli("hook", "--client", client, "--check", moment(client, event), "--json", stdin=stdin(client, event))
    assert ran.status == 0
    assert ran.json["event"] == moment(client, event)
    session = ran.json.get("session", "").partition(".")[0]
    assert not session or session in stdin(client, event).decode()
    assert ran.json.get("client", client) == client
    assert not (place / "store").exists()


def test_what_is_no_json_of_a_client_was_sent_by_no_other_version(cli):
    ran = cli("hook", "--check", "prompt", "--client", "claude-code", stdin=b"{bad")
    assert ran.status == 2
    assert "restart" not in ran.err
    assert "what the client pipes into its hook" in ran.err


def test_a_form_nobody_has_is_told_with_the_nearest(cli, place):
    for more in ((), ("--check", "prompt")):
        ran = cli("hook", "--client", "claude", *more, stdin=b"{}")
        assert (ran.status, ran.out) == (2, "")
        assert "no client 'claude'" in ran.err
        assert "did you mean claude-code?" in ran.err
    assert not (place / "store").exists()
    assert cli("hook", "--client", "codex").out.endswith(" codex\n")


@pytest.mark.parametrize("words", [("prompt",), ("json", "turn")])
def test_who_wants_to_run_the_hook_by_this_command_is_told_how(cli, words):
    ran = cli("hook", *words)
    assert ran.status == 2
    assert f'eval "$(aftermind hook) {words[-1]}"' in ran.err


LOGGED = {
    b'{"promt":"%s","session":"s"}': "key promt",
    b'{"prompt":"x","session_id":"%s"}': "key session_id",
    b'{"%s":"x","promt":"y"}': f"key of {len(SECRET)} characters, key promt",
    b'{"prompt":"%s","session":7}': "the value of session",
    b'{"prompt":"%s","session":"s","at":"%s"}': "the value of at",
    b'{"session":"s","id":"%s"}': "no prompt, no answer",
    b'{"prompt":"%s"}': "no session",
    b"%s": "no JSON",
}


@pytest.mark.parametrize(("piped", "logged"), LOGGED.items(), ids=LOGGED.values())
def test_a_log_may_name_what_is_wrong_and_quotes_nobody(piped, logged):
    payload = piped.replace(b"%s", SECRET.encode())
    with pytest.raises(NotUnderstood) as error:
        meant(Deliver(client="json", event="turn", payload=payload))
    assert error.value.logged == logged


def test_a_word_is_named_only_where_it_is_nearly_one_of_ours():
    known = ("prompt", "turn", "end")
    assert [told(word, known) for word in ("prompt", "promt", "Prompt", "prompts")] == [
        *("prompt", "promt", "Prompt", "prompts")
    ]
    for word in (SECRET, "prompt" + SECRET, "prömpt", "prompt 7", "", "x" * 100_000, "turn\n"):
        assert told(word, known) == f"of {len(word)} characters"


def test_what_was_spooled_and_is_not_understood_is_named_in_the_log(store):
    hooked(store, "json", "turn", stdin=b'{"promt":"%s","session":"s"}' % SECRET.encode())
    hooked(store, "json", "trun", stdin=b'{"prompt":"%s","session":"s"}' % SECRET.encode())
    wait_until(lambda: len(spool.spooled(store).broken) == 2 and not kept(store), "they are set aside")
    log = store / "logs" / "daemon.log"
    wait_until(lambda: log.exists() and log.read_text().count("spooled-broken") == 2, "it is logged")
    assert {json.loads(line).get("why") for line in log.read_text().splitlines()} >= {"key promt", "event trun"}
    assert SECRET not in log.read_text()
    assert len(processes(store)) == 1
