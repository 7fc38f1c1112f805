"""Who may ask over HTTP. Pure: headers in, a refusal or none out.

A port is open to whatever runs on this machine, and to every page in its browser: a page's own name can be pointed at
127.0.0.1 (so the Host has to be ours), a form can be posted across sites (so an Origin has to be ours, and what is
posted has to say it is JSON), and another user's program is as near as ours (so there is a token). What a proxy or a
client says of where it comes from is not read at all.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from ipaddress import ip_address

from msgspec import Struct

LARGEST = 4 * 1024 * 1024
"""Bytes of a body."""
OURS = frozenset({"none", "same-origin"})
"""What a browser says of a request that no other site's page made."""
LOOPBACK = "this machine"
REFUSED = "aftermind.refused"
"""Said in the scope of a request that is refused: its connection is the first to go when there are too many."""
Headers = Mapping[str, Sequence[str]]
"""Name in lower case → what was said, as often as it was."""


class Refusal(Struct, frozen=True, kw_only=True):
    """What is answered instead: a status of HTTP, what is wrong, and what helps."""

    status: int
    what: str
    hint: str = ""
    headers: tuple[tuple[str, str], ...] = ()


def names_of(host: str, port: int) -> tuple[str, ...]:
    """What the Host of a request may be at this address. Of loopback, each of its names."""
    try:
        loopback = ip_address(host).is_loopback
    except ValueError:  # a name of ours, `localhost`
        loopback = True
    hosts = dict.fromkeys((host, "127.0.0.1", "localhost", "::1") if loopback else (host,))
    named = [f"[{one}]" if ":" in one else one for one in hosts]
    return tuple(f"{one}:{port}" for one in named) + (tuple(named) if port == 80 else ())


def address_of(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def foreign(headers: Headers, names: Sequence[str]) -> Refusal | None:
    """Why a request is not from this machine's own programs, if it is not."""
    hosts = headers.get("host", ())
    if len(hosts) != 1 or hosts[0].lower() not in names:
        said = f"the Host is none of {', '.join(names)}"
        return Refusal(status=421, what=said, hint="ask by the address `aftermind http` prints")
    ours = {f"http://{name}" for name in names}
    if any(origin.lower() not in ours for origin in headers.get("origin", ())):
        return Refusal(status=403, what="a page of another origin asked", hint="no page may: use a program")
    if any(site.lower() not in OURS for site in headers.get("sec-fetch-site", ())):
        return Refusal(status=403, what="a page of another site asked", hint="no page may: use a program")
    return None


def is_known(headers: Headers, token: str) -> bool:
    """Whether the token was said, once. Where there is none, nobody can."""
    said = headers.get("authorization", ())
    kind, _, rest = said[0].partition(" ") if len(said) == 1 else ("", "", "")
    given = rest.strip().encode("utf-8", "surrogateescape")
    return bool(token) and kind.lower() == "bearer" and hmac.compare_digest(given, token.encode())


UNKNOWN = Refusal(
    status=401,
    what="the token is missing or is another",
    hint="`aftermind http token` prints it; it goes into the header Authorization: Bearer TOKEN",
    headers=(("www-authenticate", 'Bearer realm="aftermind"'),),
)
TOO_LARGE = Refusal(status=413, what=f"a body has at most {LARGEST:,} bytes", hint="send less at once")
NO_JSON = Refusal(status=415, what="what is posted has to be application/json", hint="say so in the Content-Type")


def unfit(method: str, headers: Headers) -> Refusal | None:
    """Why a body is not even begun to be read, if so. A body may also come without its length; it is counted then."""
    lengths = headers.get("content-length", ())
    if any(not length.isascii() or not length.isdigit() for length in lengths):
        return Refusal(status=400, what="the Content-Length is no number")
    if any(len(length) > 12 or int(length) > LARGEST for length in lengths):
        return TOO_LARGE
    if method != "POST" and (headers.get("transfer-encoding") or any(int(length) for length in lengths)):
        return Refusal(status=400, what=f"a {method} has no body")  # and nobody waits for one
    if lengths and headers.get("transfer-encoding"):
        return Refusal(status=400, what="where the body ends is said twice")
    kinds = [kind.partition(";")[0].strip().lower() for kind in headers.get("content-type", ())]
    return NO_JSON if method == "POST" and kinds != ["application/json"] else None


def client_of(address: str) -> str:
    """Whom a connection's address stands for: all of loopback is this machine, and of the newer addresses a network
    is one client, for each has as many as it likes. A port says nothing: another is had for the asking."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return LOOPBACK
    if found.version == 6 and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if found.is_loopback:
        return LOOPBACK
    return str(found) if found.version == 4 else ":".join(found.exploded.split(":")[:4])
