"""What a key of the configuration is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

Value: TypeAlias = int | float | str


class Key(Struct, frozen=True, kw_only=True):
    """One thing that can be configured. Numbers lie between `least` and `most`."""

    name: str
    about: str
    kind: type[int] | type[float] | type[str]
    expected: str
    least: float = 0
    most: float = 0
    words: tuple[str, ...] = ()
    """A text is one of these, where there are any."""
    form: str = ""
    """A regular expression all of the text fits, where there is one."""
    fits: Callable[[str], bool] | None = None
    """Tells of a text of that form whether it is what is meant, where the form alone does not."""
    unsaid: bool = False
    """What does not fit may be a secret in the wrong place: no error repeats it."""
