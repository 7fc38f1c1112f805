"""What a memory is called: what its text names, and what its answer names besides."""

from __future__ import annotations

from pathlib import Path

import pytest

from aftermind.engine.events import Event, ExchangeRevised, MemoryCorrected, MemoryRecorded
from aftermind.engine.names import EventId, MemoryId, Scope, SessionId
from tests.given import append, draft, given_appends

pytestmark = pytest.mark.anyio
M, S, P, E = MemoryId("m"), SessionId("s"), Scope("p"), EventId("e0")
ASKED = "What is in src/parser.py?"


def told(answer: str) -> MemoryRecorded:
    return MemoryRecorded(
        memory=M, kind="exchange", collection="working", scope=P, text=ASKED, answer=answer, session=S, exchange=E
    )


def revised(answer: str) -> ExchangeRevised:
    return ExchangeRevised(session=S, exchange=E, memory=M, scope=P, answer=answer)


CORRECTED = MemoryCorrected(memory=M, scope=P, text=ASKED, answer="A Reader, in src/new_reader.py", reason="moved")


async def called(folder: Path, *events: Event) -> list[tuple[str, int]]:
    folder.mkdir()
    drafts = [draft(f"e{n}", event) for n, event in enumerate(events)]
    async with given_appends(folder, append("memory-m", *drafts)) as known:
        return [(name, given) for name, given in await known.rows("SELECT name, given FROM called ORDER BY name")]


async def test_a_fuller_answer_names_what_it_would_have_named_at_once(tmp_path: Path) -> None:
    whole = "parser.py has parse_all() and lib/words.py"
    at_once = await called(tmp_path / "one", told(whole))
    assert await called(tmp_path / "other", told("lib/old.py"), revised(whole)) == at_once
    assert ("parser.py", 0) in at_once
    assert ("parser.py", 2) not in at_once


async def test_what_was_corrected_is_not_called_as_a_late_fuller_answer_has_it(tmp_path: Path) -> None:
    late = revised("lib/old.py, and it is long")
    assert await called(tmp_path / "one", told("lib/old.py"), CORRECTED, late) == await called(
        tmp_path / "other", told("lib/old.py"), CORRECTED
    )
