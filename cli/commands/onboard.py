"""onboard: what a project says of itself, before anybody has said a word. The same project twice changes nothing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from aftermind.cli.terminal.arguments import named_path

if TYPE_CHECKING:
    from aftermind.cli.onboarding.intake import Onboarded
    from aftermind.cli.open_memory import OpenMemory

EXPLAINED = """\
Reads what is in a project's folder into memories of that project, each with the
file it comes from:

  documents    README, docs/ and the like, as `aftermind ingest` does
  rules        CLAUDE.md, AGENTS.md, .cursorrules, as `aftermind import` does
  manifests    pyproject.toml, package.json, Cargo.toml, go.mod, Makefile, …
  ci           what the pipelines run
  layout       folders, languages, where the tests are
  history      of git: recent work, files that change often and together

Run again, it takes in what changed and nothing twice. What git ignores, what
.aftermindignore puts off limits, and what was forgotten stays out. `aftermind
books` lists what was read; `aftermind remove` takes it out again.

examples:
  aftermind onboard
  aftermind onboard ~/src/webshop --no-history
  aftermind onboard --dry-run
"""


_COUNTS = ("  kinds: ", "  collections: ", "  projects: ")
"""What an import tells of what it found, also where none of it is new."""


def configure(parser: ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=named_path, help="the project (default: this one)")
    parser.add_argument("--no-history", action="store_true", help="leave out what git remembers")
    parser.add_argument("--dry-run", action="store_true", help="read and count; write nothing")


async def run(arguments: Namespace) -> int:
    from contextlib import AsyncExitStack, suppress

    from anyio import to_thread

    from aftermind.cli.ingesting.intake import Intake
    from aftermind.cli.ingesting.reader import reader
    from aftermind.cli.ingesting.report import Report
    from aftermind.cli.onboarding.intake import Onboarded, rules_taken_in, taken_in
    from aftermind.cli.onboarding.project import looked_at, stated
    from aftermind.cli.opening import NoStore, opened
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import show_json

    root = _root(arguments.folder or Path())
    project = await to_thread.run_sync(looked_at, root)
    said, untold = await stated(project, with_history=not arguments.no_history)
    report = Report(dry_run=arguments.dry_run)
    report.left_out(project.ways)
    total = sum(one.size for one in project.documents)
    async with AsyncExitStack() as stack:
        advance = stack.enter_context(bar("Reading", total, hidden=arguments.json))
        read = await stack.enter_async_context(reader())
        memory: OpenMemory | None = None
        with suppress(NoStore):
            memory = await stack.enter_async_context(opened(arguments, make=not arguments.dry_run))
        taken = await taken_in(memory, said, root, dry_run=arguments.dry_run)
        rules = await rules_taken_in(memory, root, dry_run=arguments.dry_run)
        await Intake(memory, read, root, report, advance).take(
            [*project.documents, *project.untold], [] if arguments.dry_run else [root]
        )
    found = Onboarded(
        project=root.name, dry_run=arguments.dry_run, documents=report, rules=rules, taken=taken, untold=untold
    )
    if arguments.json:
        show_json(found)
    else:
        _tell(found)
    return 0


def _root(folder: Path) -> Path:
    """The project's folder: the repository's, where it is in one."""
    from aftermind.cli.places import place_of
    from aftermind.engine.errors import Unusable

    there = folder.expanduser().absolute()
    if not there.is_dir():
        raise Unusable("there is no folder", str(folder), hint="`aftermind onboard .` reads the current one")
    return Path(place_of(there).directory)


def _tell(found: Onboarded) -> None:
    from aftermind.cli.importing.peers.tally import lines as told
    from aftermind.cli.ingesting.report import lines
    from aftermind.cli.onboarding.intake import Taken
    from aftermind.cli.terminal.tables import say, show_table

    documents, rules = found.documents, found.rules
    first = Taken(
        form="documents",
        sources=documents.read,
        new=documents.new,
        changed=documents.changed,
        unchanged=documents.unchanged,
    )
    second = Taken(
        form="rules",
        sources=len(rules.sources),
        new=rules.fates.get("new", 0),
        changed=rules.fates.get("archived", 0),
        unchanged=rules.fates.get("repeated", 0),
    )
    rows = [one for one in (first, second, *found.taken) if one.sources or one.changed]
    if not rows:
        say(f"{found.project} says nothing of itself yet: no document, no manifest, no history.")
    else:
        say(f"{found.project}, {'as it would be' if found.dry_run else 'as it is'} remembered:")
        numbers = [(one.sources, one.new, one.changed, one.unchanged) for one in rows]
        show_table(
            ("WHAT", "SOURCES", "NEW", "CHANGED", "AS BEFORE"),
            [(one.form, *(f"{number:,}" for number in row)) for one, row in zip(rows, numbers, strict=True)],
        )
    for line in (*list(lines(documents))[1:], *(one for one in list(told(rules))[1:] if not one.startswith(_COUNTS))):
        say(line)
    if second.changed:
        were = "rule was" if second.changed == 1 else "rules were"
        say(f"{second.changed:,} {were} archived: no file says so any more.")
    for one in found.untold:
        say(f"Could not read {one.path}: {one.why}")
    if rows and not found.dry_run:
        say("`aftermind books` lists the sources; `aftermind search` finds what they say.")
