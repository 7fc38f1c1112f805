"""What the plugin adds to a turn of a real OpenCode: its hooks timed inside, and the turn with and without it.

    python -m bench.opencode_turn [--memories N] [--turns N] [--json OUT]

OpenCode runs twice, beside itself, on the scripted model of the end-to-end tests (so `make e2e` has to have installed
it): once with the plugin, each of whose hooks is timed, once without. The same prompts go to both, in turn, the first
ones unmeasured. "Adds" is the time a turn waits for the plugin: all of its awaited hooks, and what its event listener
does before it lets go. The wall clock beside it holds all that OpenCode and the model do, and their noise.
"""

from __future__ import annotations

import json
import math
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import anyio
from tests.e2e.real_opencode import OpenCode, Served, installed
from tests.e2e.scripted_model import ScriptedModel, texts

from aftermind.cli.doors import copied
from bench.figures import parser_of, show_each
from bench.metrics import percentile
from bench.residents import resident, settled
from bench.stores import filled

UNMEASURED = 5
TIMED = """
import {{ appendFileSync }} from "node:fs"
import {{ Aftermind }} from "{plugin}"
export const Timed = async (input, options) => {{
  const hooks = await Aftermind(input, options)
  let turn = {{}}
  const add = (name, began) => (turn[name] = (turn[name] ?? 0) + performance.now() - began)
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, async (...words) => {{
    const began = performance.now()
    const done = hook(...words)
    if (name !== "event") await done
    add(name, began)
    if (words[0]?.event?.type !== "session.idle") return
    appendFileSync("{out}", JSON.stringify(turn) + "\\n")
    turn = {{}}
  }}]))
}}
"""


@contextmanager
def timed(folder: Path, store: Path | None) -> Iterator[tuple[Served, ScriptedModel]]:
    """A running OpenCode, with the plugin of a store or without one."""
    folder.mkdir()
    with ScriptedModel().serving() as model:
        opencode = OpenCode(folder, model)
        (opencode.config / "node_modules").mkdir()
        lock = {"lockfileVersion": 3, "packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}}
        (opencode.config / "package-lock.json").write_text(json.dumps(lock))
        if store is None:
            opencode.configure()
        else:
            plugin = (store / "bin" / "opencode.js").as_uri()
            (folder / "timed.js").write_text(TIMED.format(plugin=plugin, out=folder / "turns.jsonl"))
            opencode.configure(plugin=[(folder / "timed.js").as_uri()])
        with opencode.serving() as served:
            yield served, model


def turns(folder: Path, store: Path, questions: list[str], count: int) -> dict[str, float]:
    with ExitStack() as stack:
        with_it, model = stack.enter_context(timed(folder / "with", store))
        without_it, _ = stack.enter_context(timed(folder / "without", None))
        walls: dict[Served, list[float]] = {with_it: [], without_it: []}
        sessions = {served: served.session() for served in walls}
        for number in range(UNMEASURED + count):
            for served, took in walls.items():
                if number % 10 == 0:  # what was said before makes every request larger
                    sessions[served] = served.session()
                began = time.perf_counter()
                served.say(sessions[served], questions[number % len(questions)])
                took.append((time.perf_counter() - began) * 1000)
        briefed = ["<aftermind-memory>" in texts(request)[-1] for request in model.turns()[UNMEASURED:]]
    told = (folder / "with" / "turns.jsonl").read_text().splitlines()
    rows: list[dict[str, float]] = [json.loads(line) for line in told][UNMEASURED:]
    adds = [sum(row.values()) for row in rows]
    with_briefing = [add for add, shown in zip(adds, briefed, strict=True) if shown]
    waits = [row.get("experimental.chat.messages.transform", 0.0) for row in rows]
    plain, more = (statistics.median(walls[served][UNMEASURED:]) for served in (without_it, with_it))
    return {
        "turns": len(rows),
        "of them briefed": sum(briefed),
        "plugin adds to a briefed turn, p50 ms": statistics.median(with_briefing) if with_briefing else math.nan,
        "plugin adds to a turn, p50 ms": statistics.median(adds),
        "plugin adds to a turn, p95 ms": percentile(adds, 0.95),
        "of it waiting for the briefing, p50 ms": statistics.median(waits),
        "of it waiting for the briefing, p95 ms": percentile(waits, 0.95),
        "all else it does, p95 ms": percentile([a - b for a, b in zip(adds, waits, strict=True)], 0.95),
        "a turn without it, wall p50 ms": plain,
        "a turn with it, wall p50 ms": more,
    }


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=100)
    arguments = parser.parse_args()
    if installed() is None:
        print("skipped: OpenCode is not installed; `make e2e` does that")
        return 0
    with tempfile.TemporaryDirectory(prefix="bench-opencode-") as name:
        folder = Path(name)
        store = folder / "store"
        questions = anyio.run(filled, store, arguments.memories)
        copied(store)
        with resident(store):
            anyio.run(settled, store)
            figures = turns(folder, store, questions, arguments.turns)
    show_each(f"what, at {arguments.memories:,} memories", figures, arguments.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
