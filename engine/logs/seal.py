"""A hash chain over the log: what was recorded cannot be changed, reordered or cut out unseen. Pure.

    digest = SHA-256(salt ‖ payload)
    seal_n = SHA-256(seal_{n-1} ‖ position, id, stream, version, tag, at, noted, because, digest)

The chain runs over digests, not over payloads: a payload (and its salt, or a short text could be guessed) can be
erased and every seal still verifies. What a chain cannot see is a tail cut off at a commit: that is noticed by
comparing with the highest position a view, a backup or an export has seen.
"""

from __future__ import annotations

from hashlib import sha256

FIRST = bytes(32)
SALT_BYTES = 16


def digest(salt: bytes, payload: bytes) -> bytes:
    """32 bytes that stand for the payload."""
    return sha256(salt + payload).digest()


def seal(
    previous: bytes,
    position: int,
    id: str,
    stream: str,
    version: int,
    tag: str,
    at: int,
    noted: int,
    because: str | None,
    digest: bytes,
) -> bytes:
    """32 bytes that stand for this event and everything before it. Fields are joined by a unit separator,
    which no id, stream or tag contains."""
    cause = "" if because is None else f"={because}"
    fields = f"{position}\x1f{id}\x1f{stream}\x1f{version}\x1f{tag}\x1f{at}\x1f{noted}\x1f{cause}\x1f"
    return sha256(previous + fields.encode("utf-8", "surrogatepass") + digest).digest()
