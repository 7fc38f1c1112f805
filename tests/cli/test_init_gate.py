"""The gate's hook is installed where its policy is set, and leaves with everything else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.configs import everything

from aftermind.cli.clients.hooks import GATES, HOOKS
from aftermind.cli.editing.ledger import LEDGER

FILES = {"claude-code": ".claude/settings.json", "cursor": ".cursor/hooks.json"}
THEIRS = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "their-own"}]}]}}


@pytest.mark.parametrize("client", FILES)
@pytest.mark.parametrize("ledger", [True, False])
def test_config_files_of_the_user_are_as_they_were_after_a_gate(cli, home: Path, place: Path, client, ledger):
    file = home / FILES[client]
    file.parent.mkdir()
    file.write_text(json.dumps(THEIRS if client == "claude-code" else {"version": 1}, indent=2))
    before = everything(home)
    on = GATES[client][0].on
    assert cli("init", "--no-input", f"--{client}").status == 0
    assert "gate" not in file.read_text()
    assert cli("config", "set", "gate.hold_after", "40").status == 0
    assert cli("init", "--no-input", f"--{client}").status == 0
    told = json.loads(file.read_text())["hooks"]
    assert set(told) == {hook.on for hook in (*HOOKS[client], *GATES[client])}
    ours = [one for one in told[on] if "gate" in json.dumps(one)]
    assert len(ours) == 1
    assert len(told[on]) == (2 if client == "claude-code" else 1)  # theirs stays
    assert cli("init", "--no-input", f"--{client}", "--json").json is not None
    assert json.loads(file.read_text())["hooks"] == told  # again changes nothing
    cli("config", "set", "gate.hold_after", "0")
    if not ledger:
        (place / "store" / LEDGER).unlink()
    assert cli("uninstall", f"--{client}").status == 0
    if ledger:
        assert everything(home) == before
    else:
        assert "bin/hook" not in file.read_text()
