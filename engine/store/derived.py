"""What in a store's folder grows back from the log, by the names of its files: generations of views and the pointer to
the current one, and the cache of vectors. This is the only place that spells them."""

from __future__ import annotations

import re
from pathlib import Path

BESIDE = r"(-wal|-shm|-journal)?"
"""What SQLite keeps beside a database."""
POINTER = "views.current"
CACHE = "embeddings.db"
GENERATION = re.compile(r"views-(\d{1,9})\.db")
GROWN_ASIDE = re.compile(r"views-aside-[0-9a-f]{16}\.db")
VECTORS = re.compile(r"vectors-([0-9a-f]{32})\.f32")
VIEW_FILES = re.compile(rf"{re.escape(POINTER)}(\.new)?|({GENERATION.pattern}|{GROWN_ASIDE.pattern}){BESIDE}")
CACHE_FILES = re.compile(rf"{re.escape(CACHE)}{BESIDE}|{VECTORS.pattern}")


def generation(folder: Path, number: int) -> Path:
    """The file of a generation of views."""
    return folder / f"views-{number}.db"


def generations(folder: Path) -> dict[int, Path]:
    """Every generation of views that is there, in order; none where there is no folder."""
    found = ((GENERATION.fullmatch(path.name), path) for path in folder.glob("*.db"))
    return dict(sorted((int(match[1]), path) for match, path in found if match))


def grown_aside(folder: Path, name: str) -> Path:
    """The file of views that nobody will ever serve from. `name`: 16 hex digits."""
    return folder / f"views-aside-{name}.db"


def vectors_of(folder: Path, fingerprint: str) -> Path:
    """The file of a model's vectors."""
    return folder / f"vectors-{fingerprint}.f32"


def vector_files(folder: Path) -> dict[str, Path]:
    """The files of all models' vectors by their fingerprints; none where there is no folder."""
    found = ((VECTORS.fullmatch(path.name), path) for path in folder.glob("*.f32"))
    return {match[1]: path for match, path in found if match}


def is_generation(path: Path) -> bool:
    """Whether a file is a generation of views, by its name."""
    return GENERATION.fullmatch(path.name) is not None


def is_grown_aside(path: Path) -> bool:
    """Whether a file is one that nobody serves from, by its name."""
    return GROWN_ASIDE.fullmatch(path.name) is not None


def is_of_views(path: Path) -> bool:
    """Whether a file is of the views, by its name."""
    return VIEW_FILES.fullmatch(path.name) is not None


def is_of_cache(path: Path) -> bool:
    """Whether a file is of the cache of vectors, by its name."""
    return CACHE_FILES.fullmatch(path.name) is not None
