"""Conversations of LoCoMo's shape: turns with dates, questions with the turns that answer them.

A file is a list of `{sample_id, conversation: {session_<n>_date_time, session_<n>: [{speaker, dia_id, text,
blip_caption?}]}, qa: [{question, evidence: [dia_id…], category}]}`. Nothing of it is part of the project.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
_MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_DATE = re.compile(r"(\d{1,2}):(\d\d)\s*([ap]m) on (\d{1,2}) (\w+),? (\d{4})")


class Turn(Struct, frozen=True, kw_only=True):
    id: str
    session: int
    speaker: str
    text: str
    date: str
    at: datetime


class Question(Struct, frozen=True, kw_only=True):
    text: str
    category: int
    gold: frozenset[str]


class Conversation(Struct, frozen=True, kw_only=True):
    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def conversations(path: Path) -> list[Conversation]:
    """All conversations of a file, or of the one `*.json` file in a folder."""
    file = path if path.is_file() else next(iter(sorted(path.glob("*.json"))))
    return [_conversation(sample) for sample in json.loads(file.read_text(encoding="utf-8"))]


def _conversation(sample: dict[str, Any]) -> Conversation:
    turns = tuple(_turns(sample["conversation"]))
    known = {turn.id for turn in turns}
    questions = []
    for qa in sample["qa"]:
        cited = (match for text in qa["evidence"] for match in _EVIDENCE.findall(text))
        gold = frozenset(f"D{session}:{turn}" for session, turn in cited) & known
        if gold:
            questions.append(Question(text=qa["question"], category=int(qa["category"]), gold=gold))
    return Conversation(id=str(sample["sample_id"]), turns=turns, questions=tuple(questions))


def _turns(conversation: dict[str, Any]) -> Iterator[Turn]:
    for session in range(1, 1000):
        said = conversation.get(f"session_{session}")
        if not isinstance(said, list):
            if f"session_{session}_date_time" not in conversation and session > 100:
                return
            continue
        date = str(conversation.get(f"session_{session}_date_time", ""))
        for turn in said:
            caption = f" [shared image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            match = _EVIDENCE.match(turn["dia_id"])
            id = f"D{match[1]}:{match[2]}" if match else turn["dia_id"]
            yield Turn(
                id=id,
                session=session,
                speaker=turn["speaker"],
                text=turn["text"] + caption,
                date=date,
                at=moment(date),
            )


def moment(date: str) -> datetime:
    """`1:56 pm on 8 May, 2023` as a time; a date that cannot be read is the beginning of 1970."""
    match = _DATE.search(date)
    if match is None or match[5] not in _MONTHS:
        return datetime(1970, 1, 1, tzinfo=UTC)
    hour = int(match[1]) % 12 + (12 if match[3] == "pm" else 0)
    return datetime(int(match[6]), _MONTHS.index(match[5]) + 1, int(match[4]), hour, int(match[2]), tzinfo=UTC)
