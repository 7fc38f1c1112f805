"""The process that grows a generation of views:
`python -I -m aftermind.cli.growing FOLDER FILE FINGERPRINT [CURRENT VIEW…]`.

Nobody types that; `holding/apart.py` does. It reads the log beside its writer and fills one file, at low priority, with
an interpreter of its own: in one process a rebuild and recall would take turns at every step. It says how far it is, a
line of JSON each time, and why it could not, where that is so. Nothing points at the file before its parent says so;
it ends when its parent does.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from aftermind.cli.child_process import belongs_to_parent
from aftermind.cli.language.wire import Failed, failed
from aftermind.cli.writing_ahead import ahead
from aftermind.engine.errors import AftermindError
from aftermind.engine.logs.sqlite_log import sqlite_log_reader
from aftermind.engine.sqlite import database
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.batches import BATCH, computed
from aftermind.engine.views.growing import Growth, checkpoint, filled, fingerprint, grown
from aftermind.projections.catalog import ALL

ROUNDS = 10
"""Times what was appended meanwhile is taken in as well, before the rest is left to who opens the file."""
ANOTHER = 10
"""The status of a program that has other views than who asked: it was replaced meanwhile."""


class Went(Struct, frozen=True, tag_field="reply", tag="went"):
    """Events done, of how many."""

    done: int
    total: int


Word = Went | Failed


def main(words: list[str]) -> int:
    """Status 0 when the file is filled to its end."""
    import anyio

    belongs_to_parent()
    folder, path, by, *rest = words
    if fingerprint(ALL) != by:
        return ANOTHER
    current = Path(rest[0]) if rest else None
    try:
        anyio.run(_grow, Path(folder), Growth(path=Path(path), current=current, views=tuple(rest[1:])))
    except AftermindError as error:
        _say(failed(error))
        return error.status
    return 0


async def _grow(folder: Path, growth: Growth) -> None:
    async with sqlite_log_reader(folder / LOG) as log:
        await grown(growth, log, ALL, _told, ahead(folder, log))
        for _ in range(ROUNDS):
            async with database(growth.path, "scratch") as writer:
                seen = await writer.run(checkpoint)
                if await log.refresh() - seen < BATCH:
                    return
                goal = log.head.position
                await filled(writer, computed(log)(ALL, seen, goal), goal, _told)


def _told(done: int, total: int) -> None:
    _say(Went(done, total))


def _say(word: Word) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(word) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
