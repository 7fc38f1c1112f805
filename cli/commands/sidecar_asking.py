"""sidecar run, retry, rescore, extract: verdicts that are asked for."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import Misused, known_place
from aftermind.engine.names import GLOBAL

if TYPE_CHECKING:
    from aftermind.cli.language.judging import Requested


async def run(arguments: Namespace) -> int:
    """In a process of its own, which has this terminal; the store is held meanwhile, where no daemon holds it."""
    from subprocess import DEVNULL, PIPE

    import anyio

    from aftermind.cli.commands.sidecar_choice import configured
    from aftermind.cli.opening import home_of, opened
    from aftermind.cli.settings import configuration
    from aftermind.cli.sidecar_ends import CANNOT, DID, HAD_NOTHING
    from aftermind.cli.terminal.tables import show_json

    configured()
    folder = home_of(arguments)
    if configuration().scoring != "sidecar":
        raise Misused(
            f"`scoring` is {configuration().scoring}: no model is to judge",
            hint="`aftermind config set scoring sidecar` lets it",
        )
    async with opened(arguments, make=False):
        command = [sys.executable, "-I", "-m", "aftermind.cli.sidecar", str(folder)]
        out = PIPE if arguments.json else None
        ended = await anyio.run_process(command, stdin=DEVNULL, stdout=out, stderr=None, check=False, cwd=folder)
    if arguments.json:
        show_json({"said": ended.stdout.decode("utf-8", "replace").strip(), "ended": ended.returncode})
    return 0 if ended.returncode in (DID, HAD_NOTHING) else 5 if ended.returncode == CANNOT else ended.returncode


async def retry(arguments: Namespace) -> int:
    from aftermind.cli.language.judging import RequestJudgement, ResumeScoring
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import counted, say, show_json

    async with opened(arguments, make=False) as memory:
        requested = await memory.ask(RequestJudgement(why="retry", exchanges=tuple(arguments.exchanges)))
        resumed = await memory.ask(ResumeScoring())
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


async def rescore(arguments: Namespace) -> int:
    judged_by = (*_MACHINES, *arguments.also)
    judge = arguments.scorer or ""
    _must_judge(judge)
    return await _request(arguments, "rescore", "is judged again", _NOTHING, judge, judged_by)


async def extract(arguments: Namespace) -> int:
    return await _request(arguments, "extract", "is judged", "There is no imported history without a verdict.", "", ())


_MACHINES = ("cues", "model")
_NOTHING = "Nothing a machine judged was found then; `--also person` takes what a person judged, too."


def _must_judge(judge: str) -> None:
    from aftermind.cli.settings import configuration

    config = configuration()
    if judge == "model" and not (config.sidecar.model and config.scoring == "sidecar"):
        raise Misused("no model judges", hint="`aftermind sidecar setup` finds one; `--scorer cues` goes by rules")


async def _request(
    arguments: Namespace, why: str, told: str, nothing: str, judge: str, judged_by: tuple[str, ...]
) -> int:
    from aftermind.cli.commands.sidecar import at
    from aftermind.cli.language.judging import RequestJudgement
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.places import as_written
    from aftermind.cli.terminal.tables import show_json

    project = GLOBAL if arguments.everywhere else arguments.project and known_place(arguments.project)
    asked = RequestJudgement(
        why="rescore" if why == "rescore" else "extract",
        judge=judge,
        judged_by=judged_by,
        since=at(arguments.since),
        until=at(arguments.until),
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
        _told(requested, told, nothing, dry_run=arguments.dry_run)
    return 0


def _told(requested: Requested, what: str, nothing: str, *, dry_run: bool) -> None:
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
    if requested.count > limit and configuration().sidecar.model:
        say(f"A model is asked {limit:,} times a day at most (`sidecar.calls_per_day`), so it takes some days.")
    say("The daemon begins at once where it runs (`aftermind start`); `aftermind sidecar status` tells how far it is.")
