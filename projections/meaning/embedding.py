"""Texts become vectors. The only door to models: fastembed and what is below it, and the static model.

Guarantee: the same text and the same model give the same vector, alone or among others, today and in a rebuild: float32
vectors, and a fingerprint of the weights beside each. A quantised network, whose sums depend on what is beside a text,
is given one at a time. Vectors have length 1, so their dot product is their cosine; a text that has no tokens is the
zero vector, near to nothing.

A static model looks every token's vector up and takes the mean; one ships inside the package `wordllama`, whose files
are read here without importing it. Everything in this file blocks: it belongs into a worker thread, but for a short
text's static vector.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from msgspec import Struct

from aftermind.engine.machine import processors
from aftermind.projections.meaning.model_files import (
    EXTRA,
    FILES,
    LISTED,
    POOLING,
    STATIC,
    NoModel,
    digest_of,
    downloaded,
    folder_named,
    folder_of,
    half_floats,
    is_quantised,
    mark_of,
    one_line,
    pooling_of,
    static_files,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]
    """Shape (texts, dimensions), each row of length 1 or 0."""

_OWN = "folder/"
FATAL = 4
MOST, SHARE = 2, 2
"""Processors that a network computes on, and one in so many of a machine's at the most: the rest is somebody else's,
and a network whose second processor is busy waits for it at each of its steps."""
_NO_NETWORK = ("INVALID_PROTOBUF", "No graph was found")
"""What onnxruntime says of a file that it cannot parse."""
LONGEST = 512
"""Tokens of a text that the static model reads."""
_PIECES = "▁+[^▁]*"
"""A word and the spaces before it, which its tokenizer writes so. No token has a space behind another character, so
that the tokens of a text are those of its pieces, and what a piece became is remembered."""
AT_ONCE, MUCH = 16, 4_000
"""Texts that go through a network together, and their characters when each is as long as the longest: what is padded is
computed for nothing, and long texts gain nothing by company, which takes a hundred megabytes."""


class Download(Struct, frozen=True, kw_only=True):
    """A model of fastembed's list."""

    name: str
    gigabytes: float
    about: str


class Model(Protocol):
    """What turns texts into vectors."""

    @property
    def name(self) -> str: ...
    @property
    def fingerprint(self) -> str:
        """32 hex digits of its weights and its tokens."""

    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> Vectors: ...


class StaticModel:
    """The mean of its tokens' vectors; 40 µs for a query of a few words, 150 for one of a hundred."""

    name = STATIC

    def __init__(self) -> None:
        import numpy as np
        from tokenizers import Regex, Tokenizer
        from tokenizers.pre_tokenizers import Split

        weights, tokens = static_files()
        shape, start = half_floats(weights, "embedding.weight")
        # Its rows are read when a text has their token, and are the system's to take back.
        self._table = np.asarray(np.memmap(weights, np.float16, "r", start, shape))
        self._tokens = Tokenizer.from_file(str(tokens))
        self._tokens.pre_tokenizer = Split(Regex(_PIECES), "isolated")
        self._tokens.enable_truncation(LONGEST)
        self._tokens.no_padding()
        self._np = np
        self.dimensions = int(self._table.shape[1])
        self.fingerprint = digest_of(weights, tokens)

    def embed(self, texts: Sequence[str]) -> Vectors:
        np = self._np
        found = np.zeros((len(texts), self.dimensions), np.float32)
        for row, encoding in enumerate(self._tokens.encode_batch_fast(list(texts), add_special_tokens=False)):
            if encoding.ids:
                found[row] = self._table[encoding.ids].astype(np.float32).mean(axis=0)
        return _unit(found)


