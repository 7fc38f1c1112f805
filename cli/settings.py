"""The one frozen configuration: the environment before the file before the defaults.

Every key is a row of `keys.py`. A value that does not fit is refused with what was expected and where it stands; a key
that does not exist with the ones that are close. Nothing is guessed and nothing is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from re import fullmatch

from msgspec import Struct, structs

from aftermind.cli.config import config_file, from_environment, variable
from aftermind.cli.keys import DAY, HOUR, KEYS, MINUTE, ON, Key, Value, default_of
from aftermind.engine.errors import AftermindError
from aftermind.engine.policy import SECTIONS, Boot, Gate, Lifecycle, Policy, Ranking, SectionName, Spending

_IN_ENVIRONMENT = "environment"
"""Where a value stands that neither the file nor the command line says."""


class Misconfigured(AftermindError):
    """A key that does not exist, a value that does not fit, or a file that is not TOML."""

    status = 2

    def __init__(self, what: str, *, hint: str) -> None:
        self.hint = hint
        super().__init__(what)


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
    resolved_days: float
    review_days: float
    stale_days: float
    quiet_minutes: float


class Gating(Struct, frozen=True, kw_only=True):
    remind_after: int
    hold_after: int
    rules: bool


class Embedding(Struct, frozen=True, kw_only=True):
    name: str


class Beginning(Struct, frozen=True, kw_only=True):
    """What a session begins with."""

    budget: int
    limit: int
    sections: tuple[SectionName, ...]


class Residence(Struct, frozen=True, kw_only=True):
    idle_minutes: float


class Http(Struct, frozen=True, kw_only=True):
    """Whether a port is open, at which address of this machine, and how often one client may ask."""

    serve: bool
    host: str
    port: int
    """0 for whichever is free."""
    rate: int
    home: str = ""
    """The store it is of; empty where nobody said so, and each daemon tries."""

    def is_of(self, folder: Path) -> bool:
        """Whether it is for the daemon of that store to open."""
        return self.serve and (not self.home or Path(self.home).expanduser().resolve() == folder.resolve())

    @property
    def place(self) -> str:
        return f"port {self.port} of {self.host}"


class Sidecar(Struct, frozen=True, kw_only=True):
    """Which model judges, where, and within which limits of a day. A text that is empty is not configured."""

    model: str
    base_url: str
    api_key_env: str
    """The name of the variable that holds the key, or `keyring`; never the key."""
    confirmed: str
    timeout_seconds: float
    calls_per_day: int
    tokens_per_day: int
    dollars_per_day: float
    parallel: int
    extract_every_hours: float


class Enriching(Struct, frozen=True, kw_only=True):
    """Which forges may be asked, where their tokens are, and after how long again."""

    forges: str
    tokens: str
    hours: float
    timeout_seconds: float


class Config(Struct, frozen=True, kw_only=True):
    home: Path
    ranking: Recall
    lifecycle: Lifetimes
    gate: Gating
    model: Embedding
    daemon: Residence
    http: Http
    scoring: str
    sidecar: Sidecar
    boot: Beginning
    enrich: Enriching
    tools: str
    """The group of tools an assistant is offered."""


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
            resolved_days=float(said["lifecycle.resolved_days"]),
            review_days=float(said["lifecycle.review_days"]),
            stale_days=float(said["lifecycle.stale_days"]),
            quiet_minutes=float(said["lifecycle.quiet_minutes"]),
        ),
        gate=Gating(
            remind_after=int(said["gate.remind_after"]),
            hold_after=int(said["gate.hold_after"]),
            rules=said["gate.rules"] == ON,
        ),
        model=Embedding(name=str(said["model.name"])),
        daemon=Residence(idle_minutes=float(said["daemon.idle_minutes"])),
        http=Http(
            serve=said["http.serve"] == ON,
            host=str(said["http.host"]),
            port=int(said["http.port"]),
            rate=int(said["http.rate"]),
            home=str(said["http.home"]),
        ),
        scoring=str(said["scoring"]),
        boot=Beginning(
            budget=int(said["boot.budget"]),
            limit=int(said["boot.limit"]),
            sections=tuple(name for name in SECTIONS if said[f"boot.{name}"] == ON),
        ),
        enrich=Enriching(
            forges=str(said["enrich.forges"]),
            tokens=str(said["enrich.tokens"]),
            hours=float(said["enrich.hours"]),
            timeout_seconds=float(said["enrich.timeout_seconds"]),
        ),
        tools=str(said["mcp.tools"]),
        sidecar=Sidecar(
            model=str(said["sidecar.model"]),
            base_url=str(said["sidecar.base_url"]),
            api_key_env=str(said["sidecar.api_key_env"]),
            confirmed=str(said["sidecar.confirmed"]),
            timeout_seconds=float(said["sidecar.timeout_seconds"]),
            calls_per_day=int(said["sidecar.calls_per_day"]),
            tokens_per_day=int(said["sidecar.tokens_per_day"]),
            dollars_per_day=float(said["sidecar.dollars_per_day"]),
            parallel=int(said["sidecar.parallel"]),
            extract_every_hours=float(said["sidecar.extract_every_hours"]),
        ),
    )


def policy_of(config: Config) -> Policy:
    """The thresholds everything decides by, with what is configured in their place."""
    ranking, lifecycle, sidecar = config.ranking, config.lifecycle, config.sidecar
    return Policy(
        ranking=structs.replace(Ranking(), limit=ranking.limit, budget=ranking.budget, floor=ranking.floor),
        lifecycle=structs.replace(
            Lifecycle(),
            working_lifetime=lifecycle.working_hours * HOUR,
            history_lifetime=lifecycle.history_days * DAY,
            conversation_lifetime=lifecycle.conversation_days * DAY,
            resolved_lifetime=lifecycle.resolved_days * DAY,
            review_after=lifecycle.review_days * DAY,
            stale_after=lifecycle.stale_days * DAY,
            quiet_after=lifecycle.quiet_minutes * MINUTE,
        ),
        boot=Boot(sections=config.boot.sections, limit=config.boot.limit, budget=config.boot.budget),
        gate=structs.replace(
            Gate(), remind_after=config.gate.remind_after, hold_after=config.gate.hold_after, rules=config.gate.rules
        ),
        spending=Spending(calls=sidecar.calls_per_day, tokens=sidecar.tokens_per_day, dollars=sidecar.dollars_per_day),
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
    from difflib import get_close_matches

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
    """The file's own values by key; none when there is no file. A store that lay in whatever folder is the current one
    would be another in each."""
    found = {
        name: _fitting(key_of(name, str(path)), value, value, str(path)) for name, value in _flat(parsed(path)).items()
    }
    home = str(found.get("home", "~"))
    if not home.startswith("~") and not Path(home).is_absolute():
        raise _misfit(key_of("home"), home, str(path))
    return found


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
    return Setting(key=key.name, value=default_of(key.name), source="default")


def _fitting(key: Key, value: object, said: object, where: str) -> Value:
    if key.kind is float and type(value) is int:
        value = float(value)
    if isinstance(value, str) and key.kind is str and value.strip() and value in (key.words or (value,)):
        if (not key.form or fullmatch(key.form, value)) and (key.fits is None or key.fits(value)):
            return value
        raise _misfit(key, said, where)
    if isinstance(value, int | float) and type(value) is key.kind and key.least <= value <= key.most:
        return value
    raise _misfit(key, said, where)


def _misfit(key: Key, said: object, where: str) -> Misconfigured:
    hint = f"`aftermind config set {key.name} VALUE`"
    if where == _IN_ENVIRONMENT:
        name = variable(key.name)
        where, hint = f"the environment variable {name} holds it", f"change it, or take it out with `unset {name}`"
    given = "not what is given" if key.unsaid else f"not {said!r}"
    return Misconfigured(f"{key.name} must be {key.expected}, {given} ({where})", hint=hint)
