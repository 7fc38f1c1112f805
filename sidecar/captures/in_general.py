"""Rules that neither "never" nor "always" marks: what is forbidden in an area of the work ("don't mock the database in
tests"), what code is to do without ("avoid default exports"), and what is wanted before every commit ("make sure to run
the linter before each push"). Pure.

The same words may be an order for the task at hand. They are a rule where they point at nothing that is before
somebody's eyes, no area and no thing by "the" or "this", and where nothing else is said in the message: beside a task,
however it is asked for, they may be of that task alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.sidecar.captures.signs import Read
from aftermind.sidecar.captures.words.en import PHRASES
from aftermind.sidecar.utterances.grammar import NO, POLITE

_HOW_WRITTEN = frozenset("use mock hardcode import log catch write put include throw raise print".split())
"""What is forbidden of how things are written; who forbids to touch or to run something may mean a task."""
_OF_CODE = frozenset(
    "library production prod test application app server client public shared example generated new".split()
)
"""Which code it is, so that it is not that of the task."""
_AREAS = frozenset(
    """
    tests specs messages docstrings comments components controllers templates examples fixtures services hooks handlers
    models views endpoints modules packages libraries scripts stylesheets migrations apis
    """.split()
)
_UNIQUE = frozenset(
    "database db network clock filesystem api cache queue browser dom time system backend server".split()
)
"""Of these there is one to mock: "the database" points at none before somebody's eyes."""
_POINTING = frozenset(
    """
    the a an this that these those it its them they he she you your my me we our i here there now yet again anything
    everything something more any so too first instead new old other and or but if when unless until because
    """.split()
)
_AVOIDED = frozenset(PHRASES["$banned"].split()) - {"pushes", "merges"}
_COUNTED = frozenset("all two three both lots many duplicate unused large adding writing making".split())
"""Of these there are some before somebody's eyes."""
_DONE = frozenset("run rerun update format lint bump rebase squash pull rebuild regenerate tag typecheck".split())
_STEPS = frozenset("commit push pr merge release deploy deployment pull-request".split())
"""What is done over and over by who works on a project."""
_OF_THE_PROJECT = frozenset(
    """
    test tests suite linter linters lint formatter checks check typecheck typechecker build changelog version docs
    documentation readme lockfile lockfiles snapshots types dependencies translations migration migrations seed seeds
    hooks branch history commits code generator codegen schema notes
    """.split()
)
"""What of it that is done to: a program that is made there commits, pushes and merges, too, and updates a row first."""
_SURE = (
    ("make", "sure", "to"),
    ("make", "sure", "you"),
    ("make", "sure", "that", "you"),
    ("be", "sure", "to"),
    ("remember", "to"),
    ("do", "not", "forget", "to"),
)
MOST = 5
"""Words of what is forbidden, and of what is avoided."""


def in_general(read: Sequence[Read], at: int) -> bool:
    """Whether a clause is such a rule, and nothing else of the message a task."""
    if not _is_of_all(_said(read[at])) or read[at].signs & {"once", "maybe", "others", "everywhere"}:
        return False
    return all(_leaves_alone(read[at], one) for place, one in enumerate(read) if place != at)


def _leaves_alone(rule: Read, one: Read) -> bool:
    """Whether another clause asks for nothing that the rule may be of: it is one, too, or only polite, or goes on with
    what the rule says."""
    said = {word.text for word in one.clause.words}
    begins = [word.text for word in one.clause.words[:2]]
    if begins[:1] in (["i"], ["we"]) and begins[1:] in (["am"], ["are"], ["will"]):  # "…, I'll do it"
        return False
    if said <= POLITE | NO or "rule" in one.signs or _is_of_all(_said(one)) or in_its_place(rule, one):
        return True
    if one.clause.asks or said & {"now", "today"}:
        return False
    follows = one.clause.sentence == rule.clause.sentence and one.clause.start > rule.clause.start
    return follows and not one.signs & {"ask", "once", "others", "trouble", "spec", "change"}


def in_its_place(rule: Read, one: Read) -> bool:
    """Whether a clause says what to use where a rule has it that something is not used: "…, use anyhow instead"."""
    said, told = _said(rule), _said(one)
    if rule.clause.sentence != one.clause.sentence or rule.clause.start >= one.clause.start:
        return False
    return said[:3] == ["do", "not", "use"] and told[:1] == ["use"] and not set(told) & (_POINTING - {"the", "instead"})


def _said(one: Read) -> list[str]:
    said = [word.text for word in one.clause.words]
    while said and said[0] in POLITE:
        del said[0]
    return said


def _is_of_all(said: Sequence[str]) -> bool:
    return _is_forbidden(said) or _is_avoided(said) or _is_wanted(said)


def _is_forbidden(said: Sequence[str]) -> bool:
    """ "Don't mock the database in tests": of things without a determiner, or of one there is only one of."""
    if said[:2] != ["do", "not"] or len(said) <= len(("do", "not", "use", "in", "tests")):
        return False
    if said[2] not in _HOW_WRITTEN:
        return False
    what, area = _parted(said[3:])
    if what[:1] == ["the"] and said[2] == "mock" and len(what) == 2 and what[1] in _UNIQUE:
        what = what[1:]
    return 0 < len(what) <= MOST and not set(what) & _POINTING and _is_area(area)


def _is_avoided(said: Sequence[str]) -> bool:
    if said[:1] != ["avoid"]:
        return False
    what, area = _parted(said[1:])
    what = what[1:] if what[:1] == ["using"] else what
    if not what or len(what) > MOST or set(what) & (_POINTING | _COUNTED):
        return False
    if area:
        return _is_area(area) and (_is_habit(what) or what == ["_"])
    return _is_habit(what)


def _is_habit(what: Sequence[str]) -> bool:
    return what[-1] in _AVOIDED and (what[-1] != "numbers" or "magic" in what)


def _is_wanted(said: Sequence[str]) -> bool:
    """ "Make sure to run the linter before every commit"."""
    begins = next((len(words) for words in _SURE if tuple(said[: len(words)]) == words), 0)
    if not begins:
        return False
    rest = [word for word in said[begins:] if word != "always"]
    if len(rest) <= len(("run", "before", "every", "commit")) or rest[0] not in _DONE:
        return False
    *what, when, each, step = rest[:-1] if rest[-2:] == ["pull", "request"] else rest
    every = when in ("before", "after") and each in ("every", "each", "any")
    if not every or step not in _STEPS | {"pull"} or set(what) & (_POINTING - {"the", "and", "a"}):
        return False
    told, named = set(what), rest[0] in ("run", "rerun") and not {"the", "a"} & set(what)
    return named or not told - {"and"} - _DONE or bool(told & _OF_THE_PROJECT)


def _parted(said: Sequence[str]) -> tuple[list[str], list[str]]:
    """What, and in which area."""
    last = max((place for place, word in enumerate(said) if word == "in"), default=len(said))
    return list(said[:last]), list(said[last + 1 :])


def _is_area(area: Sequence[str]) -> bool:
    if not area or len(area) > 3 or set(area) & _POINTING - {"new"}:
        return False
    if area[-1] == "code":
        return len(area) == 2 and area[0] in _OF_CODE
    return area[-1] in _AREAS or list(area) in (["production"], ["prod"])
