"""Every key of the configuration: what it is about, what it may be, what it is when nobody says otherwise."""

from __future__ import annotations

from datetime import timedelta

from aftermind.cli.config import default_home
from aftermind.cli.key import Key as Key
from aftermind.cli.key import Value as Value
from aftermind.engine.policy import Policy, SectionName
from aftermind.projections.meaning.model_files import STATIC

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
IDLE_MINUTES = 15.0
BY_SIDECAR = "sidecar"
SCORERS = (BY_SIDECAR, "assistant", "cues")
_CENTURY = 36_500
GROUPS = ("core", "project", "coordination")
"""Of MCP tools: the first alone, or all up to the one that is chosen."""
ON, OFF = "on", "off"
HTTP_PORT = 27_311


BOOT: dict[SectionName, str] = {
    "directives": "the standing rules",
    "reminders": "reminders that are due, and what asks for a review",
    "open_blockers": "the blockers that are not resolved",
    "identity": "who the user is, and what they prefer",
    "active_sessions": "other sessions, what they hold, and what the last one left",
    "recent_decisions": "the newest decisions",
    "hot_items": "what worked lately",
    "recent_exchanges": "the last exchanges",
}
"""The sections of what a session begins with, each of which can be switched off."""


def _is_address(text: str) -> bool:
    # Loads the library's parsers, too: not for a command that reads no key.
    from aftermind.sidecar.models.endpoint import is_address

    return is_address(text)


