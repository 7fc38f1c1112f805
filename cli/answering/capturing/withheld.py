"""The prompts and turns that were not captured, by their sessions: what answers one is not captured either, also where
it comes after the pause, after the next prompt, once more, or from another folder. Pure; digests only, and in memory
only."""

from __future__ import annotations

from hashlib import sha256

from aftermind.engine.names import SessionId

MOST = 1000
"""Sessions of which something is held."""
MOST_OF_ONE = 100
"""Turns, prompts and answers that are held of one session, the last ones."""


class _Session:
    def __init__(self) -> None:
        self.is_last = False
        """Whether its last prompt was withheld."""
        self.turns: dict[bytes, None] = {}
        self.prompts: dict[bytes, None] = {}
        self.answers: dict[bytes, None] = {}
        """Those that name no turn, until the next prompt: another one may be answered in the same words."""


class Withheld:
    def __init__(self) -> None:
        self._sessions: dict[SessionId, _Session] = {}

    def withhold(self, session: SessionId, prompt: str, turn: str | None) -> None:
        """A prompt; `turn` is its client's id of it."""
        held = self._held(session)
        held.is_last = True
        _hold(held.prompts, prompt)
        _hold(held.turns, turn)

    def withhold_answer(self, session: SessionId, answer: str, turn: str | None) -> None:
        """What was refused: told again it is the same."""
        held = self._held(session)
        _hold(held.turns if turn else held.answers, turn or answer)

    def capture(self, session: SessionId, prompt: str, turn: str | None) -> None:
        """Another prompt of the session was captured, or the same one, said again."""
        if (held := self._sessions.get(session)) is not None:
            held.is_last = False
            held.prompts.pop(_digest(prompt), None)
            held.turns.pop(_digest(turn or ""), None)
            held.answers.clear()

    def answered_by(self, session: SessionId, prompt: str, turn: str | None = None, answer: str = "") -> bool:
        """Whether an exchange of that session answers a withheld prompt. One that says no prompt and no turn that is
        known here answers the last."""
        held = self._sessions.get(session)
        if held is None or (turn and _digest(turn) in held.turns):
            return held is not None
        if prompt.strip():
            return _digest(prompt) in held.prompts
        return held.is_last or (not turn and bool(answer.strip()) and _digest(answer) in held.answers)

    def _held(self, session: SessionId) -> _Session:
        held = self._sessions.pop(session, None) or _Session()
        if len(self._sessions) >= MOST:
            del self._sessions[next(iter(self._sessions))]
        self._sessions[session] = held
        return held


def _hold(digests: dict[bytes, None], text: str | None) -> None:
    if text and text.strip():
        digests[_digest(text)] = None
        if len(digests) > MOST_OF_ONE:
            del digests[next(iter(digests))]


def _digest(text: str) -> bytes:
    """Of its words: clients differ in the blanks around and between them."""
    return sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).digest()
