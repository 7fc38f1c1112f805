"""An upgrade under a daemon that runs: another build of the same version is put where the daemon's code was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest
from tests.daemons import holding, none_left, wait_until

import aftermind
from aftermind.cli.holding.loaded import SETTLED, Loaded

RESIDE = """
import runpy, sys
sys.path.insert(0, sys.argv.pop(1))
runpy.run_module("aftermind.cli.daemon", run_name="__main__")
"""
"""A daemon of a package that lies elsewhere: SITE STORE."""


@pytest.fixture
def store(place: Path) -> Path:
    folder = place / "store"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """An installation of its own, as a wheel makes it."""
    shutil.copytree(Path(aftermind.__file__).parent, tmp_path / "site" / "aftermind")
    return tmp_path / "site"


@contextmanager
def resident(site: Path, store: Path, cli) -> Iterator[subprocess.Popen[bytes]]:
    with none_left(store), subprocess.Popen([sys.executable, "-c", RESIDE, str(site), str(store)]) as process:
        try:
            wait_until(lambda: cli("status").status == 0, "it answers")
            yield process
        finally:
            process.kill()


def installed(site: Path, build: str) -> None:
    """Another build, of the same version for whoever compares, and settled."""
    for path in (site / "aftermind" / "__init__.py", site / "aftermind" / "cli" / "logbook.py"):
        other = path.with_suffix(".new")
        other.write_text(path.read_text().replace('__version__ = "0.1.0"', f'__version__ = "0.1.0+{build}"'))
        other.replace(path)


def version(cli) -> str:
    return str(cli("status", "--json").json.get("version", "nobody answers"))


def is_another(cli, store: Path, process: subprocess.Popen[bytes]) -> bool:
    """Whether the new build answers, or a daemon that a command started while the old one began anew: which of the two
    takes the lock is chance, and commands are this test's installation's here."""
    return version(cli) == "0.1.0+second" or holding(store) not in (0, process.pid)


def started(store: Path) -> int:
    log = store / "logs" / "daemon.log"
    return log.read_text().count('"started"') if log.exists() else 0


def test_a_daemon_whose_code_was_replaced_begins_anew_with_what_lies_there(cli, store, site):
    with resident(site, store, cli) as process:
        assert cli("remember", "xylophone").status == 0
        installed(site, "second")
        wait_until(lambda: version(cli) == "0.1.0+second", "the new build answers")
        assert holding(store) == process.pid, "whoever started it, as the system does, has it still"
        assert [found["text"] for found in cli("search", "--json").json] == ["xylophone"]
        assert cli("stop").status == 0
        assert process.wait(30) == 0


def test_the_first_command_after_an_upgrade_is_not_answered_by_the_old_build(cli, store, site):
    with resident(site, store, cli) as process:
        assert cli("remember", "xylophone").status == 0
        installed(site, "second")
        wait_until(lambda: is_settled(site), "the installation is over")
        assert cli("remember", "said to the new one").status == 0
        assert is_another(cli, store, process)


def is_settled(site: Path) -> bool:
    newest = max(path.stat().st_ctime for path in site.rglob("*.py"))
    return datetime.now(UTC) - datetime.fromtimestamp(newest, UTC) > SETTLED


def test_a_daemon_is_stopped_also_when_its_code_was_replaced(cli, store, site):
    with resident(site, store, cli) as process:
        installed(site, "second")
        wait_until(lambda: is_settled(site), "the installation is over")
        assert cli("stop").status == 0
        assert process.wait(30) == 0
        assert started(store) <= 1


def test_what_is_said_while_a_daemon_begins_anew_is_there_once(cli, store, site):
    with resident(site, store, cli) as process:
        said = [f"instrument {number}" for number in range(40)]
        for number, text in enumerate(said):
            if number == 5:
                installed(site, "second")
            assert cli("remember", text).status == 0
        wait_until(lambda: is_another(cli, store, process), "the old build answers no longer")
        lines = cli("log", "--type", "memory-recorded", "--json").out.splitlines()
        assert sorted(json.loads(line)["event"]["text"] for line in lines) == sorted(said)
        assert cli("verify").status == 0


def test_two_builds_side_by_side_leave_each_others_daemon_alone(cli, store, site):
    installed(site, "second")
    with resident(site, store, cli) as process:
        for _ in range(3):
            assert cli("remember", "xylophone").status == 0
        with subprocess.Popen([sys.executable, "-I", "-m", "aftermind.cli.daemon", str(store)]) as another:
            assert another.wait(30) == 0
        assert (holding(store), version(cli)) == (process.pid, "0.1.0+second")


# --- a daemon that does not look -----------------------------------------------------------------------------------


@pytest.fixture
def unknowing(site: Path) -> Path:
    """An installation that lacks one of this one's requests."""
    requests = site / "aftermind" / "cli" / "language" / "requests.py"
    written = requests.read_text()
    requests.write_text(written.replace('tag="remember"', 'tag="remember-it"'))
    assert requests.read_text() != written
    return site


