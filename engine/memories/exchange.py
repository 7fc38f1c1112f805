"""One exchange's life: what a second delivery means, and what a verdict on it says of which memories. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeAlias

from aftermind.engine.errors import ExchangeDiffers, NotFound, Refused
from aftermind.engine.events import (
    ContextInjected,
    ExchangeRecorded,
    ExchangeRevised,
    MemoryVerdict,
    PromptReceived,
    ToolUse,
    ToolUsed,
)
from aftermind.engine.log import Recorded
from aftermind.engine.names import EventId, MemoryId, Outcome, Scope
from aftermind.engine.stamp import derive_id
from aftermind.engine.stored import tag_of

AT_ONCE = timedelta(minutes=1)
"""Within so long of each other, the same words in one session are told of one prompt by two who saw it."""
NAMED = timedelta(seconds=10)
"""The same of a prompt that its client named: one of another name is another one, unless it was said just then. Beside
other hooks, a client may take some seconds between a prompt and what it writes of it."""
PARAGRAPH = "\n\n"
_PROMPT = "prompt-received"
IsGone: TypeAlias = Callable[[EventId], bool]
"""Whether an event was forgotten. Its words may still be there for a moment."""


def memory_of(birth: EventId) -> MemoryId:
    """The id of the memory that is born from an exchange, or with an event of its own: short enough to be typed."""
    return MemoryId("m" + derive_id(birth, "memory")[:16])


def delivered_again(
    id: EventId, history: Sequence[Recorded], prompt: str, answer: str, tools: tuple[ToolUse, ...]
) -> ExchangeRevised | None:
    """What the same exchange id means when it comes again: nothing new, or a fuller answer.

    `history` is the session's stream, `prompt` and `answer` are masked as the recorded ones are. Raises
    `ExchangeDiffers` for another text.
    """
    first, known, _ = _as_it_stands(id, history)
    if first is None:
        return None
    if prompt != first.prompt:
        raise ExchangeDiffers(id)
    if known.startswith(answer) or known.endswith(answer):
        return None
    if not (answer.startswith(known) or answer.endswith(known)):  # a hook may tell its end alone, a transcript all
        raise ExchangeDiffers(id)
    return _revised(first, id, answer, tools)


def said_more(
    id: EventId, history: Sequence[Recorded], answer: str, tools: tuple[ToolUse, ...]
) -> ExchangeRevised | None:
    """What it means when a turn ends again with some answer: nothing where that is known, else it goes on after what is
    known. `answer` is masked as the recorded ones are."""
    first, known, before = _as_it_stands(id, history)
    alone, among = (f"{PARAGRAPH}{text}{PARAGRAPH}" for text in (answer, known))
    if first is None or known.startswith(answer) or alone in among:
        return None
    whole = answer if answer.startswith(known) else f"{known}{PARAGRAPH}{answer}"
    return _revised(first, id, whole, tools if len(tools) >= len(before) else before)


def live_exchange(history: Sequence[Recorded], scope: Scope | None, prompt: str, at: datetime) -> Recorded | None:
    """The exchange of a prompt that was told of when it was said, at `at` or close to it, in a scope or in any;
    `prompt` as it is stored."""
    said = [
        one
        for one in history
        if isinstance(event := one.draft.event, PromptReceived)
        and event.text == prompt
        and scope in (None, event.scope)
    ]
    nearest = min(said, key=lambda one: abs(one.draft.at - at), default=None)
    if nearest is None or not is_near(nearest, at):
        return None
    later = min((one.draft.at for one in said if one.draft.at > nearest.draft.at), default=None)
    causes = {one.draft.id: one.draft.because for one in history if isinstance(one.draft.event, ContextInjected)}
    told = {one.draft.id for one in said}
    for one in history:
        event, when = one.draft.event, one.draft.at
        if not (isinstance(event, ExchangeRecorded) and event.prompt == prompt and scope in (None, event.scope)):
            continue
        answers = causes.get(one.draft.because, one.draft.because) if one.draft.because is not None else None
        if answers in told:
            if answers == nearest.draft.id:
                return one
        elif when >= nearest.draft.at and (later is None or when < later):
            return one
    return None


def is_near(prompt: Recorded, at: datetime) -> bool:
    """Whether a prompt was told of so close to a time that the same words, said then, are that prompt."""
    named = getattr(prompt.draft.event, "turn", None) is not None
    return abs(prompt.draft.at - at) <= (NAMED if named else AT_ONCE)


def forgotten_prompt(history: Sequence[Recorded], at: datetime, is_gone: IsGone) -> Recorded | None:
    """The prompt of a session that was told of when it was said, at `at` or close to it, where it was forgotten since.
    No word of it is left: it is the nearest one."""
    nearest = min(prompts(history), key=lambda one: abs(one.draft.at - at), default=None)
    if nearest is None or abs(nearest.draft.at - at) > AT_ONCE:
        return None
    return nearest if is_gone(nearest.draft.id) else None


def answers_forgotten(history: Sequence[Recorded], turn: EventId | None, text: str, is_gone: IsGone) -> bool:
    """Whether a turn that ends is one whose prompt was forgotten. A turn that its client names is known by its name.
    Else it answers the session's last prompt; or, where it tells the prompt's text, none whose words are left."""
    said = prompts(history)
    gone = [one for one in said if is_gone(one.draft.id)]
    if not gone:
        return False
    left = [one.draft.event for one in said if isinstance(one.draft.event, PromptReceived) and one not in gone]
    if turn is not None:
        named = any(one.draft.id == derive_id(turn, "prompt received") for one in gone)
        return named and all(one.turn != turn for one in left)
    return all(one.text != text for one in left) if text else gone[-1] is said[-1]


def prompts(history: Sequence[Recorded]) -> list[Recorded]:
    """All of a session, those that were forgotten among them, in the order they were said, which is not always that in
    which they were told."""
    found = [one for one in history if tag_of(one.draft.event) == _PROMPT]
    return sorted(found, key=lambda one: (one.draft.at, one.position))


def next_prompt(history: Sequence[Recorded], prompt: Recorded | None) -> Recorded | None:
    """The prompt after one of a session, one that was forgotten among them."""
    said = prompts(history)
    later = said[said.index(prompt) + 1 :] if prompt is not None else []
    return later[0] if later else None


def used_for(
    history: Sequence[Recorded], prompt: Recorded | None, turn: EventId | None, scope: Scope | None = None
) -> list[Recorded]:
    """The tools of a turn, in the order they were used: those that name it, and those that name none and were used
    between its prompt and the next. `scope`: only those of one project, where several have a prompt of that turn."""
    after = next_prompt(history, prompt)
    since = prompt.draft.at if prompt is not None else None
    until = after.draft.at if after is not None else None
    found = []
    for one in sorted(history, key=lambda one: (one.draft.at, one.position)):
        event = one.draft.event
        if not isinstance(event, ToolUsed) or (scope is not None and event.scope != scope):
            continue
        between = since is not None and since <= one.draft.at and (until is None or one.draft.at < until)
        if event.turn == turn if event.turn is not None else between:
            found.append(one)
    return found


def _as_it_stands(id: EventId, history: Sequence[Recorded]) -> tuple[ExchangeRecorded | None, str, tuple[ToolUse, ...]]:
    """An exchange as it was first told, and its answer and tools by now."""
    first: ExchangeRecorded | None = None
    known = ""
    tools: tuple[ToolUse, ...] = ()
    for recorded in history:
        event = recorded.draft.event
        if recorded.draft.id == id and isinstance(event, ExchangeRecorded):
            first, known, tools = event, event.answer, event.tools
        elif isinstance(event, ExchangeRevised) and event.exchange == id:
            known, tools = event.answer, event.tools or tools
    return first, known, tools


def _revised(first: ExchangeRecorded, id: EventId, answer: str, tools: tuple[ToolUse, ...]) -> ExchangeRevised:
    return ExchangeRevised(
        session=first.session, scope=first.scope, exchange=id, memory=first.memory, answer=answer, tools=tools
    )


def verdicts(
    occasions: Mapping[MemoryId, EventId],
    had_a_part: Collection[MemoryId],
    outcome: Outcome | None,
    named: Mapping[MemoryId, Outcome],
) -> tuple[MemoryVerdict, ...]:
    """Which memories a verdict moves: those it names, else those of the exchange.

    `occasions` maps what can be credited to where it was used: the memory born from the exchange to the exchange, what
    was shown in it to the injection. Without names, those that `had_a_part` get the outcome, and nothing is said of
    the others. Raises `NotFound` for a named memory without an occasion.
    """
    if not named:
        if outcome is None:
            raise Refused("a verdict needs an outcome, or named memories with one each")
        named = {memory: outcome for memory in occasions if memory in had_a_part}
    for memory in named:
        if memory not in occasions:
            raise NotFound(
                "memory of this exchange",
                memory,
                hint="a memory is scored where it was shown or born: `aftermind why MEMORY` lists where that was",
            )
    return tuple(MemoryVerdict(memory=m, outcome=o, occasion=occasions[m]) for m, o in named.items())
