"""The log in memory keeps the contract."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from aftermind.engine.logs.list_log import ListLog
from tests.contracts.log import LogContract, OpenLog


class TestListLog(LogContract):
    @pytest.fixture
    def log(self) -> OpenLog:
        kept = ListLog()
        return lambda: nullcontext(kept)
