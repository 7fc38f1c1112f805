"""What a memory, a book and a session look like as a page: facts in front, words below. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec
from msgspec import Struct

from aftermind.engine.events import ExchangeJudged, ExchangeRecorded, ExchangeRevised, SessionEnded, SessionStarted
from aftermind.engine.log import Recorded
from aftermind.engine.memories.particulars import Particulars
from aftermind.engine.names import EventId
from aftermind.projections.recalling.candidate import Candidate

FORGOTTEN = "(forgotten)"


class Turn(Struct, kw_only=True):
    """An exchange as it stands in the end."""

    id: EventId
    at: datetime
    prompt: str
    answer: str
    tools: tuple[str, ...] = ()
    verdict: str = ""


def memory_page(
    memory: Candidate,
    project: str,
    earlier: Sequence[tuple[datetime, str, str]],
    particulars: Particulars,
    linked: Sequence[tuple[str, str]] = (),
) -> str:
    """`earlier`: past wordings, the oldest first; `linked`: what it has to do with which other pages."""
    told = memory.outcomes
    facts = {
        "id": memory.memory,
        "kind": memory.kind,
        "collection": memory.collection,
        "status": memory.status,
        "project": project,
        "scope": memory.scope,
        "at": _time(memory.at),
        "expires": _time(memory.expires),
        "speaker": memory.speaker,
        "tags": list(memory.tags),
        "locked": memory.locked,
        "worked": told.worked,
        "partial": told.partial,
        "failed": told.failed,
        "session": memory.session,
        "exchange": memory.exchange,
        "replaced_by": memory.successor,
        "seen_again": memory.sightings,
        "valid_from": _time(particulars.since),
        "valid_until": _time(particulars.until),
        "review": _time(particulars.review),
        "reminder": _time(particulars.due),
        "resolved": particulars.resolved,
    }
    parts = [_front(facts), memory.text.strip()]
    if memory.answer.strip():
        parts += ["## Behind it" if particulars.in_words else "## Answer", memory.answer.strip()]
    if memory.summary.strip():
        parts += ["## In short", memory.summary.strip()]
    if linked:
        parts += ["## Links", "\n".join(f"- {words} [[{name}]]" for words, name in linked)]
    for at, text, answer in earlier:
        parts += [f"## Until {_time(at)}", "\n\n".join(part.strip() for part in (text, answer) if part.strip())]
    return "\n\n".join(parts) + "\n"


def book_page(chunks: Sequence[Candidate], project: str) -> str:
    """All of a book, in its order."""
    first = chunks[0]
    facts = {"id": first.book, "title": first.speaker, "project": project, "scope": first.scope, "chunks": len(chunks)}
    parts, place = [_front(facts), f"# {_one_line(first.speaker)}"], ""
    for chunk in chunks:
        if chunk.place and chunk.place != place:
            parts.append(f"## {_one_line(chunk.place)}")
        place = chunk.place
        parts.append(chunk.text.strip())
    return "\n\n".join(parts) + "\n"


def session_page(session: str, history: Iterable[Recorded], turns: Sequence[Turn], project: str) -> str:
    started, ended = None, None
    client = directory = scope = ""
    for recorded in history:
        match recorded.draft.event:
            case SessionStarted() as event:
                started, client, directory, scope = recorded.draft.at, event.client, event.directory, event.scope
            case SessionEnded():
                ended = recorded.draft.at
            case _:
                pass
    facts = {
        "session": session,
        "project": project,
        "scope": scope,
        "client": client,
        "directory": directory,
        "started": _time(started),
        "ended": _time(ended),
        "exchanges": len(turns),
    }
    parts = [_front(facts)]
    for number, turn in enumerate(turns, 1):
        parts += [f"## {number}. {_time(turn.at)}", turn.prompt.strip() or "(no prompt)", "### Answer"]
        parts.append(turn.answer.strip() or "(none)")
        if turn.tools:
            parts.append("Tools: " + ", ".join(map(_one_line, turn.tools)))
        if turn.verdict:
            parts.append(f"Verdict: {turn.verdict}")
    return "\n\n".join(parts) + "\n"


def turns_of(history: Iterable[Recorded], known: Mapping[str, bool]) -> list[Turn]:
    """The exchanges of a session in their order, each with its fullest answer and its last verdict. `known`: whether
    the memory born from one is still there; of one that was forgotten nothing is told."""
    found: dict[EventId, Turn] = {}
    for recorded in history:
        match recorded.draft.event:
            case ExchangeRecorded() as event:
                kept = known.get(event.memory, False)
                found[recorded.draft.id] = Turn(
                    id=recorded.draft.id,
                    at=recorded.draft.at,
                    prompt=event.prompt if kept else FORGOTTEN,
                    answer=event.answer if kept else FORGOTTEN,
                    tools=tuple(tool.name for tool in event.tools) if kept else (),
                )
            case ExchangeRevised() as event if event.exchange in found and known.get(event.memory, False):
                found[event.exchange].answer = event.answer
            case ExchangeJudged() as event if event.exchange in found:
                turn = found[event.exchange]
                words = f": {_one_line(event.evidence)}" if event.evidence and turn.prompt != FORGOTTEN else ""
                turn.verdict = f"{event.outcome} ({event.judge}){words}"
            case _:
                pass
    return list(found.values())


def _front(facts: Mapping[str, object]) -> str:
    """YAML, each value in JSON, which is YAML, too; without what says nothing."""
    told = {name: value for name, value in facts.items() if value not in (None, "", [], 0, False)}
    return "---\n" + "".join(f"{name}: {msgspec.json.encode(value).decode()}\n" for name, value in told.items()) + "---"


def _time(at: datetime | None) -> str:
    return "" if at is None else at.strftime("%Y-%m-%d %H:%M:%S UTC")


def _one_line(text: str) -> str:
    return " ".join(text.split())
