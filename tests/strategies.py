"""What hypothesis may throw at the house: texts as they come, every event form, appends, whole lives of memories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from msgspec import Raw, Struct, structs

from aftermind.engine import memory as life
from aftermind.engine.book import Chunk, Shelved, book_of, chunk_of, to_record
from aftermind.engine.errors import NotFound, Refused
from aftermind.engine.events import (
    BookIngested,
    BookRemoved,
    CapturePaused,
    CaptureResumed,
    ContextInjected,
    ExchangeJudged,
    ExchangeRecorded,
    ExchangeRevised,
    Known,
    MemoryLocked,
    MemoryRecorded,
    MemoryVerdict,
    ProjectAliased,
    ProjectSeen,
    PromptReceived,
    SessionEnded,
    SessionStarted,
    Shown,
    Unknown,
)
from aftermind.engine.log import Append, Draft
from aftermind.engine.memory import Memory
from aftermind.engine.names import (
    OUTCOMES,
    BookId,
    Digest,
    EventId,
    Label,
    MemoryId,
    ProjectId,
    Scope,
    SessionId,
    StreamName,
    Version,
    book_stream,
    memory_stream,
    pause_stream,
    project_stream,
    session_stream,
)
from aftermind.engine.policy import Lifecycle
from tests.given import draft, simulated

RULES = Lifecycle()
FORMS: tuple[type[Struct], ...] = get_args(Known)

# --- texts and fields -----------------------------------------------------------------------------------------

SCRIPTS = ("漢字かな交じり文", "ไทย", "👩‍💻🇪🇺", "שלום עולם", "مرحبا", "e\u0301", "İ")
FRAGMENTS = (*SCRIPTS, "\x00", "\ud800", "\udfff", '"\\', "\u2028", "", "a")
texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.lists(st.sampled_from(FRAGMENTS), max_size=6).map(" ".join),
)
ids = st.text("0123456789abcdef", min_size=1, max_size=8)
times = st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@cache
def events_of(form: type[Struct]) -> st.SearchStrategy[Any]:
    """Any value of one form."""
    return st.builds(form, **{name: values_of(hint) for name, hint in get_type_hints(form).items()})


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    if hint is str:
        return texts
    if isinstance(hint, NewType):
        return st.integers(0, 2**53) if hint.__supertype__ is int else ids
    if hint is datetime:
        return times
    if hint is date:
        return times.map(datetime.date)
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.integers(-(2**53), 2**53)
    if hint is float:
        return st.floats(allow_nan=False, allow_infinity=False)
    if hint is bytes:
        return st.binary(max_size=20)
    if hint is NoneType or hint is None:
        return st.none()
    if isinstance(hint, type) and issubclass(hint, Struct):
        return events_of(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(parts)
    if origin is tuple:
        return st.lists(values_of(parts[0]), max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(values_of(parts[0]), values_of(parts[1]), max_size=3)
    if origin in (UnionType, Union):
        return st.one_of(*map(values_of, parts))
    raise AssertionError(f"no strategy for {hint}")


known = st.one_of(*map(events_of, FORMS))
unknown = st.builds(
    lambda tag, body: Unknown(tag=f"future-{tag}", raw=Raw(b'{ "type" : "future-%s", "x":%d }' % (tag.encode(), body))),
    ids,
    st.integers(0, 99),
)
events = st.one_of(known, unknown)


def drafts(event: st.SearchStrategy[Any] = events, id: st.SearchStrategy[str] = ids) -> st.SearchStrategy[Draft]:
    return st.builds(Draft, id=id, at=times, noted=times, because=st.none() | ids, event=event)


few_drafts = st.sampled_from("abcdefghijkl").map(lambda id: draft(id, MemoryLocked(memory=MemoryId(id))))
appends = st.builds(
    Append,
    stream=st.sampled_from(["memory-1", "memory-2", "session-1"]).map(StreamName),
    drafts=st.lists(few_drafts, min_size=1, max_size=3).map(tuple),
    expected=st.none() | st.integers(0, 3).map(Version),
)
append_calls = st.lists(st.lists(appends, max_size=2), max_size=10)
"""Calls of `append`, over few streams and few ids: versions that have moved, repeats, halves of repeats."""

# --- whole lives ----------------------------------------------------------------------------------------------

SCOPES = (Scope("global"), Scope("p1"))
WORDS = ("deploy with make", "漢字のメモ", "the port is 5432", 'it\'s "quoted"', "", "👩‍💻 pairs", "שלום port")
_STEPS = (
    *("remember", "exchange", "exchange", "context", "revise", "judge", "score", "score", "score", "correct"),
    *("supersede", "lock", "unlock", "archive", "restore", "promote", "demote", "expire", "forget", "forget"),
    *("prompt", "end", "project", "future", "ingest", "ingest", "broken off", "remove", "pause", "resume"),
)
steps = st.lists(
    st.tuples(st.sampled_from(_STEPS), st.integers(0, 5), st.integers(0, 5), st.sampled_from(WORDS)), max_size=40
)


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
            case "judge" if exchange := _pick(self._exchanges, one):
                self._judge(*exchange, two)
            case "prompt":
                event = PromptReceived(session=session, scope=scope, text=text)
                self._prompt = self._append(session_stream(session), event)
            case "end":
                self._append(session_stream(session), SessionEnded(session=session, reason=Label("ended")))
            case "project":
                aliases, project = (f"path:/{one}", f"name:{two}"), ProjectId("p1")
                form = ProjectSeen(project=project, name=text, aliases=aliases) if one % 2 else None
                self._append(project_stream(project), form or ProjectAliased(project=project, aliases=aliases))
            case "ingest" | "broken off":
                self._ingest(scope, one, two, text or "untitled", listed=step == "ingest")
            case "remove" if chunk := _pick(self._chunks, one):
                book, scope = chunk[1][0], self._scope_of(chunk[1][0])
                self._append(book_stream(book), BookRemoved(book=book, scope=scope))
                self._stand(book, ())
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
            "score": lambda: life.score(memory, verdict, Label("cues"), now, RULES),
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
        if self._memories[id].forgotten:
            del self._memories[id]
            self._chunks.pop(id, None)
            self._forgotten.add(id)

    def _remember(
        self, id: MemoryId, scope: Scope, text: str, exchange: EventId | None = None, answer: str = ""
    ) -> None:
        event = MemoryRecorded(
            memory=id,
            kind="exchange" if exchange else "fact",
            collection="working" if exchange else "memory_bank",
            scope=scope,
            text=text,
            answer=answer,
            exchange=exchange,
            session=SessionId("s0") if exchange else None,
            expires=RULES.expiry("working", "exchange", self._stamp.now()) if exchange else None,
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
        id = self._append(session_stream(session), event)
        self._exchanges[id] = event
        self._remember(memory, scope, text, id, "yes")

    def _judge(self, id: EventId, exchange: ExchangeRecorded, two: int) -> None:
        verdicts = (MemoryVerdict(memory=exchange.memory, outcome="worked", occasion=id),) if two % 2 else ()
        session, judge = exchange.session, Label("cues")
        event = ExchangeJudged(session=session, exchange=id, outcome="worked", memories=verdicts, judge=judge)
        self._append(session_stream(session), event, id)

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
            pages = tuple(range(two // 2))
            event = BookIngested(
                book=book, scope=scope, path="/", title=title, form=form, digest=digest, size=1, chunks=ids, pages=pages
            )
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
        for id, exchange in self._exchanges.items():
            if exchange.memory == memory:
                drafts = [one.drafts[0] for one in self.appends if one.stream.startswith("session-")]
                later = [one.id for one in drafts if one.because == id]
                prompts = [one.because for one in drafts if one.id in exchange.injections and one.because]
                return tuple(dict.fromkeys([id, *exchange.injections, *later, *prompts]))
        return ()

    def _append(self, stream: StreamName, event: Known | Unknown, because: EventId | None = None) -> EventId:
        id, at = self._stamp.new_id(), self._stamp.now()
        draft = Draft(id=id, at=at, noted=self._stamp.now(), because=because, event=event)
        self.appends.append(Append(stream=stream, drafts=(draft,)))
        return id


def _pick(choices: dict[Any, Any], at: int) -> tuple[Any, Any] | None:
    return list(choices.items())[at % len(choices)] if choices else None
