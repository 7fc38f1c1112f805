"""How a pause is named to a person, and the command that ends it; and what stands for what is off limits."""

from __future__ import annotations

from aftermind.engine.names import GLOBAL, Scope

HIDDEN = "[off limits]"
"""Stands for a path that is off limits."""


def where(scope: Scope, project: str) -> str:
    """Where it holds: `everywhere`, or `in` what the project is called there."""
    return "everywhere" if scope == GLOBAL else f"in {project}"


def resuming(scope: Scope) -> str:
    """The command that ends a pause."""
    return f"aftermind resume {'--everywhere' if scope == GLOBAL else f'--project {scope}'}"
