"""The package as a user gets it: built, installed into an environment of its own, run with an empty HOME."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive of the tree."""
    target = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "hatchling", "build", "-d", str(target)], cwd=ROOT)
    return target


@pytest.fixture(scope="session")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of a fresh environment that holds the wheel and its dependencies."""
    place = tmp_path_factory.mktemp("environment") / "venv"
    run([sys.executable, "-m", "venv", str(place)])
    python = place / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    constraints = ROOT / "constraints.txt"
    run([str(python), "-m", "pip", "install", "--quiet", "--constraint", str(constraints), str(wheel)])
    return place / "bin"


@pytest.fixture
def environment(tmp_path: Path, installed: Path) -> dict[str, str]:
    """An empty HOME, and nothing of this project on the path but the installed command."""
    home = tmp_path / "home"
    home.mkdir()
    return {"HOME": str(home), "PATH": f"{installed}{os.pathsep}{os.environ['PATH']}", "LANG": "C.UTF-8"}


def run(
    command: list[str] | str, cwd: Path | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end; a failure shows what it printed."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        shell=isinstance(command, str),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done
