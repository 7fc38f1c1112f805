"""The environment, and where things are. The only reader of environment variables.

    AFTERMIND_HOME     the folder of the store
    AFTERMIND_CONFIG   the configuration file
    AFTERMIND_<KEY>    any key of the configuration, AFTERMIND_RANKING_LIMIT for `ranking.limit`

Cheap to import: what needs a library is loaded when it is asked. The configuration itself is `settings.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def home() -> Path:
    """The folder of the store: AFTERMIND_HOME, else the configuration's `home`, else the platform's data folder."""
    if named := from_environment("home"):
        return Path(named)
    if not config_file().is_file():
        return default_home()
    from aftermind.cli.settings import configuration

    return configuration().home


def default_home() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("aftermind", appauthor=False))


def config_file() -> Path:
    """Where the configuration is, or would be. A variable that no shell has read is refused: beside no file lies no
    list of what is off limits, and nothing would be."""
    if named := os.environ.get("AFTERMIND_CONFIG"):
        if named.startswith("$"):
            from aftermind.cli.settings import Misconfigured

            what = f"no shell has read the variable in {named!r}, which AFTERMIND_CONFIG holds"
            raise Misconfigured(what, hint="write the path there; ~ is known")
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_config_dir("aftermind", appauthor=False)) / "config.toml"


def ignore_file() -> Path:
    """The user's own list of what is off limits, beside the configuration."""
    return config_file().parent / "ignore"


def variable(key: str) -> str:
    """The environment variable that takes the place of a key."""
    return f"AFTERMIND_{key.upper().replace('.', '_')}"


def from_environment(key: str) -> str | None:
    """The environment's word on a key. Empty is not said."""
    return os.environ.get(variable(key)) or None


def compute_alone() -> None:
    """Libraries that compute, imported from now on, do so on the thread they are called on: a daemon that wakes every
    core for a millisecond's work is felt, and is slower where the cores are busy."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def of_others(name: str) -> Path | None:
    """The folder or file another program's variable names. Empty, or no absolute path, is not said."""
    said = os.environ.get(name, "")
    path = Path(said).expanduser() if said.strip() else Path()
    return path if path.is_absolute() else None


@contextmanager
def apart_for_downloads() -> Iterator[None]:
    """What downloads models keeps to itself: it sends no numbers about its use and no token, leaves nothing outside the
    folder it is given, and draws no bars of its own. To be entered before it is imported."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="aftermind-") as beside:
        os.environ["HF_HOME"] = os.environ["HF_XET_CACHE"] = beside
        for name in ("TELEMETRY", "IMPLICIT_TOKEN", "SHARED_BLOBS", "PROGRESS_BARS", "XET"):
            os.environ[f"HF_HUB_DISABLE_{name}"] = "1"
        yield


def apart_for_models(*, local: bool) -> None:
    """What asks models keeps to itself: its prices and lists are those it came with, no folder's `.env` is read, and a
    model of this machine is not asked by way of a proxy. To be called before it is imported."""
    for name in ("MODEL_COST_MAP", "ANTHROPIC_BETA_HEADERS", "BLOG_POSTS", "POLICY_TEMPLATES"):
        os.environ[f"LITELLM_LOCAL_{name}"] = "True"
    os.environ |= {"LITELLM_MODE": "PRODUCTION", "LITELLM_LOG": "CRITICAL"}
    if local:
        os.environ |= {"NO_PROXY": "*", "no_proxy": "*"}


def secret_of(name: str) -> str:
    """What a variable that the configuration names holds; empty where it is not set."""
    return os.environ.get(name, "").strip()
