"""Stores to measure on: memories of made-up prose, a few words common and most rare, as language is (Zipf).

Where the words are `tokens`, a word is a token of the static model, and of the networks they were made for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer

from aftermind.engine.events import MemoryRecorded
from aftermind.engine.log import Append
from aftermind.engine.logs.sqlite_log import sqlite_log
from aftermind.engine.names import GLOBAL, MemoryId, SessionId, memory_stream
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.folder import LOG
from aftermind.engine.views.generations import views
from aftermind.projections.catalog import ALL
from aftermind.projections.meaning.embedding import Model
from aftermind.projections.meaning.model_files import static_files
from aftermind.projections.meaning.vectors import vectors

if TYPE_CHECKING:
    from aftermind.projections.meaning.embedding import Vectors

WORDS = 20_000
SYLLABLES = [f"{first}{last}" for first in "bdfgklmnprst" for last in "aeio"]


class Prose:
    """Texts and questions about them, always the same for the same seed."""

    def __init__(self, seed: int, words: Sequence[str] = ()) -> None:
        self._random = Random(seed)
        made_up = ("".join(self._random.choices(SYLLABLES, k=self._random.randint(2, 4))) for _ in range(WORDS))
        self._words = list(words) or list(made_up)
        self._weights = list(accumulate(1 / (rank + 2) for rank in range(len(self._words))))

    def text(self) -> str:
        length = self._random.randint(15, 60)
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=length))

    def question(self, text: str) -> str:
        """Eight words of a text among eight of anybody's."""
        words = text.split()
        asked = self._random.sample(words, min(8, len(words)))
        asked += self._random.choices(self._words, cum_weights=self._weights, k=8)
        self._random.shuffle(asked)
        return "how is " + " ".join(asked) + "?"

    def long_question(self, text: str, words: int) -> str:
        """So many words, half of them of a text as far as it has them."""
        asked = text.split()[: words // 2]
        return " ".join([*asked, *self._random.choices(self._words, cum_weights=self._weights, k=words - len(asked))])


def tokens(*networks: Path) -> list[str]:
    """Whole words of the static model's vocabulary, in a fixed shuffled order; those that are one token as well of each
    of the networks in these folders."""
    vocabulary = json.loads(static_files()[1].read_text(encoding="utf-8"))["model"]["vocab"]
    found = sorted(t[1:] for t in vocabulary if t[:1] == "▁" and t[1:].isascii() and t[1:].islower() and len(t) > 4)
    Random(1).shuffle(found)
    for folder in networks:
        split = Tokenizer.from_file(str(folder / "tokenizer.json")).encode_batch(found, add_special_tokens=False)
        found = [word for word, encoding in zip(found, split, strict=True) if sum(encoding.attention_mask) == 1]
    return found


async def filled(
    folder: Path, memories: int, seed: int = 1, prose: Prose | None = None, in_sessions: int = 0
) -> list[str]:
    """A store of so many memories in `folder`, its views built; two hundred questions for it. Each is a fact by itself,
    or they are talk of two people, so many in a session."""
    prose, stamp = prose or Prose(seed), Stamp()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    texts: list[str] = []
    async with sqlite_log(folder / LOG, stamp) as log:
        for start in range(0, memories, 500):
            appends = []
            for n in range(start, min(start + 500, memories)):
                texts.append(prose.text())
                event = MemoryRecorded(
                    memory=MemoryId(f"m{n:016x}"),
                    kind="conversation" if in_sessions else "fact",
                    collection="history" if in_sessions else "memory_bank",
                    scope=GLOBAL,
                    text=texts[-1],
                    speaker=("ann", "bo")[n % 2] if in_sessions else "",
                    session=SessionId(f"s{n // in_sessions}") if in_sessions else None,
                )
                appends.append(Append(stream=memory_stream(event.memory), drafts=(stamp.draft(event),)))
            await log.append(*appends)
        async with views(folder, log, ALL):
            pass
    return [prose.question(texts[(n * 7919) % len(texts)]) for n in range(200)]


class Pretended:
    """Answers for a slow model while a store is filled: vectors like those it gives to a few of the texts."""

    def __init__(self, model: Model, texts: Sequence[str]) -> None:
        self.name, self.fingerprint, self.dimensions = model.name, model.fingerprint, model.dimensions
        self._like, self._random = model.embed(texts), np.random.default_rng(1)

    def embed(self, texts: Sequence[str]) -> Vectors:
        picked = self._like[self._random.integers(len(self._like), size=len(texts))]
        noise = self._random.standard_normal(picked.shape, np.float32) / np.float32(self.dimensions**0.5)
        found = picked + noise
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


async def embedded(folder: Path, model: Model) -> None:
    """All memories of a filled store have vectors of that model."""
    async with (
        sqlite_log(folder / LOG, Stamp()) as log,
        views(folder, log, ALL) as seen,
        vectors(folder, log, model, Stamp()) as found,
    ):
        while await found.follow(log, seen):
            pass
