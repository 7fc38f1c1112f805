"""What a project's pipelines run. Every system writes that its own way, and all of them write commands under `run`,
`script`, `command` and their like: those are looked for, and the names above them say where. The only door to yaml.
Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from aftermind.cli.onboarding.statement import Stated, commands, short

FILES = re.compile(
    r"\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.circleci/config\.ya?ml|azure-pipelines\.ya?ml"
    r"|\.travis\.ya?ml|bitbucket-pipelines\.ya?ml|\.woodpecker\.ya?ml|\.drone\.ya?ml"
)
"""Their paths below the project's folder."""
_COMMANDS = frozenset(
    ("run", "script", "before_script", "after_script", "command", "commands", "bash", "before_install", "install")
)
_NAMES = frozenset(("jobs", "steps", "stages", "pipelines", "default"))
"""Keys that say nothing of what is below them."""
DEEPEST, MOST = 12, 20_000
"""Levels, and nodes that are looked at: an alias may be said very often."""


def pipeline(text: str) -> Iterator[Stated]:
    """A sentence a job. ValueError for what is no pipeline."""
    try:
        found = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(short(str(error))) from error
    if not isinstance(found, dict):
        raise ValueError("it is no mapping")
    runs: dict[str, list[str]] = {}
    for job, command in _said(found, (), [MOST]):
        runs.setdefault(job, []).append(command)
    name = found.get("name")
    called = f" ({short(name)})" if isinstance(name, str) else ""
    for job, listed in runs.items():
        yield Stated(f"CI{called} runs{f' in {job}' if job else ''}: {commands(list(dict.fromkeys(listed)))}.", job)


def _said(node: Any, path: tuple[str, ...], left: list[int]) -> Iterator[tuple[str, str]]:
    """Every command, with the job it is in."""
    left[0] -= 1
    if left[0] < 0 or len(path) > DEEPEST:
        return
    if isinstance(node, list):
        for one in node:
            yield from _said(one, path, left)
    elif isinstance(node, dict):
        for key, below in node.items():
            if isinstance(key, str) and key in _COMMANDS:
                for line in _lines(below):
                    yield " › ".join(path[:1]), line
            elif isinstance(below, dict | list):
                named = isinstance(key, str) and key not in _NAMES
                yield from _said(below, (*path, short(str(key))) if named else path, left)


def _lines(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        joined = node.replace("\\\n", " ")
        yield from (line.strip() for line in joined.splitlines() if line.strip() and not line.strip().startswith("#"))
    elif isinstance(node, list):
        for one in node[:100]:
            if isinstance(one, str):
                yield from _lines(one)
    elif isinstance(node, dict):
        yield from _lines(node.get("command"))
