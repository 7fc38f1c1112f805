"""Whether a question asks what was done and when (`what did we do last week`, `in which order did we …`, `when did we
first …`, `what was the last thing we …`), and what of: a stretch of time, an end of it, a topic. Pure.

It goes by how the question is worded (`words.py`) and by nothing that is stored. A time that only describes a
thing (`yesterday's log`, `the last week of the sprint`) is none, and what is pasted in at length is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache

from msgspec import Struct, structs

from aftermind.projections.reading.slips import SURE, is_slip
from aftermind.projections.reading.telling import ASKING
from aftermind.projections.reading.terms import terms, words_of
from aftermind.projections.reading.times.eastern import CHINESE, JAPANESE, KOREAN, RUSSIAN
from aftermind.projections.reading.times.stretches import Stretch, time_of, time_pattern
from aftermind.projections.reading.times.western import FRENCH, GERMAN, ITALIAN, PORTUGUESE, SPANISH
from aftermind.projections.reading.times.words import ENGLISH, Tongue

TONGUES = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, RUSSIAN, CHINESE, JAPANESE, KOREAN)

LONGEST = 400
"""Characters of a prompt; a longer one has more to say than such a question."""
MOST_TYPED = 8
"""Words of what is typed to look for it beside a time; a longer one is a sentence."""
_LATEST = re.compile(r"\b(?:newest|latest|most recent)(?: ones?)? first\b|\breverse (?:chronological )?order\b")
_LEAD = re.compile(
    r"""^(?:(?:so|ok|okay|hey|hi|hello|and|but|now|well|please|also|good\smorning|bitte|und|also|et|y|e|а|и|ну)[,!\s]+)*
    (?:(?:can|could|would|will)\syou\s(?:please\s)?)?
    (?:(?:please\s)?(?:tell|remind|show|give)\sme(?:\sagain)?(?:\sof|\sabout)?[,:]?\s
      |do\syou\s(?:still\s)?(?:remember|know|recall)\s|i\s(?:want|need|would\slike|'d\slike)\sto\s(?:know|see)\s
      |(?:list|summari[sz]e|recap|recall|describe|walk\sme\sthrough)\s(?=(?:what|everything|all|the|in)\b)
      |(?:kannst|könntest)\sdu\smir\ssagen,?\s|weißt\sdu(?:\snoch)?,?\s|erinnere\smich,?\s
      |zeige?\smir(?:\sbitte)?\s|montrez?-moi\s|(?:muéstra|enséña)me\s|mostrami\s|fammi\svedere\s|mostr[ae]-me\s)?""",
    re.VERBOSE,
)
_PARTS = re.compile(
    r"(?<=[.!?。！？])(?!(?<=\d\.)\s(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez))\s+|[\n。！？]+"
)
"""Between sentences, and not within `am 10. November`."""
_WORD = re.compile(r"[^\W\d_]{3,}(?:'[^\W\d_]+)?")
_EDGES = ' \t.,;:!?¿¡？！。、…"“”«»'
FORMS = ("last", "first", "order", "asks", "left")
"""How such a question may be worded, what says most first. What was done is asked beside a time; where it was left,
with one or without."""
_TELLS = re.compile(r"the\b|everything\b|all\b|what (?:we|i|you)\b")
"""What also begins a statement: it is asked for, or it is none of these questions."""


class Timed(Struct, frozen=True, kw_only=True):
    """What is asked. Without a stretch it is all time; without a topic, whatever was done. `verb`: what the question
    says was done, which is looked for and not insisted on; `end`: that one end alone is asked for."""

    stretch: Stretch | None = None
    newest_first: bool = False
    end: bool = False
    topic: str = ""
    verb: str = ""
    decided: bool = False


class Reading(Struct, frozen=True):
    """A tongue's patterns, compiled."""

    tongue: Tongue
    forms: tuple[tuple[str, re.Pattern[str]], ...]
    time: re.Pattern[str]
    idle: re.Pattern[str]
    decided: re.Pattern[str]
    filler: re.Pattern[str]


def timed(text: str, now: datetime) -> Timed | None:
    """What a question asks of the past; None where it is no such question. `now` is aware; its zone is
    the one whose days are meant."""
    if len(text) > LONGEST:
        return None
    low = text.lower().replace("’", "'")
    tongues = [n for n, tongue in enumerate(TONGUES) if any(mark in low for mark in tongue.marks)]
    if not tongues:
        return None
    found = _first(low, tongues, now)
    return found or ((mended := _mended(low, tongues)) != low and _first(mended, tongues, now)) or None


def _first(low: str, tongues: Sequence[int], now: datetime) -> Timed | None:
    """What the first sentence asks that does."""
    for part in _PARTS.split(low):
        whole = " ".join(part.split()).strip(_EDGES)
        sentence = _LEAD.sub("", whole).strip(_EDGES)
        led = len(sentence) < len(whole) or any(mark in low for mark in ASKING)
        for number in tongues if sentence else ():
            if (found := _asked(sentence, led, reading(number), now)) is not None:
                return structs.replace(found, newest_first=True) if _LATEST.search(low) else found
    return None


def looked_for(text: str, now: datetime) -> Timed | None:
    """What a few words ask that somebody types to look for them beside a time: `last week login`. Said to an assistant
    the same may want anything done."""
    low = " ".join(text.lower().replace("’", "'").split()).strip(_EDGES)
    if len(low.split()) > MOST_TYPED:
        return None
    for number, tongue in enumerate(TONGUES):
        if not any(word in low for word in tongue.often):
            continue
        where, within = time_of(low, tongue, _anywhere(number), now) or ((0, 0), None)
        beside = f"{low[: where[0]]} {low[where[1] :]}".split()
        at_an_end = where[0] == 0 or where[1] == len(low)
        if within is not None and at_an_end and beside and len(words_of(" ".join(beside))) == len(beside):
            return Timed(stretch=within, topic=" ".join(beside))
    return None


@cache
def _anywhere(number: int) -> re.Pattern[str]:
    """What finds a time of that tongue whatever follows it."""
    return time_pattern(structs.replace(TONGUES[number], closed=""))


def _mended(low: str, tongues: Sequence[int]) -> str:
    """The same without slips in the words that such questions have (`what did we do last wek`)."""
    often: dict[str, list[str]] = {}
    for word in dict.fromkeys(word for number in tongues for word in TONGUES[number].often):
        often.setdefault(word[:SURE], []).append(word)

    def meant(match: re.Match[str]) -> str:
        some = often.get(match[0][:SURE], ())
        return match[0] if match[0] in some else next((word for word in some if is_slip(match[0], word)), match[0])

    return _WORD.sub(meant, low)


def _asked(sentence: str, led: bool, reads: Reading, now: datetime) -> Timed | None:
    """What one sentence asks. `led`: that it is a question, or asks to be told, is known without its first word."""
    where, within = time_of(sentence, reads.tongue, reads.time, now) or ((0, 0), None)
    bare = " ".join((sentence[: where[0]] + " " + sentence[where[1] :]).split()).strip(_EDGES)
    for form, pattern in reads.forms:
        if form == "asks" and within is None:
            continue
        match = pattern.search(bare)
        if match is None or (not led and _TELLS.match(bare)):
            continue
        topic, verb, decided = _about(bare, match, reads)
        if within is not None and within.since.date() == now.date() and re.fullmatch(reads.tongue.present or "-", verb):
            continue  # what is so today
        if form == "order" and not topic:
            topic, verb = verb, ""
            if not topic and within is None:
                return None  # the order of what?
        return Timed(
            stretch=within,
            newest_first=form in ("last", "left"),
            end=form in ("first", "last", "left"),
            topic=topic,
            verb=verb,
            decided=decided,
        )
    return None


def _about(bare: str, match: re.Match[str], reads: Reading) -> tuple[str, str, bool]:
    """What the question is about beyond what was done; what was done, where that tells anything; and whether it is
    decisions it asks for."""
    said = match.groupdict()
    verb = next((word for name, word in said.items() if word and name != "noun"), "")
    rest = f"{bare[: match.start()]} {said.get('noun') or ''} {bare[match.end() :]}"
    rest = rest.replace(verb, " ", 1) if verb and verb not in match[0] else rest
    words = [word for word in reads.filler.sub(" ", rest).split() if not reads.idle.fullmatch(word)]
    topic = " ".join(words).strip(_EDGES)
    decided = bool(verb and reads.decided.fullmatch(verb))
    return topic if terms(topic) else "", "" if decided or reads.idle.fullmatch(verb) else verb, decided


@cache
def reading(number: int) -> Reading:
    """Of one of the tongues; compiled when a prompt has a mark of it."""
    tongue = TONGUES[number]
    return Reading(
        tongue,
        tuple((form, re.compile(getattr(tongue, form), re.VERBOSE)) for form in FORMS),
        time_pattern(tongue),
        *(re.compile(one) for one in (tongue.idle, tongue.decided, tongue.filler)),
    )
