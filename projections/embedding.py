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
from typing import TYPE_CHECKING, Protocol, TypeAlias

from aftermind.engine.errors import AftermindError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]
    """Shape (texts, dimensions), each row of length 1 or 0."""

STATIC, NONE = "static", "none"
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
                self._network = TextEmbedding(name, cache_dir=str(downloads), local_files_only=True, threads=1)
                self.fingerprint = _digest(*sorted(downloads.glob(f"*{name.split('/')[-1]}*/**/*.onnx")))
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
