"""What a text refers to on a forge, and everything that looks like it and is not."""

from __future__ import annotations

import pytest

from aftermind.engine.entities.references import MOST, reference, references
from aftermind.engine.entities.shapes import entities


def keys(text: str) -> list[str]:
    return [one.key for one in references(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see !123 and #456, &789.", ["!123", "#456", "&789"]),
        (
            "owner/repo#1, group/sub/project!12 and gitlab-org&5",
            ["owner/repo#1", "group/sub/project!12", "gitlab-org&5"],
        ),
        ("vercel/next.js#12", ["vercel/next.js#12"]),
        ("github.com/o/r#3", ["github.com/o/r#3"]),
        ("https://github.com/Own/Repo/issues/12#issuecomment-3", ["github.com/own/repo#12"]),
        ("(https://github.com/o/r/pull/7/files).", ["github.com/o/r#7"]),
        ("https://git.example.org:8443/g/s/p/-/merge_requests/4/diffs", ["git.example.org/g/s/p!4"]),
        ("https://gitlab.com/groups/g/s/-/epics/9", ["gitlab.com/g/s&9"]),
        ("http://user:word@[::1]:80/g/p/-/work_items/9", ["[::1]/g/p#9"]),
        ("#12,#13/#14 ✅#15 修复#16问题 **#17** (#18) [#19] “#20”", [f"#{n}" for n in range(12, 21)]),
        ("MR 3, merge request 4, epic 5, GH-6, PR #7, Issue 8", ["!3", "!4", "&5", "#6", "#7", "#8"]),
        ("ticket 4512 on port 1234", ["#4512"]),
        ("EPIC 1, Issues 2, pull Request 3, the bug 4, a tissue 5, debug 6", ["&1", "#2", "#3", "#4"]),
        ("`!12` and `owner/repo#4`", ["!12", "owner/repo#4"]),
        ("#0318 and #318", ["#318"]),
    ],
)
def test_what_is_said_of_a_forge_is_found(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "ticketing 4512, 12, port 12, version 12.3, 12!",
        "if a!=12 and b!12 or C#7 or F#4: x#4, 5#3, v1!2, R&D2, AT&T5",
        "# 12\n## 3\n##12\n#fff #12ab #1.5 !1.2 #12th",
        'color: #123456; background:#112233 fill="#123" --theme-accent: #222 #000 #001122',
        "&#123; &amp; &nbsp;5 a&1=2&3",
        "run it 2>&1 and >&2, then !! and !$ and $#1 @#2",
        "`Enum.map(&1)` `&(&1 + &2)` `return !1`",
        "docs/guide.md#12 src/app#3 file.py#L3 app.css#5 ./a/b#4 a@b/c#5",
        "https://x.org/page#12 https://x.org/#12 https://x.org/issues https://x.org/a/issues/12b [a](#12)",
        "PR-12x 1GH-5 aGH-5 gh5 issue12 mr12 epics 3x",
    ],
)
def test_what_only_looks_like_it_is_not(text: str) -> None:
    assert keys(text) == []


def test_one_alone_is_meant_where_nothing_else_is_said() -> None:
    said = ["#1", " owner/repo#1 ", "https://github.com/a/b/pull/3?x=1", "MR 5", "issue #6", "GH-7"]
    assert [one.key if (one := reference(text)) else None for text in said] == [
        *("#1", "owner/repo#1", "github.com/a/b#3", "!5", "#6", "#7")
    ]
    assert [reference(text) for text in ("see #1", "12", "#1 #2", "src/x.py", "", "#")] == [None] * 6


def test_of_very_many_the_first_are_kept() -> None:
    assert len(keys(" ".join(f"#{n}" for n in range(1, 500)))) == MOST


def test_an_address_names_what_it_refers_to_and_none_of_its_parts() -> None:
    assert entities("see https://gitlab.com/g/p/-/merge_requests/4 in app.py") == (
        "gitlab.com/g/p!4",
        "g/p!4",
        "app.py",
    )


@pytest.mark.parametrize("unit", [" &1", "`&1 ", "https://", "https://a/", "a/b#", "x/", "1/", "issue ", " 1"])
def test_a_text_made_to_be_tried_in_every_way_is_read_in_one_go(unit: str) -> None:
    assert len(references(unit * (100_000 // len(unit)))) <= MOST
