"""What a user orders to be remembered: "please remember that …", "note to self: …", "merk dir, dass …". Pure.

The order is sign enough: what follows is kept as it was said, but for what asks, what tells a secret, and what nobody
will understand any more when it is read again ("remember that bug?", "remember that you broke it").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aftermind.engine.lazily import lazily
from aftermind.engine.moments import A_MONTH
from aftermind.engine.names import Kind
from aftermind.projections.reading.statements.wording_words import COPULAS
from aftermind.sidecar.captures.signs import MODALS, is_told
from aftermind.sidecar.captures.words.grammar import FORBIDDING, ORDERS, STATES, THAT
from aftermind.sidecar.utterances.phrases import words

FEWEST = 3
"""Words of what is remembered."""
_BEGINS = r"(?:^|(?<=[.!?…]\s)|(?<=\n))[\ \t]{0,8}"
_POLITE = (
    r"(?:(?:ok|okay|and|also|btw|by\ the\ way|oh|hey|please|pls|und|bitte|et|y|e|por\ favor|per\ favore|пожалуйста)"
    r"[,:]?[\ \t]{1,8}){0,3}"
)
_THAT = rf"(?:[\ \t]?[:：]\s{{0,8}}|,?\s{{1,8}}(?:that|{THAT})\s{{1,8}}|\s{{1,8}}qu['’])"
_ENGLISH = rf"""
    (?: (?:can|could|will|would)\ you\ (?:please\ )?
      | (?:i\ (?:want|need)|i['’]d\ like|i\ would\ like)\ you\ to\ | you\ (?:should|must|need\ to)\ )?
      (?:always\ )?(?:remember|memori[sz]e|keep\ in\ mind)(?:\ (?:this|the\ following))?{_THAT}
    | (?:do\ not|don['’]?t|never)\ forget(?:\ this)?{_THAT}
    | (?:remember|note)\ (?:this\ )?for\ (?:next\ time|later|the\ future|future\ sessions)(?:\s*[:,]\s*|\ that\ )
    | (?:save|store|add|put|write|commit)\ (?:(?:this|it|that)\ )?(?:down\ )?(?:to|in|into)\ (?:(?:your|the)\ )?
      memory{_THAT}
    | (?:make|take)\ (?:a\ )?note(?:\ of\ this)?{_THAT}
    | note\ to\ self{_THAT}
    | for\ (?:(?:your|the)\ )?future\ reference\s*[,:]\s*(?:that\ )?"""
_OTHER_TONGUES = rf"""
    | (?:merke?|merkt|notiere?)\ (?:dir|euch)(?:\ bitte)?{_THAT}
    | (?:merken|vergiss(?:\ bitte)?\ nicht){_THAT}
    | (?:denke?|denkt)\ (?:bitte\ )?(?:daran|dran){_THAT}
    | (?:souviens[- ]toi|rappelle[- ]toi|souvenez[- ]vous|retiens|retenez|n['’]oubliez?\ pas)(?:\ bien)?{_THAT}
    | notez?(?:\ bien)?\ (?:que\ |qu['’])
    | (?:recuerda|recuerde|no\ olvides|ten\ en\ cuenta|apunta|anota){_THAT}
    | (?:lembre-se|lembra-te|lembre|lembra|não\ esqueças?|anote|anota)(?:\ de)?{_THAT}
    | (?:ricorda(?:ti)?|non\ dimenticare|tieni\ presente|annota)(?:\ di)?{_THAT}
    | (?:onthoud|vergeet\ niet|noteer){_THAT}
    | (?:zapamiętaj|pamiętaj|nie\ zapomnij|zanotuj){_THAT}
    | (?:запомните?|не\ забудь(?:те)?|име(?:й|йте)\ в\ виду|запам['’]ятай){_THAT}"""
_ORDER = lazily(rf"{_BEGINS}{_POLITE}(?:{_ENGLISH}{_OTHER_TONGUES})(?P<what>[^\n]+)", re.IGNORECASE | re.VERBOSE)
_UNMARKED = lazily(
    rf"{_BEGINS}{_POLITE}(?:remember|do\ not\ forget|don['’]?t\ forget)\ (?P<what>(?:the|our|my|we|i)\b[^\n]+)",
    re.IGNORECASE | re.VERBOSE,
)
"""Without a word for "that": where what follows is a sentence of its own."""
_FIRST = lazily(
    r"(?:^|(?<=[。！!？?\n]))[ \t]{0,8}(?:请|請)?(?:覚えておいて(?:ください|ね)?|记住|記住|记一下|別忘了|别忘了"
    r"|기억해\s?(?:줘|두세요|주세요)?)\s?[:：、,，]\s{0,8}(?P<what>[^。\n]+)"
)
_LAST = lazily(
    r"(?:^|(?<=[。.！!？?\n]))[ \t]{0,8}(?P<what>[^。.！!？?\n]{1,400}?)"
    r"(?:(?:だ|である)?(?:と|って|ことを)(?:覚えて|記憶して)(?:おいて|ください)"
    r"|(?:라는\s?(?:걸|것을)|다고)\s?기억해\s?(?:줘|두세요|주세요))[^。.\n]*"
)
"""Where the order stands before what is remembered, and where behind it."""
_UNTIL = lazily(
    r"\s(?:until|till)\s(?:(?:the\s)?(?:end|start|beginning|middle)\sof\s|early\s|mid-?\s?|late\s)?(?:\d{1,2}\.?\s)?"
    rf"(?:{A_MONTH}|q[1-4]|20\d\d)"
    r"(?:\s\d{1,4})?\W*\Z",
    re.IGNORECASE,
)
"""Far from now."""
_END = lazily(r"[.!?…](?=\s|$)|[。！？]")
_ASKED = lazily(r"\b(?:can|could|will|would) you\b")
_TASTE = lazily(
    r"\b(?:i|we) (?:(?:really|strongly|much) )?(?:prefer|like|love|hate|dislike|want|favou?r)\b"
    r"|\bich .{0,30}\b(?:mag|bevorzuge|hasse)\b"
    r"|\b(?:je préfère|j['’]aime|prefiero|me gusta|prefiro|gosto de|preferisco|mi piace|ik (?:wil|hou)|wolę)\b"
    r"|\bя предпочитаю\b",
    re.IGNORECASE,
)
_WHENCE = frozenset("when how what why where who which to me us wenn wie warum wo wer quand comment pourquoi".split())
"""What begins with one of these is asked, or is to be done, and says nothing that is so."""
_OTHERS = frozenset({"that", "this", "these", "those", "he", "she", "they", "it", "you"})
"""Of whom it is said is not known any more, unless it is how they are to be."""
_VERBS = frozenset({"uses", "runs", "listens", "needs", "wants", "owns", "lives", "prefer", "use", "want", "need"})
_OF_NOW = STATES | {"still", "red", "failing"}
_WAS = frozenset({"was", "were", "had"})
_FORBIDS = FORBIDDING - {"a", "а", "not", "only", "no"}


def ordered(message: str, own: str) -> Iterator[tuple[int, int, Kind]]:
    """Where in a message what is to be remembered begins and ends, and as what it is kept. In `own` all that is not the
    user's own voice is blank: the order must be theirs, and what follows a colon may be anybody's."""
    for pattern in (_ORDER, _UNMARKED, _FIRST, _LAST):
        for match in pattern.finditer(message):
            start = match.start("what")
            end = next((start + one.start() for one in _END.finditer(match["what"])), match.end("what"))
            text = message[start:end].rstrip(" ,")
            told, order = [word.text for word in words(text)], match[0][: start - match.start()].lower()
            asks = message[end : end + 1] in ("?", "？") and (not _ASKED.search(order) or set(told) & _WAS)
            if not own[match.start() : start].strip() and pattern is not _LAST:
                continue
            if not asks and (pattern in (_FIRST, _LAST) or _says(told, order)):
                yield start, start + len(text), _kind(text, told)


def without_end(text: str) -> str:
    """What is so without when it ends, where that is a month or a year: "the API is frozen until January"."""
    return _UNTIL.sub("", text)


def _says(told: list[str], order: str) -> bool:
    """Whether what follows such an order is something that is so, or to be so."""
    if len(told) < FEWEST or told[0] in _WHENCE or set(told) & _OF_NOW:
        return False
    if told[0] in _OTHERS:
        return told[1] in MODALS | {"should", "want", "need"}
    if order.rstrip().endswith(("remember", "forget")):
        return bool(set(told[1:6]) & (COPULAS | MODALS | _VERBS))
    return not order.rstrip().endswith("that") or is_told(told) or _of_the_user(told)


def _of_the_user(told: list[str]) -> bool:
    return told[0] in ("i", "we") and not told[1].endswith("ed")


def _kind(text: str, told: list[str]) -> Kind:
    if _TASTE.search(text):
        return "preference"
    begins = told[0] if told else ""
    orders = begins in ORDERS and not set(told[1:4]) & (COPULAS | MODALS)
    return "directive" if orders or begins in _FORBIDS or told[:2] == ["do", "not"] or begins == "you" else "fact"
