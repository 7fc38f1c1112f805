"""Edits of other people's texts, by property: whatever a document looks like, an edit changes what it means to change,
keeps every comment, and taking out is the way back."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
import tomlkit
from hypothesis import assume, given
from hypothesis import strategies as st

from aftermind.cli.editing import jsonc, marked, toml
from aftermind.cli.editing.jsonc_tree import comments
from aftermind.cli.editing.text import NotParsed
from aftermind.cli.editing.wanted import Element, Entry, Given, made, put_in, taken_out

# --- JSON as people write it ----------------------------------------------------------------------------------

NAMES = st.sampled_from(["mcp", "hooks", "Stop", "a", "b c", 'q"', "ü", "", "plugin"])
SCALARS = (
    st.none() | st.booleans() | st.integers(-5, 10**20) | st.text(max_size=6) | st.sampled_from(["//", "/* x", "]"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=12
)
COMMENTS = st.sampled_from(["", "", "", "/* c */", "// l\n", "/* a\n b */", "// }\n", '/* "x": */'])
BLANKS = st.sampled_from(["", " ", "\n", "\n  ", "\t", "\n\n", "   "])


@st.composite
def documents(draw) -> str:
    """An object as JSONC: blanks, comments and trailing commas wherever they may be, either line ending."""

    def gap() -> str:
        return draw(BLANKS) + draw(COMMENTS) + draw(BLANKS)

    def written(value) -> str:
        if isinstance(value, dict):
            items = [
                f"{json.dumps(k, ensure_ascii=draw(st.booleans()))}{gap()}:{gap()}{written(v)}"
                for k, v in value.items()
            ]
        elif isinstance(value, list):
            items = [written(one) for one in value]
        else:
            return json.dumps(value)
        inside = ",".join(gap() + item + gap() for item in items)
        if items and draw(st.booleans()):
            inside += "," + gap()
        brackets = "{}" if isinstance(value, dict) else "[]"
        return f"{brackets[0]}{inside or gap()}{brackets[1]}"

    text = gap() + written(draw(st.dictionaries(NAMES, VALUES, max_size=4))) + gap()
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text


def said(text: str) -> list[str]:
    return [text[begin:end] for begin, end in comments(text)]


def with_(value, keys, new):
    """The value with a member put in, as Python does it."""
    if not keys:
        return new
    return {**value, keys[0]: with_(value.get(keys[0], {}), keys[1:], new)}


@given(documents(), st.lists(NAMES, min_size=1, max_size=3), VALUES)
def test_a_member_is_put_in_and_nothing_else_changes(text, keys, value):
    before = jsonc.parsed(text)
    try:
        new = jsonc.put(text, tuple(keys), value)
    except NotParsed:  # something else stands on the way
        assert not is_open(before, keys)
        return
    assert jsonc.parsed(new) == with_(before, keys, value)
    assert jsonc.put(new, tuple(keys), value) == new
    if not jsonc.has(text, tuple(keys)):
        assert said(new) == said(text)


def is_open(value, keys) -> bool:
    """Whether there are objects, or nothing, all the way."""
    for key in keys:
        if not isinstance(value, dict):
            return False
        if key not in value:
            return True
        value = value[key]
    return True


@given(documents(), NAMES)
def test_a_new_member_that_is_taken_out_again_leaves_what_was_there(text, name):
    assume(not jsonc.has(text, (name,)))
    back = jsonc.drop(jsonc.put(text, (name,), {"command": "x", "args": ["-I"]}), (name,))
    assert jsonc.parsed(back) == jsonc.parsed(text)
    assert said(back) == said(text)
    assert tokens(back) == tokens(text)


def tokens(text: str) -> str:
    """All but blanks: what is left when they do not count."""
    return re.sub(r"[ \t\r\n]", "", text)


@given(documents())
def test_any_member_can_be_taken_out_and_only_that_one_goes(text):
    value = jsonc.parsed(text)
    for name in value:
        new = jsonc.drop(text, (name,))
        assert jsonc.parsed(new) == {key: one for key, one in value.items() if key != name}
    assert jsonc.drop(text, ("no such",)) == text


@given(documents(), st.data())
def test_an_element_is_added_to_a_list_and_any_can_be_taken_out(text, data):
    value = jsonc.parsed(text)
    lists = [key for key, one in value.items() if isinstance(one, list)]
    key = data.draw(st.sampled_from([*lists, "new"]))
    new = jsonc.add(text, (key,), {"x": 1})
    assert jsonc.parsed(new)[key] == [*value.get(key, []), {"x": 1}]
    assert said(new) == said(text)
    at = data.draw(st.integers(0, len(value.get(key, []))))
    left = [*value.get(key, []), {"x": 1}]
    del left[at]
    assert jsonc.parsed(jsonc.drop(new, (key, at)))[key] == left


@given(documents())
def test_entries_put_in_and_taken_out_leave_what_was_said(text):
    wants = (
        Given(at=("version",), value=1),
        Entry(at=("servers", "ours"), value={"command": "/s/bin/x", "args": ["-I"]}),
        Element(
            of=("ours", "Stop"), value={"hooks": [{"command": "/s/bin/hook a b"}]}, mark="/s/bin/hook ", kin="bin/hook"
        ),
    )
    new = put_in(text, "json", wants)
    assert put_in(new, "json", wants) == new
    back = taken_out(new, "json", wants, made(text, "json", wants))
    expected = jsonc.parsed(text)
    left = jsonc.parsed(back)
    assert left == expected or left == {**expected, "version": 1}
    assert said(back) == said(text)


WANTS = (
    Entry(at=("servers", "ours"), value={"command": "/s/bin/x", "args": ["-I"]}),
    Element(of=("hooks", "Stop"), value={"hooks": [{"command": "/s/bin/hook a"}]}, mark="/s/bin/hook ", kin="bin/hook"),
)


@pytest.mark.parametrize("comment", ["// later\n", "/* later */"])
@pytest.mark.parametrize("at", ['"servers": ', '"servers": {', '"hooks": {', '"Stop": [', '"hooks": ['])
def test_what_was_made_for_our_entries_stays_if_a_person_has_written_a_comment_into_it(at, comment):
    text = '{\n  "own": 1 // mine\n}\n'
    new = put_in(text, "json", WANTS)
    assert new.count(at) == 1
    mine = new.replace(at, at + comment)
    back = taken_out(mine, "json", WANTS, made(text, "json", WANTS))
    assert said(back) == ["// mine", comment.rstrip()]
    assert "/s/bin" not in back
    again = taken_out(put_in(back, "json", WANTS), "json", WANTS, made(back, "json", WANTS))
    assert tokens(again) == tokens(back)


def test_a_comment_of_an_entry_of_ours_goes_with_it_and_what_was_made_for_it_too():
    text = '{\n  "own": 1 // mine\n}\n'
    new = put_in(text, "json", WANTS).replace('"-I"', '"-I" /* as it says */')
    assert taken_out(new, "json", WANTS, made(text, "json", WANTS)) == text


@given(st.text(alphabet='{}[]",:/*\n\r\\ a1-.e\ufefftrue', max_size=40))
def test_any_text_is_understood_as_json_does_or_refused_with_a_place_in_it(text):
    refused = None
    try:
        value = jsonc.parsed(text)
    except NotParsed as error:
        refused = error
    if refused is not None:
        assert 1 <= refused.line <= text.count("\n") + 1
        assert refused.column >= 1
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)
        return
    plain = "".join(text[begin:end] for begin, end in gaps(text))
    if value is not None:
        assert json.loads(re.sub(r",(\s*[\]}])", r"\1", plain.removeprefix("\ufeff"))) == value


def gaps(text: str) -> list[tuple[int, int]]:
    """What lies between its comments."""
    ends = [0, *(at for span in comments(text) for at in span), len(text)]
    return list(zip(ends[::2], ends[1::2], strict=True))


# --- TOML -----------------------------------------------------------------------------------------------------

KEYS = st.sampled_from(["a", "b-c", "mcp_servers", "x y", "docs"])
TOML_VALUES = (
    st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=6) | st.lists(st.integers(0, 9), max_size=3)
)
TABLES = st.recursive(
    st.dictionaries(KEYS, TOML_VALUES, max_size=3),
    lambda inner: st.dictionaries(KEYS, TOML_VALUES | inner, max_size=3),
    max_leaves=8,
)


@given(TABLES, st.sampled_from(["", "# c\n", "\n\n", "# x\n\n# [mcp_servers.aftermind]\n"]), st.booleans())
def test_a_table_of_toml_is_put_in_and_taken_out_and_the_text_is_as_it_was(document, tail, crlf):
    text = tomlkit.dumps(document) + tail
    if crlf:
        text = text.replace("\n", "\r\n")
    keys = ("mcp_servers", "aftermind")
    value = {"command": "/p y/'x'", "args": ["-I", 'q"', "ü"]}
    try:
        new = toml.put(text, keys, value)
    except NotParsed:
        assert not isinstance(document["mcp_servers"], dict)
        return
    assert tomllib.loads(new)["mcp_servers"]["aftermind"] == value
    assert toml.put(new, keys, value) == new
    back = toml.drop(new, keys)
    if new.startswith(text):
        assert back.rstrip() == text.rstrip()
    assert tomllib.loads(back).get("mcp_servers", {}) == tomllib.loads(text).get("mcp_servers", {})


def test_comments_and_tables_around_ours_stay_when_it_is_changed_and_taken_out():
    keys = ("mcp_servers", "aftermind")
    ours = toml.put("# top\n[a]\nx = 1 # one\n", keys, {"command": "old", "args": []})
    ours = ours.replace('command = "old"', 'command = "old" # mine') + "[mcp_servers.aftermind.env]\nK = 1\n"
    rest = "\n# of the next\n[[b]]\ny = '''\n[c]\n'''\n"
    changed = toml.put(ours + rest, keys, {"command": "new", "args": [], "env": {"K": 1}})
    assert 'command = "new" # mine' in changed
    assert changed.endswith(rest)
    assert toml.drop(ours + rest, keys) == "# top\n[a]\nx = 1 # one\n" + rest


def test_a_table_that_is_changed_leaves_every_other_line_its_own_ending():
    keys = ("mcp_servers", "aftermind")
    text = "a = 1\r\nb = 2\nt = '''\nx\r\n'''\n[mcp_servers.aftermind]\ncommand = 'old' # mine\n[z]\r\n"
    changed = toml.put(text, keys, {"command": "new", "args": ["-I"]})
    assert changed == text.replace("'old' # mine\n", '"new" # mine\nargs = ["-I"]\r\n')
    inline = text.replace("[mcp_servers.aftermind]\ncommand", "mcp_servers.aftermind.command")
    assert toml.drop(toml.put(inline, keys, {"command": "new"}), keys) == text.split("[mcp")[0] + "[z]\r\n"


@pytest.mark.parametrize("text", ["a = 1\r\nb = 2\n", "a = 1\nb = 2\r\n", "a = 1\r\nb = 2\r\n"])
def test_what_was_put_after_a_last_line_goes_whole_however_that_one_ends(text):
    assert (
        toml.drop(toml.put(text, ("mcp_servers", "aftermind"), {"command": "x"}), ("mcp_servers", "aftermind")) == text
    )
    assert marked.drop(marked.put(text, "one", 1)) == text


@given(TABLES, st.lists(st.sampled_from(["\n", "\r\n"]), min_size=1), st.booleans())
def test_where_line_endings_are_mixed_every_line_that_was_there_keeps_its_own(document, endings, is_there):
    if is_there and isinstance(document.setdefault("mcp_servers", {}), dict):
        document["mcp_servers"]["aftermind"] = {"command": "x", "own": 1}
    lines = tomlkit.dumps(document).split("\n")
    text = "".join(line + endings[at % len(endings)] for at, line in enumerate(lines))
    try:
        new = toml.put(text, ("mcp_servers", "aftermind"), {"command": "y", "args": ["b"], "own": 1})
    except NotParsed:
        return
    left = iter(new.split("\n"))
    assert all(line in left for line in text.split("\n") if line.strip('"\r') != 'command = "x')


# --- sections -------------------------------------------------------------------------------------------------


@given(st.text(alphabet="ab\n\r #<!-", max_size=30))
def test_a_section_goes_in_once_and_out_again(text):
    new = marked.put(text, "one\ntwo\n", 1)
    assert marked.has(new)
    assert marked.put(new, "one\ntwo\n", 1) == new
    assert marked.drop(new).rstrip("\r\n") == text.rstrip("\r\n")


def test_an_older_section_is_replaced_where_it_stands_a_newer_or_edited_one_is_left():
    text = marked.put("before\n", "old", 1) + "after\n"
    newer = marked.put(text, "new", 2)
    assert newer.splitlines()[0::4] == ["before", "<!-- aftermind:end -->"]
    assert "new" in newer
    assert "old" not in newer
    assert newer.endswith("after\n")
    assert marked.put(newer, "old", 1) == newer
    edited = newer.replace("new", "mine")
    assert marked.put(edited, "new", 2) == edited
    assert marked.drop(edited) == "before\n\nafter\n"


@pytest.mark.parametrize(
    "text", ["<!-- aftermind:end -->\n", "<!-- aftermind:begin 1 -->\nx", "# aftermind:begin 1\n" * 2]
)
def test_marks_that_do_not_pair_are_refused_with_their_line(text):
    with pytest.raises(NotParsed) as refused:
        marked.put(text, "x", 1)
    assert refused.value.line in (1, 2)
