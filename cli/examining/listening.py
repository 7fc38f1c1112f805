"""Whether the port that is configured is open, and to whom."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path

from aftermind.cli.examining.finding import Finding, Values, note, ok, warning
from aftermind.cli.language.process import PortClosed, State
from aftermind.cli.settings import Http, Misconfigured, configuration
from aftermind.cli.web.token import FILE

NAME = "http"


def port_found(folder: Path, state: State | None) -> Finding:
    """By what the process that holds the store says of it; `state` is None where none answers."""
    try:
        wanted = configuration().http
    except Misconfigured:
        return note(NAME, "whether a port is wanted cannot be known while the configuration cannot be read")
    token = folder / FILE
    values: Values = {
        "wanted": wanted.serve,
        "host": wanted.host,
        "port": wanted.port,
        "address": state.http if state is not None else None,
        "token": str(token) if token.is_file() else None,
    }
    if not wanted.serve:
        return ok(NAME, "no port is open; `aftermind http on` opens one", values)
    if not wanted.is_of(folder):
        return ok(NAME, elsewhere(wanted), values)
    if state is None or state.holder != "daemon":
        return note(NAME, "a port is configured, and no daemon runs that opens it", values, "`aftermind start`")
    if (closed := state.http_closed) is not None:
        return warning(NAME, closed.why, values, mend=f"{mends(wanted, closed)}; it is tried again")
    if not state.http:
        return note(NAME, "a port is configured and not open yet", values, "look again in some seconds")
    if not is_near(wanted.host):
        found = (
            f"{state.http} is open to other machines: what is asked, answered and the token go over the wire as text"
        )
        mend = "`aftermind config set http.host 127.0.0.1`, and a tunnel from there"
        return warning(NAME, found, values, mend=mend)
    return ok(NAME, f"{state.http} is open to this machine; the token is in {token}", values)


def elsewhere(wanted: Http) -> str:
    """What is told of a port that another store's daemon opens."""
    return f"the port is that of the store in {wanted.home}; `aftermind http on` opens it for this one instead"


def mends(wanted: Http, closed: PortClosed) -> str:
    """What helps where the port cannot be had."""
    match closed.cause:
        case "taken":
            who = f"`ss -ltnp 'sport = :{wanted.port}'` or `lsof -i :{wanted.port}` says who has it"
            return f"{who}; `aftermind http on --port N` takes another"
        case "forbidden":
            return "`aftermind http on --port N` takes another: those below 1024 are the system's"
        case "no-token":
            return "`aftermind http token --new` makes another"
        case "elsewhere":
            return "`aftermind http on --host 127.0.0.1` takes an address of this machine"


def is_near(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:  # `localhost`
        return True
