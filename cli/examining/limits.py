"""What is not captured or shown: pauses, and the lists of what is off limits that hold for the current folder."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from aftermind.cli.config import ignore_file
from aftermind.cli.examining.finding import Finding, Values, note, ok, warning
from aftermind.cli.privacy.lists import NAME, Lists
from aftermind.cli.privacy.telling import paused_in, sentence
from aftermind.cli.privacy.words import resuming
from aftermind.engine.errors import AftermindError


def pauses_found(folder: Path, now: datetime) -> Finding:
    """Where nothing is captured now."""
    try:
        paused = paused_in(folder, now)
    except AftermindError as error:  # what is wrong with the log is told of the log
        return note("pauses", f"whether anything is paused cannot be told: {error}")
    values: Values = {"paused": [one.scope for one in paused]}
    if not paused:
        return ok("pauses", "nothing is paused", values)
    mend = ", ".join(f"`{resuming(one.scope)}`" for one in paused)
    found = " ".join(map(sentence, paused))
    return note("pauses", f"{found} Nothing is captured or shown there", values, f"{mend} when that is not meant")


def lists_found() -> Finding:
    """Whether the current folder is off limits, and whether every list that holds there can be heeded."""
    own = ignore_file()
    try:
        here = Path.cwd()
    except FileNotFoundError:
        values: Values = {"own": str(own), "exists": own.exists(), "wrong": [], "why": ""}
        return note("off limits", "the current folder was removed, and with it what lists could name", values)
    lists = Lists(own)
    wrong = list(dict.fromkeys((one.file, one.wrong) for one in lists.wrong(here)))
    why = lists.why(here, is_folder=True)
    values = {"own": str(own), "exists": own.exists(), "wrong": [str(file) for file, _ in wrong], "why": why}
    if wrong:
        told = "; ".join(f"{file}: {what}" for file, what in wrong)
        found = f"everything below is off limits until it can be heeded: {told}"
        return warning("off limits", found, values, mend="mend the list, or move it away")
    if why:
        found = f"nothing is captured or shown in {here}: {why}"
        return note("off limits", found, values, "change the list when that is not meant")
    return ok("off limits", f"{here} is not; no {NAME} above it and no {own} names it", values)
