"""What a person is told when their assistants are set up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

from aftermind.cli.clients.client import Client, Setting
from aftermind.cli.clients.installing import Step
from aftermind.cli.clients.switches import switched_off
from aftermind.cli.editing.files import NotEdited, seen, text_of
from aftermind.cli.editing.ledger import changed
from aftermind.cli.editing.text import NotParsed
from aftermind.cli.settings import configuration


def advice_on(place: Setting, chosen: Sequence[Client], steps: Sequence[Step]) -> list[str]:
    """What the user does now, and what is good to know."""
    touched = {step.client for step in steps if not step.does_nothing}
    said = [f"Next: {client.next}." for client in chosen if client.name in touched]
    for step in steps:
        if step.instead:
            lines = ", ".join(f"`{line}`" for line in step.instead)
            said.append(f"{step.there.path} had another store's entries, whose place these took: {lines}.")
    said += _off(place, chosen)
    if place.project is None:
        return said
    store, everywhere = quote(str(place.store)), configuration().home.expanduser().absolute()
    said.append(f"`aftermind COMMAND --home {store}` speaks to this project's store.")
    if everywhere != place.store and {one.client for one in changed(everywhere)} & {one.name for one in chosen}:
        pause = f"aftermind pause --project {quote(str(place.project))}"
        said.append(f"The store for all projects, {everywhere}, is told of this one, too; `{pause}` ends that.")
    paths = [step.there.path for step in steps if step.state == "create" and _is_in(step.there.path, place.project)]
    if paths:
        names = ", ".join(sorted(str(path.relative_to(place.project)) for path in paths))
        said.append(f"Keep these out of git, they name paths of this machine: {names}.")
    return said


def _off(place: Setting, chosen: Sequence[Client]) -> Iterator[str]:
    """What keeps a client from running what was put into its files; whether these can be read, `doctor` tells."""
    clients: dict[str, Client] = {client.name: client for client in chosen}
    for one in changed(place.store):
        if client := clients.get(one.client):
            with suppress(NotEdited, NotParsed):
                if off := switched_off(client, one.form, text_of(seen(Path(one.path)))):
                    what = f"{one.path} keeps {client.title} from running what was put there ({off})"
                    yield f"Warning: {what}: take that out, if it is not meant so."


def _is_in(path: Path, project: Path) -> bool:
    return path.is_relative_to(project) and path.suffix not in (".md", ".mdc")
