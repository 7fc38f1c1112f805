"""The command as a process: its start, its help, its ends."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aftermind.cli.main import COMMANDS, Parser, add_common, command

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes are POSIX")


def test_help_loads_no_library(env):
    script = (
        "import sys\nfrom aftermind.cli.main import main\nassert main(['--help']) == 0\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & set(sys.argv[1:])), file=sys.stderr)"
    )
    heavy = ("anyio", "asyncio", "msgspec", "rich", "aiosqlite", "sqlite3", "platformdirs", "tomlkit", "shtab")
    ran = subprocess.run([sys.executable, "-c", script, *heavy], env=env, capture_output=True, check=True)
    assert ran.stderr.strip() == b"[]"
    for name, summary in COMMANDS:
        assert f"{name} " in ran.stdout.decode()
        assert summary in ran.stdout.decode()


@pytest.mark.parametrize("name", [name for name, _ in COMMANDS])
def test_every_command_has_help_with_the_common_options(cli, name):
    ran = cli(name, "--help")
    assert (ran.status, ran.err) == (0, "")
    for option in ("--home", "--json", "--traceback"):
        assert option in ran.out


def test_version_and_bare_help(cli):
    assert re.fullmatch(r"aftermind \d+\.\d+\.\d+\n", cli("--version").out)
    assert cli().out == cli("--help").out


def test_a_text_that_looks_like_an_option_comes_after_two_dashes(cli):
    assert cli("remember", "--", "--json is an option").out.startswith("Remembered")


def test_a_day_of_work_as_processes(process):
    def run(*words, stdin=b""):
        out, err = process(*words).communicate(stdin, timeout=30)
        return out.decode(), err.decode()

    said, err = run("record", "--session", "s1", stdin="wie geht das?\n---\nso: \u2192".encode())
    assert (err, "born" in said) == ("", True)
    id = re.search(r"memory (m\w+)", said)[1]
    assert "1 memory scored" in run("score", "worked", "--session", "s1")[0]
    assert "so: \u2192" in run("show", id)[0]
    assert "every link holds" in run("verify")[0]


@posix
def test_follow_shows_what_another_process_appends_and_ends_quietly(cli, process):
    cli("remember", "the first thing")
    with process("log", "-f") as following:
        try:
            assert b"project-seen" in following.stdout.readline()
            assert b"the first thing" in following.stdout.readline()
            assert cli("remember", "the second thing").status == 0
            assert b"the second thing" in following.stdout.readline()
            following.send_signal(signal.SIGINT)
            assert following.wait(timeout=10) in (0, 130)
            assert following.stderr.read() == b""
        finally:
            following.kill()


@posix
def test_ctrl_c_ends_a_command_that_waits_for_its_input(process):
    with process("remember", "-") as waiting:
        try:
            time.sleep(1.0)
            waiting.send_signal(signal.SIGINT)
            assert waiting.wait(timeout=10) == 130
            assert waiting.stderr.read() == b"aftermind: remember was interrupted before it was done; run it again\n"
        finally:
            waiting.kill()


def test_a_repositorys_own_modules_are_not_taken_for_the_librarys(process, env, place):
    for name in ("json.py", "anyio.py", "logging.py", "cli/__init__.py", "engine/__init__.py"):
        file = place / "work" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("raise SystemExit(99)")
    running = process("remember", "Staging is down", "--json", env={**env, "PYTHONPATH": "."}, cwd=place / "work")
    out, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (0, b"")
    assert b"Staging is down" in out


@posix
def test_a_closed_pipe_leaves_no_traceback(cli, process):
    for number in range(3):
        cli("remember", f"thing {number} {'x' * 100_000}")  # more than a pipe holds, each
    with process("log", "--json") as printing:
        printing.stdout.readline()
        printing.stdout.close()
        assert printing.stderr.read() == b""
        assert printing.wait(timeout=10) == 141


def test_output_that_cannot_hold_a_letter_escapes_it(process, env):
    running = process("remember", "caf\u00e9", "--json", env={**env, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    out, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (0, b"")
    assert b"caf\\xe9" in out or b"caf\\u00e9" in out


@posix
def test_a_closed_stdout_is_no_reason_to_fail(cli, env):
    command = f'exec "{sys.executable}" -m aftermind remember "said into nothing" >&-'
    assert subprocess.run(["sh", "-c", command], env=env, capture_output=True, check=True).stderr == b""
    assert cli("search", "said nothing", "--global", "--json").status == 0


def test_a_removed_folder_is_no_project(cli, place, monkeypatch):
    (place / "work" / "gone").mkdir()
    monkeypatch.chdir(place / "work" / "gone")
    (place / "work" / "gone").rmdir()
    refused = cli("search", "x")
    assert (refused.status, "--project" in refused.err) == (2, True)


@pytest.mark.parametrize("columns", ["20", "40"])
def test_help_is_printed_at_any_width(cli, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    for name, _ in COMMANDS:
        assert cli(name, "--help").status == 0


WORDS = """
ACT ACTION ADDRESS BACKUP BOOK CLIENT COMMAND EVENT EXCHANGE FILE FOLDER FORMAT GROUP HOST HOST/MODEL ID ID[=OUTCOME]
ITEM KEY KIND MOMENT N NAME NAME=FOLDER OTHER OUTCOME PATH PATH|PROGRAM PATTERN POSITION PROJECT PROMPT PROVIDER/MODEL
REF REGEX RELATION SESSION SHELL STATE STREAM TAG TEXT TIME TOKENS TYPE UNIT URL VALUE VIEW WHAT WHEN WORD WORDS
model|rules set|remove
"""
PLACEHOLDERS = {*WORDS.split(), "ID | BACKUP", "TEXT | ID"}
"""What stands for a value in every help: TIME is a stretch of it, WHEN a date, MOMENT that or a position in the log."""
OF_OPTION = {
    "--project": "PROJECT",
    "--session": "SESSION",
    "--client": "CLIENT",
    "--type": "TYPE",
    "--stream": "STREAM",
    "session": "SESSION",
    "project": "PROJECT",
    "--limit": "N",
}


def _placeholders(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Each option, or argument, that takes a value, with what stands for that; a list of choices stands for itself."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _placeholders(inner)
        if action.nargs != 0 and (action.metavar or not action.choices):
            yield (action.option_strings or [action.dest])[-1], str(action.metavar)


@pytest.mark.parametrize("name", [name for name, _ in COMMANDS])
def test_one_word_stands_for_one_kind_of_value_in_every_help(name):
    parser = Parser(prog=name)
    command(name).configure(parser)
    add_common(parser)
    for option, word in _placeholders(parser):
        assert word in PLACEHOLDERS, f"{name} {option} {word}"
        assert word == OF_OPTION.get(option, word), f"{name} {option} {word}"


@posix
@pytest.mark.parametrize("words", [("remember", "-"), ("record",)])
def test_standard_input_that_is_closed_is_an_empty_one(process, words):
    running = process(*words, stdin=None, preexec_fn=lambda: os.close(0))
    _, err = running.communicate(timeout=60)
    assert (running.returncode, b"unexpected" in err) == (2, False), err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is always full here")
@pytest.mark.parametrize("words", [("search",), ("log",), ("--help",), ("stats", "--json")])
def test_standard_output_that_takes_nothing_is_told_in_one_sentence(cli, process, words):
    assert cli("remember", "xylophone").status == 0
    with Path("/dev/full").open("wb") as full:
        running = process(*words, stdout=full)
        _, err = running.communicate(timeout=60)
    told = err.decode().splitlines()
    assert running.returncode == 5, told
    assert "No space left on device" in err.decode()
    assert len(told) == (1 if "--json" in words else 2)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is always full here")
def test_so_it_is_where_nothing_is_gathered_before_it_is_printed(cli, process, env):
    assert cli("remember", "xylophone").status == 0
    with Path("/dev/full").open("wb") as full:
        running = process("search", stdout=full, env={**env, "PYTHONUNBUFFERED": "1"})
        _, err = running.communicate(timeout=60)
    assert (running.returncode, b"no space left to write standard output" in err) == (5, True), err
