"""Which project is this? An opaque id, and everything it is known by. Pure.

What a client says of where it works becomes aliases, the strongest first: a name somebody gave, the remotes of the
repository, its shared git folder (one for all worktrees), the path. Who shares a strong alias is the same project:
two clones, a worktree, a fork that names the original as a remote. A path alone is the weakest: folders are reused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import PurePath
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from aftermind.engine.names import ProjectId
from aftermind.engine.stamp import derive_id

URL_OF_FOLDER = "file:///"
"""How a folder is written whose name is no text."""
_OF_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\")


class Place(Struct, frozen=True, kw_only=True):
    """Where a client works, as it was found. All may be empty but not all at once."""

    name: str = ""
    directory: str = ""
    """Absolute path of the folder, of the worktree's root where there is one."""
    git_folder: str = ""
    """Absolute path of the repository's common git folder."""
    remotes: tuple[str, ...] = ()
    """URLs of the remotes, `origin` first."""
    origins: tuple[str, ...] = ()
    """Absolute paths of the git folders on this machine that remotes point at."""


def is_elsewhere(project: str) -> bool:
    """Whether it is written as a folder of Windows, where this is none: it lies on another machine, or in another part
    of this one, and how it is written is all that is known of it."""
    return _OF_WINDOWS.match(project) is not None and not PurePath(project).is_absolute()


def aliases(place: Place) -> tuple[str, ...]:
    """What the place is known by, the strongest first."""
    if place.name:
        return (f"name:{place.name.strip().casefold()}",)
    remotes = [f"remote:{remote}" for url in place.remotes if (remote := plain_remote(url))]
    git = [f"git:{place.git_folder}"] if place.git_folder else []
    path = [f"path:{place.directory}"] if place.directory else []
    origins = [f"git:{origin}" for origin in place.origins]
    return tuple(dict.fromkeys([*remotes, *git, *origins, *path]))


def plain_remote(url: str) -> str:
    """`host/owner/repo` of a git remote, without scheme, user, password and `.git`, in lower case; empty for a path on
    this machine, which says nothing to others. Another port than the scheme's own is another place (`host:3000/…`), and
    so is what lies in another user's home (`host/~user/repo`)."""
    return _spelt(url)


def former_aliases(place: Place) -> tuple[str, ...]:
    """Its remotes as earlier builds wrote them where they are written otherwise now. Several places may have one of
    these: it names none, and only confirms a folder."""
    urls = () if place.name else place.remotes
    found = {f"remote:{_spelt(url, formerly=True)}": plain_remote(url) for url in urls}
    return tuple(alias for alias, now in found.items() if now and alias != f"remote:{now}")


_PORTS = {"http": 80, "https": 443, "ssh": 22, "git+ssh": 22, "ssh+git": 22, "git": 9418, "ftp": 21, "ftps": 990}


def _spelt(url: str, *, formerly: bool = False) -> str:
    """`formerly` without the port, and without the user whose home a `~` is."""
    url = url.strip()
    if "://" in url:
        try:
            parts = urlsplit(url)
            host, path, user = parts.hostname or "", parts.path, parts.username or ""
        except ValueError:
            return ""
        if parts.scheme == "file":
            return ""
        host = f"[{host}]" if ":" in host else host
        if not formerly and (port := _port(parts)) is not None:
            host = f"{host}:{port}"
        if not formerly and _PORTS.get(parts.scheme) == _PORTS["ssh"]:
            path = _of_home(path.removeprefix("/"), user)
    else:  # user@host:path, as scp and ssh write it; one letter before the colon is a drive
        before, colon, path = url.partition(":")
        user, _, host = before.rpartition("@")
        if not colon or len(host) < 2 or "/" in before or path.startswith("\\"):
            return ""
        if not formerly and path.startswith("~"):
            path = _of_home(path, user)
        elif user not in ("", "git") and not path.startswith("/"):
            path = f"~{user}/{path}"  # such a path begins at the user's home
    path = path.strip("/").removesuffix(".git").strip("/")
    return f"{host}/{path}".lower() if host and path else ""


def _port(parts: SplitResult) -> int | None:
    """The port of a URL, where it is not its scheme's own."""
    try:
        return parts.port if parts.port != _PORTS.get(parts.scheme) else None
    except ValueError:  # no number
        return None


