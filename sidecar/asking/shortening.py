"""How much of an exchange a judge is given, by rule: everything where it fits, else what tells most. Pure.

Each part has a share of its own, and what one does not need the next ones get: the follow-up first (it tells most),
then the prompt, the tools, the memories, and the answer last (it is the longest, and the least to be trusted). A text
that is too long keeps its head and its tail, with a mark of how much is gone between them; of the tools those that
failed and the last ones stay. The same case is always cut the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
from msgspec import structs

from aftermind.engine.events import ToolUse
from aftermind.projections.recalling.shown.wording import tokens
from aftermind.sidecar.ports import Case, Known

BUDGET = 5_000
"""Tokens of all data, by the upper estimate of `wording.tokens`: with rules and reply a window of 8,192 holds them."""
LEAST = 1_500
MEMORIES = 12
"""Of those shown, and as many of those known, that are put to a judge."""
PATHS = 8
SHARES = (("follow_up", 0.30), ("prompt", 0.20), ("tools", 0.10), ("memories", 0.15), ("answer", 0.25))
HEAD = 0.6
"""Of what is kept of a text: so much of its beginning, the rest of its end."""


def budget_of(attempt: int) -> int:
    """Half as much with every attempt: what was too long, or too much to be answered well, is asked for with less."""
    return max(BUDGET >> (max(attempt, 1) - 1), LEAST)


def fitted(case: Case, budget: int) -> Case:
    """The case in at most so many tokens, written as JSON. What fits comes back as it is."""
    memories = (*case.shown[:MEMORIES], *case.known[:MEMORIES])
    needs = {
        "follow_up": cost(case.follow_up or ""),
        "prompt": cost(case.prompt),
        "tools": sum(map(_tool_cost, case.tools)),
        "memories": sum(map(_memory_cost, memories)),
        "answer": cost(case.answer),
    }
    given = _divided(needs, budget)
    shown, known = _memories(case, given["memories"])
    return structs.replace(
        case,
        follow_up=cut(case.follow_up, given["follow_up"]) if case.follow_up is not None else None,
        prompt=cut(case.prompt, given["prompt"]),
        tools=_tools(case.tools, given["tools"]),
        shown=shown,
        known=known,
        answer=cut(case.answer, given["answer"]),
    )


def cut(text: str, most: int) -> str:
    """Its head and its tail, of at most so many tokens as JSON; nothing where not even a mark fits."""
    if cost(text) <= most:
        return text
    room = most - cost(_mark(len(text)))
    if room <= 0:
        return ""
    head = _longest(lambda size: text[:size], len(text), int(room * HEAD))
    rest = len(text) - len(head)
    tail = _longest(lambda size: text[len(text) - size :], rest, room - cost(head))
    return f"{head}{_mark(rest - len(tail))}{tail}"


def cost(text: str) -> int:
    """The tokens of a text as JSON, its quotes aside; those of its parts together are never less than those of the
    whole."""
    return tokens(written(text)[1:-1])


def written(value: object) -> str:
    """JSON on one line, in which no text says a word of the language in which servers tell a model whose turn it is:
    `<|im_end|>`, `</s>`, `[/INST]`. Some of them read such words wherever they stand."""
    return _TURNS.sub(r"\\u005b", msgspec.json.encode(value).decode()).replace("<", r"\u003c")


_TURNS = re.compile(r"\[(?=/?[A-Z_]+\])")


def _mark(characters: int) -> str:
    return f" […{characters} characters left out…] "


def _longest(part: Callable[[int], str], most: int, room: int) -> str:
    """The longest part that costs no more than there is room for."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if cost(part(middle)) <= room:
            low = middle
        else:
            high = middle - 1
    return part(low)


def _divided(needs: dict[str, int], budget: int) -> dict[str, int]:
    """Each its share, or less where it needs less; what is over goes to the first that needs more."""
    given = {name: min(needs[name], int(budget * share)) for name, share in SHARES}
    over = budget - sum(given.values())
    for name, _ in SHARES:
        more = min(needs[name] - given[name], over)
        given[name] += more
        over -= more
    return given


_TOOL, _MEMORY = 40, 30
"""Tokens of what stands around a tool's and a memory's own words."""


def _tool_cost(tool: ToolUse) -> int:
    return _TOOL + cost(tool.name) + cost(tool.error) + sum(cost(path) + 2 for path in tool.paths)


def _tools(tools: tuple[ToolUse, ...], room: int) -> tuple[ToolUse, ...]:
    """Those that failed, the last first, then the last of the others, as far as there is room; in their order."""
    if sum(map(_tool_cost, tools)) <= room:
        return tools
    order = sorted(range(len(tools)), key=lambda place: (tools[place].ok, -place))
    kept: dict[int, ToolUse] = {}
    for place in order:
        tool = tools[place]
        short = structs.replace(
            tool,
            name=cut(tool.name, 30),
            paths=tuple(cut(p, 40) for p in tool.paths[:PATHS]),
            error=cut(tool.error, 200),
        )
        if (size := _tool_cost(short)) > room:
            break
        room -= size
        kept[place] = short
    return tuple(kept[place] for place in sorted(kept))


def _memory_cost(memory: Known) -> int:
    return _MEMORY + cost(memory.text) + cost(memory.answer)


def _memories(case: Case, room: int) -> tuple[tuple[Known, ...], tuple[Known, ...]]:
    """Each as much room as it needs, as far as all get the same; where there is too little, the last go without."""
    of_shown = len(case.shown[:MEMORIES])
    memories = [*case.shown[:MEMORIES], *case.known[:MEMORIES]]
    while sum(map(_memory_cost, memories)) > room and room // len(memories) < 2 * _MEMORY:
        memories.pop()
    kept: dict[int, Known] = {}
    order = sorted(range(len(memories)), key=lambda place: _memory_cost(memories[place]))
    for left, place in zip(range(len(order), 0, -1), order, strict=True):
        memory, part = memories[place], room // left
        if _memory_cost(memory) > part:
            size = part - _MEMORY
            text = cut(memory.text, int(size * HEAD) if memory.answer else size)
            memory = structs.replace(memory, text=text, answer=cut(memory.answer, size - cost(text)))
        room -= _memory_cost(memory)
        kept[place] = memory
    whole = sorted(kept)
    return tuple(kept[p] for p in whole if p < of_shown), tuple(kept[p] for p in whole if p >= of_shown)
