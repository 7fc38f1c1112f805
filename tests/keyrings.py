"""A keyring in a file of the test's, found by the real library in every process the test starts."""

from __future__ import annotations

from pathlib import Path

BACKEND = """
import json
from pathlib import Path

from keyring.backend import KeyringBackend

FILE = Path(__file__).with_name("kept.json")


class Filed(KeyringBackend):
    priority = 20

    def _read(self):
        return json.loads(FILE.read_text()) if FILE.exists() else {}

    def get_password(self, service, username):
        return self._read().get(f"{service} {username}")

    def set_password(self, service, username, password):
        FILE.write_text(json.dumps({**self._read(), f"{service} {username}": password}))

    def delete_password(self, service, username):
        kept = self._read()
        del kept[f"{service} {username}"]
        FILE.write_text(json.dumps(kept))
"""


def a_keyring(folder: Path) -> tuple[dict[str, str], Path]:
    """The environment in which it is found, and the file it keeps its keys in."""
    beside = folder / "python_keyring"
    beside.mkdir(parents=True, exist_ok=True)
    (beside / "filed_keyring.py").write_text(BACKEND)
    config = f"[backend]\ndefault-keyring=filed_keyring.Filed\nkeyring-path={beside}\n"
    (beside / "keyringrc.cfg").write_text(config)
    return {"XDG_CONFIG_HOME": str(folder)}, beside / "kept.json"
