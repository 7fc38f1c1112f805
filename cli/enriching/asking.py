"""One question to a forge, and its answer. Who does not answer in time has not answered; a token goes to no other
place than the one it is for."""

from __future__ import annotations

from collections.abc import Mapping
from email.message import Message
from http.client import HTTPException, HTTPMessage
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

import anyio
from msgspec import Struct

from aftermind.cli.terminal.aside import aside
from aftermind.sidecar.models.endpoint import is_loopback

LARGEST = 4 * 1024 * 1024
"""Bytes of an answer that are read; an issue's text is in it, and is not kept."""


class Answer(Struct, frozen=True, kw_only=True):
    """`headers` by their names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Silent(Exception):
    """Why there is no answer."""


class _AtTheSamePlace(HTTPRedirectHandler):
    """What moved is looked for where the token is for, and nowhere else."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if (old.scheme, old.netloc) != (new.scheme, new.netloc):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


async def ask(address: str, headers: Mapping[str, str], seconds: float) -> Answer:
    """`Silent` where nobody answers within so many seconds."""
    try:
        with anyio.fail_after(seconds):
            return await aside(lambda: _ask(address, headers, seconds))
    except TimeoutError:  # the socket's, or that of all that was sent drop by drop
        raise Silent(f"it did not answer within {seconds:g} seconds") from None


def _ask(address: str, headers: Mapping[str, str], seconds: float) -> Answer:
    here = is_loopback(urlsplit(address).hostname or "")
    opener = build_opener(_AtTheSamePlace, *([ProxyHandler({})] if here else []))
    request = Request(address, headers=dict(headers))  # noqa: S310 - its scheme was looked at
    try:
        with opener.open(request, timeout=seconds) as response:
            return Answer(status=response.status, headers=_lower(response.headers), body=response.read(LARGEST))
    except HTTPError as error:
        with error:
            return Answer(status=error.code, headers=_lower(error.headers), body=b"")
    except TimeoutError:
        raise
    except URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise TimeoutError from None
        raise Silent(f"it cannot be reached ({_why(error.reason)})") from None
    except (OSError, HTTPException, ValueError) as error:
        raise Silent(f"it cannot be reached ({_why(error)})") from None


def _lower(headers: Message) -> dict[str, str]:
    return {name.casefold(): str(value) for name, value in headers.items()}


def _why(error: object) -> str:
    return getattr(error, "strerror", None) or type(error).__name__
