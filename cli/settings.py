"""The one frozen configuration: the environment before the file before the defaults.

Every key is a row of `KEYS`. A value that does not fit is refused with what was expected and where it stands; a key
that does not exist with the ones that are close. Nothing is guessed and nothing is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, structs

from aftermind.cli.config import config_file, default_home, from_environment, variable
from aftermind.engine.errors import AftermindError
from aftermind.engine.policy import Lifecycle, Policy, Ranking
from aftermind.projections.model_files import STATIC

Value: TypeAlias = int | float | str
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
IDLE_MINUTES = 15.0
SCORING = "sidecar"
SCORERS = (SCORING, "assistant", "cues")
_CENTURY = 36_500
_IN_ENVIRONMENT = "environment"
"""Where a value stands that neither the file nor the command line says."""


class Misconfigured(AftermindError):
    """A key that does not exist, a value that does not fit, or a file that is not TOML."""

    status = 2

    def __init__(self, what: str, *, hint: str) -> None:
        self.hint = hint
        super().__init__(what)


class Key(Struct, frozen=True, kw_only=True):
    """One thing that can be configured. Numbers lie between `least` and `most`."""

    name: str
    about: str
    kind: type[int] | type[float] | type[str]
    expected: str
    least: float = 0
    most: float = 0
    words: tuple[str, ...] = ()
    """A text is one of these, where there are any."""


class Setting(Struct, frozen=True, kw_only=True):
    """A key's value, and who says so: `environment`, `file` or `default`."""

    key: str
    value: Value
    source: str


class Recall(Struct, frozen=True, kw_only=True):
    limit: int
    budget: int
    floor: float


class Lifetimes(Struct, frozen=True, kw_only=True):
    working_hours: float
    history_days: float
    conversation_days: float
    quiet_minutes: float


class Embedding(Struct, frozen=True, kw_only=True):
    name: str


class Residence(Struct, frozen=True, kw_only=True):
    idle_minutes: float


class Config(Struct, frozen=True, kw_only=True):
    home: Path
    ranking: Recall
    lifecycle: Lifetimes
    model: Embedding
    daemon: Residence
    scoring: str


KEYS = (
    Key(name="home", about="where the store is", kind=str, expected="a folder"),
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
        about="how weak a match may be",
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
        name="lifecycle.quiet_minutes",
        about="after how long without a word a session is over",
        kind=float,
        least=0.01,
        most=24 * 60,
        expected="a number of minutes, at least 0.01",
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
        name="daemon.idle_minutes",
        about="after how long without a request the daemon ends",
        kind=float,
        least=0.01,
        most=_CENTURY,
        expected="a number of minutes, at least 0.01",
    ),
)


def configuration() -> Config:
    """What is in force now."""
    said = {setting.key: setting.value for setting in settings()}
    return Config(
        home=Path(str(said["home"])),
        ranking=Recall(
            limit=int(said["ranking.limit"]), budget=int(said["ranking.budget"]), floor=float(said["ranking.floor"])
        ),
        lifecycle=Lifetimes(
            working_hours=float(said["lifecycle.working_hours"]),
            history_days=float(said["lifecycle.history_days"]),
            conversation_days=float(said["lifecycle.conversation_days"]),
            quiet_minutes=float(said["lifecycle.quiet_minutes"]),
        ),
        model=Embedding(name=str(said["model.name"])),
        daemon=Residence(idle_minutes=float(said["daemon.idle_minutes"])),
        scoring=str(said["scoring"]),
    )


def policy_of(config: Config) -> Policy:
    """The thresholds everything decides by, with what is configured in their place."""
    ranking, lifecycle = config.ranking, config.lifecycle
    return Policy(
        ranking=structs.replace(Ranking(), limit=ranking.limit, budget=ranking.budget, floor=ranking.floor),
        lifecycle=structs.replace(
            Lifecycle(),
            working_lifetime=lifecycle.working_hours * HOUR,
            history_lifetime=lifecycle.history_days * DAY,
            conversation_lifetime=lifecycle.conversation_days * DAY,
            quiet_after=lifecycle.quiet_minutes * MINUTE,
        ),
    )


def settings() -> tuple[Setting, ...]:
    """Every key with its value and where that comes from."""
    in_file = from_file(config_file())
    return tuple(_setting(key, in_file) for key in KEYS)


def key_of(name: str, where: str = "") -> Key:
    """The key of that name; `Misconfigured` otherwise."""
    for key in KEYS:
        if key.name == name:
            return key
    names = [key.name for key in KEYS]
    close = get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]}?" if close else f"the keys are: {', '.join(names)}"
    if where:
        hint += f"; `aftermind config unset {name}` takes it out"
    raise Misconfigured(f"there is no key {name!r}{f' ({where})' if where else ''}", hint=hint)


def value_of(key: Key, text: str, where: str) -> Value:
    """A value that was written as plain text: on the command line, or in the environment."""
    try:
        return _fitting(key, key.kind(text), text, where)
    except ValueError:
        raise _misfit(key, text, where) from None


def from_file(path: Path) -> dict[str, Value]:
    """The file's own values by key; none when there is no file."""
    return {
        name: _fitting(key_of(name, str(path)), value, value, str(path)) for name, value in _flat(parsed(path)).items()
    }


def parsed(path: Path) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{path} is not TOML: {error}", hint="mend that line, or move the file away") from error
    except (ValueError, RecursionError) as error:  # a number of five thousand digits, a list in a list in a list
        raise Misconfigured(f"{path} cannot be understood ({error})", hint="mend it, or move the file away") from error
    except OSError as error:
        raise Misconfigured(
            f"{path} cannot be read: {error.strerror}", hint="AFTERMIND_CONFIG names another"
        ) from error


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found


def _setting(key: Key, in_file: Mapping[str, Value]) -> Setting:
    if (text := from_environment(key.name)) is not None:
        value = value_of(key, text, _IN_ENVIRONMENT)
        return Setting(key=key.name, value=value, source="environment")
    if key.name in in_file:
        return Setting(key=key.name, value=in_file[key.name], source="file")
    return Setting(key=key.name, value=_default(key.name), source="default")


def _default(name: str) -> Value:
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
        case "lifecycle.quiet_minutes":
            return policy.lifecycle.quiet_after / MINUTE
        case "model.name":
            return STATIC
        case "scoring":
            return SCORING
        case "daemon.idle_minutes":
            return IDLE_MINUTES
        case _:
            value: int | float = getattr(policy.ranking, name.removeprefix("ranking."))
            return value


def _fitting(key: Key, value: object, said: object, where: str) -> Value:
    if key.kind is float and type(value) is int:
        value = float(value)
    if isinstance(value, str) and key.kind is str and value.strip() and value in (key.words or (value,)):
        return value
    if isinstance(value, int | float) and type(value) is key.kind and key.least <= value <= key.most:
        return value
    raise _misfit(key, said, where)


def _misfit(key: Key, said: object, where: str) -> Misconfigured:
    hint = f"`aftermind config set {key.name} VALUE`"
    if where == _IN_ENVIRONMENT:
        name = variable(key.name)
        where, hint = f"the environment variable {name} holds it", f"change it, or take it out with `unset {name}`"
    return Misconfigured(f"{key.name} must be {key.expected}, not {said!r} ({where})", hint=hint)
