"""The list of the folders that backups are in: whether it is whole, or where they are is not known any more."""

from __future__ import annotations

from pathlib import Path

from aftermind.cli.examining.finding import Finding, fault, warning
from aftermind.engine.backups.registry import REGISTRY, SET_ASIDE, registered

ENTER = "`aftermind backup FOLDER` enters a folder again"


def backups_found(folder: Path) -> list[Finding]:
    """What is wrong with it; nothing where nothing is."""
    if registered(folder) is None:
        found = f"{folder / REGISTRY} is damaged: which folders outside the store have backups is not known"
        return [fault("backups", found, mend=f"`aftermind repair` begins it anew; then {ENTER}")]
    if (aside := folder / SET_ASIDE).exists():
        found = f"{aside} was damaged: folders it named may not be known any more, and keep what is forgotten"
        return [warning("backups", found, mend=f"{ENTER}; delete {aside.name} when all of them are")]
    return []
