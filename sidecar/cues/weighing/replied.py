"""What is only the reply to an answer, and says nothing of how it turned out. Pure.

Who declines what is offered, or says that nothing more is needed, denies nothing: "no, that's not needed", "nein, das
passt so". Who but thanks tells of nothing. Who is asked for a colour or a value names one: "red", "empty", "the same
as before".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.cues.clauses.heard import Heard
from aftermind.sidecar.utterances.grammar import ANAPHORA, NEGATIONS, NO, NO_MORE, POLITE, SINCE

REJECTS = frozenset({"wrong", "falsch"})
"""They say what is wrong; a "no" may decline."""
_SUBJECTS = frozenset("that it this everything das es alles c' ça ca dat het".split())
"""After a "no" without a comma, a sentence begins with them, so that it negates none of its words."""
_ENGLISH = frozenset("that it this everything".split())
"""Before these a "no" negates nothing, whatever follows."""
_SAYS_NO = frozenset("nope nah nein nö nee".split())
"""They negate no word of a sentence; "no" and its like do in some language."""
_APPROVES = frozenset(
    """
    fine good ok okay alright enough passt gut reicht va bon bien bene goed prima
    """.split()
)
_SMALL = frozenset(
    """
    is all everything quite really already just s alles schon doch ist sind so auch mal dann
    c' est ça ca tout très comme está así todo va sta così è già dat het is zo wel way as
    """.split()
)
_NEEDED = frozenset(
    """
    need needed necessary required nötig notwendig erforderlich nodig besoin peine nécessaire necesario necesaria falta
    necessario necessaria bisogno serve necessário necessária precisa potrzebne konieczne trzeba нужно надо потрібно
    """.split()
)
_ONLY_BESIDE = {"serve": "non", "falta": "hace faz", "besoin": "pas aucun", "peine": "pas"}
"""Of these something else may be said: "não serve", "no falta nada"."""
_ENDS = frozenset({"serve", "precisa", "peine", "falta"})
"""And of these: "non serve a niente"."""
_AFTER = _SMALL | POLITE | ANAPHORA | NO_MORE | frozenset("any right".split())
_FOR = frozenset("for because since as für weil pour parce de para porque per perché".split())
"""What may follow what is not needed: no thing, as in "not needed fields are still there"."""
_USES = frozenset("brauch brauche brauchst braucht brauchen hoeft hoef".split())
"""What denies them follows."""
_NEGATES = frozenset({"no", "non", "não", "nie", "не"})
_WHICH = frozenset("what was que qu' quoi dont che quello cui lo wat co что що only all you".split())
"""With one of these, it is said what is needed, or what was wrong: "not what is needed", "you don't need that"."""
_LEAVE = frozenset("leave lass laß laisse deja déjalo lascia laat".split())
_BE = _SMALL | POLITE | frozenset("it that this es das tomber maar estar stare".split())
_THANKED = POLITE | frozenset(
    """
    thx ty tysm cheers a lot many very much for nothing the your help trying answer reply effort vielen für nichts hilfe
    beaucoup pour rien muchas por nada mille per niente
    """.split()
)
"""What somebody thanks for that is no report: "thanks for nothing", and not "thanks for fixing the login"."""
NEAR = 3
"""Words between a negation and what is not needed."""
_TO_BE = (
    r"\b(?:should|shall|would|want|like|prefer|use|soll\w{0,2}|möchtest|willst|veux|voulez|doit|devrait|préfères"
    r"|quieres|debe\w{0,3}|prefieres|vuoi|deve|dovrebbe|preferisci)\b"
)
_REST = r"[^?.!\n]{0,160}"
_ASKS_FOR = re.compile(
    rf"\b(?:which|what|welche\w{{0,2}}|was|quell?e?s?|qué|cuál|qual|quale|che)\b{_REST}(?:{_TO_BE}"
    r"|\b(?:colou?rs?|values?|defaults?|names?|labels?|farbe|wert|couleur|valeur|color|valor|colore|valore)\b)"
    rf"{_REST}[?？]\s*\Z|{_TO_BE}{_REST}\b(?:or|oder|ou|o)\b{_REST}[?？]\s*\Z",
    re.IGNORECASE,
)
"""Which one is to be: a question for a choice, and none for what is seen."""
_SEES = re.compile(
    r"\b(?:see|shows?|happens?|gets?|says?|siehst|zeigt|passiert|vois|affiche|ves|muestra|vedi|mostra)\b", re.IGNORECASE
)
_VALUES = frozenset(
    """
    red blank empty null none nothing undefined nan false wrong same before default lost missing
    rot leer nichts gleich gleiche selbe vorher vide rouge rien même avant pareil rojo vacío nada igual antes rosso
    vuoto niente uguale prima
    """.split()
)
_BESIDE_VALUES = POLITE | frozenset(
    """
    the a an as like in for to just string text value color colour please others other ones one header
    das die der den wie wert text bitte le la les comme un une el los como come il lo i gli stp por favor per favore
    dark light bright
    """.split()
)
LONGEST = 400
"""Characters of the end of an answer in which it asks."""


def declined(heard: Sequence[Heard]) -> int:
    """How many parts of a message only decline something with a "no", or approve; 0 where they deny."""
    if not heard or heard[0].asks:
        return 0
    first = [word.text for word in heard[0].words]
    at = next((at for at, word in enumerate(first) if word not in POLITE), len(first))
    if at == len(first) or first[at] not in NO - REJECTS:
        return 0
    no, rest = first[at], first[at + 1 :]
    if rest[:1] == [no] and no in _SAYS_NO | {"non"}:  # "non non c'est bon"
        rest = rest[1:]
    if rest:
        return 1 if _lets_be(rest, no) else 0
    after = heard[1] if len(heard) > 1 else None
    if after is None or after.asks or after.contrasts:
        return 0
    return 2 if _lets_be([word.text for word in after.words], "") else 0


def is_fine_after_all(part: Heard) -> bool:
    """Whether a "but" takes back what was found wrong: "that's outdated, but fine"."""
    return part.contrasts and bool(part.words) and _is_fine([word.text for word in part.words], "")


def only_thanks(part: Heard) -> bool:
    """Whether somebody but thanks, for nothing that would be a report."""
    return part.has("praise") and _THANKED.issuperset(word.text for word in part.words)


def _lets_be(rest: Sequence[str], no: str) -> bool:
    """Whether words after a "no" say that all is well, or that something is not needed. `no`: where they go on with it,
    which may negate them."""
    return _is_fine(rest, no) or _is_unneeded(rest, no) or (rest[0] in _LEAVE and _BE.issuperset(rest[1:]))


def _is_fine(rest: Sequence[str], no: str) -> bool:
    said = {"alright", *rest[:-2]} if rest[-2:] == ["all", "right"] else set(rest)
    if not said & _APPROVES or said & (NEGATIONS | SINCE) or not said <= _APPROVES | _SMALL | POLITE | ANAPHORA:
        return False
    if not no or no in _SAYS_NO:
        return True
    return rest[0] in _SUBJECTS and (rest[0] != "c'" or rest[1:2] == ["est"])


def _is_unneeded(rest: Sequence[str], no: str) -> bool:
    if not _WHICH.isdisjoint(rest):
        return False
    for at, word in enumerate(rest):
        before, after = rest[max(0, at - NEAR) : at], rest[at + 1 :]
        if word in _USES:
            denied = next((n for n, one in enumerate(after[:NEAR]) if one in NEGATIONS), -1)
            return denied >= 0 and set(after[denied + 1 :]) <= _AFTER
        if word in _NEEDED:
            negates = no in _NEGATES and at < NEAR and _ENGLISH.isdisjoint(rest[:1])
            ends = set(after[:2]) <= _AFTER or (word not in _ENDS and after[0] in _FOR)
            beside = _ONLY_BESIDE.get(word, "").split()
            if beside and set(beside).isdisjoint((no, *before)):
                return False
            return ends and (negates or not NEGATIONS.isdisjoint(before))
    return False


def names_a_value(answer: str, heard: Sequence[Heard]) -> bool:
    """Whether a message only names what an answer asked for in its end: which colour, which value."""
    said = {word.text for part in heard for word in part.words}
    if not said & _VALUES or not said <= _VALUES | _BESIDE_VALUES:
        return False
    asked = answer[-LONGEST:].rstrip()
    question = asked[max(asked.rfind(mark) for mark in (". ", "! ", "\n", ": ")) + 1 :]
    return _ASKS_FOR.search(question) is not None and _SEES.search(question) is None
