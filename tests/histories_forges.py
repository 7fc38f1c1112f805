"""What hypothesis may have forges say; part of `histories.py`."""

from __future__ import annotations

from datetime import UTC, datetime

from aftermind.engine.events import Known
from aftermind.engine.forge_events import ForgeLimited, ReferenceEnriched
from aftermind.engine.names import Label, Scope, StreamName, entity_stream

OF_FORGES = (ReferenceEnriched, ForgeLimited)


def told_of_forges(one: int, two: int, text: str, scope: Scope) -> tuple[StreamName, Known]:
    """What one said of one of a few issues, or that it wants to be left alone."""
    if two == 0:
        return StreamName(f"forge-{one}"), ForgeLimited(host=f"host{one}", until=datetime(2026, 7, 1, tzinfo=UTC))
    key, labels = f"h/a/b#{one}", (text,) * two
    said = ReferenceEnriched(scope=scope, reference=key, state=Label("open"), title=text, labels=labels)
    return entity_stream(scope, f"{one}"), said
