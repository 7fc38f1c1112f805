"""Texts become vectors. The only door to models: fastembed and what is below it, and the static model.

Guarantee: the same text and the same model give the same vector, alone or among others, today and in a rebuild: fp32
weights, no quantised arithmetic, and a fingerprint of the weights beside every vector. Vectors have length 1, so
their dot product is their cosine; a text that has no tokens is the zero vector, near to nothing.

A static model looks every token's vector up and takes the mean; one ships inside the package `wordllama`, whose files
are read here without importing it. Everything in this file blocks: it belongs into a worker thread.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec import Struct

from aftermind.engine.errors import AftermindError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]
    """Shape (texts, dimensions), each row of length 1 or 0."""

STATIC, NONE = "static", "none"
FILES = ("model.onnx", "tokenizer.json", "config.json", "tokenizer_config.json", "special_tokens_map.json")
"""What a folder has to hold to be a model."""
_HERE = ".here"
"""Marks a download that was complete."""
LONGEST = 512
"""Tokens of a text that the static model reads."""
AT_ONCE = 16
"""Texts that go through a network together, of like length: what is padded is computed for nothing."""


class NoModel(AftermindError):
    """A model cannot be had: its package is missing, its folder holds none, or it was not downloaded."""

    status = 5

    def __init__(self, name: str, why: str, *, hint: str = "`aftermind model list` shows what there is") -> None:
        self.name, self.why, self.hint = name, why, hint
        super().__init__(f"the model {name} cannot be used: {why}")


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
    """The mean of its tokens' vectors; about 30 µs a query."""

    name = STATIC

    def __init__(self) -> None:
        import numpy as np
        from safetensors import safe_open
        from tokenizers import Tokenizer

        weights, tokens = static_files()
        with safe_open(weights, "np") as file:
            self._table = file.get_tensor("embedding.weight")
        self._tokens = Tokenizer.from_file(str(tokens))
        self._tokens.enable_truncation(LONGEST)
        self._tokens.no_padding()
        self._np = np
        self.dimensions = int(self._table.shape[1])
        self.fingerprint = _digest(weights, tokens)

    def embed(self, texts: Sequence[str]) -> Vectors:
        np = self._np
        found = np.zeros((len(texts), self.dimensions), np.float32)
        for row, encoding in enumerate(self._tokens.encode_batch(list(texts), add_special_tokens=False)):
            if encoding.ids:
                found[row] = self._table[encoding.ids].astype(np.float32).mean(axis=0)
        return _unit(found)


class NetworkModel:
    """A sentence transformer through fastembed and onnxruntime, on one thread: a few milliseconds a query."""

    def __init__(self, name: str, downloads: Path) -> None:
        import numpy as np

        try:
            from fastembed import TextEmbedding
        except ImportError:
            raise NoModel(name, "fastembed is not installed", hint="pip install 'aftermind[models]'") from None
        self._np = np
        self.name = name
        folder = Path(name).expanduser()
        try:
            if folder.is_dir():
                known = _described(folder)
                self._network = TextEmbedding(known, specific_model_path=str(folder), threads=1)
                self.fingerprint = _digest(*sorted(folder.glob("*.onnx")), folder / "tokenizer.json")
            else:
                own = _folder_of(name, downloads)
                self._network = TextEmbedding(name, cache_dir=str(own), local_files_only=True, threads=1)
                self.fingerprint = _digest(*sorted(own.rglob("*.onnx")), *sorted(own.rglob("tokenizer.json")))
        except (ValueError, OSError, RuntimeError) as error:
            raise NoModel(name, str(error), hint=f"`aftermind model pull {name}` downloads it") from error
        self.dimensions = len(self.embed(["dimensions"])[0])

    def embed(self, texts: Sequence[str]) -> Vectors:
        np = self._np
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        rows = self._network.embed([texts[place] for place in order], batch_size=AT_ONCE)
        found = dict(zip(order, rows, strict=True))
        return _unit(np.asarray([found[place] for place in range(len(texts))], np.float32))


def loaded(name: str, downloads: Path) -> Model | None:
    """The model of that name: `static`, `none`, a folder with an ONNX model, or one of fastembed's that was downloaded.
    Raises `NoModel`. Never downloads anything."""
    match name:
        case "none":
            return None
        case "static":
            return StaticModel()
        case _:
            return NetworkModel(name, downloads)


