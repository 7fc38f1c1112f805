"""The commands `claim` and `queue`, and the same over MCP in the group `coordination`."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from tests.daemons import none_left
from tests.erased import holding
from tests.private_keys import body_of, pem
from tests.windows import lines

ITEM = "src/a.py, src/b.py 👩‍💻"


def test_an_item_is_taken_refused_checked_and_released(cli):
    mine = cli("claim", "take", ITEM, "--by", "ada", "--json").json
    fence = str(mine["fence"])
    refused = cli("claim", "take", ITEM, "--by", "bob")
    assert refused.status == 4
    assert f"“{ITEM}” is held by ada until " in refused.err
    for step in (f"take '{ITEM}' --wait 15m --by bob`", f"renew '{ITEM}' --fence {fence}`"):
        assert f"`aftermind claim {step}" in refused.err
    told = json.loads(cli("claim", "take", ITEM, "--by", "bob", "--json").err)
    assert told["type"] == "Held"
    listed = cli("claim", "list").out.splitlines()
    assert len(listed) == 2  # one row per item
    assert listed[0].split() == ["NUMBER", "UNTIL", "BY", "ITEM"]
    assert listed[0].index("BY") == listed[1].index("ada")
    assert listed[1].endswith(ITEM)
    assert cli("claim", "check", ITEM, "--fence", fence).status == 0
    assert cli("claim", "check", ITEM, "--fence", "1").status == 4
    assert cli("claim", "renew", ITEM, "--fence", fence, "--for", "2h").status == 0
    unsaid = cli("claim", "release", ITEM)
    assert (unsaid.status, f"aftermind claim release '{ITEM}' --fence {fence}`" in unsaid.err) == (2, True)
    never = cli("claim", "release", "never claimed")
    assert (never.status, "nobody ever held it" in never.err) == (4, True)
    assert cli("claim", "release", ITEM, "--fence", fence).out.startswith("Nobody holds")
    assert cli("claim", "release", ITEM, "--fence", fence).status == 4
    for lease in ("3 days", "25h", "99d", "0s", "soon"):
        refused = cli("claim", "take", ITEM, "--by", "bob", "--for", lease)
        assert (refused.status, f"a claim holds for 1s to 1d (30m, 1h30m), not '{lease}'" in refused.err) == (2, True)
    shown = cli("claim", "show", ITEM).out
    assert "claimed by ada" in shown
    assert "renewed" in shown
    assert cli("claim", "take", "src/c.py", "--wait", "50ms").status == 2
    assert cli("claim", "take", "src/c.py", "--wait", "1s").status == 0


@pytest.mark.parametrize(("zone", "times"), [("UTC", 1), ("Asia/Tokyo", 2)])
def test_until_when_a_claim_holds_is_told_twice_only_where_the_clocks_differ(cli, monkeypatch, zone, times):
    with monkeypatch.context() as there:
        there.setenv("TZ", zone)
        time.tzset()
        told = cli("claim", "take", ITEM).out
    time.tzset()
    assert len(re.findall(r"\d\d:\d\d:\d\d", told)) == times


def test_what_waits_is_added_handed_out_and_done(cli):
    assert cli("queue", "add", "-", "--priority", "2", stdin=f"{ITEM}\nsign it\n".encode()).out.count("ready") == 2
    cli("queue", "block", "sign", "it", "--by", ITEM)
    one = cli("queue", "next", "--take", "--by", "ada", "--json").json
    assert (one["item"], one["state"], one["lease"]["by"]) == (ITEM, "held", "ada")
    assert cli("queue", "next", "--take").out == ""
    assert "a claim holds for 1s to 1d" in cli("queue", "next", "--take", "--for", "2d").err
    assert "only its holder says so" in cli("queue", "done", ITEM).err
    assert cli("queue", "done", ITEM, "--fence", str(one["lease"]["fence"])).status == 0
    assert cli("queue", "next").out.splitlines()[1].split() == ["2", "ready", "sign", "it"]
    assert cli("queue", "stats", "--json").json["states"]["done"] == 1
    assert cli("queue", "plan", "never", "queued", "--priority", "1").status == 3


def test_an_assistant_claims_and_is_given_what_is_next(tmp_path: Path):
    store = tmp_path / "store"
    with none_left(store), lines(store, "--tools", "coordination") as pipe:
        pipe.initialize()
        listed = pipe.ask(1, "tools/list")
        assert {"claim", "queue"} <= {tool["name"] for tool in listed["tools"]}
        assert len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False)) < 20 * 1024
        (mine,) = pipe.call(2, "claim", action="take", item=ITEM)["structuredContent"]["claims"]
        assert mine["mine"]
        again = pipe.call(3, "claim", action="take", item=ITEM)
        assert again["isError"]
        assert "is held by" in again["content"][0]["text"]
        assert pipe.call(4, "claim", action="check", item=ITEM, fence=1)["isError"]
        assert not pipe.call(5, "claim", action="renew", item=ITEM).get("isError")
        assert pipe.call(6, "claim", action="release", item=ITEM)["structuredContent"]["claims"] == []
        pipe.call(7, "queue", action="add", item="sign it, then ship", priority=1, when="+2d")
        (given,) = pipe.call(8, "queue", action="next")["structuredContent"]["items"]
        assert (given["item"], given["state"]) == ("sign it, then ship", "held")
        (done,) = pipe.call(9, "queue", action="done", item="sign it, then ship")["structuredContent"]["items"]
        assert done["state"] == "done"
        assert pipe.call(10, "queue", action="list")["structuredContent"]["items"] == []


def test_what_is_private_in_a_list_of_items_is_so_over_its_lines(cli, place):
    key = pem()
    said = f"sign it\n{key}\n<private>\nbill Argoncorp\n</private>\n"
    refused = cli("queue", "add", "-", stdin=said.encode())
    assert (refused.status, "cannot be private" in refused.err) == (2, True)
    assert cli("queue", "add", "-", stdin=f"sign it\ndeploy with\n{key}\n".encode()).out.count("ready") == 3
    assert holding(place / "store", "Argoncorp", *body_of(key)) == {}
