"""The configuration of a process that stays: read again when its file has changed."""

from __future__ import annotations

import os

from aftermind.cli.config import config_file
from aftermind.cli.settings import Config, Http, Misconfigured, Sidecar, configuration, policy_of
from aftermind.engine.policy import Policy


class Watched:
    """What is in force now. A file that cannot be read changes nothing; `aftermind doctor` tells of it."""

    def __init__(self) -> None:
        self._file = str(config_file())
        self._seen = self._stamp()
        self._config = configuration()
        self._policy = policy_of(self._config)

    def policy(self) -> Policy:
        self._look()
        return self._policy

    def model(self) -> str:
        """The name of the model that is wanted."""
        self._look()
        return self._config.model.name

    def written(self) -> tuple[int, int]:
        """Another one when the file was written, also with what was in it before."""
        self._look()
        return self._seen

    def scoring(self) -> str:
        """Who says how an exchange went."""
        self._look()
        return self._config.scoring

    def sidecar(self) -> Sidecar:
        """Which model judges, where, and within which limits."""
        self._look()
        return self._config.sidecar

    def http(self) -> Http:
        """Whether a port is to be open, and where."""
        self._look()
        return self._config.http

    def idle_seconds(self) -> float:
        """How long the daemon stays without being asked."""
        self._look()
        return self._config.daemon.idle_minutes * 60

    def _look(self) -> None:
        if (stamp := self._stamp()) != self._seen:
            self._seen = stamp
            try:
                config: Config = configuration()
            except Misconfigured:
                return
            self._config, self._policy = config, policy_of(config)

    def _stamp(self) -> tuple[int, int]:
        try:
            facts = os.stat(self._file)  # noqa: PTH116 - twice a request
        except OSError:
            return (0, 0)
        return (facts.st_mtime_ns, facts.st_size)
