"""Every path of the open port, asked whatever comes to the mind of schemathesis: nothing breaks, and what is answered
is what the port's own description says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance
from tests.ports import Port, opened_port

OPERATIONS = 8
LEFT_OUT = [positive_data_acceptance, ignored_auth]
"""What fits a schema may be no folder and no message of MCP all the same; and who asks without the token is told that
he asks too often before he is told that he has none, so that `test_http.py` looks at that, slowly."""
EXAMPLES = 10
"""Of each operation."""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Port]:
    with opened_port(tmp_path_factory.mktemp("http-schema") / "store", "rate = 100000\n") as found:
        yield found


def test_whatever_is_asked_is_answered_as_it_is_described(port):
    schema = schemathesis.openapi.from_dict(port.ask("/openapi.json").json)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) == OPERATIONS
    for operation in operations:

        @settings(
            max_examples=EXAMPLES, database=None, deadline=None, derandomize=True,
            phases=[Phase.generate], suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def asked(case: Case) -> None:
            headers = {"Authorization": f"Bearer {port.token}"}
            said = case.call(base_url=port.url, headers=headers, timeout=20, stream=case.method == "GET")
            if not said.headers.get("content-type", [""])[0].startswith("text/event-stream"):
                case.validate_response(said, excluded_checks=LEFT_OUT)

        asked()
    assert port.ask("/ready").json == {"status": "ready"}
    assert b'"broke"' not in (port.folder / "logs" / "daemon.log").read_bytes()
