"""What stands in anybody's list of patterns fits what git means by it, and no line of it takes long."""

from __future__ import annotations

import subprocess
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from aftermind.cli.ingesting.walking import Ways, files
from aftermind.cli.privacy.lists import NAME, Lists
from aftermind.cli.privacy.patterns import LONGEST, Patterns
from aftermind.engine.errors import Unusable

SEGMENTS = st.text(alphabet="ab*?", max_size=6) | st.just("**") | st.sampled_from(["*", "*[]b]*b", "*[a]?*[b]"])
LINES = st.lists(SEGMENTS, min_size=1, max_size=5).map("/".join)
PATHS = st.lists(st.text(alphabet="ab", min_size=1, max_size=6), min_size=1, max_size=6).map("/".join)


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


@given(LINES, PATHS, st.sampled_from(["", "/"]))
def test_a_bounded_pattern_fits_what_the_librarys_own_fits(line, path, end):
    """What it fits itself, or a folder on the way to it."""
    try:
        patterns = Patterns([line])
    except Unusable:
        return
    ways = [path[: place + 1] for place, letter in enumerate(path) if letter == "/"] + [path + end]
    plain = GitIgnoreSpec.from_lines([line] if line.strip() else []).check_file(path + end)
    assert any(patterns.speaks_of(way) for way in ways) == bool(plain.include)


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
    for line in ("[z-a]", "a" * (LONGEST + 1)):
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
