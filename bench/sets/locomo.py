"""Long two-person chats: find the turns, and the sessions, that hold the evidence for a question.

A file is a list of `{sample_id, conversation: {session_<n>_date_time, session_<n>: [{speaker, dia_id, text,
blip_caption?}]}, qa: [{question, evidence: [dia_id…], category}]}`. Every conversation goes in turn by turn as one
project; every question is asked in its project. Every fifth is also asked in the next conversation, where nothing
should be shown for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from msgspec import Struct
from rich.progress import track

import aftermind
from bench.metrics import COLUMNS, first_seen, summary
from bench.opening import Stores
from bench.reporting import Report, Table
from bench.sets.locomo_floors import floors, whole_sessions
from bench.systems import Pair, System

NAME = "locomo"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
_MONTHS = "January February March April May June July August September October November December".split()
_DATE = re.compile(r"(\d{1,2}):(\d\d)\s*([ap]m) on (\d{1,2}) (\w+),? (\d{4})")


class Turn(Struct, frozen=True, kw_only=True):
    id: str
    session: int
    speaker: str
    text: str
    date: str
    at: datetime

    @property
    def dated(self) -> str:
        return f"[{self.date}] {self.speaker}: {self.text}"


class Question(Struct, frozen=True, kw_only=True):
    text: str
    category: int
    gold: frozenset[str]


class Conversation(Struct, frozen=True, kw_only=True):
    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def project(self) -> str:
        return f"conversation {self.id}"


def find(data: Path) -> Path | None:
    """The file, the folder it is in, or the folder of all sets."""
    if data.is_file():
        return data
    return next(iter([*sorted((data / NAME).glob("*.json")), *sorted(data.glob("locomo*.json"))]), None)


def conversations(file: Path) -> list[Conversation]:
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


def session_of(turn: str) -> str:
    return turn.split(":")[0]


async def measured(found: Path, stores: Stores) -> Report:
    read = conversations(found)
    pair, foreign = Pair(), System("aftermind, asked in another conversation")
    async with stores.filled(NAME, lambda memory: fill(memory, read)) as (memory, turn_of):
        for conversation, other in track(
            list(zip(read, [*read[1:], read[0]], strict=True)), description="conversations", transient=True
        ):
            for number, question in enumerate(conversation.questions):
                await pair.ask(memory, question.text, conversation.project, turn_of)
                if number % 5 == 0 and other is not conversation:
                    await foreign.ask(memory, question.text, other.project, turn_of)
    by_turn = stores.once(f"{NAME} turns", lambda: floors(read, stores.setting.model))
    whole = stores.once(f"{NAME} sessions", lambda: whole_sessions(read))
    return _report(read, [*by_turn, *pair.both], whole, pair, foreign)


async def fill(memory: aftermind.OpenMemory, read: Sequence[Conversation]) -> dict[str, str]:
    """All turns as memories; which memory is which turn."""
    turn_of: dict[str, str] = {}
    for conversation in track(read, description="keeping", transient=True):
        for turn in conversation.turns:
            id = await memory.remember(
                turn.text,
                kind="conversation",
                project=conversation.project,
                speaker=turn.speaker,
                session=f"{conversation.id}-{turn.session}",
                at=turn.at,
            )
            turn_of[id] = turn.id
    return turn_of


def _report(
    read: Sequence[Conversation], systems: Sequence[System], whole: System, pair: Pair, foreign: System
) -> Report:
    questions = [question for conversation in read for question in conversation.questions]
    gold = [question.gold for question in questions]
    answerable = [n for n, question in enumerate(questions) if question.category != 5]
    sessions = [{session_of(turn) for turn in turns} for turns in gold]
    rolled = {s.name: summary(zip(map(_rolled_up, s.rankings), sessions, strict=True)) for s in systems}
    rolled[whole.name] = whole.summary(sessions)
    columns = (*COLUMNS, "questions")
    tables = [
        Table(
            title="turn, without adversarial",
            columns=columns,
            rows={s.name: s.summary(gold, answerable) for s in systems},
        ),
        Table(title="turn, all questions", columns=columns, rows={s.name: s.summary(gold) for s in systems}),
        Table(title="session, all questions", columns=columns, rows=rolled),
        Table(
            title="NDCG@10 of turns by category",
            columns=tuple(CATEGORIES.values()),
            rows={
                s.name: {
                    name: s.summary(gold, [n for n, q in enumerate(questions) if q.category == c]).get("NDCG@10")
                    for c, name in CATEGORIES.items()
                }
                for s in systems
            },
        ),
    ]
    deep, shipped = pair.deep, pair.shipped
    empty = fmean(not ranking for ranking in shipped.rankings)
    intruding = fmean(bool(ranking) for ranking in foreign.rankings) if foreign.rankings else 0.0
    report = Report(
        tables=tables,
        headline={
            "turn NDCG@10": tables[0].rows[deep.name]["NDCG@10"] or 0.0,
            "turn R@10": tables[0].rows[deep.name]["R@10"] or 0.0,
            "turn NDCG@10, all questions": tables[1].rows[deep.name]["NDCG@10"] or 0.0,
            "session NDCG@10": rolled[deep.name]["NDCG@10"],
            "shipped turn R@5": tables[0].rows[shipped.name]["R@5"] or 0.0,
            "shipped turn NDCG@10": tables[0].rows[shipped.name]["NDCG@10"] or 0.0,
            "shipped: nothing shown ↓": empty,
            "shipped: shown for another's question ↓": intruding,
        },
        notes=[
            f"{shipped.name}: nothing shown for {empty:.1%} of the questions",
            f"{shipped.name}: something shown for {intruding:.1%} of the questions asked in another conversation",
        ],
    )
    report.timed(pair.both)
    return report


def _rolled_up(ranking: Sequence[str]) -> list[str]:
    return first_seen(map(session_of, ranking))
