"""A peer's own environment: made, filled from the registry, and a run in it, as a process of its own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from bench.peers.shape import Done, Job, Version

ROOT = Path(__file__).parents[2]
NEWER = ("python3.12", "python3.13", "python3.14")
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


class NotInstalled(Exception):
    """Why there is no environment for it."""


def interpreter(least: tuple[int, int], named: Sequence[str]) -> str:
    """A Python that is new enough: this one, one that was named, or one on the path."""
    for candidate in (sys.executable, *named, *NEWER):
        path = shutil.which(candidate)
        if path is None:
            continue
        asked = subprocess.run([path, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True)
        if asked.returncode == 0 and tuple(map(int, asked.stdout.split())) >= least:
            return path
    raise NotInstalled(f"it needs Python {'.'.join(map(str, least))}, which is not here (--python names one)")


def installed(work: Path, name: str, version: Version, sources: Mapping[str, Path], pythons: Sequence[str]) -> Path:
    """The Python of the version's environment, made where it is missing."""
    wanted = [_from(requirement, sources) for requirement in version.requirements]
    key = hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:8]
    environment = work / "environments" / f"{name}-{key}"
    python = environment / "bin" / "python"
    folders = [one for one in wanted if one.startswith("/")]
    if (environment / "ready").exists():
        if folders:  # what is in them may have changed since
            _pip(python, ["--force-reinstall", "--no-deps", *folders])
        return python
    shutil.rmtree(environment, ignore_errors=True)
    subprocess.run([interpreter(version.python, pythons), "-m", "venv", str(environment)], check=True)
    _pip(python, wanted)
    (environment / "ready").touch()
    return python


def _pip(python: Path, wanted: Sequence[str]) -> None:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    (python.parents[1] / "pip.log").write_text(ran.stdout + ran.stderr, encoding="utf-8")
    if ran.returncode != 0:
        missing = re.search(r"No matching distribution found for (\S+)", ran.stderr)
        raise NotInstalled(f"the registry has no {missing[1]}" if missing else "pip failed: see its pip.log")


def _from(requirement: str, sources: Mapping[str, Path]) -> str:
    name = requirement.partition("==")[0]
    return str(sources[name].absolute()) if name in sources else requirement


def megabytes(folder: Path) -> float:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def run(python: Path, work: Path, job: Job, environment: Mapping[str, str], patience: float) -> Done:
    """One run, with a home of its own; when its time is over, its processes end with it."""
    place = Path(job["folder"]).parent
    asked, answered = place / "job.json", place / "result.json"
    home = place / "home"
    for folder in (Path(job["folder"]), home):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    answered.unlink(missing_ok=True)
    asked.write_text(json.dumps(job), encoding="utf-8")
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    command = [str(python), "-m", "bench.peers.inside", str(asked), str(answered)]
    with (place / "run.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**kept, **OFFLINE, **own, **environment},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            return Done(failed=f"it was not done after {patience / 60:.0f} minutes")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # its own session: itself, and what it left behind
            process.wait()
    if not answered.exists():
        return Done(failed=f"it ended with {process.returncode}: see run.log")
    return cast("Done", json.loads(answered.read_text(encoding="utf-8")))
