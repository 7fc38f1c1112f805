"""init under what may happen to it: killed at any instant, run many at once, a file that changes meanwhile, a person at
the terminal, an old history."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from tests.configs import FLAGS, everything, golden, holds, placed, states

from aftermind.cli.clients import installing
from aftermind.cli.clients.catalog import ALL
from aftermind.cli.clients.client import setting
from aftermind.cli.main import main

REPLACE = Path.replace


def one_of_each(home: Path) -> dict[str, tuple[int, bytes | str]]:
    """Configurations of every kind, as they are before."""
    for config in golden():
        placed(config, home)
    return dict(everything(home))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_killed_at_any_write_every_file_is_whole_and_uninstall_undoes_it(cli, home, place):
    before = one_of_each(home)
    assert cli("init", "--no-input", *FLAGS).status == 0
    after = everything(home)
    assert cli("uninstall").status == 0
    at = 0
    while True:
        at += 7
        pid = os.fork()
        if pid == 0:
            killed_at(at)
        ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        for name, now in everything(home).items():
            if ".aftermind-" not in name:  # what is written beside is not the file yet
                assert now in (before.get(name), after.get(name)), f"{name}, killed at write {at}"
        assert cli("uninstall").status == 0
        assert everything(home) == before, f"killed at write {at}"
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert at > 40


def killed_at(at: int) -> None:
    """In a child: init, until the disk is asked for the `at`-th time to keep something."""
    count, sync = 0, os.fsync

    def fsync(descriptor: int) -> None:
        nonlocal count
        count += 1
        if count == at:
            os.kill(os.getpid(), signal.SIGKILL)
        sync(descriptor)

    os.fsync = fsync
    sys.stdin = Path(os.devnull).open()  # noqa: SIM115 - until the end
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - until the end
    os._exit(main(["init", "--no-input", *FLAGS, "--json"]))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_full_disk_is_told_and_nothing_half_written_is_left(cli, home, place, process, env):
    before = one_of_each(home)
    for words in (("remember", "xylophone"), ("hook",)):  # the second time what clients run is there already
        assert cli(*words).status == 0
        _told_full(process, dict(env, HOME=str(home), PATH="/nowhere"))
        assert everything(home) == before
    assert [path.name for path in (place / "store").rglob("*") if path.suffix == ".new"] == []


def _told_full(process, env) -> None:
    import resource

    full = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    running = process("init", *FLAGS, "--no-input", env=env, preexec_fn=full)
    _, err = running.communicate(timeout=100)
    assert (running.returncode, b"no file of this process may have more than 0 bytes" in err) == (5, True), err


def test_many_at_once_do_what_one_does(cli, home, place, process, env):
    before = one_of_each(home)
    alone = dict(env, HOME=str(home), PATH="/nowhere")
    running = [process("init", *FLAGS, "--no-input", env=alone) for _ in range(3)]
    for one in running:
        _, err = one.communicate(timeout=100)
        assert (one.returncode, err) == (0, b"")
    once = everything(home)
    assert set(states(cli("init", "--no-input", *FLAGS, "--json")).values()) == {"as it is"}
    assert everything(home) == once
    assert cli("uninstall").status == 0
    assert everything(home) == before


def test_a_file_that_changed_since_it_was_looked_at_is_looked_at_again(cli, home, place):
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text("{}")
    store = place / "store"
    store.mkdir(mode=0o700)
    (client,) = [client for client in ALL if client.name == "cursor"]
    where = setting(store)
    steps = installing.installation(client, where)
    path.write_text('{"mine": 1}')
    for step in steps:
        installing.install(step, client, where)
    assert json.loads(path.read_bytes())["mine"] == 1
    assert holds(path)
    steps = installing.removal(client, where)
    path.write_text(path.read_text().replace('"mine": 1', '"mine": 2'))
    for step in steps:
        installing.uninstall(step, client, where)
    assert json.loads(path.read_bytes()) == {"mine": 2}


def test_entries_that_somebody_took_out_since_they_were_found_are_no_reason_to_fail(cli, home, place):
    path = home / ".cursor" / "mcp.json"
    assert cli("init", "--no-input", "--cursor").status == 0
    (place / "store" / "clients.json").unlink()
    (client,) = [client for client in ALL if client.name == "cursor"]
    where = setting(place / "store")
    steps = installing.removal(client, where)
    path.write_text('{"mine": 1}')
    assert {"as it is"} == {
        installing.uninstall(step, client, where).state for step in steps if step.there.path == path
    }
    assert json.loads(path.read_bytes()) == {"mine": 1}


def test_what_was_done_before_the_disk_was_full_is_told(cli, home, monkeypatch):
    hooks, server = home / ".codex" / "hooks.json", home / ".codex" / "config.toml"
    server.parent.mkdir()
    server.write_text("a = 1\n")
    with_room(monkeypatch, but_for=server)
    ran = cli("init", "--no-input", "--codex")
    assert (ran.status, "~/.codex/hooks.json (hooks)  created" in ran.out) == (1, True), ran.out
    assert f"{server}: it cannot be written: No space left on device" in ran.err
    assert ("Nothing was set up" in ran.out, "`aftermind uninstall` undoes it" in ran.out) == (False, True)
    assert (holds(hooks), server.read_text()) == (True, "a = 1\n")
    with monkeypatch.context() as roomy:
        roomy.setattr(Path, "replace", REPLACE)
        assert cli("init", "--no-input", "--codex").status == 0
    ran = cli("uninstall", "--json")
    assert (ran.status, list(ran.json["refused"])) == (1, ["codex"])
    assert [file["file"]["path"] for file in ran.json["files"]] == [str(hooks)]
    assert (hooks.exists(), holds(server)) == (False, True)


def with_room(monkeypatch: pytest.MonkeyPatch, *, but_for: Path) -> None:
    """A disk on which one file cannot be replaced."""

    def full(half: Path, target: Path) -> Path:
        if target == but_for:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return REPLACE(half, target)

    monkeypatch.setattr(Path, "replace", full)


def test_the_history_of_the_last_thirty_days_is_imported_once(cli, home, place):
    from datetime import UTC, datetime, timedelta

    folder = home / ".claude" / "projects" / "-work-shop"
    folder.mkdir(parents=True)
    lines = []
    for days, prompt in ((40, "an old question"), (3, "a new question")):
        at = (datetime.now(UTC) - timedelta(days=days)).isoformat()
        facts = {"sessionId": f"s{days}", "timestamp": at, "cwd": str(place / "work")}
        asked = {"type": "user", "uuid": f"u{days}", "message": {"role": "user", "content": prompt}}
        said = {"type": "assistant", "uuid": f"a{days}", "message": {"role": "assistant", "content": "42"}}
        lines += [json.dumps({**one, **facts}) for one in (asked, said)]
    (folder / "one.jsonl").write_text("\n".join(lines))
    told = cli("init", "--claude-code", "--no-input")
    assert f"aftermind import {folder.parent} --days 30" in told.out
    assert not (place / "store" / "log.db").exists()
    report = cli("init", "--no-input", "--claude-code", "--history", "--json").json["history"][0]["imported"]
    assert (report["found"], report["new"]) == (1, 1)
    again = cli("init", "--no-input", "--claude-code", "--history", "--json").json["history"][0]["imported"]
    assert (again["found"], again["new"], again["repeated"]) == (1, 0, 1)
    assert "a new question" in cli("search", "question").out
    assert "an old question" not in cli("search", "question").out


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_at_a_terminal_it_shows_what_it_would_do_and_asks(home, place, process, env):
    (home / ".cursor").mkdir()
    before = everything(home)
    for answer, done in ((b"\n", False), (b"y\n", True)):
        master, slave = os.openpty()
        alone = dict(env, HOME=str(home), PATH="/nowhere")
        with process("init", stdin=slave, env=alone, stdout=subprocess.DEVNULL) as asking:
            os.close(slave)
            os.write(master, answer)
            _, err = asking.communicate(timeout=100)
            os.close(master)
        assert b"~/.cursor/mcp.json (MCP server)  would be created" in err
        assert b"Make these changes? [y/N]" in err
        assert asking.returncode == 0
        assert (everything(home) != before) == done
