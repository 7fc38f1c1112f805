"""What `init` and `uninstall` do to an assistant's files: planned first, from what is there; then done, file by file.

Guarantee: a client of which one file cannot be edited is left alone as a whole. A file that somebody changed between
the look and the deed is looked at again. Whoever is killed leaves every file whole, and a ledger that undoes it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from aftermind.cli.clients.client import Client, File, Name, Setting
from aftermind.cli.clients.sharing import Claim, claim, is_in_use
from aftermind.cli.editing import ledger
from aftermind.cli.editing.files import (
    NotEdited,
    Seen,
    beside,
    digest_of,
    missing_folders,
    must_be_writable,
    remove,
    seen,
    text_of,
    write,
)
from aftermind.cli.editing.ledger import Changed
from aftermind.cli.editing.text import NotParsed
from aftermind.cli.editing.wanted import (
    Form,
    Section,
    Taken,
    Want,
    made,
    put_in,
    says_nothing,
    supplanted,
    taken_out,
    without_others,
)

State: TypeAlias = Literal[
    "create",
    "edit",
    "as it is",
    "restore",
    "restore without others",
    "remove entries",
    "remove found",
    "shared",
    "delete",
    "delete found",
    "gone",
]
_TRIES = 5


class Found(Struct, frozen=True, kw_only=True):
    """A file that holds something of ours, and that the ledger does not tell of: how it was before, nobody knows."""

    path: str
    form: Form
    wants: tuple[Want, ...]


class Step(Struct, frozen=True, kw_only=True):
    """One file: as it was seen, and what it is to be (None: no file)."""

    client: Name
    about: str
    state: State
    there: Seen
    content: bytes | None
    record: Changed | Found | None
    """Of `init`: what the ledger has to say before. Of `uninstall`: what it says, or that it says nothing."""
    original: bytes | None = None
    """Of `init`: what the backup has to hold."""
    instead: tuple[str, ...] = ()
    """Of `init`: commands of another store, whose places ours take."""

    @property
    def does_nothing(self) -> bool:
        return self.content == self.there.content


Stepping: TypeAlias = Callable[[State, bytes | None], Step]
"""What becomes of a file that was looked at, made a step."""


# --- init -----------------------------------------------------------------------------------------------------


def installation(client: Client, setting: Setting) -> list[Step]:
    """Every file of a client as it has to be; `NotEdited` for the first that cannot be."""
    return [_installed(client, file, setting) for file in client.files(setting)]


def install(step: Step, client: Client, setting: Setting) -> Step:
    """Does it, and says what was done: another step, where the file had changed meanwhile."""

    def again() -> Step:
        return _installed(client, next(file for file in client.files(setting) if file.path == step.there.path), setting)

    def do(step: Step) -> None:
        if isinstance(step.record, Changed):
            ledger.note(setting.store, step.record, step.original)
        if step.content is not None and not step.does_nothing:
            write(step.there, step.content, setting.store, mode=0o600 if setting.project is None else 0o666)

    return _settled(step, setting, again, do)


def _settled(step: Step, setting: Setting, again: Callable[[], Step], do: Callable[[Step], None]) -> Step:
    """Done as long as the file is as it was looked at; else it is looked at again."""
    for _ in range(_TRIES):
        beside(step.there.target, setting.store).unlink(missing_ok=True)
        if seen(step.there.path).digest == step.there.digest:
            do(step)
            return step
        step = again()
    raise NotEdited(step.there.path, "somebody else keeps changing it", hint="close that program and try again")


def _installed(client: Client, file: File, setting: Setting) -> Step:
    there = seen(file.path)
    _must_not_lead_out(there, setting)
    text = text_of(there)
    try:
        new = put_in(text, file.form, file.wants)
        instead = supplanted(text, file.form, file.wants)
        record, original = _recorded(client, file, setting, there, text, new)
    except NotParsed as error:
        raise _unparsed(file.path, error) from error
    except Taken as error:
        why = f"{'.'.join(error.keys)} is an entry of your own: it runs {error.program}, and not this program"
        hint = "give that entry another name or take it out, and run the command again; nothing was changed here"
        raise NotEdited(file.path, why, hint=hint) from error
    content = new.encode()
    if there.content is None:
        state: State = "create"
    else:
        state = "as it is" if content == there.content else "edit"
    if state != "as it is":
        must_be_writable(there)
    return Step(
        client=client.name,
        about=file.about,
        state=state,
        there=there,
        content=content,
        record=record,
        original=original,
        instead=instead,
    )


def _recorded(
    client: Client, file: File, setting: Setting, there: Seen, text: str, new: str
) -> tuple[Changed | None, bytes | None]:
    """What the ledger says of the file from now on, None where it has nothing new to say; and the file as it was."""
    every = ledger.changed(setting.store)
    old = next((one for one in every if (one.client, one.path) == (client.name, str(file.path))), None)
    if old is None and (shared := _shared(client, setting, file.path, file.wants, text)) is not None:
        original = ledger.backup(shared.store, shared.said)
        if original is not None or shared.said.before is None:
            return _joined(client, file, shared.said, there, new), original
    if new == text and there.content is not None:
        return None, None
    fresh = Changed(
        client=client.name,
        path=str(file.path),
        form=file.form,
        wants=file.wants,
        before=there.digest,
        after=digest_of(new.encode()),
        made=made(text, file.form, file.wants),
        supplanted=tuple(line for line in supplanted(text, file.form, file.wants) if is_in_use(line, str(file.path))),
        folders=tuple(dict.fromkeys((*_made_above(every, there.target), *map(str, missing_folders(there.target))))),
    )
    if old is None or taken_out(text, file.form, old.wants, old.made) == text:
        return fresh, there.content
    together = structs.replace(
        old,
        wants=tuple({str(want): want for want in (*old.wants, *file.wants)}.values()),
        made=tuple(dict.fromkeys((*old.made, *fresh.made))),
    )
    # its own edit goes on from ours; anybody else's is not to be undone with it
    return structs.replace(together, after=fresh.after if there.digest == old.after else ""), there.content


def _joined(client: Client, file: File, theirs: Changed, there: Seen, new: str) -> Changed:
    """A rule that is another store's as well: whoever is the last to leave it knows how the file was before both."""
    return Changed(
        client=client.name,
        path=str(file.path),
        form=file.form,
        wants=file.wants,
        before=theirs.before,
        after=digest_of(new.encode()) if there.digest == theirs.after else "",
        folders=tuple(folder for folder in theirs.folders if Path(folder) in there.target.parents),
    )


