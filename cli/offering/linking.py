"""memory_links: what memories have to do with each other, as a model walks it, says it and takes it back."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from aftermind.cli.language.linking import Link, Links, Neighbour, Unlink
from aftermind.cli.offering.shown import COMPACT, data
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import Unusable
from aftermind.engine.memories.linking import Stated
from aftermind.engine.names import EventId
from aftermind.projections.recalling.shown.wording import quoted, shortened

LISTED = 30


class Asked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    action: Literal["walk", "link", "unlink"]
    id: Annotated[str, Meta(description="a memory; walk: or a file, issue or name")]
    relation: Annotated[Stated | Literal[""], Meta(description="of id to other; walk: only this")] = ""
    other: str = ""
    because: Annotated[str, Meta(description="link: what speaks for it")] = ""
    depth: Annotated[int, Meta(ge=1, le=5)] = 1


class Linked(Struct, frozen=True, kw_only=True, omit_defaults=True):
    of: str
    relation: str
    id: str
    text: str = ""
    status: str = ""
    because: str = ""


class Around(Struct, frozen=True, kw_only=True, omit_defaults=True):
    links: tuple[Linked, ...]
    more: bool = False
    note: str = ""


async def link(window: Window, key: EventId, asked: Asked) -> Around:
    id, other, relation = asked.id.strip(), asked.other.strip(), asked.relation
    if asked.action == "walk":
        only = (relation,) if relation else ()
        walk = Links(
            what=id,
            depth=asked.depth,
            limit=LISTED,
            relations=only,
            project=window.directory,
            within=window.directory,
        )
        found = await window.ask(walk)
        return Around(links=tuple(map(_told, found.links)), more=found.more)
    if not relation or not other:
        raise Unusable(f"{asked.action} needs a relation and the other memory", other or relation)
    if asked.action == "link":
        because = asked.because
        new = Link(id=id, relation=relation, other=other, evidence=because, within=window.directory)
        told = await window.ask(new, key)
    else:
        told = await window.ask(Unlink(id=id, relation=relation, other=other, within=window.directory), key)
    note = "was said already" if told.already else "taken back" if asked.action == "unlink" else ""
    return Around(links=(Linked(of=told.id, relation=told.relation, id=told.other),), note=note)


def _told(one: Neighbour) -> Linked:
    return Linked(
        of=one.of,
        relation=f"{one.relation} {quoted(one.entity)}".strip(),
        id=one.id,
        text=shortened(quoted(data(one.text)), COMPACT),
        status="" if one.status == "live" else one.status,
        because=shortened(quoted(one.evidence), COMPACT),
    )


MEMORY_LINKS = Tool(
    name="memory_links",
    title="What memories have to do with each other",
    about="Walk from a memory, or from what names a thing, to what supports, contradicts, supersedes or follows it; "
    "say such a link when the user or the files show it; take one back. What supersedes another takes it out of force.",
    takes=Asked,
    gives=Around,
    does=link,
)
