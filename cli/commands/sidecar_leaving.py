"""sidecar disable, key: no model judges any more; its key goes into the system's keyring, or out of it."""

from __future__ import annotations

from argparse import Namespace

from aftermind.cli.language.misused import Misused


async def disable(arguments: Namespace) -> int:
    """`--forget` also takes away what `setup` had written, and the key."""
    from contextlib import suppress

    from aftermind.cli.commands.config import write_keys
    from aftermind.cli.commands.sidecar_choice import KEYS, Key, forget_key, key_told
    from aftermind.cli.config import from_environment, variable
    from aftermind.cli.language.judging import ResumeScoring
    from aftermind.cli.opening import NoStore, opened
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import say, show_json

    config = configuration()
    gone: Key = await forget_key(config.sidecar) if arguments.forget else "none"
    path = write_keys({"scoring": "cues", **(dict.fromkeys(KEYS) if arguments.forget else {})})
    with suppress(NoStore):
        async with opened(arguments, make=False) as memory:
            await memory.ask(ResumeScoring())  # whatever had stopped does not stop rules
    if arguments.json:
        show_json({"scoring": "cues", "path": str(path), "forgotten": arguments.forget, "key": gone})
        return 0
    say("No model judges any more: rules judge (`scoring` is cues), and nothing is sent anywhere.")
    if arguments.forget:
        say(f"The model is forgotten.{key_told(gone)}")
    elif config.sidecar.model:
        say(f"{config.sidecar.model} stays configured; `aftermind config set scoring sidecar` lets it judge again.")
    if from_environment("scoring") is not None:
        say(f"{variable('scoring')} is set and goes before that.")
    return 0


async def key(arguments: Namespace) -> int:
    import sys

    from aftermind.cli.commands.config import write_keys
    from aftermind.cli.commands.sidecar_choice import configured
    from aftermind.cli.secret import KEYRING, keep, take_away
    from aftermind.cli.terminal.stdin import all_of_stdin, answered_unseen
    from aftermind.cli.terminal.tables import say, show_json

    choice = configured()
    host = choice.endpoint.host
    if arguments.step == "remove":
        removed = await take_away(host)
        if choice.where == KEYRING:
            write_keys({"sidecar.api_key_env": None})
        told = f"The key for {host} is out of the keyring." if removed else f"The keyring has no key for {host}."
    else:
        terminal = sys.stdin.isatty()
        typed = await (answered_unseen(f"API key for {host} (not shown):") if terminal else all_of_stdin())
        secret = typed.strip()
        if not secret or len(secret.split()) > 1:
            raise Misused("that is no API key", hint="pipe it in, or run this at a terminal and paste it")
        await keep(host, secret)
        write_keys({"sidecar.api_key_env": KEYRING})
        told = f"The key for {host} is in the system's keyring; `aftermind sidecar test` tries it."
    show_json({"host": host, "key": arguments.step}) if arguments.json else say(told)
    return 0
