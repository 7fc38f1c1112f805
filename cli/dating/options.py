"""What commands take of times to come, and of what stands behind a memory."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from aftermind.cli.dating.phrases import HELP

if TYPE_CHECKING:
    from aftermind.cli.language.keeping import Dating
    from aftermind.engine.memories.particulars import Particulars

NONE = "none"
"""What takes something back that was said before."""


def add_particulars(parser: ArgumentParser) -> None:
    """What stands behind a memory, and how long it is so."""
    group = parser.add_argument_group("behind it")
    group.add_argument("--what", metavar="TEXT", help="what it is, in a few words")
    group.add_argument("--why", metavar="TEXT", help="why it is so")
    group.add_argument("--learned", metavar="TEXT", help="what was learned from it")
    group.add_argument("--valid-from", metavar="WHEN", help=f"from when on it is so; {HELP}")
    group.add_argument("--valid-until", metavar="WHEN", help="until when; of a day its end")


def add_zone(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--zone", metavar="NAME", default="", help="the clock it goes by: Europe/Berlin (default: this machine's)"
    )


def now_and_zone(name: str = "") -> tuple[datetime, tzinfo]:
    from aftermind.engine.stamp import Stamp
    from aftermind.engine.zones import zone_of

    return Stamp().now(), zone_of(name)


def dating(arguments: Namespace) -> Dating | None:
    """How long it is so; None where nothing is said of that. What was before may be a bound, too."""
    from aftermind.cli.language.keeping import Dating

    since, until = arguments.valid_from, arguments.valid_until
    if since is None and until is None:
        return None
    keeps = tuple(name for name, said in (("since", since), ("until", until)) if said is None)
    return Dating(
        since=_bound(since, begins=True),
        until=_bound(until, begins=False),
        keeps=keeps,  # type: ignore[arg-type]
    )


def _bound(said: str | None, *, begins: bool) -> datetime | None:
    if said is None or said == NONE:
        return None
    from aftermind.cli.dating.phrases import when
    from aftermind.cli.past.moments import instant, since, until
    from aftermind.engine.errors import Unusable

    now, zone = now_and_zone()
    try:
        found = when(said, now, zone)
    except Unusable as no_time_to_come:
        try:
            return instant(said, now, since if begins else until)  # `yesterday`, `3 days ago`
        except Unusable:
            raise no_time_to_come from None
    return found.begins if begins else found.ends


def not_now(told: Particulars | None) -> str:
    """Said of what is kept and not shown as what is so now, with what its time was read as; empty for what is."""
    from aftermind.cli.terminal.tables import when
    from aftermind.engine.stamp import Stamp

    now = Stamp().now()
    if told is not None and told.until is not None and told.until <= now:
        over = f"It was so until {when(told.until)}, which is over"
        return f"{over}: it is kept as history, and not shown as what is so now."
    if told is not None and told.since is not None and told.since > now:
        return f"It is so from {when(told.since)} on: until then it is kept, and not shown as what is so now."
    return ""


def review_time(said: str) -> tuple[datetime | None, int]:
    """When a review is asked for, and after how many days again: `90d` is every ninety days, a time once."""
    from aftermind.cli.dating.phrases import when
    from aftermind.cli.past.moments import stretch
    from aftermind.engine.errors import Unusable

    if said == NONE:
        return None, 0
    now, zone = now_and_zone()
    if (every := stretch(said)) is not None:
        if every < timedelta(days=1):
            raise Unusable("reviews are at least a day apart", said, hint="90d, '2 weeks', or a date")
        return now + every, every.days
    return when(said, now, zone).begins, 0


def reminder(said: str, zone_name: str) -> tuple[datetime, str]:
    """When somebody wants to be reminded, and what has to be said of that."""
    from aftermind.cli.dating.phrases import reminded

    return reminded(said, *now_and_zone(zone_name))


def particulars(arguments: Namespace) -> Particulars:
    """What is said of a new memory."""
    from aftermind.engine.memories.particulars import Particulars

    dates = dating(arguments)
    at, every = review_time(arguments.review) if arguments.review is not None else (None, 0)
    return Particulars(
        what=arguments.what or "",
        why=arguments.why or "",
        learned=arguments.learned or "",
        since=None if dates is None else dates.since,
        until=None if dates is None else dates.until,
        planned=arguments.review is not None,
        review=at,
        every=every,
    )
