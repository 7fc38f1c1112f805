"""One exchange that everybody would judge alike, put to a model before it is trusted with others.

The model is asked in a process of its own (`python -I -m aftermind.cli.trying`), as the sidecar asks it: what it takes
to ask one is loaded there, and gone afterwards. What is to be tried comes in on standard input, a key included; what
came of it goes out as JSON.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from aftermind.engine.errors import AftermindError
from aftermind.engine.names import EventId, MemoryId
from aftermind.sidecar.ports import Case, Failed, Findings, Known, NoReply, Ticket, Usage

STARTING = 60.0
"""Seconds the process may take besides the answer: what asks models is large."""
_FORMS = 3
"""A server that does not know one way to ask for a form is asked another way."""
_BESIDE = Path(sys.executable).parent
"""Where it runs: not where the user works, whose `.env` is not ours to read."""
WRONG = MemoryId("m0000000000000000")
EXCHANGE: Final = Case(
    ticket=Ticket("test"),
    exchange=EventId("0" * 32),
    prompt="Which port does the staging server of this project listen on?",
    answer="It listens on port 8080.",
    shown=(Known(id=WRONG, kind="configuration", text="The staging server listens on port 8080"),),
    follow_up="No, that is wrong: nothing answers on 8080. The staging server listens on port 8081, I just looked.",
)
EXPECTED: Final = "failed"


class Trial(Struct, frozen=True, kw_only=True):
    """Which model, where. `key` is one that is not yet where `where` says."""

    model: str
    base_url: str = ""
    where: str = ""
    key: str = ""
    timeout_seconds: float = 60.0


class Tried(Struct, frozen=True, kw_only=True):
    """What the model said, and what that cost. `priced`: whether it is known what its tokens cost."""

    said: Findings | Failed
    usage: Usage
    priced: bool = False

    @property
    def right(self) -> bool:
        return isinstance(self.said, Findings) and self.said.outcome == EXPECTED


class NotTried(AftermindError):
    """The process that was to ask the model did not say what came of it."""

    status = 5
    hint = "`aftermind sidecar test` tries it again; `aftermind doctor` looks at what it needs"


async def tried(trial: Trial) -> Tried:
    """What the model says of the test exchange. Ends the process that asks where nobody waits for it any more."""
    import anyio

    from aftermind.engine.masking.secrets import mask

    command = [sys.executable, "-I", "-m", "aftermind.cli.trying"]
    try:
        with anyio.fail_after(trial.timeout_seconds + STARTING):
            ended = await anyio.run_process(command, input=msgspec.json.encode(trial), check=False, cwd=_BESIDE)
    except TimeoutError:
        raise NotTried(f"nothing came back within {trial.timeout_seconds + STARTING:g} seconds") from None
    try:
        return msgspec.json.decode(ended.stdout, type=Tried)
    except msgspec.DecodeError:
        last = ended.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise NotTried(f"the process that asks the model ended with {ended.returncode}: {mask(last)[:300]}") from None


async def _tried(trial: Trial) -> Tried:
    """In the process of its own."""
    from aftermind.cli.judge import model_at
    from aftermind.cli.secret import NoKey, key_of
    from aftermind.sidecar.asking.questions import findings_of, question_of
    from aftermind.sidecar.models.endpoint import endpoint_of

    endpoint = endpoint_of(trial.model, trial.base_url)
    try:
        key = trial.key or await key_of(trial.where, endpoint.host)
    except NoKey as error:
        return Tried(said=Failed(fault="denied", said=str(error)), usage=Usage())
    model = model_at(endpoint, key, trial.timeout_seconds)
    failed, usage = Failed(fault="broken"), Usage()
    for _ in range(_FORMS):
        try:
            reply = await model.ask(question_of(EXCHANGE))
        except NoReply as error:
            failed, usage = Failed(fault=error.fault, said=error.said), error.usage
            if error.retry_after != 0:
                break
        else:
            return Tried(said=findings_of(EXCHANGE, reply.text), usage=reply.usage, priced=model.priced)
    return Tried(said=failed, usage=usage, priced=model.priced)


def main() -> int:
    import anyio

    trial = msgspec.json.decode(sys.stdin.buffer.read(), type=Trial)
    found = anyio.run(_tried, trial)
    sys.stdout.buffer.write(msgspec.json.encode(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