class NetworkModel:
    """A sentence transformer through fastembed and onnxruntime: a few milliseconds a query. On how many processors it
    computes changes nothing of a vector."""

    def __init__(self, name: str, downloads: Path, processors: int | None = None) -> None:
        _keeps_to_itself()
        try:
            import onnxruntime
            from fastembed import TextEmbedding
        except ImportError:
            raise NoModel(name, "fastembed is not installed", hint=EXTRA) from None
        onnxruntime.set_default_logger_severity(FATAL)  # what it prints is raised as well
        self.name = name
        folder = folder_named(name)
        files = network_files(name, downloads)
        # Sharing what it has allocated among threads costs more memory than it saves time here.
        options: dict[str, Any] = {"enable_cpu_mem_arena": False, "threads": processors or fitting()}
        try:
            if folder.is_dir():
                known = _described(folder, pooling_of(folder, name))
                self._network = TextEmbedding(known, specific_model_path=str(folder), **options)
            else:
                own = folder_of(name, downloads)
                self._network = TextEmbedding(name, cache_dir=str(own), local_files_only=True, **options)
            self.fingerprint = fingerprint(name, downloads)
            self._at_once = 1 if is_quantised(files) else AT_ONCE
            self.dimensions = 0
            self.dimensions = self.embed(["dimensions"]).shape[1]
        except NoModel:
            raise
        except Exception as error:  # onnxruntime's errors have no class of their own
            no_network = any(sign in str(error) for sign in _NO_NETWORK)
            why = "its model.onnx is cut off, or is none" if no_network else f"it cannot be loaded: {one_line(error)}"
            raise NoModel(name, why, hint=f"it takes {', '.join(FILES)} of a sentence transformer") from error

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Numbers of a quantised network depend on what it computes at once, so of such a one on one text alone."""
        import numpy as np

        rows: dict[int, object] = {}
        for places in portions(texts):
            part = self._network.embed([texts[place] for place in places], batch_size=self._at_once)
            rows |= zip(places, part, strict=True)
        vectors = np.asarray([rows[place] for place in range(len(texts))], np.float32)
        if not len(texts):
            return vectors.reshape(0, self.dimensions)
        if vectors.ndim != 2 or vectors.shape[1] != (self.dimensions or vectors.shape[1]):
            raise ValueError(f"a text became an array of the shape {vectors.shape[1:]}")
        if not np.isfinite(vectors).all():
            raise ValueError("a text became what is no number")
        return _unit(vectors)


def _keeps_to_itself() -> None:
    """To be called before fastembed is imported. It loads onnxruntime, which would keep an id of this machine in its
    user's home and tell its maker of each session."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def fitting() -> int:
    """Processors that a network computes on here."""
    return max(1, min(MOST, processors() // SHARE))


def portions(texts: Sequence[str]) -> list[list[int]]:
    """The places of texts that go through a network together: those of like length, shortest first."""
    found: list[list[int]] = []
    for place in sorted(range(len(texts)), key=lambda place: len(texts[place])):
        if found and len(found[-1]) < AT_ONCE and (len(found[-1]) + 1) * len(texts[place]) <= MUCH:
            found[-1].append(place)
        else:
            found.append([place])
    return found


def loaded(name: str, downloads: Path) -> Model | None:
    """The model of that name: `static`, `none`, a folder with an ONNX model, or one of fastembed's that was pulled.
    Raises `NoModel`. Never downloads anything."""
    match name:
        case "none":
            return None
        case "static":
            return StaticModel()
        case _:
            if is_folder(name):
                network_files(name, downloads)  # that it is not there is said before that a library is not
            return NetworkModel(name, downloads)


def is_folder(name: str) -> bool:
    """Whether a model is written as a folder is."""
    return name.startswith((".", "/", "~"))


def checked(name: str, downloads: Path) -> None:
    """`NoModel` when there is no such model here."""
    match name:
        case "none":
            return
        case "static":
            static_files()
        case _:
            network_files(name, downloads)


def network_files(name: str, downloads: Path) -> list[Path]:
    """What a network's vectors depend on: its weights, its tokens, and how both are used. `NoModel` where there is no
    such model here."""
    folder = folder_named(name)
    if folder.is_dir():
        if missing := [file for file in FILES if not (folder / file).is_file()]:
            takes = f"a model's folder has {', '.join(FILES)}"
            raise NoModel(name, f"the folder lacks {', '.join(missing)}", hint=takes)
        return [*sorted(folder.glob("model.onnx*")), *(folder / file for file in FILES[1:])]
    if name in downloaded(downloads):
        if not (found := sorted(folder_of(name, downloads).rglob(f"snapshots/*/**/{FILES[1]}"))):
            raise NoModel(name, "its files are gone", hint=f"`aftermind model pull {name}` downloads it again")
        folder = found[-1].parent
    elif is_folder(name):
        there = folder.exists()
        raise NoModel(name, "it is a file, and a model is a folder" if there else "there is no such folder")
    elif name in (known := [one.name for one in downloadable()]):
        raise NoModel(name, "it was not downloaded", hint=f"`aftermind model pull {name}` downloads it")
    else:
        raise _unknown(name, known)
    return [*sorted(folder.rglob("*.onnx*")), *(folder / file for file in FILES[1:] if (folder / file).is_file())]


def fingerprint(name: str, downloads: Path) -> str:
    """Of a model that is here; `NoModel` otherwise. Reads all of it."""
    if name == STATIC:
        return digest_of(*static_files())
    files, folder = network_files(name, downloads), folder_named(name)
    return digest_of(*files, pooling=pooling_of(folder, name) if folder.is_dir() else "")


def signature(name: str, downloads: Path) -> tuple[tuple[str, int, int], ...]:
    """Changes when somebody replaces the files of a model that is here; `NoModel` when they are gone."""
    files = [*static_files()] if name == STATIC else network_files(name, downloads)
    files += [told] if name != STATIC and (told := folder_named(name) / POOLING).is_file() else []
    return tuple((str(file), (facts := file.stat()).st_size, facts.st_mtime_ns) for file in files)


def _unknown(name: str, known: Sequence[str]) -> NoModel:
    if not known:
        return NoModel(name, "it is no folder, and without fastembed there is no list", hint=EXTRA)
    folded = {one.casefold(): one for one in (*known, STATIC)}
    short = {one.rpartition("/")[2]: one for one in folded}
    close = get_close_matches(name.casefold(), [*folded, *short], n=1)
    close = close or sorted((one for one in folded if name.casefold() in one), key=len)
    hint = f"did you mean {folded[short.get(close[0], close[0])]}? {LISTED}" if close else LISTED
    return NoModel(name, "it is no folder, and not in the list", hint=hint)


def downloadable() -> list[Download]:
    """What fastembed can download; nothing without it."""
    _keeps_to_itself()
    try:
        from fastembed import TextEmbedding
    except ImportError:
        return []
    return sorted(
        (
            Download(name=one["model"], gigabytes=float(one["size_in_GB"]), about=f"{one['dim']} dimensions")
            for one in TextEmbedding.list_supported_models()
            if not one["model"].startswith(_OWN)
        ),
        key=lambda one: one.gigabytes,
    )


def pulled(name: str, downloads: Path) -> None:
    """Downloads a model of fastembed's list, and loads it to see that it is one. `NoModel` when that fails. Blocks for
    as long as its library waits for a hub that does not answer."""
    if name not in (known := [one.name for one in downloadable()]):
        if not known:
            raise NoModel(name, "fastembed is not installed", hint=EXTRA)
        raise _unknown(name, known)
    import warnings

    _keeps_to_itself()
    from fastembed import TextEmbedding
    from loguru import logger

    mark_of(name, downloads).unlink(missing_ok=True)
    downloads.mkdir(mode=0o700, parents=True, exist_ok=True)
    logger.disable("fastembed")  # what it says is said below
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for form in TextEmbedding.EMBEDDINGS_REGISTRY:
                for one in form._list_supported_models():  # noqa: SLF001  # its own constructor tries for 39 s
                    if one.model == name:
                        form.download_model(one, str(folder_of(name, downloads)), retries=1)
            TextEmbedding(name, cache_dir=str(folder_of(name, downloads)), local_files_only=True, threads=1)
    except Exception as error:  # whatever its libraries raise
        why = f"it could not be downloaded ({one_line(error)})"
        raise NoModel(name, why, hint="see that this machine reaches the model's hub, and try again") from error
    mark_of(name, downloads).touch(mode=0o600)


def _described(folder: Path, pooling: str) -> str:
    """The name under which fastembed knows what lies in a folder."""
    _keeps_to_itself()
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    size = int(json.loads((folder / "config.json").read_text(encoding="utf-8"))["hidden_size"])
    name = f"{_OWN}{sha256(f'{pooling} {folder.resolve()}'.encode()).hexdigest()[:16]}"
    if name not in {known["model"] for known in TextEmbedding.list_supported_models()}:
        TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType(pooling.upper()),
            normalization=True,
            sources=ModelSource(url="file:///none"),
            dim=size,
            model_file="model.onnx",
        )
    return name


def _unit(vectors: Vectors) -> Vectors:
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
