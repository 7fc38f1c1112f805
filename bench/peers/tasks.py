"""What every system is given: the memories of a data set, its questions, and what answers them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from bench.floors import Bm25
from bench.metrics import first_seen, summary
from bench.peers.shape import Memory, Question
from bench.sets import beam, locomo
from bench.stores import Prose, tokens

LIMIT = 10
SIZE, ASKED, STATED = 10_000, 50, 100
"""Memories of the store that is only asked how long it takes, its questions, and of how many memories one is a fact."""


@dataclass(frozen=True, kw_only=True)
class Task:
    name: str
    memories: list[Memory]
    questions: list[Question]
    gold: list[Collection[str]]
    counted: list[int]
    """The questions of the turn level: without the adversarial ones. Of none only the time counts."""

    @property
    def only_time(self) -> bool:
        return not self.counted

    def figures(self, rankings: list[list[str]]) -> dict[str, float]:
        """Of turns, and of the sessions they are in; nothing where only the time counts."""
        if self.only_time:
            return {}
        turns = summary((rankings[n][:LIMIT], self.gold[n]) for n in self.counted)
        session_of = {memory["id"]: memory["session"] for memory in self.memories}
        sessions = summary(
            (first_seen(session_of[id] for id in ranking[:LIMIT]), {session_of[id] for id in gold})
            for ranking, gold in zip(rankings, self.gold, strict=True)
        )
        return {**turns, "session R@5": sessions["R@5"], "session NDCG@10": sessions["NDCG@10"]}

    def floor(self) -> list[list[str]]:
        index = Bm25((memory["project"], memory["id"], memory["said"]) for memory in self.memories)
        return [index.search(question["text"], question["project"], LIMIT) for question in self.questions]


def locomo_task(data: Path) -> Task | None:
    found = locomo.find(data)
    if found is None:
        return None
    read = locomo.conversations(found)
    questions = [(c, question) for c in read for question in c.questions]
    return Task(
        name=locomo.NAME,
        memories=[
            Memory(
                id=f"{c.id} {turn.id}",
                project=c.project,
                session=f"{c.id} {turn.session}",
                speaker=turn.speaker,
                text=turn.text,
                said=turn.dated,
                at=turn.at.isoformat(),
                stated=False,
            )
            for c in read
            for turn in c.turns
        ],
        questions=[Question(project=c.project, text=question.text) for c, question in questions],
        gold=[{f"{c.id} {turn}" for turn in question.gold} for c, question in questions],
        counted=[n for n, (_, question) in enumerate(questions) if question.category != 5],
    )


def beam_task(data: Path) -> Task | None:
    """The users' messages."""
    found = beam.find(data)
    if found is None:
        return None
    read = beam.chats(found)
    memories = [
        Memory(
            id=f"{chat.id} {message.id}",
            project=f"chat {chat.id}",
            session=f"{chat.id} {message.session}",
            speaker=message.role,
            text=message.text,
            said=message.text,
            at=message.at.isoformat(),
            stated=False,
        )
        for chat in read
        for message in chat.messages
        if message.role == "user"
    ]
    known = {memory["id"] for memory in memories}
    asked = [(chat, q, {f"{chat.id} {id}" for id in q.gold}) for chat in read for q in chat.questions if q.gold]
    asked = [(chat, q, gold) for chat, q, gold in asked if gold & known]
    return Task(
        name=beam.NAME,
        memories=memories,
        questions=[Question(project=f"chat {chat.id}", text=q.text) for chat, q, _ in asked],
        gold=[gold & known for *_, gold in asked],
        counted=list(range(len(asked))),
    )


def size_task(data: Path) -> Task:
    """One project of 10,000 made-up memories, one in a hundred a fact that was stated; and fifty questions."""
    prose, start = Prose(1, tokens()), datetime(2026, 1, 1, tzinfo=UTC)
    texts = [prose.text() for _ in range(SIZE)]
    memories = []
    for n, text in enumerate(texts):
        at = start + timedelta(minutes=n)
        memories.append(
            Memory(
                id=f"m{n}",
                project="size",
                session=f"s{n // 20}",
                speaker="user",
                text=text,
                said=f"user, {at:%Y-%m-%d}: {text}",
                at=at.isoformat(),
                stated=n % STATED == 0,
            )
        )
    asked = [prose.question(text) for text in Random(1).sample(texts, ASKED)]
    return Task(
        name="size",
        memories=memories,
        questions=[Question(project="size", text=text) for text in asked],
        gold=[set() for _ in asked],
        counted=[],
    )
