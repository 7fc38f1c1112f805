"""A tool that is to be used in place of the one that the answer used: "no, use pnpm not npm". Pure.

Of such tools a project has one, so who names another means every time, though it is worded like a request.
"""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.engine.lazily import lazily
from aftermind.projections.reading.statements.ordered_words import VALUES
from aftermind.sidecar.captures.sentences import AT_HAND
from aftermind.sidecar.captures.signs import Read
from aftermind.sidecar.captures.worded import OLD
from aftermind.sidecar.utterances.grammar import POLITE

MOST = 8
"""Words of what says nothing else."""
_USE = frozenset(
    """
    use run nimm nehmt nutz nutze nutzt verwende verwendet benutz benutze usa usá usad usen use utiliza utilise utilisez
    prends prenez usate gebruik
    """.split()
)
_NAME = lazily(r"[^\W_][\w-]*")


def in_its_stead(read: Sequence[Read], at: int, before: str) -> bool:
    """Whether a clause, with the one that goes on from it, orders that; `before` is the answer."""
    one = read[at]
    both = [one, *(after for after in read[at + 1 : at + 2] if after.clause.sentence == one.clause.sentence)]
    said = [word.text for part in both for word in part.clause.words if word.text not in POLITE]
    signs = {sign for part in both for sign in part.signs}
    if not said or said[0] not in _USE or len(said) > MOST or (AT_HAND | {"i"}) & {w.text for w in one.clause.words}:
        return False
    if one.clause.asks or signs & {"once", "maybe", "others", "spec", "trouble"}:
        return False
    text = ", ".join(part.said for part in both)
    old = OLD.search(text)
    if old is None:
        return False
    left = old["old"].strip("`").casefold()
    sort = _tool(left)
    others = {name for name in _names(text) if name != left and sort and _tool(name) == sort}
    return bool(others) and left in _names(before)


def _names(text: str) -> set[str]:
    return {name.casefold() for name in _NAME.findall(text)}


def _tool(name: str) -> str:
    """Of which tools it is one; of values that are no tools, nothing."""
    sort = VALUES.get(name, ("", ""))[0]
    return sort if " " in sort else ""
