"""What a clause of a user's message is worth keeping as: a rule, a taste, a choice, a value, a fact; or that it is not
worth it. Pure; part of `messages.py`.

A sign has to say what it is, and none that it is a question, a request, for this time only, unsure, or of somebody
else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.engine.lazily import lazily
from aftermind.engine.names import Kind
from aftermind.projections.reading.statements.wording_words import COPULAS
from aftermind.sidecar.captures.everywhere import HERE as _HERE
from aftermind.sidecar.captures.for_good import asked_for_good, ordered_last
from aftermind.sidecar.captures.in_general import in_general
from aftermind.sidecar.captures.in_its_stead import in_its_stead
from aftermind.sidecar.captures.sentences import (
    EVER,
    LEFT,
    REJECTED,
    WINDOW,
    acts,
    alone,
    around,
    before_why,
    done_no_more,
    first,
    no_more,
    why,
)
from aftermind.sidecar.captures.signs import MODALS, VALUE, Read, is_approved, is_plural, told_that
from aftermind.sidecar.captures.worded import OLD
from aftermind.sidecar.captures.words.grammar import (
    BUT,
    CHOSEN,
    FILLS,
    FORBIDDING,
    HERE,
    LASTING,
    NOT_THINGS,
    ORDINALS,
    OURS,
    PICKED,
    POINTING,
    REMINDING,
    SPECIFIC,
    STATES,
    WE,
    WORK,
)
from aftermind.sidecar.utterances.grammar import ALWAYS_ASKING, CONDITIONS, NEGATIONS, POLITE, REQUESTS, WHENS
from aftermind.sidecar.utterances.phrases import BY_LETTERS, words

FEWEST = 3
"""Words of what is captured."""
WAS = {"was", "were", "had"}
"""What once was is not kept as what is."""
MOST_WORDS = 45
"""Words of what is captured."""
SAID_AGAIN, CONTENT = 2, 4
"""Words that a correction shares with what it corrects, and letters of such a word."""
INSTEAD = {"over", "instead", "rather", "anymore", "longer", "away", "statt", "plutôt", "vez", "invece", "plaats"}
AND = {"und", "et", "y", "e", "i", "и", "і"}
TAGS = {"right", "correct", "oder", "verdad", "no", "né"}
CHANGED = {"renamed", "changed", "moved", "replaced", "deleted", "removed", "updated", "converted", "migrated", "fixed"}
"""What must be so once is a task."""
AUXILIARIES = {"do", "does", "did", "should", "is", "are", "can", "could", "shall", "would", "was", "were", "will"}
STANDING = EVER | {"must", "shall", "may", "only", "every", "each", "all"}
"""Words of what holds for good."""
POINTED = {"this", "that", "these", "those"}
SHORT = 5
"""Words. What is told in fewer says how the next clause is meant."""
_AT_HAND = lazily(
    r"\b(?:prefer|like|love|hate|dislike|favou?r) (?:the|this|that|these|those|how|when|what|it|its)\b"
    r"|\brather (?:have|see|keep|get|use) (?:it|this|that|the)\b"
    r"|\b(?:for|in|on) the \w+ (?:page|screen|view|form|table|list|button|header|footer|chart)\b"
    r"|第[一二三]|[一二三]番目|(?:첫|두|세) ?번째",
    re.IGNORECASE,
)
"""A taste for something that was just shown."""
_NAME = lazily(r"https?:|(?<!\w)[\w.~-]*/\w|\w_\w|`|\w\.[a-z]{2,}\b|(?<![\w-])[\w-]+\.[\w-]+\.\w")
_KNOWN = lazily("ステージング|本番|开发|測試|测试环境|生产|预发|线上|스테이징|운영|개발|我们|우리|うち")
_NAMES = lazily(r"[`_\d]|(?<=\s)\w*[A-Z]")
_LATIN = lazily("[A-Za-z0-9]")
_RATHER = lazily("不|而|代替|ではな|じゃな|代わり|아니|대신|말고")
_CHOSE = lazily(
    r"(?<=\w )(?:on|with|against|für|por|pour|per|op|na|на|for|(?:switch|mov|migrat)\w+(?: \w+)?(?: over)? to)"
    r" (?!the\b|an?\b|it\b|th[ai]s|that\b|your\b)\w",
    re.IGNORECASE,
)
_PLACED = lazily(r"\b(?:in|on|of) the \w", re.IGNORECASE)
"""Somewhere in a product."""
_DIGITS = lazily(r"\d")
_USED_HERE = lazily(
    r"\A\W*(?:btw\W+|fyi\W+)?we use (?P<what>[\w.+-]+)(?: (?:for|as) [\w -]{2,40}?)?"
    r" (?:in|for|throughout) (?:this|our) (?:repo|repository|project|codebase|monorepo)\W*\Z",
    re.IGNORECASE,
)
"""What a project works with, where that is all that is said."""
_SOME = frozenset("both them these lots many some several two three four too all our only".split())
"""Of these nothing is named."""
UNPARTED = lazily(f"[{BY_LETTERS}]")
"""Letters of scripts in which words are not parted."""
_ENDS_IN = lazily(r"\s(?:\S*/\S*|\.?[\w-]+(?:\.[\w-]+)+)$")
_CODE = lazily(r"[{};=]|(?<!:)//|=>|\(\)|::")


def kept_as(read: Sequence[Read], at: int, before: str) -> Kind | None:
    """What a clause is worth keeping as; None where it is not."""
    one, after = read[at], read[at + 1] if at + 1 < len(read) else None
    signs, said = one.signs, [word.text for word in one.clause.words]
    sentence = [other for other in around(read, at) if other.clause.sentence == one.clause.sentence]
    goes_on = after if after in sentence else None
    wished = "wish" in signs or _reminded(read, at)
    led, denied = wished or "lead" in signs or _begun(read, at, "lead"), "deny" in signs or _begun(read, at, "deny")
    general = in_general(read, at) or in_its_stead(read, at, before)
    if _is_left(one, goes_on, sentence, general) or (
        not led and any("spec" in other.signs for other in read[at + 1 : at + WINDOW])
    ):
        return None
    here = bool(_HERE.search(one.said))
    pointed = _points(said) and not here and not denied and not led
    picked = bool(set(said) & ORDINALS - {"your"}) or _AT_HAND.search(one.said) is not None
    slight = len(said) <= FEWEST and not said[-1].endswith(("s", "i", "en", "_")) and not UNPARTED.search(one.said)
    if ("taste" in signs and not picked and not pointed and not slight) or (
        goes_on is not None and _everywhere(goes_on)
    ):
        return "preference"
    chosen = (
        "choice" in signs
        and first(one) not in WHENS | CONDITIONS
        and before_why(said)[-1] not in SPECIFIC
        and not picked
        and not pointed
    )
    if chosen and _resolved(one, goes_on):
        return "decision"
    if general or no_more(one) or (ordered_last(one) and not pointed):
        return "directive"
    if here and "not" in said and set(said) & COPULAS and VALUE.search(one.said) and not one.clause.asks:
        return "fact"
    asked = goes_on is not None and ("ask" in goes_on.signs or first(goes_on) in REQUESTS)
    placed = "rule" in signs and set(said) & EVER and _PLACED.search(one.said) and not set(said) & (WORK | HERE)
    ended, ruled = done_no_more(one), "rule" in signs or (not asked and _rules(one, goes_on, led, here))
    if ruled and not (pointed or placed or ended):
        return "directive"
    if "state" in signs:
        return None
    but = goes_on is not None and first(goes_on) in FORBIDDING
    generic = said[0] not in SPECIFIC and bool(set(said) & WORK)
    if "put" in signs and not pointed and (but or generic or said[0] in ("all", "every")):
        return "directive"
    if (used := _USED_HERE.match(one.said)) and used["what"].casefold() not in PICKED | SPECIFIC | POINTED | _SOME:
        return None if one.clause.asks else "decision"
    if said[-2:] == ["it", "is"] and len(said) <= SHORT and "?" in before and _content(one.said) & _content(before):
        return "decision"
    if (said[0] in FORBIDDING or said[:2] == ["do", "not"]) and after is not None and alone(after) & EVER:
        return "directive"
    moved = "place" in signs or any("change" in other.signs for other in read[at : at + WINDOW])
    bent = (
        bool(set(said) & BUT)
        or (after is not None and why(after))
        or (goes_on is not None and _turns(one, goes_on))
        or any("state" in other.signs for other in sentence)
    )
    if not moved and not set(said) & WAS and (led or denied or not (bent or one.clause.asks)):
        again = at > 0 and read[at - 1] in sentence and "deny" in read[at - 1].signs and _again(one, before)
        if before and (again or _instead(one, sentence, before)):
            return "configuration" if one.states else "fact"
        if asked and not (here or led or denied or set(said) & OURS):
            return None
        if (here or not set(said) & POINTING) and _has_value(one, here or led or denied, led or (denied and but)):
            return "configuration"
    if set(said) & WAS:
        return None
    if "use" in signs and but:
        return "decision" if said[0] != "i" else "fact"
    if "rulish" in signs and led and is_approved(one) and not set(told_that(one)[:1]) & (SPECIFIC | WE):
        return "fact"
    if wished and "you" in said and set(said) & (STANDING | FORBIDDING):
        return "directive"
    if wished or (ended and signs & {"rule", "about"}) or ("about" in signs and (not pointed or set(said[1:2]) & HERE)):
        return "fact"
    return None


def _points(said: Sequence[str]) -> bool:
    """Whether a clause points at what is before somebody's eyes, and does not only tell which things are meant:
    "migrations that are merged"."""
    tells = {at for at in range(1, len(said) - 1) if said[at] == "that" and is_plural(said[at - 1])}
    tells = {at for at in tells if said[at + 1] in COPULAS | MODALS}
    return any(word in POINTED and at not in tells for at, word in enumerate(said))


def is_plain(read: Sequence[Read], at: int, before: str) -> bool:
    """Whether a clause says what is so, for all that its sentence shows, and is not kept anyway."""
    one = read[at]
    sentence = [other for other in around(read, at) if other.clause.sentence == one.clause.sentence]
    said = {word.text for word in one.clause.words}
    if any(other.signs & LEFT for other in sentence) or said & (WAS | STATES) or "state" in one.signs:
        return False
    goes_on = next((other for other in read[at + 1 : at + 2] if other in sentence), None)
    return not _is_left(one, goes_on, sentence) and kept_as(read, at, before) is None


def _resolved(one: Read, goes_on: Read | None) -> bool:
    """Whether a choice names what was chosen: by a name, by what it is not, or right after the word for it."""
    said = one.said if goes_on is None else f"{one.said} {goes_on.said}"
    told = set(before_why([word.text for word in one.clause.words]))
    told |= {word.text for word in goes_on.clause.words} if goes_on is not None else set()
    if UNPARTED.search(one.said):
        return _RATHER.search(said) is not None or (goes_on is None and _LATIN.search(said) is not None)
    if {word.text for word in one.clause.words} & AND and not told & INSTEAD:
        return False
    return bool(told & (NEGATIONS | INSTEAD)) or (_NAMES.search(said) or _CHOSE.search(one.said)) is not None


def _begun(read: Sequence[Read], at: int, sign: str) -> bool:
    """Whether a few words before a clause, as "no" or "fyi", say how it is meant."""
    return at > 0 and sign in read[at - 1].signs and len(read[at - 1].clause.words) < SHORT


def _reminded(read: Sequence[Read], at: int) -> bool:
    """Whether all that is said before a clause is that it be remembered: "remember this: …", "merk dir, dass …"."""
    if at == 0 or read[at - 1].clause.sentence not in (read[at].clause.sentence, read[at].clause.sentence - 1):
        return False
    before = {word.text for word in read[at - 1].clause.words}
    return bool(before & REMINDING) and before <= REMINDING | FILLS | POLITE


def _is_left(one: Read, goes_on: Read | None, sentence: Sequence[Read], general: bool = False) -> bool:
    """Whether a clause is a question, a request, of this time, of somebody else, or of what went wrong."""
    said = [word.text for word in one.clause.words]
    if (
        (one.signs & REJECTED and not general and not ordered_last(one) and not asked_for_good(one))
        or set(said) <= POLITE
        or len(said) > MOST_WORDS
        or (_CODE.search(one.said) and not general)
    ):
        return True
    if (said[0] in AUXILIARIES or said[-1] in TAGS) and said[1:2] != ["not"] and not set(said[1:2]) & EVER:
        return True
    if said[0] in ALWAYS_ASKING or "why" in said or ("everywhere" in one.signs and len(said) < SHORT):
        return True
    if any(other.signs & {"ask", "once", "others"} for other in sentence if other.clause.start < one.clause.start):
        return True
    if any("trouble" in other.signs for other in sentence):
        return True
    if goes_on is None:
        return False
    ends = bool(goes_on.signs & {"once", "others"}) and len(goes_on.clause.words) < SHORT
    return ends or (said[0] == "we" and why(goes_on))


def _rules(one: Read, goes_on: Read | None, led: bool, here: bool) -> bool:
    """Whether a clause says how things have to be, or forbids after "note" and its like."""
    begins, said = first(one), {word.text for word in one.clause.words}
    if that := told_that(one):
        begins = that[0]
    if is_approved(one) and not said & STANDING:
        return False
    standing = led or here or bool(said & STANDING and "now" not in said)
    if said & CHANGED and not said & (EVER | {"not"}):
        return False
    if "rulish" in one.signs and standing and begins not in SPECIFIC and (led or goes_on is None or not why(goes_on)):
        return True
    return led and begins in FORBIDDING and not one.signs & {"state", "wish"}


def _has_value(one: Read, known: bool, told: bool) -> bool:
    """Whether a clause says the value of a thing that has a name, and not what it is just now. `known`: it is of this
    project or a correction; `told`: that alone says that it is a value to know."""
    said = {word.text for word in one.clause.words}
    if one.gives and (told or _kept_at(one)):
        return True
    if one.states and (known or one.named or said & (OURS | CHOSEN) or _lasting(one)):
        return True
    if "use" not in one.signs:
        return False
    return (one.uses and first(one) != "i") or ("thing" in one.signs and bool(VALUE.search(one.said)))


def _lasting(one: Read) -> bool:
    """Whether a value is an address, a path or a name, not a number that may be of the moment; or is where a thing
    runs or what it is called."""
    return bool(_NAME.search(one.said) or _KNOWN.search(one.said) or {word.text for word in one.clause.words} & LASTING)


def _kept_at(one: Read) -> bool:
    """Whether all that is said of a thing is the path or address it has."""
    said = {word.text for word in one.clause.words}
    return bool(_ENDS_IN.search(one.said)) and len(said) > FEWEST and not said & (NOT_THINGS | PICKED - {"the"})


def _again(one: Read, before: str) -> bool:
    """Whether a clause says again what was said before, with something else in it."""
    return len(_content(one.said) & _content(before)) >= SAID_AGAIN


def _instead(one: Read, sentence: Sequence[Read], before: str) -> bool:
    """Whether a clause says how something is, and that it is not what was said before."""
    said = [word.text for word in one.clause.words]
    is_said = set(said[:4]) & (COPULAS | {"am", "its"}) or (len(said) > 1 and said[1].endswith("s"))
    if not (is_said or one.signs & {"verb", "use", "about"}):
        return False
    rest = " ".join(other.said for other in sentence if other.clause.start >= one.clause.start)
    old = OLD.search(rest)
    if old is None or old.start() == 0 or rest[: old.start()].endswith(("is ", "'s ", "are ", "was ", "am ", "'m ")):
        return False
    return old["old"].strip("`").casefold() in before.casefold() and old["old"].casefold() not in PICKED


def _content(text: str) -> set[str]:
    return {word.text for word in words(text) if len(word.text) >= CONTENT}


def _turns(one: Read, after: Read) -> bool:
    """Whether the next clause wants something else than what is: it says but, acts on it, or has another number."""
    another = _DIGITS.search(one.said) and _DIGITS.search(after.said) and first(after) not in FORBIDDING
    return first(after) in BUT or acts(after) or bool(another)


def _everywhere(one: Read) -> bool:
    """Whether the next clause has it that what is said is wanted in all projects."""
    return "everywhere" in one.signs and len(one.clause.words) <= SHORT
