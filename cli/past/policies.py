"""Another ranking, from a file: the keys of `Ranking`, those that are to be otherwise."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from aftermind.cli.language.misused import meant
from aftermind.cli.settings import Misconfigured, parsed
from aftermind.engine.policy import Ranking

LEAST = {"limit": 1, "candidates": 1, "budget": 0}
_MOST = 1_000_000


def ranking_of(path: Path, present: Ranking) -> Ranking:
    """The present ranking, with what the TOML file says in its place, plain or in a table `[ranking]`. `Misconfigured`
    for a key that there is not, with the one that is close, and for a value that does not fit."""
    if not path.is_file():
        raise Misconfigured(
            f"there is no file {path}", hint="--policy names a TOML file, `asked_floor = 0.55` for example"
        )
    found = parsed(path)
    inside = found.pop("ranking", {})
    said = {**found, **inside} if isinstance(inside, dict) else {**found, "ranking": inside}
    changes: dict[str, int | float] = {}
    for name, value in said.items():
        fields = {field.name: field.default for field in structs.fields(Ranking)}
        if name not in fields:
            close = meant(name, fields)
            hint = f"did you mean {' or '.join(close)}?" if close else f"the keys are: {', '.join(fields)}"
            raise Misconfigured(f"there is no key {name!r} of a ranking ({path})", hint=hint)
        whole = isinstance(fields[name], int)
        least = LEAST.get(name, 0)
        if (
            isinstance(value, bool)
            or not isinstance(value, int if whole else int | float)
            or not least <= value <= _MOST
        ):
            kind = "a whole number" if whole else "a number"
            raise Misconfigured(
                f"{name} must be {kind}, at least {least}, not {value!r} ({path})", hint="change it there"
            )
        changes[name] = value if whole else float(value)
    return structs.replace(present, **changes)
