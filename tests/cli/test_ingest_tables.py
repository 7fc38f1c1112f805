"""A table of a page is its rows, whatever its cells are made of."""

from __future__ import annotations

from tests.documents import outline, prose

from aftermind.cli.reading import html


def test_a_row_of_a_table_stays_whole_whatever_is_in_its_cells() -> None:
    """As Sphinx writes tables; one that only shapes the page is its paragraphs."""
    rows = """<table><thead><tr><th><p>Service</p></th><th><p>Ports</p></th></tr></thead><tbody>
      <tr class="row-even"><td>
            <p>staging</p></td> <td><ul class="simple">
              <li><p>8081</p></li><li><p>8082</p></li></ul></td></tr>
      <tr><td><div>prod</div><td><div><b>8083</b></div></tbody></table><p>After.</p>"""
    assert outline(list(html.items([rows]))) == [
        "rows: Service | Ports",
        "rows: staging | 8081 8082",
        "rows: prod | 8083",
        "prose: After.",
    ]
    page = (
        f"<table><tr><td><h2>News</h2><p>One.</p><p>Two.</p></td><td><p>{prose(5)}</p><p>Three.</p></td></tr></table>"
    )
    assert outline(list(html.items([page]))) == [
        "2 News",
        "prose: One.",
        "prose: Two.",
        f"prose: {prose(5)}",
        "prose: Three.",
    ]
