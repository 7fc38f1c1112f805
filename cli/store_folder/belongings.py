"""What in a store's folder is ours, by name: nothing else is ever touched, and no link is followed.

A folder is named by a person, and persons mistype: everything here would be harmless in a folder that is no store.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from aftermind.cli.carrying.incoming import INCOMING
from aftermind.cli.doors import BIN, COPIES
from aftermind.cli.editing.ledger import BACKUPS, LEDGER
from aftermind.cli.editing.ledger import TURN as TURN_OF_CLIENTS
from aftermind.cli.erasing.files import PAGES
from aftermind.cli.holding.apart import OUTPUT as OF_GROWING
from aftermind.cli.language.wire import ADDRESS, RUN, SOCKET
from aftermind.cli.logbook import FILE, LOGS
from aftermind.cli.past.aside import PAST, PREFIX
from aftermind.cli.reaching.starting import OUTPUT, TURN
from aftermind.cli.web.token import FILE as TOKEN
from aftermind.engine.backups.backup import NAME
from aftermind.engine.backups.registry import LOCK as TURN_OF_BACKUPS
from aftermind.engine.backups.registry import REGISTRY
from aftermind.engine.backups.restoring import ASIDE, EMPTIED, REPORT, RESTORING
from aftermind.engine.erasing.decided import DECIDED
from aftermind.engine.erasing.erased import ERASED
from aftermind.engine.store.derived import BESIDE, CACHE_FILES, POINTER, VIEW_FILES
from aftermind.engine.store.folder import LOG, is_real_folder
from aftermind.engine.store.lock import LOCK
from aftermind.engine.store.spool import BROKEN, SPOOL
from aftermind.projections.meaning.model_files import DOWNLOADS

_LOG = re.compile(f"({re.escape(LOG)}|{re.escape(INCOMING)}){BESIDE}")
_ERASED = re.compile(re.escape(ERASED))
_DECIDED = re.compile(rf"{re.escape(DECIDED)}(\.new)?")
_REGISTRY = re.compile(rf"{re.escape(REGISTRY)}(\.new|\.damaged)?|{re.escape(TURN_OF_BACKUPS)}")
_CLIENTS = re.compile(rf"\.?{re.escape(LEDGER)}(\.new)?|{re.escape(TURN_OF_CLIENTS)}|\.gitignore")
_TOKEN = re.compile(rf"{re.escape(TOKEN)}|\.{re.escape(TOKEN)}\.\d+")
_LOCK = re.compile(LOCK)
_KINDS = (
    *(("log", _LOG), ("log", _ERASED), ("log", _DECIDED), ("views", VIEW_FILES)),
    *(("rest", CACHE_FILES), ("rest", _CLIENTS), ("rest", _REGISTRY), ("rest", _TOKEN)),
    ("lock", _LOCK),
)
_OUTPUTS = (OUTPUT, OF_GROWING, "sidecar.out")
"""Where processes of ours print: the daemon, what grows views, what asks a model."""
_WITHIN = {
    SPOOL: re.compile(r"[0-9A-Za-z]{32}\.(json|part)"),
    LOGS: re.compile(rf"{re.escape(FILE)}(\.\d+)?|({'|'.join(map(re.escape, _OUTPUTS))})"),
    RUN: re.compile(rf"({SOCKET}|{ADDRESS})(\.\d+)?|{TURN}"),
    BIN: re.compile("|".join(rf"{re.escape(name)}|\.{re.escape(name)}\.(new|\d+)" for name in COPIES)),
}
"""Our folders, and what we put into them."""
_PAGES = re.compile(r"[^/]+(/\d{4}-\d\d-\d\d-[^/]+\.(md|part))?")
"""The paths of pages of sessions, in their folder."""
_SPOOLED = r"spool(/[0-9A-Za-z]{32}\.json(\.new)?)?"
_OLD = rf"{_LOG.pattern}|{VIEW_FILES.pattern}"
_OPENED = "|".join(rf"{name}(/({inside.pattern}))?" for name, inside in _WITHIN.items())
"""What is made in a log that was set aside by who opens it as a store, to look something up (`--home`)."""
_DEEP = (
    (
        re.compile(BACKUPS),
        re.compile(
            rf"[0-9a-f]{{64}}|\.[0-9a-f]{{64}}\.new|turn|{_ERASED.pattern}"
            r"|segments(/\d{12,}(-\d{12,}-[0-9a-f]{16})?\.(events|part))?"
            rf"|{NAME.pattern}(/backup\.json(\.new)?|/{_SPOOLED})?"
        ),
    ),
    (re.compile(RESTORING), re.compile(rf"{_LOG.pattern}|ready\.json(\.new)?|{_SPOOLED}")),
    (
        ASIDE,
        re.compile(
            rf"{_OLD}|{REPORT}(\.new)?|{EMPTIED}(\.new)?|{CACHE_FILES.pattern}|{REGISTRY}.*|{_ERASED.pattern}"
            rf"|{LOCK}|{_OPENED}"
        ),
    ),
)
"""Our folders with folders in them, and the paths of what we put there."""
_DOWNLOAD = re.compile(r"[\w.-]+--[\w.-]+(\.here)?")
_OF_THE_HUB = re.compile(r"models--.+|fast-.+|\.locks|tmp|CACHEDIR\.TAG")
"""A model that was downloaded, with its mark, and what a hub's library makes of it."""


