"""show: one memory in full, whatever its status; also a past wording (`ID@POSITION`)."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import plain_id, position

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Remembered
    from aftermind.cli.open_memory import OpenMemory


SHOWN = 12
"""Links of one memory; `aftermind links ID` tells more."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "id", metavar="ID", type=plain_id, help="a memory's id, an exchange's, or a past wording's (ID@POSITION)"
    )
    parser.add_argument("--depth", metavar="N", type=position, default=1, help="its links, so many deep (1; 0: none)")


async def run(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.commands.context_entity import forged
    from aftermind.cli.commands.links import show
    from aftermind.cli.language.entities import References
    from aftermind.cli.language.linking import Links, Neighbourhood
    from aftermind.cli.opening import elsewhere, opened
    from aftermind.cli.terminal.tables import say, show_json, show_text

    async with opened(arguments, make=False) as memory:
        found = await _found(memory, arguments.id)
        projects = (await memory.stats()).projects
        books = await memory.books(all=True, id=found.book) if found.book is not None else ()
        around = Neighbourhood(starts=(found.id,), links=())
        if arguments.depth:
            around = await memory.ask(Links(what=found.id, depth=arguments.depth, limit=SHOWN))
        said = await memory.ask(References(id=found.id))
        whose = "" if arguments.json else await elsewhere(memory, found)
    if arguments.json:
        show_json({**structs.asdict(found), "links": around.links, "more_links": around.more, "refers_to": said})
        return 0
    if whose:
        say(f"It is the project {whose}'s, and not this one's.")
    for line in _described(found, projects.get(found.scope, ""), books[0].path if books else ""):
        show_text(line)
    if around.links:
        say("\nlinks")
        show(around)
    if said:
        say("\nrefers to:")
    for one in said:
        say(f"  {forged(one)}")
    return 0


async def _found(memory: OpenMemory, id: str) -> Remembered:
    from aftermind.engine.errors import NotFound

    try:
        return await memory.show(id)
    except NotFound:
        if books := await memory.books(all=True, id=id):
            lists = "`aftermind books --all` lists books, `aftermind search` finds in them"
            hint = f"it is the book {books[0].title}: {lists}"
            raise NotFound("memory", id, hint=hint) from None
        raise


def particulars(found: Remembered) -> list[str]:
    """How long it is so, when it asks for a review, its reminder: a line each, and whether that is now."""
    from aftermind.cli.terminal.tables import one_line, when
    from aftermind.engine.stamp import Stamp

    told = found.particulars
    if told is None:
        return []
    now, lines = Stamp().now(), []
    if told.since is not None or told.until is not None:
        bounds = (("from", told.since), ("until", told.until))
        said = " ".join(f"{word} {when(at)}" for word, at in bounds if at is not None)
        over = told.until is not None and told.until <= now
        coming = told.since is not None and told.since > now
        lines.append(f"valid     {said}{': not any more' if over else ': not yet' if coming else ''}")
    if told.planned:
        again = f", then every {told.every} days" if told.every else ""
        asks = "never asks for a review" if told.review is None else f"{when(told.review)}{again}"
        lines.append(f"review    {asks}{': due' if told.review is not None and told.review <= now else ''}")
    if told.due is not None:
        again = f", every {told.again}" if told.again else ""
        lines.append(f"reminder  {when(told.due)}{again}{': due' if told.due <= now else ''}")
    if told.resolved:
        lines.append(f"resolved  {one_line(told.how) or 'it blocks no more'}")
    return lines


def place_in_book(found: Remembered) -> str:
    """The headings it stands under, and its pages; empty where it has neither."""
    from aftermind.cli.terminal.tables import one_line
    from aftermind.projections.recalling.shown.wording import on

    return ", ".join(part for part in (one_line(found.place), on(found.pages)) if part)


def _described(found: Remembered, project: str, path: str) -> list[str]:
    from aftermind.cli.terminal.tables import counted, one_line, when

    did = found.outcomes
    lines = [
        f"{found.id}  {found.kind} in {found.collection}, {found.status}{', locked' if found.locked else ''}",
        f"scope     {found.scope}{f' (project {one_line(project)})' if project else ''}",
        f"since     {when(found.at)}",
        f"outcomes  worked {did.worked}, partial {did.partial}, failed {did.failed}, unknown {did.unknown}",
    ]
    if found.sightings:
        lines.append(f"seen      again {counted(found.sightings, 'time')}")
    if found.expires is not None and found.status == "live":
        lines.append(f"expires   {when(found.expires)}")
    lines += particulars(found)
    if found.book is not None:
        lines.append(f"book      {found.book} ({one_line(found.speaker)})")
        place = place_in_book(found)
        lines += [f"place     {place}"] if place else []
        lines += [f"file      {one_line(path)}"] if path else []
    for name, value in (
        ("speaker", found.speaker if found.book is None else ""),
        ("tags", ", ".join(found.tags)),
        ("session", found.session),
        ("exchange", found.exchange),
        ("successor", found.successor),
    ):
        if value:
            lines.append(f"{name:<8}  {one_line(value)}")
    if found.summary:
        lines += ["", "in short:", found.summary]
    lines += ["", found.text]
    if found.answer:
        is_behind = found.particulars is not None and bool(found.particulars.in_words)
        lines += ["", found.answer] if is_behind else ["", "answer:", found.answer]
    return lines
