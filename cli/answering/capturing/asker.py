"""Who asks: an assistant by itself, or a person. What an assistant asks is captured or shown, which may be paused or
off limits; a person may always."""

from __future__ import annotations

from typing import assert_never

from aftermind.cli.language.requests import Correct, Explain, Forget, Latest, Recall, Remember, Score, Search, Show


def places_of_assistant(
    asked: Search | Remember | Recall | Latest | Show | Explain | Correct | Forget | Score,
) -> tuple[str | None, ...]:
    """The projects an assistant's own request concerns, all of which must be open to it; none where a person asks. What
    has `within` is an assistant's when that is set: a person asks from nowhere."""
    match asked:
        case Search():
            return (asked.project,)
        case Remember(asked_by="assistant"):
            return (asked.project,) if asked.within is None else (asked.project, asked.within)
        case Recall(asked_by="assistant") | Latest(asked_by="assistant"):
            return (asked.project,)
        case Remember() | Recall() | Latest():
            return ()
        case Show() | Explain() | Correct() | Forget() | Score():
            return () if asked.within is None else (asked.within,)
        case _:
            assert_never(asked)
