"""forget, through the real command: what it takes, what it asks, what it tells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.test_commands import recorded, remembered
from tests.daemons import daemon, wait_until
from tests.erased import holding
from tests.spooling import turn
from tests.wired import new_key

from aftermind.cli.language.wire import Call, to_json

WORD = "quokkaparade"


def store(cli) -> Path:
    return Path(cli("stats", "--json").json["folder"])


def test_what_would_go_is_shown_and_nothing_goes(cli):
    ids = [remembered(cli, f"The {WORD} is at {n}") for n in range(12)]
    said = cli("forget", *ids, "--dry-run").out
    assert said.splitlines()[0] == f"{ids[0]}  (work) The {WORD} is at 0"
    assert said.splitlines()[-2:] == ["… and 2 more", "12 memories."]
    assert cli("forget", *ids, "--dry-run", "--json").json["memories"] == 12
    assert cli("show", ids[0]).status == 0


def test_a_text_and_a_pattern_find_what_says_them(cli):
    one, two = remembered(cli, f"The {WORD} is at 7"), remembered(cli, "ticket-4711 is open")
    kept = remembered(cli, "ticket-x is nothing")
    cli("context", "--prompt", f"an unanswered {WORD}?")
    assert cli("forget", "--text", WORD.upper(), "--yes").out == "Nothing says that.\n"
    assert cli("forget", "--text", WORD, "--pattern", r"ticket-\d+", "--yes").out == "Nothing says that.\n"
    told = cli("forget", "--pattern", WORD, "--pattern", r"ticket-\d+", "--yes", "--json").json
    assert sorted(told["forgotten"]) == sorted([one, two])
    assert told["besides"] >= 1
    assert holding(store(cli), WORD, "4711") == {}
    assert cli("show", kept).status == 0
    assert cli("verify").status == 0
    failed = cli("forget", "--pattern", "(", "--yes")
    assert (failed.status, "no regular expression" in failed.err) == (2, True)


def test_a_request_that_nobody_understood_goes_by_what_it_says(cli):
    """Alone, and beside the memories that say it."""
    for besides in (False, True):
        remembered(cli, f"The {WORD} is at 7" if besides else "something else")
        broken = store(cli) / "spool" / "broken"
        broken.mkdir(parents=True, exist_ok=True)
        for name, said in (("a" * 32, f"A {WORD}?"), ("b" * 32, "another")):
            (broken / f"{name}.json").write_bytes(to_json(Call(key=new_key(), request=turn(prompt=said))))
        assert "1 spooled request that nothing was made of" in cli("forget", "--text", WORD, "--dry-run").out
        assert cli("forget", "--text", WORD, "--dry-run", "--json").json["spooled"] == 1
        done = cli("forget", "--text", WORD, "--yes")
        assert (done.status, "1 spooled request taken away" in done.out) == (0, True)
        assert [path.stem for path in broken.iterdir()] == ["b" * 32]
        assert cli("forget", "--text", WORD, "--yes").out == "Nothing says that.\n"


def test_a_session_and_a_project_go_whole(cli, tmp_path):
    place = tmp_path / "webshop"
    place.mkdir()
    born = recorded(cli)
    inside = remembered(cli, f"The {WORD} is here", "--project", str(place))
    assert re.search(r"^Forgot m\w+", cli("forget", "--project", str(place), "--yes").out)
    assert cli("show", inside).status == 3
    assert holding(store(cli), WORD) == {}
    session = cli("show", born["memory"], "--json").json["session"]
    cli("forget", "--session", session, "--since", "2020-01-01", "--yes")
    assert cli("show", born["memory"]).status == 3


def test_what_is_named_narrows_each_other(cli, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one = remembered(cli, f"The {WORD} is at 7", "--project", str(tmp_path / "one"))
    two = remembered(cli, f"The {WORD} is at 8", "--project", str(tmp_path / "two"))
    other = remembered(cli, "The garden is open", "--project", str(tmp_path / "one"))
    named = ("--text", WORD, "--project", str(tmp_path / "one"))
    assert cli("forget", "--text", "nobody says this", *named[2:], "--yes").out == "Nothing says that.\n"
    assert cli("forget", *named, "--dry-run").out == f"{one}  (one) The {WORD} is at 7\n1 memory.\n"
    assert cli("forget", *named, "--yes", "--json").json["forgotten"] == [one]
    assert (cli("show", two).status, cli("show", other).status) == (0, 0)
    assert "narrow one another" in cli("forget", two, *named, "--yes").err


def test_what_does_not_fit_is_said(cli):
    id = remembered(cli)
    for words, why in (
        ((), "nothing is named"),
        (("--since", "yesterday", id), "go with --session or --project"),
        (("--text", " ", "--yes"), "an empty text is in everything"),
        ((id,), "no terminal to ask at"),
        (("--session", "nobody", "--yes"), "no session with the id"),
        (("m0000000000000000",), "no memory or book with the id"),
    ):
        failed = cli("forget", *words)
        assert failed.status in (2, 3)
        assert why in failed.err
    cli("lock", id)
    assert f"{id} is locked" in cli("forget", id, "--dry-run").out
    assert "locked" in cli("forget", id, "--yes").err
    assert cli("forget", id, "--yes", "--even-locked").status == 0


@pytest.mark.parametrize(
    "text",
    [
        "the quarry opens at seven",
        "the stable indexes of tables and triggers in the session",
        "the secret format of the views was followed by a revision",
    ],
)
def test_words_that_the_files_have_of_themselves_are_no_leak(cli, text):
    """In a database's own table `event_stays` and `event` stand beside one another, and numbers that are letters."""
    id = remembered(cli, text)
    with daemon(store(cli)):
        wait_until(lambda: cli("model", "status", "--json").json["phase"] == "level", "its vector is there")
        done = cli("forget", id, "--yes")
    assert (done.status, "should not be" in done.out + done.err) == (0, False)


