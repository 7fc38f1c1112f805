"""What a user's message says that is worth keeping: rules, tastes, choices, values, facts. No model. Pure.

It reads what the user says in their own voice, clause by clause, and keeps a clause where a sign says what it is and no
sign says that it is a question, a request, for this time only, unsure, or of somebody else. Rather nothing than
something wrong: what is captured is shown again as the user's own words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from aftermind.engine.names import Kind
from aftermind.sidecar.addressed import without_orders
from aftermind.sidecar.capturing_words import LANGUAGES
from aftermind.sidecar.cues_words.grammar import ALWAYS_ASKING, ASKING, POLITE
from aftermind.sidecar.languages import languages_of
from aftermind.sidecar.phrases import Hit, Table, hits, table
from aftermind.sidecar.ports import Learned
from aftermind.sidecar.voice import Clause, ends_of, listen

REVISION = 2
"""Of the rules."""
LONGEST = 400
"""Characters of what is captured."""
MOST = 8
"""Things of one message."""
FEWEST = 3
SHORT = 5
"""Words. A clause of fewer is said with the one after it."""
REJECTED = {"once", "maybe", "others", "ask"}
SPECIFIC = frozenset(
    """
    the it this that these those they he she we you there your i my
    """.split()  # noqa: SIM905
)
"""What a rule for everything does not begin with."""
COPULAS = frozenset(
    """
    is are was were ist sind est sont es son está están é são fica è sono zijn jest są lautet
    """.split()  # noqa: SIM905
)
NAMING = frozenset("called named pinned capped limited stored hosted deployed exposed behind".split())  # noqa: SIM905
BETWEEN = frozenset(
    """
    now still at on actually set to jetzt auf maintenant désormais sur ahora en agora em na no ora
    adesso su nu op teraz na the der die le la el il de het
    """.split()  # noqa: SIM905
)
SUBJECTS = frozenset(
    """
    i you he she it they we the this that these those my your ich du er es sie man das
    der die je tu il elle ça on ce j' c' qu' yo tú él eso esto me lo la le
    se eu você ele ela isso esse este essa io lui lei questo questa ik jij hij dit het dat mi to
    ten on ona я ты он она оно это этот эта вечно це він вона bu şu o te si s' n'ai ai
    """.split()  # noqa: SIM905
)
"""Who or what does something: with one of these, "never" tells, it does not rule."""
TOLD = ("ing", "ed", "tion")
IDLE = frozenset(
    """
    again thought seen heard been had happy good nice fun a an better
    too two same works fails happens had knew got was were is are
    gonna mind came did does has said late early wieder schon gut
    mehr so gleich plus pareil comme bien más igual bien mais bem più
    così meer zo już tak снова так больше
    """.split()  # noqa: SIM905
)
"""After "never" or "always" they tell how it was; an order has a verb there."""
QUANTIFIERS = frozenset("every all each any no nothing nobody everything new only".split())  # noqa: SIM905
POINTING = frozenset("your this that these those here's".split())  # noqa: SIM905
"""A value of something that is pointed at is not one to remember."""
UNITS = frozenset(
    """
    commits gb mb kb % times lines users rows items files ms seconds behind errors warnings
    """.split()  # noqa: SIM905
)
NEAR = 4
"""Words between a thing and the verb that gives its value."""
FORBIDDING = frozenset(
    """
    no never always ever not kein keine nie niemals immer nicht jamais toujours pas nunca siempre sempre mai
    nooit altijd geen niet nigdy zawsze никогда всегда не а ніколи завжди asla only
    """.split()  # noqa: SIM905
)
MOST_WORDS = 45

_VALUE = re.compile(
    r"\d|[_`/]|[a-z]\w*[A-Z]|\b[A-Z]{2,}\b|\.[a-z]|\w-\w|\b(?:called|named|heißt|appelle|llama|chama|chiama|heet"
    r"|nazywa|называется)\b"
)
_CODE = re.compile(r"[{};=]|(?<!:)//|=>|\(\)|::")
_BULLET = re.compile(r"^\s*[-*•]\s", re.MULTILINE)
_SPEAKER = re.compile(r"^[A-Z]\w+: ", re.MULTILINE)
_GOES_ON = re.compile(
    r"(?:not|no|never|unless|instead|because|since|rather|ever|without|nicht|kein\w*|sondern|statt|immer|nie|pas"
    r"|jamais|sauf|no|nunca|sin"
    r"|não|nunca|sem|non|mai|senza|niet|geen|nie|не|а не|без|even|one|always|and|und|et|y|e|en|i|и|that|which|as"
    r"|so that|when|wenn|quand|cuando|quando|als|gdy|когда|коли|где|dass|que|че)\b",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"\b(?:not|nicht|pas|no|não|non|niet|nie|а не|не|instead of|rather than|statt|au lieu de|en lugar de"
    r"|en vez de|em vez de|invece di"
    r"|in plaats van|zamiast|вместо|from|von|de|da|van|z|с)\s+(?P<old>[`\w./:@-]*[\w`])",
    re.IGNORECASE,
)


class Read(Struct, frozen=True):
    """A clause, with the signs that were found in it."""

    clause: Clause
    signs: frozenset[str]
    said: str
    states: bool


@cache
def _table(languages: tuple[str, ...]) -> Table:
    return table([LANGUAGES[name] for name in sorted(languages) if name in LANGUAGES])


def captured(message: str, before: str = "") -> tuple[Learned, ...]:
    """What is worth keeping of a message, each with the words it stands in. `before`: the answer it is a reply to."""
    message = ends_of(message)
    if len(message) < 8:
        return ()
    said = without_orders(message)
    if len(_BULLET.findall(said)) > 1 or len(_SPEAKER.findall(said)) > 1:
        said = "\n".join(line for line in _kept_lines(said))
    heard = listen(said)
    languages = languages_of(heard.typed)
    found: list[Learned] = []
    clauses = heard.clauses
    ready = _table(languages)
    read = [_read(one, message, ready) for one in clauses]
    asking = _asking(clauses)
    at = 0
    while at < len(read) and len(found) < MOST:
        end = at + 1
        kind = None if asking[at] else _kind(read, at, before)
        if kind is not None:
            while end < len(read) and not asking[end] and _continues(read, at, end, kind):
                end += 1
            if _enough(read[at:end]):
                found.append(_learned(message, read, at, end, kind, before))
        at = end
    return tuple(found)


def _kept_lines(said: str) -> list[str]:
    """The lines, blank where they are a list or a conversation that was pasted; as long as before."""
    return [" " * len(line) if _BULLET.match(line) or _SPEAKER.match(line) else line for line in said.split("\n")]


def _read(clause: Clause, message: str, ready: Table) -> Read:
    polite = 0
    while polite < len(clause.words) and clause.words[polite].text in POLITE:
        polite += 1
    found = [hit for hit in hits(ready, clause.text, clause.words) if _stands(hit, clause, polite)]
    bare = {hit.first for hit in found if hit.sign == "verb" and hit.first >= 0 and _is_bare(clause, hit)}
    things = [hit.last for hit in found if hit.sign == "thing"]
    return Read(
        clause=clause,
        signs=frozenset(hit.sign for hit in found if hit.sign != "verb" or hit.first not in bare),
        said=message[clause.start : clause.start + len(clause.text)],
        states=any(_value_after(clause, at) and any(0 < at - thing <= NEAR for thing in things) for at in bare),
    )


def _stands(hit: Hit, clause: Clause, polite: int) -> bool:
    """Whether a sign is where it means what it says: a request begins its clause, "never" begins a rule or follows an
    order without anybody who did something; "must" has somebody it is said of, and more than one."""
    said = [word.text for word in clause.words]
    if hit.sign == "ask":
        return hit.first <= polite
    if hit.sign == "rule" and hit.first >= 0 and hit.last - hit.first < 2 and _forbids(hit, said):
        after = said[hit.last + 1] if hit.last + 1 < len(said) else ""
        orders = bool(after) and after not in SUBJECTS | IDLE and not after.endswith(TOLD)
        return hit.first <= polite + 1 and not set(said[: hit.first]) & SUBJECTS and orders
    if hit.sign == "rulish" and hit.first >= 0:
        before = said[polite : hit.first]
        if not before or before[0] in SPECIFIC:
            return False
        return before[0] in QUANTIFIERS or (_forbids(hit, said) and (_plural(before[-1]) or "and" in before))
    return True


def _forbids(hit: Hit, said: Sequence[str]) -> bool:
    return bool(set(said[hit.first : hit.last + 1]) & FORBIDDING)


def _plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _is_bare(clause: Clause, hit: Hit) -> bool:
    """ "is", "are", "is at": they say the value of a thing only where both are near."""
    return clause.words[hit.first].text in COPULAS and clause.words[hit.last].text not in NAMING


def _value_after(clause: Clause, at: int) -> bool:
    """Whether a number, a name or an address stands right after a verb."""
    following = [word for word in clause.words[at + 1 : at + 5] if word.text not in BETWEEN][:2]
    if not following or (len(following) > 1 and following[1].text in UNITS):
        return False
    value = clause.text[following[0].start : following[0].end]
    return following[0].text == "_" or bool(_VALUE.search(value)) or value[:1].isupper()


def _asking(clauses: Sequence[Clause]) -> list[bool]:
    """Which clauses are, or belong to, a question: from the one that begins it to the end of its sentence."""
    begun: dict[int, int] = {}
    count: dict[int, int] = {}
    for at, clause in enumerate(clauses):
        count[clause.sentence] = count.get(clause.sentence, 0) + 1
        plain = [word.text for word in clause.words if word.text not in POLITE]
        if clause.asks and plain and plain[0] in ASKING and clause.sentence not in begun:
            begun[clause.sentence] = at
    return [
        clause.asks and (at >= begun[clause.sentence] if clause.sentence in begun else count[clause.sentence] == 1)
        for at, clause in enumerate(clauses)
    ]


def _kind(read: Sequence[Read], at: int, before: str) -> Kind | None:
    """What a clause is worth keeping as; None where it is not."""
    one, after = read[at], read[at + 1] if at + 1 < len(read) else None
    signs, said = one.signs, [word.text for word in one.clause.words]
    sentence = [other for other in read if other.clause.sentence == one.clause.sentence]
    if signs & REJECTED or len(said) > MOST_WORDS or not said or said[0] in ALWAYS_ASKING or _CODE.search(one.said):
        return None
    if any("ask" in other.signs for other in sentence if other.clause.start < one.clause.start):
        return None
    if (
        after is not None
        and after.clause.sentence == one.clause.sentence
        and "once" in after.signs
        and len(after.clause.words) < SHORT
    ):
        return None
    begun = read[at - 1] if at and read[at - 1].clause.sentence == one.clause.sentence else None
    led = "lead" in signs or (at > 0 and "lead" in read[at - 1].signs and len(read[at - 1].clause.words) < SHORT)
    denied = begun is not None and "deny" in begun.signs
    generic = said[0] not in SPECIFIC
    if "everywhere" in signs and len(said) < SHORT:
        return None
    if "taste" in signs or (after is not None and _everywhere(one, after)):
        return "preference"
    if "choice" in signs and said[-1] not in SPECIFIC:
        return "decision"
    if "rule" in signs or ("rulish" in signs and generic) or (led and said[0] in FORBIDDING and "state" not in signs):
        return "directive"
    if "state" in signs:
        return None
    if said[0] in FORBIDDING and after is not None and _alone(after) & {"ever", "never", "always"}:
        return "directive"
    known = "thing" in signs or led or (denied and bool(before))
    asked = one.clause.asks and not led and not denied
    if known and not asked and not set(said) & POINTING and _VALUE.search(one.said) and ("verb" in signs or one.states):
        return "configuration"
    if "use" in signs and "thing" in signs and not asked and _VALUE.search(one.said):
        return "configuration"
    if "use" in signs and after is not None and after.clause.words[0].text in FORBIDDING:
        return "decision" if said[0] != "i" else "fact"
    if "about" in signs or (led and "lead" not in signs and len(said) > SHORT):
        return "fact"
    return None


def _enough(read: Sequence[Read]) -> bool:
    """Whether it says something by itself: three words, or as many letters where words are not parted."""
    return max(sum(len(one.clause.words) for one in read), sum(len(one.said) for one in read) // 4) >= FEWEST


def _alone(one: Read) -> set[str]:
    return {word.text for word in one.clause.words} if len(one.clause.words) == 1 else set()


def _everywhere(one: Read, after: Read) -> bool:
    """Whether what is said is wanted in all projects, as the next clause has it."""
    return "everywhere" in after.signs and after.clause.sentence == one.clause.sentence and len(after.clause.words) < 6


def _continues(read: Sequence[Read], at: int, end: int, kind: Kind) -> bool:
    """Whether a clause goes on with what the one before it said."""
    first, here = read[at].clause, read[end].clause
    if kind == "directive" and end == at + 1 and _alone(read[end]) & {"ever", "never", "always"}:
        return True
    if here.sentence != first.sentence or read[end].signs & REJECTED:
        return False
    short = len(first.words) < SHORT and end == at + 1
    return short or bool(_GOES_ON.match(here.text)) or any("everywhere" in one.signs for one in read[end : end + 2])


def _learned(message: str, read: Sequence[Read], at: int, end: int, kind: Kind, before: str) -> Learned:
    start = read[at].clause.start
    stop = read[end - 1].clause.start + len(read[end - 1].clause.text)
    text = message[start:stop].strip()[:LONGEST].strip()
    signs = {sign for one in read[max(0, at - 1) : end + 1] for sign in one.signs}
    old = _OLD.search(text)
    wrong = old["old"].strip("`") if old and "deny" in signs | {"deny" if before else ""} else ""
    return Learned(
        text=text,
        kind=kind,
        everywhere="everywhere" in signs and kind in ("preference", "directive"),
        wrong=wrong if wrong and wrong in before else "",
        evidence=text,
    )
