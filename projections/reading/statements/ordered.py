"""Rules and decisions that cannot both hold: the same is ordered with another of a closed set of values, a language, a
package manager, a way to indent; or what was decided is taken back. Pure.

Guarantee (law 7): two orders are of one thing only where every word besides the value is the same, but for how an order
is worded. What says under which condition it holds, or more than one thing, is compared with nothing.
"""

from __future__ import annotations

import re

from msgspec import Struct

from aftermind.engine.memories.directives import plain
from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.statements.framing import number
from aftermind.projections.reading.statements.ordered_words import GIVEN_IN_ONE, VALUES
from aftermind.projections.reading.statements.wording import agree

LONGEST = 200
"""Characters of what orders a single thing."""
_FROM_NOW = re.compile(
    r"\b(?:from (?:now|here) on(?:wards?)?|as of now|(?:going|moving) forward|(?:in|for) (?:the )?future|henceforth"
    r"|as a (?:general )?rule|after all|any ?more|any longer|ab (?:jetzt|sofort)|von nun an|künftig|in zukunft"
    r"|désormais|dorénavant|à partir de maintenant|a partir de (?:ahora|agora)|(?:de|desde) ahora en adelante"
    r"|d'ora in poi|vanaf nu|(?:here|in (?:this|our) (?:repo|repository|project|codebase))(?=\W*\Z))(?!\w)[\s,:–—-]*",
    re.IGNORECASE,
)
_WHY = re.compile(r"(?:[,;]|\s)\s?(?:because|since|weil|denn|parce qu|porque)\b(?P<why>.*)", re.DOTALL | re.IGNORECASE)
_OF_EITHER = re.compile(
    r"(?:[,;]|\s[-–—]+)\s(?P<which>[\w.+-]*\w)(?P<is>'s)?\s(?:(?:always|never|often|just|really|simply)\s)?"
    r"(?P<verb>[\w']+)(?P<rest>(?:\s[\w'.+-]+){0,8})\W*\Z",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r",?\s(?:instead of|rather than|(?:and )?(?:not|never)|(?:an)?statt|(?:und )?(?:nicht|nie)|plutôt que|au lieu de"
    r"|et (?:pas|jamais)|en vez de|em vez de|(?:y )?(?:no|nunca)|invece di)\s"
    r"(?P<other>[\w.+-]+)\W*\Z",
    re.IGNORECASE,
)
_AGAINST_FIRST = re.compile(
    r"\A\W*(?:please\s|bitte\s)?(?:never|do\snot|don't|dont|nie|niemals|jamais|nunca)\s(?:use|using|usar?)\s"
    r"(?P<other>[\w.+-]*\w)(?:\s?[,;–—-]\s?(?:(?:but|and|always|instead|please)\s)*(?:use\s)?|\s{1,3}use\s)"
    r"(?P<rest>(?:always\s)?[\w.+-]*\w(?:\s(?:instead|please|always|only))?)\W*\Z",
    re.IGNORECASE,
)
"""What it is not to be, said first: "don't use pip, use uv"; nothing else is said then."""
_WORD = re.compile(r"[^\W_][\w.+#'-]*")
_MORE = re.compile(r"[;:()?]|,|\.\s")
_DENYING = listed("not never no don't won't cannot can't aren't without")
_ELSE = listed(
    """
    if when whenever unless except while until also too and or but either both besides first sometimes usually
    und oder aber auch wenn falls außer nie nicht kein keine et ou mais si aussi ne pas jamais sauf y o pero también
    nunca salvo ma anche mai non nooit niet nigdy nie it that this these those them other others another than
    """
)
"""With one of these more than one thing is said, or under a condition, or it is denied."""
_WORDED = listed(
    """
    always must should shall only ever please pls be are is am to me the a an we you i my your our all every each now
    have has do make sure write writes written keep instead again finally already just decided decide agreed chose
    chosen will going gonna immer stets bitte mir die der das den unsere unser alle jetzt schreibe schreib
    schreiben geschrieben sollen müssen werden toujours stp moi les le la des du écris écrire écrivez siempre por favor
    los las el me escribe escribir sempre altijd zawsze
    """
)
"""How an order is worded, whatever it is of."""
ALIKE = {
    **dict.fromkeys(
        """
        answer answers answering reply replies replying respond responds responding response responses talk speak
        antworte antworten antwort antwortet réponds répondre répondez réponse réponses responde responder responda
        respuesta respuestas contesta rispondi rispondere risposte
        """.split(),
        "answer",
    ),
    **dict.fromkeys(
        """
        use uses using nutze nutzen nutzt verwende verwenden benutze benutz benutzt nimm nehmt utilise utiliser utilisez
        usa usar usate usare
        """.split(),
        "use",
    ),
    **dict.fromkeys(("in", "auf", "en", "em", "på", "po"), "in"),
    **dict.fromkeys(("with", "mit", "avec", "con", "com"), "with"),
}


