"""Private keys, put together here, so that no whole one stands in the source."""

from __future__ import annotations

from base64 import b64encode
from random import Random


def pem(kind: str = "PRIVATE KEY", size: int = 2400, fields: str = "", seed: int = 1) -> str:
    """One of so many bytes, each of whose lines is in no other."""
    body = b64encode(Random(seed).randbytes(size)).decode()
    lines = [body[start : start + 64] for start in range(0, len(body), 64)]
    return "\n".join(["-----" + f"BEGIN {kind}-----", *fields.splitlines(), *lines, "-----" + f"END {kind}-----"])


def body_of(key: str) -> list[str]:
    """What nobody may find anywhere."""
    return [line for line in key.split("\n") if "-----" not in line and ":" not in line and len(line) > 20]
