"""What was made of a text is kept for a while, and given up when something is forgotten: nothing of it is to stay in
the memory of a process that goes on for days."""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
_KEPT: list[_lru_cache_wrapper[Any]] = []
_WORDS: list[set[str]] = []


def lately(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """As `lru_cache(most)`, for a pure function of texts or words."""

    def kept(make: Callable[P, T]) -> Callable[P, T]:
        _KEPT.append(lru_cache(most)(make))
        return cast("Callable[P, T]", _KEPT[-1])

    return kept


def words_lately() -> set[str]:
    """An empty set, to note words in."""
    _WORDS.append(set())
    return _WORDS[-1]


def given_up() -> None:
    for one in _KEPT:
        one.cache_clear()
    for words in _WORDS:
        words.clear()


def held() -> int:
    """How much is kept."""
    return sum(one.cache_info().currsize for one in _KEPT)
