"""Names that differ in a number alone: whether the one does what the other did, or both go on together. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.engine.lazily import lazily

_DIGITS = lazily(r"\d+")
_MEMBER = lazily(
    r"(?<![a-z])(?:node|shard|replica|worker|pod|peer|partition|broker|instance|member|slot|core|gpu|cpu|disk|rack|zone"
    r"|az|region|mirror|seed|leader|follower|slave|master|agent|runner|vm|knoten|nœud|nodo|ipv?"
    r"|[a-z]{2}-(?:gov-)?(?:north|south|east|west|central)[a-z]*)s?(?![a-z])"
)
"""What there are many of beside each other, whatever their numbers."""
_OF_MEMBERS = frozenset(("cluster", "fleet", "pool", "farm", "ring", "mesh", "grid", "swarm", "balancer", "quorum"))
"""What consists of such."""
_FILES = r"(?!py|js|ts|rs|go|sh|sql|db|ya?ml|toml|json|xml|csv|txt|md|conf|cfg|ini|log|env|html|css|gz|zip|pem)"
_INSTEAD = (
    lazily(rf"(?:[a-z]+://)?[a-z-]*(?P<part>\d+)[a-z-]*(?:\.[a-z0-9-]+)*\.{_FILES}[a-z]{{2,}}(?::\d+)?(?:/\S*)?"),
    lazily(r"(?:\d{1,3}\.){3}(?P<part>\d{1,3})"),
    lazily(r"[a-z]+://\S*/v(?P<part>\d+)(?:/\S*)?"),
    lazily(r"[a-z]+[-_@]?v?(?P<part>\d+(?:\.\d+)+)"),
)
"""A host, an address, a version of an interface, a dotted version: names of what one is used of at a time."""


def is_member(word: str) -> bool:
    """Whether there are many of it beside each other."""
    return _MEMBER.fullmatch(word) is not None


def differ_in_a_number(one: str, other: str, about: Sequence[str]) -> bool:
    """`db-1.internal` and `db-2.internal`, `sha1` and `sha256`; not what is a part of a cluster, or of a region."""
    if _DIGITS.sub("0", one) != _DIGITS.sub("0", other) or not _OF_MEMBERS.isdisjoint(about):
        return False
    return _MEMBER.search(one.rpartition("://")[2].partition(".")[0]) is None


def stands_instead(one: str, other: str) -> bool:
    """Whether it is sure of two such names that the one does what the other did."""
    return any(_rest(form, one) == _rest(form, other) is not None for form in _INSTEAD)


def _rest(form: re.Pattern[str], name: str) -> str | None:
    """A name without the number that may differ; None of what is not called in that form."""
    found = form.fullmatch(name)
    return None if found is None else f"{name[: found.start('part')]} {name[found.end('part') :]}"
