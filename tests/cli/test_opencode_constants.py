"""What OpenCode's plugin repeats of Python's, in a language that cannot import it, is the same there."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

from aftermind.cli.doors import hook
from aftermind.cli.importing import exchange
from aftermind.cli.language import wire

PLUGIN = Path(__file__).parents[2] / "cli" / "clients"


def constant(file: str, name: str) -> Any:
    """The value a file of the plugin gives a constant: a number, a product of some, or a list of texts."""
    text = (PLUGIN / file).read_text(encoding="utf-8")
    found = re.search(rf"^const {name} = ([^/\n]+?)(?: //.*)?$", text, re.MULTILINE)
    assert found is not None, f"{file} has no {name}"
    if found[1].startswith("["):
        return json.loads(found[1])
    return math.prod(int(factor) for factor in found[1].split("*"))


def test_the_wire_and_the_longest_path_are_those_of_the_daemon() -> None:
    assert constant("opencode_daemon.js", "WIRE") == wire.WIRE
    assert constant("opencode_daemon.js", "LONGEST_PATH") == wire.LONGEST_PATH


def test_refusals_margin_and_largest_reply_are_the_hooks() -> None:
    assert tuple(constant("opencode_daemon.js", "REFUSALS")) == tuple(name.decode() for name in hook.REFUSALS)
    assert constant("opencode_daemon.js", "MARGIN") == hook.MARGIN * 1000  # milliseconds there
    assert constant("opencode_daemon.js", "LARGEST") == hook.LARGEST


def test_a_tools_input_names_its_file_by_the_same_words() -> None:
    text = (PLUGIN / "opencode_turns.js").read_text(encoding="utf-8")
    assert f"const NAMED = /{exchange.NAMED.pattern}/\n" in text
    assert constant("opencode_turns.js", "DEEPEST") == exchange.DEEPEST


WORDS = "path file_path filePath notebook_path target_file absolute_path paths files dir_path directory old_path uri"


def test_every_word_by_which_a_tool_names_a_file_is_one_wherever_it_stands() -> None:
    for name in WORDS.split():
        for value in (" a.py", ["a.py"], {name: "a.py"}, [{name: "a.py"}]):
            assert exchange.paths({name: value}) == ("a.py",), name
        assert exchange.paths(json.dumps({"edits": [{name: "a.py"}]})) == ("a.py",)
    for other in ({"file_text": "a.py"}, {"command": "a.py"}, {"profile": "a.py"}, {"path": "a\nb"}, "{", 5, None):
        assert exchange.paths(other) == ()


def test_more_of_an_error_is_handed_over_than_is_kept() -> None:
    assert constant("opencode_turns.js", "LONGEST_ERROR") > exchange.LONGEST_ERROR
