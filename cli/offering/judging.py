"""score_memories: the assistant says how an exchange went, where nobody else does."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from aftermind.cli.language.requests import Score
from aftermind.cli.offering.own_session import own_session
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import NothingToScore, Unusable
from aftermind.engine.names import Collection, EventId, Outcome

JUDGE = "assistant"


class Scored(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    memories: Annotated[dict[str, Outcome], Meta(description="memory id → how it helped", max_length=50)] = {}
    outcome: Annotated[Outcome | None, Meta(description="how the last exchange went, as the user's words show")] = None
    evidence: Annotated[str, Meta(description="what shows it, in a few words")] = ""


class Moved(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    outcome: Outcome
    collection: Collection
    moved: Annotated[bool, Meta(description="it rose or sank with this")] = False


class Judged(Struct, frozen=True, kw_only=True):
    memories: tuple[Moved, ...]


async def score(window: Window, key: EventId, asked: Scored) -> Judged:
    if asked.outcome is None and not asked.memories:
        raise Unusable("nothing is scored", "{}", hint="say outcome, or memories with their outcomes, or both")
    own = await own_session(window)
    if not own.at_work and not asked.memories:
        raise NothingToScore("this window's session")
    verdict = await window.ask(
        Score(
            outcome=asked.outcome,
            session=own.id,
            project=window.directory,
            memories={id.strip(): outcome for id, outcome in asked.memories.items()},
            judge=JUDGE,
            evidence=asked.evidence,
            within=window.directory,
        ),
        key,
    )
    return Judged(
        memories=tuple(
            Moved(id=one.id, outcome=one.outcome, collection=one.to or one.collection, moved=one.to is not None)
            for one in verdict.memories
            if not one.corrected  # since it was shown: it is not scored
        )
    )


SCORE = Tool(
    name="score_memories",
    title="Score memories",
    about="Says how the last exchange went and which memories helped: worked, partial, failed or unknown. Use it when "
    "the user's next message shows it; leave out what had no part.",
    takes=Scored,
    gives=Judged,
    does=score,
)
