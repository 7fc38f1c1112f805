"""Load, decide, append; and again when somebody else was quicker. The only catcher of `StreamMoved`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from aftermind.engine.errors import StreamMoved
from aftermind.engine.log import Append, Draft, Log, Recorded
from aftermind.engine.names import FIRST, Position, StreamName, Version

Histories: TypeAlias = Mapping[StreamName, Sequence[Recorded]]
Decide: TypeAlias = Callable[[Histories], Mapping[StreamName, Sequence[Draft]]]

TRIES = 10
"""With one writing process a conflict needs two tasks deciding on one stream at one moment; ten in a row do not
happen by chance."""


async def transact(log: Log, streams: Sequence[StreamName], decide: Decide, since: Version = FIRST) -> Position | None:
    """What `decide` makes of the streams' histories, from the version `since` on, appended at once and only if they
    have not moved meanwhile.

    `decide` may be called several times and must be pure. Streams it adds to without having asked for their
    history are appended at any version. Returns None when it decided on nothing. Raises what `decide` raises,
    and `StreamMoved` after TRIES attempts.
    """
    for attempt in range(TRIES):
        histories = {stream: await log.stream(stream, since) for stream in dict.fromkeys(streams)}
        decided = decide(histories)
        appends = [
            Append(
                stream=stream,
                drafts=tuple(drafts),
                expected=_version(histories[stream], since) if stream in histories else None,
            )
            for stream, drafts in decided.items()
            if drafts
        ]
        if not appends:
            return None
        try:
            return await log.append(*appends)
        except StreamMoved:
            if attempt == TRIES - 1:
                raise
    raise AssertionError("unreachable")


def _version(history: Sequence[Recorded], since: Version) -> Version:
    return history[-1].version if history else Version(since - 1)
