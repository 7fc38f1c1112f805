"""Plain text: paragraphs between blank lines. Also whatever else somebody says is a book; of code, its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aftermind.cli.reading.document import Gathered, Item


def items(lines: Iterable[str]) -> Iterator[Item]:
    gathered = Gathered()
    for line in lines:
        yield from gathered.add(line.rstrip(), "prose") if line.strip() else gathered.done()
    yield from gathered.done()


def code(lines: Iterable[str]) -> Iterator[Item]:
    """Nothing is known of it but where it leaves a line blank."""
    gathered = Gathered()
    for line in lines:
        yield from gathered.add(line.rstrip(), "code") if line.strip() else gathered.done()
    yield from gathered.done()
