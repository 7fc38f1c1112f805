"""Models as files: those that ship with a package, those that were downloaded, those in a folder of somebody's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from stat import S_ISREG
from typing import Any

import msgspec

from aftermind.engine.errors import AftermindError

STATIC, NONE = "static", "none"
FILES = ("model.onnx", "tokenizer.json", "config.json", "tokenizer_config.json", "special_tokens_map.json")
"""What a folder has to hold to be a model."""
EXTRA = "pip install 'aftermind[models]'"
DOWNLOADS = "models"
"""The folder in a store's folder into which models are downloaded."""
POOLING = "1_Pooling/config.json"
_POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
_KNOWN = "models that take the mean of their tokens, or the first, can be used"
_HERE = ".here"
"""Marks a download that was complete."""
_WHOLE_NUMBERS = (b"MatMulInteger", b"DynamicQuantizeLinear", b"QLinearMatMul")
"""Steps of a network that computes in whole numbers, as ONNX names them."""
LISTED = "`aftermind model list` shows what there is"
LONGEST_HEADER = 1 << 20
"""Bytes in front of the tables of a file of safetensors."""


class _Table(msgspec.Struct):
    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


class NoModel(AftermindError):
    """A model cannot be had: its package is missing, its folder holds none, or it was not downloaded."""

    status = 5

    def __init__(self, name: str, why: str, *, hint: str = LISTED) -> None:
        self.name, self.why, self.hint = name, why, hint
        super().__init__(f"the model {name} cannot be used: {why}")


def static_files() -> tuple[Path, Path]:
    """The weights and the tokens inside the package `wordllama`; `NoModel` without it."""
    package = find_spec("wordllama")
    if package is None or not package.submodule_search_locations:
        raise NoModel(STATIC, "the package wordllama is not installed", hint="pip install 'wordllama<0.5'")
    root = Path(package.submodule_search_locations[0])
    files = root / "weights" / "l2_supercat_256.safetensors", root / "tokenizers" / "l2_supercat_tokenizer_config.json"
    if not all(file.is_file() for file in files):
        raise NoModel(
            STATIC, "this wordllama does not hold the files it is known by", hint="pip install 'wordllama<0.5'"
        )
    return files


def half_floats(file: Path, name: str) -> tuple[tuple[int, int], int]:
    """Where a table of 16-bit floats lies in a file of safetensors: its rows and columns, and its first byte. `NoModel`
    where there is no such table. https://huggingface.co/docs/safetensors: eight bytes say how long what follows is,
    which is JSON, and behind it the tables are."""
    try:
        with file.open("rb") as opened:
            length = int.from_bytes(opened.read(8), "little")
            told = msgspec.json.decode(opened.read(min(length, LONGEST_HEADER)), type=dict[str, _Table])[name]
        rows, columns = told.shape
        (begin, end), size = told.data_offsets, file.stat().st_size
    except (OSError, msgspec.DecodeError, KeyError, ValueError) as error:
        raise NoModel(STATIC, f"{file} cannot be read: {one_line(error)}") from error
    if told.dtype != "F16" or end - begin != rows * columns * 2 or 8 + length + end > size:
        raise NoModel(STATIC, f"{file} does not hold the table it says")
    return (rows, columns), 8 + length + begin


def downloaded(downloads: Path) -> set[str]:
    """The names of those that are here."""
    try:
        return {file.name.removesuffix(_HERE).replace("--", "/") for file in downloads.glob(f"*{_HERE}")}
    except OSError:
        return set()


def removed(name: str, downloads: Path) -> int:
    """Deletes a download; how many bytes that were."""
    folder = folder_of(name, downloads)
    size = size_of(name, downloads)
    mark_of(name, downloads).unlink(missing_ok=True)
    rmtree(folder, ignore_errors=True)
    return size


def size_of(name: str, downloads: Path) -> int:
    """Bytes of a download, whole or not. A file that has two names counts once."""
    found = {}
    for file in folder_of(name, downloads).rglob("*"):
        with suppress(OSError):  # it came or went meanwhile
            facts = file.lstat()
            found[facts.st_ino] = facts.st_size if S_ISREG(facts.st_mode) else 0
    return sum(found.values())


def folder_of(name: str, downloads: Path) -> Path:
    return downloads / name.replace("/", "--")


def mark_of(name: str, downloads: Path) -> Path:
    return downloads / f"{name.replace('/', '--')}{_HERE}"


def one_line(error: BaseException, most: int = 300) -> str:
    """What a library says of its failure."""
    said = " ".join(str(error).split()) or type(error).__name__
    return said if len(said) <= most else f"{said[:most]}…"


def is_quantised(files: Sequence[Path]) -> bool:
    """Whether a network computes in whole numbers, by the names of what it is made of."""
    for file in files:
        end = b""
        if file.suffix == ".onnx":
            for part in _parts(file):
                if any(name in end + part for name in _WHOLE_NUMBERS):
                    return True
                end = part[-64:]
    return False


def folder_named(name: str) -> Path:
    """The folder that a model's name may be; of a home that nobody has, as it is written."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def pooling_of(folder: Path, name: str) -> str:
    """How a folder's network makes one vector of its tokens': `mean`, which most do, or `cls`, the first one's. It is
    told where sentence-transformers tells it. `NoModel` for another way."""
    try:
        told = msgspec.json.decode((folder / POOLING).read_bytes(), type=dict[str, Any])
    except FileNotFoundError:
        return "mean"
    except (OSError, ValueError) as error:
        raise NoModel(name, f"{POOLING} cannot be read: {one_line(error)}") from error
    if told.get("pooling_mode") in _POOLINGS.values():  # as sentence-transformers writes it from 5.4 on
        return str(told["pooling_mode"])
    ways = [way for key, way in _POOLINGS.items() if told.get(key) is True]
    ways += [key for key, on in told.items() if key.startswith("pooling_mode") and on and key not in _POOLINGS]
    if len(ways) != 1 or ways[0] not in _POOLINGS.values():
        raise NoModel(name, f"its pooling ({', '.join(ways) or 'none'}) is not known here", hint=_KNOWN)
    return ways[0]


def digest_of(*files: Path, pooling: str = "") -> str:
    """Of the files, and of how a network's tokens become one vector, where that is not its library's to know."""
    digest = sha256(pooling.encode())
    for file in files:
        for part in _parts(file):
            digest.update(part)
    return digest.hexdigest()[:32]


def _parts(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while part := opened.read(1 << 20):
            yield part
