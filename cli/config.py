"""The one frozen configuration, from a file and the environment. The only reader of environment variables."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """The folder of the store: AFTERMIND_HOME, else the platform's data folder for this user."""
    named = os.environ.get("AFTERMIND_HOME")
    return Path(named) if named else Path(platformdirs.user_data_dir("aftermind", appauthor=False))
