"""`aftermind demo`: it tells what happened, and gives a program the second session."""

from __future__ import annotations

from aftermind.cli.commands.demo import NEW, OLD, PORT


def test_the_demo_frames_a_briefing_once_and_sums_up_what_it_showed(cli, place):
    out = cli("demo").out
    assert out.count("<aftermind-memory>") == 1
    assert out.count("│ - [m") == 7
    assert "What worked is at place 2, what failed at place 4; the corrected database is there" in out
    assert "there, the old one is not." in out
    assert "names the event it came of" in out
    assert not (place / "store").exists()


def test_the_demo_as_json_is_the_briefing_and_the_life_of_its_best_advice(cli):
    shown = cli("demo", "--json").json
    assert set(shown) == {"context", "why"}
    assert NEW in shown["context"]["text"]
    assert OLD not in shown["context"]["text"]
    assert shown["why"]["memory"]["answer"] == PORT
