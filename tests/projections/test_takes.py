"""A view is asked about the forms of events it says it takes, and about no others: it must say all that it reads."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

import pytest

from aftermind.engine.views.projection import Projection
from aftermind.projections.catalog import ALL


def _named(function: ast.FunctionDef) -> set[str]:
    """The classes its patterns name, but for those of fields."""
    tops = [case.pattern for match in ast.walk(function) if isinstance(match, ast.Match) for case in match.cases]
    return {one.cls.id for top in tops for one in _forms(top) if isinstance(one.cls, ast.Name)}


def _forms(pattern: ast.pattern) -> Iterator[ast.MatchClass]:
    if isinstance(pattern, ast.MatchClass):
        yield pattern
    elif isinstance(pattern, ast.MatchOr):
        for one in pattern.patterns:
            yield from _forms(one)


def _whatever_comes(function: ast.FunctionDef) -> bool:
    """Whether it writes outside of its patterns."""
    inside = {id(node) for match in ast.walk(function) if isinstance(match, ast.Match) for node in ast.walk(match)}
    return any(isinstance(node, ast.Yield | ast.YieldFrom) and id(node) not in inside for node in ast.walk(function))


@pytest.mark.parametrize("projection", ALL, ids=lambda one: one.name)
def test_a_view_takes_every_form_it_names(projection: Projection) -> None:
    function = ast.parse(inspect.getsource(projection.writes)).body[0]
    assert isinstance(function, ast.FunctionDef)
    if _whatever_comes(function):
        assert not projection.takes
    else:
        assert {form.__name__ for form in projection.takes} == _named(function)
