"""What it takes to begin a session among many rules and memories, and what rules cost an ordinary prompt.

    python -m bench.beginning [--rules 100] [--memories 1000] [--rounds 200] [--json OUT]

In process, without a model: a session's beginning in a project with so many rules (every fifth has a condition) and
memories, with the processor's time beside the clock's; and the same prompt, which meets no condition, in a project with
and in one without rules, one after the other in turn.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

import aftermind
from aftermind import OpenMemory
from bench.figures import parser_of, show_each
from bench.metrics import percentile
from bench.stores import Prose, tokens

PROMPT = "which port has staging now that the loader was moved?"


async def filled(memory: OpenMemory, project: str, rules: int, memories: int) -> None:
    prose = Prose(1, tokens())
    for number in range(memories):
        await memory.remember(f"{number}: {prose.text()}", project=project)
    for number in range(rules):
        said = f"keep module{number} below {number + 100} lines"
        condition = ("On push: ", f"In src/part{number}/: ")[number % 2] if number % 5 == 0 else ""
        id = await memory.remember(f"{condition}{said}", kind="directive", project=project if number % 3 else None)
        if number % 20 == 0:
            await memory.lock(id)


async def taken(work: Callable[[int], Awaitable[object]], rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds by the clock and of the processor, each sorted."""
    clock, processor = [], []
    for number in range(rounds):
        began, busy = time.perf_counter(), time.process_time()
        await work(number)
        clock.append((time.perf_counter() - began) * 1000)
        processor.append((time.process_time() - busy) * 1000)
    return sorted(clock), sorted(processor)


async def measured(rules: int, memories: int, rounds: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        async with aftermind.open_memory(Path(folder) / "store", model="none") as memory:
            await filled(memory, "plain", 0, memories)

            async def asked(project: str) -> float:
                one = lambda n: memory.context(PROMPT, session=f"{project}{n}", project=project)  # noqa: E731
                return statistics.median((await taken(one, rounds))[1])

            without = await asked("plain")
            await filled(memory, "ruled", rules, memories)
            pairs = [(await asked("plain"), await asked("ruled")) for _ in range(3)]
            begin = lambda n: memory.context(session=f"begin{n}", project="ruled")  # noqa: E731
            await begin(-1)
            clock, processor = await taken(begin, rounds)
            shown = await begin(rounds)
    return {
        "begin_p50_ms": percentile(clock, 0.5),
        "begin_p95_ms": percentile(clock, 0.95),
        "begin_cpu_p50_ms": percentile(processor, 0.5),
        "begin_tokens": shown.tokens,
        "begin_memories": len(shown.memories),
        "prompt_before_any_rule_cpu_ms": without,
        "prompt_without_rules_cpu_ms": statistics.median(one for one, _ in pairs),
        "prompt_with_rules_cpu_ms": statistics.median(other for _, other in pairs),
    }


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--rules", type=int, default=100)
    parser.add_argument("--memories", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=200)
    arguments = parser.parse_args()
    found = anyio.run(measured, arguments.rules, arguments.memories, arguments.rounds)
    show_each("what", found, arguments.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
