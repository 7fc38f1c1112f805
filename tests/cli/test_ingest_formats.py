"""What each format is read as: a title, headings, blocks; whatever a file holds, reading it ends."""

from __future__ import annotations

import sys
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents import encrypted, outline, outlined, pdf

from aftermind.cli.reading import html, markdown, plain, restructured
from aftermind.cli.reading import pdf as pdf_reader
from aftermind.cli.reading.cutting import chunks, titled
from aftermind.cli.reading.document import Block, Heading, Item, Title, Unreadable


def items(reader, text: str) -> list[Item]:
    return list(reader.items(text.split("\n")))


# --- Markdown -------------------------------------------------------------------------------------------------


def test_markdown_is_its_headings_paragraphs_lists_tables_and_code():
    text = """\
# Billing [runbook](http://x) ![logo](l.png) #

Who reads this
knows the ledger.

Deploying
---------
- run `make release`
  and wait
- then look
  - at the logs

1. one
2) two

| port | host |
|------|------|
| 8081 | staging |
## Code {#code}
```sh
# no heading

make
```
~~~
```
~~~
    indented = True

    more
***
<!-- a comment -->
> quoted
"""
    assert outline(items(markdown, text)) == [
        "1 Billing runbook logo",
        "prose: Who reads this\nknows the ledger.",
        "2 Deploying",
        "item: - run `make release`\n  and wait",
        "item: - then look",
        "item:   - at the logs",
        "item: 1. one",
        "item: 2) two",
        "rows: | port | host |\n|------|------|\n| 8081 | staging |",
        "2 Code",
        "code: ```sh\n# no heading\n\nmake\n```",
        "code: ~~~\n```\n~~~",
        "code:     indented = True\n\n    more",
        "prose: > quoted",
    ]


def test_front_matter_tells_title_and_description_and_a_rule_is_none():
    told = '---\ntitle: "Billing"\ndescription: how it is run\ntags: [x]\n---\ntext\n'
    assert outline(items(markdown, told)) == ["# Billing", "prose: how it is run", "prose: text"]
    assert outline(items(markdown, "---\n\nno front matter\n\n# Heading")) == ["prose: no front matter", "1 Heading"]
    assert outline(items(markdown, "\ufeff# Heading")) == ["1 Heading"]
    assert outline(items(markdown, "")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\n\nCall extension 4711.\n\n---\n\n# Tool\n", ["prose: Call extension 4711.", "1 Tool"]),
        ("---\nCall extension 4711.\n---\nText", ["2 Call extension 4711.", "prose: Text"]),
        ("---\ntitle: >-\n  A title\n  in two lines\ntags:\n- a\n---\nText", ["# A title in two lines", "prose: Text"]),
        ('+++\ntitle = "Ports"\n[extra]\na = [\n1]\n+++\nText', ["# Ports", "prose: Text"]),
        ("---\n" + "long: 1\n" * 198 + "```\n# no heading\n```\n## Heading\n", None),
        ("# `<form>` and `--out <FILE>`\n", ["1 <form> and --out <FILE>"]),
        ("# `__init__` of 2 * 3 a*b **bold** `Vec<T>`\n", ["1 __init__ of 2 * 3 a*b bold Vec<T>"]),
        ("# <br>\nText", ["1 <br>", "prose: Text"]),
        ("~~~ sh `x`\n# no heading\n~~~\nText", ["code: ~~~ sh `x`\n# no heading\n~~~", "prose: Text"]),
        ("``` not `code`\n# One", ["prose: ``` not `code`", "1 One"]),
        (f"# {'a ' * 600}b\nText", [f"1 {'a ' * 500}".strip(), f"prose: {'a ' * 600}b", "prose: Text"]),
        (f"{'a ' * 600}b\n===\nText", [f"1 {'a ' * 500}".strip(), f"prose: {'a ' * 600}b", "prose: Text"]),
        ("<!-- v --> Now 7.3.1 <!-- /v -->", ["prose: <!-- v --> Now 7.3.1 <!-- /v -->"]),
        ("<!-- one -->\nA\n\n<!--\n## Old\nold text\n--> After\n\nB", ["prose: A", "prose: After", "prose: B"]),
        ("<pre>\n# no heading\n</pre>\n# One", ["code: <pre>\n# no heading\n</pre>", "1 One"]),
    ],
)
def test_what_only_looks_like_markup_is_text(text, found):
    """A rule that begins no front matter, names in code, remarks on a line with text, and over several lines."""
    said = outline(items(markdown, text))
    if found is None:
        assert [one for one in said if one.startswith(("1", "2"))] == ["2 Heading"]
    else:
        assert said == found


