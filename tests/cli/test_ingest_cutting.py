"""Chunks: what belongs together stays together, nothing is lost, and a change stays where it was made."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.documents import prose, sentence

from aftermind.cli.reading import markdown
from aftermind.cli.reading.cutting import LEAST, MOST, OVERLAP, SHORT, chunks, titled
from aftermind.cli.reading.document import Block, Heading, Title
from aftermind.cli.reading.measuring import pieces, sentences, size


def cut(*items) -> list[tuple[str, str]]:
    return [(chunk.place, chunk.text) for chunk in chunks(items)]


def paragraphs(count: int, length: int = 6) -> list[Block]:
    """Of ten words times `length` each, all of them different."""
    return [Block(prose(length, start=n * length)) for n in range(count)]


# --- structure ------------------------------------------------------------------------------------------------


def test_a_chunk_knows_the_headings_above_it_and_never_goes_beyond_one():
    found = cut(
        Block("before"),
        Heading(2, "Deploying"),
        Block("one"),
        Heading(3, "Rollback"),
        Block("two"),
        Heading(2, "Ports"),
        Block("three"),
    )
    assert found == [("", "before"), ("Deploying", "one"), ("Deploying › Rollback", "two"), ("Ports", "three")]


def test_a_heading_without_end_heads_with_its_beginning_and_is_text_below():
    long = "word " * 400
    found = [
        (chunk.place, chunk.text) for chunk in chunks(titled([Heading(2, long), Block("one"), Title(long)], "x")[1])
    ]
    assert {len(place) for place, _ in found} == {0, len(long[:1000].rstrip())}
    assert sum(text.count("word") for _, text in found) >= 800
    assert found[-1][0] == ""


def test_a_heading_with_nothing_under_it_is_not_lost():
    found = cut(Heading(1, "To do"), Heading(2, "paint"), Heading(2, "sweep"), Block("now"), Heading(1, "Done"))
    assert found == [("To do", "paint"), ("To do › sweep", "now"), ("", "Done")]


def test_a_long_section_becomes_chunks_of_150_to_250_words_that_share_a_sentence_or_two():
    found = [chunk.text for chunk in chunks([Heading(1, "x"), *paragraphs(40)])]
    sizes = [size(text) for text in found]
    assert len(found) > 8
    assert all(SHORT <= words <= MOST for words in sizes), sizes
    assert LEAST <= sum(sizes) / len(sizes) <= MOST
    for one, other in pairwise(found[:-1]):
        shared = [each for each in sentences(other) if each.strip() in one]
        assert 1 <= len(shared) <= 2
        assert size("".join(shared)) <= OVERLAP
        assert other.startswith(shared[0].strip())
        assert one.endswith(shared[-1].strip())


def test_code_and_tables_stay_whole_where_they_fit():
    code = "```\n" + "\n".join(f"call({n}, {n + 1})" for n in range(60)) + "\n```"
    found = [chunk.text for chunk in chunks([*paragraphs(3), Block(code, "code"), *paragraphs(3)])]
    assert sum(code in text for text in found) == 1
    longer = "\n".join(f"| row {n} | of some | five words |" for n in range(200))
    rows = [chunk.text for chunk in chunks([Block(longer, "rows")])]
    assert len(rows) > 3
    assert "\n".join(rows) == longer


def test_what_introduces_a_list_stays_with_it():
    items = [*paragraphs(2, 7), Block("What to do:"), *(Block(f"- {sentence(n)}", "item") for n in range(90, 130))]
    assert not any(text.endswith("What to do:") for _, text in cut(*items))


def test_a_chunk_tells_the_pages_of_all_its_sentences():
    items = [Block(prose(6, n * 6), page=n) for n in range(1, 30)]
    found = list(chunks(items))
    for chunk in found:
        said = [one.strip() for one in sentences(chunk.text)]
        pages = [item.page for item in items if any(one in item.text for one in said)]
        assert chunk.pages == (min(pages), max(pages))
    assert any(chunk.last > chunk.page for chunk in found)


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 2), st.sampled_from(["prose", "item", "code"])), max_size=9)
)
def test_a_chunk_tells_where_in_it_each_page_begins(pages):
    items, page = [], 1
    for n, (length, further, shape) in enumerate(pages):
        page += further
        items.append(Block(prose(length, n * 9), shape, page))
    for chunk in chunks(items):
        bounds = [0, *chunk.turns, len(chunk.text)]
        parts = {chunk.page + n: chunk.text[at:end].strip() for n, (at, end) in enumerate(pairwise(bounds))}
        assert [*parts][-1] == chunk.last
        for page, part in parts.items():
            assert all(any(one.strip() in item.text for item in items if item.page == page) for one in sentences(part))


def test_what_has_no_page_stands_on_that_of_what_follows():
    assert cut_pages(Heading(2, "To do", 2), Heading(2, "Done", 3), Block("one", page=3)) == [(2, 2, ()), (3, 3, ())]
    assert cut_pages(Block("a title without end"), Block("one", page=1), Block("two", page=2)) == [(1, 2, (26,))]
    assert {page for page, *_ in cut_pages(Heading(2, "word " * 400, 3), Block("one", page=4))} == {3}


def cut_pages(*items) -> list[tuple[int, int, tuple[int, ...]]]:
    return [(chunk.page, chunk.last, chunk.turns) for chunk in chunks(titled(items, "x")[1])]


# --- titles ---------------------------------------------------------------------------------------------------


def test_a_title_is_what_the_document_says_else_its_first_heading_else_its_name():
    def title(*items) -> tuple[str, list[object]]:
        found, rest = titled(items, "a.md")
        return found, list(rest)

    one, two = Heading(1, "One"), Heading(1, "Two")
    assert title(Title("T"), one)[0] == "T"
    assert title(Block("badge"), one, two) == ("One", [Block("badge"), Title("One"), two])
    assert title(Title("One"), one, Block("x")) == ("One", [Title("One"), Title("One"), Block("x")])
    assert title(Title("T"), Title("Part"), Block("x")) == ("T", [Title("T"), Heading(1, "Part"), Block("x")])
    assert title(Heading(2, "x"), Block("y"))[0] == "a.md"
    assert title()[0] == "a.md"


def test_a_title_with_nothing_under_it_is_not_lost():
    def said(*items) -> list[str]:
        return [chunk.text for chunk in chunks(titled(items, "a.md")[1])]

    one = Heading(1, "One")
    assert said(one) == said(Title("One"), one) == ["One"]
    assert said(one, Block("x")) == said(Block("x"), one) == ["x"]
    assert said(one, Heading(2, "y")) == ["y"]
    assert said(Title("One")) == []  # of its file, or of a page that a script fills
    assert said(Title("T"), one) == ["One"]
    assert said(Heading(1, "Scan", page=1)) == []  # an outline is no text


def test_what_is_the_documents_own_ends_the_section_above_it():
    items = [
        Heading(2, "Navigation"),
        Block("links"),
        Heading(1, "Real"),
        Block("body"),
        Title("Appendix"),
        Block("notes"),
    ]
    title, rest = titled(items, "x.html")
    assert title == "Appendix"
    title, rest = titled([*items[:4], *[Block("more")] * 30, *items[4:]], "x.html")
    assert title == "Real"
    places = {
        block: chunk.place for chunk in chunks(rest) for block in ("links", "body", "notes") if block in chunk.text
    }
    assert places == {"links": "Navigation", "body": "", "notes": "Appendix"}


# --- editions -------------------------------------------------------------------------------------------------


def changed(before: list[Block], after: list[Block]) -> float:
    """The share of the later chunks that the earlier edition has not."""
    old = {chunk.text for chunk in chunks(before)}
    new = [chunk.text for chunk in chunks(after)]
    return sum(text not in old for text in new) / len(new)


def test_after_a_change_the_cuts_soon_fall_where_they_fell():
    for length in (2, 6, 10, 15, 40):  # sentences of a paragraph
        text = paragraphs(3000 // length, length)
        for place in (0, 7, len(text) // 2):
            longer = [*text[:place], Block("Something new."), *text[place:]]
            assert changed(text, longer) < 0.12
            assert changed(text, [*text[:place], *text[place + 1 :]]) < 0.12
        assert changed(text, [Block(prose(9, 50_000)), *text]) < 0.12


# --- any text -------------------------------------------------------------------------------------------------

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=12)
blocks = st.lists(
    st.builds(
        lambda text, times, shape: Block((text + " ") * times, shape),
        words,
        st.integers(1, 700),
        st.sampled_from(["prose", "item", "code", "rows"]),
    ).filter(lambda block: block.text.strip()),
    max_size=5,
)


@given(blocks)
def test_nothing_is_lost_and_nothing_is_too_long(items):
    found = list(chunks(items))
    assert all(chunk.text.strip() and size(chunk.text) <= 1.3 * MOST for chunk in found)
    everything = "".join("".join(chunk.text.split()) for chunk in found)
    for item in items:
        assert len(everything) >= len("".join(item.text.split())) * 0.99


@given(st.text(max_size=200), st.integers(1, 40))
def test_a_text_taken_apart_is_the_text(text, times):
    text *= times
    assert "".join(sentences(text)) == text
    assert "".join(pieces(text, 20)) == text
    assert all(size(piece) <= 20 for piece in pieces(text, 20))


def test_scripts_without_spaces_and_words_without_end_are_measured_by_their_letters():
    assert size("漢字" * 50) == 50
    assert size("x" * 1000) == 100
    for text in ("漢字のメモ。" * 300, "x" * 50_000, "wortwortwort-" * 3000):
        assert all(size(chunk.text) <= MOST for chunk in chunks([Block(text)]))


def test_a_sentence_does_not_end_at_an_abbreviation():
    assert list(sentences("See e.g. Ada. Then Dr. No. 5 wins! 終わり。次")) == [
        "See e.g. Ada. ",
        "Then Dr. No. 5 wins! ",
        "終わり。",
        "次",
    ]


def test_the_sections_of_a_guide_are_cut_apart():
    text = "# Guide\n\n" + "\n\n".join(f"## Part {n}\n\n{prose(30, n * 30)}" for n in range(5))
    title, items = titled(markdown.items(text.split("\n")), "x")
    found = list(chunks(items))
    assert title == "Guide"
    assert {chunk.place for chunk in found} == {f"Part {n}" for n in range(5)}
