"""sidecar status: which model judges, what waits, what it cost, what went wrong, and the command that helps."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aftermind.cli.language.judging import Scoring
    from aftermind.cli.settings import Config


async def status(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.examining.judged import daemon_runs, trouble_of
    from aftermind.cli.language.judging import ScoringState
    from aftermind.cli.language.stopping import who
    from aftermind.cli.opening import NoStore, home_of, opened
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import note, one_line, say, show_hanging, show_json, when
    from aftermind.cli.terminal.this_store import of_this_store

    config, daemon, store = configuration(), await daemon_runs(home_of(arguments)), True
    try:
        async with opened(arguments, make=False) as memory:
            found = await memory.ask(ScoringState())
    except NoStore:
        found, store = _nothing_yet(config), False
    trouble = trouble_of(config, found)
    if arguments.json:
        told = {"why": trouble.why, "mend": of_this_store(trouble.mend)} if trouble is not None else None
        show_json({**_configured(config), **structs.asdict(found), "trouble": told, "daemon": daemon, "store": store})
        return 0
    for name, value in (*_who(config), *_how(found, config.lifecycle.quiet_minutes, daemon)):
        show_hanging(f"{name:<8}  ", value, paths=True)
    if not store:
        say(f"{'store':<8}  none yet in {home_of(arguments)}; the first thing that is said makes it")
    for place, verdict in enumerate(found.last):
        head = f"{'' if place else 'last':<8}  {when(verdict.at)}  {verdict.exchange}  "
        words = f": {one_line(verdict.prompt)}" if verdict.prompt else ""
        show_hanging(head, f"{verdict.outcome}, by {who(verdict.judge, verdict.model)}{words}")
    if trouble is not None:
        note(f"\n{trouble.why}\n  → {trouble.mend}")
    return 0


def _configured(config: Config) -> dict[str, object]:
    from aftermind.cli.secret import source_of
    from aftermind.sidecar.models.endpoint import endpoint_of

    sidecar = config.sidecar
    endpoint = endpoint_of(sidecar.model, sidecar.base_url) if sidecar.model else None
    return {
        "scoring": config.scoring,
        "model": sidecar.model,
        "host": endpoint.host if endpoint else "",
        "local": endpoint.local if endpoint else None,
        "confirmed": None if endpoint is None else endpoint.local or sidecar.confirmed == endpoint.name,
        "key": source_of(sidecar.api_key_env, endpoint.host) if endpoint else "none",
    }


def _who(config: Config) -> Iterable[tuple[str, str]]:
    from aftermind.cli.secret import source_of
    from aftermind.sidecar.models.endpoint import endpoint_of

    sidecar = config.sidecar
    if config.scoring == "assistant":
        yield "judge", "the assistant, by a tool (`scoring` is assistant)"
        return
    if config.scoring == "cues" or not sidecar.model:
        why = "`scoring` is cues" if config.scoring == "cues" else "no model is configured"
        yield "judge", f"rules, from what is said next and what tools return ({why})"
        return
    endpoint = endpoint_of(sidecar.model, sidecar.base_url)
    yield "judge", sidecar.model
    if endpoint.local:
        yield "asked at", f"{endpoint.host}, on this machine"
    else:
        said = "you confirmed it" if sidecar.confirmed == endpoint.name else "not confirmed: nothing is sent"
        yield "asked at", f"{endpoint.host}, which is not on this machine; {said}"
    yield "key", source_of(sidecar.api_key_env, endpoint.host)


def _nothing_yet(config: Config) -> Scoring:
    """How judging goes where there is no store."""
    from aftermind.cli.language.judging import Scoring, Spending
    from aftermind.engine.stamp import Stamp
    from aftermind.projections.views.waiting import Queue

    sidecar = config.sidecar
    spending = Spending(
        day=Stamp().now().date().isoformat(),
        calls=0,
        tokens=0,
        dollars=0.0,
        most_calls=sidecar.calls_per_day,
        most_tokens=sidecar.tokens_per_day,
        most_dollars=sidecar.dollars_per_day,
    )
    nothing = Queue(waiting=0, ready=0, abandoned=0, imported=0)
    return Scoring(queue=nothing, out=0, spending=spending, stopped=None, last=())


def _how(found: Scoring, quiet_minutes: float, daemon: bool) -> Iterable[tuple[str, str]]:
    from aftermind.cli.language.stopping import NO_DAEMON, RESTING, until_ready
    from aftermind.cli.terminal.tables import counted

    queue, spent = found.queue, found.spending
    yield "queue", f"{counted(queue.waiting, 'exchange')} waiting, {queue.ready:,} ready, {found.out:,} being judged"
    if (later := queue.waiting - queue.ready - queue.resting) > 0:
        yield "", f"{later:,} for {until_ready(quiet_minutes)}"
    if queue.resting:
        yield "", f"{queue.resting:,} {RESTING}"
    if (queue.waiting or queue.ready) and not daemon:
        yield "", NO_DAEMON
    if queue.abandoned:
        yield "", f"{queue.abandoned:,} given up; `aftermind sidecar retry` tries them again"
    if queue.imported:
        yield (
            "",
            f"{queue.imported:,} imported and never judged; `aftermind sidecar extract --limit 50` judges the newest",
        )
    if queue.long:
        yield "", f"{counted(queue.long, 'long memory', 'long memories')} to be said in fewer words"
    if queue.unshortened:
        given_up = counted(queue.unshortened, "long memory", "long memories")
        yield "", f"{given_up} given up; `aftermind sidecar retry` tries them again"
    yield (
        "today",
        (
            f"{spent.calls:,} of {spent.most_calls:,} requests, {spent.tokens:,} of {spent.most_tokens:,} tokens, "
            f"${spent.dollars:.4f} of ${spent.most_dollars:g} (UTC)"
        ),
    )
    if spent.failures:
        told = ", ".join(f"{name} {count:,}" for name, count in spent.failures.items())
        yield "failures", told
