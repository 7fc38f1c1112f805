"""status: how the daemon is; with `--last`, what was shown for the last prompts, or why nothing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_everything, count, project_or_all

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Paused, Prompted
    from aftermind.cli.language.judging import Scoring
    from aftermind.cli.language.process import State
    from aftermind.cli.settings import Config

NOT_RUNNING = 3
PROMPTS = 5


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Exit code 3 when no process holds the store.\n--project, --global and --all say whose prompts --last shows."
    )
    parser.add_argument(
        "--last",
        metavar="N",
        type=count,
        nargs="?",
        const=PROMPTS,
        help=f"the last N prompts ({PROMPTS}), with what was shown for each or why nothing was",
    )
    parser.add_argument("--limit", metavar="N", type=count, help="with --last: at most N prompts")
    add_everything(parser)


async def run(arguments: Namespace) -> int:
    if arguments.limit is not None and not arguments.last:
        raise Misused("--limit says how many prompts --last shows", hint=f"`aftermind status --last {arguments.limit}`")
    return await _last(arguments) if arguments.last else await _state(arguments)


async def _state(arguments: Namespace) -> int:
    from msgspec import structs

    from aftermind.cli.examining.judged import judging_of, told_of
    from aftermind.cli.opening import home_of
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import counted, note, say, show_hanging, show_json
    from aftermind.engine.store import spool
    from aftermind.engine.store.folder import LOG, fit_folder

    folder = home_of(arguments)
    if folder.exists():
        fit_folder(folder, make=False)
    paused = _paused(folder)
    config = configuration()
    if (state := await _report(folder)) is None:
        waiting = spool.spooled(folder)
        if arguments.json:
            facts = {"running": False, "spooled": len(waiting.waiting), "broken": len(waiting.broken)}
            show_json({**facts, "folder": str(folder), "paused": paused, "judging": _judging(config, None)})
        else:
            say(f"No daemon runs for {folder}; an assistant's first request starts one.")
            if config.scoring != "assistant" and (folder / LOG).exists():
                say("Until then nothing is judged by itself: `aftermind start`, or `aftermind sidecar run` now.")
            for told in _told(paused):
                say(told)
            if waiting.waiting:
                say(f"In the spool: {counted(len(waiting.waiting), 'request')} for whoever opens the store next.")
            _tell_trouble(config, None)
        return NOT_RUNNING
    _, judging = await judging_of(folder)
    if arguments.json:
        show_json({**structs.asdict(state), "paused": paused, "judging": _judging(config, judging)})
        return 0
    for name, value in (*_described(state), ("judging", told_of(config, judging))):
        show_hanging(f"{name:<8}  ", value, paths=True)
    for told in _told(paused):
        say(f"paused    {told.removeprefix('Paused ')}")
    if state.broken:
        note(f"{counted(state.broken, 'spooled file')} could not be understood; `aftermind doctor` names them")
    _tell_trouble(config, judging)
    return 0


async def _report(folder: Path) -> State | None:
    """Of whoever holds the store; None where nobody does, or he goes in this moment."""
    from aftermind.cli.language.requests import Report
    from aftermind.cli.language.wire import Call, Unreachable
    from aftermind.cli.reaching.joining import WELCOMED, answer_of, connected
    from aftermind.engine.errors import Left
    from aftermind.engine.stamp import Stamp

    try:
        connection = await connected(folder, WELCOMED)
        try:
            reply = await connection.ask(Call(key=Stamp().new_id(), wire=connection.welcome.wire, request=Report()))
        finally:
            connection.close()
        return answer_of(Report(), reply)
    except (Unreachable, Left):
        return None


def _judging(config: Config, judging: Scoring | None) -> dict[str, object]:
    from aftermind.cli.examining.judged import trouble_of
    from aftermind.cli.terminal.this_store import of_this_store

    trouble = trouble_of(config, judging)
    return {
        "scoring": config.scoring,
        "model": config.sidecar.model,
        "trouble": None if trouble is None else trouble.why,
        "mend": None if trouble is None else of_this_store(trouble.mend),
        "queue": None if judging is None else judging.queue,
        "stopped": None if judging is None else judging.stopped,
    }


def _tell_trouble(config: Config, judging: Scoring | None) -> None:
    """Why no verdicts come in, if that is so, and what helps."""
    from aftermind.cli.examining.judged import trouble_of
    from aftermind.cli.terminal.tables import note

    if (trouble := trouble_of(config, judging)) is not None:
        note(f"{trouble.why}\n  → {trouble.mend}")


def _paused(folder: Path) -> tuple[Paused, ...]:
    """What is paused now; of a log that cannot be read nothing is told, `aftermind doctor` does."""
    from aftermind.cli.privacy.telling import paused_in
    from aftermind.engine.errors import AftermindError
    from aftermind.engine.stamp import Stamp

    try:
        return paused_in(folder, Stamp().now())
    except AftermindError:
        return ()


def _told(paused: Sequence[Paused]) -> list[str]:
    from aftermind.cli.privacy.telling import sentence
    from aftermind.cli.privacy.words import resuming

    return [f"{sentence(one)} Nothing is captured or shown there; `{resuming(one.scope)}` ends it." for one in paused]


def _described(state: State) -> list[tuple[str, str]]:
    from aftermind.cli.terminal.tables import counted, when

    who = "daemon" if state.holder == "daemon" else "a program that answers in a daemon's place"
    behind = state.head - state.viewed
    told = f"; {state.broken:,} set aside" if state.broken else ""
    return [
        ("process", f"{state.pid}, {who}, {state.phase}, since {when(state.since)}"),
        ("version", f"aftermind {state.version}"),
        ("store", state.folder),
        ("asked", f"{counted(state.answered, 'request')} answered, {state.failed:,} refused or failed"),
        ("now", f"{counted(state.connections, 'connection')}, idle for {state.idle:g} s"),
        ("log", f"at position {state.head:,}; views {f'{behind:,} behind' if behind else 'level with it'}"),
        *([("views", _growing(state))] if state.to_grow else []),
        ("spool", f"{counted(state.spooled, 'request')} waiting{told}"),
        *_port(state),
        ("memory", f"{state.memory_mb:g} MB" if state.memory_mb else "not told by this system"),
    ]


def _port(state: State) -> list[tuple[str, str]]:
    if state.http:
        return [("http", state.http)]
    return [] if state.http_closed is None else [("http", f"closed: {state.http_closed.why}")]


def _growing(state: State) -> str:
    meanwhile = "answers come from those before" if state.phase == "open" else "answers come when they are complete"
    return f"being built anew, {state.grown:,} of {state.to_grow:,} events are done; {meanwhile}"


async def _last(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.terminal.tables import say, show_json

    project, everything = project_or_all(arguments)
    async with opened(arguments, make=False) as memory:
        await say_when_unknown(memory, project)
        prompts = await memory.prompts(arguments.limit or arguments.last, of=project, all=everything)
    if arguments.json:
        show_json(prompts)
    elif prompts:
        _show(prompts)
    else:
        say("No prompt was received yet." if everything else "No prompt was received here yet; `--all` shows all.")
    return 0


def _show(prompts: Sequence[Prompted]) -> None:
    from aftermind.cli.terminal.tables import excerpt, say, show_hanging, when
    from aftermind.projections.recalling.shown.wording import stands_for

    for place, prompt in enumerate(prompts):
        if place:
            say()
        show_hanging(f"{when(prompt.at)}  ", excerpt(prompt.text) or "(empty)")
        say(f"  in     {prompt.project or 'no project'}")
        for memory in prompt.memories:
            in_short = stands_for(memory.summary, memory.text, memory.answer)
            words = (f"(in short) {memory.summary}", "") if in_short else (memory.text, memory.answer)
            show_hanging(f"  shown  {memory.id}  ", excerpt(*words, memory.speaker))
        if not prompt.memories:
            show_hanging("  none   ", prompt.why or "what was shown has been forgotten", paths=True)
        say(f"  why    `aftermind why {prompt.id}` tells")
