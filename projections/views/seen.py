"""Which rows may be seen: the conditions that statements ask of the shelf, and of tables with a scope, each said once.

The shelf is named in them (`of`), as a statement may know it by another name. A time is a parameter in microseconds.
"""

from __future__ import annotations

from aftermind.engine.sqlite import VALUES


def not_over(of: str = "shelf", at: str = ":now") -> str:
    """What is live and not over, whether somebody swept it yet or not; also what is so from a time to come on."""
    return f"{of}.status = 'live' AND ({of}.ends IS NULL OR {of}.ends > {at})"


def live(of: str = "shelf", at: str = ":now") -> str:
    """What is so."""
    return f"{not_over(of, at)} AND ({of}.since IS NULL OR {of}.since <= {at})"


def status_at(of: str, at: str) -> str:
    """No condition: the status with what is over as expired, whether somebody swept it yet or not."""
    return f"iif({of}.status = 'live' AND {of}.ends <= {at}, 'expired', {of}.status)"


def known(of: str = "shelf") -> str:
    """Whatever became of them, but for what was put away, with all its wordings."""
    put_away = "status IN ('archived', 'removed')"
    return f"""NOT {of}.{put_away} AND NOT ({of}.status = 'corrected'
  AND EXISTS (SELECT 1 FROM shelf whole WHERE whole.memory = {of}.successor AND whole.{put_away}))"""


def reworded(memory: str) -> str:
    """Whether somebody corrected that memory: it has a past wording."""
    return f"EXISTS (SELECT 1 FROM shelf past WHERE past.successor = {memory} AND past.status = 'corrected')"


EXCHANGES = "kind = 'exchange' AND status NOT IN ('corrected', 'archived')"
"""What was asked and answered, in its newest wording, whatever became of it, but for what was put away."""


def in_scopes(scope: str = "scope") -> str:
    return f"{scope} IN ({VALUES.format('scopes')})"


def in_scopes_or_all(scope: str = "scope") -> str:
    """Where no scopes are named, all are meant."""
    return f"(:scopes IS NULL OR {in_scopes(scope)})"


SESSIONS = f"""({in_scopes_or_all()} OR id IN (SELECT session FROM stand WHERE {in_scopes()})
  OR id IN (SELECT session FROM exchange WHERE {in_scopes()}))"""
"""Of sessions: those that began in one of the scopes, or left a checkpoint or an exchange there."""
