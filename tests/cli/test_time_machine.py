"""The examples of docs/time-machine.md, run; and the past asked of beside a daemon that goes on writing."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "time-machine.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\$ aftermind (.+)$", PAGE, re.MULTILINE)


def test_the_examples_of_the_page_work(cli, place):
    cli("remember", "deploy.sh needs the staging key")
    cli("context", "what does deploy.sh need of the staging key", "--session", "s")
    cli("record", "--session", "s", stdin=b'{"prompt": "what does deploy.sh need", "answer": "the staging key"}')
    (policy,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    Path("other.toml").write_text(policy)
    assert len(EXAMPLES) >= 9
    for line in EXAMPLES:
        found = cli(*shlex.split(line.replace("1200", "3")))
        assert found.status == 0, f"{line}: {found.err}"
    assert "1 prompt asked again" in cli("replay", "--policy", "other.toml").out


def test_a_daemon_is_not_asked_and_not_disturbed(cli, store):
    cli("remember", "the staging key is in the safe")
    cli("start")
    try:
        cli("remember", "the staging door is green")
        once, before = (cli("status", "--json").json for _ in range(2))
        for words in (
            ("replay", "--until", "2", "search", "staging", "key"),
            ("replay", "--model", "none"),
            ("diff", "0"),
            ("timeline", "staging"),
        ):
            assert cli(*words).status == 0
        after = cli("status", "--json").json
        assert after["pid"] == before["pid"]
        assert after["answered"] - before["answered"] == before["answered"] - once["answered"]  # for `status` alone
        cli("remember", "and it goes on")
        assert cli("diff", "0", "--json").json["counts"] == {"appeared": 3}
    finally:
        cli("stop")
