"""`record`: an exchange from standard input, as JSON or as plain text."""

from __future__ import annotations

import json
import re

import pytest

EXCHANGE = b'{"prompt": "how do we deploy the billing service?", "answer": "make deploy", "id": "msg-1"}'


def recorded(cli, *options, stdin=EXCHANGE):
    return cli("record", "--json", *options, stdin=stdin).json


def test_record_takes_json_and_knows_a_repeated_delivery(cli):
    said = cli("record", stdin=EXCHANGE)
    assert re.fullmatch(r"Recorded exchange \w{32}; memory m\w{16} was born from it\.\n", said.out)
    assert recorded(cli)["delivery"] == "repeated"
    assert recorded(cli, stdin=EXCHANGE.replace(b"make deploy", b"make deploy, as always"))["delivery"] == "revised"


def test_record_takes_plain_text_with_a_divider(cli):
    born = recorded(cli, stdin=b"how do we test?\r\n---\r\nmake test\n--- twice ---\n")
    kept = cli("show", born["memory"], "--json").json
    assert (kept["text"], kept["answer"]) == ("how do we test?", "make test\n--- twice ---")


def test_record_replaces_bytes_that_are_not_utf_8(cli):
    born = recorded(cli, stdin=b'{"prompt": "na\xefve?", "answer": "\xff\xfe"}')
    assert cli("show", born["memory"], "--json").json["text"] == "na\ufffdve?"


def test_record_keeps_time_tools_client_session_and_project_of_the_object(cli):
    exchange = {
        "prompt": "p",
        "answer": "a",
        "session": "s9",
        "project": "alpha",
        "client": "editor",
        "at": "2026-01-31T12:00:00Z",
        "tools": [{"name": "bash", "ok": False, "error": "boom"}],
    }
    recorded(cli, stdin=json.dumps(exchange).encode())
    line = cli("log", "--type", "exchange-recorded", "--session", "s9", "--json").json
    assert line["at"] == "2026-01-31T12:00:00Z"
    assert line["event"]["client"] == "editor"
    assert line["event"]["tools"] == [{"name": "bash", "ok": False, "error": "boom"}]
    assert list(cli("stats", "--json").json["projects"].values()) == ["alpha"]


@pytest.mark.parametrize("stdin", [b"", b"no divider", b'{"prompt": 3}', b'{"promt": "p"}', b"[1]", b'{"prompt": "p"'])
def test_record_refuses_what_is_no_exchange(cli, stdin):
    refused = cli("record", stdin=stdin)
    assert refused.status == 2
    assert "→ `aftermind record --help`" in refused.err or "→ did you mean prompt" in refused.err
