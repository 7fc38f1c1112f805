"""What `init` offers beside the assistants: another model for recall by meaning, one of this machine that judges what
worked, and the history they kept."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from aftermind.cli.clients.client import Client, Setting
from aftermind.cli.clients.history import DAYS, History, histories
from aftermind.cli.commands import sidecar_setup
from aftermind.cli.commands.config import write_key
from aftermind.cli.commands.import_ import imported
from aftermind.cli.importing.report import Report
from aftermind.cli.importing.source import detected
from aftermind.cli.keys import BY_SIDECAR
from aftermind.cli.settings import configuration
from aftermind.cli.terminal.stdin import agreed
from aftermind.cli.terminal.tables import show_error
from aftermind.engine.errors import AftermindError, Unusable
from aftermind.projections.meaning.embedding import checked
from aftermind.projections.meaning.model_files import DOWNLOADS, STATIC, downloaded


async def choose_a_model(place: Setting) -> None:
    """Asks only where there is something to choose: the static model is in use, and another one is here."""
    if configuration().model.name != STATIC:
        return
    models = place.store / DOWNLOADS
    for name in sorted(downloaded(models)):
        if await agreed(f"Recall by meaning goes by a small static model. Use {name}, which is here, instead?"):
            checked(name, models)
            write_key("model.name", name)
            return


async def choose_a_judge(arguments: Namespace, *, asks: bool) -> None:
    """Asks once, and only where none is configured and a model of this machine could judge; unasked only by a flag.
    What goes wrong with it leaves the rest as it is: rules judge."""
    config = configuration()
    if config.sidecar.model or config.scoring != BY_SIDECAR or not (asks or arguments.sidecar):
        return
    try:
        await sidecar_setup.offered(arguments, config.sidecar.base_url, asks=asks and not arguments.sidecar)
    except AftermindError as error:
        show_error(str(error), error.hint, type(error).__name__, as_json=arguments.json)


async def begin_with_history(
    arguments: Namespace, place: Setting, chosen: Sequence[Client], *, asks: bool
) -> dict[History, Report | None]:
    """What was imported of each source there is; None of one that was not."""
    found: dict[History, Report | None] = {}
    wanted = Namespace(home=str(place.store), json=arguments.json, project=None, days=DAYS, dry_run=False)
    for one in histories(place):
        if one.client not in {client.name for client in chosen}:
            continue
        found[one] = None
        asked = f"Import the last {DAYS} days of {one.title} ({one.path})?"
        if not (arguments.history or (asks and await agreed(asked))):
            continue
        try:
            format = detected(one.path)
            if format is not None:
                found[one] = await imported(one.path, format, wanted, under=place.project)
        except Unusable as error:  # the assistants work all the same
            show_error(str(error), error.hint, type(error).__name__, as_json=arguments.json)
    return found
