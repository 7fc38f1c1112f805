"""One round: what may be asked is, host by host and one after the other; what was said is handed over as it comes.

A forge in trouble is left for the rest of the round, and one that asks for it until then; the others are asked all the
same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct, field, structs

from aftermind.cli.enriching.asking import Answer, Silent, ask
from aftermind.cli.enriching.forges import Forge, NoAnswer, Said, address, headers, told, waits_until
from aftermind.cli.language.entities import Enrich, Fetched, Wanted
from aftermind.cli.secret import NoKey, key_of
from aftermind.engine.entities.references import Reference, whole
from aftermind.engine.moments import to_the_minute
from aftermind.engine.names import Label

AT_ONCE, TROUBLES = 20, 2
"""Answers that are handed over together; failures of a forge after which it is left alone."""
MISSING = Label("missing")


class Failure(Struct, frozen=True, kw_only=True):
    reference: str
    why: str


class Round(Struct, kw_only=True):
    """What became of it. `left`: hosts that were left, with why, and so many references with them."""

    told: int = 0
    missing: int = 0
    failures: list[Failure] = field(default_factory=list)
    left: dict[str, str] = field(default_factory=dict)
    not_asked: int = 0
    fresh: int = 0
    others: dict[str, int] = field(default_factory=dict)
    dry_run: bool = False
    wanted: list[Wanted] = field(default_factory=list)


class _Left(Exception):
    """Why the rest of a host is not asked; until when, where it said so. `counted`: the last one is a failure."""

    def __init__(self, why: str, until: datetime | None = None, *, counted: bool = False) -> None:
        self.until, self.counted = until, counted
        super().__init__(why)


async def asked(
    forges: Sequence[Forge],
    wanted: Sequence[Wanted],
    hand_over: Callable[[Enrich], Awaitable[object]],
    now: Callable[[], datetime],
    seconds: float,
    done: Callable[[float], None],
) -> Round:
    found = Round()
    for forge in forges:
        mine = [one for one in wanted if one.host == forge.host]
        if not mine:
            continue
        host = _Host(forge, found, now, seconds)
        try:
            token = await key_of(forge.where, f"forge {forge.host}")
        except NoKey as error:
            host.left(str(error), len(mine))
            continue
        for place, one in enumerate(mine):
            try:
                await host.ask(one, token)
            except _Left as why:
                host.left(str(why), len(mine) - place - why.counted)
                await hand_over(Enrich(said=host.taken(), limited={forge.host: why.until} if why.until else {}))
                break
            finally:
                done(1)
            if len(host.said) >= AT_ONCE:
                await hand_over(Enrich(said=host.taken()))
        if host.said:
            await hand_over(Enrich(said=host.taken()))
    return found


class _Host:
    def __init__(self, forge: Forge, found: Round, now: Callable[[], datetime], seconds: float) -> None:
        self._forge, self._found, self._now, self._seconds = forge, found, now, seconds
        self._troubles = 0
        self._limit: datetime | None = None
        self.said: list[Fetched] = []

    async def ask(self, one: Wanted, token: str) -> None:
        """One of them; `_Left` where no other of this host is asked."""
        if self._limit is not None and self._limit > self._now():
            raise _Left(left_alone(self._limit), self._limit)
        meant = whole(one.reference)
        at = address(self._forge, meant) if meant is not None else ""
        if not at or meant is None:
            self._failed(one, f"a {self._forge.kind} has nothing of the kind")
            return
        try:
            answer = await ask(at, headers(self._forge, token), self._seconds)
        except Silent as error:
            self._trouble(one, str(error))
            return
        self._limit = waits_until(answer.status, answer.headers, self._now())
        if answer.status == 401:
            raise _Left("it does not accept the token" if token else "it wants a token (`enrich.tokens`)")
        if self._limit is not None and answer.status in (403, 429):
            raise _Left(left_alone(self._limit), self._limit)
        if answer.status >= 500:
            if self._limit is not None:
                raise _Left(f"it answered {answer.status}; {left_alone(self._limit)}", self._limit)
            self._trouble(one, f"it answered {answer.status}")
            return
        self._answered(one, meant, answer, token)

    def _answered(self, one: Wanted, meant: Reference, answer: Answer, token: str) -> None:
        if answer.status in (404, 410):
            self._found.missing += 1
            self._say(one, Said(what=Label(""), state=MISSING))
        elif answer.status == 200:
            try:
                said = told(self._forge, meant, answer.body)
            except NoAnswer as error:
                self._trouble(one, str(error))
                return
            self._found.told += 1
            self._say(one, said)
        else:
            by = "with this token" if token else "without a token (`enrich.tokens`)"
            self._failed(one, f"it may not be seen {by}" if answer.status == 403 else f"it answered {answer.status}")

    def _say(self, one: Wanted, said: Said) -> None:
        self._troubles = 0
        self.said.append(Fetched(scope=one.scope, reference=one.reference, **structs.asdict(said)))

    def _trouble(self, one: Wanted, why: str) -> None:
        """A failure of the forge, and not of what was asked."""
        self._troubles += 1
        self._failed(one, why)
        if self._troubles >= TROUBLES:
            raise _Left(why, counted=True)

    def _failed(self, one: Wanted, why: str) -> None:
        self._found.failures.append(Failure(reference=one.reference, why=why))

    def left(self, why: str, count: int) -> None:
        self._found.left[self._forge.host] = why
        self._found.not_asked += count

    def taken(self) -> tuple[Fetched, ...]:
        said, self.said = tuple(self.said), []
        return said


def left_alone(at: datetime) -> str:
    """Why a forge is left that asked for it."""
    return f"it wants to be left alone until {to_the_minute(at)}"


def lines(found: Round) -> Iterator[str]:
    """In words, for a person."""
    asked = found.told + found.missing + len(found.failures)
    if asked:
        failed = len(found.failures)
        yield f"Asked about {asked:,}: {found.told:,} told, {found.missing:,} missing, {failed:,} without an answer."
    elif not found.left:
        yield "Nothing has to be asked: " + ("all is fresh." if found.fresh else "no memory refers to these hosts.")
    for failure in found.failures:
        yield f"{failure.reference}: {failure.why}"
    for host, why in found.left.items():
        yield f"{host} is left: {why}"
    if found.not_asked:
        yield f"{found.not_asked:,} were not asked about; `aftermind enrich` goes on with them."
    if found.others:
        hosts = ", ".join(f"{host} ({count:,})" for host, count in sorted(found.others.items())[:10])
        yield f"Not among enrich.forges: {hosts}"
