"""Another program may look into the databases while they are in use: it never takes a WAL from under who writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import aftermind
from aftermind.engine.beside_sqlite import bytes_of

pytestmark = pytest.mark.anyio
LOOKS = """
import sqlite3, sys
for name in sys.argv[1:]:
    database = sqlite3.connect(name)
    database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    database.close()
"""


def looked_into(folder: Path) -> None:
    """As with `sqlite3 log.db`: whoever closes a database last takes its WAL away."""
    databases = [str(path) for path in sorted(folder.glob("*.db"))]
    assert len(databases) == 3
    subprocess.run([sys.executable, "-c", LOOKS, *databases], check=True)


async def test_who_looks_into_the_databases_after_all_files_were_read_takes_no_wal_away(folder: Path) -> None:
    async with aftermind.open_memory(folder) as memory:
        id = await memory.remember("The quokkas parade at noon")
        await memory.embedded()
        await memory.verify()
        await memory.forget(id)
        looked_into(folder)
        assert len(list(folder.glob("*.db-wal"))) == 3
        await memory.remember("The penguins are fed at nine")


def test_a_database_is_read_from_its_first_byte_by_everybody(folder: Path) -> None:
    folder.mkdir()
    path = folder / "some.db"
    path.write_bytes(b"0123456789")
    with bytes_of(path) as one, bytes_of(path) as other:
        assert (one.read(4), other.read(4), one.read(), other.seek(0, 2)) == (b"0123", b"0123", b"456789", 10)
    path.unlink()
    with pytest.raises(FileNotFoundError), bytes_of(path):
        pass
    path.write_bytes(b"another")
    with bytes_of(path) as file:
        assert file.read() == b"another"
