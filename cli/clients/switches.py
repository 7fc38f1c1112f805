"""What a client's own files say that keeps it from running what they name. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from aftermind.cli.clients.client import Client
from aftermind.cli.editing import jsonc, toml
from aftermind.cli.editing.text import Json, Keys
from aftermind.cli.editing.wanted import Form


def switched_off(client: Client, form: Form, text: str) -> str:
    """The switch as it is written, `tools.enableHooks`; empty where nothing is off. `NotParsed`."""
    if form == "text":
        return ""
    said = toml.parsed(text) if form == "toml" else jsonc.parsed(text)
    return next((".".join(keys) for keys, value in client.switches if value_at(said, keys) is value), "")


def value_at(value: Json, keys: Keys) -> Json:
    """None where nothing is."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
