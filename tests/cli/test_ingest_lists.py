"""An item of a page's list has the number that a reader of the page sees."""

from __future__ import annotations

import pytest
from tests.documents import outline

from aftermind.cli.reading import html


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (
            "<ol><li>stop<li><p>migrate<ul><li>billing</ul><li>start</ol>",
            ["1. stop", "2. migrate", "- billing", "3. start"],
        ),
        ("<ol><li>stop<ol><li>drain</ol><li>start</ol>", ["1. stop", "1. drain", "2. start"]),
        ("<ol start=3><li>stop<li value=' 9 '>wait<li>start</ol>", ["3. stop", "9. wait", "10. start"]),
        ("<ol type=a><li>stop</ol><ol type=1><li>wait</ol>", ["- stop", "1. wait"]),
        ("<ol start=last><li value=>stop</ol>", ["1. stop"]),
        ("<ol reversed><li>stop</ol><ul><li>wait</ul></ol><li>start", ["- stop", "- wait", "- start"]),
        ("<ol><li hidden>stop<li>wait</ol><ol hidden><li>stop</ol><ol><li>start</ol>", ["1. wait", "1. start"]),
        ("<table><tr><td><ol><li>x</table><ol><li>stop</ol><ul><li>wait</ul>", ["1. stop", "- wait"]),
    ],
)
def test_an_item_of_a_list_that_counts_has_its_number(page: str, found: list[str]) -> None:
    assert [item for item in outline(list(html.items([page]))) if item.startswith("item: ")] == [
        f"item: {item}" for item in found
    ]
