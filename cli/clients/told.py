"""What `init` and `uninstall` did or would do: a line a file for people, everything for programs, the exact diff."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import unified_diff
from pathlib import Path

from msgspec import Struct

from aftermind.cli.clients.installing import Step

_DONE = {
    "create": "created",
    "edit": "edited, backup kept",
    "as it is": "as it was",
    "restore": "restored, byte for byte",
    "restore without others": "restored, but for what ran a store that is not set up any more",
    "remove entries": "our entries taken out; you changed the rest",
    "remove found": "our entries taken out; the store knows no more of this file",
    "shared": "stays: another store has it, too",
    "delete": "deleted: we had made it",
    "delete found": "deleted: nothing but ours was in it",
    "gone": "not there any more",
}
_TO_DO = {
    "create": "would be created",
    "edit": "would be edited",
    "as it is": "stays as it is",
    "restore": "would be restored, byte for byte",
    "restore without others": "would be restored, but for what ran a store that is not set up any more",
    "remove entries": "our entries would go; you changed the rest",
    "remove found": "our entries would go; the store knows no more of this file",
    "shared": "stays: another store has it, too",
    "delete": "would be deleted: we had made it",
    "delete found": "would be deleted: nothing but ours is in it",
    "gone": "not there any more",
}


class FileTold(Struct, frozen=True, kw_only=True):
    """One file, for a program."""

    path: str
    target: str
    about: str
    state: str
    diff: str = ""


def file_told(step: Step, *, diff: bool) -> FileTold:
    return FileTold(
        path=str(step.there.path),
        target=str(step.there.target),
        about=step.about,
        state=step.state,
        diff=diff_of(step) if diff else "",
    )


def rows(title: str, steps: Sequence[Step], home: Path, *, done: bool) -> Iterable[tuple[str, str, str]]:
    """A table's rows: assistant, what became of the file, the file."""
    words = _DONE if done else _TO_DO
    for step in steps:
        about = f" ({step.about})" if step.about else ""
        yield title, f"{short(step.there.path, home)}{about}", words[step.state]


def short(path: Path, home: Path) -> str:
    """A path as a person writes it."""
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def diff_of(step: Step) -> str:
    """The change as `patch` understands it; line endings and a missing last one included."""
    path = str(step.there.target)
    before = "/dev/null" if step.there.content is None else path
    after = "/dev/null" if step.content is None else path
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(_lines(step.there.content), _lines(step.content), before, after)
    )


def _lines(content: bytes | None) -> list[str]:
    """Only a line feed ends one here: `splitlines` knows more ends than `patch` does."""
    text = (content or b"").decode("utf-8", "replace")
    return [line for line in text.replace("\n", "\n\0").split("\0") if line]
