"""What stands in anybody's list of patterns fits what git means by it, and no line of it takes long."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest

from aftermind.cli.ingesting.ignoring import Reached
from aftermind.cli.ingesting.walking import Ways, files
from aftermind.cli.privacy.lists import NAME, Lists
from aftermind.cli.privacy.patterns import LONGEST, Patterns
from aftermind.engine.errors import Unusable

NAMES = [
    *("a.md", "A.md", "ä.md", "voilà", "日本", "a\t", "a ", "a\tb", "a\\", "[a].md", "#a", "^a", "a]", "x-y", "ab"),
    "\udce9.md",
]
PARTS = r"""
a b é ? ? * ** .md ] ^ ! # \a \* \[ \é \ [^a] [!b] [é] [a-b] [a-é] []] []-] [\]] [a\]] [a-] [-a] [a-b-z] [^]] [[] [a [
[] [^/] [a/] [[:alpha:]] [^[:alpha:]] [[:nope:]] [[:alpha:]
"""
"""Of lines that chance puts together. No range among them runs backwards: to us such a line is no pattern."""
ENDS = [" ", "\t", " \t", "\t ", "\\ ", "\\\t", "  ", "\\", "\v", "\r", "\xa0"]
TREE = [
    f"{folder}{name}"
    for folder in ("", "a/", "a/b/", "a/b/c/", "b/", "b/a/", "c d/")
    for name in ("x.md", "a.md", "foo bar.md", "!z.md", "#h.md", "[q].md", "ab")
]
WRITTEN = r"""
/**/ **/**/ [[:alpha:]].md [![:alpha:]b].md [[:upper:]]* [[:punct:]]* foo[[:space:]]bar.md [[:graph:]x].md
*.md !*.md a a/ /a /a/ !a/ !a * !*/ **/ ** a/** !a/** **/b b/* !b/* a/b /a/b/ !/a/b a/*/c x.* !x.md \!z.md
\#h.md [[]q].md foo\_bar.md c_d/ [xy].md [!x].md */x.md **/c/** a/**/x.md /* !/a ?.md b/ /*/ !/b/ \x.md a\/b a**
//a a//b a/**/ **/a/** !**/c/ a/**/c/ !/a/*/ [a-b] [^a]/ c* ?/ a\/**/ !c/ a/b/**
"""
"""Lines of lists, in which `_` is a blank."""


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    top = tmp_path_factory.mktemp("repository").resolve()
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    for name in TREE:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("text")
    return top


@pytest.mark.parametrize("seed", range(80))
def test_what_a_list_leaves_out_is_what_git_ignores(repository, seed):
    """Of folders, and of a file by its path."""
    chance = Random(seed)
    lists = {}
    for folder in chance.sample(["", "a", "a/b", "b"], chance.choice([1, 1, 2])):
        lists[folder] = "\n".join(chance.sample(WRITTEN.split(), chance.randint(1, 4))).replace("_", " ")
    try:
        for folder, text in lists.items():
            (repository / folder / ".gitignore").write_text(text)
            (repository / folder / NAME).write_text(text)
        words = ["git", "-C", str(repository), "ls-files", "-o", "-z", "--exclude-standard"]
        seen = subprocess.run(words, check=True, capture_output=True).stdout.decode().split("\0")
        taken = {name for name in TREE if name in seen}
        walked = {one.path.relative_to(repository).as_posix() for one in files([repository], (), Ways())}
        assert walked == taken, lists
        off_limits = Lists(repository / "none")
        assert {name for name in TREE if not off_limits.why(repository / name, is_folder=False)} == taken, lists
    finally:
        for folder in lists:
            (repository / folder / ".gitignore").unlink()
            (repository / folder / NAME).unlink()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a name is text")
@pytest.mark.parametrize("seed", range(4))
def test_any_line_is_read_to_the_byte_as_git_reads_it(tmp_path, seed):
    """5,000 pairs of a path and a list of lines that chance put together."""
    chance, paths = Random(seed), [f"{folder}{name}" for folder in ("", "a/", "a/b/", "é/", "b.d/é/") for name in NAMES]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("text")
    ask = ["git", "-C", str(tmp_path), "check-ignore", "-z", "--no-index", "--stdin"]
    asked = b"\0".join(map(os.fsencode, paths))
    for _ in range(5000 // len(paths)):
        lines = [_line(chance) for _ in range(chance.choice([1, 1, 2, 3]))]
        (tmp_path / ".gitignore").write_bytes(os.fsencode("\n".join(lines)))
        told = subprocess.run(ask, input=asked, capture_output=True, check=False).stdout
        reached = Reached(tmp_path)
        ours = {path for path in paths if tmp_path / path not in reached}
        assert ours == set(map(os.fsdecode, told.split(b"\0")[:-1])), lines


RANGES = ["[[:upper:]]", "[^[:upper:]]", "[[:lower:]]", "[A-Z]", "[!a-z]", "[Z-a]", "[X-c]", "[[:xdigit:]]", "A*"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a name is text")
@pytest.mark.parametrize("line", RANGES)
def test_where_capitals_mean_nothing_to_git_they_mean_nothing_in_a_range_either(tmp_path, line):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "config", "core.ignorecase", "true"], check=True)
    names = ["a", "b", "z", "A", "B", "Z", "_", "5", "é", "É"]
    (tmp_path / ".gitignore").write_text(line)
    ask = ["git", "-C", str(tmp_path), "check-ignore", "-z", "--no-index", "--stdin"]
    told = subprocess.run(ask, input="\0".join(names).encode(), capture_output=True, check=False).stdout
    reached = Reached(tmp_path)
    assert [name for name in names if tmp_path / name not in reached] == told.decode().split("\0")[:-1]


def _line(chance):
    segments = [
        "".join(chance.choice([*PARTS.split(), " ", "\t"]) for _ in range(chance.randint(1, 4)))
        if chance.random() < 0.5
        else chance.choice([*NAMES, "a", "b", "**", "***", "*"])
        for _ in range(chance.choice([1, 1, 2, 3]))
    ]
    begins, ends = chance.choice(["", "", "", "!", "/", "!/"]), chance.choice(["", "", "", "/", *ENDS])
    return f"{begins}{'/'.join(segments)}{ends}"


def test_what_one_line_takes_out_another_does_not_take_back_with_the_folder_above():
    lines = ["secrets/", "!packages/"]
    assert Patterns(lines).speaks_of("packages/") == ("!packages/", False)
    assert Patterns(lines).speaks_of("packages/secrets/") == ("secrets/", True)


@pytest.mark.parametrize("line", ["*a" * 13 + "b", "*a*b" * 9 + "/x", "**/a/" * 12 + "b", "**a" * 20 + "b"])
def test_no_line_keeps_anybody_busy(line):
    """Each of them would take longer than anybody waits."""
    patterns = Patterns([line])
    for path in ("a" * 250, "/".join("a" * 500), "/".join(["a" * 250] * 8)):
        assert patterns.speaks_of(path + "c") is None


def test_a_line_that_no_expression_can_be_made_of_is_no_pattern():
    for line in ("[z-a]", "[", "a\\", "a" * (LONGEST + 1)):
        with pytest.raises(Unusable, match="line 2 is no pattern"):
            Patterns(["a", line])


def test_what_names_nothing_and_what_nobody_knows_is_no_pattern():
    """A list with such a line fails closed."""
    for line in ("!/", "/", "[[:nope:]]x", "[[:alpha:]", "[[:alpha:]x[a"):
        with pytest.raises(Unusable, match="line 1 is no pattern"):
            Patterns([line])


def test_a_class_of_characters_is_of_those_in_a_name():
    patterns = Patterns(["*[!b]*b", "a[.-0]c", "x\\[^y]*"])
    assert patterns.speaks_of("a/b") is patterns.speaks_of("a/c") is None
    assert patterns.speaks_of("a/cb") == ("*[!b]*b", True)
    assert patterns.speaks_of("x[^y]z")


def test_a_name_with_a_newline_is_a_name():
    assert Patterns(["secret/"]).speaks_of("a\nb/secret/")
    assert not Patterns(["secret"]).speaks_of("secret\n")
    assert Patterns(["*"]).speaks_of("\n")
