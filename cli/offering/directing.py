"""directive: the standing rules, as a model states, lists and takes them back."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from aftermind.cli.language.projects import Directive, Directives, DropDirective
from aftermind.cli.language.requests import Remember
from aftermind.cli.offering.shown import FULL, data
from aftermind.cli.offering.tool import Tool
from aftermind.cli.offering.window import Window
from aftermind.engine.errors import Unusable
from aftermind.engine.memories.directives import Condition, tags_of
from aftermind.engine.names import EventId
from aftermind.projections.recalling.shown.wording import quoted, shortened

Words = Annotated[tuple[str, ...], Meta(max_length=8)]


class Asked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    action: Literal["add", "list", "remove"]
    text: Annotated[str, Meta(description="add: the rule. list: a prompt or command, for those that apply to it")] = ""
    id: Annotated[str, Meta(description="remove: which")] = ""
    on: Annotated[Words, Meta(description="add: acts it applies to (push, commit); none: always")] = ()
    paths: Annotated[Words, Meta(description="add: folders or files it applies in")] = ()
    about: Annotated[Words, Meta(description="add: things it is about")] = ()
    everywhere: bool = False


class Rule(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    text: str
    when: str = ""
    notes: Annotated[tuple[str, ...], Meta(description="its scope; which others it is against")] = ()


class Rules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    rules: tuple[Rule, ...]
    removed: str = ""


async def direct(window: Window, key: EventId, asked: Asked) -> Rules:
    match asked.action:
        case "add":
            return await _added(window, key, asked)
        case "list":
            return Rules(rules=await _rules(window, asked.text))
        case "remove":
            if not asked.id.strip():
                raise Unusable("remove needs the id of a rule", asked.id, hint="action list shows them")
            await window.ask(DropDirective(id=asked.id.strip(), within=window.directory), key)
            return Rules(rules=(), removed=asked.id.strip())


async def _added(window: Window, key: EventId, asked: Asked) -> Rules:
    id = await window.ask(
        Remember(
            text=asked.text,
            kind="directive",
            project=None if asked.everywhere else window.directory,
            tags=tags_of(Condition(asked.on, asked.paths, asked.about)),
            asked_by="assistant",
            within=window.directory,
        ),
        key,
    )
    return Rules(rules=tuple(rule for rule in await _rules(window, "") if rule.id == id))


async def _rules(window: Window, at: str) -> tuple[Rule, ...]:
    found = await window.ask(Directives(project=window.directory, at=at, within=window.directory))
    return tuple(map(_rule, found))


def _rule(one: Directive) -> Rule:
    when = quoted(Condition(one.on, one.within, one.about).told)
    notes = tuple(note for note in map(quoted, one.notes) if note != when)
    return Rule(id=one.id, text=shortened(data(one.text), FULL), when=when, notes=notes)


DIRECTIVE = Tool(
    name="directive",
    title="Standing rules",
    about="The user's standing rules: add one when the user states how things are always to be done here, list those "
    "that apply, remove one the user takes back. What is said now goes before them.",
    takes=Asked,
    gives=Rules,
    does=direct,
)
