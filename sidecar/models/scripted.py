"""A model that says what it is told to, and counts: for tests, measurements and demonstrations."""

from __future__ import annotations

from collections.abc import Callable

from aftermind.engine.names import Label
from aftermind.sidecar.ports import Price, Question, Reply, Usage

READ, WROTE = 900, 60


class ScriptedModel:
    """`script` says the text for a question, or raises `NoReply`. The same question is always answered the same, if the
    script is a function of it; each costs `dollars`."""

    def __init__(
        self, script: Callable[[Question], str], *, name: str = "scripted/model", dollars: float = 0.0
    ) -> None:
        self.name = Label(name)
        self.asked: list[Question] = []
        self._script, self._dollars = script, dollars

    def price(self, question: Question) -> Price:
        read = len(question.rules.encode()) + len(question.data.encode()) + len(question.shape)
        return Price(tokens=read + question.most_tokens, dollars=self._dollars)

    async def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        return Reply(
            text=self._script(question),
            usage=Usage(calls=1, tokens_in=READ, tokens_out=WROTE, dollars=self._dollars, milliseconds=1),
        )
