"""search: the memories that answer a query, best first. Records nothing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.arguments import add_project, count, project_of
from aftermind.engine.names import COLLECTIONS, KINDS


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORDS", nargs="+", help="what to look for, in plain words")
    parser.add_argument("--limit", metavar="N", type=count, help="at most so many (default: ranking.limit)")
    parser.add_argument("--collection", choices=COLLECTIONS, action="append", default=[], help="only from this one")
    parser.add_argument("--kind", choices=KINDS, action="append", default=[], help="only of this kind")
    parser.add_argument("--history", action="store_true", help="also what was superseded, corrected or has expired")
    parser.add_argument("--all", action="store_true", help="also what is too weak a match to be shown to an assistant")
    add_project(parser)


async def run(arguments: Namespace) -> int:
    from aftermind.cli.opening import opened
    from aftermind.cli.tables import say, show_json, show_table

    query = " ".join(arguments.words)
    async with opened(arguments) as memory:
        hits = await memory.recall(
            query,
            project=project_of(arguments),
            limit=arguments.limit,
            collections=arguments.collection,
            kinds=arguments.kind,
            history=arguments.history,
            floor=not arguments.all,
        )
    if arguments.json:
        show_json(hits)
    elif hits:
        rows = [
            (f"{hit.score:.2f}", hit.id, _where(hit.memory.collection, hit.memory.status), hit.text) for hit in hits
        ]
        show_table(("SCORE", "ID", "COLLECTION", "TEXT"), rows)
    elif arguments.all:
        say("Nothing has a word in common with that.")
    else:
        say("Nothing is relevant to that. `--all` shows the weak matches too.")
    return 0


def _where(collection: str, status: str) -> str:
    return collection if status == "live" else f"{collection} ({status})"
