"""Where a client works: the folder it names, and what git says of it, read from git's own files (no process)."""

from __future__ import annotations

import os
import re
from pathlib import Path, PureWindowsPath

from aftermind.engine.errors import Unusable
from aftermind.engine.projects import URL_OF_FOLDER, Place, is_elsewhere, plain_remote

_REMOTE = re.compile(r'^\s*\[remote\s+"(?P<name>[^"]*)"\]\s*$')
_SECTION = re.compile(r"^\s*\[")
_URL = re.compile(r"^\s*url\s*=\s*(?P<url>.*?)\s*$")


def as_written(project: str | Path | None) -> str | None:
    """A project as another process understands it: folders absolute, as a `file:` URL where a name is no text."""
    if project is None or (isinstance(project, str) and not _means_a_folder(project)):
        return project
    try:
        folder = Path(project).expanduser().absolute()
        return str(folder) if is_text(str(folder)) else folder.as_uri()
    except (OSError, RuntimeError, ValueError):  # whoever looks at it says what is wrong
        return str(project)


def is_text(name: str) -> bool:
    """Whether a file's name is one; on some systems it may be any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def place_of(project: str | Path) -> Place:
    """A folder (a `Path`, or text that means one) is looked at; any other text is a project's name."""
    folder = folder_of(project)
    if folder is None:
        return Place(name=str(PureWindowsPath(project)) if is_elsewhere(str(project)) else str(project))
    try:
        return _folder(folder)
    except (OSError, RuntimeError, ValueError) as error:  # too long, not ours to look at, no such home, a NUL
        raise Unusable(f"the project's folder cannot be looked at ({error})", str(project)) from error


def folder_of(project: str | Path) -> Path | None:
    """The folder that is meant, as it is written; None for a project's name."""
    if isinstance(project, str) and project.startswith(URL_OF_FOLDER):
        from urllib.parse import unquote_to_bytes

        return Path(os.fsdecode(unquote_to_bytes(project.removeprefix("file://"))))
    return None if isinstance(project, str) and not _means_a_folder(project) else Path(project)


def _means_a_folder(project: str) -> bool:
    """`.`, `..`, an absolute path, `~/…`; and a relative one if it is there: `acme/webshop` may be just a name."""
    if is_elsewhere(project):
        return False
    if project in (".", "..") or project.startswith(("./", "../", "~/")) or Path(project).is_absolute():
        return True
    try:
        return "/" in project and Path(project).is_dir()
    except (OSError, ValueError):
        return False


def _folder(folder: Path) -> Place:
    folder = folder.expanduser().resolve()
    for root in (folder, *folder.parents):
        git = _git_folder(root / ".git")
        if git is not None:
            remotes = _remotes(git / "config")
            origins = tuple(str(found) for url in remotes if (found := _local(root, url)) is not None)
            return Place(directory=str(root), git_folder=str(git), remotes=remotes, origins=origins)
    return Place(directory=str(folder))


_LARGEST = 1 << 20
"""Bytes that are read of a file of git's."""


def _git_folder(dot_git: Path) -> Path | None:
    """The repository's common git folder, of a worktree too (its `.git` is a file that points to it)."""
    if dot_git.is_dir():
        return dot_git if (dot_git / "HEAD").is_file() else None
    try:
        target = _said(dot_git).strip()
        if not target.startswith("gitdir:"):
            return None
        git = (dot_git.parent / target.removeprefix("gitdir:").strip()).resolve()
        common = git / "commondir"
        return (git / _said(common).strip()).resolve() if common.is_file() else git
    except (OSError, UnicodeDecodeError):
        return None


def _said(path: Path) -> str:
    """What a file of git's says. A pipe or a device, which never ends, is none: `FileNotFoundError`."""
    if not path.is_file():
        raise FileNotFoundError(path)
    with path.open("rb") as file:
        return file.read(_LARGEST).decode("utf-8", "replace")


def _local(root: Path, url: str) -> Path | None:
    """The git folder a remote on this machine points at: a clone's origin by path."""
    if plain_remote(url) or "\0" in url:
        return None
    origin = (root / url.removeprefix("file://")).resolve()
    return _git_folder(origin / ".git") or (origin if (origin / "HEAD").is_file() else None)


def _remotes(config: Path) -> tuple[str, ...]:
    """The URLs of a git config's remotes, `origin` first."""
    try:
        lines = _said(config).splitlines()
    except OSError:
        return ()
    found: dict[str, str] = {}
    name: str | None = None
    for line in lines:
        if match := _REMOTE.match(line):
            name = match["name"]
        elif _SECTION.match(line):
            name = None
        elif name is not None and (match := _URL.match(line)):
            found.setdefault(name, match["url"])
    return tuple(found[name] for name in sorted(found, key=lambda name: (name != "origin", name)))
