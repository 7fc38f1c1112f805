"""link and unlink: what one memory has to do with another, said by hand and taken back."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.terminal.arguments import plain_id
from aftermind.engine.memories.linking import STATED_RELATIONS

MEANINGS = {
    "supports": "speaks for it",
    "contradicts": "both cannot be so: each is shown as in doubt from then on",
    "supersedes": "takes its place: the other is recalled no more",
    "follows": "comes after it, or of it",
    "same-entity": "is about the same thing",
}


def configure(parser: ArgumentParser) -> None:
    width = max(map(len, MEANINGS))
    meanings = "\n".join(f"  {name:<{width}}  {MEANINGS[name]}" for name in STATED_RELATIONS)
    parser.epilog = (
        f"relations:\n{meanings}\n\n"
        "`aftermind undo` takes back either; `aftermind links ID` tells what there is.\n\n"
        "examples:\n"
        "  aftermind link m0123456789abcdef supports mfedcba9876543210\n"
        "  aftermind link ID contradicts OTHER --because 'the log says otherwise'\n"
        "  aftermind unlink m0123456789abcdef supports mfedcba9876543210"
    )
    parser.add_argument("id", metavar="ID", type=plain_id, help="a memory's id, or an exchange's")
    parser.add_argument("relation", metavar="RELATION", choices=STATED_RELATIONS, help="one of those below")
    parser.add_argument("other", metavar="OTHER", type=plain_id, help="the other memory's")
    if parser.prog.endswith(" link"):
        parser.add_argument("--because", metavar="TEXT", default="", help="what speaks for that")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.language.linking import Link, Unlink
    from aftermind.cli.opening import opened
    from aftermind.cli.terminal.tables import say, show_json

    id, relation, other = arguments.id, arguments.relation, arguments.other
    says = arguments.command == "link"
    async with opened(arguments, make=False) as memory:
        if says:
            told = await memory.ask(Link(id=id, relation=relation, other=other, evidence=arguments.because))
        else:
            told = await memory.ask(Unlink(id=id, relation=relation, other=other))
    if arguments.json:
        show_json(told)
        return 0
    words = "is about the same as" if relation == "same-entity" else relation
    begins = "Known already: " if told.already else "" if says else "Taken back: "
    say(f"{begins}{told.id} {words} {told.other}.")
    return 0
