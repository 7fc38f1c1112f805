"""The process that reads: one file after the other, as it is told on its standard input, answers on its standard
output, each a frame of four bytes of length and so much JSON.

What a document does to whoever reads it (a loop without an end, a stack or a memory that runs out) it does to this
process, which can be ended and begun anew. It opens no store and knows of none.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TypeAlias

import msgspec
from msgspec import Struct, structs

from aftermind.cli.reading import cutting, forms
from aftermind.cli.reading.decoding import Looked, looked_at
from aftermind.cli.reading.document import Item, PassedOver, Unreadable
from aftermind.engine.masking.private import MARK, is_private, without_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.memories.book import Chunk
from aftermind.engine.stored import storable
from aftermind.projections.recalling.shown.fences import without_ours

MEMORY = 3 * 1024 * 1024 * 1024
"""Bytes this process may take (where the system can see to it): less than a machine has, more than a book needs."""
PART = 128
"""Chunks in one answer."""
OFTEN = 0.0001
"""The share of a file after which there is a sign of life."""


class Look(Struct, frozen=True, tag="look"):
    """`called`: by a link, whose name tells what it is. `asked_for`: by a glob, so that it is read whatever it is."""

    path: bytes
    called: bytes = b""
    asked_for: bool = False


class Read(Struct, frozen=True, tag="read"):
    looked: Looked


Order: TypeAlias = Look | Read


class Saw(Struct, frozen=True, tag="saw"):
    looked: Looked


class Passed(Struct, frozen=True, tag="passed"):
    """The file is no book."""

    why: str


class Failed(Struct, frozen=True, tag="failed"):
    why: str


class Part(Struct, frozen=True, tag="part"):
    """More of a file: `share` of it is read. One without anything is a sign of life. Before any chunks comes the title,
    which is never empty."""

    chunks: tuple[Chunk, ...]
    share: float
    title: str = ""


class Ended(Struct, frozen=True, tag="ended"):
    """All of a file was read; what there is to remark on it."""

    remarks: tuple[str, ...] = ()


Answer: TypeAlias = Saw | Passed | Failed | Part | Ended


def answer(order: Order, send: Callable[[Answer], None]) -> None:
    """Sends the answers to one order; the last is none of `Part`."""
    try:
        match order:
            case Look():
                form = forms.form_of(order.called or order.path, asked_for=order.asked_for)
                lives = Part(chunks=(), share=0.0)
                send(Saw(looked_at(order.path, form, is_text=forms.is_text(form), alive=lambda: send(lives))))
            case Read():
                send(_read(order.looked, send))
    except PassedOver as error:
        send(Passed(storable(str(error))))
    except Unreadable as error:
        send(Failed(storable(str(error))))
    except MemoryError:
        send(Failed(f"it takes more than {MEMORY // 1024**3} GB of memory to be read"))
    except RecursionError:
        send(Failed("it is nested too deep"))


def _read(looked: Looked, send: Callable[[Answer], None]) -> Ended:
    remarks: list[str] = []
    part: list[Chunk] = []
    told = 0.0

    def advance(share: float) -> None:
        nonlocal told
        if share - told > OFTEN:
            told = share
            send(Part(chunks=(), share=share))

    items = _masked(forms.items(looked, remarks.append, advance))
    title, items = cutting.titled(items, forms.name_of(looked.path))
    send(Part(chunks=(), share=0.0, title=_clean(title) or _clean(forms.name_of(looked.path)) or MARK))
    some = False
    for chunk in cutting.chunks(items):
        clean = structs.replace(chunk, text=_clean(chunk.text), place=_clean(chunk.place))
        if clean.text:
            part.append(clean)
            some = True
        if len(part) == PART:
            send(Part(chunks=tuple(part), share=told))
            part = []
    if not some:
        raise PassedOver("no text in it" + (" (a scan?)" if looked.form == "pdf" else ""))
    send(Part(chunks=tuple(part), share=1.0))
    return Ended(tuple(remarks))


def _masked(items: Iterable[Item]) -> Iterator[Item]:
    """The items before they are cut: half of a secret is not recognised."""
    for item in items:
        text = mask(item.text)
        yield item if text is item.text else structs.replace(item, text=text)


def _clean(text: str) -> str:
    """The text as it may leave this process: without secrets, and without briefings of ours."""
    clean = mask(storable(without_private(without_ours(text)))).strip()
    return "" if is_private(clean) else clean


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is asked to end, ends this process
    _limit_memory()
    orders, out = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what a library prints is no answer

    def send(one: Answer) -> None:
        payload = msgspec.json.encode(one)
        out.write(len(payload).to_bytes(4, "big") + payload)
        out.flush()

    decode = msgspec.json.Decoder(Look | Read).decode
    try:
        while len(size := orders.read(4)) == 4:
            answer(decode(orders.read(int.from_bytes(size, "big"))), send)
    except BrokenPipeError:  # nobody waits for it any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with suppress(ValueError, OSError):  # a lower limit is set already
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    main()
