"""search: the memories that answer a query, best first; without one the newest. Records nothing."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_kinds, add_project, count, listed, project_of
from aftermind.engine.names import COLLECTIONS, KINDS

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Recalled, Remembered
    from aftermind.cli.open_memory import OpenMemory
    from aftermind.cli.unanswered import Replaced

NEWEST, NEAREST = 20, 3
"""Memories that are shown of all, and where nothing is relevant."""


def configure(parser: ArgumentParser) -> None:
    add_kinds(
        parser,
        "  aftermind search staging port\n"
        "  aftermind search                            (the newest memories)\n"
        "  aftermind search --kind decision --tag ops  (the newest of these)\n"
        "  aftermind search 'what did we do last week'  (in the order of time)\n"
        "  aftermind search staging port --at 2026-05-01",
    )
    parser.add_argument(
        "words", metavar="WORDS", nargs="*", help="what to look for, in plain words (default: list the newest)"
    )
    parser.add_argument(
        "--limit", metavar="N", type=count, help=f"at most so many (default: ranking.limit; of the newest {NEWEST})"
    )
    parser.add_argument(
        "--collection",
        metavar="NAME",
        choices=COLLECTIONS,
        action="append",
        default=[],
        help=f"only from this one: {listed()}; may be repeated",
    )
    parser.add_argument(
        "--kind", metavar="KIND", choices=KINDS, action="append", default=[], help="only of this kind; may be repeated"
    )
    parser.add_argument("--tag", metavar="TAG", action="append", default=[], help="only with this tag; may be repeated")
    parser.add_argument("--with-links", action="store_true", help="behind what is found also what is linked with it")
    parser.add_argument("--history", action="store_true", help="also what was superseded, corrected or has expired")
    parser.add_argument(
        "--at",
        metavar="WHEN",
        help="what was so then, by when it was said: a day, a time, or how long ago (`3 days ago`)",
    )
    parser.add_argument("--all", action="store_true", help="also what is too weak a match to be shown to an assistant")
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.terminal.tables import say, show_hanging, show_json

    if arguments.with_links and (arguments.tag or not arguments.words):
        raise Misused("--with-links goes with WORDS and without --tag", hint="`aftermind links ID` is a walk from one")
    project = project_of(arguments)
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        found: Sequence[Recalled] | Sequence[Remembered]
        if arguments.words:
            found = hits = await _recalled(memory, arguments, project)
        else:
            found = newest = await memory.latest(
                project=project,
                limit=arguments.limit or NEWEST + (not arguments.json),  # one more tells that there are
                collections=arguments.collection,
                kinds=arguments.kind,
                tags=arguments.tag,
                history=arguments.history,
                at=_then(arguments),
            )
        for_a_person = sys.stdout.isatty() and not arguments.json and not hasattr(arguments, "past")
        meant = for_a_person and bool(arguments.words) and not _in_time(hits)
        by_words = await _by_words_alone(memory) if meant else ""
        unanswered = bool(arguments.words) and not found and not arguments.json
        past = await _past(memory, arguments, project) if unanswered else ""
        looks_on = unanswered and not past and not arguments.all
        nearest = await _recalled(memory, arguments, project, perhaps=True) if looks_on else ()
    if arguments.json:
        show_json(found)
    elif arguments.words:
        if not (past and arguments.all):  # nothing of now has a word in common, what is over has
            _show_hits(hits, nearest, arguments)
        if past:
            say(past)
        if by_words:
            show_hanging("", by_words, paths=True)
    else:
        _show_newest(newest, arguments)
    return 0


async def _past(memory: OpenMemory, arguments: Namespace, project: str | Path | None) -> str:
    """That what does not hold any more would answer it, and what took its place."""
    from aftermind.cli.unanswered import replaced

    if arguments.history or arguments.at is not None:
        return ""
    past = await _recalled(memory, arguments, project, history=True)
    if not past:
        return ""
    over = "What was superseded or corrected, is over or is not so yet would answer it: `--history` shows that."
    return "\n".join((over, *map(_now, await replaced(memory.ask, past))))


def _now(one: Replaced) -> str:
    """What is true now, in the place of what is over."""
    from aftermind.cli.terminal.tables import EXCERPT

    reworded = one.older.successor == one.newer.id and one.older.status == "corrected"
    which = one.newer.id if reworded else f"In the place of {one.older.id}, {one.newer.id}"
    return f"{which} says now: {_text(one.newer, EXCERPT, {})}"


async def _recalled(
    memory: OpenMemory,
    arguments: Namespace,
    project: str | Path | None,
    *,
    history: bool = False,
    perhaps: bool = False,
) -> Sequence[Recalled]:
    from aftermind.cli.language.requests import Recall
    from aftermind.cli.places import as_written
    from aftermind.cli.settings import configuration, policy_of

    return await memory.ask(
        Recall(
            query=" ".join(arguments.words),
            project=as_written(project),
            limit=min(NEAREST, arguments.limit or NEAREST) if perhaps else arguments.limit,
            collections=tuple(arguments.collection),
            kinds=tuple(arguments.kind),
            tags=tuple(arguments.tag),
            history=history or arguments.history,
            at=_then(arguments),
            floor=not arguments.all,
            perhaps=perhaps,
            timed=not arguments.tag,
            linked=int(arguments.with_links and not perhaps),
            ranking=policy_of(configuration()).ranking,
        )
    )


async def _by_words_alone(memory: OpenMemory) -> str:
    """That a model is wanted and none was asked, and why."""
    import os

    found = await memory.embedded(0)
    if found.used or found.phase == "none":
        return ""
    if (await memory.state()).pid == os.getpid():
        return f"By words alone: no daemon runs, which loads {found.name}; `aftermind start` starts one."
    return f"By words alone: {found.why or found.phase}; `aftermind model status` tells more."


def _then(arguments: Namespace) -> datetime | None:
    if arguments.at is None:
        return None
    from aftermind.cli.past.moments import instant, until
    from aftermind.engine.stamp import Stamp

    return instant(arguments.at, Stamp().now(), until)


def _show_hits(hits: Sequence[Recalled], nearest: Sequence[Recalled], arguments: Namespace) -> None:
    from aftermind.cli.terminal.tables import say, when
    from aftermind.cli.unanswered import empty_time
    from aftermind.engine.stamp import Stamp
    from aftermind.projections.reading.terms import terms
    from aftermind.projections.recalling.ranking.order import OBJECTIONS

    said = " ".join(arguments.words)
    if _in_time(hits):
        _show([(when(hit.memory.at)[:16], hit.memory, hit.says) for hit in hits], "WHEN")
    elif hits:
        _show([(f"{hit.score:.2f}" if hit.score else "linked", hit.memory, hit.says) for hit in hits], "SCORE")
    elif empty := empty_time(said, Stamp().now()):
        say(empty)
    elif not terms(said):
        say("There are only common words or signs in that, nothing to look for.")
    elif arguments.all:
        say("Nothing has a word in common with that.")
    elif nearest:
        say("Nothing is relevant to that for certain. This is nearest; `--all` shows the other weak matches too.")
        _show([(f"{hit.score:.2f}", hit.memory, hit.says) for hit in nearest], "SCORE")
    else:
        say("Nothing is relevant to that. `--all` shows the weak matches too.")
    for hit in hits:  # `contradicts ID`, `corrected by ID`
        for reason in hit.reasons:
            if reason.startswith(OBJECTIONS):
                say(f"{hit.id} {reason}.")


def _in_time(hits: Sequence[Recalled]) -> bool:
    """Whether a time was asked for: then they are in its order, and not by what they say or mean."""
    from aftermind.projections.recalling.lookups.timeline import REASON

    return bool(hits and hits[0].reasons and hits[0].reasons[0].startswith(REASON))


def _show_newest(newest: Sequence[Remembered], arguments: Namespace) -> None:
    from aftermind.cli.terminal.tables import say, when

    shown = newest if arguments.limit else newest[:NEWEST]
    if shown:
        _show([(when(memory.at)[:16], memory, {}) for memory in shown], "WHEN")
        if len(newest) > len(shown):
            say(f"There are more than these {NEWEST}: `--limit N` shows so many.")
    elif arguments.collection or arguments.kind or arguments.tag:
        say("There is no such memory here.")
    else:
        say("There are no memories here yet.")


def _show(rows: Sequence[tuple[str, Remembered, Mapping[str, float]]], first: str) -> None:
    """One memory a row, the part that says most of the words; `aftermind show ID` prints the whole of it. Where any was
    judged, it is told how each did."""
    from aftermind.cli.terminal.tables import room, show_table

    headings: tuple[str, ...] = (first, "ID", "COLLECTION")
    cells: list[tuple[str, ...]] = [(mark, one.id, _where(one)) for mark, one, _ in rows]
    records = [_record(one) for _, one, _ in rows]
    if any(records):
        headings = (*headings, "RECORD")
        cells = [(*cell, record) for cell, record in zip(cells, records, strict=True)]
    gaps = 2 * len(cells[0])
    most = room(gaps + sum(max(map(len, column)) for column in zip(*cells, strict=True)))
    texts = [_text(one, most, says) for _, one, says in rows]
    show_table((*headings, "TEXT"), [(*cell, text) for cell, text in zip(cells, texts, strict=True)])


def _record(memory: Remembered) -> str:
    from aftermind.projections.recalling.ranking.order import record

    return record(memory.outcomes) if memory.outcomes.uses else ""


def _text(memory: Remembered, most: int, says: Mapping[str, float]) -> str:
    """Of a long memory its summary, where it has one."""
    from aftermind.cli.terminal.tables import excerpt
    from aftermind.projections.recalling.shown.snippet import cited
    from aftermind.projections.recalling.shown.wording import asked_before, quoted, said_by, stands_for

    source = said_by(memory.speaker, memory.place, memory.pages)
    if stands_for(memory.summary, memory.text, memory.answer):
        return excerpt(f"(in short) {memory.summary}", "", source, most)
    found = excerpt(asked_before(memory.about, most // 2) + memory.text, memory.answer, source, most, says)
    begins = f"{quoted(source)}: "
    if not memory.turns or not found.startswith(begins):
        return found
    part = found.removeprefix(begins)
    return f"{quoted(said_by(memory.speaker, memory.place, cited(part, memory.text, memory.spread, quoted)))}: {part}"


def _where(memory: Remembered) -> str:
    from aftermind.engine.stamp import Stamp

    now = Stamp().now()
    if memory.status != "live":
        return f"{memory.collection} ({memory.status})"
    if memory.since is not None and memory.since > now:
        return f"{memory.collection} (not yet)"
    return f"{memory.collection} (over)" if memory.until is not None and memory.until <= now else memory.collection
