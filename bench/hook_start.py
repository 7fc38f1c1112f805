"""What a prompt costs the assistant: a hook's process from start to exit, and a daemon from nothing to its first
answer.

    python -m bench.hook_start [--memories N] [--json OUT]

The hooks are Claude Code's, run by the command `aftermind init` writes into its settings; beside them, in the same run
and interleaved, a bare `python -I -S -c pass`. The daemon is started anew for each of its figures; "first answer" is
recall by words, from the start of the process.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio

from aftermind.cli.doors import copied
from aftermind.cli.language.requests import Recall
from bench.figures import parser_of, show_each
from bench.metrics import percentile
from bench.residents import cpu_seconds, hook, joined, megabytes, of_claude_code, resident, settled
from bench.stores import filled

PROMPTS, STARTS, IDLE = 120, 9, 20.0


def bare() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
    return (time.perf_counter() - started) * 1000


def prompted(folder: Path, questions: list[str]) -> dict[str, float]:
    hooks: list[float] = []
    tools: list[float] = []
    ends: list[float] = []
    bares: list[float] = []
    shown = 0
    copied(folder)
    with resident(folder):
        anyio.run(settled, folder)
        for number, question in enumerate((questions * 2)[:PROMPTS]):
            said = (f"s{number % 4}", f"p{number}", folder)
            took, out = hook(
                folder, "prompt", of_claude_code("UserPromptSubmit", *said, prompt=question), "claude-code"
            )
            hooks.append(took)
            shown += bool(out)
            used = of_claude_code("PostToolUse", *said, tool_name="Read", tool_input={"file_path": "/x"})
            tools.append(hook(folder, "tool", used, "claude-code")[0])
            answer = of_claude_code("Stop", *said, last_assistant_message="It is as it was said before.")
            ends.append(hook(folder, "turn", answer, "claude-code")[0])
            bares.append(bare())
    return {
        "hook with a briefing, p50 ms": statistics.median(hooks),
        "hook with a briefing, p95 ms": percentile(hooks, 0.95),
        "prompts for which something was shown": shown / len(hooks),
        "hook of a tool, p50 ms": statistics.median(tools),
        "hook of an answer, p50 ms": statistics.median(ends),
        "bare interpreter, p50 ms": statistics.median(bares),
        "hook / bare interpreter": statistics.median(hooks) / statistics.median(bares),
    }


async def first_answer(folder: Path, question: str) -> float:
    """Milliseconds from the start of the process to its first recall."""
    started = time.perf_counter()
    with resident(folder):
        asking = await joined(folder)
        await asking.ask(Recall(query=question))
        took = (time.perf_counter() - started) * 1000
        await asking.close()
    return took


async def idle(folder: Path) -> dict[str, float]:
    with resident(folder) as process:
        asking = await joined(folder)
        await asking.ask(Recall(query="anything at all"))
        await asking.close()
        await anyio.sleep(5)  # what is loaded after the first answer is loaded now
        before = cpu_seconds(process.pid)
        await anyio.sleep(IDLE)
        used = cpu_seconds(process.pid) - before
        return {"idle memory, MB": megabytes(process.pid), "idle processor, % of a core": used / IDLE * 100}


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-hook-", dir=Path.cwd()) as name:
        folder = Path(name) / "store"
        questions = anyio.run(filled, folder, arguments.memories)
        figures = prompted(folder, questions)
        starts = [anyio.run(first_answer, folder, question) for question in questions[:STARTS]]
        figures["daemon start to first recall, p50 ms"] = statistics.median(starts)
        figures["daemon start to first recall, max ms"] = max(starts)
        figures |= anyio.run(idle, folder)
    show_each(f"what, at {arguments.memories:,} memories", figures, arguments.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
