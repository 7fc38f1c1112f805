"""What stands in anybody's list of patterns fits what git means by it, and no line of it takes long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from aftermind.cli.ingesting.ignoring import LONGEST, Patterns
from aftermind.engine.errors import Unusable

SEGMENTS = st.text(alphabet="ab*?", max_size=6) | st.just("**") | st.sampled_from(["*", "*[]b]*b", "*[a]?*[b]"])
LINES = st.lists(SEGMENTS, min_size=1, max_size=5).map("/".join)
PATHS = st.lists(st.text(alphabet="ab", min_size=1, max_size=6), min_size=1, max_size=6).map("/".join)


@given(st.lists(LINES, min_size=1, max_size=3), PATHS, st.sampled_from(["", "/"]))
def test_a_bounded_pattern_fits_what_the_librarys_own_fits(lines, path, end):
    try:
        patterns = Patterns(lines)
    except Unusable:
        return
    plain = GitIgnoreSpec.from_lines([line for line in lines if line.strip()]).check_file(path + end)
    said = patterns.speaks_of(path + end)
    assert (said and said[1]) == plain.include


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


def test_a_class_of_characters_is_of_those_in_a_name():
    patterns = Patterns(["*[!b]*b", "a[.-0]c", "x\\[^y]*"])
    assert patterns.speaks_of("a/b") is patterns.speaks_of("a/c") is None
    assert patterns.speaks_of("a/cb") == ("*[!b]*b", True)
    assert patterns.speaks_of("x[^y]z")


def test_a_name_with_a_newline_is_a_name():
    assert Patterns(["secret/"]).speaks_of("a\nb/secret/x")
    assert Patterns(["*"]).speaks_of("\n")