def _of_home(path: str, user: str) -> str:
    """A path at a host, with the `~` of whoever asks spelt out."""
    return f"~{user}{path[1:]}" if path.startswith("~/") else path


def known_project(found: Sequence[str], known: Mapping[str, ProjectId], former: Iterable[str] = ()) -> ProjectId | None:
    """The project of the strongest alias that is known. `known` holds all aliases of the projects in question.

    A folder may hold another repository than it did: where the place has remotes and the project has others, and they
    share none, also not as they were `former`ly written, what they have in common is only the folder."""
    confirming = set(former)
    for alias in found:
        if alias in known:
            theirs = {other for other, project in known.items() if project == known[alias]}
            remotes, mine = _remotes(theirs), _remotes(found)
            if not remotes or not mine or remotes & (mine | confirming):
                return known[alias]
    return None


ROOTS = 8
"""First commits a project is known by; one with more has these as well wherever it lies."""


def root_aliases(commits: Iterable[str]) -> tuple[str, ...]:
    """A repository by the commits it began with. Not among the `aliases`: what began alike may be two projects."""
    return tuple(f"root:{commit[:16]}" for commit in commits)


def same_repository(
    place: Place, candidates: Mapping[ProjectId, Sequence[str]], is_there: Callable[[str], bool]
) -> ProjectId | None:
    """Which of the projects that began with the same commits a place is that is known by nothing else: a fork, whose
    remote has the name of one of its remotes; the same folder, whose remote was renamed; one that moved, whose folders
    are gone or hold others now, where neither has a remote, which would tell. What began as the same template is none
    of these, unless it has the same name."""
    mine = {_repository(remote) for url in place.remotes if (remote := plain_remote(url))}
    own = {f"git:{place.git_folder}", f"path:{place.directory}"}
    for project, known in candidates.items():
        names = {_repository(alias.removeprefix("remote:")) for alias in _remotes(known)}
        if mine & names or own & set(known):
            return project
    for project, known in candidates.items():
        repositories = [alias for alias in known if alias.startswith("git:")]  # a path may be any folder by now
        folders = [alias.partition(":")[2] for alias in repositories or known if alias.startswith(("git:", "path:"))]
        if not mine and not _remotes(known) and not any(map(is_there, folders)):
            return project
    return None


def same_by_both(mine: Collection[str], theirs: Collection[str]) -> bool | None:
    """Whether two stores mean the same by one id, by all that each knows it by; None where nothing tells. The id is
    made of one alias, and two machines may have the same path for different things."""
    here, there = _remotes(mine), _remotes(theirs)
    names = [{_repository(remote.removeprefix("remote:")) for remote in one} for one in (here, there)]
    began = [{alias for alias in one if alias.startswith("root:")} for one in (mine, theirs)]
    if here & there:
        return True
    if here and there:  # of two that began as one template, the remotes tell; a fork's has the same name
        return bool(began[0] & began[1] and names[0] & names[1])
    if all(began):
        return bool(began[0] & began[1])
    named = {alias for alias in mine if alias.startswith("name:")}
    return True if named & set(theirs) else None


def _repository(remote: str) -> str:
    return remote.rsplit("/", 1)[-1]


def _remotes(aliases: Iterable[str]) -> set[str]:
    return {alias for alias in aliases if alias.startswith("remote:")}


def new_project(found: Sequence[str], roots: Sequence[str] = (), *, instead_of: ProjectId | None = None) -> ProjectId:
    """The id of a project first seen by these aliases: always the same, so that seeing it twice is seeing it once.
    `instead_of`: they were that project's before, and only how it began tells this one from that."""
    name = found[0] if instead_of is None else " ".join((found[0], *(roots or (instead_of,))))
    return ProjectId("p" + derive_id(name, "project")[:20])


def display_name(place: Place) -> str:
    """What to call it in front of people."""
    if place.name:
        return place.name.strip()
    for url in place.remotes:
        if remote := plain_remote(url):
            return remote.rsplit("/", 1)[-1]
    return re.split(r"[\\/]", place.directory.rstrip("\\/"))[-1] or place.directory
