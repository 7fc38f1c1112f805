"""Output of something that an exchange was not of is no verdict on it; whatever may be of it still is."""

from __future__ import annotations

import pytest

from aftermind.engine.events import ToolUse
from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import exchange

ASKED = {
    "prompt": "how do i make the cart total exact, floats are off by a cent?",
    "answer": "Store prices as integer cents and sum those; change cartTotal in src/cart.ts.",
}
DONE = {
    "prompt": "make the cart total exact, floats are off by a cent",
    "answer": "cartTotal sums integer cents now.",
    "tools": (ToolUse(name="Edit", paths=("src/cart.ts",)),),
}
CRASH = "Traceback (most recent call last):\n  File \"jobs/bill_sku.py\", line 12, in charge\nKeyError: 'sku'"
TAKEN = "Error: listen EADDRINUSE: address already in use 0.0.0.0:3000\n    at Server.setupListenHandle [as _listen2]"
OF_THE_MACHINE = (
    TAKEN,
    f"getting this on pnpm dev:\n\n{TAKEN}",
    f"tried it:\n{TAKEN}",
    "npm install:\nnpm ERR! code ENOSPC\nnpm ERR! nospc ENOSPC: no space left on device, write",
    "OSError: [Errno 28] No space left on device: '/var/lib'",
    "error: fatal: unable to access 'https://example.com/x.git/': Could not resolve host: example.com",
    "```\nCannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n```",
)
NAMED = """
the billing job crashes:
in the billing job i get
getting this in our billing job:
beim Aufruf kommt in der Abrechnung
la facturation plante :
""".strip().splitlines()
OF_IT = """
i get this
tried it, got
did that:
with the fix i get
this is the log:
i get this in the console
now the billing job crashes:
no, the billing job dies
after that the billing job crashes:
danach stürzt der Job ab:
it crashes in the billing job:
same in the billing job
still
the cart page prints
npm test says
""".strip().splitlines()


@pytest.mark.parametrize("about", [ASKED, DONE])
@pytest.mark.parametrize("said", OF_THE_MACHINE)
def test_what_the_machine_lacks_is_no_verdict_on_anything_else(said: str, about: dict[str, object]) -> None:
    assert judge(exchange(said, **about)).outcome == "unknown"


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("start the dev server on port 3000", TAKEN.replace("address", "port 3000, address")),
        ("free some space on the disk", "OSError: [Errno 28] No space left on device"),
        ("make the cart total exact", f"same error\n{TAKEN}"),
        ("make the cart total exact", f"no, the cart page prints\n{TAKEN}"),
        ("make the cart total exact", f"{TAKEN}\nTypeError: Cannot mix BigInt and other types"),
    ],
)
def test_it_is_one_on_what_was_of_it_and_where_the_user_says_so(prompt: str, said: str) -> None:
    assert judge(exchange(said, prompt=prompt, answer="Done.")).outcome == "failed"


@pytest.mark.parametrize("lead", NAMED)
def test_what_something_else_by_name_prints_is_none_of_what_was_asked(lead: str) -> None:
    assert judge(exchange(f"{lead}\n{CRASH}", **ASKED)).outcome == "unknown"


@pytest.mark.parametrize("lead", OF_IT)
def test_what_nothing_by_name_prints_is(lead: str) -> None:
    assert judge(exchange(f"{lead}\n{CRASH}", **ASKED)).outcome == "failed"


@pytest.mark.parametrize("lead", [*NAMED[:3], *OF_IT])
def test_after_something_was_done_any_output_may_be_of_it(lead: str) -> None:
    assert judge(exchange(f"{lead}\n{CRASH}", **DONE)).outcome == "failed"


STARTED = {"prompt": "the container does not come up", "answer": "Remove the stale pid file in the entrypoint."}
REFUSED = "Error: connect ECONNREFUSED 127.0.0.1:6379\n    at TCPConnectWrap.afterConnect (net.js:1146:16)"


@pytest.mark.parametrize(
    "lead",
    ["ok up. now the api container logs this:", "it's running, now i get", "startet. jetzt kommt:", "ok up. now:"],
)
def test_what_fails_after_what_was_asked_has_come_up_is_the_next_thing(lead: str) -> None:
    assert judge(exchange(f"{lead}\n{REFUSED}", **STARTED)).outcome == "unknown"


@pytest.mark.parametrize(
    "lead",
    [
        "done. now i get",
        "removed it. now:",
        "not up. now i get",
        "still does not start. now:",
        "now it logs:",
        "now it shows this",
    ],
)
def test_what_fails_after_what_was_advised_was_only_done_is_of_it(lead: str) -> None:
    assert judge(exchange(f"{lead}\n{REFUSED}", **STARTED)).outcome == "failed"


def test_what_had_failed_before_has_not_come_up() -> None:
    case = exchange(
        f"ok up. now it logs:\n{REFUSED}", prompt="api logs ECONNREFUSED at start", answer="Set REDIS_HOST."
    )
    assert judge(case).outcome == "failed"


@pytest.mark.parametrize("lead", ["page loads now:", "works now, but:", "works but", "works. it loads now, but"])
def test_a_success_that_leads_to_output_that_fails_is_one_in_part(lead: str) -> None:
    assert judge(exchange(f"{lead}\n{REFUSED}", prompt="fix the login", answer="I set SameSite.")).outcome == "partial"


@pytest.mark.parametrize("lead", ["thanks, works! next one:", "that fixed it. can you look at this too:", "works now"])
def test_a_success_beside_another_matters_output_stays_one(lead: str) -> None:
    assert judge(exchange(f"{lead}\n{REFUSED}", prompt="fix the login", answer="I set SameSite.")).outcome == "worked"