class Belongings(Struct, frozen=True, kw_only=True):
    """Everything in a store's folder. A folder of ours comes after what is in it."""

    views: tuple[Path, ...] = ()
    spool: tuple[Path, ...] = ()
    log: tuple[Path, ...] = ()
    backups: tuple[Path, ...] = ()
    """Copies of the log and of clients' files, and logs that were set aside."""
    models: tuple[Path, ...] = ()
    """Those that were downloaded."""
    rest: tuple[Path, ...] = ()
    lock: tuple[Path, ...] = ()
    foreign: tuple[Path, ...] = ()
    """What is not ours: a folder whole, in one of ours what we did not put there."""

    @property
    def ours(self) -> tuple[Path, ...]:
        """In the order in which `removing.py` takes them away."""
        return (*self.views, *self.spool, *self.log, *self.backups, *self.models, *self.rest, *self.lock)

    def size(self) -> int:
        """Bytes of our files."""
        return sum(map(_size, self.ours))

    def downloads(self) -> int:
        """Bytes of the models among them that were downloaded."""
        return sum(map(_size, self.models))


def belongings(folder: Path) -> Belongings:
    """What is there now. OSError where the folder cannot be read."""
    found: dict[str, list[Path]] = {name: [] for name in Belongings.__struct_fields__}
    for path in sorted(folder.iterdir()):
        if path.name == PAST and is_real_folder(path):
            for one, ours in _aside(path):
                found["views" if ours else "foreign"].append(one)
        elif path.name == DOWNLOADS and is_real_folder(path):
            for one, ours in _downloaded(path):
                found["models" if ours else "foreign"].append(one)
        elif path.name == PAGES and is_real_folder(path):
            for one, ours in _whole_or_part(path, _PAGES):
                found["rest" if ours else "foreign"].append(one)
        elif deep := _deep(path):
            for one, ours in _whole_or_part(path, deep):
                found["backups" if ours else "foreign"].append(one)
        elif path.name in _WITHIN and (path.is_symlink() or path.is_dir()):
            for one, ours in _within(path, _WITHIN[path.name]):
                found[("spool" if path.name == SPOOL else "rest") if ours else "foreign"].append(one)
        else:
            found["foreign" if is_real_folder(path) else _kind(path.name)].append(path)
    found["log"].sort(key=lambda path: len(path.name))  # the log before what is beside it
    found["views"].sort(key=lambda path: not path.name.startswith(POINTER))  # the pointer before what it points at
    return Belongings(**{name: tuple(paths) for name, paths in found.items()})


def _kind(name: str) -> str:
    for kind, pattern in _KINDS:
        if pattern.fullmatch(name):
            return kind
    return "foreign"


def _deep(folder: Path) -> re.Pattern[str] | None:
    if not (folder.is_symlink() or folder.is_dir()):
        return None
    return next((inside for name, inside in _DEEP if name.fullmatch(folder.name)), None)


def _whole_or_part(folder: Path, inside: re.Pattern[str], top: Path | None = None) -> Iterator[tuple[Path, bool]]:
    """What is in a folder of ours with folders in it, as `_within` tells it."""
    top, only_ours = top or folder, True
    for path in sorted(folder.iterdir()) if is_real_folder(folder) and os.access(folder, os.R_OK | os.X_OK) else ():
        named = inside.fullmatch(path.relative_to(top).as_posix()) is not None
        below = list(_whole_or_part(path, inside, top)) if named and is_real_folder(path) else [(path, named)]
        only_ours = only_ours and all(ours for _, ours in below)
        yield from below
    if only_ours:
        yield folder, True


def _within(folder: Path, pattern: re.Pattern[str]) -> Iterator[tuple[Path, bool]]:
    """What is in a folder of ours and whether it is ours; the folder itself last, unless something stays in it. A link
    in its place is ours, and what it points to is not looked at; nor is what nobody lets us look at."""
    only_ours = True
    for path in sorted(folder.iterdir()) if is_real_folder(folder) and os.access(folder, os.R_OK | os.X_OK) else ():
        if path.name == BROKEN and folder.name == SPOOL and is_real_folder(path):
            inside = list(_within(path, pattern))
        else:
            inside = [(path, not is_real_folder(path) and pattern.fullmatch(path.name) is not None)]
        only_ours = only_ours and all(ours for _, ours in inside)
        yield from inside
    if only_ours:
        yield folder, True


def _aside(folder: Path) -> Iterator[tuple[Path, bool]]:
    """The same of views of the past, which are there while somebody looks at them."""
    only_ours = True
    for path in sorted(folder.iterdir()) if os.access(folder, os.R_OK | os.X_OK) else ():
        ours = is_real_folder(path) and path.name.startswith(PREFIX)
        only_ours = only_ours and ours
        yield from ((inside, True) for inside in _whole(path)) if ours else iter([(path, False)])
    if only_ours:
        yield folder, True


def _downloaded(folder: Path) -> Iterator[tuple[Path, bool]]:
    """The same of the models that were downloaded. A person's own, put beside them, is not ours."""
    only_ours = os.access(folder, os.R_OK | os.X_OK)
    for path in sorted(folder.iterdir()) if only_ours else ():
        named = _DOWNLOAD.fullmatch(path.name) is not None
        if not is_real_folder(path):
            yield path, named
        elif ours := named and all(_OF_THE_HUB.fullmatch(inside.name) for inside in path.iterdir()):
            yield from ((inside, True) for inside in _whole(path))
        else:
            yield path, False
        only_ours = only_ours and (named if not is_real_folder(path) else ours)
    if only_ours:
        yield folder, True


def _whole(folder: Path) -> Iterator[Path]:
    """Everything in a folder, and then itself. No link is followed."""
    for path in sorted(folder.iterdir()):
        if is_real_folder(path):
            yield from _whole(path)
        else:
            yield path
    yield folder


def _size(path: Path) -> int:
    try:
        return 0 if is_real_folder(path) else path.lstat().st_size
    except FileNotFoundError:  # its writer took it away meanwhile
        return 0