def _shared(client: Client, setting: Setting, path: Path, wants: tuple[Want, ...], text: str) -> Claim | None:
    """Another store's word on the rule that stands in a file."""
    rules = tuple(want for want in wants if isinstance(want, Section))
    return claim(client, setting, str(path)) if rules and taken_out(text, "text", rules) != text else None


def _made_above(every: tuple[Changed, ...], target: Path) -> list[str]:
    """The folders it is in that were made for one of ours: the last one that leaves takes them along."""
    made = dict.fromkeys(folder for one in every for folder in one.folders)
    return sorted((folder for folder in made if Path(folder) in target.parents), key=len)


def _must_not_lead_out(there: Seen, setting: Setting) -> None:
    """A link in a project was put there by whoever wrote the project, and may point to anything of the user's."""
    project = setting.project
    if project is None or not there.path.is_relative_to(project):
        return
    if not there.target.is_relative_to(project.resolve()):
        raise NotEdited(there.path, f"it leads out of the project, to {there.target}", hint="take that link away")


# --- uninstall ------------------------------------------------------------------------------------------------


def removal(client: Client, setting: Setting) -> list[Step]:
    """Every file of a client's that holds something of ours: what the ledger tells, and what is found without it."""
    setting = structs.replace(setting, gate=True)  # what is not there is not missed
    known = [one for one in ledger.changed(setting.store) if one.client == client.name]
    steps = [_removed(client, setting, one) for one in known]
    told = {Path(one.path) for one in known}
    for file in client.files(setting):
        if file.path not in told and _may_hold_ours(file.path):
            step = _removed(client, setting, Found(path=str(file.path), form=file.form, wants=file.wants))
            if not step.does_nothing:
                steps.append(step)
    return steps


