"""A project's folder, looked at once: which of its files are documents, and what the others declare."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from aftermind.cli.config import ignore_file
from aftermind.cli.importing.peers.rules import FILES, FOLDERS
from aftermind.cli.ingesting.walking import File, OutOfReach, Ways, files
from aftermind.cli.language.books import ProjectForm
from aftermind.cli.onboarding import layout, pipelines
from aftermind.cli.onboarding.history import NoHistory, commits, history
from aftermind.cli.onboarding.manifests import MANIFESTS
from aftermind.cli.onboarding.statement import Stated, Stating
from aftermind.cli.privacy.lists import Lists
from aftermind.engine.masking.keys import texts_without_keys
from aftermind.engine.masking.private import without_private

LARGEST = 1024 * 1024
"""Bytes of a manifest; a longer one was written by a program."""
LONGEST = 5 * 1024 * 1024
"""Bytes of a document. What is longer is data or was put together by a program; whoever means it, ingests it."""
DEEPEST, MOST = 4, 60
"""Folders down to which manifests are looked for, and how many are read."""
TOO_LONG = f"it is larger than {LONGEST:,} bytes; `aftermind ingest` reads it all the same"
_DOCUMENT = re.compile(
    r"[^/]+\.(?:md|markdown|rst|adoc|mdx)|(?:readme|contributing|changelog|changes|hacking|architecture|install)[^/]*"
    r"|(?:docs?|documentation|adrs?|rfcs?)/.+|(?:[^/]+/){1,3}readme(?:\.[^/.]+)?",
    re.IGNORECASE,
)
"""Below the project's folder."""
HIDDEN = (".github", ".circleci", ".gitlab-ci.yml", ".gitlab-ci.yaml", ".travis.yml", ".drone.yml", ".woodpecker.yml")
"""What is hidden and looked at all the same."""


class Untold(Struct, frozen=True):
    """A source that could not be read, and why."""

    path: str
    why: str


class Project(Struct, frozen=True, kw_only=True):
    """What is in the folder. `ways`: what was left out, and why."""

    root: Path
    documents: tuple[File, ...]
    manifests: tuple[Path, ...]
    pipelines: tuple[Path, ...]
    paths: tuple[str, ...]
    untold: tuple[OutOfReach, ...]
    ways: Ways


def looked_at(root: Path) -> Project:
    """Every file of the project that git and the lists do not leave out. Reads names only."""
    ways = Ways()
    seen = [*files([root], (), ways), *files([root / name for name in HIDDEN if (root / name).exists()], (), Ways())]
    there = {_below(root, one.path): one for one in seen if isinstance(one, File)}
    every = sorted(there)
    documents = [there[path] for path in every if _DOCUMENT.fullmatch(path) and not is_rules(path)]
    return Project(
        root=root,
        documents=tuple(one for one in documents if one.size <= LONGEST),
        manifests=tuple(there[path].path for path in _nearest(every)),
        pipelines=tuple(there[path].path for path in every if pipelines.FILES.fullmatch(path)),
        paths=tuple(every),
        untold=(
            *(one for one in seen if isinstance(one, OutOfReach)),
            *(OutOfReach(one.path, TOO_LONG) for one in documents if one.size > LONGEST),
        ),
        ways=ways,
    )


def is_rules(path: str) -> bool:
    """Whether it is written for assistants: `rules.py` reads it."""
    return path in FILES or any(path.startswith(f"{folder}/") for folder, _ in FOLDERS)


def _nearest(paths: list[str]) -> list[str]:
    """The manifests, those nearest to the top first."""
    found = [path for path in paths if path.rpartition("/")[2] in MANIFESTS and path.count("/") < DEEPEST]
    return sorted(found, key=lambda path: (path.count("/"), path))[:MOST]


async def stated(project: Project, *, with_history: bool) -> tuple[list[Stating], list[Untold]]:
    """What its manifests, pipelines, folders and commits say, and which of them could not be read."""
    found: list[Stating] = []
    untold: list[Untold] = []
    forms: tuple[tuple[ProjectForm, tuple[Path, ...]], ...] = (
        ("manifest", project.manifests),
        ("ci", project.pipelines),
    )
    for form, paths in forms:
        for path in paths:
            says = MANIFESTS[path.name] if form == "manifest" else pipelines.pipeline
            try:
                said = tuple(_read(path, says))
            except (OSError, ValueError, RecursionError) as error:
                untold.append(Untold(str(path), getattr(error, "strerror", None) or str(error)))
            else:
                found.append(_stating(project, path, _below(project.root, path), form, said))
    found.append(_stating(project, project.root, "layout", "layout", tuple(layout.layout(project.paths))))
    if with_history and (git := project.root / ".git").exists() and not Lists(ignore_file()).why(git, is_folder=True):
        try:
            made = await commits(project.root)
        except NoHistory as error:
            untold.append(Untold(str(git), str(error)))
        else:
            found.append(_stating(project, git, "history", "history", tuple(history(made))))
    return [one for one in found if one.said], untold


def _read(path: Path, says: Callable[[str], Iterator[Stated]]) -> Iterator[Stated]:
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode):
        raise ValueError("it is no file")
    if facts.st_size > LARGEST:
        raise ValueError(f"it is larger than {LARGEST:,} bytes")
    text = path.read_bytes().decode("utf-8-sig", "replace")
    if "\0" in text:
        raise ValueError("it is no text")
    (text,) = texts_without_keys([without_private(text)])  # both may go on over lines, which are taken apart
    return says(text)


def _stating(project: Project, source: Path, title: str, form: ProjectForm, said: tuple[Stated, ...]) -> Stating:
    return Stating(source=source, title=f"{project.root.name}: {title}", form=form, said=said)


def _below(root: Path, path: Path) -> str:
    try:
        return path.relative_to(root).as_posix()
    except ValueError:  # a link that leads out of it
        return path.name
