"""What a terminal gets: no escape of a memory's, no markup, nothing wider than it is."""

from __future__ import annotations

import os
import re
import sys

import pytest

from aftermind.cli.terminal.tables import visible

EVIL = (
    "deploy \x1b]0;owned\x07 \x1b[31mred\x1b[0m \x9b2J \u202erid\u202c "
    "[bold]loud[/bold] [link=http://x]y[/link] :smile:"
)

if sys.platform == "win32":
    pytest.skip("there are no such terminals", allow_module_level=True)


def on_a_terminal(process, *words, columns=80, types=b"", env=None):
    """Exit code and everything a terminal of that width was sent."""
    import fcntl
    import struct
    import termios

    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    running = process(*words, stdin=slave, stdout=slave, stderr=slave, **({"env": env} if env else {}))
    os.close(slave)
    os.write(master, types)
    sent = bytearray()
    try:
        while chunk := os.read(master, 65536):
            sent += chunk
    except OSError:
        pass  # how Linux says that the other side is closed
    os.close(master)
    return running.wait(), sent.decode()


def test_control_characters_are_shown_as_escapes():
    assert visible("a\x1b[2Jb\rc\x9bd\u202ee\n\tf") == "a\\x1b[2Jb\\x0dc\\x9bd\\u202ee\n\tf"


@pytest.mark.parametrize(
    "command",
    [("search", "deploy"), ("log",), ("show",), ("why",), ("context", "--prompt", "what is red in the deploy?")],
)
def test_no_command_lets_a_text_speak_to_the_terminal(cli, command):
    id = cli("remember", EVIL, "--json").json["id"]
    out = cli(*command, *([id] if command in (("show",), ("why",)) else [])).out
    assert "deploy" in out
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", out)
    assert "[bold]loud[/bold]" in out


def test_json_escapes_what_it_need_not(cli):
    out = cli("remember", EVIL, "--json").out
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", out)
    assert cli("search", "deploy", "--json").json[0]["text"] == EVIL


def test_an_error_cannot_speak_to_the_terminal_either(cli):
    assert "\x1b" not in cli("show", "\x1b[31m").err
    assert "\x1b" not in cli("--home", "/nowhere/\x1b[31m", "verify").err


def test_a_table_on_a_terminal_is_as_wide_as_it_and_takes_no_markup(cli, process):
    id = cli("remember", f"{EVIL} {'and then some more ' * 6}", "--json").json["id"]
    status, sent = on_a_terminal(process, "search", "deploy", columns=60)
    bare = re.sub(r"\x1b\[[0-9;]*m", "", sent)
    assert status == 0
    assert id in bare
    assert "[bold]loud" in bare.replace("\r\n", "").replace(" ", "")
    assert max(len(line.rstrip()) for line in bare.splitlines()) <= 60
    assert "\x1b]0" not in sent
    assert "\x1b[31m" not in sent


def test_in_a_narrow_terminal_the_text_stands_under_its_row(cli, process):
    id = cli("remember", "we deploy by hand on Mondays, never on Fridays", "--json").json["id"]
    _, sent = on_a_terminal(process, "search", "deploy", "hand", columns=30)
    assert id in sent
    assert max(len(line.rstrip()) for line in sent.splitlines()) <= 30
    assert "never on Fridays" in " ".join(sent.split())


def test_where_only_the_text_has_no_room_the_rest_still_stands_under_its_headings(cli, process):
    id = cli("remember", "we deploy by hand on Mondays, never on Fridays", "--json").json["id"]
    _, sent = on_a_terminal(process, "search", "deploy", "hand", columns=45)
    head, under, row, text = re.sub(r"\x1b\[[0-9;]*m", "", sent).splitlines()[:4]
    assert head.split() == ["SCORE", "ID", "COLLECTION"]
    assert under.rstrip() == "  TEXT"
    assert (row.index(id), row.index("memory_bank")) == (head.index("ID"), head.index("COLLECTION"))
    assert text.startswith("  we deploy by hand")


@pytest.mark.parametrize("columns", [45, 52, 60, 80])
@pytest.mark.parametrize(
    ("words", "heading"), [(("stats",), "RATE"), (("config", "get"), "VALUE"), (("project", "list"), "PROJECT")]
)
def test_no_column_of_a_narrow_table_is_without_its_heading(cli, process, words, heading, columns):
    assert cli("remember", "xylophone").status == 0
    cli("record", stdin=b"how do we deploy?\n---\nwith make deploy")
    cli("score", "worked")
    sent = on_a_terminal(process, *words, columns=columns)[1]
    lines = re.sub(r"\x1b\[[0-9;]*m", "", sent).splitlines()
    assert [line for line in lines if re.search(rf"\b{heading}\b", line)], lines
    if columns == 80 or (heading == "RATE" and columns == 60):
        assert not any(re.fullmatch(rf"\W*{heading}\W*", line) for line in lines), "what is short stands beside"


