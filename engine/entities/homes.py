"""What a reference stands for, by where it is said. Pure.

`#12` is the issue of the project it is said in, as that project's remotes name it; `owner/repo#12` is the same one
where the project is `owner/repo`, and another one everywhere else. A project without a remote has issues of its own,
which are nobody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct, structs

from aftermind.engine.entities.references import Reference, references
from aftermind.engine.names import GLOBAL, Scope

REMOTE = "remote:"
"""What an alias of a project begins with that is a repository elsewhere."""
_PORT = re.compile(r"^([^/]*):\d+/")


class Home(Struct, frozen=True):
    """A scope, and where its repository is elsewhere: `host/owner/repo`, in lower case. Without a port: what git asks
    is not where a forge shows its pages."""

    scope: Scope
    remotes: tuple[str, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(remote.partition("/")[0] for remote in self.remotes))


def home_of(scope: Scope, aliases: Iterable[str]) -> Home:
    remotes = (_PORT.sub(r"\1/", alias.removeprefix(REMOTE)) for alias in aliases if alias.startswith(REMOTE))
    return Home(scope, () if scope == GLOBAL else tuple(sorted(remote for remote in remotes if "/" in remote)))


def meanings(one: Reference, home: Home) -> tuple[Reference, ...]:
    """What is meant, whole: more than one where the project has several remotes, without a host where nobody can tell
    it. What belongs to no repository has the scope in its place."""
    if one.host:
        return (one,)
    if one.path:
        at = [remote.partition("/") for remote in home.remotes]
        hosts = [host for host, _, path in at if _owner(path, one) == one.path] or list(home.hosts)
        return tuple(structs.replace(one, host=host) for host in dict.fromkeys(hosts)) or (one,)
    found = [remote.partition("/") for remote in home.remotes]
    whole = (structs.replace(one, host=host, path=path) for host, _, repo in found if (path := _owner(repo, one)))
    return tuple(dict.fromkeys(whole)) or (structs.replace(one, host=f"({home.scope})"),)


def spellings(wanted: Iterable[Reference], home: Home) -> tuple[str, ...]:
    """The keys by which any of these may be said there."""
    found: dict[str, None] = {}
    for one in wanted:
        if one.path:
            found |= dict.fromkeys(one.keys)
        bare = structs.replace(one, host="", path="")
        if any(is_same(one, meant) for meant in meanings(bare, home)):
            found[bare.key] = None
    return tuple(found)


def is_same(one: Reference, other: Reference) -> bool:
    """Whether two whole references are of one thing. Where one of them tells no host, its project does."""
    if (one.sign, one.number, one.path) != (other.sign, other.number, other.path):
        return False
    return one.host == other.host or (bool(one.path) and "" in (one.host, other.host))


def says(text: str, wanted: Iterable[Reference], home: Home) -> bool:
    """Whether a text that was said there refers to one of these."""
    asked = tuple(wanted)
    said = (meant for one in references(text) for meant in meanings(one, home))
    return any(is_same(meant, one) for meant in said for one in asked)


def _owner(path: str, one: Reference) -> str:
    """Of a repository's path, what such a thing belongs to: an epic to the group."""
    return path.rpartition("/")[0] if one.sign == "&" else path
