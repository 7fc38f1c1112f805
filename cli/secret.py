"""The API key of the model that judges: in an environment variable, or in the system's keyring. The only keyring.

Guarantee: no key is in the configuration, the log, an argument of a process, or anything printed. In the keyring each
place has a key of its own, so that a key is never sent to another place than the one it was given for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TypeVar

import anyio

from aftermind.cli.config import secret_of
from aftermind.cli.terminal.aside import aside
from aftermind.engine.errors import AftermindError

T = TypeVar("T")
SERVICE, KEYRING = "aftermind", "keyring"
EXTRA = "pip install 'aftermind[sidecar]', or from a clone pip install '.[sidecar]'"
_OTHER = "an environment variable does as well: `aftermind config set sidecar.api_key_env NAME`"
PATIENCE = 20.0
"""Seconds a keyring may take: it may ask its owner for a password, and there may be nobody to ask."""


class NoKey(AftermindError):
    """The key is not where the configuration says, or its place cannot be reached."""

    status = 5

    def __init__(self, what: str, *, hint: str) -> None:
        self.hint = hint
        super().__init__(what)


def source_of(where: str, host: str) -> str:
    """Where the key is, in words. Never the key."""
    if not where:
        return "none"
    return f"the keyring, for {host}" if where == KEYRING else f"the environment variable {where}"


async def key_of(where: str, host: str) -> str:
    """The key for a place; empty where none is configured. `where` is what `sidecar.api_key_env` says."""
    if not where:
        return ""
    if where != KEYRING:
        if key := secret_of(where):
            return key
        raise NoKey(
            f"the environment variable {where} holds no key here",
            hint=f"`export {where}=…` where your assistant or the daemon is started, then `aftermind restart`; "
            "or `aftermind sidecar key set`, which keeps the key in the system's keyring",
        )
    if key := await _reached(lambda: _keyring().get_password(SERVICE, host) or ""):
        return key
    raise NoKey(f"the keyring has no key for {host}", hint="`aftermind sidecar key set` puts it there")


async def held(host: str) -> bool:
    """Whether the keyring has a key for a place."""
    return bool(await _reached(lambda: _keyring().get_password(SERVICE, host)))


async def keep(host: str, key: str) -> None:
    """Puts the key for a place into the keyring, and sees that it is there."""
    await _reached(lambda: _keyring().set_password(SERVICE, host, key))
    if await _reached(lambda: _keyring().get_password(SERVICE, host)) != key:
        raise NoKey("the keyring did not keep the key", hint=_OTHER)


async def take_away(host: str) -> bool:
    """The key for a place is not in the keyring any more; whether it was."""
    if await _reached(lambda: _keyring().get_password(SERVICE, host)) is None:
        return False
    await _reached(lambda: _keyring().delete_password(SERVICE, host))
    return True


class _Keyring:
    """The part of the library that is used."""

    def __init__(self) -> None:
        import keyring

        self.get_password: Callable[[str, str], str | None] = keyring.get_password
        self.set_password: Callable[[str, str, str], None] = keyring.set_password
        self.delete_password: Callable[[str, str], None] = keyring.delete_password


def _keyring() -> _Keyring:
    if find_spec("keyring") is None:
        raise NoKey("the library that reaches the system's keyring is not installed", hint=f"{EXTRA}; {_OTHER}")
    return _Keyring()


async def _reached(work: Callable[[], T]) -> T:
    try:
        with anyio.fail_after(PATIENCE):
            return await aside(work)
    except NoKey:
        raise
    except TimeoutError:
        why = f"the system's keyring did not answer within {PATIENCE:g} seconds"
        raise NoKey(why, hint=f"unlock it; {_OTHER}") from None
    except Exception as error:  # each system's keyring has errors of its own, and words that may hold what was asked
        raise NoKey(f"the system's keyring cannot be used ({type(error).__name__})", hint=_OTHER) from None
