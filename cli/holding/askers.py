"""What is known of who asks, by what is asked. Pure."""

from __future__ import annotations

from aftermind.cli.forms import AWAITED
from aftermind.cli.language.requests import (
    Brief,
    Count,
    Deliver,
    Explain,
    Latest,
    Prompts,
    Recall,
    Report,
    Request,
    Show,
    Stop,
)

READS = (Recall, Latest, Show, Explain, Count, Prompts, Brief)
"""Given up when the caller's time is over. What only writes is finished."""


def is_waited_for(asked: Request) -> bool:
    """Whether an answer that comes too late is none: a briefing nobody sees was not shown."""
    return isinstance(asked, READS) or (isinstance(asked, Deliver) and asked.event in AWAITED)


def may_ask_another(asked: Request) -> bool:
    """Whether the next holder can be asked instead: a hook has no time for that, and some ask about this process."""
    return not isinstance(asked, Deliver | Report | Stop)