def _may_hold_ours(path: Path) -> bool:
    """A file nobody wrote down is looked into only where it speaks of us: what else is wrong with it is not our
    business."""
    with suppress(NotEdited):
        content = seen(path).content or b""
        return any(word in content for word in (b"aftermind", b"/bin/hook", b"\\bin\\\\hook"))
    return False


def uninstall(step: Step, client: Client, setting: Setting) -> Step:
    """Does it, and says what was done."""

    def again() -> Step:
        return step if step.record is None else _removed(client, setting, step.record)

    def do(step: Step) -> None:
        if step.content is None and step.there.content is not None:
            remove(step.there)
        elif step.content is not None and not step.does_nothing:
            write(step.there, step.content, setting.store)
        if isinstance(step.record, Changed):
            ledger.forget(setting.store, step.record)
            for folder in reversed(step.record.folders):
                with suppress(OSError):  # something else is in it by now
                    Path(folder).rmdir()

    return _settled(step, setting, again, do)


def _removed(client: Client, setting: Setting, one: Changed | Found) -> Step:
    there = seen(Path(one.path))
    about = next((file.about for file in client.files(setting) if str(file.path) == one.path), None)
    if about is None and setting.project is not None and not there.path.is_relative_to(setting.project):
        hint = f"see what {setting.store / ledger.LEDGER} says, and who wrote it"
        raise NotEdited(there.path, "it is no file of this project's assistants", hint=hint)
    _must_not_lead_out(there, setting)

    def step(state: State, content: bytes | None) -> Step:
        if content != there.content:
            must_be_writable(there)
        return Step(client=client.name, about=about or "", state=state, there=there, content=content, record=one)

    if there.content is None:
        return step("gone", None)
    if isinstance(one, Changed) and there.digest == one.before:
        return step("as it is", there.content)
    text = text_of(there)
    try:
        if _shared(client, setting, there.path, one.wants, text) is not None:
            return step("shared", there.content)
        if isinstance(one, Changed):
            return _undone(one, setting, there, text, step)
        new = taken_out(text, one.form, one.wants)
        if one.form == "text" and says_nothing(new, one.form) and not there.path.is_symlink():
            return step("delete found", None)
        return step("as it is" if new == text else "remove found", new.encode())
    except NotParsed as error:
        raise _unparsed(there.path, error) from error


def _undone(one: Changed, setting: Setting, there: Seen, text: str, step: Stepping) -> Step:
    """The file as the ledger knows it was, or, where it is not as we left it, without what is ours."""
    if there.digest == one.after:
        if one.before is None:
            return step("delete", None)
        if (original := ledger.backup(setting.store, one)) is not None:
            return _restored(original, one, step)
    new = taken_out(text, one.form, one.wants, one.made)
    if one.before is None and says_nothing(new, one.form):
        return step("delete", None)
    return step("as it is" if new == text else "remove entries", new.encode())


def _restored(original: bytes, one: Changed, step: Stepping) -> Step:
    """As it was; but entries of a store that has since left this file do not come back with it."""
    try:
        text = original.decode()
        gone = [line for line in one.supplanted if not is_in_use(line, one.path)]
        new = without_others(text, one.form, one.wants, gone)
    except (NotParsed, UnicodeDecodeError):
        return step("restore", original)
    return step("restore without others" if gone else "restore", new.encode())


def _unparsed(path: Path, error: NotParsed) -> NotEdited:
    return NotEdited(path, f"{error.why} (column {error.column})", line=error.line)
