"""What recall by meaning goes by: is the configured model there and in use, how far are its vectors, does it hang."""

from __future__ import annotations

from pathlib import Path

import anyio
import msgspec

from aftermind.cli.examining.finding import Finding, Values, fault, note, ok, warning
from aftermind.cli.examining.folder import megabytes
from aftermind.cli.language.process import Modelled
from aftermind.cli.language.requests import Embed
from aftermind.cli.language.wire import Answered, Call, Silent, Unreachable
from aftermind.cli.reaching.joining import WELCOMED, connected
from aftermind.cli.settings import Misconfigured, configuration
from aftermind.cli.terminal.tables import are, counted
from aftermind.engine.stamp import Stamp
from aftermind.projections.meaning import kept
from aftermind.projections.meaning.embedding import checked
from aftermind.projections.meaning.model_files import DOWNLOADS, LISTED, NONE, STATIC, NoModel

OTHER = "`aftermind model use static`, or another of `aftermind model list`"
SHIPPED = "`aftermind model use static` takes the one that ships with the program"


async def model_found(folder: Path | None, *, answers: bool) -> Finding:
    """Of the store in that folder, if there is one; who holds it and `answers` is asked, and loads nothing for that."""
    try:
        name = configuration().model.name
    except Misconfigured:
        return note("model", "which is wanted cannot be known while the configuration cannot be read")
    values: dict[str, str | int | None] = {"configured": name}
    if name == NONE:
        return ok("model", "none is wanted: memories are recalled by their words", values)
    state = await _state(folder) if folder is not None and answers else None
    try:
        checked(name, Path() if folder is None else folder / DOWNLOADS)
    except NoModel as error:
        mend = "`aftermind model use none`, if it cannot be had"
        if name != STATIC:
            mend = SHIPPED if LISTED in error.hint else OTHER
        found = f"{error}: memories are recalled by their words"
        if state is not None and state.used == name:
            found += " from the next start of the daemon on, which still has it"
        elif state is not None and state.used:
            found = f"{error}; {state.used} is in use meanwhile"
        return warning("model", found, values, mend=f"{error.hint}; {mend}")
    sizes = {} if folder is None else kept.kept(folder)
    values |= {"vector_files": len(sizes), "vector_bytes": sum(sizes.values())}
    if state is None:
        found = f"{name} is there; no daemon has it in use" + _told(sizes)
        return ok("model", found, values)
    values |= {"used": state.used, "phase": state.phase, "vectors": state.vectors, "empty": state.empty}
    values |= {"behind": _behind(state)}
    return _running(state, values, _told(sizes))


def _running(state: Modelled, values: Values, sizes: str) -> Finding:
    by = f"{state.used} is in use meanwhile" if state.used else "memories are recalled by their words meanwhile"
    match state.phase:
        case "hung":
            return fault("model", f"{state.why}; {by}", values, mend="`aftermind restart` loads it anew")
        case "failed":
            mend = "mend that (it is tried again every minute), or " + OTHER
            return warning("model", f"{state.why}; {by}", values, mend=mend)
        case "level" if state.empty:
            empty = f"{state.empty:,} {are(state.empty)} empty"
            found = f"{state.used} is in use; of {counted(state.vectors, 'vector')} {empty}{sizes}"
            return note("model", found, values, "it could not take these texts: they are found by their words alone")
        case "level":
            found = f"{state.used} is in use, and every memory has its vectors ({state.vectors:,}{sizes})"
            return ok("model", found, values)
        case "none":
            return ok("model", "none is wanted: memories are recalled by their words", values)
        case _:
            found = f"{state.why or state.name}; {counted(_behind(state), 'event')} to go; {by}"
            return note("model", found, values, "`aftermind model status` tells how far it is")


def _behind(state: Modelled) -> int:
    return max(state.head - state.followed, 0)


def _told(sizes: dict[str, int]) -> str:
    if not sizes:
        return ""
    return f"; {counted(len(sizes), 'file')} of vectors, {megabytes(sum(sizes.values()))}"


async def _state(folder: Path) -> Modelled | None:
    """What the process that holds the store says of it; None when there is none, or it does not say."""
    try:
        with anyio.fail_after(WELCOMED):
            connection = await connected(folder, WELCOMED)
            try:
                reply = await connection.ask(Call(key=Stamp().new_id(), request=Embed()))
            finally:
                connection.close()
    except (Unreachable, Silent, TimeoutError):
        return None
    return msgspec.json.decode(reply.answer, type=Modelled) if isinstance(reply, Answered) else None
