"""The judge: can the model that is configured be asked, and do verdicts come in."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import msgspec
from anyio import to_thread
from msgspec import Struct

from aftermind.cli.config import secret_of
from aftermind.cli.examining.finding import Finding, note, ok, warning
from aftermind.cli.judge import hindrance
from aftermind.cli.language.judging import Scoring, ScoringState
from aftermind.cli.language.stopping import mend_of, sentence, waiting_in_words
from aftermind.cli.language.wire import Answered, Call, Silent, Unreachable
from aftermind.cli.reaching.joining import WELCOMED, connected
from aftermind.cli.secret import EXTRA, KEYRING
from aftermind.cli.settings import Config, Misconfigured, configuration
from aftermind.cli.terminal.tables import counted
from aftermind.engine.stamp import Stamp
from aftermind.engine.zones import HERE
from aftermind.sidecar.models.endpoint import Endpoint, endpoint_of

_CONNECTING = 1.0
_KEY_PLACE = "`export {0}=…` where the daemon is started from, then `aftermind restart`, or `aftermind sidecar key set`"


class Trouble(Struct, frozen=True, kw_only=True):
    """Why the configured model cannot be asked, and what helps."""

    why: str
    mend: str


async def judge_found(folder: Path | None, *, answers: bool) -> Finding:
    """Of the store in that folder, if there is one; who holds it and `answers` is asked how it goes."""
    try:
        config = configuration()
    except Misconfigured:
        return note("judge", "which is wanted cannot be known while the configuration cannot be read")
    values: dict[str, str | int | None] = {"scoring": config.scoring, "model": config.sidecar.model}
    pid, state = await judging_of(folder) if folder is not None and answers else (None, None)
    if config.scoring != "sidecar" or not config.sidecar.model:
        who = "the assistant judges" if config.scoring == "assistant" else "rules judge, without a model"
        return ok("judge", who, values)
    endpoint = endpoint_of(config.sidecar.model, config.sidecar.base_url)
    if (trouble := unable(config) or without_key(config, pid) or trouble_of(config, state)) is not None:
        return warning("judge", trouble.why, values, mend=trouble.mend)
    if endpoint.local and not await to_thread.run_sync(_listens, endpoint):
        why = f"nobody listens at {endpoint.host}, where {config.sidecar.model} is to be asked"
        return warning("judge", why, values, mend=mend_of("unreachable"))
    if state is not None:
        values |= {"waiting": state.queue.waiting, "ready": state.queue.ready, "abandoned": state.queue.abandoned}
        if state.queue.abandoned:
            given_up = f"of {counted(state.queue.abandoned, 'exchange')} no verdict could be had"
            return warning("judge", given_up, values, mend="`aftermind sidecar retry` tries them again")
    where = "on this machine" if endpoint.local else "confirmed by you"
    return ok("judge", f"{config.sidecar.model} at {endpoint.host}, {where}", values)


def unable(config: Config) -> Trouble | None:
    """What stands in the way whoever is to ask it: the library, or a word of its owner."""
    sidecar = config.sidecar
    if config.scoring != "sidecar" or not sidecar.model:
        return None
    if (hindered := hindrance(sidecar)) is None:
        return _nothing_allowed(config)
    if hindered.why == "not-installed":
        return Trouble(why=f"{sidecar.model} is to judge, and litellm, which asks models, is not installed", mend=EXTRA)
    name = endpoint_of(sidecar.model, sidecar.base_url).name
    return Trouble(
        why=f"{name} is not on this machine, and nothing is sent there before you have confirmed it",
        mend=f"`aftermind sidecar setup` asks you; `aftermind config set sidecar.confirmed {name}`",
    )


def _nothing_allowed(config: Config) -> Trouble | None:
    """A limit of a day that lets nothing be asked."""
    sidecar = config.sidecar
    limits: dict[str, float] = {"calls_per_day": sidecar.calls_per_day, "tokens_per_day": sidecar.tokens_per_day}
    if not endpoint_of(sidecar.model, sidecar.base_url).local:
        limits["dollars_per_day"] = sidecar.dollars_per_day
    for name, most in limits.items():
        if most == 0:
            what = "no request is allowed" if name == "calls_per_day" else "no request that costs any is allowed"
            mend = f"`aftermind config set sidecar.{name} N` allows some"
            return Trouble(why=f"{what}: `sidecar.{name}` is 0", mend=mend)
    return None


async def daemon_runs(folder: Path) -> bool:
    """Whether a daemon holds the store, which has what is ready judged."""
    try:
        with anyio.fail_after(WELCOMED):
            connection = await connected(folder, WELCOMED)
    except (Unreachable, Silent, TimeoutError):
        return False
    try:
        return connection.welcome.holder == "daemon"
    finally:
        connection.close()


def trouble_of(config: Config, state: Scoring | None) -> Trouble | None:
    """Why no verdicts come in: what is configured cannot be, or who judges had to stop."""
    if config.scoring != "sidecar" or not config.sidecar.model:
        return None  # what stopped is not asked any more
    if (trouble := unable(config)) is not None or state is None or state.stopped is None:
        return trouble
    return Trouble(why=sentence(state.stopped, HERE), mend=mend_of(state.stopped.why))


def told_of(config: Config, state: Scoring | None) -> str:
    """Who judges, and what waits for that, in a line."""
    if config.scoring == "assistant":
        who = "by the assistant"
    elif config.scoring == "cues" or not config.sidecar.model:
        who = "by rules"
    else:
        who = f"by {config.sidecar.model}"
    if state is None:
        return who
    given_up = f", {state.queue.abandoned:,} given up" if state.queue.abandoned else ""
    return f"{who}; {waiting_in_words(state.queue, config.lifecycle.quiet_minutes)}{given_up}"


def without_key(config: Config, pid: int | None) -> Trouble | None:
    """Whether the variable that is to hold the key is empty where the daemon runs; where that cannot be seen, here."""
    name = config.sidecar.api_key_env
    if not name or name == KEYRING:
        return None
    there = _has(pid, name) if pid is not None else None
    if there or (there is None and secret_of(name)):
        return None
    place = "here" if there is None else "where the daemon was started"
    return Trouble(why=f"the environment variable {name} holds no key {place}", mend=_KEY_PLACE.format(name))


def _has(pid: int, name: str) -> bool | None:
    """Whether a process began with a variable of that name; None where the system does not tell."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return None
    begins = f"{name}=".encode()
    return any(one.startswith(begins) and len(one) > len(begins) for one in environment.split(b"\0"))


def _listens(endpoint: Endpoint) -> bool:
    parts = urlsplit(endpoint.address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with closing(socket.create_connection((parts.hostname or "", port), _CONNECTING)):
            return True
    except OSError:
        return False


async def judging_of(folder: Path) -> tuple[int | None, Scoring | None]:
    """The process that holds the store, and what it says of judging; None where it does not say."""
    try:
        with anyio.fail_after(WELCOMED):
            connection = await connected(folder, WELCOMED)
            try:
                asked = ScoringState(limit=1)
                reply = await connection.ask(Call(key=Stamp().new_id(), request=asked))
                pid = connection.welcome.pid
            finally:
                connection.close()
    except (Unreachable, Silent, TimeoutError):
        return None, None
    return pid, msgspec.json.decode(reply.answer, type=Scoring) if isinstance(reply, Answered) else None