def test_no_color_means_none(cli, process, env):
    cli("remember", "we deploy by hand")
    _, sent = on_a_terminal(process, "search", "deploy", env={**env, "NO_COLOR": "1", "TERM": "xterm-256color"})
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", sent)


def test_json_is_indented_on_a_terminal_and_one_line_in_a_pipe(cli, process):
    id = cli("remember", "we deploy by hand", "--json").json["id"]
    assert cli("show", id, "--json").out.count("\n") == 1
    assert f'\r\n  "id": "{id}",' in on_a_terminal(process, "show", id, "--json")[1]


def test_forget_asks_at_a_terminal_and_takes_only_a_yes(cli, process):
    id = cli("remember", "we deploy by hand", "--json").json["id"]
    status, sent = on_a_terminal(process, "forget", id, types=b"no\n")
    assert status == 0
    assert "we deploy by hand" in sent
    assert "Nothing was forgotten." in sent
    assert cli("show", id).status == 0
    assert f"Forgot {id}" in on_a_terminal(process, "forget", id, types=b"y\n")[1]
    assert cli("show", id).status == 3


def test_why_and_log_wrap_beside_their_times_and_colour_verdicts(cli, process, env):
    born = cli(
        "record", "--json", stdin=b"how do we deploy the billing service?\n---\nwith make deploy " + b"now " * 30
    ).json
    cli("score", "worked", "--evidence", "it failed at first")
    env = {**env, "TERM": "xterm-256color"}
    for words, head in ((("why", born["memory"]), 21), (("log",), 29)):
        _, sent = on_a_terminal(process, *words, columns=70, env=env)
        assert "\x1b[32mworked\x1b[0m" in sent
        assert "\x1b[31m" not in sent, "only the verdict has a colour"
        lines = re.sub(r"\x1b\[[0-9;]*m", "", sent).splitlines()
        assert max(len(line.rstrip()) for line in lines) <= 70
        assert any(line.startswith(" " * head) and not line[head].isspace() for line in lines)
        assert not re.search(r"\x1b\[3[0-9]m", on_a_terminal(process, *words, env={**env, "NO_COLOR": "1"})[1])


def test_the_demo_wraps_on_a_terminal(process):
    status, sent = on_a_terminal(process, "demo", columns=70)
    assert status == 0
    assert max(map(len, sent.splitlines())) <= 70
    assert "the old one is not." in " ".join(sent.split())


def test_an_empty_answer_says_why_at_a_terminal_and_nothing_into_a_pipe(cli, process):
    cli("remember", "we deploy by hand")
    for words in (("log", "--type", "memory-locked"), ("context", "violins")):
        assert "No" in on_a_terminal(process, *words)[1]
        assert (cli(*words).out, cli(*words).err) == ("", "")


def test_who_types_is_told_how_to_end_it(process):
    for words in (("remember", "-"), ("record",)):
        _, sent = on_a_terminal(process, *words, types=b"how?\n---\nso\n\x04")
        assert sent.count("Ctrl-D on a line of its own ends it") == 1


def test_a_path_is_not_cut_in_two(cli, process, place):
    cli("remember", "deploy")
    folder = str(place / f"a-{'long-' * 12}name")
    cli("backup", folder)
    (place / "store" / "log.db").write_bytes(b"")
    for words in (("backup", "--list"), ("repair", "--dry-run")):
        assert folder in on_a_terminal(process, *words, columns=60)[1], words


def test_the_log_is_not_poured_out_at_a_terminal_unless_it_is_asked_for(cli, process):
    for number in range(60):
        cli("remember", f"{number} xylophones")
    whole = cli("log").out
    assert len(whole.splitlines()) >= 60
    lines = on_a_terminal(process, "log", columns=200)[1].splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [line.split()[0] for line in whole.splitlines()[-50:]]
    assert "`--after 0` all" in lines[-1]
    for words in (("--after", "0"), ("--limit", "1000")):
        everything = on_a_terminal(process, "log", *words, columns=200)[1].splitlines()
        assert (len(everything), everything[-1].split()[0]) == (len(whole.splitlines()), lines[-2].split()[0])
