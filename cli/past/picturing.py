"""A briefing as a picture for the terminal: what was shown and why, how it did, what was left out and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from aftermind.cli.language.answers import Judgement
from aftermind.cli.language.stopping import who
from aftermind.cli.past.injections import Again, Left, Line, Shown
from aftermind.cli.terminal.tables import counted, excerpt, when
from aftermind.cli.terminal.tree import Branch
from aftermind.engine.names import MemoryId


def picture(found: Shown, most: int, verdict: Callable[[Judgement], Branch]) -> tuple[Branch, ...]:
    """With at most so many of those that were left out."""
    return tuple(_branches(found, most, verdict))


def _branches(found: Shown, most: int, verdict: Callable[[Judgement], Branch]) -> Iterator[Branch]:
    ids = [f"briefing {found.injection}" if found.injection else "no briefing"]
    ids += [f"prompt {found.prompt}"] if found.prompt else []
    yield Branch(f"{', '.join(ids)}; position {found.position}, session {found.session}, scope {found.scope}")
    if found.lines:
        tokens = f", {counted(found.tokens, 'token')}"
        otherwise = _scored_otherwise(found)
        shown = tuple(_line(line, otherwise.get(line.memory, "")) for line in found.lines)
        yield Branch(f"shown (recorded{tokens})", shown)
    else:
        yield Branch("nothing was shown (recorded)")
    if found.again is not None:
        yield from _again(found, found.again, most)
    elif found.why_not_again:
        yield Branch(f"what was left out is not told: {found.why_not_again}")
    if found.exchange is None:
        yield Branch("no exchange says that it was for it")
    else:
        none = (Branch("nobody has judged it"),)
        yield Branch(f"exchange {found.exchange} (recorded)", tuple(map(verdict, found.verdicts)) or none)


def _scored_otherwise(found: Shown) -> dict[MemoryId, str]:
    """What a memory scores where it is asked again, as what was left out is: by a model that was not loaded then, say.
    The one score says nothing beside the other."""
    if found.again is None or not found.again.as_shown:
        return {}
    then = {line.memory: f"{line.score:.2f}" for line in found.lines}
    now = {line.memory: f"{line.score:.2f}" for line in found.again.lines}
    return {memory: f" (asked again {score})" for memory, score in now.items() if score != then.get(memory)}


def _again(found: Shown, again: Again, most: int) -> Iterator[Branch]:
    how = f"recomputed as of position {again.position}, {when(again.time)}, by the policy of now"
    if again.why_words:
        how += f"; words alone: {again.why_words}"
    if not again.as_shown:
        kept = {line.memory for line in found.lines}
        yield Branch(
            f"asked again it would be otherwise ({how})",
            tuple(_line(line, "" if line.memory in kept else " (not shown then)") for line in again.lines)
            or (Branch("nothing would be shown"),),
        )
    left = tuple(map(_left, again.left_out[:most]))
    if (more := len(again.left_out) - len(left)) > 0:
        left = (*left, Branch(f"{more:,} more; --limit {len(again.left_out)} tells all"))
    if again.elsewhere:
        left = (*left, Branch(f"{counted(again.elsewhere, 'memory', 'memories')} of other projects, not seen here"))
    yield Branch(f"left out ({how})", left or (Branch("nothing: no other memory says or means any of it"),))


def _line(line: Line, mark: str = "") -> Branch:
    text = excerpt(line.text, line.answer, line.source) if line.text else "forgotten by now"
    below = [Branch(reason) for reason in line.reasons]
    if line.outcome is not None:
        below.append(Branch(f"then it {_did(line.outcome)}, by {who(line.judge)}"))
    return Branch(f"{line.rank}. {line.memory}  {line.score:.2f}{mark}  {text}", tuple(below))


def _did(outcome: str) -> str:
    told = {"worked": "worked", "partial": "worked in part", "failed": "failed"}
    return told.get(outcome, "did nobody knows how")


def _left(one: Left) -> Branch:
    text = excerpt(one.text, one.answer, one.source) if one.text else "forgotten by now"
    return Branch(f"{one.memory}  {one.score:.2f}  {one.why}: {text}")
