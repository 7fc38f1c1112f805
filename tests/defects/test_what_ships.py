"""Classes that show in what is shipped: its dependencies, its surface, and what it was fitted to."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from aftermind.cli.offering.catalog import TOOLS
from aftermind.cli.offering.tool import schema

ROOT = Path(__file__).parents[2]
PRODUCT = ("engine", "projections", "sidecar", "cli")


def requirements() -> list[Requirement]:
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = said["project"]["optional-dependencies"].values()
    groups = [one for group in said["dependency-groups"].values() for one in group if isinstance(one, str)]
    return [
        Requirement(one)
        for one in (*said["project"]["dependencies"], *(one for some in extras for one in some), *groups)
    ]


PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def wanted(some: list[Requirement], python: str) -> list[Requirement]:
    """Those that count for that Python."""
    return [one for one in some if one.marker is None or one.marker.evaluate({"python_version": python})]


def test_the_pythons_are_those_it_says_it_runs_on():
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    there = [one for one in said["classifiers"] if one.startswith("Programming Language :: Python :: 3.")]
    assert there == [f"Programming Language :: Python :: {python}" for python in PYTHONS]
    assert all(SpecifierSet(said["requires-python"]).contains(python) for python in PYTHONS)


@pytest.mark.parametrize("python", PYTHONS)
def test_unpinned_dependency_breaks_a_fresh_install(python: str):
    """The newest there is of something may be another program: each has a bound above, and the version it was tested
    with lies within."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    tested = wanted([Requirement(line) for line in lines if line and not line.startswith("#")], python)
    plain = {one.name.lower().replace("_", "-"): next(iter(one.specifier)).version for one in tested}
    assert len(plain) == len(tested)
    for one in wanted(requirements(), python):
        operators = {bound.operator for bound in one.specifier}
        assert {">=", "<"} <= operators, one
        assert one.specifier.contains(Version(plain[one.name.lower().replace("_", "-")])), one


@pytest.mark.parametrize("python", PYTHONS)
def test_the_static_model_ships_for_every_python(python: str):
    assert [one.name for one in wanted(requirements(), python)].count("wordllama") == 1


def test_benchmarks_fitted_to_the_formula_know_nothing_the_product_does_not():
    """No word of a set, no switch for measurements, and nothing of `bench` or the labelled halves is in what ships;
    what is measured of recall goes through the public API."""
    sets = re.compile(r"locomo|longmem|memoryagentbench|structmem|benchmark_mode", re.IGNORECASE)
    for path in (path for folder in PRODUCT for path in (ROOT / folder).rglob("*.py")):
        text = path.read_text()
        assert not sets.search(text), path
        assert not re.search(r"^\s*(from|import) (bench|tests)\b", text, re.MULTILINE), path
    ranks = (ROOT / "bench" / "systems.py").read_text()
    assert "aftermind.OpenMemory" in ranks
    assert "aftermind.projections" not in ranks


def test_tool_surface_too_big_or_unstructured_every_tool_tells_its_form():
    """All there is takes less room than one peer's core; each noun is one tool, and what it gives has a schema."""
    every = [tool for group in TOOLS.values() for tool in group]
    listed = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.about,
            "in": schema(tool.takes),
            "out": schema(tool.gives),
        }
        for tool in every
    ]
    assert len(json.dumps(listed)) < 20 * 1000
    assert len(every) <= 16
    for tool in listed:
        assert tool["in"]["additionalProperties"] is False
        assert tool["out"]["properties"], tool["name"]


@pytest.mark.parametrize("group", TOOLS)
def test_path_traversal_and_arbitrary_file_access_no_tool_takes_a_place_in_the_file_system(group):
    """`paths` of a rule are patterns; an item, a session, a memory is a name."""
    for tool in TOOLS[group]:
        names = set(schema(tool.takes)["properties"])
        assert not names & {
            "path",
            "file",
            "file_path",
            "output_path",
            "input_path",
            "directory",
            "folder",
            "vault_path",
        }
