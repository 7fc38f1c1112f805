"""What is told where judging has stopped, wherever somebody looks. Pure words."""

from __future__ import annotations

from datetime import datetime, timedelta

from aftermind.cli.language.judging import Stopped

_BY_ITSELF = "it is tried again by itself; `aftermind sidecar test` tries it now"
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
    "not-installed": "`pip install 'aftermind[sidecar]'` installs it",
    "crashed": "`aftermind sidecar run` shows how it ends; `aftermind sidecar retry` begins again",
}


_SOON = timedelta(minutes=5)
"""An end that is so near is none that anybody waits for."""


def sentence(stopped: Stopped) -> str:
    """Since when no verdicts come in, and why."""
    said = f": {stopped.said.strip().rstrip('.')}" if stopped.said.strip() else f" ({stopped.why})"
    until = ""
    if stopped.until is not None and stopped.until - stopped.since > _SOON:
        until = f", until {_when(stopped.until)}"
    return f"no verdicts since {_when(stopped.since)}{until}{said}"


def mend_of(why: str) -> str:
    """The command that helps."""
    return _MENDS.get(why, "`aftermind sidecar status` tells more, `aftermind sidecar retry` tries it again")


def _when(at: datetime) -> str:
    return at.astimezone().strftime("%Y-%m-%d %H:%M")
