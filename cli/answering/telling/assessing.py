"""How well what is remembered does: outcomes over time, judges beside each other, the best and the worst memories."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from aftermind.cli.answering.filing import scopes_of
from aftermind.cli.answering.fit import at_least_one
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.telling.counting import within
from aftermind.cli.language.assessed import Agreement, Assess, Assessment, Locked, Period, Span, Standing, Surfaced
from aftermind.engine.errors import Unusable
from aftermind.engine.memory import lower_bound
from aftermind.engine.moments import microseconds, moment
from aftermind.engine.names import Scope
from aftermind.engine.sqlite import Connection
from aftermind.projections.views.seen import not_over

_DAY = 86_400_000_000
_EPOCH, _FIRST_MONDAY = date(1970, 1, 1), date(1969, 12, 29)
_CLOSE = 200
"""Memories whose records are compared; those with the widest lead of one outcome over the other."""
_COLUMNS = "memory, kind, text, answer, speaker, worked, partial, failed"


async def assess(store: Opened, asked: Assess) -> Assessment:
    if asked.periods < 1 or asked.limit < 1:
        raise Unusable("there must be at least one period and one memory", (asked.periods, asked.limit))
    at_least_one(asked.limit)
    scopes = None if asked.project is None else await scopes_of(store, asked.project)
    now = str(microseconds(store.stamp.now()))
    return await store.read(lambda c: _assessment(c, asked, scopes, not_over(at=now)))


def _assessment(connection: Connection, asked: Assess, scopes: Sequence[Scope] | None, held: str) -> Assessment:
    """`held`: the condition of what is not over."""
    marks, inside = within(scopes)
    return Assessment(
        periods=_periods(connection, asked.span, asked.periods, marks, inside),
        agreements=_agreements(connection, marks, inside),
        useful=_best(connection, "worked", "failed", asked.limit, f"{held} AND {marks}", inside),
        misleading=_best(connection, "failed", "worked", asked.limit, f"{held} AND {marks}", inside),
        corrections=_corrections(connection, held, marks, inside),
        locked=tuple(
            Locked(id=memory, text=text, at=moment(at))
            for memory, text, at in connection.execute(
                f"SELECT memory, text, l.at FROM locking l JOIN shelf USING (memory) WHERE {marks} "
                "ORDER BY l.at DESC, memory LIMIT ?",
                (*inside, asked.limit),
            )
        ),
    )


def _periods(
    connection: Connection, span: Span, most: int, marks: str, inside: tuple[Scope, ...]
) -> tuple[Period, ...]:
    """The last ones in which somebody said something that was judged, oldest first."""
    began, days = (_EPOCH, 1) if span == "day" else (_FIRST_MONDAY, 7)
    first = f"((at / {_DAY}) + {(_EPOCH - began).days}) / {days}"
    found: dict[int, dict[str, int]] = {}
    for number, outcome, count in connection.execute(
        f"SELECT {first}, outcome, count(*) FROM exchange WHERE outcome IS NOT NULL AND {marks} GROUP BY 1, 2", inside
    ):
        found.setdefault(number, {})[outcome] = count
    return tuple(
        Period(begins=began + timedelta(days=days * number), **found[number]) for number in sorted(found)[-most:]
    )


def _agreements(connection: Connection, marks: str, inside: tuple[Scope, ...]) -> tuple[Agreement, ...]:
    """Each pair of judges that have judged the same exchanges. A model is called by its own name."""
    said = "CASE WHEN {0}.model <> '' THEN {0}.model ELSE {0}.judge END"
    sure = "one.outcome <> 'unknown' AND other.outcome <> 'unknown'"
    rows = connection.execute(
        f"SELECT {said.format('one')}, {said.format('other')}, count(*), sum(one.outcome = other.outcome), "
        f"sum({sure}), sum({sure} AND one.outcome = other.outcome) "
        "FROM opinion one JOIN opinion other USING (exchange) JOIN exchange e ON e.id = exchange "
        f"WHERE (one.judge, one.model) < (other.judge, other.model) AND {marks} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2",
        inside,
    )
    return tuple(
        Agreement(one=one, other=other, pairs=pairs, agreed=agreed, sure=both, sure_agreed=same)
        for one, other, pairs, agreed, both, same in rows
    )


def _best(
    connection: Connection, sign: str, other: str, most: int, marks: str, inside: tuple[Scope, ...]
) -> tuple[Standing, ...]:
    """Memories by the share of their verdicts that say `sign`, as far as so few verdicts can be trusted."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM shelf WHERE {sign} > {other} AND {marks} "
        f"ORDER BY {sign} - {other} DESC, position LIMIT {_CLOSE}",
        inside,
    ).fetchall()
    found = [
        Standing(
            id=id, kind=kind, text=text, answer=answer, speaker=speaker, worked=worked, partial=partial, failed=failed
        )
        for id, kind, text, answer, speaker, worked, partial, failed in rows
    ]

    def bound(one: Standing) -> float:
        return lower_bound(one.worked if sign == "worked" else one.failed, one.worked + one.partial + one.failed)

    return tuple(sorted(found, key=bound, reverse=True)[:most])


def _corrections(connection: Connection, held: str, marks: str, inside: tuple[Scope, ...]) -> Surfaced:
    """What took the place of another memory, or has another wording now, and how often it was shown from then on."""
    (memories, shown) = connection.execute(
        "WITH corrected AS (SELECT successor AS memory, min(position) AS since FROM shelf "
        f"  WHERE successor IS NOT NULL AND status IN ('corrected', 'superseded') AND {marks} GROUP BY 1) "
        "SELECT count(*), coalesce(sum((SELECT count(*) FROM shown s JOIN injection i ON i.id = s.injection "
        "  WHERE s.memory = corrected.memory AND i.position > corrected.since)), 0) "
        f"FROM corrected WHERE memory IN (SELECT memory FROM shelf WHERE {held})",
        inside,
    ).fetchone()
    return Surfaced(memories=memories, shown=shown)
