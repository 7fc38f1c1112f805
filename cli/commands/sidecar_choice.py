"""Which model is to judge: what is on this machine, what was typed, what is configured."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.language.misused import Misused
from aftermind.cli.secret import KEYRING, SERVICE, NoKey, held, source_of, take_away
from aftermind.cli.settings import Sidecar, configuration, key_of, value_of
from aftermind.sidecar.models.endpoint import HERE, Endpoint, endpoint_of

if TYPE_CHECKING:
    from aftermind.sidecar.models.offers import Offer, Server

KEYS = ("sidecar.model", "sidecar.base_url", "sidecar.api_key_env", "sidecar.confirmed")
"""What `setup` writes and `disable --forget` takes out."""

Key: TypeAlias = Literal["none", "removed", "unreachable"]
"""What became of a key in the keyring: there was none, it is gone, or it could not be taken out."""


_START = "start Ollama, LM Studio, llama.cpp or vLLM with a small instruct model"


class Choice(Struct, frozen=True, kw_only=True):
    """`where` its key is, as `sidecar.api_key_env` says it; `key` is one that was typed and is not there yet."""

    endpoint: Endpoint
    base_url: str = ""
    where: str = ""
    key: str = ""
    confirmed: bool
    timeout_seconds: float


def configured() -> Choice:
    """What is in force now; `Misused` where there is no model."""
    found = configuration().sidecar
    if not found.model:
        raise Misused("no model is configured: rules judge", hint="`aftermind sidecar setup` finds one and tries it")
    endpoint = endpoint_of(found.model, found.base_url)
    return Choice(
        endpoint=endpoint,
        base_url=found.base_url,
        where=found.api_key_env,
        confirmed=endpoint.local or found.confirmed == endpoint.name,
        timeout_seconds=found.timeout_seconds,
    )


def written(choice: Choice) -> dict[str, str | int | float | None]:
    """The keys that say so in the configuration."""
    return {
        "scoring": "sidecar",
        "sidecar.model": choice.endpoint.model,
        "sidecar.base_url": choice.base_url or None,
        "sidecar.api_key_env": choice.where or None,
        "sidecar.confirmed": None if choice.endpoint.local else choice.endpoint.name,
    }


async def forget_judge() -> tuple[str, Key]:
    """The model that was configured in the file, which is not any more, and what became of its key in the keyring;
    no model where there was none."""
    from aftermind.cli.commands.config import write_keys
    from aftermind.cli.config import config_file
    from aftermind.cli.settings import from_file

    in_file = from_file(config_file())
    if not any(key in in_file for key in KEYS):
        return "", "none"
    key = await forget_key(configuration().sidecar)
    write_keys({**dict.fromkeys(KEYS), **({"scoring": None} if in_file.get("scoring") == "sidecar" else {})})
    return str(in_file.get("sidecar.model", "no model")), key


async def forget_key(found: Sidecar) -> Key:
    """What became of its key in the keyring. One that cannot be reached holds it still, if that is where it was."""
    host = endpoint_of(found.model, found.base_url).host
    try:
        return "removed" if await take_away(host) else "none"
    except NoKey:
        return "unreachable" if found.api_key_env == KEYRING else "none"


def key_told(key: Key) -> str:
    """That, in words after others; nothing where there was no key."""
    match key:
        case "removed":
            return " Its key is out of the keyring."
        case "none":
            return ""
        case "unreachable":
            return (
                " The keyring could not be reached, so its key is still there: unlock it, and remove what is kept for "
                f"{SERVICE}."
            )


async def chosen(arguments: Namespace) -> Choice | None:
    """What the options say, or else the person at the terminal; None where that person wants none."""
    from aftermind.cli.judge import elsewhere
    from aftermind.sidecar.models.local_servers import handed_on_to

    model, base_url = arguments.model, arguments.base_url or ""
    if model is None:
        offered = await _offered(arguments, _address_of(base_url))
        if offered is None:
            return None
        model, base_url = offered
    if model.strip() and "/" not in model:
        raise Misused(
            f"{model!r} names no provider: a model is PROVIDER/MODEL, as litellm names it",
            hint=f"--model PROVIDER/{model}: ollama_chat/{model} or openai/{model}, for example",
        )
    model, base_url = _fits("sidecar.model", model), _address_of(base_url)
    endpoint = endpoint_of(model, base_url)
    endpoint = elsewhere(endpoint, await handed_on_to(endpoint) or "")  # or it is asked again before anything is sent
    where, key = await _key(arguments, endpoint)
    if not endpoint.local:
        confirmed = await _confirmed(arguments, endpoint)
        if not confirmed:
            return None
    return Choice(
        endpoint=endpoint,
        base_url=base_url,
        where=where,
        key=key,
        confirmed=True,
        timeout_seconds=configuration().sidecar.timeout_seconds,
    )


# --- which one ------------------------------------------------------------------------------------------------


async def _offered(arguments: Namespace, base_url: str) -> tuple[str, str] | None:
    """A model and its address: the recommended one, or what the person picks or types."""
    from aftermind.cli.terminal.stdin import answered
    from aftermind.cli.terminal.tables import note
    from aftermind.sidecar.models.local_servers import PLACES, servers
    from aftermind.sidecar.models.offers import recommended

    if base_url and not endpoint_of("openai/any", base_url).local:
        raise Misused(
            f"which model of {endpoint_of('openai/any', base_url).host}?", hint="name it: --model openai/NAME"
        )
    note("Looking for model servers on this machine …")
    found = await servers((base_url,) if base_url else PLACES)
    listed = [(server, offer) for server in found for offer in server.offers if offer.answers]
    best = recommended(offer for _, offer in listed)
    if arguments.no_input:
        if best is None:
            raise Misused(
                "no model that could judge was found on this machine" + _others(found),
                hint=f"{_START}, or name one: --model PROVIDER/MODEL",
            )
        return next((offer.model, _address(server)) for server, offer in listed if offer is best)
    _show(listed, best)
    if not listed:
        note("There is none that could judge" + _others(found) + ".")
        note(f"Enter leaves all as it is: {_START}, and try again. Or name a provider's model.")
        note("Before another machine is asked, you confirm it.")
    usual = next((str(place) for place, (_, offer) in enumerate(listed, 1) if offer is best), "")
    asked = f"{'A number, ' if listed else ''}PROVIDER/MODEL as litellm names it, or `none`:"
    while (said := await answered(asked, usual)).isdecimal() and not 1 <= int(said) <= len(listed):
        note(f"There is no {said} in the list.")
    if not said or said.casefold() == "none":
        return None
    if said.isdecimal():
        server, offer = listed[int(said) - 1]
        if offer.elsewhere and endpoint_of(offer.model).local:
            raise Misused(
                f"{offer.name} is sent on to {offer.elsewhere}, under a name that does not tell so",
                hint="give it a name that ends in -cloud (`ollama cp`), so that you are asked before anything is sent",
            )
        return offer.model, _address(server)
    if said.partition("/")[0] in HERE:
        return said, ""
    return said, await answered("At which address? (Enter: its provider's own)")


def _address(server: Server) -> str:
    """Where it is asked; nothing where everybody asks it there."""
    return "" if server.program == "Ollama" and server.address == HERE["ollama_chat"] else server.address


def _others(found: Sequence[Server]) -> str:
    told = [f"{server.program} at {server.address} has {len(server.offers)} that cannot" for server in found]
    return f" ({'; '.join(told)})" if told else ""


def _show(listed: Sequence[tuple[Server, Offer]], best: Offer | None) -> None:
    from aftermind.cli.terminal.tables import show_table

    if not listed:
        return
    rows = [
        (
            str(place),
            offer.name,
            server.program,
            _UNTOLD if offer.billions is None else f"{offer.billions:g} B",
            _UNTOLD if offer.size is None else f"{offer.size / 1e9:.1f} GB",
            offer.quantisation or _UNTOLD,
            _remark(offer, best),
        )
        for place, (server, offer) in enumerate(listed, 1)
    ]
    show_table(("NUMBER", "MODEL", "SERVER", "PARAMETERS", "SIZE", "QUANTISED", "REMARK"), rows)


_UNTOLD = "not told"


def _remark(offer: Offer, best: Offer | None) -> str:
    if offer.elsewhere:
        return f"not here: sent on to {offer.elsewhere}"
    return "recommended" if offer is best else ""


# --- its key, and whether it may be asked ---------------------------------------------------------------------


async def _key(arguments: Namespace, endpoint: Endpoint) -> tuple[str, str]:
    """Where the key is, and one that is to go there."""
    from aftermind.cli.terminal.stdin import answered, answered_unseen

    if arguments.keyring and arguments.api_key_env:
        raise Misused("the key is in one place", hint="--keyring or --api-key-env")
    if arguments.api_key_env:
        return _fits("sidecar.api_key_env", arguments.api_key_env), ""
    where = KEYRING if arguments.keyring else ""
    if not where and not endpoint.local and not arguments.no_input:
        usual = f"{endpoint.model.partition('/')[0].upper().replace('-', '_')}_API_KEY"
        asked = "Which environment variable holds its API key (`keyring`: the system's keyring; `none`)?"
        said = await answered(asked, usual)
        where = "" if said.casefold() == "none" else _fits("sidecar.api_key_env", said)
    if where != KEYRING or await held(endpoint.host):
        return where, ""
    if arguments.no_input:
        raise Misused(
            f"the keyring has no key for {endpoint.host}",
            hint="without --no-input it is asked for; --api-key-env NAME takes it from the environment",
        )
    key = await answered_unseen(
        f"API key for {endpoint.host} (not shown, kept in {source_of(KEYRING, endpoint.host)}):"
    )
    if not key or len(key.split()) > 1:
        raise Misused("that is no API key", hint="`aftermind sidecar setup` asks again")
    return where, key


async def _confirmed(arguments: Namespace, endpoint: Endpoint) -> bool:
    """Nothing goes to another machine that its owner has not named, or agreed to by its name."""
    from aftermind.cli.terminal.stdin import agreed
    from aftermind.cli.terminal.tables import note

    if arguments.confirm == endpoint.name:
        return True
    if arguments.confirm is not None:
        raise Misused(
            f"--confirm says {arguments.confirm}, and what would be asked is {endpoint.name}",
            hint=f"--confirm {endpoint.name}, if that is what you want",
        )
    if arguments.no_input:
        raise Misused(
            f"{endpoint.name} is not on this machine: prompts, answers and memories would be sent there",
            hint=f"--confirm {endpoint.name} says that they may be",
        )
    note(
        f"{endpoint.host} is not on this machine. To judge an exchange, its prompt, answer, tool results and next\n"
        "prompt are sent there, and the memories that were shown for it; what looks like a secret is masked."
    )
    return await agreed(f"May what you and your assistants say be sent to {endpoint.name}?")


def _address_of(text: str) -> str:
    return _fits("sidecar.base_url", text).rstrip("/") if text else ""


def _fits(name: str, text: str) -> str:
    """The text, as the configuration takes it."""
    return str(value_of(key_of(name), text, "what was given"))
