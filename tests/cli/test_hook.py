"""The hook with a daemon, and without one: what is known is shown, what is said is kept, and it is kept once."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.daemons import daemon, none_left, processes, wait_until
from tests.hooked import HOOK, clean, hooked, said

import aftermind
from aftermind.cli.doors import copied
from aftermind.cli.language import wire
from aftermind.engine.events import ContextInjected, ExchangeRecorded, PromptReceived, SessionEnded
from aftermind.engine.names import GLOBAL
from aftermind.engine.store import spool

ADVICE = "To deploy the billing service run make release-billing"
SOON = "30"
"""Seconds: for what must not fail because the machine is busy."""


def asked(folder: Path, work: Callable[[aftermind.OpenMemory], Any]) -> Any:
    """What a store answers, whoever holds it."""

    async def run() -> Any:
        async with aftermind.open_memory(folder, patience=20) as memory:
            return await work(memory)

    return anyio.run(run)


def remember(folder: Path, text: str = ADVICE, **more: Any) -> str:
    return str(asked(folder, lambda memory: memory.remember(text, **more)))


def events(folder: Path, form: type) -> list[Any]:
    found = asked(folder, lambda memory: memory.events(limit=10_000))
    return [one.draft.event for one in found if isinstance(one.draft.event, form)]


def nothing_waits(folder: Path) -> bool:
    return not spool.spooled(folder).waiting


# --- with a daemon --------------------------------------------------------------------------------------------


def test_a_prompt_is_answered_with_what_is_known(store):
    remember(store)
    with daemon(store):
        shown = hooked(store, "json", "prompt", SOON, stdin=said())
        assert ADVICE in shown.out.decode()
        assert hooked(store, "json", "prompt", SOON, stdin=said("how do penguins fly?")).out == b""
        (injected,) = events(store, ContextInjected)
        assert injected.query == "how do I deploy the billing service?"
        assert len(events(store, PromptReceived)) == 2
    assert nothing_waits(store)


def test_a_turn_and_an_end_are_recorded_and_answered_with_nothing(store):
    with daemon(store):
        assert hooked(store, "json", "turn", SOON, stdin=said(answer="so", id="1")).out == b""
        assert hooked(store, "json", "turn", SOON, stdin=said(answer="so", id="1")).out == b""
        assert hooked(store, "json", "end", SOON, stdin=b'{"session":"s"}').out == b""
        (exchange,) = events(store, ExchangeRecorded)
        assert (exchange.answer, exchange.client) == ("so", "json")
        assert len(events(store, SessionEnded)) == 1
    assert nothing_waits(store)


TEXTS = (
    'a "quoted" \\ back\\slash billing service',
    "billing service\nin lines\n\tand tabs",
    "billing service 漢字 👩‍💻 שלום",
    'billing service "text":"" and {"reply":"failed"}',
    "billing service \x1b[31m\x00\x7f",
    "billing service " + "and so on, " * 300,
)


def test_what_is_shown_is_what_the_store_says(store, place):
    works = {place / f"work {number}": text for number, text in enumerate(TEXTS)}
    for work, text in works.items():
        work.mkdir()
        remember(store, text, project=work)
    asking = "what of the billing service?"
    with daemon(store):
        for number, work in enumerate(works):
            shown = hooked(store, "json", "prompt", SOON, stdin=said(asking, session=f"s{number}"), cwd=work)
            context = asked(store, lambda memory, at=work: memory.context(asking, session=f"t{at}", project=at))
            assert shown.out.decode() == context.text + "\n" != "\n"
            assert len(context.memories) == 1


def test_what_is_shown_belongs_to_the_folder_the_client_works_in(store, place):
    other = place / "other"
    other.mkdir()
    remember(store, project=place / "work")
    with daemon(store):
        assert ADVICE in hooked(store, "json", "prompt", SOON, stdin=said(), cwd=place / "work").out.decode()
        assert hooked(store, "json", "prompt", SOON, stdin=said(), cwd=other).out == b""
        hooked(store, "json", "turn", SOON, stdin=said(project="elsewhere"), cwd=other)
        assert set(asked(store, lambda memory: memory.stats()).projects.values()) == {"work", "other", "elsewhere"}


NAMES = (b"caf\xe9", b'quo"ted', b"back\\slash", b"new\nline", "漢字".encode(), b"per%20cent")


@pytest.mark.parametrize("resident", [True, False])
def test_a_folder_is_itself_whatever_its_name(store, place, resident):
    works = [Path(os.fsdecode(os.fsencode(place) + b"/" + name)) for name in NAMES]
    for work in works:
        work.mkdir()
        remember(store, project=work)
    with daemon(store) if resident else nullcontext():
        for number, work in enumerate(works):
            hooked(
                store, "json", "turn", *[SOON] * resident, stdin=said(f"how is {number}?", session=str(work)), cwd=work
            )
        wait_until(lambda: nothing_waits(store), "it is drained")
    scopes = {exchange.prompt: exchange.scope for exchange in events(store, ExchangeRecorded)}
    assert len(scopes) == len(set(scopes.values())) == len(NAMES)
    for number, work in enumerate(works):
        known = asked(store, lambda memory, at=work: memory.latest(project=at))[0].scope
        assert scopes[f"how is {number}?"] == known != GLOBAL


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
def test_a_folder_that_was_removed_is_still_the_folder_it_was(store, place):
    work = place / "gone"
    work.mkdir()
    remember(store, project=work)
    with daemon(store):
        script = f"cd {work} && rmdir {work} && exec {sys.executable} -I -S {HOOK} --home {store} json turn {SOON}"
        ran = subprocess.run(["sh", "-c", script], input=said(), capture_output=True, env=clean(), check=False)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
        (exchange,) = events(store, ExchangeRecorded)
        assert exchange.scope != GLOBAL
        assert len(asked(store, lambda memory: memory.stats()).projects) == 1


@pytest.mark.parametrize("resident", [True, False])
def test_ten_megabytes_are_kept_whole(store, resident):
    prompt = "zebra 漢字 " * 800_000
    payload = said(prompt, "so")
    assert len(payload) > 10_000_000
    if resident:
        with daemon(store):
            hooked(store, "json", "turn", SOON, stdin=payload)
    else:
        hooked(store, "json", "turn", SOON, stdin=payload)
        wait_until(lambda: nothing_waits(store), "it is drained")
    assert spool.spooled(store).broken == ()
    (kept,) = asked(store, lambda memory: memory.latest(project="."))
    assert (kept.text, kept.answer) == (prompt, "so")


def test_half_a_surrogate_pair_as_javascript_writes_it_costs_nothing_else(store):
    with daemon(store):
        hooked(store, "json", "turn", SOON, stdin=b'{"prompt":"cut \\ud83d","answer":"so \\ude00 on","session":"s"}')
        (exchange,) = events(store, ExchangeRecorded)
        assert (exchange.prompt, exchange.answer) == ("cut \ufffd", "so \ufffd on")


def test_a_program_that_holds_the_store_answers_as_a_daemon_does(store):
    async def hold() -> None:
        async with aftermind.open_memory(store) as memory:
            await memory.remember(ADVICE)
            shown = await anyio.to_thread.run_sync(lambda: hooked(store, "json", "prompt", SOON, stdin=said()))
            assert ADVICE in shown.out.decode()
            await anyio.to_thread.run_sync(lambda: hooked(store, "json", "turn", SOON, stdin=said()))
            assert (await memory.stats()).collections["working"] == 1

    anyio.run(hold)
    assert processes(store) == []


def test_without_sockets_that_are_files_it_finds_the_port(store, monkeypatch):
    monkeypatch.setattr(wire, "UNIX", False)
    test_a_program_that_holds_the_store_answers_as_a_daemon_does(store)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no way to name such a socket")
def test_a_store_may_be_deeper_than_a_sockets_name_is_long(place):
    folder = place.joinpath(*["deeper" * 8] * 8, "store")
    folder.mkdir(parents=True)
    with none_left(folder):
        remember(folder)
        with daemon(folder):
            assert ADVICE in hooked(folder, "json", "prompt", SOON, stdin=said()).out.decode()


def test_a_copy_in_a_store_belongs_to_it(store, place):
    remember(store)
    copied(store)
    with daemon(store):
        own = {"hook": store / "bin" / "hook.py", "cwd": place / "work"}
        assert ADVICE in hooked(None, "json", "prompt", SOON, stdin=said(), **own).out.decode()
        named = {"AFTERMIND_HOME": str(place / "another")}
        assert hooked(None, "json", "prompt", "1", stdin=said(), env=named, **own).out == b""
    with none_left(place / "another"):
        pass


# --- without one ----------------------------------------------------------------------------------------------


def test_a_turn_is_spooled_and_a_daemon_started_that_drains_it(store):
    assert hooked(store, "json", "turn", stdin=said(answer="so")).out == b""
    wait_until(lambda: bool(processes(store)), "a daemon is started")
    wait_until(lambda: nothing_waits(store), "it drains")
    (exchange,) = events(store, ExchangeRecorded)
    assert exchange.answer == "so"
    assert spool.spooled(store).broken == ()
    assert len(processes(store)) == 1


def test_an_end_is_spooled_too(store):
    asked(store, lambda memory: memory.record("how?", "so", session="s"))
    hooked(store, "json", "end", stdin=b'{"session":"s"}')
    wait_until(lambda: nothing_waits(store), "it is drained")
    assert len(events(store, SessionEnded)) == 1


def test_a_prompt_starts_a_daemon_and_gets_its_answer(store):
    remember(store)
    assert ADVICE in hooked(store, "json", "prompt", SOON, stdin=said()).out.decode()
    assert len(processes(store)) == 1
    assert len(events(store, PromptReceived)) == 1
    assert nothing_waits(store)


def test_of_many_hooks_at_once_nothing_is_lost_and_one_daemon_is_left(store):
    """In a store that is made for them."""
    store.rmdir()
    words = [sys.executable, "-I", "-S", str(HOOK), "--home", str(store), "json"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    hooks = []
    for number in range(12):
        event = "prompt" if number % 3 == 0 else "turn"
        hook = subprocess.Popen([*words, event, SOON], env=clean(), **pipes)
        hook.stdin.write(said(f"how is {number}?", "so"))
        hook.stdin.close()
        hooks.append(hook)
    for hook in hooks:
        assert (hook.stdout.read(), hook.stderr.read(), hook.wait(60)) == (b"", b"", 0)
        hook.stdout.close()
        hook.stderr.close()
    wait_until(lambda: nothing_waits(store), "the spool is empty")
    assert {one.prompt for one in events(store, ExchangeRecorded)} == {f"how is {n}?" for n in range(12) if n % 3}
    assert len(events(store, PromptReceived)) == 4
    wait_until(lambda: len(processes(store)) == 1, "one is left")


def test_a_prompt_nobody_answers_was_said_all_the_same_and_shown_nothing(store, bare_python):
    remember(store)
    hooked(store, "json", "prompt", "1", stdin=said(), python=bare_python)
    assert len(spool.spooled(store).waiting) == 1
    (prompt,) = events(store, PromptReceived)
    assert prompt.text == "how do I deploy the billing service?"
    assert events(store, ContextInjected) == []
    assert nothing_waits(store)


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory) -> str:
    """An interpreter that has none of our package."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, symlinks=True)
    return str(folder / "bin" / "python")


