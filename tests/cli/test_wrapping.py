"""Sentences at a terminal: broken between words, and nothing that is copied is cut in two."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.cli.test_terminal import on_a_terminal

from aftermind.cli.terminal.wrapping import width, wrapped

WORDS = st.lists(st.sampled_from(["a", "word", "`aftermind show m1`", "/a/path/as/long/as/this/one", "部署", "end."]))


def test_a_command_in_backticks_and_a_path_stay_whole():
    line = "  → see `aftermind model use static --wait`, or /home/ada/.local/share/aftermind/log.db (it is there)"
    assert wrapped(line, 44) == [
        "  → see `aftermind model use static --wait`,",
        "    or",
        "    /home/ada/.local/share/aftermind/log.db",
        "    (it is there)",
    ]
    assert wrapped("It is in /home/ada/.local/share/aftermind/log.db now", 30) == [
        "It is in",
        "/home/ada/.local/share/aftermind/log.db",
        "now",
    ]


def test_what_fits_stays_as_it_is():
    assert wrapped("process   4711,  daemon", 23) == ["process   4711,  daemon"]
    assert wrapped("", 80) == [""]


@given(WORDS, st.integers(20, 60))
def test_nothing_is_lost_and_only_one_piece_alone_is_wider(words, columns):
    line = " ".join(words)
    lines = wrapped(line, columns)
    assert " ".join(lines) == line
    assert all(width(one) <= columns or one in words for one in lines)


def test_no_command_lets_the_terminal_cut_a_word(cli, process, place):
    cli("remember", "we deploy by hand")
    for words in (("model", "status"), ("status",), ("doctor",), ("show", "m0123456789abcdef")):
        _, sent = on_a_terminal(process, *words)
        lines = [line for line in re.sub(r"\x1b\[[0-9;]*m", "", sent).splitlines() if not line.startswith(("+", "-"))]
        assert [line for line in lines if len(line.rstrip()) > 80 and " " in line.strip()] == [], words


def test_the_table_of_sessions_has_its_headings_in_a_narrow_terminal(cli, process):
    id = "0f6b2c1e-6f57-4f0b-9c3f-2b2f8f0a1c11"
    cli("session", "start", id, "--client", "claude-code")
    cli("checkpoint", "--session", id, "--goal", "Rate limiting")
    cli("session", "end", id, "--reason", "prompt_input_exit")
    assert "prompt_input_exit" not in cli("session", "list").out
    assert "prompt_input_exit" not in cli("session", "resume", id).out
    _, sent = on_a_terminal(process, "session", "list")
    head, under, row, text = re.sub(r"\x1b\[[0-9;]*m", "", sent).splitlines()[:4]
    assert head.split() == ["SESSION", "LAST", "CLIENT", "STATE"]
    assert under.rstrip() == "  GOAL"
    assert (row.index("claude-code"), row.index("ended")) == (head.index("CLIENT"), head.index("STATE"))
    assert text.rstrip() == "  exchanges 0, project work: Rate limiting"


def test_a_model_that_is_none_is_refused_before_anything_is_drawn(process):
    status, sent = on_a_terminal(process, "model", "pull", "nosuch")
    assert (status != 0, "Downloading" in sent) == (True, False)
