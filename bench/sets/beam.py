"""Long chats with an assistant: find the messages an answer needs, over ten abilities.

A file is a gzip of one chat a line: `{chat_id, messages: [{id, role, content, batch, turn, time_anchor?}], questions:
[{qid, ability, question, gold_message_ids}]}`. Three ways in, a project each: the users' messages alone, all messages,
and whole exchanges through `record`, as a client keeps them. An exchange that comes back counts as its user's message,
among all messages as that and then the answer. Questions without gold are not ranked; those on abstention should be
shown nothing.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from msgspec import Struct
from rich.progress import track

import aftermind
from bench.floors import STOP, STOP_OWN, Bm25, dense, fused
from bench.metrics import COLUMNS
from bench.opening import Stores
from bench.reporting import Report, Table
from bench.systems import Pair, System

NAME = "beam"
DEPTH = 50
ABSTENTION = "abstention"
EXCHANGES = "exchanges"
START = datetime(2024, 1, 1, tzinfo=UTC)
_MONTHS = "January February March April May June July August September October November December".split()


class Message(Struct, frozen=True, kw_only=True):
    id: str
    role: str
    text: str
    session: str
    at: datetime


class Question(Struct, frozen=True, kw_only=True):
    text: str
    ability: str
    gold: frozenset[str]


class Chat(Struct, frozen=True, kw_only=True):
    id: str
    messages: tuple[Message, ...]
    questions: tuple[Question, ...]

    def project(self, way: str) -> str:
        return f"chat {self.id} {way}"


def find(data: Path) -> Path | None:
    if data.is_file():
        return data
    return next(iter([*sorted((data / NAME).glob("*.jsonl.gz")), *sorted(data.glob("beam*.jsonl.gz"))]), None)


def chats(file: Path) -> list[Chat]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [_chat(json.loads(line)) for line in lines]


def _chat(raw: dict[str, Any]) -> Chat:
    questions = [
        Question(text=q["question"], ability=q["ability"], gold=frozenset(map(str, q["gold_message_ids"])))
        for q in raw["questions"]
    ]
    return Chat(id=str(raw["chat_id"]), messages=tuple(_messages(raw["messages"])), questions=tuple(questions))


def _messages(raw: Sequence[dict[str, Any]]) -> Iterator[Message]:
    """The messages a minute apart, from the date on that their batch begins with."""
    at = START
    for message in raw:
        anchor = moment(message["time_anchor"]) if message.get("time_anchor") else None
        at = max(at, anchor) if anchor is not None else at + timedelta(minutes=1)
        session = f"batch {message['batch']}"
        yield Message(id=str(message["id"]), role=message["role"], text=message["content"], session=session, at=at)


def moment(anchor: str) -> datetime | None:
    """`March-15-2024` as a time."""
    month, _, rest = anchor.partition("-")
    day, _, year = rest.partition("-")
    if month not in _MONTHS or not day.isdigit() or not year.isdigit():
        return None
    return datetime(int(year), _MONTHS.index(month) + 1, int(day), tzinfo=UTC)


async def measured(found: Path, stores: Stores) -> Report:
    read = chats(found)
    pairs = {way: Pair(f", {way}", DEPTH) for way in ("user messages", "all messages", "exchanges")}
    empty: dict[str, list[bool]] = {way: [] for way in pairs}
    async with stores.filled(NAME, lambda memory: _fill(memory, read)) as (memory, message_of):
        for chat in track(read, description="chats", transient=True):
            for question in chat.questions:
                for way, pair in pairs.items():
                    if question.gold:
                        await pair.ask(memory, question.text, chat.project(way), message_of)
                    elif question.ability == ABSTENTION:
                        shown = await memory.recall(question.text, project=chat.project(way), prompt=True)
                        empty[way].append(not shown)
    asked = [(chat, question) for chat in read for question in chat.questions if question.gold]
    floors = stores.once(NAME, lambda: _floors(read, asked, stores.setting.model))
    return _report(read, pairs, empty, floors)


async def _fill(memory: aftermind.OpenMemory, read: Sequence[Chat]) -> dict[str, str]:
    """The chats in all three ways; which memory is which message (of an exchange, the user's)."""
    message_of: dict[str, str] = {}
    for chat in track(read, description="keeping", transient=True):
        for way in ("user messages", "all messages"):
            for message in chat.messages:
                if message.role == "user" or way == "all messages":
                    id = await memory.remember(
                        message.text,
                        kind="conversation",
                        project=chat.project(way),
                        speaker=message.role,
                        session=f"{chat.project(way)} {message.session}",
                        at=message.at,
                    )
                    message_of[id] = message.id
    return message_of | await fill_exchanges(memory, read)


async def fill_exchanges(memory: aftermind.OpenMemory, read: Sequence[Chat]) -> dict[str, str]:
    """The chats as a client records them; which memory is which message of the user's."""
    message_of: dict[str, str] = {}
    for chat in track(read, description="keeping exchanges", transient=True):
        project = chat.project(EXCHANGES)
        for asked, answered in _exchanges(chat):
            kept = await memory.record(
                asked.text,
                answered.text if answered else "",
                session=f"{project} {asked.session}",
                project=project,
                id=asked.id,
                at=asked.at,
                collection="history",
            )
            message_of[kept.memory] = asked.id
    return message_of


def _exchanges(chat: Chat) -> Iterator[tuple[Message, Message | None]]:
    for message, following in zip(chat.messages, [*chat.messages[1:], None], strict=True):
        if message.role == "user":
            yield message, following if following is not None and following.role != "user" else None


def _report(
    read: Sequence[Chat], pairs: dict[str, Pair], empty: dict[str, list[bool]], floors: dict[str, list[System]]
) -> Report:
    asked = [(chat, question) for chat in read for question in chat.questions if question.gold]
    gold = [question.gold for _, question in asked]
    answer_of = {chat.id: {a.id: b.id for a, b in _exchanges(chat) if b is not None} for chat in read}
    user, everything, exchanges = pairs["user messages"], pairs["all messages"], pairs["exchanges"]
    spread = [
        System(pair.name, [_with_answers(r, answer_of[c.id]) for (c, _), r in zip(asked, pair.rankings, strict=True)])
        for pair in exchanges.both
    ]
    views = {
        "user messages": [*floors["user messages"], *user.both, *exchanges.both],
        "all messages": [*floors["all messages"], *everything.both, *spread],
    }
    columns = (*COLUMNS, "questions")
    tables = [
        Table(title=view, columns=columns, rows={s.name: s.summary(gold) for s in systems})
        for view, systems in views.items()
    ]
    abilities = sorted({question.ability for _, question in asked})
    for view, systems in views.items():
        rows = {
            ability: {
                s.name.removeprefix("aftermind, "): s.summary(
                    gold, [n for n, (_, question) in enumerate(asked) if question.ability == ability]
                ).get("R@10")
                for s in systems
            }
            for ability in abilities
        }
        named = tuple(
            s.name.removeprefix("aftermind, ") for s in systems if "shipped" not in s.name and "one index" not in s.name
        )
        tables.append(Table(title=f"R@10 by ability, {view}", columns=named, rows=rows))
    report = Report(
        tables=tables,
        headline={
            "user NDCG@10": user.deep.summary(gold)["NDCG@10"],
            "user R@10": user.deep.summary(gold)["R@10"],
            "all NDCG@10": everything.deep.summary(gold)["NDCG@10"],
            "exchange NDCG@10": exchanges.deep.summary(gold)["NDCG@10"],
            "exchange R@10": exchanges.deep.summary(gold)["R@10"],
            "shipped exchange R@5": exchanges.shipped.summary(gold)["R@5"],
        },
    )
    for way, nothing in empty.items():
        if nothing:
            share = fmean(nothing)
            report.headline[f"abstained, {way}"] = share
            report.notes.append(f"{way}, shipped: nothing shown for {share:.0%} of {len(nothing)} questions to abstain")
    report.timed(system for pair in pairs.values() for system in pair.both)
    return report


def _with_answers(ranking: Sequence[str], answer_of: dict[str, str]) -> list[str]:
    """An exchange is its user's message and then the answer."""
    return [id for asked in ranking for id in (asked, answer_of.get(asked)) if id is not None][:DEPTH]


def _floors(
    read: Sequence[Chat], asked: Sequence[tuple[Chat, Question]], model: str = "none"
) -> dict[str, list[System]]:
    """An index a chat, as the published figures have it; one over all of them knows better which words are rare. With a
    model, the users' messages also by its cosines, and fused."""

    def ranked(name: str, stop: Collection[str], users_only: bool, pooled: bool = False) -> System:
        documents = {
            chat.id: [(chat.id, m.id, m.text) for m in chat.messages if m.role == "user" or not users_only]
            for chat in read
        }
        together = Bm25([document for own in documents.values() for document in own], stop) if pooled else None
        index = {id: together or Bm25(own, stop) for id, own in documents.items()}
        return System(name, [index[chat.id].search(question.text, chat.id, DEPTH) for chat, question in asked])

    users = [
        ranked("BM25", STOP, True),
        ranked("BM25 *", STOP_OWN, True),
        ranked("BM25, one index over all chats", STOP, True, pooled=True),
    ]
    vectors = dense(model, lambda: [(c.id, m.id, m.text) for c in read for m in c.messages if m.role == "user"])
    if vectors is not None:
        near = [vectors.search(question.text, chat.id, DEPTH) for chat, question in asked]
        both = zip(users[0].rankings, near, strict=True)
        users += [System("dense", near), System("RRF BM25 + dense", [fused(*pair, limit=DEPTH) for pair in both])]
    return {
        "user messages": users,
        "all messages": [ranked("BM25", STOP, False), ranked("BM25 *", STOP_OWN, False)],
    }