def test_code_that_is_never_closed_is_code_to_the_end():
    assert outline(items(markdown, "```\n# x\n\ny")) == ["code: ```\n# x\n\ny"]


# --- text -----------------------------------------------------------------------------------------------------


def test_text_is_its_paragraphs():
    assert outline(items(plain, "one\ntwo\n\n \nthree\n")) == ["prose: one\ntwo", "prose: three"]


# --- HTML -----------------------------------------------------------------------------------------------------


def test_a_page_is_what_it_says_without_what_it_does():
    page = """<!doctype html><html><head><title>Billing
      runbook</title><style>p { x: y }</style><script>if (a < b) { "<h1>no</h1>" }</script></head>
    <body><nav><a href=x>Home</a></nav><h1>Billing</h1><p>Deploy &amp; <b>wait</b>,<br>then
    look.<ul><li>one<li><p>two</p></ul><h2></h2><pre>make  release
      wait</pre><table><tr><th>port<th>host</tr><tr><td>8081<td>staging</tr></table><div>loose</div>tail</body>"""
    assert outline(items(html, page)) == [
        "# Billing runbook",
        "1 Billing",
        "prose: Deploy & wait,\nthen look.",
        "item: - one",
        "item: - two",
        "code: make  release\n      wait",
        "rows: port | host",
        "rows: 8081 | staging",
        "prose: loose",
        "prose: tail",
    ]


def test_a_page_that_forgets_to_close_its_navigation_goes_on_with_its_main_part():
    assert outline(items(html, "<nav><a>Home</a><main><p>Deploy</p></main>")) == ["prose: Deploy"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<div hidden>one<div>two</div>three</div>",
        "<p style='color: red; DISPLAY: none'>one<p>Ports",
        "<span style='visibility:hidden'>one</span>",
        "<footer hidden>one</footer>",
        "<h2 hidden>one</h2>",
        "<article style='display: none'><p>one</p></article>",
        "<ul><li hidden>one<ul><li>two</ul>three</li><li>Ports</ul>",
        "<ul><li style='display:none'>one<li>Ports</ul><ol><li>1<li hidden>two</ol>Ports",
        "<table><tr hidden><td>one<table><tr><td>two</table><tr><td>Ports</table>",
        "<table><tr><td>1<td hidden>one<tr><td>Ports<th style='display:none'>two</table>Ports",
        "<table><tbody hidden><tr><td>one<tbody><tr><td>Ports</table>",
        "<dl><dt hidden>one<dd hidden>two<dt>Ports</dl>",
        "<div><p hidden>one</div>Ports",
        "<div hidden><ul><li hidden>one</ul>two</div>",
        "<div><ul><li hidden>one</div>Ports<ol><li><menu hidden><li>two</ol>Ports",
        "<table><tr hidden><td>one<ul><li>two<tr><td>Ports</table><ul><li hidden><div hidden>three<li>Ports</ul>",
        "<p hidden>one<menu><li>Ports</menu><table><tr><td><dl><dd hidden>two<td>Ports</table>",
        "<ul><li hidden><div>one<table><tr><td>two</table></div></b>three<nav><ul><li>one</ul></nav>two<li>Ports</ul>",
        "<ul><li hidden><button><div>one</div></button>two<li>Ports<li hidden><button>three</ul>Ports",
        "<div><dl><dt hidden><p>one<ul><li>two</li></ul><section></section><p>three</dl>Ports</div>",
    ],
)
def test_what_a_page_hides_is_not_read(hidden):
    said = " ".join(outline(items(html, f"<h1>Guide</h1><p>Deploy</p>{hidden}<p>Ports</p>")))
    assert "Deploy" in said
    assert said.count("Ports") == hidden.count("Ports") + 1
    assert not any(word in said for word in ("one", "two", "three"))