@pytest.mark.parametrize("event", ["prompt", "turn", "end"])
def test_when_the_package_is_gone_it_gives_up_at_once_and_what_was_said_waits(store, event, bare_python):
    hooked(store, "json", event, "600", stdin=said(), python=bare_python)
    assert len(spool.spooled(store).waiting) == 1
    wait_until(lambda: "aftermind" in (store / "logs" / "daemon.out").read_text(), "what is missing is told")
    remember(store)
    wait_until(lambda: nothing_waits(store), "it goes in when the package is back")


def test_a_key_tells_when_it_was_said(store, bare_python):
    before = asked(store, lambda memory: memory.state()).since
    hooked(store, "json", "turn", stdin=said(), python=bare_python)
    (file,) = spool.spooled(store).waiting
    call = wire.call_of(file.read_bytes())
    assert call.key == file.stem
    (exchange,) = (
        one.draft
        for one in asked(store, lambda memory: memory.events())
        if isinstance(one.draft.event, ExchangeRecorded)
    )
    assert before < exchange.at <= exchange.noted


# --- by two roads ---------------------------------------------------------------------------------------------


@contextmanager
def busy(folder: Path) -> Iterator[sqlite3.Connection]:
    """A log that nobody can open for writing: who tries waits, and so does who asks them."""
    with closing(sqlite3.connect(folder / "log.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield connection


def test_a_turn_that_came_through_the_socket_and_the_spool_is_recorded_once(store):
    remember(store)
    with busy(store) as connection, daemon(store):
        hooked(store, "json", "turn", "1", stdin=said(answer="so"))  # asked, and not answered in time
        assert len(spool.spooled(store).waiting) == 1
        connection.execute("ROLLBACK")
        wait_until(lambda: nothing_waits(store), "it is drained")
        assert len(events(store, ExchangeRecorded)) == 1
        assert spool.spooled(store).broken == ()


def test_a_prompt_that_was_not_answered_in_time_was_not_shown(store):
    remember(store)
    with busy(store) as connection, daemon(store):
        assert hooked(store, "json", "prompt", "1", stdin=said()).out == b""
        connection.execute("ROLLBACK")
        assert asked(store, lambda memory: memory.stats()).events > 0
        assert events(store, ContextInjected) == []
        assert ADVICE in hooked(store, "json", "prompt", SOON, stdin=said()).out.decode()


def test_a_daemon_killed_in_the_middle_loses_nothing(store):
    remember(store)
    with busy(store) as connection:
        with daemon(store) as resident:
            words = [sys.executable, "-I", "-S", str(HOOK), "--home", str(store), "json", "turn", SOON]
            pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
            with subprocess.Popen(words, env=clean(), **pipes) as hook:
                hook.stdin.write(said(answer="so"))
                hook.stdin.close()
                wait_until(lambda: connected_to(store, hook.pid), "it has asked")
                resident.kill()
                resident.wait()
                assert (hook.stdout.read(), hook.stderr.read(), hook.wait(60)) == (b"", b"", 0)
        assert len(spool.spooled(store).waiting) == 1
        connection.execute("ROLLBACK")
    wait_until(lambda: nothing_waits(store), "another one drains it")
    (exchange,) = events(store, ExchangeRecorded)
    assert exchange.answer == "so"


def connected_to(folder: Path, pid: int) -> bool:
    """Whether a process has a socket open, and waits there."""
    try:
        links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
        waits = Path(f"/proc/{pid}/wchan").read_text(encoding="ascii")
    except OSError:
        return False
    return any(link.startswith("socket:") for link in links) and bool(waits)


def test_what_a_daemon_cannot_keep_now_is_kept_for_later(store):
    """A log that cannot be trusted, until its backup is put back."""
    remember(store)
    whole = (store / "log.db").read_bytes()
    (store / "log.db").write_bytes(b"no log " * 5000)
    for _ in range(2):
        hooked(store, "json", "turn", SOON, stdin=said(answer="so"))
    assert len(spool.spooled(store).waiting) == 2
    wait_until(lambda: not processes(store), "no daemon can open it")
    (store / "log.db").write_bytes(whole)
    assert len(events(store, ExchangeRecorded)) == 2


def test_what_will_never_be_understood_is_not_kept(store):
    with daemon(store):
        hooked(store, "json", "turn", SOON, stdin=b"garbage")
        hooked(store, "json", "dream", SOON, stdin=said())
        assert nothing_waits(store)
        assert json.loads(said())["session"] == "s"
    assert spool.spooled(store).broken == ()


def test_a_daemon_keeps_nothing_open_that_is_its_clients(store):
    reading, writing = os.pipe()
    with none_left(store):
        hook = [sys.executable, "-I", "-S", str(HOOK), "--home", str(store), "json", "turn"]
        said = b'{"prompt": "which port?", "answer": "8081", "session": "s1"}'
        subprocess.run(hook, input=said, pass_fds=[writing], check=True)
        os.close(writing)
        wait_until(lambda: processes(store), "the daemon runs")
        with os.fdopen(reading, "rb") as pipe:
            assert pipe.read() == b"", "nobody holds its other end"
