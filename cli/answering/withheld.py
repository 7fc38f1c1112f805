"""The prompts that were not captured, by their sessions: what answers one is not captured either, also where it comes
after the pause, or from another folder. Pure; digests only, and in memory only."""

from __future__ import annotations

from hashlib import sha256

from aftermind.engine.names import SessionId

MOST = 1000
"""Sessions whose prompt is held."""


class Withheld:
    def __init__(self) -> None:
        self._digests: dict[SessionId, bytes] = {}

    def withhold(self, session: SessionId, prompt: str) -> None:
        if len(self._digests) >= MOST:
            del self._digests[next(iter(self._digests))]
        self._digests[session] = _digest(prompt)

    def capture(self, session: SessionId) -> None:
        """Another prompt of the session was captured."""
        self._digests.pop(session, None)

    def answered_by(self, session: SessionId, prompt: str) -> bool:
        """Whether an exchange of that session answers its withheld prompt; one without a prompt does."""
        digest = self._digests.get(session)
        return digest is not None and (not prompt.strip() or digest == _digest(prompt))


def _digest(prompt: str) -> bytes:
    return sha256(prompt.encode("utf-8", "surrogatepass")).digest()
