"""What the remarks of a follow-up come to: the signs so far, and how far the rest of it lets them count. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from aftermind.sidecar.cues.clauses.amounts import Says, Sign
from aftermind.sidecar.cues.weighing.remarks import Setting

BARE, SURE, STEADY = 0, 1, 2
"""How firm the failures are: by a word that may be of anything ("an error"); by words that are of what was done ("does
not work"); by what no praise beside it softens ("still", "no", a count of failures)."""
BESIDE, PRAISED, BEFORE = 1, 2, 3
"""What leaves failures in doubt, unless they are firmer or as firm: a report that no sign explains; praise that nothing
takes back. A report that no sign explains and that comes before any sign is more than any failure bears."""


class Tally(Struct, frozen=True):
    """What the remarks so far come to."""

    signs: tuple[Sign, ...] = ()
    """Failures, parts and what is to be undone."""
    good: tuple[Sign, ...] = ()
    """Successes: apart, as a condition or a "then it hung" takes all of them back."""
    good_in: int = -1
    """The sentence with the latest success."""
    firm: int = BARE
    doubt: int = 0
    mine: bool = False
    """The user was wrong themselves."""
    perfect: str = ""
    """The first praise of what was done that is a success where there is no other sign."""
    perfect_in: int = -1
    """Its sentence."""
    trouble_in: frozenset[int] = frozenset()
    """The sentences in which a clause of its own names trouble, of whatever it is: praise before it may be irony."""

    def adding(self, says: Says, words: str, firm: int = BARE) -> Tally:
        return structs.replace(self, signs=(*self.signs, Sign(says, words)), firm=max(self.firm, firm))

    def doubting(self, doubt: int) -> Tally:
        return structs.replace(self, doubt=max(self.doubt, doubt))


def begun(counted: Sequence[Sign]) -> Tally:
    """With what the amounts say: "3 failed"."""
    signs = tuple(sign for sign in counted if sign.says != "work")
    good = tuple(sign for sign in counted if sign.says == "work")
    return Tally(signs=signs, good=good, firm=STEADY if any(sign.says == "fail" for sign in signs) else BARE)


def weighed(tally: Tally, setting: Setting) -> list[Sign]:
    """The signs that count when everything was heard; successes first."""
    good, signs = tally.good, tally.signs
    if setting.trouble_wanted and setting.still:
        good = ()
    elif setting.trouble_wanted and (good or tally.perfect):
        signs = _without_failures(signs)
    if not good and tally.doubt > tally.firm:
        signs = _without_failures(signs)
    if not good and not signs and tally.perfect and tally.perfect_in not in tally.trouble_in:
        good = (Sign("work", tally.perfect),)
    if good and tally.mine:
        signs = _without_failures(signs)
    return [*good, *signs]


def _without_failures(signs: Sequence[Sign]) -> tuple[Sign, ...]:
    return tuple(sign for sign in signs if sign.says != "fail")
