"""Who holds the store: the lock, the socket, and the process that answers there.

Guarantee: nobody is signalled, nothing is started, and the lock is looked at in a way that takes it from nobody.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

import anyio
import msgspec
from msgspec import Struct

from aftermind.cli.examining.finding import Finding, Values, fault, note, ok, warning
from aftermind.cli.language.process import Holder as Role
from aftermind.cli.language.process import State
from aftermind.cli.language.requests import Report
from aftermind.cli.language.wire import (
    ADDRESS,
    RUN,
    SOCKET,
    Answered,
    Call,
    Silent,
    Unreachable,
    Welcome,
    error_of,
    is_older,
)
from aftermind.cli.reaching.joining import WELCOMED, Connection, connected
from aftermind.cli.terminal.tables import counted
from aftermind.engine.stamp import Stamp
from aftermind.engine.store.lock import LOCK, MISSED, Holder, beaten, holder, is_held, kernel

RESTART = "`aftermind restart`"
COMING = 2.0
"""Seconds a holder has to begin, or to cease, to listen."""
_POLL = 0.1


class Answering(Struct, frozen=True, kw_only=True):
    """The process that answers at the store's socket, and its report if it gave one."""

    welcome: Welcome
    state: State | None


def lock_found(folder: Path) -> Finding:
    """Who holds the lock, whether it lives, what it is, and when it last showed that."""
    try:
        facts = (folder / LOCK).stat()
    except FileNotFoundError:
        return ok("lock", "nobody has taken it yet", {"held": False})
    if not stat.S_ISREG(facts.st_mode):
        return fault("lock", f"{folder / LOCK} is not a file", mend="move it away")
    written, held = holder(folder), is_held(folder)
    ago = max(Stamp().now().timestamp() - beaten(folder), 0.0)
    values: Values = {
        "held": held,
        "pid": written.pid or None,
        "role": written.role or None,
        "program": written.program or None,
        "beat_seconds_ago": round(ago, 1),
    }
    if not held:
        return _free(written, ago, values)
    who = f"{written}, a {written.role}, holds it" if written.pid else f"{written} holds it"
    if how := _stopped(written):
        return fault("lock", f"{who} and is stopped {how}", values, mend=_mend(written))
    if ago >= MISSED:
        return warning("lock", f"{who} and has shown no life for {ago:,.0f} s", values, mend=_mend(written))
    return ok("lock", f"{who} and showed life {ago:.0f} s ago", values)


def _free(written: Holder, ago: float, values: Values) -> Finding:
    if not written.pid:
        return ok("lock", "it is free", values)
    if written.kernel != kernel() and ago < MISSED:
        found = f"{written} on another machine or in a virtual one holds the store, out of reach from here"
        return warning("lock", found, values, mend="end that process there")
    return note("lock", f"it is free; {written}, who held it last, was killed", values)


def _mend(written: Holder) -> str:
    if written.role == "daemon":
        return RESTART
    return f"let it go on (`kill -CONT {written.pid}`), or end it" if written.pid else "wait until it is done"


def _stopped(written: Holder) -> str:
    """How a process was stopped, if it was, where the system tells (Linux)."""
    if not written.pid or written.kernel != kernel():
        return ""
    try:
        facts = Path(f"/proc/{written.pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return {"T": "by a signal", "t": "by a debugger"}.get(facts.rpartition(")")[2].split()[0], "")


async def socket_found(folder: Path) -> tuple[Finding, Answering | None]:
    """Whether somebody listens and says welcome in time, and what it reports of itself."""
    began = anyio.current_time()
    while True:
        try:
            with anyio.fail_after(WELCOMED + 1):
                connection = await connected(folder, WELCOMED)
        except Unreachable as error:
            if not is_held(folder) or anyio.current_time() - began >= COMING:
                return _unreachable(folder, error), None
            await anyio.sleep(_POLL)
        except (Silent, TimeoutError) as error:
            return _hung(folder, error.pid if isinstance(error, Silent) else 0), None
        else:
            try:
                return await _answering(connection, anyio.current_time() - began)
            finally:
                connection.close()


def _hung(folder: Path, pid: int) -> Finding:
    written = holder(folder)
    pid = pid or written.pid
    found = f"process {pid} listens and has said nothing for {WELCOMED:g} s: it hangs, or is stopped"
    return fault("socket", found, {"listening": True, "answering": False, "pid": pid or None}, mend=_mend(written))


def _unreachable(folder: Path, error: Unreachable) -> Finding:
    """Nobody was reached: because nobody is there, or although somebody should be."""
    left = [path for path in (folder / RUN / SOCKET, folder / RUN / ADDRESS) if os.path.lexists(path)]
    values: Values = {"listening": False, "answering": False, "left": [path.name for path in left]}
    if left and hasattr(os, "geteuid") and (uid := left[0].lstat().st_uid) != os.geteuid():
        return fault("socket", f"{left[0]} is another user's ({uid})", values, mend=f"remove {left[0]}")
    if is_held(folder):
        written = holder(folder)
        found = f"{written} holds the store and cannot be reached ({error.why})"
        return warning("socket", found, values, mend=_mend(written))
    if left and error.__cause__ is None:  # it was no refused connection
        found = f"somebody listens who does not hold the store ({error.why})"
        return fault("socket", found, values, mend=f"remove {left[0]}")
    if left:
        found = f"nobody listens; {RUN}/{left[0].name} was left by a process that was killed, and is in nobody's way"
        return note("socket", found, values)
    return ok("socket", "nobody listens; the first request starts a daemon", values)


async def _answering(connection: Connection, seconds: float) -> tuple[Finding, Answering]:
    welcome = connection.welcome
    values: Values = {
        "listening": True,
        "answering": True,
        "welcome_ms": round(seconds * 1000, 1),
        "pid": welcome.pid,
        "holder": welcome.holder,
        "version": welcome.aftermind,
        "wire": welcome.wire,
    }
    who = f"process {welcome.pid} ({welcome.holder}) said welcome after {seconds * 1000:.0f} ms"
    state, why = await _report(connection)
    answering = Answering(welcome=welcome, state=state)
    if state is None:
        found = f"{who}, and does not tell how it is ({why})"
        return warning("socket", found, values, mend="`aftermind logs`, then `aftermind restart`"), answering
    values = {**values, "phase": state.phase, "answered": state.answered, "failed": state.failed}
    found = f"{who}; {state.phase}, {counted(state.answered, 'request')} answered, {state.failed:,} refused or failed"
    return (ok if state.phase == "open" else note)("socket", found, values), answering


async def _report(connection: Connection) -> tuple[State | None, str]:
    """How it is, or why it does not say."""
    try:
        with anyio.fail_after(WELCOMED):
            reply = await connection.ask(Call(key=Stamp().new_id(), request=Report()))
        if isinstance(reply, Answered):
            return msgspec.json.decode(reply.answer, type=State), ""
    except TimeoutError:
        return None, f"nothing came for {WELCOMED:g} s"
    except (Unreachable, msgspec.DecodeError) as error:
        return None, str(error)
    return None, str(error_of(reply))


def version_found(theirs: str, ours: str, role: Role) -> Finding:
    """The version of the process that answers against this program's."""
    values = {"answering": theirs, "program": ours}
    if theirs == ours:
        return ok("version", f"{ours}, here and in the process that answers", values)
    found = f"the process that answers is aftermind {theirs}, this program {ours}"
    if is_older(theirs, ours):
        mend = RESTART if role == "daemon" else "end that program, and start it with the newer version"
        return warning("version", found, values, mend=mend)
    return warning("version", f"{found}, an older one", values, mend="upgrade this program, or use the newer one")
