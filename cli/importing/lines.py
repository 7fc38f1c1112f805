"""JSON lines of a file of any size, one at a time; what cannot be decoded says why and never ends the reading.
And a small file, whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from aftermind.cli.importing.exchange import Advance
from aftermind.engine.errors import Unusable

T = TypeVar("T", bound=Struct)
LONGEST_LINE = 256 * 1024 * 1024
"""Bytes. Above what the largest exchange takes when every character of it is escaped."""


class Undecodable(ValueError):
    """One line, row or message is not what it should be; the text says why."""


def lines(path: Path, advance: Advance) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers. One that is too long comes cut, and so is no JSON."""
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(LONGEST_LINE):
                advance(len(line))
                number += 1
                cut = line
                while len(cut) == LONGEST_LINE and not cut.endswith(b"\n") and (cut := file.readline(LONGEST_LINE)):
                    advance(len(cut))
                if not line.isspace():
                    yield number, line
    except OSError as error:
        raise Unusable(f"cannot be read ({error.strerror or error})", str(path)) from error


def text_in(file: Path) -> str:
    """All of a small file; nothing where there is none, or it cannot be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def decoded(text: bytes, form: type[T]) -> T:
    """JSON as one struct, fields it does not know ignored. Raises `Undecodable`."""
    try:
        try:
            return msgspec.json.decode(text, type=form)
        except msgspec.ValidationError:
            raise
        except (msgspec.DecodeError, UnicodeDecodeError):
            # half a surrogate pair, or a byte order mark: no good JSON, but clients write it and it can be read
            return msgspec.convert(json.loads(text), form)
    except msgspec.ValidationError as error:
        raise Undecodable(_plain(error)) from error
    except RecursionError as error:
        raise Undecodable("nested too deep") from error
    except ValueError as error:
        raise Undecodable("not JSON" if len(text) < LONGEST_LINE else "too long") from error


def _plain(error: msgspec.ValidationError) -> str:
    return str(error).replace("Object missing", "missing").replace("Expected", "expected")
