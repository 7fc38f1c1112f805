"""Forms of words, as far as two statements need them to see that they use one word; what a form tells of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.projections.reading.statements import words as table
from aftermind.projections.reading.statements.pieces import Piece


def singular(key: str) -> str:
    if len(key) > 4 and key.endswith("ies"):
        return key[:-3] + "y"
    return without_s(key)


def without_s(key: str) -> str:
    plain = len(key) > 3 and key.endswith("s") and key.isascii() and key[-2] not in "suia'"
    return key[:-1] if plain else key


def stem(key: str) -> str:
    """A verb without its endings; only has to be the same for the same verb."""
    for ending, instead in (("ies", "y"), ("ied", "y"), ("tted", "t"), ("pped", "p"), ("nned", "n"), ("es", "e")):
        if key.endswith(ending) and len(key) > len(ending) + 1:
            return _plain(key[: -len(ending)] + instead)
    for ending in ("ed", "s", "d"):
        if key.endswith(ending) and len(key) > len(ending) + 2:
            return _plain(key[: -len(ending)])
    return table.ROLES.get(key, key)


_BARE = {"liv": "live", "hos": "host", "locat": "locate", "stor": "store", "expir": "expire", "clos": "close"} | {
    "us": "use", "requir": "require", "requi": "require", "resid": "reside", "rotat": "rotate", "writ": "write",
    "goe": "go", "tak": "take", "serv": "serve", "resolv": "resolve", "deploye": "deploy", "expose": "expose",
    "pushe": "push", "launche": "launch", "branche": "branch", "finishe": "finish", "matche": "match", "tie": "tie",
}  # fmt: skip


def _plain(key: str) -> str:
    return _BARE.get(key, table.ROLES.get(key, key))


def role_stem(key: str) -> str:
    return table.ROLES.get(key, stem(key))


def is_participle(piece: Piece) -> bool:
    if piece.sort != "word" or piece.is_name:
        return False
    return piece.key in table.PARTICIPLES or (piece.key.endswith("ed") and len(piece.key) > 4)


def is_person(subject: Sequence[Piece]) -> bool:
    keys = [piece.key for piece in subject if piece.key not in table.ARTICLES]
    return all(key in table.PEOPLE or key in table.US for key in keys)


def agrees(verb: Piece, subject: Sequence[Piece]) -> bool:
    """The verb of a sentence ends in -s, or its subject does, or is `we`."""
    last = subject[-1].key
    return verb.key.endswith("s") or last in table.US or last in ("i", "we") or last.endswith("s")


def is_compound(cut: Sequence[Piece], n: int) -> bool:
    """`request limit`, `the deploys of`: a noun that looks like a verb."""
    return n > 0 and cut[n - 1].key in table.ARTICLES
