"""What a project says goes in as books: a source is one, each of its sentences a chunk. So it has its provenance, and
the next run finds what is still so, what is new and what no longer stands there.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from aftermind.cli.config import ignore_file
from aftermind.cli.importing.peers import rules
from aftermind.cli.importing.peers.outdated import put_away, put_away_lost
from aftermind.cli.importing.peers.taking import Places, counted, items, noted, taken
from aftermind.cli.importing.peers.tally import Tally
from aftermind.cli.ingesting.report import Report
from aftermind.cli.language.requests import Edition, Source
from aftermind.cli.onboarding.project import Untold
from aftermind.cli.onboarding.statement import REVISION, Stating
from aftermind.cli.open_memory import OpenMemory
from aftermind.cli.privacy.lists import Lists
from aftermind.cli.reaching.editions import source_of
from aftermind.engine.errors import NotFound
from aftermind.engine.names import MemoryId


class Taken(Struct, kw_only=True):
    """What became of the sources of one form, and how many sentences they say."""

    form: str
    sources: int = 0
    statements: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0


class Onboarded(Struct, kw_only=True):
    """`documents` is what an ingestion says, `rules` what an import of them does; `taken` a row a form; `untold` what
    could not be read."""

    project: str
    dry_run: bool
    documents: Report
    rules: Tally
    taken: list[Taken]
    untold: list[Untold] = []


async def taken_in(memory: OpenMemory | None, said: Sequence[Stating], project: Path, *, dry_run: bool) -> list[Taken]:
    """Hands over what changed, or only counts it; without a memory, all of it as new."""
    rows: dict[str, Taken] = {}
    sources = [Source(path=source_of(one.source), digest=one.digest) for one in said]
    every = range(len(sources))
    unread = set(every if memory is None else await memory.unread(sources, cut=REVISION, project=project))
    known = {book.path for book in await memory.books(project)} if memory is not None and dry_run else set()
    for number, one in enumerate(said):
        row = rows.setdefault(one.form, Taken(form=one.form))
        row.sources += 1
        row.statements += len(one.chunks)
        if number not in unread:
            row.unchanged += 1
        elif memory is None or dry_run:
            is_known = source_of(one.source) in known
            row.changed += is_known
            row.new += not is_known
        else:
            (ingested,) = await memory.ingest_all([_edition(one)], project)
            row.new += ingested.delivery == "new"
            row.changed += ingested.delivery == "changed"
            row.unchanged += ingested.delivery == "unchanged"
    return list(rows.values())


async def _is_there(memory: OpenMemory, id: MemoryId) -> bool:
    with suppress(NotFound):
        return (await memory.show(id)).status == "live"
    return False


def _edition(one: Stating) -> Edition:
    return Edition(
        path=source_of(one.source),
        title=one.title,
        chunks=one.chunks,
        form=one.form,
        digest=one.digest,
        size=sum(len(chunk.text) for chunk in one.chunks),
        cut=REVISION,
    )


async def rules_taken_in(memory: OpenMemory | None, project: Path, *, dry_run: bool) -> Tally:
    """The rules that people wrote for assistants, as `aftermind import rules` takes them; or only counted, without a
    memory all of them as new."""
    lists = Lists(ignore_file())
    sources = [one for one in rules.sources(project) if not lists.why(one.path, is_folder=False)]
    tally = Tally(program=rules.NAME, dry_run=dry_run, sources=[str(one.path) for one in sources])
    for left in rules.linked_out(project):
        tally.meets(left)
    found, places, said = items(rules.PEER, sources, lambda _: None, None, tally), Places({}, project), set[MemoryId]()
    if memory is None or dry_run:
        counted(noted(found, said), places, str(project), tally)
        tally.fates = {"new": 0, "repeated": 0}
        for id in said:
            tally.fates["repeated" if memory is not None and await _is_there(memory, id) else "new"] += 1
    else:
        await taken(memory, noted(found, said), places, str(project), tally)
        gone = await put_away(memory, sources, said, places, str(project))
        if gone := gone + await put_away_lost(memory, project):
            tally.fates["archived"] = gone
    return tally
