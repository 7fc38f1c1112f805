"""A private key is one secret on many lines: it is masked whole, before a reader parts it into lines or paragraphs.

    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASC…      →  [masked private-key, 1704 characters]
    -----END PRIVATE KEY-----

From where a key begins until it ends, what comes is held, `MOST` characters of it: all that is known of such a key, if
it is longer, is that it goes on. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from aftermind.engine.masking.secrets import KEY_BEGINS, KEY_MARKS, PRIVATE_KEY, keys_in, masked

T = TypeVar("T")
MOST = 64 * 1024
"""Characters: more than five of the longest keys that people make."""
_GOES_ON = "-----BEGIN PRIVATE KEY-----\n"


def without_keys(parts: Iterable[T], text: Callable[[T], str], having: Callable[[T, str], T]) -> Iterator[T]:
    """The parts of a document, in each of which is a `text`: every private key masked where it begins, and left out of
    what follows. Parts that had nothing else go."""
    held: list[T] = []
    size, is_open, inside = 0, False, False
    for part in parts:
        said = text(part)
        is_open = _is_open(said, is_open)
        if not (held or inside) and not any(begin in said for begin in KEY_BEGINS):
            yield part
            continue
        held.append(part)
        size += len(said) + 1
        if is_open and size <= MOST:
            continue
        texts, inside = _masked([text(one) for one in held], inside, is_open)
        is_open = is_open and inside
        yield from _having(held, texts, having)
        held, size = [], 0
    yield from _having(held, _masked([text(one) for one in held], inside, is_open)[0], having)


def lines_without_keys(lines: Iterable[str]) -> Iterator[str]:
    return without_keys(lines, str, lambda _, line: line)


def texts_without_keys(texts: Sequence[str]) -> list[str]:
    """The texts of one whole, in their order; empty where nothing is left."""
    return [text or "" for text in _masked(texts, False, False)[0]]


def _is_open(said: str, was: bool) -> bool:
    """Whether a key that began has not ended, behind a text."""
    if "-----" not in said and "Private-" not in said:
        return was
    marks = [found.lastgroup for found in KEY_MARKS.finditer(said)]
    return marks[-1] == "begins" if marks else was


def _masked(texts: Sequence[str], inside: bool, is_open: bool) -> tuple[list[str | None], bool]:
    """The texts without keys, None where one is nothing else; and whether the last key goes on behind them. `inside`:
    one began before."""
    before = _GOES_ON if inside else ""
    whole = before + "\n".join(texts)
    spans = keys_in(whole)
    goes_on = is_open and bool(spans) and not whole[spans[-1][1] :].strip()
    start, found = len(before), list[str | None]()
    for text in texts:
        found.append(_without(text, start, spans) if spans else text)
        start += len(text) + 1
    return found, goes_on


def _without(text: str, start: int, spans: Sequence[tuple[int, int]]) -> str | None:
    """A text that begins at `start`, without the spans; where one begins, its mask."""
    if any(first < start and start + len(text) <= last for first, last in spans):
        return None
    parts, at, end = [], start, start + len(text)
    for first, last in spans:
        if first < end and last > start:
            parts.append(text[at - start : max(first, at) - start])
            if first >= start:
                parts.append(masked(PRIVATE_KEY, last - first))
            at = min(last, end)
    return "".join([*parts, text[at - start :]]) if parts else text


def _having(parts: Sequence[T], texts: Sequence[str | None], having: Callable[[T, str], T]) -> Iterator[T]:
    for part, text in zip(parts, texts, strict=True):
        if text is not None:
            yield having(part, text)
