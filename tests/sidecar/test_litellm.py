"""One model at one endpoint, through the real library, from servers that go wrong in every way they can."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest

from aftermind.cli.config import apart_for_models
from aftermind.sidecar.asking.questions import MOST_TOKENS, findings_of, question_of
from aftermind.sidecar.models.endpoint import endpoint_of
from aftermind.sidecar.ports import Failed, Findings, NoReply
from tests.cases import case
from tests.model_servers import Does, Hang, Raw, Refuse, Reset, Say, closed_port, model_server, question_in

if TYPE_CHECKING:
    from aftermind.sidecar.models.litellm import LitellmModel

pytestmark = pytest.mark.anyio
GOOD = '{"evidence": "it still fails", "outcome": "failed", "memories": [], "learned": [], "summary": "no"}'
QUESTION = question_of(case())
OPENAI, OLLAMA = "openai/tiny", "ollama_chat/tiny"
NOTHING, ALL = (0, 0), None
"""What a failure cost: nothing, or all that was set aside."""


@pytest.fixture(scope="module")
async def made() -> AsyncIterator[Any]:
    """Makes a model at an address. What it imports takes seconds, and is imported once."""
    before = dict(os.environ)
    apart_for_models(local=True)
    from aftermind.sidecar.models.litellm import LitellmModel

    models: list[LitellmModel] = []

    def make(model: str, address: str, key: str = "", timeout: float = 20.0) -> LitellmModel:
        models.append(LitellmModel(endpoint_of(model, address), key, timeout))
        return models[-1]

    yield make
    for model in models[:1]:
        await model.close()
    os.environ.clear()
    os.environ.update(before)


def address(model: str, url: str) -> str:
    return url if model == OLLAMA else f"{url}/v1"


@pytest.mark.parametrize("model", [OPENAI, OLLAMA, "lm_studio/tiny", "hosted_vllm/tiny"])
async def test_a_model_is_asked_for_the_form_of_its_answer(made: Any, model: str) -> None:
    with model_server(Say(GOOD, (321, 45))) as server:
        asked = made(model, address(model, server.url), key="the-key")
        reply = await asked.ask(QUESTION)
        (body,) = server.asked
    assert isinstance(findings_of(case(), reply.text), Findings)
    usage = reply.usage
    assert (usage.calls, usage.tokens_in, usage.tokens_out, usage.dollars) == (1, 321, 45, 0.0)
    assert server.keys == ["Bearer the-key"]
    assert body["messages"][0]["content"] == QUESTION.rules
    assert question_in(body) == QUESTION.data
    if model == OLLAMA:
        assert server.paths == ["/api/chat"]
        assert body["format"]["required"] == ["evidence", "outcome", "memories", "learned", "summary"]
        options = {"temperature": 0, "num_predict": MOST_TOKENS, "num_ctx": 8192}
        assert {name: body["options"][name] for name in options} == options
        assert body["think"] is False
    else:
        assert server.paths == ["/v1/chat/completions"]
        assert body["response_format"]["json_schema"]["strict"] is True
        assert (body["temperature"], body["max_tokens"]) == (0, MOST_TOKENS)


WRONG: list[tuple[Does, str, tuple[int, int] | None, float | None]] = [
    (Raw(b"<html>502</html>", "text/html"), "broken", ALL, None),
    (Raw(b""), "broken", ALL, None),
    (Raw(b'{"choices": ['), "broken", ALL, None),
    (Raw(b"[]"), "broken", ALL, None),
    (Raw(b'{"id": "a"', cut=True), "broken", ALL, None),
    (Hang(), "timeout", ALL, None),
    (Hang(trickle=True), "timeout", ALL, None),
    (Reset(), "unreachable", ALL, None),
    (Refuse(401), "denied", NOTHING, None),
    (Refuse(401, code="invalid_api_key", kind="invalid_request_error"), "denied", NOTHING, None),
    (Refuse(403), "denied", NOTHING, None),
    (Refuse(404, kind="invalid_request_error"), "missing", NOTHING, None),
    (Refuse(404, "model 'tiny' not found, try pulling it first"), "missing", NOTHING, None),
    (Refuse(429), "limited", NOTHING, None),
    (Refuse(429, headers=(("Retry-After", "17"),)), "limited", NOTHING, 17.0),
    (Refuse(429, headers=(("Retry-After", "-3"),)), "limited", NOTHING, None),
    (Refuse(429, headers=(("Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT"),)), "limited", NOTHING, None),
    (Refuse(429, headers=(("Retry-After", "1e300"),)), "limited", NOTHING, 86_400.0),
    (Refuse(500), "broken", ALL, None),
    (Refuse(503, headers=(("retry-after", "9"),)), "broken", ALL, 9.0),
]


@pytest.mark.parametrize("model", [OPENAI, OLLAMA])
@pytest.mark.parametrize(("does", "fault", "cost", "retry_after"), WRONG)
async def test_every_way_to_fail_has_its_name_and_is_asked_once(
    made: Any, model: str, does: Does, fault: str, cost: tuple[int, int] | None, retry_after: float | None
) -> None:
    with model_server(does) as server:
        asked = made(model, address(model, server.url), timeout=2.0 if isinstance(does, Hang) else 20.0)
        with pytest.raises(NoReply) as failed:
            await asked.ask(QUESTION)
        assert len(server.asked) == 1, "retries are ours"
    error = failed.value
    assert (error.fault, error.retry_after) == (fault, retry_after)
    usage = error.usage
    assert usage.calls == 1
    if cost is ALL:
        assert usage.tokens_in + usage.tokens_out == asked.price(QUESTION).tokens
    else:
        assert (usage.tokens_in, usage.tokens_out) == cost
    assert error.said
    said = error.said.replace(str(server.port), "its port")  # which is by chance, and may hold the question's number
    assert not any(word in said for word in ("8081", "staging", "Bearer"))


@pytest.mark.parametrize(
    "text", [None, "", "I cannot help with that.", "x" * 200_000, GOOD[:30], '{"outcome": "échoué"}', "<html></html>"]
)
@pytest.mark.parametrize("model", [OPENAI, OLLAMA])
async def test_an_answer_that_is_no_verdict_is_paid_for_and_unreadable(made: Any, model: str, text: str | None) -> None:
    with model_server(Say(text, (700, 20), refusal="I will not" if text is None else None)) as server:
        reply = await made(model, address(model, server.url)).ask(QUESTION)
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (700, 20)
    assert len(reply.text) < 70_000
    failed = findings_of(case(), reply.text)
    assert isinstance(failed, Failed)
    assert failed.fault == "unreadable"


async def test_nobody_there_costs_nothing(made: Any) -> None:
    with pytest.raises(NoReply) as failed:
        await made(OPENAI, f"http://127.0.0.1:{closed_port()}/v1").ask(QUESTION)
    assert failed.value.fault == "unreachable"
    assert (failed.value.usage.calls, failed.value.usage.tokens_in) == (0, 0)


@pytest.mark.parametrize("counted", [None, (2**63, 30), (5, 10**30), (-700, 30), (700, -30)])
async def test_a_server_that_does_not_count_in_earnest_cost_what_was_set_aside(
    made: Any, counted: tuple[int, int] | None
) -> None:
    with model_server(Say(GOOD, counted)) as server:
        model = made(OPENAI, f"{server.url}/v1")
        reply = await model.ask(QUESTION)
    assert reply.usage.tokens_in + reply.usage.tokens_out == model.price(QUESTION).tokens


@pytest.mark.parametrize(("takes", "forms"), [("object", 2), ("plain", 3)])
async def test_a_server_that_refuses_a_form_is_asked_the_next_way_from_then_on(
    made: Any, takes: str, forms: int
) -> None:
    def script(body: dict[str, Any]) -> Does:
        form = body.get("response_format", {}).get("type", "plain")
        return Say(GOOD) if form.endswith(takes) else Refuse(400, f"response_format {form} is not supported")

    with model_server(script) as server:
        model = made(OPENAI, f"{server.url}/v1")
        for _ in range(forms - 1):
            with pytest.raises(NoReply) as failed:
                await model.ask(QUESTION)
            assert (failed.value.fault, failed.value.retry_after) == ("broken", 0.0)
        assert (await model.ask(QUESTION)).text == GOOD
        assert (await model.ask(QUESTION)).text == GOOD
        assert len(server.asked) == forms + 1
        assert '"outcome"' in server.asked[-1]["messages"][0]["content"], "the form is told in words"


async def test_what_is_refused_in_every_form_is_the_exchanges_fault(made: Any) -> None:
    with model_server(Refuse(400, "this is not allowed here")) as server:
        model = made(OPENAI, f"{server.url}/v1")
        faults = []
        for _ in range(6):
            with pytest.raises(NoReply) as failed:
                await model.ask(QUESTION)
            faults.append(failed.value.fault)
    assert faults == ["broken", "broken", "rejected"] * 2


async def test_an_exchange_that_is_too_long_is_told_apart(made: Any) -> None:
    too_long = Refuse(400, "This model's maximum context length is 4096 tokens.", code="context_length_exceeded")
    with model_server(too_long) as server, pytest.raises(NoReply) as failed:
        await made(OPENAI, f"{server.url}/v1").ask(QUESTION)
    assert failed.value.fault == "too-long"


async def test_a_provider_without_its_key_is_not_asked(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(NoReply) as failed:
        await made("openai/gpt-4o-mini", "").ask(QUESTION)
    assert (failed.value.fault, failed.value.usage.calls) == ("denied", 0)


async def test_no_key_of_the_environment_goes_to_another_server(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    with model_server(Say(GOOD)) as server:
        await made(OPENAI, f"{server.url}/v1").ask(QUESTION)
    assert server.keys == ["Bearer none"]


async def test_what_a_token_costs_is_known_or_said_not_to_be(made: Any) -> None:
    known, here = made("openai/gpt-4o-mini", ""), made(OPENAI, "http://127.0.0.1:1/v1")
    unknown = made("openai/nobody-knows-it", "https://models.example.com/v1")
    assert (known.priced, here.priced, unknown.priced) == (True, True, False)
    assert known.price(QUESTION).dollars > 0
    assert here.price(QUESTION).dollars == unknown.price(QUESTION).dollars == 0.0
    least = len(QUESTION.rules.encode()) + len(QUESTION.data.encode()) + MOST_TOKENS
    assert known.price(QUESTION).tokens >= least


ALONE = """
import os, sys
reached = []
sys.addaudithook(lambda event, args: reached.append((event, args)) if event in (
    "socket.connect", "socket.getaddrinfo", "socket.sendto", "subprocess.Popen") else None)
