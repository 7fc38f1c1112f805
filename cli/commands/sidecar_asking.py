"""sidecar run, retry, rescore, extract: verdicts that are asked for."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.language.stopping import mend_of, waiting_in_words
from aftermind.cli.terminal.arguments import known_place
from aftermind.engine.names import GLOBAL, MACHINES

if TYPE_CHECKING:
    from pathlib import Path

    from aftermind.cli.house import OpenMemory
    from aftermind.cli.language.judging import Requested
    from aftermind.projections.views.waiting import Queue
    from aftermind.sidecar.asking.loop import Judged


PATIENCE = 20.0
"""Seconds a pause may take that somebody at a terminal waits for: less than the first after nobody answered."""


class Ended(Misused):
    """It did not judge everything that was ready."""

    status = 5


async def run(arguments: Namespace) -> int:
    """The store is held meanwhile, where no daemon holds it. A model is asked in a process of its own, which has this
    terminal; without one, rules judge here."""
    from aftermind.cli.holding.judging import by_cues
    from aftermind.cli.language.judging import ScoringState
    from aftermind.cli.opening import home_of, opened
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import counted, note, say, show_json

    config = configuration()
    if config.scoring == "assistant":
        raise Misused(
            "`scoring` is assistant: the assistant judges, by a tool",
            hint="`aftermind config set scoring sidecar` has a model judge, or rules",
        )
    rules = by_cues(config.scoring, config.sidecar)
    async with opened(arguments, make=False) as memory:
        before = (await memory.ask(ScoringState(limit=0))).queue
        if not arguments.json and not rules and before.ready + before.long:
            ready = counted(before.ready + before.long, "question")
            note(f"{config.sidecar.model} is asked; {ready} ready …")
        if rules:
            found = await _by_rules(memory)
        else:
            found = await _by_the_model(home_of(arguments), watched=not arguments.json)
        after = (await memory.ask(ScoringState(limit=0))).queue
    if arguments.json:
        judge = "cues" if rules else "model"
        facts = {"end": found.end, "why": found.why, "said": found.said, "asked": found.put}
        counts = {"without_verdict": found.failed, "waiting": after.waiting, "ready": after.ready}
        show_json({"judge": judge, "model": "" if rules else config.sidecar.model, **facts, **counts})
        return 0 if found.end == "idle" else 5
    for line in _ran(found, after, config.lifecycle.quiet_minutes, by_rules=rules):
        say(line)
    if found.end != "idle":
        raise Ended(found.said, hint=mend_of(found.why))
    return 0


def _ran(found: Judged, after: Queue, quiet_minutes: float, *, by_rules: bool) -> Iterator[str]:
    from aftermind.cli.terminal.tables import counted

    if not found.put:
        yield "Nothing was judged."
    elif by_rules:
        yield f"Rules judged {counted(found.put, 'exchange')}."
    else:
        failed = f", {found.failed:,} of them without a verdict" if found.failed else ""
        yield f"{counted(found.put, 'question')} asked{failed}."
    if after.waiting:
        yield f"{waiting_in_words(after, quiet_minutes)}."
    if after.ready and found.end == "idle":  # nobody is handed these
        yield f"{after.ready:,} ready left out: paused, off limits or in the hands of another judge."
        yield "`aftermind doctor` tells what is paused, `aftermind resume` ends it."


async def _by_rules(memory: OpenMemory) -> Judged:
    from aftermind.cli.holding.judging import judged_by_rules
    from aftermind.sidecar.asking.loop import Judged

    return Judged(end="idle", put=await judged_by_rules(memory.ask))


async def _by_the_model(folder: Path, *, watched: bool) -> Judged:
    """What came of it; `Ended` where it did not say."""
    from subprocess import DEVNULL, PIPE

    import anyio
    import msgspec

    from aftermind.sidecar.asking.loop import Judged

    form = "watched" if watched else "json"
    command = [sys.executable, "-I", "-m", "aftermind.cli.sidecar", str(folder), "0", str(PATIENCE), form]
    ended = await anyio.run_process(command, stdin=DEVNULL, stdout=PIPE, stderr=None, check=False, cwd=folder)
    try:
        return msgspec.json.decode(ended.stdout, type=Judged)
    except msgspec.DecodeError:
        said = f"the process that asks the model ended with {ended.returncode}"
        raise Ended(said, hint="`aftermind doctor` looks at what it needs") from None


async def retry(arguments: Namespace) -> int:
    from aftermind.cli.language.judging import RequestJudgement, ResumeScoring
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import counted, say, show_json

    async with opened(arguments, make=False) as memory:
        requested = await memory.ask(RequestJudgement(why="retry", exchanges=tuple(arguments.exchanges)))
        resumed = await memory.ask(ResumeScoring())
        for exchange in arguments.exchanges:
            if exchange not in requested.exchanges:
                await _must_be_one(memory, exchange)
    if arguments.json:
        show_json({"requested": requested, "resumed": resumed})
        return 0
    if resumed:
        say("Judging had stopped; it is tried again.")
    if requested.summaries:
        say(f"{counted(requested.summaries, 'long memory', 'long memories')} asked for in fewer words again.")
    nothing = "" if requested.summaries else "No verdict had been given up."
    _told(requested, "wait again for a verdict", nothing, dry_run=False)
    return 0


async def _must_be_one(memory: OpenMemory, exchange: str) -> None:
    """`NotFound` where nobody knows an exchange of that id."""
    from aftermind.engine.errors import NotFound

    try:
        found = await memory.show(exchange)
    except NotFound:
        raise NotFound("exchange", exchange) from None
    if found.exchange != exchange:
        raise NotFound("exchange", exchange)


async def rescore(arguments: Namespace) -> int:
    judged_by = (*MACHINES, *arguments.also)
    judge = {"rules": "cues"}.get(arguments.scorer, arguments.scorer or "")
    _must_judge(judge)
    return await _request(arguments, "rescore", "is judged again", _NOTHING, judge, judged_by)


async def extract(arguments: Namespace) -> int:
    narrowed = arguments.since or arguments.until or arguments.session or arguments.project or arguments.everywhere
    nothing = "There is no imported history without a verdict."
    if narrowed:
        nothing = (
            "Of what is meant nothing was imported and not judged; `aftermind sidecar extract --dry-run` counts all."
        )
    return await _request(arguments, "extract", "is judged", nothing, "", ())


_NOTHING = "Nothing a machine judged was found then; `--also person` takes what a person judged, too."


def _must_judge(judge: str) -> None:
    from aftermind.cli.settings import configuration

    config = configuration()
    if judge != "model" or (config.sidecar.model and config.scoring == "sidecar"):
        return
    if config.sidecar.model:
        hint = (
            f"`aftermind config set scoring sidecar` lets {config.sidecar.model} judge; `--scorer rules` does without"
        )
    else:
        hint = "`aftermind sidecar setup` finds one; `--scorer rules` does without"
    raise Misused("no model judges", hint=hint)


async def _request(
    arguments: Namespace, why: str, told: str, nothing: str, judge: str, judged_by: tuple[str, ...]
) -> int:
    from aftermind.cli.language.judging import RequestJudgement
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.past.moments import instant, since, until
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import show_json
    from aftermind.engine.stamp import Stamp

    project = GLOBAL if arguments.everywhere else arguments.project and known_place(arguments.project)
    now = Stamp().now()
    asked = RequestJudgement(
        why="rescore" if why == "rescore" else "extract",
        judge=judge,
        judged_by=judged_by,
        since=instant(arguments.since, now, since) if arguments.since else None,
        until=instant(arguments.until, now, until) if arguments.until else None,
        session=arguments.session,
        project=as_written(project),
        limit=arguments.limit,
        dry_run=arguments.dry_run,
    )
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        requested = await memory.ask(asked)
    if arguments.json:
        show_json({"requested": requested, "dry_run": arguments.dry_run})
    else:
        _told(requested, told, nothing, dry_run=arguments.dry_run, judge=judge)
    return 0


def _told(requested: Requested, what: str, nothing: str, *, dry_run: bool, judge: str = "") -> None:
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import counted, say

    if not requested.count:
        if nothing:
            say(nothing)
        return
    exchanges = counted(requested.count, "exchange")
    if dry_run:
        say(f"{exchanges}: each {what}, if you leave out --dry-run. Nothing was asked for.")
        return
    say(f"{exchanges} asked for: each {what}, the newest first.")
    limit = configuration().sidecar.calls_per_day
    model = configuration().sidecar.model if judge != "cues" and configuration().scoring == "sidecar" else ""
    if model and limit == 0:
        say("No request is allowed (`sidecar.calls_per_day` is 0), so none is judged before that is changed.")
        say("`aftermind config set sidecar.calls_per_day N` allows some.")
        return
    if requested.count > limit and model:
        say(f"A model is asked {limit:,} times a day at most (`sidecar.calls_per_day`), so it takes some days.")
    say("The daemon begins at once where it runs (`aftermind start`); `aftermind sidecar status` tells how far it is.")