def test_a_button_that_is_never_closed_ends_at_the_next_heading():
    page = "<p>before</p><button>Copy<h2>Ports</h2><p>8081 is staging</p><nav><h2>Menu</h2></nav>"
    assert outline(items(html, page)) == ["prose: before", "2 Ports", "prose: 8081 is staging"]


def test_a_page_in_many_pieces_is_the_same_page(monkeypatch):
    page = "<h1>Billing</h1>" + "".join(f"<p>zebra {n}\n<b>crossing</b></p>\n" for n in range(50))
    whole = items(html, page)
    monkeypatch.setattr(html, "_PIECE", 20)
    assert items(html, page) == whole


# --- PDF ------------------------------------------------------------------------------------------------------


def read(whole: bytes) -> tuple[list[Item], list[str], list[float]]:
    remarks: list[str] = []
    shares: list[float] = []
    return list(pdf_reader.items(BytesIO(whole), remarks.append, shares.append)), remarks, shares


def test_a_pdf_is_its_pages_and_its_outline():
    pages = (
        "1\nBilling\n\nDeploy the ledger with the re-\nlease command.\n- one\n- two",
        "Rollback\nRun it.\n\n2 of 2",
    )
    found, remarks, shares = read(outlined(pdf(*pages, title="Runbook"), [("Billing", 0), ("Rolling back", 1)]))
    assert outline(found)[:2] == ["# Runbook", "2 Billing"]
    blocks = [(item.text, item.page) for item in found if isinstance(item, Block)]
    assert ("Deploy the ledger with the release command.", 1) in blocks
    assert "2 Rolling back" in outline(found)
    assert blocks[-1][1] == 2
    assert not any(text.strip() in ("1", "2 of 2") for text, _ in blocks)
    assert (remarks, shares) == ([], [0.5, 1.0])


def test_a_page_loses_its_number_and_no_other():
    """A year, or a table that goes on over the page; the numbers of a book are as far off as on the page before."""
    totals = "Totals by year, then amount, in euro."
    found, _, _ = read(
        pdf(f"1\n{totals}", f"2024\n1500\n{totals}\n1700", "The ledger.\n4", "The harbour.\n- 5 -", "Page 99\nDusk.")
    )
    texts = [(item.page, " ".join(item.text.split())) for item in found if isinstance(item, Block)]
    assert [" ".join(text for on, text in texts if on == page) for page in range(1, 6)] == [
        totals, f"2024 1500 {totals} 1700", "The ledger. 4", "The harbour.", "Dusk.",
    ]  # fmt: skip


def test_of_a_page_without_a_line_break_as_much_is_read_as_of_another(monkeypatch):
    monkeypatch.setattr(pdf_reader, "LONGEST_PAGE", 20)
    found, _, _ = read(pdf("The ledger is deployed by hand at noon"))
    assert [item.text for item in found if isinstance(item, Block)] == ["The ledger is deploy"]


def test_a_year_a_page_is_no_number_of_a_page():
    found, _, _ = read(pdf(*(f"What happened.\n{year}" for year in range(2019, 2023))))
    assert [item.text.split()[-1] for item in found if isinstance(item, Block)] == ["2019", "2020", "2021", "2022"]


