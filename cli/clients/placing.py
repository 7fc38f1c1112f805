"""Where `init` and `uninstall` work: for the user and one store, or for one project and its own."""

from __future__ import annotations

import os
import subprocess
from argparse import Namespace
from pathlib import Path
from shlex import quote
from shutil import which

from aftermind.cli.clients.client import Setting, setting
from aftermind.cli.language.misused import Misused
from aftermind.cli.opening import home_of
from aftermind.cli.places import is_text, place_of
from aftermind.cli.repositories import QUIETLY
from aftermind.engine.store.folder import fit_folder

PROJECT_STORE = ".aftermind"


def level(arguments: Namespace) -> str:
    """The words with which a command works where this one does: nothing for the store of all projects."""
    home = "" if arguments.home is None else f" --home {quote(arguments.home)}"
    return f" --project{home}" if arguments.project else home


def place_of_work(arguments: Namespace, *, make: bool) -> Setting:
    """The store and the level that are meant; `make` makes the store's folder."""
    project = None
    if arguments.project:
        project = Path(place_of(Path.cwd()).directory)
        store = home_of(arguments) if arguments.home is not None else project / PROJECT_STORE
        if arguments.home is None and store.is_symlink():
            hint = "take that link away, or name the store it leads to with --home"
            raise Misused(f"{store} is a link: whoever wrote the project may have put it there", hint=hint)
        _must_not_be_in_git(store, project)
    else:
        store = home_of(arguments)
    for folder in (store, Path.home(), *([project] if project is not None else [])):
        if not is_text(str(folder)):
            raise Misused(f"{folder}: no configuration can name a folder whose name is no text")
    if make:
        store = fit_folder(store, make=True)
        if project is not None and store.is_relative_to(project):
            _ignored_by_git(store)
    return setting(store, project)


def _must_not_be_in_git(store: Path, project: Path) -> None:
    """A store that came with a repository was written by somebody else: what it remembers would be put before the
    assistant, and what it says was changed would be undone."""
    git = which("git")
    if (
        git is None
        or not store.exists()
        or not any((folder / ".git").exists() for folder in (project, *project.parents))
    ):
        return
    words = [git, *QUIETLY, "-C", str(project), "ls-files", "--", str(store)]
    listed = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - it only lists names
    if listed.stdout:
        hint = "take it out of git and off the disk, or name another store with --home"
        raise Misused(f"{store} came with the repository: somebody else wrote what it remembers", hint=hint)
    if listed.returncode and store.resolve().is_relative_to(project.resolve()):
        why = (listed.stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"])[0]
        hint = "mend that, or name a store elsewhere with --home"
        raise Misused(f"git cannot tell whether {store} came with the repository: {why}", hint=hint)


def _ignored_by_git(store: Path) -> None:
    """A store inside a repository is none of its files."""
    file = store / ".gitignore"
    if not file.exists():
        with open(file, "x", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as written:
            written.write("*\n")
