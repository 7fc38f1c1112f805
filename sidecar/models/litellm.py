"""One model at one endpoint, asked by way of litellm. The only importer of it: that takes seconds, and sends nothing.

Guarantees: one request an asking, over when its time is over however slowly an answer trickles in; every way to fail
is a `NoReply` with its fault, without a word of what was sent or of the key; what it cost is what the server says, or
where a server was reached and did not say, the most it can have cost.

How an answer's form is asked for is found out: a JSON Schema, else any JSON object, else plain words. A server that
refuses one is asked the next way from then on (`NoReply` with a pause of 0, and no fault of the exchange).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import anyio
import httpx
import litellm
import msgspec
from litellm.llms.custom_httpx.async_client_cleanup import close_litellm_async_clients
from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

from aftermind.engine.names import Label
from aftermind.sidecar.models.endpoint import Endpoint
from aftermind.sidecar.models.replies import LARGEST
from aftermind.sidecar.ports import Fault, NoReply, Price, Question, Reply, Usage

Form: TypeAlias = Literal["schema", "object", "plain"]
FORMS: Final[tuple[Form, ...]] = ("schema", "object", "plain")
AROUND = 256
"""Tokens a server may put around a question: its template, and how it writes the schema."""
WINDOW = 8_192
"""Tokens an Ollama is told to keep in view; by itself it keeps fewer, and drops the rules first."""
LONGEST_PAUSE = 86_400.0
ABSURD = 10_000_000
"""Tokens that no model reads or writes at once: who counts more does not count."""
_cold = [15.0]
"""Seconds more for the first asking of a process: the library loads a part of itself then."""
_NO_KEY = "none"
"""Sent where a server asks for none, so that no key of the environment goes to it instead."""
_FAULTS: Final[tuple[tuple[type[Exception], Fault], ...]] = (
    (litellm.Timeout, "timeout"),
    (litellm.RateLimitError, "limited"),
    (litellm.AuthenticationError, "denied"),
    (litellm.PermissionDeniedError, "denied"),
    (litellm.exceptions.PaymentRequiredError, "denied"),
    (litellm.NotFoundError, "missing"),
    (litellm.ContextWindowExceededError, "too-long"),
    (litellm.BadRequestError, "rejected"),
    (litellm.UnprocessableEntityError, "rejected"),
)
"""The first that fits; what is none of these is `unreachable` or `broken`."""
_BY_STATUS: Final[dict[int, Fault]] = {
    400: "rejected", 401: "denied", 402: "denied", 403: "denied", 404: "missing", 408: "timeout", 422: "rejected",
    429: "limited",
}  # fmt: skip
"""Of errors whose class says less than their status."""
_DECIDES = (401, 402, 403, 404, 429)
"""Whatever the class is: a body of a server's own making decides that."""
_UNSENT = {"ClientConnectorError", "ConnectionRefusedError", "gaierror", "ConnectTimeout"}
"""No connection was made, and nothing was sent."""
_MISSING = ("model not found", "no such model", "does not exist", "try pulling it")
_FREE: Final[frozenset[Fault]] = frozenset({"limited", "denied", "missing", "too-long", "rejected"})
"""Of these a server says that it did nothing."""

