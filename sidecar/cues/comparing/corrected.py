"""Whether a follow-up corrects a value that the answer gave: "no, staging is on port 9090", "it is 9090, not 8080".
Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from msgspec import structs

from aftermind.sidecar.cues.clauses.heard import content
from aftermind.sidecar.ports import Learned
from aftermind.sidecar.utterances.confided import names_secret, speaks_of_secrets
from aftermind.sidecar.utterances.grammar import (
    ALWAYS_ASKING,
    ANAPHORA,
    ASKING,
    CONDITIONS,
    HOPES,
    MODALS,
    PERSONS,
    POLITE,
    REQUESTS,
    WANTING,
    WHENS,
)
from aftermind.sidecar.utterances.languages import SMALL_WORDS
from aftermind.sidecar.utterances.phrases import BY_LETTERS, words

_REJECTS = re.compile(
    r"\s*(?:(?:(?:no|nope|nein|nee|nö|non|não|nie|нет|ні|hayır)\b"
    r"(?:\s*[,.:;!–—-]+|(?=\sv?\d[\w.:-]*[.!\s]*\Z)|(?=\s(?:it|it's|its|the|use|that|that's|this|der|die|das|es|nimm|le|la|el|o|il|het|de)\b))"
    r"|(?:(?:that|this|it)(?:['’]?s| is| was) )?(?:wrong|incorrect|not (?:right|correct|true))\b"
    r"|(?:no|non)(?=\sc['’]est\b)"
    r"|(?:that|this|it)(?:['’]?s| is| was) (?:the (?:old|previous|former) \w{1,20}|outdated|out of date|obsolete)\b"
    r"|(?:das (?:ist|war) )?falsche?r?s?\b|(?:das )?stimmt (?:so )?nicht\b|c['’]est faux\b|(?:eso )?(?:no es correcto"
    r"|es incorrecto|está mal)\b|(?:isso )?(?:não está certo|está errado)\b|(?:questo )?(?:è sbagliato|non è giusto)\b"
    r"|(?:dat )?(?:klopt niet|is fout)\b|to (?:nieprawda|błąd)\b|(?:это )?(?:неверно|неправильно)\b|це неправильно\b"
    r"|(?:いいえ|違います|不是|不对|不對|不(?=[、，,。.!！])|아니요|아니)[、，,。.!！\s]*|नहीं[,\s]+)(?:[,.:;!–—-]|[^\S\n])*){1,3}",
    re.IGNORECASE,
)
_MENDS = re.compile(
    r"\s*(?:actually|in fact|tatsächlich|eigentlich|en fait|en realidad|na verdade|in realtà|eigenlijk|właściwie"
    r"|на самом деле|вообще-то|насправді|aslında|実は|其实|其實|사실)\b[,，、]?\s*(?=\S)[^.!?;\n]{0,60}"
    r"\b(?:is|it['’]s|are|listens|uses|runs|ist|sind|lautet|est|es|é|è|jest)\b|\s*(?:実は|其实|其實|사실)",
    re.IGNORECASE,
)
_ONE = (
    r"(?<![A-Za-z0-9_.])(?<![A-Za-z0-9_]-)(?:[A-Za-z][A-Za-z0-9_.-]{0,40}[.-])?"
    r"v?\d(?:[\d.,:]{0,40}\d)?(?:[.-][A-Za-z0-9_]{1,40}){0,8}(?![A-Za-z0-9_])"
)
_VALUE = re.compile(_ONE)
"""A number, or in one piece the name, the version or the date that it is a part of."""
_NOT = (
    r"not|nicht|pas|no|não|non|niet|nie|не|ні|instead of|rather than|statt|anstatt|au lieu de|plutôt que|en lugar de"
    r"|en vez de|em vez de|ao invés de|invece (?:di|che)|in plaats van|zamiast|вместо|замість"
)
_DENIED = re.compile(
    r"[\s,;(–—-]{0,8}(?:\b(?:and|und|et|y|e|а|и)\s)?(?:(?:\b(?:"
    + _NOT
    + r")|n['’]t)\s{1,8}(?:[^\W\d_]{1,6}\s{1,8}){0,2}"
    rf"|(?:而?不是|并非|並非)\s?)({_ONE})\)?|({_ONE})\s?(?:では?なく|じゃなく|이 아니라|가 아니라)",
    re.IGNORECASE,
)
"""The value that it is not."""
_GIVES = frozenset(
    """
    is are its ist sind lautet est c es son está é sono è zijn jest są to это are
    listens listen runs run uses use lives live has have serves needs need ends starts begins
    läuft lauscht hört nutzt heißt liegt braucht endet écoute utilise tourne escucha corre usa ascolta gira
    luistert draait gebruikt działa słucha używa слушает работает использует
    """.split()
)
"""How it is said that a thing has a value."""
_DOERS = PERSONS - {"a", "on", "my", "du"}
"""Who did something; "a", "on", "my" and "du" are small words of other languages."""
_DID = frozenset({"set", "put", "bound", "built", "found", "made", "ran", "sent", "took", "wrote", "got"})
_UNSURE = MODALS | WANTING | CONDITIONS | WHENS | HOPES | ALWAYS_ASKING
_OF_IT = re.compile(
    r"(?:no,? )?(?:it['’]?s|(?:it|that|this|he|she) is|(?:es|das|er|sie) ist|c['’]est|es|é|è|(?:het|dat) is|to|это)"
    rf" (?P<new>[^\s,]+(?: [^\s,]+){{0,2}}?),?\s+(?:{_NOT})\s+(?P<old>\S+)\Z",
    re.IGNORECASE,
)
"""What "it" is, and what it is not."""
_IT_IS = re.compile(
    r"(?:it['’]?s|(?:it|that|this) is|(?:es|das) ist|c['’]est|es|é|è|(?:het|dat) is) [^\s,]+(?: [^\s,]+){0,2}\Z",
    re.IGNORECASE,
)
"""What "it" is, and no more."""
_USES = frozenset({"use", "set", "change", "make", "nimm", "nutze", "utilise", "usa", "gebruik"})
_NOW = r"(?:now|jetzt|inzwischen|maintenant|ahora|agora|adesso|ora|nu|teraz|теперь|сейчас|тепер|artık|şimdi)"
_BY_NOW = rf"(?:\s+(?:{_NOW}|instead|actually|today|by now|these days|since \w+)){{0,2}}"
_UNIT = r"(?:\s?(?:%|[a-z]{1,3}\b))?"
_SHORT = re.compile(rf"(?:[^\s\d]+ ){{0,3}}v?\d[\d.,:]*{_UNIT}{_BY_NOW}[^\w\s]*\s*\Z", re.IGNORECASE)
_STATES = re.compile(
    rf"(?:\b(?:is|ist|est|es|é|è|jest|—|-)|['’]s)(?: {_NOW})? v?\d[\d.,:]*{_BY_NOW}\W*\Z"
    r"|(?:是|は|은|는|이)\s?\d[\d.,:]*\s?(?:です|だ|입니다|이에요)?\W*\Z"
)
_DECLINES = re.compile(
    r"\b(?:thanks?|thx|worries|problem|need|danke|merci|gracias|obrigad[oa]|grazie|bedankt|dzięki|спасибо|дякую"
    r"|teşekkürler)\b|ありがとう|谢谢|감사",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(f"[{BY_LETTERS}]")
_SENTENCE = re.compile(r"[?？]|[.!。！](?=\s|$)|\n")
_ASKS = re.compile(
    r"\W*(?:(?:and|so|ok|hey|btw|und|et|y)\W+)?(?:(?:on|in|at|for|to|auf|sur|en|a|à)\s)?"
    r"(?:what(?!\s(?:do|does|did|else|if|about|happen\w*|went|goes)\b)|what['’]?s|which|where(?:['’]?s)?|who(?:['’]?s|se)?"
    r"|how (?:many|much|long|often|big|large)"
    r"|welche[mnrs]?|was|wo|wer|wie (?:viele?|lange|oft|groß)|quel(?:le)?s?|où|qui|combien|qu[eé](?=\s[^\W\d_]{4})"
    r"|cu[aá]l(?:es)?|d[oó]nde|qui[eé]n|cu[aá]nt[oa]s?)\s",
    re.IGNORECASE,
)
"""How a question begins that wants a value, with a question mark or without: "which port is staging on again"."""
_PLACE = re.compile(
    r"\b(?:lines?|rows?|columns?|col|steps?|zeilen?|spalte|schritt|lignes?|línea|linea|riga|linha|fila)\s#?\d"
    r"|\b(?:says|reads|prints|complains)\b",
    re.IGNORECASE,
)
"""What is so of a text as it is just now."""
_ENDS = re.compile(rf"{_UNIT}{_BY_NOW}(?:\s+(?:since|seit|depuis|desde)(?:\s+\w+){{1,3}})?\W*", re.IGNORECASE)
_DOUBTS = re.compile(
    r"\b(?:probably|maybe|perhaps|might|could|guess|suppose|wahrscheinlich|vermutlich|vielleicht|wohl|müsste"
    r"|peut-être|sans doute|quizás?|tal vez|probablemente)\b",
    re.IGNORECASE,
)
"""Not "should": "no, it should be 8081" is how people say what is right."""
_STATUSES = frozenset("400 401 402 403 404 405 406 408 409 410 413 415 422 429 431 451 500 501 502 503 504".split())
_SERVES = re.compile(r"\b(?:https?|curl|url|port|puerto|porta|endpoint|listens|health)\b", re.IGNORECASE)
_ASIDE = {"actua", "yeste", "today", "chang", "inste", "since", "jetzt", "wrong", "incor", "false", "that", "sonde"}
"""Of what a correction says beside, the beginnings: that it is one, and since when."""
_VERBS = {word[:5] for word in _GIVES}
_BARE = 2
"""Words beside a value of which nothing else is said."""
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s+|\n+")
LONGEST_ANSWER = 20_000
"""Characters of an answer in which what it states is looked for."""
_LONGEST = 160
"""Characters of a correction; who says more tells something else."""
LONGEST_QUESTION = 160
"""Characters of a question that tells what a correction is of."""


def corrected(answer: str, typed: str) -> str:
    """The words that name another value than the answer does, and reject it or say that it is not so; empty where none
    do.

    `typed` is the user's own voice. A value is a number or what has one in it; that it is of the same thing shows in a
    word both have, or in the value that is denied.
    """
    answer, rejects = answer[:LONGEST_ANSWER], _REJECTS.match(typed)
    if not _NUMBERED.search(answer):
        return ""
    end = next((m.start() for m in _SENTENCE.finditer(typed, rejects.end() if rejects else 0)), len(typed))
    said = typed[:end]
    if typed[end : end + 1] in ("?", "？") or len(said) > _LONGEST:
        return ""
    rest = said[rejects.end() :] if rejects else said
    first = next((word.text for word in words(rest) if word.text.isalnum()), "")
    if first in REQUESTS - _USES or _DECLINES.search(rest):
        return ""
    theirs, denied = _values(answer), _denied(rest)
    begins = rejects or _MENDS.match(typed) or (denied & theirs and _tells(rest) and not answer.rstrip().endswith("?"))
    values = _values(rest) - denied
    if not begins or not theirs or not values or values & theirs:
        return ""
    same = (
        denied & theirs
        or len(words(answer)) <= _BARE + 1
        or content(rest) & content(answer)
        or _STATES.search(rest)
        or (_SHORT.match(rest) and first in _USES | ANAPHORA | values)
    )
    return said.strip() if same else ""


def _values(text: str) -> set[str]:
    return {match[0] for match in _VALUE.finditer(text)}


def _denied(text: str) -> set[str]:
    return {match[1] or match[2] for match in _DENIED.finditer(text)}


def _tells(said: str) -> bool:
    """Whether words say how something is, rather than ask, want or suppose it: "it is 9090", "port 9090"."""
    told = [word.text for word in words(said)]
    number = next((at for at, word in enumerate(told) if word[:1].isdigit()), len(told))
    if set(told) & _UNSURE or told[0] in REQUESTS | _USES:
        return False
    return bool(set(told[: number + 1]) & _GIVES) or number < _BARE


def set_right(question: str, answer: str, typed: str, known: Sequence[str]) -> Learned | None:
    """What a reply says that gives another value than the answer did, said whole: what the answer or something `known`
    states of a thing, with the new value in place of its own; without any, beside the question. None where it corrects
    nothing, does not tell what it is of, or tells a secret."""
    answer = answer[:LONGEST_ANSWER]
    words, wrongs = corrected(answer, typed), _values(answer)
    if not words or _is_a_status(words, answer) or _PLACE.search(words) or _DOUBTS.search(words):
        return None
    asked = question.strip()
    whole = next((text for one in known if _says_all(one, asked) and (text := restated(one, words, wrongs))), "")
    for sentence in () if whole else map(str.strip, _SENTENCES.split(answer)):
        if (text := restated(sentence, words, wrongs)) and _is_of_a_thing(sentence) and _names(sentence, words, asked):
            whole = text
            break
    if not whole and _tells_of_what(asked) and _ends_in_its_value(_claimed(words)):
        whole = f"{_claimed(words)} ({asked})"
    if not whole or names_secret(whole) or speaks_of_secrets(whole):
        return None
    return Learned(text=whole, kind="configuration", evidence=words)


def _ends_in_its_value(claim: str) -> bool:
    """Whether a claim says a value and nothing of it: "it's 9090 now", "60 s"; not "2 of them", "20% slower"."""
    rest = _DENIED.sub("", claim)
    last = max((match.end() for match in _VALUE.finditer(rest)), default=0)
    return _ENDS.fullmatch(rest, last) is not None


def _is_a_status(correction: str, answer: str) -> bool:
    """Whether the value is what a server answers when it fails, and not one of what the answer gave: "no, 404"."""
    new = _values(_DENIED.sub("", _claimed(correction)))
    if not new <= _STATUSES:
        return False
    return _SERVES.search(answer) is not None or not any(one.isdigit() and len(one) == 3 for one in _values(answer))


def restated(statement: str, correction: str, wrongs: Set[str]) -> str:
    """A statement with the value that a correction of `wrongs` gives in place of its own: "Staging listens on port
    8080", corrected by "no, the port is 8081". Empty where either has not one value, or none that is denied; the
    answer did not give that of the statement; the statement has another of its form, or does not say all else that
    the correction says."""
    claim = _claimed(correction)
    denied = _denied(claim)
    new, all_of_it = _values(claim) - denied, list(_VALUE.finditer(statement))
    old = [match for match in all_of_it if match[0] in denied] or all_of_it
    if len(new) != 1 or len(old) != 1 or old[0][0] in new or old[0][0] not in wrongs:
        return ""
    if sum(_form(match[0]) == _form(old[0][0]) for match in all_of_it) > 1:
        return ""
    value = new.pop()
    about = _about(_DENIED.sub("", claim))
    if _is_named(value) != _is_named(old[0][0]) or not about <= _about(statement) or not _about(statement):
        return ""
    return statement[: old[0].start()] + value + statement[old[0].end() :].rstrip(".")


def speaks_of_it(said: Learned) -> bool:
    """Whether what was captured says what "it" is, alone or with what it is not: "it is Tom, not Priya"."""
    return _IT_IS.match(said.text) is not None or (bool(said.wrong) and _OF_IT.match(said.text) is not None)


def named_right(said: Learned, question: str, answer: str, known: Sequence[str]) -> Learned:
    """What was captured of "it", said whole: what something `known` or the answer states, with the new name in place of
    the wrong one; else, where the answer gave that name, beside the question. As it is where none of them tells what it
    is of: none says that name once, of a thing, and nothing after it."""
    if not said.wrong and _IT_IS.match(said.text) and answer.strip() and _tells_of_what(question.strip()):
        return structs.replace(said, text=f"{said.text} ({question.strip()})")
    found = _OF_IT.match(said.text) if said.wrong else None
    if found is None or found["old"].strip("`.!") != said.wrong:
        return said
    asked = question.strip()
    sentences = _SENTENCES.split(answer[:LONGEST_ANSWER])
    given = [one for one in sentences if not _leaves_out(one.replace(said.wrong, ""), asked)]
    for one in (*(one for one in known if _says_all(one, asked)), *given):
        before, wrong, after = one.strip().partition(said.wrong)
        if wrong and not after.strip("`.! ") and _gives(before):
            return structs.replace(said, text=f"{before}{found['new']}")
    if said.wrong in answer and _tells_of_what(asked):
        return structs.replace(said, text=f"{said.text} ({asked})")
    return said


def _gives(said: str) -> bool:
    """Whether words say of a thing, and not of what somebody did, that it is what comes next."""
    told = [word.text.partition("'")[0] for word in words(said) if word.text not in POLITE - _DOERS]
    if not set(told) & _GIVES - {"to"} or not _about(said) or said[-1].isalnum():
        return False
    did = set(told[:3]) & _DOERS or told[0] in REQUESTS | _DID or told[0].endswith("ed")
    return not did


def _is_of_a_thing(sentence: str) -> bool:
    """Whether a sentence of an answer says the value of a thing, and not what was done."""
    if _LETTERS.search(sentence):
        return True
    return any(_gives(sentence[: one.start()]) for one in _VALUE.finditer(sentence))


def _claimed(correction: str) -> str:
    """A correction without the words that only reject."""
    rejects = _REJECTS.match(correction)
    return correction[rejects.end() if rejects else 0 :].strip()


def _names(statement: str, correction: str, asked: str) -> bool:
    """Whether a sentence of an answer tells what it is of: it says all that was asked about, or more than the
    correction does and than the question."""
    more = _about(_DENIED.sub("", _claimed(correction))) < _about(statement)
    return (more and not _leaves_out(statement, asked)) or _says_all(statement, asked)


def _says_all(statement: str, asked: str) -> bool:
    """Whether a statement says all that was asked about; of a single thing, nothing else: "which timeout" is of none in
    particular."""
    sought, said = _sought(asked), _named(statement)
    if not sought or not all(any(one.startswith(word) for one in said) for word in sought):
        return False
    return len(sought) > 1 or len(_about(statement)) <= 1


def _leaves_out(statement: str, asked: str) -> bool:
    """Whether a statement says a part of what was asked about, and nothing else."""
    sought, said = _sought(asked), _about(statement)
    of_it = {one for one in said if any(one.startswith(word) for word in sought)}
    return said == of_it and len(of_it) < len(sought)


def _tells_of_what(asked: str) -> bool:
    asks = asked.endswith(("?", "？")) or ("\n" not in asked and _ASKS.match(asked))
    return bool(asks) and len(asked) <= LONGEST_QUESTION and bool(_about(asked))


def _sought(asked: str) -> set[str]:
    """The beginnings of the words that a question is about: "owns" and "owner" begin with "own"."""
    small = ASKING | SMALL_WORDS | ANAPHORA | POLITE | _GIVES
    told = [word.text for word in words(asked[:LONGEST_ANSWER]) if word.text not in small]
    return {word[:5].rstrip("s") for word in told if len(word) > 1 and word.isalnum()} - _VERBS


def _named(text: str) -> set[str]:
    return {word.text[:5] for word in words(text)}


def _form(value: str) -> str:
    """Of a name that it is one, of a number how it is written."""
    return "name" if _is_named(value) else _DIGITS.sub("0", value)


def _is_named(value: str) -> bool:
    return any(letter.isalpha() for letter in value[1:]) or (value[:1].isalpha() and value[:1] not in "vV")


def _about(text: str) -> set[str]:
    return {word for word in content(_VALUE.sub(" ", text)) if not any(map(str.isdigit, word))} - _ASIDE - _VERBS
