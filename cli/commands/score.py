"""score: how it went. Of an exchange, what was born from it moves and what left a trace in it; or what is named."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused
from aftermind.cli.terminal.arguments import add_project, listed, plain_id, project_of
from aftermind.engine.names import OUTCOMES, Outcome

if TYPE_CHECKING:
    from aftermind.cli.language.answers import Moved

HINT = f"the outcomes are: {', '.join(OUTCOMES)}"


def configure(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Without --exchange, --session and --memory the last exchange of the project is\n"
        "meant. The same exchange scored again replaces the earlier verdict.\n\n"
        "examples:\n"
        "  aftermind score worked\n"
        "  aftermind score failed --exchange ID --evidence 'the build broke'\n"
        "  aftermind score --memory ID=worked --memory ID=failed"
    )
    parser.add_argument("outcome", metavar="OUTCOME", nargs="?", choices=OUTCOMES, help=listed(OUTCOMES))
    parser.add_argument("more", metavar="ID", nargs="*", help=SUPPRESS)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--exchange", metavar="ID", type=plain_id, help="the exchange that is judged")
    which.add_argument("--session", metavar="SESSION", help="the last exchange of this session")
    parser.add_argument(
        "--memory",
        metavar="ID[=OUTCOME]",
        action="append",
        default=[],
        help="only this memory, with an outcome of its own where one is given; may be repeated. The exchange it was "
        "shown in keeps its verdict, unless --exchange or --session names that, or each memory has its own outcome",
    )
    parser.add_argument("--evidence", metavar="TEXT", default="", help="what shows it; it is kept with the verdict")
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened, say_when_unknown
    from aftermind.cli.terminal.tables import counted, excerpt, room, say, show_json, show_table

    if arguments.more:
        words = " ".join(f"--memory {id}={arguments.outcome}" for id in arguments.more)
        raise Misused(
            f"an outcome is all there is to say, not {arguments.more[0]!r}", hint=f"`aftermind score {words}`"
        )
    named = _named(arguments.memory, arguments.outcome)
    if arguments.outcome is None and not named:
        raise Misused("score needs an outcome", hint=HINT)
    # the word that is for memories says nothing of their exchange, which nobody named
    is_for_it = arguments.exchange or arguments.session or all("=" in word for word in arguments.memory)
    whole = arguments.outcome if is_for_it else None
    project = project_of(arguments)
    async with opened(arguments) as memory:
        await say_when_unknown(memory, project)
        verdict = await memory.score(
            whole,
            exchange=arguments.exchange,
            session=arguments.session,
            project=project,
            memories=named,
            evidence=arguments.evidence,
        )
    if arguments.json:
        show_json(verdict)
        return 0
    outcomes = {one.outcome for one in verdict.memories}
    is_said = arguments.outcome and (verdict.exchange or outcomes <= {arguments.outcome})
    many = sum(not one.corrected for one in verdict.memories)
    scored = f"{counted(many, 'memory', 'memories')} scored"
    if verdict.exchange and whole is None:
        say(f"{scored}, of exchange {verdict.exchange}.")
    else:
        about = f"Judged exchange {verdict.exchange}" if verdict.exchange else "Judged"
        say(f"{about}{f' as {arguments.outcome}' if is_said else ''}; {scored}.")
    if verdict.memories:
        most = room(len("m") + 16 + len("unknown") + len("moved to memory_bank") + 3 * 2)
        rows = [
            (one.id, "-" if one.corrected else one.outcome, _place(one), excerpt(one.text, most=most))
            for one in verdict.memories
        ]
        show_table(("ID", "OUTCOME", "COLLECTION", "TEXT"), rows)
    if many < len(verdict.memories):
        say("What was corrected since it was shown is not scored: the verdict is on a wording that is no more.")
    return 0


def _named(memories: list[str], outcome: Outcome | None) -> dict[str, Outcome]:
    """Each named memory with its outcome: its own, or the one for all."""
    found: dict[str, Outcome] = {}
    for word in memories:
        id, _, own = (part.strip() for part in word.partition("="))
        id = plain_id(id)
        said = next((known for known in OUTCOMES if known == own), None) if own else outcome
        if said is None:
            raise Misused(f"memory {id} needs an outcome{f', and {own!r} is none' if own else ''}", hint=HINT)
        found[id] = said
    return found


def _place(moved: Moved) -> str:
    return f"moved to {moved.to}" if moved.to else moved.collection
