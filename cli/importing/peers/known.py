"""The programs whose memories can be imported, by the names they are given on the command line."""

from __future__ import annotations

from pathlib import Path

from aftermind.cli.importing.peers import (
    agentmemory,
    claude_mem,
    ocm,
    opencode_semantic_memory,
    roampal,
    rules,
)
from aftermind.cli.importing.peers.tables import is_database
from aftermind.cli.importing.peers.told import Peer
from aftermind.engine.errors import AftermindError
from aftermind.engine.sqlite import foreign

PEERS: dict[str, Peer] = {
    one.name: one
    for one in (
        roampal.PEER,
        opencode_semantic_memory.PEER,
        ocm.PEER,
        agentmemory.PEER,
        claude_mem.PEER,
        rules.PEER,
    )
}
_BY_TABLES = {
    roampal.NAME: ("collections", "embedding_metadata"),
    opencode_semantic_memory.NAME: ("memories", "archived_memories"),
    ocm.NAME: ("sessions", "session_chunks"),
    agentmemory.NAME: ("beliefs", "observations"),
    claude_mem.NAME: ("observations", "sdk_sessions"),
}


def recognised(path: Path) -> str | None:
    """Whose database a file is, by its tables."""
    if not path.is_file() or not is_database(path):
        return None
    try:
        with foreign(path) as connection:
            sql = "SELECT name FROM sqlite_master WHERE type = 'table'"
            names = {str(row[0]) for row in connection.execute(sql)}
    except (AftermindError, UnicodeDecodeError):
        return None
    return next((name for name, needed in _BY_TABLES.items() if names.issuperset(needed)), None)
