"""A session as a page for people: what it was for, where it stands, what was asked. Pure.

Whatever stands in it is a line of its own section: nothing in a text can be taken for a heading, a fence or the page's
head.
"""

from __future__ import annotations

import re
from datetime import datetime

import msgspec

from aftermind.cli.carrying.pages.naming import name_of, slug
from aftermind.cli.language.sessions import Told, Turn
from aftermind.cli.terminal.tables import visible
from aftermind.engine.names import GLOBAL
from aftermind.projections.recalling.shown.wording import inert, shortened

LONGEST_ANSWER = 600
_MARKS = re.compile(r"^(\s*)([#>+*`~=|-]|\d+[.)])")
_LINE_BREAKS = re.compile(r"\r\n?|[\n\v\f\x1c-\x1e\x85\u2028\u2029]")


def page_name(told: Told) -> str:
    """By its day, its goal and its id: another for every session, whatever any of these say."""
    own = told.session
    return f"{own.started:%Y-%m-%d}-{name_of(own.goal, own.id)}"


def folder_of(told: Told) -> str:
    """The words of a project's name, and enough of its id that no two projects meet in one."""
    own = told.session
    if own.scope == GLOBAL:
        return "global"
    return "-".join(part for part in (slug(own.project), slug(own.scope)[:9]) if part) or "unknown"


def session_told(told: Told) -> str:
    """Markdown: facts in front, then the sections that say anything."""
    own, work = told.session, told.work
    facts: dict[str, object] = {
        "session": own.id,
        "project": own.project,
        "scope": own.scope,
        "client": own.client,
        "directory": own.directory,
        "started": _time(own.started),
        "last": _time(own.last),
        "ended": "" if own.ended is None else f"{_time(own.ended)} ({own.reason})",
        "exchanges": own.exchanges,
        "checkpoints": own.checkpoints,
    }
    parts = [_front(facts)]
    open = (*work.pending, *((f"asked, and not answered: {told.open}",) if told.open else ()))
    changed = "Files changed, as git says" if told.by_git else "Files changed"
    for heading, items in (
        ("Goal", (own.goal,)),
        ("Open ends", open),
        ("Decisions", work.decisions),
        ("Work done", work.done),
        (changed, told.changed),
        ("Files read", told.looked),
        ("What was learned", tuple(f"{one.text} ({one.kind}, {one.id})" for one in told.learned)),
        ("In short", (work.summary,)),
        ("References", work.references),
    ):
        if lines := [f"- {_item(item)}" for item in items if item.strip()]:
            parts.append(f"## {heading}\n\n" + "\n".join(lines))
    if told.turns:
        parts.append("## What was asked")
        parts += [_turn(number, turn) for number, turn in enumerate(told.turns, 1)]
    if told.stands:
        lines = [f"- {_time(one.at)}: {_of(one.moment)}{f' ({one.by})' if one.by else ''}" for one in told.stands]
        parts.append("## Checkpoints\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _turn(number: int, turn: Turn) -> str:
    outcome = f", {turn.outcome}" if turn.outcome else ""
    lines = [f"{number}. {_time(turn.at)}{outcome}: {_item(turn.prompt) or '(no prompt)'}"]
    if turn.answer.strip():
        lines.append(f"   → {_item(shortened(turn.answer.strip(), LONGEST_ANSWER))}")
    return "\n".join(lines)


def _of(moment: str) -> str:
    return {"now": "said", "end": "at the end"}.get(moment, f"{moment} a compaction")


def _item(text: str) -> str:
    """A text as one item of a list: its further lines are indented, and none begins with a mark of Markdown's."""
    lines = [_plain(line) for line in _LINE_BREAKS.split(text.strip())]
    return "\n  ".join(line for line in lines if line)


def _plain(line: str) -> str:
    clean = inert(line.expandtabs(4)).strip()
    return _MARKS.sub(lambda mark: f"{mark[1]}\\{mark[2]}", clean).replace("<", "\\<")


def _front(facts: dict[str, object]) -> str:
    """YAML, each value in JSON, which is YAML, too; without what says nothing."""
    told = {name: value for name, value in facts.items() if value not in (None, "", 0)}
    lines = (f"{name}: {visible(msgspec.json.encode(value).decode())}\n" for name, value in told.items())
    return "---\n" + "".join(lines) + "---"


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S UTC")