def test_what_was_cut_off_is_completed(cli):
    id = remembered(cli, f"The {WORD} is at 7")
    cli("forget", id, "--yes")
    assert cli("forget", "--complete").status == 0
    assert cli("forget", "--complete", "--json").json["step"] == "done"


def test_what_is_so_again_when_its_successor_goes_is_told_before_and_after(cli):
    old = remembered(cli, "The owner of billing is Priya")
    new = remembered(cli, "The owner of billing is Tom")
    again = f"{old} is so again, which it had taken the place of: The owner of billing is Priya"
    assert again in cli("forget", new, "--dry-run").out
    assert cli("forget", new, "--dry-run", "--json").json["again"][0]["id"] == old
    assert again in cli("forget", new, "--yes").out
    assert old in cli("search", "owner", "billing").out
    alone = cli("forget", old, "--yes").out
    assert "is so again" not in alone


def test_what_another_memory_says_over_several_lines_is_no_leak_and_told_in_one(cli):
    """Its lines are one piece of the views' text, and another one in the log's JSON."""
    text = "\n".join(f'the "ferry{n}" of quay{chr(97 + n % 23)}{chr(97 + n % 19)}' for n in range(97, 500))
    stays = remembered(cli, text)
    goes = remembered(cli, text[: 7 * len(text) // 8])
    done = cli("forget", goes, "--yes")
    assert (done.status, "should not be" in done.out) == (0, False)
    (line,) = [one for one in done.out.splitlines() if "still said by" in one]
    assert re.search(rf" and \d+ more words are still said by {stays}\.$", line)


def test_small_talk_that_others_say_as_well_is_no_rare_word(cli):
    goes = remembered(cli, "Please, the quokkaparade needs thirty lanterns")
    stays = remembered(cli, "Please say thirty kayaks")
    (line,) = [one for one in cli("forget", goes, "--yes").out.splitlines() if "still said by" in one]
    assert line == f"“thirty” is still said by {stays}."
    goes = remembered(cli, "Hello, please: the quokkaparade")
    assert "still said" not in cli("forget", goes, "--yes").out
