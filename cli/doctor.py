"""What is wrong with a store and what surrounds it, found without changing anything.

Guarantee: nothing is written, stopped or locked, whatever is broken, and nothing is started but what an assistant that
was set up would start; what cannot be examined is a finding, too. Works without a store, beside a daemon, beside one
that hangs, and on a store that nobody can open.
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from aftermind import __version__
from aftermind.cli.examining import (
    always_on,
    around,
    clients,
    holder,
    judged,
    kept,
    limits,
    listed,
    listening,
    modelled,
    spooled,
)
from aftermind.cli.examining import folder as folders
from aftermind.cli.examining.finding import Finding, Level, Surviving, worst
from aftermind.cli.store_folder.belongings import belongings
from aftermind.cli.verifying.vectors import lost_found
from aftermind.engine.names import START
from aftermind.engine.stamp import Stamp


class Diagnosis(Struct, frozen=True, kw_only=True):
    """Everything that was found, and the worst level in it."""

    folder: str
    version: str
    worst: Level
    findings: tuple[Finding, ...]


async def diagnosis(named: Path | None, *, verify: bool) -> Diagnosis:
    """Of the store in the folder `named`, else of the configured one. `verify` reads the whole log and views."""
    found: list[Finding] = []
    folder, answers = named, False
    with Surviving(found, "configuration"):
        finding, home = around.configuration_found()
        found.append(finding)
        folder = home if named is None else named
    if folder is not None:
        with Surviving(found, "folder"):
            folder = folder.expanduser().absolute()
            found.append(folders.folder_found(folder))
        with Surviving(found, "disk"):
            found.append(folders.disk_found(folder))
        with Surviving(found, "store"):
            if os.access(folder, os.R_OK | os.X_OK) and folder.is_dir() and belongings(folder).ours:
                answers = await _store(folder, found, verify=verify)
    with Surviving(found, "service"):
        if folder is not None and (service := always_on.service_found(folder)) is not None:
            found.append(service)
    with Surviving(found, "off limits"):
        found.append(limits.lists_found())
    with Surviving(found, "model"):
        found.append(await modelled.model_found(folder, answers=answers))
    with Surviving(found, "judge"):
        found.append(await judged.judge_found(folder, answers=answers))
    return Diagnosis(
        folder=str(folder) if folder is not None else "", version=__version__, worst=worst(found), findings=tuple(found)
    )


async def _store(folder: Path, found: list[Finding], *, verify: bool) -> bool:
    """What is in the folder, in the order in which one thing needs another. Whether somebody answers there."""
    now = Stamp().now()
    answering: holder.Answering | None = None
    with Surviving(found, "permissions"):
        found.append(folders.permissions_found(folder))
    with Surviving(found, "lock"):
        found.append(holder.lock_found(folder))
    with Surviving(found, "socket"):
        finding, answering = await holder.socket_found(folder)
        found.append(finding)
    if answering is not None:
        with Surviving(found, "version"):
            welcome = answering.welcome
            found.append(holder.version_found(welcome.aftermind, __version__, welcome.holder))
    daemon = answering is not None and answering.welcome.holder == "daemon"
    with Surviving(found, "http"):
        found.append(listening.port_found(folder, None if answering is None else answering.state))
    views: kept.Built | None = None
    log: kept.Read | None = None
    with Surviving(found, "views"):
        views = kept.built(folder, whole=verify)
    with Surviving(found, "log"):
        finding, log = kept.log_found(folder, verify=verify, seen=START if views is None else views.position)
        found.append(finding)
    with Surviving(found, "views"):
        if views is not None:
            found.append(kept.views_found(folder, views, log, daemon=daemon))
    with Surviving(found, "vectors"):
        found += lost_found(folder)
    with Surviving(found, "backups"):
        found += listed.backups_found(folder)
    with Surviving(found, "pauses"):
        found.append(limits.pauses_found(folder, now))
    with Surviving(found, "spool"):
        found.append(spooled.spool_found(folder, now, daemon=daemon))
    with Surviving(found, "logs"):
        found.append(around.logs_found(folder, now))
    with Surviving(found, "daemon.out"):
        found.append(around.output_found(folder, daemon=daemon))
    with Surviving(found, "clients"):
        found.append(around.clients_found(folder))
    await clients.clients_found(folder, found)
    return answering is not None