class Order(Struct, frozen=True):
    """What is ordered, of which all but the value is `about`; `sort`: of what the value is one."""

    about: frozenset[str]
    sort: str
    value: str
    anew: bool
    against: str = ""
    """The value that it is not to be."""

    @property
    def key(self) -> int:
        """Equal for what may be ordered otherwise."""
        return number((self.sort, *sorted(self.about)))


def order(text: str) -> Order | None:
    """What a rule or a decision orders, where it is one thing with one such value."""
    if len(text) > LONGEST:
        return None
    rest = _without_why(text)
    if rest is None:
        return None
    if (against := _AGAINST_FIRST.match(rest)) is not None:
        rest = f"use {against['rest']}"
    elif (against := _AGAINST.search(rest)) is not None:
        rest = rest[: against.start()]
    said = [word.casefold() for word in _WORD.findall(rest)]
    if _MORE.search(rest) or set(said) & (_ELSE | _DENYING):
        return None
    values = [VALUES[word] for word in said if word in VALUES]
    if len(values) != 1:
        return None
    sort, value = values[0]
    if against is not None and VALUES.get(against["other"].casefold(), ("", ""))[0] != sort:
        return None
    kept = [ALIKE.get(word, word) for word in said if word not in _WORDED]
    at = next(at for at, word in enumerate(kept) if word in VALUES)
    before, after = kept[:at], kept[at + 1 :]
    if sort == "language" and before == ["use"] and after[:1] == ["for"]:  # "use German for comments"
        before, after = after[1:], []
    elif sort in ("language", "day"):
        if before[-1:] != [_BEFORE[sort]] or (after and after != ["answer"]):
            return None
        before = before[:-1]
        if sort == "language" and _MANY & set(before):
            return None
    elif not {"use", "with"} & {*before, *after} or _SEVERAL & {*before, *after}:
        return None
    about = frozenset(map(plain, (*before, *after)))
    denied = "" if against is None else VALUES[against["other"].casefold()][1]
    return Order(about, sort, value, "instead" in said or bool(denied), denied) if about else None


_ASKING = re.compile(
    r"\s*(?:(?:please|kindly|always|only|just|now|bitte|immer|nur|siempre|toujours|sempre|por favor|(?:make|be) sure to"
    r"|you (?:must|should|shall))\s+)*"
    r"(?:answer|reply|respond|talk|speak|write|use|antworten?|schreib(?:en?)?|sprich|nutze|verwende|réponds|répondez|écris"
    r"|écrivez|utilise|utilisez|responde|contesta|escribe|usa|rispondi|scrivi)\s",
    re.IGNORECASE,
)
_PLEASE = re.compile(r"(?<=\w),?\s(?:please|bitte|por favor)[.!]*\s*\Z", re.IGNORECASE)
_ONE_OF_MANY = re.compile(
    r"\b(?:an?|eine?n?|une?|un[ao]|(?:the|this|that) (?:answer|question|summary|review|explanation|plan|comment))\s",
    re.IGNORECASE,
)


def asked(text: str) -> Order | None:
    """In which language something is ordered in so many words, of whatever kind the memory is: `please answer in
    German` may be called a preference. That the docs must be in German may be so of those in English as well, and a
    tool that is used of another beside it."""
    if len(text) > LONGEST:
        return None
    plainly = _PLEASE.sub("", _FROM_NOW.sub(" ", text.replace("’", "'")))
    if _ASKING.match(plainly) is None or _ONE_OF_MANY.search(plainly) is not None:
        return None
    found = order(plainly)
    return found if found is not None and found.sort == "language" and found.about in GIVEN_IN_ONE else None


