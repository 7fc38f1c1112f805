"""Where a model is asked: at which address, and whether what is sent there stays on this machine. Pure.

A name alone does not say: some providers are programs on this machine with an address everybody uses, the others are
somewhere else. Only an address that is a loopback one by its very text is local; a name that would have to be looked
up is not.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from msgspec import Struct

from aftermind.engine.errors import Unusable

HERE = {
    "ollama": "http://127.0.0.1:11434",
    "ollama_chat": "http://127.0.0.1:11434",
    "lm_studio": "http://127.0.0.1:1234/v1",
    "llamafile": "http://127.0.0.1:8080/v1",
    "hosted_vllm": "http://127.0.0.1:8000/v1",
}
"""Providers that are programs on this machine unless an address says otherwise."""


CLOUD = ("-cloud", ":cloud")
"""Ends the names of models that an Ollama on this machine hands on to ollama.com, by whichever of its doors it is
asked."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """`model` as it is configured, with its provider; `address` is empty where only the provider knows it; `host` is
    what a person calls the place."""

    model: str
    address: str
    host: str
    local: bool

    @property
    def name(self) -> str:
        """What a person confirms before anything is sent there: the place, and which model."""
        return "/".join((self.host, self.model.partition("/")[2]))


def endpoint_of(model: str, base_url: str = "") -> Endpoint:
    """The place that is meant by a model's name (`provider/model`) and an address, if one is configured. `Unusable` for
    an address that is none."""
    provider = model.partition("/")[0]
    address = (base_url or HERE.get(provider, "")).rstrip("/")
    if not address:
        return Endpoint(model=model, address="", host=provider, local=False)
    if not is_address(address):
        raise Unusable("that is no address of a model", address, hint="http://127.0.0.1:8080/v1, for example")
    parts = urlsplit(address)
    host = parts.hostname or ""
    if model.strip().casefold().endswith(CLOUD) and (is_loopback(host) or provider.startswith("ollama")):
        return Endpoint(model=model, address=address, host="ollama.com", local=False)
    shown = f"[{host}]" if ":" in host else host
    return Endpoint(
        model=model,
        address=address,
        host=f"{shown}:{parts.port}" if parts.port else shown,
        local=is_loopback(host),
    )


def is_address(text: str) -> bool:
    """Whether it names a host, and a port that there can be, if any."""
    try:
        parts = urlsplit(text)
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its text alone."""
    if host.casefold() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
