"""Which forges may be asked, at which address, for what, and what their answers say. Pure.

Nothing goes out but a reference, to a host somebody named, over TLS unless it is this machine. What comes back is
somebody's text: its lengths are bounded, and what has another shape is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Literal
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct

from aftermind.engine.entities.references import Reference
from aftermind.engine.errors import AftermindError, Unusable
from aftermind.engine.masking.private import without_private
from aftermind.engine.masking.secrets import mask
from aftermind.engine.moments import moment
from aftermind.engine.names import Label
from aftermind.engine.stored import storable
from aftermind.sidecar.models.endpoint import is_loopback

Kind = Literal["github", "gitlab"]
_ENTRY = re.compile(
    r"(?:(?P<kind>github|gitlab):(?!//))?(?:(?P<scheme>https?)://)?(?P<place>[\w.\-\[\]:]+)/?", re.ASCII
)
_PLACE = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?")
LONG, MANY, SHORT = 500, 30, 100
"""Characters of a title or an address, labels, and characters of each."""
MINUTE = timedelta(minutes=1)
LONGEST = 100
"""Digits of a number that are looked at; more of them, and it is as large as that for anybody."""


class Forge(Struct, frozen=True, kw_only=True):
    """`host` as references say it; `root` is where its interface begins. `where` its token is: a variable's name,
    `keyring`, or empty for none."""

    kind: Kind
    host: str
    root: str
    where: str = ""


class Said(Struct, frozen=True, kw_only=True):
    what: Label
    state: Label
    title: str = ""
    labels: tuple[str, ...] = ()
    url: str = ""


class NoAnswer(AftermindError):
    """What came back says nothing of what was asked."""


def forges(said: str, tokens: str) -> tuple[Forge, ...]:
    """Those that the configuration names: `github.com gitlab:git.example.org`. `tokens`: `HOST=VARIABLE` of those that
    have one."""
    where = dict(_token(one) for one in tokens.split())
    found = [_forge(entry, where) for entry in said.split()]
    if unknown := set(where) - {one.host for one in found}:
        raise Unusable(
            "a token for a host that is not asked", ", ".join(sorted(unknown)), hint="`enrich.forges` lists them"
        )
    return tuple({one.host: one for one in found}.values())


def _forge(entry: str, where: Mapping[str, str]) -> Forge:
    match = _ENTRY.fullmatch(entry)
    if match is None or not _PLACE.fullmatch(match["place"]):
        raise Unusable("that is no forge", entry, hint="github.com, gitlab.com, or gitlab:git.example.org")
    place = match["place"].casefold()
    host = urlsplit(f"//{place}").hostname or ""
    shown = f"[{host}]" if ":" in host else host
    kind = match["kind"] or next((one for one in ("github", "gitlab") if one in host.split(".")), None)
    if kind is None:
        raise Unusable("nobody can tell which kind of forge that is", entry, hint=f"gitlab:{place} or github:{place}")
    scheme = match["scheme"] or "https"
    if scheme == "http" and not is_loopback(host):
        raise Unusable("a forge elsewhere is asked over https alone", entry)
    root = (
        "https://api.github.com"
        if place == "github.com"
        else f"{scheme}://{place}/api/{'v3' if kind == 'github' else 'v4'}"
    )
    return Forge(kind="github" if kind == "github" else "gitlab", host=shown, root=root, where=where.get(shown, ""))


def _token(said: str) -> tuple[str, str]:
    host, equals, name = said.partition("=")
    if not host or not re.fullmatch(r"[A-Z_][A-Z0-9_]*|keyring", name):
        hint = "github.com=GITHUB_TOKEN, the name of a variable and never the token, or github.com=keyring"
        raise Unusable("that does not say where a token is", host if equals else "…", hint=hint)
    return host.casefold(), name


def address(forge: Forge, one: Reference) -> str:
    """Where it is asked about; empty for what such a forge does not have, or what would lead elsewhere at it."""
    if not one.number.isascii() or {"", ".", ".."} & set(one.path.split("/")):
        return ""
    if forge.kind == "github":
        is_known = one.sign == "#" and one.path.count("/") == 1
        return f"{forge.root}/repos/{quote(one.path)}/issues/{one.number}" if is_known else ""
    of = quote(one.path, safe="")
    match one.sign:
        case "#":
            return f"{forge.root}/projects/{of}/issues/{one.number}"
        case "!":
            return f"{forge.root}/projects/{of}/merge_requests/{one.number}"
        case "&":
            return f"{forge.root}/groups/{of}/epics/{one.number}"


def headers(forge: Forge, token: str) -> dict[str, str]:
    found = {"User-Agent": "aftermind", "Accept": "application/json"}
    if forge.kind == "github":
        found |= {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        return found | ({"Authorization": f"Bearer {token}"} if token else {})
    return found | ({"PRIVATE-TOKEN": token} if token else {})


def told(forge: Forge, one: Reference, body: bytes) -> Said:
    """What the answer says; `NoAnswer` where that is not what was asked about."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NoAnswer("its answer is no JSON") from None
    number = "number" if forge.kind == "github" else "iid"
    if not isinstance(found, dict) or str(found.get(number)) != one.number or not isinstance(found.get("title"), str):
        raise NoAnswer("its answer is of something else")
    what, state = _what(forge, one, found), str(found.get("state") or "")
    pull = found.get("pull_request")
    if isinstance(pull, dict) and pull.get("merged_at"):
        state = "merged"
    state = {"opened": "open"}.get(state, state)
    if not re.fullmatch(r"[a-z][a-z_-]{0,30}", state):
        raise NoAnswer("its answer tells no state")
    url = found.get("html_url" if forge.kind == "github" else "web_url")
    return Said(
        what=Label(what),
        state=Label(state),
        title=_cut(found["title"], LONG),
        labels=_labels(found.get("labels")),
        url=_cut(url, LONG) if isinstance(url, str) and url.startswith(("https://", "http://")) else "",
    )


def _what(forge: Forge, one: Reference, found: Mapping[str, Any]) -> str:
    if one.sign != "#":
        return "merge request" if one.sign == "!" else "epic"
    return "pull request" if forge.kind == "github" and found.get("pull_request") else "issue"


def _labels(said: object) -> tuple[str, ...]:
    listed: Sequence[object] = said if isinstance(said, list) else ()
    names = [one.get("name") if isinstance(one, dict) else one for one in listed]
    return tuple(_cut(name, SHORT) for name in names if isinstance(name, str))[:MANY]


def _cut(text: str, most: int) -> str:
    """So much of it. What is secret or private in it goes first: half of that is not known for what it is."""
    return mask(without_private(storable(text)))[:most]


def waits_until(status: int, said: Mapping[str, str], now: datetime) -> datetime | None:
    """Until when the forge wants to be left alone; None where it may be asked again at once. `said`: its headers, their
    names in lower case."""
    if (after := said.get("retry-after", "").strip()) and (status in (403, 429) or status >= 500):
        if after.isdecimal():
            return now + timedelta(seconds=min(int(after[:LONGEST]), 86_400))
        try:
            return max(parsedate_to_datetime(after).astimezone(UTC), now)
        except (ValueError, TypeError, OverflowError):
            return now + MINUTE
    for left, reset in (("x-ratelimit-remaining", "x-ratelimit-reset"), ("ratelimit-remaining", "ratelimit-reset")):
        if said.get(left, "").strip() == "0" and (at := said.get(reset, "").strip()).isdecimal():
            try:
                return max(moment(int(at[:LONGEST]) * 1_000_000), now)
            except OverflowError:
                return now + MINUTE
    return now + MINUTE if status == 429 else None
