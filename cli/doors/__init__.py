"""The thin doors: one file each, standard library alone. Copies of them lie in the store's `bin/`, so that what a
client's configuration names survives an upgrade or the removal of this package.

Beside them lies `hook`, the command a client runs: it knows the interpreter, and ends with 0 also where that is gone.
And `hook.pyc`, the same door compiled, because compiling takes longer than all that it does.
"""

from __future__ import annotations

import json
import marshal
import os
import sys
from contextlib import suppress
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from shlex import quote

BIN = "bin"
DOORS = ("hook.py", "pipe.py")
COMPILED = "hook.pyc"
HOOK = "hook"
SCRIPTS = (HOOK,) if os.name == "posix" else ()
PLUGIN = tuple(f"opencode{part}.js" for part in ("", "_daemon", "_dependencies", "_private", "_turns"))
"""OpenCode's plugin: what its configuration names, and what that imports."""
COPIES = (*DOORS, COMPILED, *SCRIPTS, *PLUGIN)
"""All that lies in `bin/`."""

_SCRIPT = """\
#!/bin/sh
# Aftermind's hook: hands standard input to the store's daemon and prints what comes back. Whatever is missing or
# broken, it says nothing and ends with 0; what is piped in then is read all the same, so that nobody's pipe breaks.
# What is compiled is of one version of the interpreter: of another it refuses it with 1, before it reads anything.
{{
  [ -x {python} ] && [ -r {hook} ] && {{
    {python} -I -S {compiled} --home {home} "$@"
    case $? in
      0) ;;
      1 | 2) {python} -I -S {hook} --home {home} "$@" ;;
      *) false ;;
    esac
  }} || {{ cat <&3 >&2 & }} 3<&0
}} 2>/dev/null
exit 0
"""


def copies(folder: Path) -> dict[str, bytes]:
    """What has to lie in a store's `bin/`, by its name. The script and the plugin name the interpreter
    that runs this."""
    found = {name: (Path(__file__).parent / name).read_bytes() for name in DOORS}
    found[COMPILED] = _compiled(found[DOORS[0]])
    bin = folder / BIN
    words = {"python": sys.executable, "hook": bin / DOORS[0], "compiled": bin / COMPILED, "home": folder}
    for name in SCRIPTS:
        found[name] = os.fsencode(_SCRIPT.format_map({word: quote(str(said)) for word, said in words.items()}))
    for name in PLUGIN:
        written = (Path(__file__).parents[1] / "clients" / name).read_text(encoding="utf-8")
        found[name] = written.replace('PYTHON = ""', f"PYTHON = {json.dumps(sys.executable)}", 1).encode()
    return found


def _compiled(source: bytes) -> bytes:
    """As the interpreter that runs this takes it for a program: its mark, twelve bytes nobody looks at, the code. In a
    form that is the same whenever it is written."""
    return MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(source, DOORS[0], "exec", dont_inherit=True), 2)


def command(folder: Path) -> list[str]:
    """The words a client runs, before the name of its form and of the event."""
    if SCRIPTS:
        return [str(folder / BIN / HOOK)]
    return [sys.executable, "-I", "-S", str(folder / BIN / DOORS[0]), "--home", str(folder)]


def copied(folder: Path) -> None:
    """The doors in `bin/` are those of this version, durably: half a door never starts the daemon that mends it."""
    bin = folder / BIN
    bin.mkdir(mode=0o700, exist_ok=True)
    fresh = [_copied(bin / name, content, _mode(name)) for name, content in copies(folder).items()]
    if any(fresh) and SCRIPTS:  # elsewhere a folder cannot be synced
        for one in (bin, folder):
            _sync(one)


def is_copied(file: Path, content: bytes) -> bool:
    """Whether a copy is there as it has to be."""
    facts = file.lstat() if file.is_file() and not file.is_symlink() else None
    if facts is None or (SCRIPTS and facts.st_mode & 0o777 != _mode(file.name)):
        return False
    return file.read_bytes() == content


def _copied(file: Path, content: bytes, mode: int) -> bool:
    """Puts a copy in its place where it is not; whether it did."""
    if is_copied(file, content):
        return False
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), mode)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        beside.chmod(mode)
        beside.replace(file)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise
    return True


def _mode(name: str) -> int:
    return 0o700 if name in SCRIPTS else 0o600


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
