"""`aftermind service`: the system is told of the daemon, once, and of nothing when that is taken back.

No system that starts programs runs where tests do, so a stand-in writes down what it is told; what the files say is
checked by systemd's own reader, and the property list by what launchd's manual lists.
"""

from __future__ import annotations

import os
import plistlib
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.daemons import command, holding, listening, none_left, wait_until

from aftermind.cli.always_on.installing import installation
from aftermind.cli.always_on.standing import LAUNCHD, SYSTEMD
from aftermind.cli.always_on.written import ALWAYS, Daemon, Unwritable, agent, unit
from aftermind.engine.errors import AftermindError

STAND_IN = """#!/bin/sh
echo "$*" >> {told}
case "$2" in
  enable) mkdir -p {units}/default.target.wants; ln -sf {units}/$3 {units}/default.target.wants/$3; touch {state} ;;
  disable) /bin/rm -f {units}/default.target.wants/$4 {state} ;;
  show) [ -e {state} ] && echo ActiveState=active && echo UnitFileState=enabled && echo MainPID=1; true ;;
esac
"""
KEYS = {
    "Label": str, "ProgramArguments": list, "RunAtLoad": bool, "KeepAlive": dict, "ThrottleInterval": int,
    "ExitTimeOut": int, "ProcessType": str, "Umask": int, "StandardOutPath": str, "StandardErrorPath": str,
    "EnvironmentVariables": dict,
}  # fmt: skip
"""Of launchd.plist(5), with their types."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux's")


@pytest.fixture
def systemd(home: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for systemctl; the file of what it was told."""
    told, state, units = place / "told", place / "state", home / ".config" / "systemd" / "user"
    (place / "bin").mkdir()
    stand_in = place / "bin" / "systemctl"
    stand_in.write_text(STAND_IN.format(told=told, state=state, units=units))
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place / 'bin'}:/bin:/usr/bin")
    told.touch()
    return told


def daemon_for(store: Path, **more: str) -> Daemon:
    return Daemon(python=sys.executable, store=store, usual=False, **more)


@linux
def test_installed_twice_is_installed_once_and_removed_nothing_is_left(cli, home, store, systemd):
    planned = cli("service", "install", "--dry-run")
    assert list(home.iterdir()) == []
    assert systemd.read_text() == ""
    installed = cli("service", "install", "--json").json
    file = Path(installed["file"])
    assert installed["changed"] is True
    assert file.read_text() in planned.out
    told = systemd.read_text()
    assert [line for line in told.splitlines() if "show" not in line] == [
        "--user daemon-reload",
        f"--user enable {file.name}",
        f"--user restart {file.name}",
    ]
    assert cli("service", "install", "--json").json["changed"] is False
    assert systemd.read_text().count("enable") == 1
    assert cli("service", "status", "--json").json | {"pid": 0} == {
        "kind": "systemd", "file": str(file), "installed": True, "enabled": True, "active": True, "pid": 0,
        "holds": False, "trouble": "",
    }  # fmt: skip
    assert service_in(cli("doctor", "--json").json)["level"] == "ok"
    file.write_text(file.read_text().replace(sys.executable, "/gone/python"))
    finding = service_in(cli("doctor", "--json").json)
    assert (finding["level"], "service install" in finding["mend"]) == ("warning", True)
    assert cli("service", "install", "--json").json["changed"] is True
    assert "it starts again when you log in" in cli("stop").out
    assert cli("service", "remove", "--json").json["changed"] is True
    assert list((home / ".config").iterdir()) == []
    assert cli("service", "remove", "--json").json["changed"] is False
    assert cli("service", "status", "--json").json["installed"] is False
    assert [one for one in cli("doctor", "--json").json["findings"] if one["looked_at"] == "service"] == []


def service_in(diagnosis: dict[str, Any]) -> dict[str, Any]:
    return next(one for one in diagnosis["findings"] if one["looked_at"] == "service")


@linux
def test_uninstall_takes_the_service_away_too(cli, home, store, systemd):
    assert cli("service", "install").status == 0
    done = cli("uninstall", "--json").json
    assert not Path(done["service_removed"]).exists()
    assert list((home / ".config").iterdir()) == []


