"""What is told of a forgetting, before and after: for people in sentences, for programs as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from msgspec import structs

from aftermind.cli.erasing.copies import ELSEWHERE
from aftermind.cli.erasing.files import is_spooled
from aftermind.cli.language.erasing import Begun, Doomed, Erasing, Erasure, One, still_locked
from aftermind.cli.terminal.progress import bar
from aftermind.cli.terminal.tables import are, counted, note, one_line, say, show_json
from aftermind.engine.backups.restoring import ASIDE

if TYPE_CHECKING:
    from aftermind.cli.open_memory import OpenMemory

LOOK = 0.5
"""Seconds between two looks at how far it is."""
WAITS = 20
"""Looks at which it waited for the same: then it is told, and goes on by itself."""
FEW = 5
"""Words, and memories, that are named of many."""
_STEPS = {
    "log": "Emptying the log",
    "files": "Looking through the spool",
    "index": "Merging the index",
    "vectors": "Emptying vectors",
    "backups": "Rewriting backups",
    "looking": "Reading every file",
}


async def seen_through(memory: OpenMemory, run: int | None, *, hidden: bool) -> Erasure:
    """How it is when a run has ended, or cannot for a while. Without one, one is begun."""
    now = await memory.ask(Erasing(run=run or 0, complete=run is None))
    goal, waited, why = (run if run is not None else now.runs + 1), 0, ""
    with bar("Erasing", len(_STEPS), hidden=hidden) as done:
        shown = 0
        while now.runs < goal and waited < WAITS:
            now = await memory.ask(Erasing(run=goal, seconds=LOOK))
            if now.step == "waits":  # where it tries again meanwhile, it goes on to wait, unless for something else
                waited, why = (waited + 1 if now.why == why else 1), now.why
            place = list(_STEPS).index(now.step) if now.step in _STEPS else shown
            done(max(0, place - shown))
            shown = max(shown, place)
    return now


def foretold(seen: Doomed) -> Iterator[tuple[str, str]]:
    """What would go, in lines: our words, and those of the memory that end it."""
    for one in seen.first:
        with_it = f"  with {one.because}: " if one.because is not None else ""
        place = f"({one.project}) " if one.project else ""
        yield f"{with_it}{one.id}  {place}", f"{one_line(one.text)}{'  (locked)' if one.locked else ''}"
    if seen.memories > len(seen.first):
        yield f"… and {seen.memories - len(seen.first):,} more", ""
    if seen.locked:
        yield f"{still_locked(seen.locked)}; --even-locked takes what is locked, too.", ""
    requests = f"; and {counted(seen.spooled, 'spooled request')} that nothing was made of" if seen.spooled else ""
    derived = f", {seen.derived:,} of them along with what was named" if seen.derived else ""
    besides = f"; and {counted(seen.events, 'event')} besides their own" if seen.events else ""
    yield f"{counted(seen.memories, 'memory', 'memories')}{derived}{besides}{requests}.", ""
    yield from so_again(seen.again)


def so_again(again: Sequence[One]) -> Iterator[tuple[str, str]]:
    """What had been replaced by what goes, and is so again: nobody asked for that."""
    for one in again[:FEW]:
        yield f"{one.id} is so again, which it had taken the place of: ", one_line(one.text)
    if len(again) > FEW:
        yield f"… and {len(again) - FEW:,} more {are(len(again) - FEW)}.", ""


def told(begun: Begun, done: Erasure, *, as_json: bool) -> int:
    """What went, and what was touched; the exit code."""
    if as_json:
        again = [one.id for one in begun.again]
        show_json({"forgotten": list(begun.memories), "besides": begun.events, "again": again, **_facts(done)})
        return _status(done)
    gone = counted(len(begun.memories), "memory", "memories")
    if len(begun.memories) <= 5 and begun.memories:
        gone = ", ".join(begun.memories)
    besides = f" and the words of {counted(begun.events, 'event')}" if begun.events else ""
    if not done.remaining:
        say(f"Forgot {gone}{besides}: no answer shows {'it' if len(begun.memories) == 1 else 'them'} any more.")
        for ours, theirs in so_again(begun.again):
            say(ours, theirs)
    return completed(done, as_json=False)


def completed(done: Erasure, *, as_json: bool) -> int:
    if as_json:
        show_json(_facts(done))
        return _status(done)
    if done.step == "waits":
        say(f"{_not_yet(done)}: {done.why}. That goes on by itself.")
        note("  → `aftermind forget --complete` waits for it")
    else:
        for line in _touched(done):
            say(line)
    return _status(done)


def _not_yet(done: Erasure) -> str:
    if done.remaining:
        many = counted(done.remaining, "memory", "memories")
        return f"{many} that should be forgotten {'is' if done.remaining == 1 else 'are'} still in answers"
    return "Its bytes are not out of every file yet"


def _status(done: Erasure) -> int:
    return 0 if done.step in ("done", "none") and not _leaks(done) else 5


def _leaks(done: Erasure) -> list[str]:
    return [left.word for left in done.left if not left.events] + [
        one.folder for one in done.backups if one.why and not one.aside
    ]


def _touched(done: Erasure) -> list[str]:
    lines = []
    extra = [f"{counted(done.events, 'event')} emptied", f"{counted(done.vectors, 'vector')} zeroed"]
    if done.spooled:
        extra.append(f"{counted(done.spooled, 'spooled request')} taken away")
    lines.append(f"{', '.join(extra)}; rewritten: {', '.join(done.files) or 'nothing'}.")
    for one in done.backups:
        if one.aside:
            if one.why:
                lines.append(f"Warning: the log that was set aside in {one.folder} may still hold it: {one.why}.")
            elif one.events:
                lines.append(f"The log that was set aside in {one.folder}: {counted(one.events, 'event')} emptied.")
        elif one.why:
            for_good = f" If that is for good: `aftermind backup {quote(one.folder)} --gone`."
            gone = "" if one.folder == ELSEWHERE or Path(one.folder).exists() else for_good
            lines.append(f"The backups in {one.folder} may still hold it: {one.why}.{gone}")
        else:
            lines.append(f"Backups in {one.folder}: {counted(one.events, 'event')} emptied.")
    said: dict[str, list[str]] = {}
    for left in done.left:
        where = ", ".join(left.files)
        if not left.events:
            folders = dict.fromkeys(name.split("/")[0] for name in left.files)
            aside = [folder for folder in folders if ASIDE.fullmatch(folder)]
            if all(is_spooled(Path(name)) for name in left.files):
                advice = f"`aftermind forget --pattern '(?i){left.word}'` takes what says it away"
                lines.append(f"“{left.word}” is still said by a spooled request in {where}: {advice}.")
                continue
            advice = "`aftermind rebuild`" if len(aside) < len(folders) else f"remove {', '.join(aside)} in the store"
            lines.append(f"“{left.word}” should not be in {where}, and is: {advice}, then `forget --complete`.")
        else:
            who = ", ".join(left.memories) or f"{counted(left.events, 'event')} besides memories"
            said.setdefault(who, []).append(left.word)
    for who, words in said.items():
        more = f" and {counted(len(words) - FEW, 'more word')}" if len(words) > FEW else ""
        told = ", ".join(f"“{word}”" for word in words[:FEW])
        lines.append(f"{told}{more} {'is' if len(words) == 1 else 'are'} still said by {who}.")
    if done.looked:
        clean = "" if done.left else ", and nothing is left of it but what others say as well"
        lines.append(f"{done.looked / 1e6:,.1f} MB of files were read for it{clean}.")
    return lines


def _facts(done: Erasure) -> dict[str, Any]:
    return {**structs.asdict(done), "clean": not done.left}
