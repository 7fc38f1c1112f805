"""Whole lives of memories, as hypothesis may tell them: sessions, exchanges, verdicts, by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from msgspec import Raw, structs

from aftermind.engine import memory as life
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.event_forms.particulars import MemoriesTidied
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    CapturePaused,
    CaptureResumed,
    CheckpointWritten,
    ContextInjected,
    ExchangeJudged,
    ExchangeRecorded,
    ExchangeRevised,
    JudgementAbandoned,
    JudgementRequested,
    Known,
    MemoriesLinked,
    MemoriesUnlinked,
    MemoryRecorded,
    MemorySummarized,
    MemoryVerdict,
    ModelAnswered,
    ModelAsked,
    ProjectAliased,
    ProjectSeen,
    PromptReceived,
    ScoringResumed,
    ScoringStopped,
    SessionContinued,
    SessionEnded,
    SessionStarted,
    Shown,
    SummaryRequested,
    ToolHeld,
    ToolUse,
    ToolUsed,
    Unknown,
    WordsForgotten,
)
from aftermind.engine.log import Append, Draft
from aftermind.engine.memories.book import Chunk, Shelved, book_of, chunk_of, to_record
from aftermind.engine.memory import Memory
from aftermind.engine.names import (
    FORGETTING,
    OUTCOMES,
    SCORING,
    TIDYING,
    BookId,
    Collection,
    Digest,
    EventId,
    Label,
    MemoryId,
    Scope,
    SessionId,
    StreamName,
    book_stream,
    memory_stream,
    pause_stream,
    session_stream,
    spending_stream,
)
from aftermind.engine.policy import Lifecycle
from tests.given import NOON, simulated
from tests.histories_forges import OF_FORGES, told_of_others
from tests.histories_kinds import particular
from tests.histories_projects import WITH_TEXT

RULES = Lifecycle()
RELATIONS = (Label("seen-again"), Label("contradicts"), Label("corrects"))
SPENDING = spending_stream(NOON.date())
SCOPES = (Scope("global"), Scope("p1"))
WORDS = ("On push: make", "漢字のメモ", "the port is 5432", 'it\'s "quoted"', "", "👩‍💻 pairs", "שלום port")
STEPS = (
    *("remember", "exchange", "exchange", "context", "revise", "judge", "score", "score", "score", "correct"),
    *("supersede", "lock", "unlock", "archive", "restore", "promote", "demote", "expire", "forget", "forget"),
    *("prompt", "end", "project", "future", "ingest", "ingest", "broken off", "remove", "pause", "resume"),
    *("prompt", "late", "judge", "verdict", "verdict", "request", "abandon", "ask", "answer", "stop", "link"),
    *("link", "learn", "learn", "shorten", "unsay", "unsay", "unlink", "tool", "tool", "checkpoint", "alive"),
    *("detail", "detail", "date", "plan", "review", "remind", "snooze", "done", "resolve", "resolve", "reopen", "tidy"),
    *("share", "share", "item", "item", "item", "forge", "forge"),
)
_step = st.tuples(st.sampled_from(STEPS), st.integers(0, 5), st.integers(0, 5), st.sampled_from(WORDS))
steps = st.lists(_step, min_size=12, max_size=40)  # else 5 on average: nearly nothing happens twice to one memory


@st.composite
def histories(draw: st.DrawFn) -> list[Append]:
    """What a store may hold: sessions, exchanges, verdicts, the lives of memories, all by the rules."""
    return History().told(draw(steps))


class History:
    """Tells a story step by step; a step the rules refuse is left out."""

    def __init__(self) -> None:
        self.appends: list[Append] = []
        self._stamp = simulated()
        self._memories: dict[MemoryId, Memory] = {}
        self._exchanges: dict[EventId, ExchangeRecorded] = {}
        self._injections: list[EventId] = []
        self._prompt: EventId | None = None
        self._said: list[EventId] = []
        self._asked: list[tuple[EventId, EventId]] = []
        self._born = 0
        self._chunks: dict[MemoryId, tuple[BookId, Shelved]] = {}
        self._forgotten: set[MemoryId] = set()

    def told(self, steps: Sequence[tuple[str, int, int, str]]) -> list[Append]:
        for step, one, two, text in steps:
            self._step(step, one, two, text)
        return self.appends

    def _step(self, step: str, one: int, two: int, text: str) -> None:
        session, scope = SessionId(f"s{one % 2}"), SCOPES[two % 2]
        match step:
            case "remember":
                self._remember(self._new_memory(), scope, text)
            case "exchange":
                self._exchange(session, scope, text)
            case "context":
                shown = tuple(
                    Shown(memory=id, rank=rank, score=0.5, reasons=(text,))
                    for rank, id in enumerate(list(self._memories)[one : one + two], start=1)
                )
                event = ContextInjected(session=session, scope=scope, query=text, shown=shown, tokens=two)
                self._injections.append(self._append(session_stream(session), event, self._prompt))
            case "revise" if exchange := _pick(self._exchanges, one):
                id, first = exchange
                event = ExchangeRevised(
                    session=first.session,
                    scope=first.scope,
                    exchange=id,
                    memory=first.memory,
                    answer=first.answer + text,
                )
                self._append(session_stream(first.session), event, id)
            case "learn" if exchange := _pick(self._exchanges, one):
                id, told = exchange
                self._remember(self._new_memory(), told.scope, text, id, learned=True)
            case "judge" | "verdict" | "request" | "abandon" | "ask" if exchange := _pick(self._exchanges, one):
                self._judged(step, *exchange, two)
            case "prompt" | "late":
                event = PromptReceived(session=session, scope=scope, text=text)
                late = timedelta(seconds=20 * one) if step == "late" else timedelta()
                self._prompt = self._append(session_stream(session), event, late=late)
                self._said.append(self._prompt)
            case "answer" if self._asked:
                fault = Label(("", "unreadable", "timeout", "too-long")[two % 4])
                asked, about = self._asked[one % len(self._asked)]
                answered = ModelAnswered(
                    asked=asked, calls=one, tokens_in=two, dollars=0.25, failed=fault, exchange=about
                )
                self._append(SPENDING, answered, asked)
            case "stop":
                self._append(SCORING, ScoringStopped(why=Label("limited"), said=text) if two else ScoringResumed())
            case "end":
                self._append(session_stream(session), SessionEnded(session=session, reason=Label("ended")))
            case "project" | "share" | "item" | "forge":
                self._append(*told_of_others(step, one, two, text, scope, self.appends))
            case "ingest" | "broken off":
                self._ingest(scope, one, two, text or "untitled", listed=step == "ingest")
            case "remove" if chunk := _pick(self._chunks, one):
                book, scope = chunk[1][0], self._scope_of(chunk[1][0])
                self._append(book_stream(book), BookRemoved(book=book, scope=scope))
                self._stand(book, ())
            case "unsay":
                named = self._besides(one, two)
                if named:
                    self._append(FORGETTING, WordsForgotten(scope=scope, quoted_in=named))
            case "tool":
                used = ToolUsed(session=session, scope=scope, tool=ToolUse(name="Bash"), turn=self._prompt)
                self._append(session_stream(session), used, self._prompt)
            case "checkpoint":
                moment, why = Label(("before", "after")[one % 2]), Label("manual")
                written = CheckpointWritten(
                    session=session, scope=scope, moment=moment, trigger=why, text=text, goal=text, done=(text,) * one
                )
                self._append(session_stream(session), written)
            case "alive":
                self._append(session_stream(session), SessionContinued(session=session))
                self._append(session_stream(session), ToolHeld(session=session, scope=scope, uses=one))
            case "tidy":
                self._append(TIDYING, MemoriesTidied(how=Label("archive"), memories=one, undone=bool(two % 2)))
            case "pause":
                until = self._stamp.now() + timedelta(hours=one) if one else None
                self._append(pause_stream(scope), CapturePaused(scope=scope, until=until))
            case "resume":
                self._append(pause_stream(scope), CaptureResumed(scope=scope))
            case "future":
                self._append(StreamName("dream-1"), Unknown(tag="dreamt", raw=Raw(b'{"type":"dreamt"}')))
            case _ if memory := _pick(self._memories, one):
                self._decide(memory[0], step, two, text)

    def _decide(self, id: MemoryId, step: str, two: int, text: str) -> None:
        memory, now = self._memories[id], self._stamp.now() + timedelta(days=two * 20)
        verdict = MemoryVerdict(memory=id, outcome=OUTCOMES[two % 4], occasion=EventId(f"o{two}{len(text)}"))
        decisions: dict[str, Callable[[], Sequence[Known]]] = {
            "score": lambda: life.score(memory, verdict, Label(("cues", "person")[two % 2]), now, RULES),
            "correct": lambda: life.correct(memory, text, "because"),
            "supersede": lambda: life.supersede(memory, MemoryId(f"m{two}"), ""),
            "lock": lambda: life.lock(memory),
            "unlock": lambda: life.unlock(memory),
            "archive": lambda: life.archive(memory, text),
            "restore": lambda: life.restore(memory, now, RULES),
            "promote": lambda: life.promote(memory, now, RULES),
            "demote": lambda: life.demote(memory, now, RULES),
            "expire": lambda: life.expire(memory, now),
            "forget": lambda: life.forget(memory, self._quoted_in(id)),
            "link": lambda: (
                MemoriesLinked(memory=id, other=MemoryId(f"m{two}"), relation=RELATIONS[two % 3], evidence=text),
                MemorySummarized(memory=id, summary=text),
            ),
            "unlink": lambda: tuple(
                MemoriesUnlinked(memory=id, link=one.drafts[0].id)
                for one in self.appends
                if isinstance(one.drafts[0].event, MemoriesLinked) and one.drafts[0].event.memory == id
            )[: two % 3],
            "shorten": lambda: (SummaryRequested(memory=id, most=two),),
            **particular(memory, two, text, self._stamp.now()),
        }
        try:
            decided = decisions.get(step, tuple)()
        except (Refused, NotFound):
            return
        for event in decided:
            self._append(memory_stream(id), event)
            after = life.evolve(self._memories[id], event)
            assert after is not None
            self._memories[id] = after
        if step == "shorten" and two % 2:
            fault = Label(("unreadable", "timeout")[two // 2 % 2])
            self._append(SPENDING, ModelAnswered(asked=EventId("a"), calls=1, failed=fault, memory=id))
        if self._memories[id].forgotten:
            del self._memories[id]
            self._chunks.pop(id, None)
            self._forgotten.add(id)

    def _remember(
        self,
        id: MemoryId,
        scope: Scope,
        text: str,
        exchange: EventId | None = None,
        answer: str = "",
        collection: Collection = "working",
        learned: bool = False,
    ) -> None:
        is_exchange = exchange is not None and not learned
        event = MemoryRecorded(
            memory=id,
            kind="exchange" if is_exchange else ("fact", "blocker", "plan", "directive")[len(text) % 4],  # type: ignore[arg-type]
            collection=collection if is_exchange else "memory_bank",
            scope=scope,
            text=text,
            answer=answer,
            exchange=exchange,
            session=SessionId("s0") if exchange else None,
            expires=RULES.expiry("working", "exchange", self._stamp.now()) if is_exchange else None,
            evidence=text if learned else "",
        )
        self._append(memory_stream(id), event)
        memory = life.evolve(None, event)
        assert memory is not None
        self._memories[id] = memory

    def _exchange(self, session: SessionId, scope: Scope, text: str) -> None:
        memory = self._new_memory()
        if not any(append.stream == session_stream(session) for append in self.appends):
            self._append(session_stream(session), SessionStarted(session=session, scope=scope, directory="/work"))
        shown, self._injections = tuple(self._injections), []
        event = ExchangeRecorded(
            session=session, scope=scope, memory=memory, prompt=text, answer="yes", injections=shown
        )
        because = shown[-1] if shown else self._prompt
        id = self._append(session_stream(session), event, because)
        self._said.append(id)
        self._exchanges[id] = event
        self._remember(memory, scope, text, id, "yes", "history" if text == "" else "working")

    def _judged(self, step: str, id: EventId, exchange: ExchangeRecorded, two: int) -> None:
        session, judge = exchange.session, Label(("cues", "model", "person")[two % 3])
        event: Known
        match step:
            case "request":
                why = Label(("retry", "extract")[two % 2])
                event = JudgementRequested(session=session, exchange=id, why=why, judge=judge)
            case "abandon":
                event = JudgementAbandoned(session=session, exchange=id, judge=judge, why=Label("garbled"), attempts=3)
            case "ask":
                asked = ModelAsked(model=Label("m"), purpose=Label("judge"), tokens=two, exchange=id)
                self._asked.append((self._append(SPENDING, asked), id))
                return
            case _:
                verdicts = (MemoryVerdict(memory=exchange.memory, outcome="worked", occasion=id),) if two % 2 else ()
                later = self._said[two % len(self._said)] if step == "verdict" and self._said else None
                event = ExchangeJudged(
                    session=session, exchange=id, outcome="worked", memories=verdicts, judge=judge, follow_up=later
                )
        said = self._append(session_stream(session), event, id)
        if step == "verdict" and exchange.memory in self._memories:
            summary = MemorySummarized(memory=exchange.memory, summary=f"in short {two}")
            self._append(memory_stream(exchange.memory), summary, said)
            known = next(iter(self._memories))
            link = MemoriesLinked(memory=known, other=exchange.memory, relation=RELATIONS[0])
            self._append(memory_stream(known), link, said)

    def _ingest(self, scope: Scope, one: int, two: int, title: str, *, listed: bool) -> None:
        """An edition of one of two books a scope: some of the words in a row; or one that is never finished."""
        book = book_of(scope, f"/{one % 2}")
        said = [Chunk(text=WORDS[(one + n) % len(WORDS)], place=f"part {two % 2}") for n in range(two)]
        chunks = {chunk_of(book, chunk): chunk for chunk in said}
        known = {
            id: structs.replace(self._chunks[id][1], text=self._memories[id].text)
            for id in chunks
            if id in self._chunks
        }
        for event in to_record(book, scope, title, chunks, known, self._forgotten):
            self._append(memory_stream(event.memory), event)
            if event.memory not in self._memories:
                memory = life.evolve(None, event)
                assert memory is not None
                self._memories[event.memory] = memory
            before = self._chunks.get(event.memory)
            standing = "in" if before is not None and before[1].standing == "in" else "coming"
            shelved = Shelved(text=event.text, title=title, place=event.place, standing=standing)
            self._chunks[event.memory] = (book, shelved)
        if listed:
            form, digest = Label("text"), Digest(f"{one}")
            ids = tuple(id for id in chunks if id not in self._forgotten)
            pages, ends = tuple(range(two // 2)), tuple(range(one % 2, one % 2 + two // 2))
            event = BookIngested(
                book=book, scope=scope, path="/", title=title, form=form, digest=digest, size=1, chunks=ids,
                pages=pages, ends=ends, turns=tuple((n, two) for n in pages),
            )  # fmt: skip
            self._append(book_stream(book), event)
            self._stand(book, ids)

    def _stand(self, book: BookId, listed: Sequence[MemoryId]) -> None:
        for id, (mine, shelved) in self._chunks.items():
            if mine == book:
                self._chunks[id] = (book, structs.replace(shelved, standing="in" if id in listed else "out"))

    def _scope_of(self, book: BookId) -> Scope:
        return next(scope for scope in SCOPES for one in "01" if book_of(scope, f"/{one}") == book)

    def _new_memory(self) -> MemoryId:
        self._born += 1
        return MemoryId(f"m{self._born}")

    def _quoted_in(self, memory: MemoryId) -> tuple[EventId, ...]:
        """What holds the words of a memory's exchange: itself, what followed from it, its injections, their prompts."""
        links = [one.drafts[0] for one in self.appends if isinstance(one.drafts[0].event, MemoriesLinked)]
        linked = tuple(one.id for one in links if one.event.other == memory)  # type: ignore[union-attr]
        for id, exchange in self._exchanges.items():
            if exchange.memory == memory:
                drafts = [one.drafts[0] for one in self.appends if one.stream.startswith("session-")]
                later = [one.id for one in drafts if one.because == id]
                prompts = [one.because for one in drafts if one.id in exchange.injections and one.because]
                quoted = [id, *exchange.injections, *later, *prompts]
                read = [one.id for one in drafts if getattr(one.event, "follow_up", None) in quoted]
                drafts = [one.drafts[0] for one in self.appends if one.stream.startswith("memory-")]
                made = [one.id for one in drafts if one.because in read]
                return tuple(dict.fromkeys([*quoted, *read, *made, *linked]))
        return linked

    def _besides(self, one: int, two: int) -> tuple[EventId, ...]:
        """Some events that are no memory's own history and no exchange."""
        forms = (PromptReceived, SessionStarted, ProjectSeen, ProjectAliased, ScoringStopped, ContextInjected)
        forms += (MemoriesLinked, MemorySummarized, ExchangeJudged, ToolUsed, CheckpointWritten, *WITH_TEXT, *OF_FORGES)  # type: ignore[assignment]
        found = [append.drafts[0].id for append in self.appends if isinstance(append.drafts[0].event, forms)]
        return tuple(found[one :: two + 1])

    def _append(
        self,
        stream: StreamName,
        event: Known | Unknown,
        because: EventId | None = None,
        late: timedelta = timedelta(),
    ) -> EventId:
        id, now = self._stamp.new_id(), self._stamp.now()
        draft = Draft(id=id, at=now - late, noted=now, because=because, event=event)
        self.appends.append(Append(stream=stream, drafts=(draft,)))
        return id


def _pick(choices: dict[Any, Any], at: int) -> tuple[Any, Any] | None:
    return list(choices.items())[at % len(choices)] if choices else None
