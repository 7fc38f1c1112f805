"""A heading of a PDF's outline stands where its section begins, so that what is above it is not cited by it."""

from __future__ import annotations

from io import BytesIO

import pytest
from tests.documents import outline, outlined, pdf

from aftermind.cli.reading import pdf as pdf_reader


@pytest.mark.parametrize(
    ("page", "headings", "found"),
    [
        (  # a running header, and a footer
            "2 Fees\nOf mooring no more.\n2 Fees\nA berth costs nine crowns.\nFees",
            ["2 Fees"],
            ["prose: 2 Fees\nOf mooring no more.", "2 2 Fees", "prose: A berth costs nine crowns.\nFees"],
        ),
        (  # what a chapter tells of itself
            "Harbour\nFees\nStorms\nFees\nNine crowns.\nStorms\nStay.",
            ["Fees", "Storms"],
            ["prose: Harbour\nFees\nStorms", "2 Fees", "prose: Nine crowns.", "2 Storms", "prose: Stay."],
        ),
        (  # columns, or an outline in an order of its own
            "Storms\nStay.\nFees\nNine crowns.",
            ["Fees", "Storms"],
            ["2 Storms", "prose: Stay.", "2 Fees", "prose: Nine crowns."],
        ),
        (  # two that are alike
            "Example\nOne.\nExample\nTwo.",
            ["Example", "Example"],
            ["2 Example", "prose: One.", "2 Example", "prose: Two."],
        ),
        ("Nine.\n3\nFees\nNine crowns.", ["3 Fees"], ["prose: Nine.", "2 3 Fees", "prose: Nine crowns."]),
        ("Nine crowns.", ["Fees", "Fees"], ["2 Fees", "2 Fees", "prose: Nine crowns."]),
    ],
)
def test_a_heading_stands_where_its_section_begins(page: str, headings: list[str], found: list[str]) -> None:
    whole = outlined(pdf(page), [(heading, 0) for heading in headings])
    assert outline(list(pdf_reader.items(BytesIO(whole), lambda _: None, lambda _: None))) == found
