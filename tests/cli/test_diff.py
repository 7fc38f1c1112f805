"""`diff`: what became of the memories between two moments."""

from __future__ import annotations

import json

import pytest


def head(cli):
    return str(cli("stats", "--json").json["head"])


def remembered(cli, text, *options):
    return cli("remember", text, "--json", *options).json["id"]


def test_what_became_of_each_memory_is_told(cli):
    names = ("stays", "is reworded", "is archived", "is superseded", "is promoted", "rises", "sinks", "is forgotten")
    ids = {name: remembered(cli, f"the thing that {name}") for name in names[:4]}
    ids |= {name: remembered(cli, f"the thing that {name}", "--collection", "history") for name in names[4:]}
    asked = "which thing rises and which thing sinks"
    cli("context", asked, "--session", "s", "--limit", "9")
    cli("record", "--session", "s", stdin=json.dumps({"prompt": asked, "answer": "this and that"}).encode())
    before = head(cli)
    cli("correct", ids["is reworded"], "another thing altogether")
    cli("archive", ids["is archived"])
    new = remembered(cli, "the thing in its place", "--supersedes", ids["is superseded"])
    cli("promote", ids["is promoted"])
    verdicts = (f"{ids['rises']}=worked", f"{ids['sinks']}=failed")
    assert cli("score", "--session", "s", "--memory", verdicts[0], "--memory", verdicts[1]).status == 0
    cli("forget", "--yes", ids["is forgotten"])
    after = head(cli)
    found = {one["id"]: one for one in cli("diff", before, after, "--json").json["changes"]}
    assert {id: one["what"] for id, one in found.items()} == {
        ids["is reworded"]: ["changed"],
        ids["is archived"]: ["archived"],
        ids["is superseded"]: ["superseded"],
        new: ["appeared"],
        ids["is promoted"]: ["moved"],
        ids["rises"]: ["rose"],
        ids["sinks"]: ["moved", "sank"],
        ids["is forgotten"]: ["forgotten"],
    }
    assert found[ids["is reworded"]]["before"]["text"] == "the thing that is reworded"
    assert found[ids["is superseded"]]["after"]["successor"] == new
    assert found[ids["is forgotten"]]["before"] is None
    told = cli("diff", before).out
    assert "1 appeared, 1 changed, 2 moved, 1 rose, 1 sank, 1 superseded, 1 archived, 1 forgotten" in told
    assert "history → patterns" in told
    assert "the thing that is forgotten" not in told
    assert ids["stays"] not in told
    cli("restore", ids["is archived"])
    assert cli("diff", after, "--json").json["counts"] == {"came back": 1}


@pytest.mark.parametrize("moment", ["0", "2", "now", "today"])
def test_nothing_became_of_anything_between_a_moment_and_itself(cli, moment):
    cli("promote", remembered(cli, "one thing", "--collection", "history"))
    assert cli("diff", moment, moment, "--json").json["changes"] == []
    assert "No memory is otherwise" in cli("diff", moment, moment).out


def test_a_project_sees_its_own(cli, place):
    (place / "other").mkdir()
    mine = remembered(cli, "here alone")
    theirs = remembered(cli, "there alone", "--project", str(place / "other"))
    assert [one["id"] for one in cli("diff", "0", "--project", "other", "--json").json["changes"]] == [theirs]
    assert {one["id"] for one in cli("diff", "0", "--json").json["changes"]} == {mine, theirs}
    assert cli("diff", "0", "--global", "--json").json["changes"] == []
    assert len(cli("diff", "0", "--limit", "1").out.splitlines()) == 4


def test_the_later_moment_is_the_second(cli):
    remembered(cli, "one thing")
    found = cli("diff", "2", "1")
    assert found.status == 2
    assert "before the first" in found.err
