"""sidecar setup, test: which model judges. Nothing is saved before a test exchange came back."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from aftermind.cli.language.misused import Misused

if TYPE_CHECKING:
    from pathlib import Path

    from aftermind.cli.commands.sidecar_choice import Choice
    from aftermind.cli.trying import Tried


class NotJudging(Misused):
    """The model was asked, and what it says is no verdict, or the wrong one."""

    status = 5


async def setup(arguments: Namespace) -> int:
    """What is chosen is tried, and then saved, all of it or nothing. Whatever ends this before leaves all as it was."""
    from aftermind.cli.commands.sidecar_choice import chosen
    from aftermind.cli.secret import source_of
    from aftermind.cli.terminal.stdin import agreed, somebody_to_ask
    from aftermind.cli.terminal.tables import note, show_json

    _must_have_litellm()
    if not arguments.no_input:
        hint = "`aftermind sidecar setup --model PROVIDER/MODEL --no-input` does not ask"
        somebody_to_ask("setup asks which model you want", hint)
    choice = await chosen(arguments)
    if choice is None:
        note("Nothing was changed.")
        return 0
    found = await _tried(choice)
    _show_tried(choice, found, quiet=arguments.json)
    if not found.right:
        if arguments.no_input:
            raise _not_judging(choice, found)
        if not await agreed("It did not judge as everybody would. Use it all the same?"):
            note("Nothing was changed.")
            return 5
    elif not arguments.no_input and not await agreed(f"Let {choice.endpoint.model} judge from now on?"):
        note("Nothing was changed.")
        return 0
    path = await _saved(choice)
    if arguments.json:
        key = source_of(choice.where, choice.endpoint.host)
        show_json({**_facts(choice, found), "path": str(path), "key": key})
    else:
        _tell_saved(choice, path)
    return 0


async def offered(arguments: Namespace, base_url: str, *, asks: bool) -> None:
    """What `init` offers: the recommended model of this machine, if there is one, tried and saved as `setup` does it.
    Unasked, `Misused` where there is none."""
    from importlib.util import find_spec

    from aftermind.cli.commands.sidecar_choice import chosen
    from aftermind.cli.secret import EXTRA
    from aftermind.cli.terminal.stdin import agreed
    from aftermind.cli.terminal.tables import note
    from aftermind.sidecar.models.local_servers import PLACES, servers
    from aftermind.sidecar.models.offers import recommended

    wanted = Namespace(
        model=None, base_url=base_url, api_key_env=None, keyring=False, confirm=None, no_input=True, json=arguments.json
    )
    if asks:
        found = await servers((base_url,) if base_url else PLACES)
        best = recommended(offer for server in found for offer in server.offers)
        if best is None:
            return
        program = next(server.program for server in found if best in server.offers)
        if find_spec("litellm") is None:
            note(f"{best.name} of {program} could judge what worked: {EXTRA}, then `aftermind sidecar setup`.")
            return
        if not await agreed(f"Rules judge what worked. Let {best.name} of {program}, on this machine, judge it?"):
            return
    _must_have_litellm()
    if (choice := await chosen(wanted)) is None:
        return
    tried = await _tried(choice)
    _show_tried(choice, tried, quiet=arguments.json)
    if not tried.right:
        raise _not_judging(choice, tried)
    path = await _saved(choice)
    if not arguments.json:
        _tell_saved(choice, path)


async def test(arguments: Namespace) -> int:
    from aftermind.cli.commands.sidecar_choice import configured
    from aftermind.cli.terminal.tables import say, show_json

    _must_have_litellm()
    choice = configured()
    if not choice.confirmed:
        raise Misused(
            f"{choice.endpoint.name} is not on this machine, and you have not confirmed that it may be asked",
            hint=f"`aftermind sidecar setup` asks you; `aftermind config set sidecar.confirmed {choice.endpoint.name}` "
            "confirms it",
        )
    found = await _tried(choice)
    if arguments.json:
        show_json(_facts(choice, found))
    _show_tried(choice, found, quiet=arguments.json)
    if not found.right:
        raise _not_judging(choice, found)
    if await _resumed(arguments) and not arguments.json:
        say("Judging had stopped; it goes on.")
    return 0


# --- the steps ------------------------------------------------------------------------------------------------


async def _resumed(arguments: Namespace) -> bool:
    """A model that judges is asked again: whether it had not been."""
    from aftermind.cli.language.judging import ResumeScoring
    from aftermind.cli.opening import NoStore, opened

    try:
        async with opened(arguments, make=False) as memory:
            return await memory.ask(ResumeScoring())
    except NoStore:
        return False


def _must_have_litellm() -> None:
    from importlib.util import find_spec

    from aftermind.cli.secret import EXTRA

    if find_spec("litellm") is None:
        raise Misused(
            "litellm, which asks models, is not installed; without a model, rules judge",
            hint=f"{EXTRA} (into the environment aftermind is in; with pipx: `pipx inject aftermind litellm keyring`)",
        )


async def _tried(choice: Choice) -> Tried:
    from aftermind.cli.terminal.tables import note
    from aftermind.cli.trying import Trial, tried

    note(f"Asking {choice.endpoint.model} at {choice.endpoint.host} to judge one exchange …")
    return await tried(
        Trial(
            model=choice.endpoint.model,
            base_url=choice.base_url,
            where=choice.where,
            key=choice.key,
            timeout_seconds=choice.timeout_seconds,
        )
    )


def _show_tried(choice: Choice, found: Tried, *, quiet: bool) -> None:
    from aftermind.cli.terminal.tables import counted, note, say
    from aftermind.sidecar.ports import Findings

    if quiet or not isinstance(found.said, Findings):
        return
    usage, said = found.usage, found.said
    right = "as everybody would" if found.right else "everybody would say failed"
    say(f"{'verdict':<8}  {said.outcome} ({right})")
    if said.evidence:
        say(f"{'shown by':<8}  {said.evidence}")
    say(f"{'took':<8}  {usage.milliseconds / 1000:.1f} s")
    tokens = f"{counted(usage.tokens_in, 'token')} read, {usage.tokens_out:,} written"
    say(f"{'cost':<8}  {tokens}, {_dollars(choice, found)}")
    if found.usage.milliseconds > choice.timeout_seconds * 500:
        note("That is more than half of `sidecar.timeout_seconds`; a longer exchange may take too long.")


def _dollars(choice: Choice, found: Tried) -> str:
    if choice.endpoint.local:
        return "no money"
    if not found.priced:
        return "its price is not known: only calls and tokens are limited, not dollars"
    return f"${found.usage.dollars:.6f}"


def _not_judging(choice: Choice, found: Tried) -> NotJudging:
    from aftermind.cli.config import secret_of
    from aftermind.cli.secret import KEYRING
    from aftermind.sidecar.ports import Failed

    if isinstance(found.said, Failed):
        what = f"{choice.endpoint.model} gave no verdict: {found.said.said or found.said.fault}"
        if choice.where not in ("", KEYRING) and not choice.key and not secret_of(choice.where):
            return NotJudging(what, hint=f"`export {choice.where}=…` first; or --keyring, which asks for the key")
        return NotJudging(what, hint=_HINTS.get(found.said.fault, _ANOTHER))
    return NotJudging(
        f"{choice.endpoint.model} says {found.said.outcome} of an exchange that plainly failed",
        hint=_ANOTHER,
    )


_ANOTHER = "another model may do better: `aftermind sidecar setup`"
_HINTS = {
    "unreachable": "start its server, or name where it is with --base-url",
    "timeout": "`aftermind config set sidecar.timeout_seconds 180` gives it longer; a smaller model is quicker",
    "broken": "see what its server says; is --base-url the address that ends in /v1?",
    "limited": "wait, and try again",
    "denied": "`aftermind sidecar key set` takes another key; --api-key-env names a variable that holds one",
    "missing": "`aftermind sidecar setup` lists the models there are",
}


def _facts(choice: Choice, found: Tried) -> dict[str, object]:
    from msgspec import structs

    from aftermind.sidecar.ports import Findings

    said = found.said
    return {
        "model": choice.endpoint.model,
        "host": choice.endpoint.host,
        "local": choice.endpoint.local,
        "right": found.right,
        "outcome": said.outcome if isinstance(said, Findings) else None,
        "evidence": said.evidence if isinstance(said, Findings) else "",
        "fault": None if isinstance(said, Findings) else said.fault,
        "usage": structs.asdict(found.usage),
        "priced": found.priced,
    }


async def _saved(choice: Choice) -> Path:
    """Where it is written now: the key first, and taken away again where the rest cannot be."""
    from aftermind.cli.commands.config import write_keys
    from aftermind.cli.commands.sidecar_choice import written
    from aftermind.cli.secret import keep, take_away

    if choice.key:
        await keep(choice.endpoint.host, choice.key)
    try:
        return write_keys(written(choice))
    except BaseException:
        if choice.key:
            await take_away(choice.endpoint.host)
        raise


def _tell_saved(choice: Choice, path: Path) -> None:
    from aftermind.cli.commands.sidecar_choice import written
    from aftermind.cli.config import from_environment, variable
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import say

    limits = configuration().sidecar
    say(f"{choice.endpoint.model} judges from now on; that is written in {path}.")
    say(
        f"At most {limits.calls_per_day:,} requests, {limits.tokens_per_day:,} tokens and ${limits.dollars_per_day:g} "
        "a day; `aftermind config get` lists what can be changed."
    )
    for name in written(choice):
        if from_environment(name) is not None:
            say(f"{variable(name)} is set and goes before {name} there.")
    say("`aftermind sidecar status` tells how it goes, `aftermind sidecar disable` ends it.")