KEYS = (
    Key(name="home", about="where the store is", kind=str, expected="a folder, from / or ~ on", form=r"[^$](?s:.*)"),
    Key(
        name="ranking.limit",
        about="memories of a briefing",
        kind=int,
        least=1,
        most=100,
        expected="a whole number from 1 to 100",
    ),
    Key(
        name="ranking.budget",
        about="its tokens",
        kind=int,
        least=100,
        most=100_000,
        expected="a whole number from 100 to 100000",
    ),
    Key(
        name="ranking.floor",
        about="the least share of what is asked that a match by words must say, unless a rare word of it tells enough; "
        "with a model the meaning decides, and this only how much words help it",
        kind=float,
        least=0,
        most=1,
        expected="a number from 0 to 1",
    ),
    Key(
        name="lifecycle.working_hours",
        about="how long `working` keeps a memory",
        kind=float,
        least=0.01,
        most=24 * _CENTURY,
        expected="a number of hours, at least 0.01",
    ),
    Key(
        name="lifecycle.history_days",
        about="how long `history` keeps a memory",
        kind=float,
        least=0.01,
        most=_CENTURY,
        expected="a number of days, at least 0.01",
    ),
    Key(
        name="lifecycle.conversation_days",
        about="how long a memory of kind conversation is kept",
        kind=float,
        least=0.01,
        most=_CENTURY,
        expected="a number of days, at least 0.01",
    ),
    Key(
        name="lifecycle.resolved_days",
        about="how long a blocker is kept after it was resolved",
        kind=float,
        least=0.01,
        most=_CENTURY,
        expected="a number of days, at least 0.01",
    ),
    Key(
        name="lifecycle.review_days",
        about="after how long a procedure asks for a review (0: never)",
        kind=float,
        least=0,
        most=_CENTURY,
        expected="a number of days, or 0",
    ),
    Key(
        name="lifecycle.stale_days",
        about="after how long without a word a statement is stale (0: never)",
        kind=float,
        least=0,
        most=_CENTURY,
        expected="a number of days, or 0",
    ),
    Key(
        name="lifecycle.quiet_minutes",
        about="after how long without a word a session is over",
        kind=float,
        least=0.01,
        most=24 * 60,
        expected="a number of minutes, at least 0.01",
    ),
    Key(
        name="gate.remind_after",
        about="tools without a checkpoint, after which one is asked for; 0: never",
        kind=int,
        least=0,
        most=10_000,
        expected="a whole number, 0 for never",
    ),
    Key(
        name="gate.hold_after",
        about="tools without a checkpoint, after which others are held back; 0: never",
        kind=int,
        least=0,
        most=10_000,
        expected="a whole number, 0 for never",
    ),
    Key(
        name="gate.rules",
        about="whether standing rules are shown before a tool that meets their condition",
        kind=str,
        words=(ON, OFF),
        expected="on or off",
    ),
    Key(
        name="model.name",
        about="what recall by meaning goes by (`aftermind model list`)",
        kind=str,
        expected="static, none, a folder, or a name of fastembed's",
    ),
    Key(
        name="scoring",
        about="who says how an exchange went",
        kind=str,
        words=SCORERS,
        expected="sidecar, assistant or cues",
    ),
    Key(
        name="mcp.tools",
        about="which tools an assistant is offered over MCP",
        kind=str,
        words=GROUPS,
        expected="core, project or coordination",
    ),
    Key(
        name="boot.budget",
        about="tokens of what a session begins with",
        kind=int,
        least=0,
        most=100_000,
        expected="a whole number from 0 to 100000",
    ),
    Key(
        name="boot.limit",
        about="lines of each of its sections; rules are as many as fit",
        kind=int,
        least=1,
        most=100,
        expected="a whole number from 1 to 100",
    ),
    *(
        Key(name=f"boot.{name}", about=f"whether it has {about}", kind=str, words=(ON, OFF), expected="on or off")
        for name, about in BOOT.items()
    ),
    Key(
        name="daemon.idle_minutes",
        about="after how long without a request the daemon ends",
        kind=float,
        least=0.01,
        most=_CENTURY,
        expected="a number of minutes, at least 0.01",
    ),
    Key(name="http.serve", about="whether a port is open", kind=str, words=(ON, OFF), expected="on or off"),
    Key(name="http.home", about="of which store (`aftermind http on` says so)", kind=str, expected="a folder"),
    Key(
        name="http.host",
        about="the address of this machine it is open at; not every one at once",
        kind=str,
        expected="localhost, or an address such as 127.0.0.1 or ::1",
        form=r"localhost|(?!0+(\.0+)*$)[0-9]+(\.[0-9]+){3}|(?=.*[1-9a-fA-F])[0-9a-fA-F:]*:[0-9a-fA-F:]+",
    ),
    Key(name="http.port", about="its number", kind=int, least=0, most=65_535, expected="a port, or 0 for a free one"),
    Key(
        name="http.rate",
        about="requests a second one client may make",
        kind=int,
        least=1,
        most=100_000,
        expected="a whole number from 1 to 100000",
    ),
    Key(
        name="sidecar.model",
        about="the model that judges (`aftermind sidecar setup`)",
        kind=str,
        expected="PROVIDER/MODEL, as litellm names it",
        form=r"[^\s/]+/\S+",
    ),
    Key(
        name="sidecar.base_url",
        about="where it is asked, if not at its provider's own address",
        kind=str,
        expected="an address, http://127.0.0.1:8080/v1 for example, without a name or password in it",
        form=r"https?://[^\s/@?#]+(/[^\s@?#]*)?",
        fits=_is_address,
        unsaid=True,
    ),
    Key(
        name="sidecar.api_key_env",
        about="where its API key is",
        kind=str,
        expected="the name of an environment variable (never the key itself), or keyring",
        form=r"[A-Z_][A-Z0-9_]*|keyring",
        unsaid=True,
    ),
    Key(
        name="sidecar.confirmed",
        about="the model elsewhere that may be sent what was said",
        kind=str,
        expected="HOST/MODEL, as `aftermind sidecar setup` writes it",
        form=r"[^\s/]+/\S+",
    ),
    Key(
        name="sidecar.timeout_seconds",
        about="how long one answer may take",
        kind=float,
        least=1,
        most=3600,
        expected="a number of seconds from 1 to 3600",
    ),
    Key(
        name="sidecar.calls_per_day",
        about="requests to the model in a UTC day",
        kind=int,
        least=0,
        most=1_000_000,
        expected="a whole number from 0 to 1000000",
    ),
    Key(
        name="sidecar.tokens_per_day",
        about="its tokens, read and written",
        kind=int,
        least=0,
        most=10**12,
        expected="a whole number, at least 0",
    ),
    Key(
        name="sidecar.dollars_per_day",
        about="what it may cost, in US dollars",
        kind=float,
        least=0,
        most=1_000_000,
        expected="a number, at least 0",
    ),
    Key(
        name="sidecar.parallel",
        about="requests at one time",
        kind=int,
        least=1,
        most=4,
        expected="a whole number from 1 to 4",
    ),
    Key(
        name="sidecar.extract_every_hours",
        about="how often imported history is judged; 0: only when asked",
        kind=float,
        least=0,
        most=24 * 365,
        expected="a number of hours, 0 for never",
    ),
    Key(
        name="enrich.forges",
        about="the forges that may be asked about what memories refer to",
        kind=str,
        expected="hosts, as `github.com gitlab:git.example.org`",
    ),
    Key(
        name="enrich.tokens",
        about="where their tokens are, of those that have one",
        kind=str,
        expected="HOST=VARIABLE or HOST=keyring, never a token",
        form=r"\s*([^\s=]+=([A-Z_][A-Z0-9_]*|keyring)\s*)*",
        unsaid=True,
    ),
    Key(
        name="enrich.timeout_seconds",
        about="how long a forge may take for an answer",
        kind=float,
        least=1,
        most=600,
        expected="a number of seconds from 1 to 600",
    ),
    Key(
        name="enrich.hours",
        about="after how long a forge is asked again",
        kind=float,
        least=0,
        most=24 * _CENTURY,
        expected="a number of hours",
    ),
)


