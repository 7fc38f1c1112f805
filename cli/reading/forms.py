"""Which files are books, by their names, and which of the readers each is for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader
from pathlib import PurePath
from typing import Literal, TypeAlias, assert_never, get_args

from msgspec import structs

from aftermind.cli.reading.decoding import Looked, lines, unchanged
from aftermind.cli.reading.document import Item, PassedOver, Unreadable
from aftermind.cli.reading.letters import in_letters
from aftermind.engine.masking.keys import lines_without_keys, without_keys
from aftermind.engine.masking.private import cut, lines_without_private
from aftermind.projections.recalling.shown.fences import lines_without_ours

Form: TypeAlias = Literal["markdown", "text", "rst", "html", "pdf", "docx", "code"]
FORMS: tuple[Form, ...] = get_args(Form)
SUFFIXES: dict[str, Form] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mdx"), "markdown"),
    **dict.fromkeys((".txt", ".text"), "text"),
    **dict.fromkeys((".rst", ".rest"), "rst"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    ".pdf": "pdf",
    ".docx": "docx",
}
NAMED = {
    "readme",
    "changelog",
    "changes",
    "contributing",
    "history",
    "news",
    "install",
    "faq",
    "hacking",
    "todo",
    "notes",
}
"""Files without a suffix that somebody wrote to be read."""
_CODE = set(
    """
    .py .pyi .pyx .ipynb .js .jsx .mjs .cjs .ts .tsx .vue .svelte .java .kt .kts .scala .groovy .c .h .cc .cpp .cxx .hh
    .hpp .m .mm .cs .fs .vb .go .rs .swift .rb .php .pl .pm .lua .r .jl .dart .ex .exs .erl .hrl .hs .ml .mli .clj .cljs
    .lisp .el .scm .sh .bash .zsh .fish .ps1 .bat .cmd .sql .css .scss .sass .less .asm .s .v .sv .vhd .zig .nim .d .pas
    .f .f90 .f95 .cob .tcl .awk .cmake .gradle .bzl .tf .proto .graphql .sol .cu .glsl
    """.split()
)
_OTHERS = {
    ".doc": "an old Word file: save it as .docx",
    ".odt": "an OpenDocument file: save it as .docx or .pdf",
    ".rtf": "a rich text file: save it as .docx or .pdf",
    ".epub": "an EPUB: convert it to .html or .pdf",
}
_TEXTUAL = ("markdown", "text", "rst", "html", "code")


def form_of(path: bytes, *, asked_for: bool) -> Form:
    """What a file is read as. `PassedOver` for one that is no book, unless it was asked for by a glob: then what has no
    form of its own is read as it stands."""
    name = PurePath(os.fsdecode(path)).name
    suffix = PurePath(name).suffix.lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    if not suffix and name.lower().strip("_") in NAMED:
        return "text"
    if suffix in _OTHERS:
        raise PassedOver(_OTHERS[suffix])
    if asked_for:
        return "code" if suffix in _CODE or not suffix else "text"
    raise PassedOver("source code" if suffix in _CODE else "no document by its name")


def is_text(form: Form) -> bool:
    return form in _TEXTUAL


def items(looked: Looked, remark: Callable[[str], None], advance: Callable[[float], None]) -> Iterator[Item]:
    """What a file says, which must be the one that was looked at, to its end. `advance` is told the share that is
    read. Each reader is imported when it is the one."""
    with unchanged(looked) as file:
        match _form(looked.form):
            case "markdown":
                from aftermind.cli.reading import markdown

                yield from markdown.items(_lines(file, looked, advance))
            case "text":
                from aftermind.cli.reading import plain

                yield from plain.items(_lines(file, looked, advance))
            case "code":
                from aftermind.cli.reading import plain

                yield from plain.code(_lines(file, looked, advance))
            case "rst":
                from aftermind.cli.reading import restructured

                yield from restructured.items(_lines(file, looked, advance))
            case "html":
                from aftermind.cli.reading import html

                yield from _as_lines_are(html.items(_lines(file, looked, advance)))
            case "docx":
                from aftermind.cli.reading import word

                yield from _as_lines_are(word.items(file, advance, remark))
            case "pdf":
                from aftermind.cli.reading import pdf

                yield from _as_lines_are(pdf.items(file, remark, advance))
            case unknown:
                assert_never(unknown)


def name_of(path: bytes) -> str:
    """What a document is called that does not say it: its file; of one that many folders have, with its folder."""
    file = PurePath(os.fsdecode(path))
    return f"{file.parent.name}/{file.name}" if file.stem.lower() in ("readme", "index") else file.name


def _form(form: str) -> Form:
    for known in FORMS:
        if form == known:
            return known
    raise Unreadable(f"nothing reads {form}")


def _lines(file: BufferedReader, looked: Looked, advance: Callable[[float], None]) -> Iterator[str]:
    said = lines(file, looked.encoding, _share(looked, advance))
    if looked.form != "code":
        said = map(in_letters, said)
    return lines_without_keys(lines_without_private(lines_without_ours(said)))


def _as_lines_are(items: Iterable[Item]) -> Iterator[Item]:
    """The items of a document that is no lines of text, or whose lines may say `<` in other letters, without what is
    private and private keys: both span them."""
    return without_keys(_without_private(_in_letters(items)), _text_of, _saying)


def _text_of(item: Item) -> str:
    return item.text


def _saying(item: Item, text: str) -> Item:
    return structs.replace(item, text=text)


def _in_letters(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        text = in_letters(item.text)
        if text.strip():
            yield item if text is item.text else structs.replace(item, text=text)


def _without_private(items: Iterable[Item]) -> Iterator[Item]:
    inside = 0
    for item in items:
        text, inside = cut(item.text, inside)
        if text is item.text:
            yield item
        elif text:
            yield structs.replace(item, text=text)


def _share(looked: Looked, advance: Callable[[float], None]) -> Callable[[int], None]:
    return lambda read: advance(min(1.0, read / looked.size))