def test_a_daemon_that_began_before_a_program_was_installed_and_does_not_understand_it_goes(cli, store, unknowing):
    with resident(unknowing, store, cli) as process:
        os.utime(store / "run" / "socket", (1, 1))
        assert cli("remember", "xylophone").status == 0
        assert process.wait(30) == 0
        assert [found["text"] for found in cli("search", "--json").json] == ["xylophone"]


def test_one_that_began_since_stays_and_restart_is_the_hint(cli, store, unknowing):
    with resident(unknowing, store, cli) as process:
        for _ in range(2):
            refused = cli("remember", "xylophone")
            assert refused.status == 2
            assert "aftermind restart" in refused.err
        assert holding(store) == process.pid


def test_what_is_understood_ends_nobody(cli, store, unknowing):
    with resident(unknowing, store, cli) as process:
        os.utime(store / "run" / "socket", (1, 1))
        assert cli("search", "xylophone").status == 0
        assert holding(store) == process.pid


# --- what counts as replaced --------------------------------------------------------------------------------------


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a module of this package that is loaded."""
    file = tmp_path / "loaded.py"
    file.write_text("FIRST = 1\n")
    module = ModuleType("aftermind.of_this_test")
    module.__file__ = str(file)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return file


def later(seconds: float = 2.0) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)


def test_what_lies_there_as_it_was_loaded_is_not_replaced(module):
    loaded = Loaded()
    assert not loaded.is_replaced(later())
    os.link(module, module.with_name("of another installation"))
    assert not loaded.is_replaced(later())
    assert not loaded.may_be_replaced()


def test_a_module_that_was_written_anew_is_replaced_as_soon_as_nobody_writes_any_more(module):
    loaded = Loaded()
    module.write_text("SECOND = 2, and longer\n")
    assert not loaded.is_replaced(later(0.0))
    assert loaded.is_replaced(later())


@pytest.mark.parametrize("where", ["__pycache__", "of nobody loaded/__pycache__"])
def test_an_installation_that_is_still_compiled_has_not_come_to_its_end(module, where):
    loaded = Loaded()
    module.write_text("SECOND = 2, and longer\n")
    compiled = module.parent / where
    compiled.mkdir(parents=True)
    os.utime(compiled, times=(later(10.0).timestamp(),) * 2)
    assert not loaded.is_replaced(later())
    assert loaded.is_replaced(later(12.0))


def test_what_was_taken_away_is_not_replaced_by_anything_yet(module):
    loaded = Loaded()
    module.unlink()
    assert not loaded.is_replaced(later())
    module.write_text("SECOND = 2, and longer\n")
    assert loaded.is_replaced(later())


def test_what_is_loaded_later_is_what_lay_there_by_then(module, monkeypatch):
    written = sys.modules.pop("aftermind.of_this_test")
    loaded = Loaded()
    module.write_text("SECOND = 2, and longer\n")
    monkeypatch.setitem(sys.modules, "aftermind.of_this_test", written)
    assert not loaded.is_replaced(later())
