"""Private keys, put together here, so that no whole one stands in the source."""

from __future__ import annotations

from base64 import b64encode
from random import Random


def pem(kind: str = "PRIVATE KEY", size: int = 2400, fields: str = "", seed: int = 1) -> str:
    """One of so many bytes, each of whose lines is in no other."""
    body = b64encode(Random(seed).randbytes(size)).decode()
    lines = [body[start : start + 64] for start in range(0, len(body), 64)]
    return "\n".join(["-----" + f"BEGIN {kind}-----", *fields.splitlines(), *lines, "-----" + f"END {kind}-----"])


def ppk(size: int = 596, seed: int = 2) -> str:
    """One as PuTTY keeps it: what is public stands before it, unmasked."""
    public, private = (b64encode(Random(seed + n).randbytes(size // (2 - n))).decode() for n in (0, 1))
    lines = [[body[start : start + 64] for start in range(0, len(body), 64)] for body in (public, private)]
    head = [
        "PuTTY-User-Key-File-" + "3: ssh-rsa",
        "Encryption: none",
        "Comment: ann@host",
        f"Public-Lines: {len(lines[0])}",
    ]
    tail = ["Private-" + f"Lines: {len(lines[1])}", *lines[1], "Private-" + f"MAC: {'0a1b' * 16}"]
    return "\n".join([*head, *lines[0], *tail])


def body_of(key: str) -> list[str]:
    """What nobody may find anywhere."""
    return [
        line
        for line in key.split("Private-Lines")[-1].split("\n")
        if "-----" not in line and ":" not in line and len(line) > 20
    ]
