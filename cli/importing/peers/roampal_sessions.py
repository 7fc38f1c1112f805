"""roampal's sessions, as they were said: a file of JSON lines each, a line for the prompt and one for its answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from aftermind.cli.importing.exchange import Imported, Unreadable
from aftermind.cli.importing.lines import Undecodable, decoded, lines
from aftermind.cli.importing.peers.told import Left, at_text
from aftermind.engine.errors import Unusable
from aftermind.engine.zones import HERE

VERDICTS = Left("verdicts on exchanges", "roampal files them with the exchange after the one that was judged")


class _Line(Struct, frozen=True):
    role: str
    content: str = ""
    timestamp: str = ""
    doc_id: str = ""
    outcome: object = None


def exchanges(folder: Path, project: str | None) -> Iterator[Imported | Left | Unreadable]:
    """Each prompt that was answered."""
    judged = 0
    for file in sorted(folder.glob("*.jsonl")):
        asked: _Line | None = None
        try:
            for number, text in lines(file, lambda _: None):
                try:
                    line = decoded(text, _Line)
                except Undecodable as error:
                    yield Unreadable(f"{file.name} line {number}", str(error))
                    continue
                judged += line.outcome is not None
                if line.role == "user":
                    asked = line
                elif line.role == "assistant" and asked is not None:
                    yield Imported(
                        session=file.stem,
                        id=f"roampal {asked.timestamp or number}",
                        prompt=asked.content,
                        answer=line.content,
                        project=project,
                        at=at_text(asked.timestamp, HERE),
                    )
                    asked = None
        except Unusable as error:
            yield Unreadable(file.name, str(error))
    if judged:
        yield Left(VERDICTS.what, VERDICTS.why, judged)
