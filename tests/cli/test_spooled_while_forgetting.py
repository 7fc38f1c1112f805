"""Who forgets takes away what was left half written and speaks of it. What somebody is writing just then waits all the
same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.plugged import NODE, is_fit, plugged

from aftermind.cli.doors import copied, hook
from aftermind.cli.erasing.files import unspooled
from aftermind.cli.erasing.needles import needles
from aftermind.cli.language.wire import call_of
from aftermind.engine.store import spool
from aftermind.engine.store.folder import fit_folder

SAID = "the xylophone stands in the cellar"
REQUEST = b'{"ask":"remember","text":"%s"}' % SAID.encode()
KEY = "0" * 32


@pytest.fixture
def store(place: Path) -> Path:
    return fit_folder(place / "store", make=True)


@pytest.fixture
def forgets(store: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Once, at the last moment before what is half written gets its name; how many files were taken."""
    taken: list[int] = []
    replace = os.replace

    def replaced(half: Path, file: Path) -> None:
        if not taken:
            taken.append(unspooled(store, needles([SAID])))
        replace(half, file)

    monkeypatch.setattr(os, "replace", replaced)
    monkeypatch.setattr(Path, "replace", replaced)
    return taken


def test_what_is_spooled_meanwhile_waits(store, forgets):
    file = spool.write(store, KEY, REQUEST)
    assert forgets == [1]
    assert spool.read(file) == REQUEST
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_what_a_hook_spools_meanwhile_waits(store, forgets, monkeypatch):
    monkeypatch.chdir(store)
    hook.spooled(KEY.encode(), REQUEST)
    assert forgets == [1]
    (file,) = spool.spooled(store).waiting
    assert spool.read(file) == REQUEST
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.skipif(not is_fit(NODE), reason="not installed: Node 20.19 or newer")
def test_what_the_plugin_spools_meanwhile_waits(store, place):
    copied(store)
    file = store / "bin" / "opencode_daemon.js"
    written = file.read_text().replace("const PYTHON = ", 'const PYTHON = "" && ')  # nobody drains it
    lost = written.replace("  written(half, call)\n", "  written(half, call)\n  fs.unlinkSync(half)\n", 1)
    assert lost != written
    file.write_text(lost)
    with plugged(store, place, 50) as plugin:
        plugin.turn(f"Where is it? {SAID}", "In the cellar")
    asked = [call_of(path.read_bytes()).request.event for path in spool.spooled(store).waiting]
    assert asked == ["prompt", "turn"]
    assert not list((store / "spool").glob("*.part"))