litellm.suppress_debug_info = True
litellm.telemetry = False
for _name in ("LiteLLM", "httpx", "asyncio"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


async def _not_again(*args: object, **kwargs: object) -> httpx.Response:
    """It sends a request whose connection broke a second time, and nobody would know what that cost."""
    raise httpx.ConnectError("the connection broke")


AsyncHTTPHandler.single_connection_post_request = _not_again


class LitellmModel:
    """`key` is empty where there is none. `timeout` is in seconds, for a whole answer."""

    def __init__(self, endpoint: Endpoint, key: str = "", timeout: float = 60.0) -> None:
        self.name = Label(endpoint.model)
        self._endpoint, self._key, self._timeout = endpoint, key, timeout
        self._form = 0
        self._ollama = endpoint.model.startswith("ollama")
        if endpoint.local:  # or litellm asks for its price itself, at an address of its own choice
            prices = {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0}
            provider = endpoint.model.partition("/")[0]
            litellm.model_cost[endpoint.model] = {**prices, "mode": "chat", "litellm_provider": provider}

    @property
    def priced(self) -> bool:
        """Whether it is known what a token costs; where it is not, only calls and tokens are limited."""
        return self._endpoint.local or self._dollars(1_000_000, 1_000_000) > 0

    def price(self, question: Question) -> Price:
        """No token has less than a byte."""
        texts = (question.rules, question.data)
        read = sum(len(text.encode("utf-8", "replace")) for text in texts) + 2 * len(question.shape) + AROUND
        return Price(tokens=read + question.most_tokens, dollars=self._dollars(read, question.most_tokens))

    async def ask(self, question: Question) -> Reply:
        self._has_key()
        form = FORMS[self._form]
        began = anyio.current_time()

        def took() -> int:
            return round((anyio.current_time() - began) * 1000)

        try:
            with anyio.fail_after(self._timeout + _cold.pop() if _cold else self._timeout):
                answer = await litellm.acompletion(**self._asked(question, form))
        except TimeoutError:
            why = f"no answer within {self._timeout:g} seconds"
            raise NoReply("timeout", why, self._most(question, took())) from None
        except Exception as error:
            raise self._no_reply(error, question, form, took()) from None
        return Reply(text=_text_of(answer), usage=self._usage(answer, question, took()))

    async def close(self) -> None:
        """Closes every connection of this process's models."""
        await close_litellm_async_clients()

    def _has_key(self) -> None:
        """Without one litellm says the server is broken."""
        if self._key or self._endpoint.address:
            return
        missing = litellm.validate_environment(self._endpoint.model).get("missing_keys", [])
        if missing:
            raise NoReply("denied", f"there is no API key for {self._endpoint.host}", Usage())

    def _asked(self, question: Question, form: Form) -> dict[str, Any]:
        shape = msgspec.json.decode(question.shape)
        rules = question.rules
        if form != "schema":
            rules += f"\n\nThe JSON Schema of the object: {question.shape.decode()}"
        asked: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [{"role": "system", "content": rules}, {"role": "user", "content": question.data}],
            "max_tokens": question.most_tokens,
            "timeout": self._timeout,
            "max_retries": 0,
            "num_retries": 0,
            "drop_params": True,
        }
        if self._endpoint.address:
            asked |= {"api_base": self._endpoint.address, "api_key": self._key or _NO_KEY}
        elif self._key:
            asked["api_key"] = self._key
        if form == "schema":
            schema = {"name": "answer", "schema": shape, "strict": True}
            asked["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif form == "object":
            asked["response_format"] = {"type": "json_object"}
        if form != "plain":
            asked["temperature"] = 0
        if self._ollama:
            asked["num_ctx"] = WINDOW
            if form != "plain":  # a model that thinks first would use up its answer for it
                asked["reasoning_effort"] = "low" if "gpt-oss" in self._endpoint.model else "none"
        return asked

    def _no_reply(self, error: Exception, question: Question, form: Form, took: int) -> NoReply:
        fault = _fault_of(error)
        if _unsent(error):
            usage = Usage(milliseconds=took)
        else:
            usage = Usage(calls=1, milliseconds=took) if fault in _FREE else self._most(question, took)
        if fault == "rejected" and not isinstance(error, litellm.ContentPolicyViolationError):
            if (after := FORMS.index(form) + 1) < len(FORMS):
                self._form = max(self._form, after)
                said = f"{self._endpoint.host} does not take {form}"
                return NoReply("broken", said, usage, retry_after=0.0)
            self._form = 0  # the form was not what it refused
        return NoReply(fault, self._told(error, fault), usage, _retry_after(error))

    def _told(self, error: Exception, fault: Fault) -> str:
        """What happened, for a person, in our own words: a server's may quote what it was sent."""
        status = getattr(error, "status_code", None)
        host = self._endpoint.host
        said = {
            "unreachable": f"nobody answers at {host}",
            "timeout": f"no answer within {self._timeout:g} seconds",
            "denied": f"{host} refuses the API key" if self._key else f"{host} wants an API key",
            "missing": f"{host} has no model {self._endpoint.model.partition('/')[2]!r}, or not at this address",
            "limited": f"{host} takes no more requests for now",
            "too-long": "the exchange is longer than the model reads",
        }.get(fault, f"{host} failed: {type(error).__name__}")
        counts = isinstance(status, int) and fault not in ("timeout", "unreachable")
        return f"{said} ({status})" if counts else said

    def _usage(self, answer: Any, question: Question, took: int) -> Usage:
        """What the server counted; where it did not, or not in earnest, the most it can have been."""
        counted = getattr(answer, "usage", None)
        read, wrote = (getattr(counted, name, None) for name in ("prompt_tokens", "completion_tokens"))
        if not (isinstance(read, int) and isinstance(wrote, int) and 0 < read <= ABSURD and 0 <= wrote <= ABSURD):
            return self._most(question, took)
        return Usage(calls=1, tokens_in=read, tokens_out=wrote, dollars=self._dollars(read, wrote), milliseconds=took)

    def _most(self, question: Question, took: int) -> Usage:
        price = self.price(question)
        return Usage(
            calls=1,
            tokens_in=price.tokens - question.most_tokens,
            tokens_out=question.most_tokens,
            dollars=price.dollars,
            milliseconds=took,
        )

    def _dollars(self, read: int, wrote: int) -> float:
        """By the prices litellm came with; 0 where it has none, and for a model of this machine."""
        if self._endpoint.local:
            return 0.0
        try:
            prices = litellm.get_model_info(self._endpoint.model)
        except Exception as error:  # it says so with a bare `Exception`
            logging.getLogger(__name__).debug("no price: %s", type(error).__name__)
            return 0.0
        each = (prices.get("input_cost_per_token") or 0.0, prices.get("output_cost_per_token") or 0.0)
        return float(read * each[0] + wrote * each[1])


def _text_of(answer: Any) -> str:
    """The words of an answer, no more of them than are read anyway; nothing where it has none."""
    choices = getattr(answer, "choices", None) or []
    text = getattr(getattr(choices[0], "message", None), "content", None) if choices else None
    return text[: LARGEST + 1] if isinstance(text, str) else ""


def _fault_of(error: Exception) -> Fault:
    words = str(error).casefold()
    if any(word in words for word in _MISSING) and getattr(error, "status_code", 0) in (400, 404):
        return "missing"
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and status in _DECIDES and not isinstance(error, litellm.Timeout):
        return _BY_STATUS[status]
    for kind, fault in _FAULTS:
        if isinstance(error, kind):
            return fault
    if any(isinstance(cause, httpx.ConnectError | ConnectionError) for cause in _causes(error)):
        return "unreachable"
    return _BY_STATUS.get(status, "broken") if isinstance(status, int) else "broken"


def _unsent(error: Exception) -> bool:
    return any(_UNSENT & {kind.__name__ for kind in type(cause).__mro__} for cause in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what led to it."""
    seen: set[int] = set()
    left = [error]
    while left:
        one = left.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            left += [cause for cause in (one.__cause__, one.__context__) if cause is not None]


def _retry_after(error: Exception) -> float | None:
    """Seconds until the server wants to be asked again, where it says so in seconds; a day at most."""
    for headers in (
        getattr(getattr(error, "response", None), "headers", None),
        getattr(error, "litellm_response_headers", None),
    ):
        said = headers.get("retry-after") if isinstance(headers, Mapping | httpx.Headers) else None
        try:
            seconds = float(said) if said is not None else math.nan
        except (TypeError, ValueError):
            continue
        if 0 <= seconds < math.inf:
            return min(max(seconds, 1.0), LONGEST_PAUSE)
    return None
