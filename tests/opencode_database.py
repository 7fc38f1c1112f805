"""A database as OpenCode makes it, and what stands in it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any


class OpenCode:
    """A database with OpenCode's tables."""

    def __init__(self, path: Path) -> None:
        self.path, self.clock = path, 1_795_252_567_000
        self.db = sqlite3.connect(path)
        self.db.executescript(
            """PRAGMA journal_mode=WAL;
            CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT,
              time_created INTEGER, unheard_of BLOB);
            CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER,
              data TEXT);
            CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
              time_updated INTEGER, data TEXT);
            CREATE INDEX part_message_idx ON part (message_id);"""
        )

    def session(self, id: str, directory: object, parent: str | None = None) -> None:
        self.clock += 1
        sql = "INSERT INTO session (id, parent_id, directory, time_created) VALUES (?, ?, ?, ?)"
        self.db.execute(sql, (id, parent, str(directory), self.clock))
        self.db.commit()

    def message(self, session: str, id: str, info: dict[str, object] | bytes, *parts: dict[str, object] | str) -> None:
        self.clock += 1
        data = info if isinstance(info, bytes) else json.dumps({"time": {"created": self.clock}, **info})
        self.db.execute("INSERT INTO message VALUES (?, ?, ?, 0, ?)", (id, session, self.clock, data))
        for number, part in enumerate(parts):
            body = json.dumps({"type": "text", "text": part} if isinstance(part, str) else part)
            self.db.execute("INSERT INTO part VALUES (?, ?, ?, 0, 0, ?)", (f"{id}-{number}", id, session, body))
        self.db.commit()

    def answer(self, session: str, id: str, to: str, *parts: dict[str, object] | str, **info: object) -> None:
        done = {"created": self.clock, "completed": self.clock}
        self.message(session, id, {"role": "assistant", "parentID": to, "time": done, **info}, *parts)

    def turn(self, session: str, id: str, prompt: str, answer: str, **info: object) -> None:
        self.message(session, id, {"role": "user"}, prompt)
        self.answer(session, f"{id}a", id, answer, **info)


def tool(name: str, state: dict[str, Any]) -> dict[str, object]:
    return {"type": "tool", "tool": name, "callID": "c", "state": state}
