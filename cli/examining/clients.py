"""The assistants `init` set up: whether their files still say what they have to, and whether what they start works.

Each command is taken out of the client's own file and really run, with the event `check`, which the daemon answers and
records nowhere; the MCP server is greeted as a client greets it. Where no daemon runs, the commands start one, as they
do for the client.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import msgspec
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from aftermind import __version__
from aftermind.cli.clients.catalog import ALL
from aftermind.cli.clients.client import Client
from aftermind.cli.clients.switches import switched_off, value_at
from aftermind.cli.editing import jsonc, toml
from aftermind.cli.editing.files import NotEdited, seen, text_of
from aftermind.cli.editing.ledger import Changed, LedgerUnreadable, changed
from aftermind.cli.editing.text import Json, NotParsed
from aftermind.cli.editing.wanted import Element, Entry, Taken, put_in, runs
from aftermind.cli.examining.finding import Finding, Surviving, fault, note, ok, warning
from aftermind.cli.terminal.tables import counted

PATIENCE = 15.0
"""Seconds a command may take; a first one starts the daemon."""
STARTED = 10
"""Seconds a hook waits for the daemon it starts, on a busy machine; in a turn it would have let go long before."""
_LONGEST = 4 * 1024 * 1024
_GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "aftermind-doctor", "version": __version__},
    },
}


class _Answer(msgspec.Struct):
    result: dict[str, Any] | None = None
    error: Any = None


async def clients_found(folder: Path, findings: list[Finding]) -> None:
    """One finding an assistant that was set up for this store."""
    try:
        every = changed(folder)
    except LedgerUnreadable as error:
        findings.append(fault("clients", str(error), mend=error.hint))
        return
    for client in ALL:
        ours = [one for one in every if one.client == client.name]
        if ours:
            with Surviving(findings, client.name):
                findings.append(await _client_found(client, ours))


async def _client_found(client: Client, ours: Sequence[Changed]) -> Finding:
    mend = f"`aftermind init --{client.name}` puts it right"
    values: dict[str, str | list[str]] = {"files": [one.path for one in ours]}
    texts: list[tuple[Changed, str]] = []
    for one in ours:
        try:
            there = seen(Path(one.path))
            text = text_of(there)
            stands = there.content is not None and put_in(text, one.form, one.wants) == text
        except (NotEdited, NotParsed) as error:
            return fault(
                client.name, f"{one.path} cannot be read: {error}", values, mend="mend it; then `aftermind init`"
            )
        except Taken as error:
            found = f"{'.'.join(error.keys)} in {one.path} is an entry of your own: it runs {error.program}"
            return warning(client.name, found, values, mend=f"give it another name; then {mend}")
        if not stands:
            return warning(client.name, f"{one.path} does not say (all of) what init put there", values, mend=mend)
        if off := switched_off(client, one.form, text):
            found = f"{one.path} switches it off ({off})"
            return warning(client.name, found, values, mend="take that out, if it is not meant so")
        texts.append((one, text))
    took: list[str] = []
    for words, is_server in commands(client, texts):
        try:
            with anyio.fail_after(PATIENCE):
                why = await (_greeted(words) if is_server else _checked(words))
        except TimeoutError:
            why = f"said nothing for {PATIENCE:.0f} seconds"
        except OSError as error:
            why = f"cannot be run: {error.strerror or error}"
        what = "the MCP server" if is_server else "the hook"
        if why:
            return fault(client.name, f"{what} {why}: {shlex.join(words)}", values, mend=mend)
        took.append(what)
    if not took:
        return note(client.name, f"{counted(len(ours), 'file')} of {client.title} in order", values)
    found = f"{client.title}: {counted(len(ours), 'file')} in order; {' and '.join(took)} answered"
    return ok(client.name, found, values)


def commands(client: Client, texts: Sequence[tuple[Changed, str]]) -> Iterator[tuple[list[str], bool]]:
    """What the files of a client start, each command once, and whether it is the MCP server. Hooks of all moments are
    one command; its event becomes `check`."""
    told: list[tuple[list[str], bool]] = []
    for one, text in texts:
        for want in one.wants:
            match want:
                case Entry(at=keys):
                    there = value_at(toml.parsed(text) if one.form == "toml" else jsonc.parsed(text), keys)
                    told.append((_words(there), True))
                case Element(of=of, mark=mark):
                    lines = [shlex.split(line) for line in runs(text, of, re.escape(mark))]
                    told += [
                        ([*words[: words.index(client.name) + 1], "check", str(STARTED)], False)
                        for words in lines
                        if client.name in words
                    ]
    for at, one_command in enumerate(told):
        if one_command[0] and one_command not in told[:at]:
            yield one_command


def _words(entry: Json) -> list[str]:
    """The words of an MCP server, as one list or as a command and its arguments."""
    if not isinstance(entry, Mapping):
        return []
    command, rest = entry.get("command"), entry.get("args", [])
    first = [command] if isinstance(command, str) else command
    return [str(word) for part in (first, rest) if isinstance(part, list) for word in part]


async def _checked(words: list[str]) -> str:
    """What is wrong with a hook; empty when it was answered."""
    ran = await anyio.run_process(words, stdin=subprocess.DEVNULL, check=False)
    if ran.returncode:
        return f"ended with {ran.returncode}"
    return "" if ran.stdout.startswith(b"aftermind ") else "got no answer from the daemon"


async def _greeted(words: list[str]) -> str:
    """What is wrong with an MCP server; empty when it greeted back."""
    process = await anyio.open_process(words, stderr=subprocess.DEVNULL)
    try:
        return await _greeting(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.aclose()


async def _greeting(process: Process) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        await process.stdin.send(msgspec.json.encode(_GREETING) + b"\n")
        line = await BufferedByteReceiveStream(process.stdout).receive_until(b"\n", _LONGEST)
    except (anyio.BrokenResourceError, anyio.EndOfStream, anyio.IncompleteRead):
        return f"ended with {await process.wait()} before it answered"
    try:
        answer = msgspec.json.decode(line, type=_Answer)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "answered what is no JSON"
    return "" if answer.result is not None else f"refused: {answer.error}"