def checked(name: str, downloads: Path) -> None:
    """`NoModel` when there is no such model here."""
    match name:
        case "none":
            return
        case "static":
            static_files()
        case _ if Path(name).expanduser().is_dir():
            missing = [file for file in FILES if not (Path(name).expanduser() / file).is_file()]
            if missing:
                raise NoModel(name, f"the folder lacks {', '.join(missing)}")
        case _ if name not in {one.name for one in downloadable()}:
            raise NoModel(name, "it is no folder, and not in fastembed's list")
        case _ if name not in downloaded(downloads):
            raise NoModel(name, "it was not downloaded", hint=f"`aftermind model pull {name}` downloads it")


def downloadable() -> list[Download]:
    """What fastembed can download; nothing without it."""
    try:
        from fastembed import TextEmbedding
    except ImportError:
        return []
    return sorted(
        (
            Download(name=one["model"], gigabytes=float(one["size_in_GB"]), about=f"{one['dim']} dimensions")
            for one in TextEmbedding.list_supported_models()
        ),
        key=lambda one: one.gigabytes,
    )


def downloaded(downloads: Path) -> set[str]:
    """The names of those that are here."""
    try:
        return {file.name.removesuffix(_HERE).replace("--", "/") for file in downloads.glob(f"*{_HERE}")}
    except OSError:
        return set()


def pulled(name: str, downloads: Path) -> None:
    """Downloads a model of fastembed's list; its library draws a progress bar. `NoModel` when that fails."""
    if name not in {one.name for one in downloadable()}:
        raise NoModel(name, "it is not in fastembed's list")
    from fastembed import TextEmbedding

    downloads.mkdir(mode=0o700, exist_ok=True)
    try:
        TextEmbedding(name, cache_dir=str(_folder_of(name, downloads)), threads=1)
    except (ValueError, OSError, RuntimeError) as error:
        why = f"it could not be downloaded ({error})"
        raise NoModel(name, why, hint="see that this machine reaches the model's hub, and try again") from error
    (downloads / f"{name.replace('/', '--')}{_HERE}").touch(mode=0o600)


def removed(name: str, downloads: Path) -> int:
    """Deletes a download; how many files there were."""
    folder = _folder_of(name, downloads)
    count = sum(path.is_file() for path in folder.rglob("*"))
    rmtree(folder, ignore_errors=True)
    (downloads / f"{name.replace('/', '--')}{_HERE}").unlink(missing_ok=True)
    return count


def _folder_of(name: str, downloads: Path) -> Path:
    return downloads / name.replace("/", "--")


def static_files() -> tuple[Path, Path]:
    """The weights and the tokens inside the package `wordllama`; `NoModel` without it."""
    package = find_spec("wordllama")
    if package is None or not package.submodule_search_locations:
        raise NoModel(STATIC, "the package wordllama is not installed", hint="pip install wordllama")
    root = Path(package.submodule_search_locations[0])
    files = root / "weights" / "l2_supercat_256.safetensors", root / "tokenizers" / "l2_supercat_tokenizer_config.json"
    if not all(file.is_file() for file in files):
        raise NoModel(
            STATIC, "this wordllama does not hold the files it is known by", hint="pip install 'wordllama<0.5'"
        )
    return files


def _described(folder: Path) -> str:
    """The name under which fastembed knows what lies in a folder."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    if not (folder / "model.onnx").is_file() or not (folder / "tokenizer.json").is_file():
        raise ValueError("the folder holds no model.onnx with a tokenizer.json")
    size = int(json.loads((folder / "config.json").read_text(encoding="utf-8"))["hidden_size"])
    name = f"folder/{sha256(str(folder.resolve()).encode()).hexdigest()[:16]}"
    if name not in {known["model"] for known in TextEmbedding.list_supported_models()}:
        TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType.MEAN,
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


def _digest(*files: Path) -> str:
    digest = sha256()
    for file in files:
        with file.open("rb") as opened:
            while part := opened.read(1 << 20):
                digest.update(part)
    return digest.hexdigest()[:32]
