"""A client's files, of several stores. An entry says by what it runs whose it is. A rule does not: it is every store's
whose ledger names its file, and goes with the last of them. Of other stores the ledger is read, nothing is written.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import url2pathname

from msgspec import Struct

from aftermind.cli.clients.client import Client, Setting
from aftermind.cli.editing import ledger
from aftermind.cli.editing.files import NotEdited, seen, text_of
from aftermind.cli.editing.ledger import Changed
from aftermind.cli.editing.text import NotParsed
from aftermind.cli.editing.wanted import supplanted


class Claim(Struct, frozen=True, kw_only=True):
    """What another store's ledger says of a file."""

    store: Path
    said: Changed


def claim(client: Client, setting: Setting, path: str) -> Claim | None:
    """Of a store whose entries are in the client's files, or were before ours took their places; None where no such one
    says that it changed this file."""
    lines = [line for one in ledger.changed(setting.store) if one.client == client.name for line in one.supplanted]
    for file in client.files(setting):
        with suppress(NotEdited, NotParsed):
            lines += supplanted(text_of(seen(file.path)), file.form, file.wants)
    claims = (found for line in dict.fromkeys(lines) for found in _claims(line, path))
    own = setting.store.resolve()  # a link to it is no other store
    return next((found for found in claims if found.store.resolve() != own), None)


def is_in_use(line: str, path: str) -> bool:
    """Whether the store whose entry runs that line says that it changed this file."""
    return any(True for _ in _claims(line, path))


def _claims(line: str, path: str) -> Iterator[Claim]:
    """A line no shell could run, or a word that is no path, is somebody else's."""
    words: list[str] = []
    with suppress(ValueError):
        words = shlex.split(line)
    for word in words:
        store = Path(url2pathname(word.removeprefix("file://")) if word.startswith("file://") else word).parent.parent
        with suppress(OSError, ValueError, ledger.LedgerUnreadable):
            yield from (Claim(store=store, said=one) for one in ledger.changed(store) if one.path == path)
