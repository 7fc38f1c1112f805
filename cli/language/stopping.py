"""What is told where judging has stopped, wherever somebody looks. Pure words."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from aftermind.cli.language.judging import Stopped
from aftermind.projections.views.waiting import Queue

_BY_ITSELF = (
    "the daemon tries it again 30 seconds to 15 minutes after it last did; `aftermind sidecar retry` has it tried now"
)
_MENDS = {
    "unconfirmed": "`aftermind sidecar setup` asks whether it may be asked",
    "denied": "`aftermind sidecar key set` takes a key; then `aftermind sidecar retry`",
    "missing": "`aftermind sidecar setup` lists the models there are",
    "rejected": "`aftermind sidecar test` tells what it says; `aftermind sidecar setup` takes another",
    "unreachable": f"start its server: {_BY_ITSELF}",
    "timeout": f"`aftermind config set sidecar.timeout_seconds N` gives it longer; {_BY_ITSELF}",
    "broken": _BY_ITSELF,
    "limited": _BY_ITSELF,
    "calls": "it goes on tomorrow (UTC); `aftermind config set sidecar.calls_per_day N` allows more",
    "tokens": "it goes on tomorrow (UTC); `aftermind config set sidecar.tokens_per_day N` allows more",
    "dollars": "it goes on tomorrow (UTC); `aftermind config set sidecar.dollars_per_day N` allows more",
    "not-installed": "`pip install 'aftermind[sidecar]'` installs it, or from a clone `pip install '.[sidecar]'`",
    "crashed": "`aftermind sidecar run` shows how it ends; `aftermind sidecar retry` begins again",
}


_SOON = timedelta(minutes=5)
"""An end that is so near is none that anybody waits for."""


def sentence(stopped: Stopped, zone: tzinfo) -> str:
    """Since when no verdicts come in, by the clock of the zone, and why."""
    said = f": {stopped.said.strip().rstrip('.')}" if stopped.said.strip() else f" ({stopped.why})"
    until = ""
    if stopped.until is not None and stopped.until - stopped.since > _SOON:
        until = f", until {_when(stopped.until, zone)}"
    return f"no verdicts since {_when(stopped.since, zone)}{until}{said}"


def waiting_in_words(queue: Queue, quiet_minutes: float) -> str:
    """How many exchanges wait for a verdict, for what, and who gives it."""
    later = max(0, queue.waiting - queue.ready - queue.resting)
    told = f"{queue.waiting:,} {'exchange' if queue.waiting == 1 else 'exchanges'} waiting, {queue.ready:,} ready"
    if later:
        told += f"; {later:,} for {until_ready(quiet_minutes)}"
    if queue.resting:
        told += f"; {queue.resting:,} {RESTING}"
    return told


RESTING = "again in a while, after an attempt that came to nothing"
NO_DAEMON = "no daemon runs, so `aftermind start` or `aftermind sidecar run` has what is ready judged"


def until_ready(quiet_minutes: float) -> str:
    """What an exchange waits for before it may be judged."""
    silence = "half an hour" if quiet_minutes == 30 else f"{quiet_minutes:g} minutes"
    return f"the next prompt, the session's end or {silence} of silence"


def who(judge: str, model: str = "") -> str:
    """A judge's name for a person: of a model which one; `cues` are rules."""
    return model or {"cues": "rules"}.get(judge, judge)


def mend_of(why: str) -> str:
    """The command that helps."""
    return _MENDS.get(why, "`aftermind sidecar status` tells more, `aftermind sidecar retry` tries it again")


def _when(at: datetime, zone: tzinfo) -> str:
    return at.astimezone(zone).strftime("%Y-%m-%d %H:%M")
