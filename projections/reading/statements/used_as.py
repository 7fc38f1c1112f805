"""What something is used as: `we use Redis as cache` says that we use Redis, and more. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.projections.reading.statements.wording_words import SCOPING, USING


def whatever_as(keys: Sequence[str], relation: int) -> tuple[str, ...]:
    """What is said to be used as something, without what as; empty where that is not said, or only of some case."""
    end = keys.index("as") if "as" in keys else 0
    used = 0 <= relation < end - 1 and keys[relation] in USING
    return tuple(keys[:end]) if used and SCOPING.isdisjoint(keys[end + 1 :]) else ()