def default_of(name: str) -> Value:
    """What a key is when nobody says otherwise; a text that is empty is not configured."""
    policy = Policy()
    match name:
        case "home":
            return str(default_home())
        case "lifecycle.working_hours":
            return policy.lifecycle.working_lifetime / HOUR
        case "lifecycle.history_days":
            return policy.lifecycle.history_lifetime / DAY
        case "lifecycle.conversation_days":
            return policy.lifecycle.conversation_lifetime / DAY
        case "lifecycle.resolved_days":
            return policy.lifecycle.resolved_lifetime / DAY
        case "lifecycle.review_days":
            return policy.lifecycle.review_after / DAY
        case "lifecycle.stale_days":
            return policy.lifecycle.stale_after / DAY
        case "lifecycle.quiet_minutes":
            return policy.lifecycle.quiet_after / MINUTE
        case "gate.remind_after":
            return policy.gate.remind_after
        case "gate.rules":
            return ON if policy.gate.rules else OFF
        case "gate.hold_after":
            return policy.gate.hold_after
        case "model.name":
            return STATIC
        case "scoring":
            return BY_SIDECAR
        case "mcp.tools":
            return GROUPS[0]
        case "boot.budget":
            return policy.boot.budget
        case "boot.limit":
            return policy.boot.limit
        case _ if name.startswith("boot."):
            return ON if name.removeprefix("boot.") in policy.boot.sections else OFF
        case "daemon.idle_minutes":
            return IDLE_MINUTES
        case "sidecar.model" | "sidecar.base_url" | "sidecar.api_key_env" | "sidecar.confirmed" | "http.home":
            return ""
        case "http.serve":
            return OFF
        case "http.host":
            return "127.0.0.1"
        case "http.port":
            return HTTP_PORT
        case "http.rate":
            return 600
        case "sidecar.timeout_seconds":
            return 60.0
        case "sidecar.calls_per_day":
            return policy.spending.calls
        case "sidecar.tokens_per_day":
            return policy.spending.tokens
        case "sidecar.dollars_per_day":
            return policy.spending.dollars
        case "sidecar.parallel":
            return 1
        case "sidecar.extract_every_hours":
            return 0.0
        case "enrich.forges" | "enrich.tokens":
            return ""
        case "enrich.hours":
            return 24.0
        case "enrich.timeout_seconds":
            return 20.0
        case _:
            value: int | float = getattr(policy.ranking, name.removeprefix("ranking."))
            return value
