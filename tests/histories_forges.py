"""What hypothesis may have forges say, and what is told of no memory; part of `histories.py`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from aftermind.engine.event_forms.forges import ForgeLimited, ReferenceEnriched
from aftermind.engine.events import Known
from aftermind.engine.log import Append
from aftermind.engine.names import Label, Scope, StreamName, entity_stream
from tests.histories_projects import told_of_items, told_of_projects

OF_FORGES = (ReferenceEnriched, ForgeLimited)


def told_of_others(
    step: str, one: int, two: int, text: str, scope: Scope, before: Sequence[Append]
) -> tuple[StreamName, Known]:
    if step == "item":
        return told_of_items(one, two, text, before)
    return _of_forge(one, two, text, scope) if step == "forge" else told_of_projects(step, one, two, text)


def _of_forge(one: int, two: int, text: str, scope: Scope) -> tuple[StreamName, Known]:
    """What one said of one of a few issues, or that it wants to be left alone."""
    if two == 0:
        return StreamName(f"forge-{one}"), ForgeLimited(host=f"host{one}", until=datetime(2026, 7, 1, tzinfo=UTC))
    key, labels = f"h/a/b#{one}", (text,) * two
    said = ReferenceEnriched(scope=scope, reference=key, state=Label("open"), title=text, labels=labels)
    return entity_stream(scope, f"{one}"), said