from aftermind.cli.config import apart_for_models
from aftermind.sidecar.models.confined import to_this_machine
apart_for_models(local=True)
from aftermind.sidecar.models.litellm import LitellmModel
assert reached == [], reached
assert "OF_A_DOTENV" not in os.environ
to_this_machine()
import anyio
from aftermind.sidecar.models.endpoint import endpoint_of
from aftermind.sidecar.asking.questions import question_of
from aftermind.sidecar.ports import Case, NoReply
asked = question_of(Case(ticket="t", exchange="e", prompt="p", answer="a"))
async def main():
    for model, url in zip(sys.argv[1::2], sys.argv[2::2]):
        try:
            print((await LitellmModel(endpoint_of(model, url), "", 5.0).ask(asked)).text)
        except NoReply as error:
            print(error.fault, error.usage.calls)
anyio.run(main)
places = {args[1][:2] for event, args in reached if event == "socket.connect"}
names = {str(args[0]) for event, args in reached if event == "socket.getaddrinfo"}
print(sorted({host for host, _ in places}), 11434 in {port for _, port in places}, sorted(names), flush=True)
os._exit(0)
"""


def test_what_asks_a_model_of_this_machine_reaches_nothing_else(tmp_path: Any) -> None:
    """Not at its import, not for a price, not by way of a proxy, and not where the server sends it."""
    (tmp_path / ".env").write_text("OF_A_DOTENV=1\n")
    elsewhere = Refuse(307, headers=(("Location", "http://192.0.2.7:9/v1/chat/completions"),))
    named = Refuse(302, headers=(("Location", "http://models.example.com/v1/chat/completions"),))
    with model_server(Say("fine")) as server, model_server(elsewhere) as sends, model_server(named) as names:
        with model_server(Say("of the proxy")) as proxy:
            proxies = dict.fromkeys(("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"), proxy.url)
            words = (OPENAI, f"{server.url}/v1", OLLAMA, server.url, OPENAI, f"{sends.url}/v1", OLLAMA, names.url)
            ran = subprocess.run(
                [sys.executable, "-I", "-c", ALONE, *words],
                env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **proxies},
                cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False,
            )  # fmt: skip
        assert not proxy.asked
    assert ran.returncode == 0, ran.stderr[-3000:]
    lines = ran.stdout.splitlines()
    assert lines[:2] == ["fine", "fine"]
    assert [line.split()[0] for line in lines[2:4]] == ["unreachable"] * 2
    assert lines[4] == "['127.0.0.1', '192.0.2.7'] False ['models.example.com']", "tried, and kept from it"


LOOKING = """
import socket
from aftermind.sidecar.models.confined import Elsewhere, to_this_machine
to_this_machine()
looks = [socket.gethostbyname, socket.gethostbyname_ex, socket.gethostbyaddr]
looks += [lambda host: socket.getaddrinfo(host, 80), lambda host: socket.getnameinfo((host, 80), 0)]
for look in looks:
    for host in ("127.0.0.1", "192.0.2.7", "models.example.com"):
        try:
            look(host)
        except Elsewhere:
            print(host)
        except OSError:  # nobody says what this machine is called
            assert host == "127.0.0.1"
"""


def test_nor_does_it_look_up_a_name_whichever_way() -> None:
    ran = subprocess.run([sys.executable, "-I", "-c", LOOKING], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.stdout.splitlines(), ran.stderr) == (["192.0.2.7", "models.example.com"] * 5, "")
