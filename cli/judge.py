"""The model that is to judge, as it is configured: where it is, and whether it may be asked."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct, structs

from aftermind.cli.config import apart_for_models
from aftermind.cli.secret import EXTRA
from aftermind.cli.settings import Sidecar
from aftermind.engine.names import Label
from aftermind.sidecar.models.confined import to_this_machine
from aftermind.sidecar.models.endpoint import Endpoint, endpoint_of, is_loopback

if TYPE_CHECKING:
    from aftermind.sidecar.models.litellm import LitellmModel

LEASE_BEYOND_ANSWER = 60.0
"""Seconds for which work is a judge's own, beyond the time an answer may take."""


UNCONFIRMED = Label("unconfirmed")


class Hindrance(Struct, frozen=True, kw_only=True):
    """Why a model that is configured is not asked, in words for a person."""

    why: Label
    said: str


def endpoint(sidecar: Sidecar) -> Endpoint:
    return endpoint_of(sidecar.model, sidecar.base_url)


def elsewhere(there: Endpoint, host: str) -> Endpoint:
    """The same place, where its server has said to which host it hands the model on; none if that is empty."""
    return structs.replace(there, host=host, local=False) if host else there


def is_confirmed(there: Endpoint, sidecar: Sidecar) -> bool:
    return there.local or sidecar.confirmed == there.name


def unconfirmed(there: Endpoint) -> str:
    return f"{there.name} is not on this machine, and nobody has confirmed it: `aftermind sidecar setup`"


def hindrance(sidecar: Sidecar) -> Hindrance | None:
    """Nothing that was said leaves this machine before somebody has confirmed to where, by its name."""
    there = endpoint(sidecar)
    if not is_confirmed(there, sidecar):
        return Hindrance(why=UNCONFIRMED, said=unconfirmed(there))
    if find_spec("litellm") is None:
        return Hindrance(why=Label("not-installed"), said=f"what asks models is not installed: {EXTRA}")
    return None


def model_at(there: Endpoint, key: str, seconds: float) -> LitellmModel:
    """The model at a place, which may take so many seconds for an answer; loads what asks it. For a process of its own:
    one that asks a model on this machine can reach nothing else from now on. Where a program of this machine hands on
    what it is asked, that program is reached without a proxy all the same."""
    apart_for_models(local=is_loopback(urlsplit(there.address).hostname or ""))
    if there.local:
        to_this_machine()
    from aftermind.sidecar.models.litellm import LitellmModel

    return LitellmModel(there, key, seconds)