def test_a_heading_is_found_on_its_page_with_its_number_and_over_two_lines():
    page = "1 Introduction\nWe begin.\n2 Related Work on\nlong names\nOthers did."
    found, _, _ = read(outlined(pdf(page), [("Introduction", 0), ("Related Work on long names", 0)]))
    assert outline(found) == [
        "2 Introduction",
        "prose: We begin.",
        "2 Related Work on long names",
        "prose: Others did.",
    ]


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_a_pdf_with_a_password_is_told_and_one_that_only_forbids_printing_is_read(algorithm):
    whole = pdf("Deploy the ledger.")
    with pytest.raises(Unreadable, match="password"):
        read(encrypted(whole, "secret", algorithm=algorithm))
    found, _, _ = read(encrypted(whole, "", "owner", algorithm=algorithm))
    assert outline(found) == ["prose: Deploy the ledger."]


def test_a_broken_pdf_is_told():
    whole = pdf("Deploy the ledger.", "Roll it back.")
    for broken in (b"", b"%PDF-1.4", whole[:200], b"\x00" * 1000, b"not at all"):
        with pytest.raises(Unreadable):
            read(broken)


def test_a_page_that_cannot_be_read_is_remarked_on(monkeypatch):
    from pypdf import PageObject

    extract, calls = PageObject.extract_text, iter([True, False, True])
    monkeypatch.setattr(PageObject, "extract_text", lambda page: extract(page) if next(calls) else 1 / 0)
    found, remarks, _ = read(pdf("one", "two", "three"))
    assert outline(found) == ["prose: one", "prose: three"]
    assert remarks == ["1 of its 3 pages cannot be read (ZeroDivisionError: division by zero)"]


# --- any file at all ------------------------------------------------------------------------------------------

MARKS = st.sampled_from(
    [*"#*-=_|`~<>[](){}:.\\/\"'", "    ", "\t", "word", "Title", "漢字", "👩‍💻", "\x00", "\x0c", "\u2028", ".. note::",
     "::", "<p>", "</p>", "<nav>", "<script>", "<!--", "-->", "&amp;", "<h1>", "<table><td>", "<pre>", "---", "```"]
)  # fmt: skip
lines = st.lists(st.lists(MARKS, max_size=6).map("".join), max_size=25)


@pytest.mark.parametrize("reader", [markdown, restructured, plain, html], ids=lambda reader: reader.__name__)
@given(lines=lines)
def test_any_text_is_read_to_its_end_and_nothing_of_plain_words_is_lost(reader, lines):
    found = list(reader.items(iter(lines)))
    assert all(isinstance(item, Title | Heading | Block) for item in found)
    assert all(item.text.strip() for item in found if isinstance(item, Block | Title))
    title, rest = titled(found, "name")
    assert title
    said = " ".join(chunk.text + chunk.place for chunk in chunks(rest)) + title
    if reader is plain:
        assert said.count("word") >= "".join(lines).count("word")


LINEAR = {(3, 11): (3, 11, 14), (3, 12): (3, 12, 12), (3, 13): (3, 13, 6)}
"""The releases since which html.parser takes time by the length of what is never closed, not by its square."""


@pytest.mark.parametrize("reader", [markdown, restructured, plain, html], ids=lambda reader: reader.__name__)
@pytest.mark.parametrize(
    "line",
    ["# " + " #" * 20_000, "# a" + " " * 60_000 + "b", "[" * 60_000, "{#" * 30_000, ":a" * 30_000, "`" * 60_000,
     "<a " * 20_000, "<!--" * 15_000, "| " * 30_000, "- " * 30_000, "." * 60_000, "=" * 60_000, "&#" * 30_000,
     "<ul><li hidden>" * 30_000 + "</i>" * 30_000],
    ids=lambda line: line[:6],
)  # fmt: skip
@pytest.mark.timeout(20)
def test_no_line_takes_long(reader, line):
    if reader is html and line.startswith(("<a ", "<!--")) and sys.version_info < LINEAR.get(sys.version_info[:2], ()):
        pytest.skip("the parser of this Python takes minutes; who reads is ended then")
    list(chunks(reader.items([line, "=" * 10, line])))