def _without_why(text: str) -> str | None:
    """What is said without its reason; None where that says on, under which condition or what else."""
    rest = _FROM_NOW.sub(" ", text.replace("’", "'"))
    if (told := _OF_EITHER.search(rest)) is not None and _is_a_reason(told, rest[: told.start()]):
        return rest[: told.start()].strip(" .!\n")
    why = _WHY.search(rest)
    if why is None:
        return rest.strip(" .!\n")
    if _MORE.search(why["why"].strip(" .!\n")) or {word.casefold() for word in _WORD.findall(why["why"])} & _ONLY:
        return None
    return rest[: why.start()].strip(" .!\n")


def _is_a_reason(told: re.Match[str], before: str) -> bool:
    """Whether the last clause of an order says how one of the things is that it names, or "it", and not where, when or
    for what that is used after all: "use uv not pip, pip breaks our lockfile"; not "…, pip is for the docs"."""
    which, rest = told["which"].casefold(), {word.casefold() for word in _WORD.findall(told["rest"])}
    named = {word.casefold() for word in _WORD.findall(before)} & VALUES.keys()
    if (which not in _IT and which not in named) or rest & (_USED_FOR | _ONLY):
        return False
    return which == "its" or told["is"] is not None or told["verb"].casefold() in _TELLS


_ONLY = listed("only unless except until but however otherwise if when else nur außer sonst aber sauf")
_IT = listed("it its es")
_TELLS = listed(
    """
    is was isn't wasn't isnt has had hasn't does did doesn't didn't doesnt didnt can can't cant cannot won't wont keeps
    takes breaks fails ignores corrupts rewrites overwrites mangles loses drops forgets misses messes hangs crashes
    chokes conflicts leaks pins
    ist war hat kann macht bricht zerlegt zerstört ignoriert vergisst verliert überschreibt hängt
    """
)
"""A verb that says how something is; of others, a plural looks the same ("npm scripts")."""
_USED_FOR = listed(
    """
    for in on at by with within inside under during to into onto from as if when whenever unless while until still also
    here there instead rather than ok okay fine allowed needed required used use uses good right
    für im auf bei mit unter zu zum zur von aus als wenn falls bis noch auch hier dort gut erlaubt nötig
    """
)
"""With one of these it is said where, when or for what something is used after all."""
_MANY = listed(
    """
    add provide include translate translation translations ship offer support publish import export test check read
    search sell cover accept show display render seed store generate
    """
)
"""What is done in one language may be done in another, too; what is written in one is written in one."""
_SEVERAL = listed(
    """
    test check support ship provide include publish compatible compatibility compare document explain describe guide
    template templates example examples show shows works work how
    """
)
"""What is done with one tool may be done with another, too: a guide to it, a test of how it works with it."""
_USED_ALONE = re.compile(
    r"\s*(?:(?:always|please|only|we|i|must|should|you|let's|now|make|be|sure|have|to|immer|bitte)\s+){0,6}"
    r"(?:(?:use|nutze|verwende|benutze?|nimm|utilise|usa)|(?:install|manage|run|build|indent)\s+(?:[\w.-]+\s+){0,4}?with)"
    r"\s+[\w.+-]+(?:\s+(?:for|to|in|on|as|instead|rather)\b.*|,? (?:and )?not\b.*|\W*)\Z",
    re.IGNORECASE | re.DOTALL,
)
"""The tool is what is used, or what something is run or built with: not its cache, nor something else with it."""
_BEFORE = {"language": "in", "day": "on"}


def another_order(newer: str, older: str) -> str:
    """The words of what both order, where each orders another value of it; empty otherwise. A day takes another's place
    only where the newer one says so: what is done on Fridays may be done on Mondays, too."""
    one, other = order(newer), order(older)
    if one is None or other is None or (one.sort, one.about) != (other.sort, other.about) or one.value == other.value:
        return ""
    if one.sort == "day" and (not one.anew or one.against not in ("", other.value)):
        return ""
    return " ".join(sorted(one.about))


