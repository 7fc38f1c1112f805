"""A store's figures in Prometheus' text format (version 0.0.4). Pure.

Guarantee: counts, sizes and times alone. No text, id, name of a project or path is in them, for what collects figures
sends them on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from aftermind.cli.language.answers import Stats
from aftermind.cli.language.process import State

FORM = "text/plain; version=0.0.4; charset=utf-8"
Labels: TypeAlias = tuple[tuple[str, str], ...]
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds."""


class Figure(Struct, frozen=True, kw_only=True):
    name: str
    about: str
    kind: Literal["gauge", "counter", "histogram"]
    samples: tuple[tuple[str, Labels, float], ...]
    """What is added to the name, the labels, the value."""


class Asked:
    """What was asked over HTTP since the port is open."""

    def __init__(self) -> None:
        self.answered: dict[tuple[str, int], int] = {}
        """(path, status) → how often. The path is one of ours, or `other`."""
        self._buckets: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}

    def note(self, path: str, status: int, seconds: float) -> None:
        self.answered[path, status] = self.answered.get((path, status), 0) + 1
        buckets = self._buckets.setdefault(path, [0] * (len(BOUNDS) + 1))
        buckets[next((at for at, bound in enumerate(BOUNDS) if seconds <= bound), len(BOUNDS))] += 1
        self._seconds[path] = self._seconds.get(path, 0.0) + seconds

    def figures(self) -> tuple[Figure, ...]:
        requests = tuple(
            ("_total", (("path", path), ("status", str(status))), float(count))
            for (path, status), count in sorted(self.answered.items())
        )
        return (
            Figure(
                name="aftermind_http_requests",
                about="Requests over HTTP, by what they asked for and what they were answered.",
                kind="counter",
                samples=requests,
            ),
            Figure(
                name="aftermind_http_request_seconds",
                about="How long they took.",
                kind="histogram",
                samples=tuple(self._durations()),
            ),
        )

    def _durations(self) -> Iterable[tuple[str, Labels, float]]:
        for path, buckets in sorted(self._buckets.items()):
            so_far = 0
            for bound, count in zip((*map(_number, BOUNDS), "+Inf"), buckets, strict=True):
                so_far += count
                yield "_bucket", (("path", path), ("le", bound)), so_far
            yield "_sum", (("path", path),), self._seconds[path]
            yield "_count", (("path", path),), so_far


def figures(state: State, stats: Stats) -> tuple[Figure, ...]:
    """Of the process that holds the store, and of the store."""
    return (
        _gauge("info", "Always 1; which version holds the store.", {(("version", state.version),): 1}),
        _gauge("start_time_seconds", "When it began to, in seconds since 1970.", {(): state.since.timestamp()}),
        _gauge("resident_memory_bytes", "Memory that process has in use.", {(): state.memory_mb * 1e6}),
        _gauge("connections", "Connections to its socket that are open.", {(): state.connections}),
        Figure(
            name="aftermind_requests",
            about="Requests over its socket, by how they ended.",
            kind="counter",
            samples=tuple(
                ("_total", (("outcome", name),), float(count))
                for name, count in (("answered", state.answered), ("failed", state.failed))
            ),
        ),
        _gauge("log_position", "The last position of the log.", {(): state.head}),
        _gauge("views_position", "The position the views know.", {(): state.viewed}),
        _gauge(
            "spooled_requests",
            "Requests in the spool: those that wait, and those nobody understands.",
            {(("state", "waiting"),): state.spooled, (("state", "broken"),): state.broken},
        ),
        _gauge("events", "Events in the log.", {(): stats.events}),
        _gauge("sessions", "Sessions.", {(): stats.sessions}),
        _gauge("projects", "Projects.", {(): len(stats.projects)}),
        _gauge("memories", "Memories, by collection.", _by("collection", stats.collections)),
        _gauge("memories_by_status", "Memories, by status.", _by("status", stats.statuses)),
        _gauge("verdicts", "What was said of memories, by outcome.", _by("outcome", stats.verdicts)),
        _gauge("exchanges_waiting", "Exchanges without a verdict.", {(): stats.waiting}),
        _gauge("due", "What asks for somebody now.", _by("what", stats.due)),
    )


def written(figures: Sequence[Figure]) -> str:
    """As it is read by what collects it."""
    return "".join(f"{line}\n" for figure in figures for line in _lines(figure))


def _lines(figure: Figure) -> Iterable[str]:
    name = figure.name + ("_total" if figure.kind == "counter" else "")
    yield f"# HELP {name} {figure.about}"
    yield f"# TYPE {name} {figure.kind}"
    for added, labels, value in figure.samples:
        said = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels)
        yield f"{figure.name}{added}{f'{{{said}}}' if said else ''} {_number(value)}"


def _gauge(name: str, about: str, values: Mapping[Labels, float]) -> Figure:
    samples = tuple(("", labels, float(value)) for labels, value in values.items())
    return Figure(name=f"aftermind_{name}", about=about, kind="gauge", samples=samples)


def _by(label: str, counts: Mapping[str, int]) -> dict[Labels, float]:
    return {((label, name),): count for name, count in counts.items()}


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