@linux
def test_a_system_that_does_not_answer_leaves_nothing_and_a_file_that_is_anothers_is_left_alone(cli, home, store):
    refused = cli("service", "install")
    assert (refused.status, "systemctl" in refused.err, "nothing was changed" in refused.err) == (5, True, True)
    assert [path for path in home.rglob("*") if path.is_file()] == []
    file = installation(store, SYSTEMD).file
    file.parent.mkdir(parents=True)
    file.write_text("[Service]\nExecStart=/bin/true\n")
    for action in ("install", "remove"):
        assert f"{file} is not ours" in cli("service", action).err
    assert cli("service", "status", "--json").json["installed"] is False
    assert cli("uninstall").status == 0
    assert file.read_text() == "[Service]\nExecStart=/bin/true\n"


AWKWARD = ("plain", "with spaces", "per%cent %n", "quo\"te's", "$HOME ${X}", "back\\slash", "ümlaut 日本")


@linux
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="not installed: systemd-analyze")
def test_systemd_reads_the_unit_as_it_is_meant(tmp_path):
    (tmp_path / "run").mkdir(mode=0o700)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path / "run")}
    files = []
    for at, name in enumerate(AWKWARD):
        (tmp_path / name).mkdir()
        file = tmp_path / f"aftermind-{at}.service"
        daemon = daemon_for(tmp_path / name, config=str(tmp_path / name / "config.toml"))
        if not set(name) & {"'", '"', "\\"}:
            (python := tmp_path / name / "python").symlink_to(sys.executable)
            daemon = structs.replace(daemon, python=str(python))
        file.write_text(unit(daemon))
        files.append(str(file))
    words = ["systemd-analyze", "--user", "--man=no", "verify", *files]
    checked = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    Path(files[0]).write_text(Path(files[0]).read_text().replace("Type=exec", "Type=nonsense"))
    checked = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert "nonsense" in checked.stderr or "Type" in checked.stderr  # it would say


@pytest.mark.parametrize("name", AWKWARD)
def test_the_property_list_has_what_launchd_knows(tmp_path, name):
    daemon = daemon_for(tmp_path / name, config="/etc/a & b.toml")
    said = plistlib.loads(agent(daemon))
    assert {key: type(value) for key, value in said.items()} == KEYS
    assert said["ProgramArguments"] == daemon.words
    assert said["KeepAlive"] == {"SuccessfulExit": False}
    assert said["EnvironmentVariables"] == {"AFTERMIND_CONFIG": "/etc/a & b.toml"}
    assert installation(tmp_path / name, LAUNCHD).file.suffix == ".plist"


@pytest.mark.parametrize("name", ["line\nend", "\x07", "half\ud800"])
def test_a_name_no_unit_can_hold_is_refused(name):
    with pytest.raises(Unwritable):
        unit(daemon_for(Path("/") / name))


@pytest.mark.parametrize("name", ["quo'te", 'quo"te', "back\\slash"])
def test_a_program_that_systemd_would_not_start_is_refused_before_it_is_told(name):
    with pytest.raises(Unwritable):
        unit(structs.replace(daemon_for(Path("/store")), python=f"/{name}/bin/python"))


def test_where_there_is_no_such_system_it_is_said(tmp_path):
    with pytest.raises(AftermindError, match="neither systemd nor launchd"):
        installation(tmp_path, "")


def test_a_stores_name_is_its_own():
    one, other = (daemon_for(Path(f"/{name}")).name for name in ("a", "b"))
    assert one != other
    assert Daemon(python="p", store=Path("/a"), usual=True).name == "aftermind"


def test_the_systems_daemon_takes_the_place_of_one_that_would_end_and_there_is_one(store):
    words = command(store)
    line = next(line for line in unit(daemon_for(store)).splitlines() if line.startswith("ExecStart="))
    assert shlex.split(line.removeprefix("ExecStart=")) == [*words, ALWAYS]
    with none_left(store), subprocess.Popen(words) as by_need:
        wait_until(lambda: listening(store) and holding(store) == by_need.pid, "it holds the store")
        with subprocess.Popen([*words, ALWAYS]) as always:
            wait_until(lambda: holding(store) == always.pid and listening(store), "the system's holds it")
            assert by_need.wait(30) == 0
            with subprocess.Popen(words) as another:
                assert another.wait(30) == 0
            assert holding(store) == always.pid
            stopped = subprocess.run(
                [*words[:3], "aftermind", "stop", "--home", str(store)], timeout=60, capture_output=True, check=False
            )
            assert stopped.returncode == 0, stopped.stderr
            assert always.wait(30) == 0  # what has ended well is not started again
    gone = store.parent / "gone"
    assert subprocess.run([*command(gone), ALWAYS], timeout=60, check=False).returncode == 0