def ordered_once(text: str) -> bool:
    """Whether what is ordered is done in one language, or with one tool, at a time: answers, comments, installing; and
    not answers to customers, or retries with npm."""
    found, said = order(text), _without_why(text) or ""
    if found is None or found.sort == "day":
        return found is not None
    if found.sort == "language":
        return found.about in GIVEN_IN_ONE and _ONE_OF_MANY.search(said) is None
    return _USED_ALONE.match(said) is not None


# --- decisions that are taken back ----------------------------------------------------------------------------

_NAME = r"(?P<name>(?!(?:the|a|an|our|it|this|that|to|for|with)\b)[^\W_][\w.+#-]*)"
_LEFT = re.compile(
    rf"\b(?:(?:switch|mov|migrat|transition)\w* (?:over |away |off )?from {_NAME} to"
    rf"|replac\w+ {_NAME.replace('name', 'replaced')} (?:with|by))\s[^\W_]",
    re.IGNORECASE,
)
_NOT = re.compile(rf"\b(?:instead of|rather than|and not|, not) {_NAME}\W*\Z", re.IGNORECASE)
_CHOSEN = re.compile(
    rf"\b(?:decided (?:to (?:use|adopt|go with)|on|for)|settled on|chose|chosen|picked|went with|going with|adopted"
    rf"|agreed on|opted for|standardi[sz]ed on|(?:switch|mov|migrat)\w* (?:over )?(?:from [\w.+#-]+ )?to|use) {_NAME}",
    re.IGNORECASE,
)
_TAKEN_BACK = listed("not won't never")
_OF_CHOOSING = _WORDED | listed("after all we're we've use using decided to then for as but")


def takes_back(one: str, other: str) -> str:
    """The words of what one decision denies and the other decides, where they are the same; empty otherwise."""
    if not agree(one, other):
        return ""
    mine, its = _decided(one), _decided(other)
    same = mine is not None and its is not None and mine[0] != its[0] and mine[1] == its[1]
    return " ".join(sorted(mine[1])) if same and mine is not None else ""


def leaves(newer: str, older: str) -> str:
    """What an older decision chose and a newer one leaves, likely: it says from what was moved or what it is instead
    of, or denies it in fewer words. Empty otherwise."""
    chosen = _CHOSEN.search(_WHY.sub("", older))
    if chosen is None or not agree(newer, older) or (its := _decided(older)) is None or its[0]:
        return ""
    name, new = chosen["name"].rstrip(".").casefold(), _WHY.sub("", newer).strip(" .!\n")
    if (left := _LEFT.search(new)) is not None:
        gone, rest = left["name"] or left["replaced"], _content(new[left.end() - 1 :])[1:]
    elif (left := _NOT.search(new)) is not None and (now := _CHOSEN.search(new)) is not None:
        gone, rest = left["name"], _content(new[now.end() : left.start()])
    elif (mine := _decided(newer)) is not None and mine[0] and name in mine[1]:
        gone, rest = name, sorted(mine[1])
    else:
        return ""
    return name if gone.casefold().rstrip(".") == name and set(rest) <= its[1] else ""


def _decided(text: str) -> tuple[bool, frozenset[str]] | None:
    """Whether a decision denies, and what; None where it says more than one thing."""
    rest = _without_why(text) or ""
    said = [word.casefold() for word in _WORD.findall(rest)]
    denials = sum(word in _TAKEN_BACK for word in said)
    if len(text) > LONGEST or "for now" in rest or _MORE.search(rest) or denials > 1 or set(said) & _UNDER_A_CONDITION:
        return None
    content = frozenset(_content(rest))
    return (denials == 1, content) if content else None


_UNDER_A_CONDITION = listed(
    """
    if when unless except until yet but only or and either than without
    it this that these those them today tomorrow tonight week month
    """
)
"""Or what was before somebody's eyes, or on one day, and is not the same any more."""


def _content(text: str) -> list[str]:
    said = [word.casefold().rstrip(".") for word in _WORD.findall(text)]
    return [word for word in said if word not in _OF_CHOOSING | _TAKEN_BACK]
