"""What an event of another log becomes in this one. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import get_args

from msgspec import Raw

from aftermind.engine.event_forms.items import OfItems
from aftermind.engine.events import Erased, Unknown
from aftermind.engine.log import Carried, Draft
from aftermind.engine.logs.chain import Link
from aftermind.engine.moments import moment
from aftermind.engine.names import FORGETTING, SCORING
from aftermind.engine.stored import cleaned

OF_THE_STORE = ("pause-", "sharing-", "spending-", "item-", "forge-", SCORING, FORGETTING)
"""Streams that tell of a store and not of what is known: whether it captures, which projects its owner lets see each
other, what its models cost, what it erased, who works on what here."""
_PAUSES = frozenset({"capture-paused", "capture-resumed", "scoring-stopped", "scoring-resumed"})
_ITEMS = frozenset(str(form.__struct_config__.tag) for form in get_args(OfItems))
_OF_THE_STORE = (
    frozenset({"model-asked", "model-answered", "words-forgotten", "project-shared", "sharing-ended", "forge-limited"})
    | _PAUSES
    | _ITEMS
)
"""The types of what they hold: views go by these, whatever stream one stands in."""


def is_of_the_store(link: Link) -> bool:
    return link.stream.startswith(OF_THE_STORE) or link.tag in _OF_THE_STORE


def drafted(link: Link, *, erased: bool = False, noted: datetime | None = None) -> Draft:
    """The same event, its bytes as they are but for secrets; without its text where it is to be `erased`. `noted` is
    when this store learned of it, if that is not when the other one did."""
    if link.payload is None or erased:
        event: Erased | Unknown = Erased(tag=link.tag)
    else:  # undecoded, so that nothing is lost that this program does not know
        event = Unknown(tag=link.tag, raw=Raw(cleaned(link.payload)))
    return Draft(
        id=link.id,
        at=moment(link.at),
        noted=noted or moment(link.noted),
        because=link.because,
        event=event,
        carried=Carried(salt=link.salt or b"", digest=link.digest),
    )
