"""Whether a success is told in passing, of something that an exchange was not of: "staging runs on port 8080". Pure.

Where something runs, and with what it works, is as often a fact about it as news of it. It is news of an exchange where
its subject is what the exchange was of, is pointed at ("it runs on port 8080 now") or has no name. What a tracker has a
number for is what the exchange was of where it says that number. Where an answer only took note of something, no
success of something else by name is news.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.cues.clauses.amounts import Sign
from aftermind.sidecar.cues.clauses.heard import Heard
from aftermind.sidecar.cues.comparing.another_matter import ADVISED, ALL_WORK, asks_to_know, named, names, takes_note
from aftermind.sidecar.ports import Case
from aftermind.sidecar.utterances.grammar import ANAPHORA, POLITE, SINCE

_STANDS = frozenset(
    """
    runs works run work läuft laufen funktioniert arbeitet tourne tournent fonctionne travaille corre funciona trabaja
    roda gira funziona lavora draait werkt działa pracuje работает работают працює çalışıyor
    """.split()
)
_WHERE = frozenset(
    """
    on in under with at auf in im unter mit bei sur dans sous avec en con bajo em no na com su nel nella sotto op onder
    met w pod z na в на под с у під з
    """.split()
)
"""After a verb, they begin where something runs or with what it works."""
_AGAIN = frozenset(
    """
    again finally wieder endlich encore enfin nouveau otra vez novo novamente nuovo finalmente weer opnieuw znowu
    снова опять знову
    """.split()
)
"""It was not so."""
_TELLING = frozenset("fyi note nb remember remind btw merk hinweis info nota".split())
"""They begin what is to be known."""
_NEW = frozenset({"new", "latest", "updated"})
_NUMBERED = re.compile(
    r"(?:\b(?i:issue|bug|pr|mr|ticket|task|story|pull request|merge request)\s#?|#)(\d{1,7})\b"
    r"|\b([A-Z]{2,10}-\d{1,7})\b"
)
"""What a tracker calls something."""


def without_asides(signs: Sequence[Sign], heard: Sequence[Heard], case: Case) -> list[Sign]:
    """The signs, without successes that are said of something else by name than the exchange was of."""
    if not any(sign.says == "work" for sign in signs):
        return list(signs)
    before = f"{case.prompt} {case.answer} {' '.join(path for tool in case.tools for path in tool.paths)}"
    asked, known, by_words = asks_to_know(case), named(before), {part.text: part for part in heard}
    noted, done = takes_note(case), any(tool.paths for tool in case.tools)

    def aside(sign: Sign) -> bool:
        part = by_words.get(sign.words)
        if sign.says != "work" or part is None:
            return False
        return _is_aside(part, before, known, asked, done) or (noted and _is_of_another(part, known))

    return [sign for sign in signs if not aside(sign)]


def _is_aside(part: Heard, before: str, known: set[str], asked: bool, done: bool) -> bool:
    hit = next((hit for hit in part.hits if hit.sign == "work" and hit.first >= 0), None)
    if hit is None:
        return False
    number = _NUMBERED.match(part.text, hit.start) or _NUMBERED.search(part.text, 0, hit.start)
    if number:
        return (number[1] or number[2]) not in before
    said = [word.text for word in part.words]
    verb = next((at for at in range(hit.first, min(hit.last + 2, len(said))) if said[at] in _STANDS), -1)
    if verb < 1 or verb + 1 == len(said) or said[verb + 1] not in _WHERE:
        return False
    return not _is_of_it(said, verb, known, asked, done)


def _is_of_another(part: Heard, known: set[str]) -> bool:
    """Whether a success begins with the name of something that shares no word with an exchange."""
    said = [word.text for word in part.words]
    subject = said[: next((hit.first for hit in part.hits if hit.sign == "work"), 0)]
    called = {word for word in subject if names(word)}
    return bool(called) and ANAPHORA.isdisjoint(subject) and not called <= ADVISED and not named(part.text) & known


def _is_of_it(said: Sequence[str], verb: int, known: set[str], asked: bool, done: bool) -> bool:
    """Whether what is said to run is what an exchange was of; of what was only `asked` about, it has to be new. After
    something was `done`, it is also what all work is part of, where that is new."""
    subject = [word for word in said[:verb] if word not in POLITE]
    if subject and subject[0] in _TELLING:
        return False
    called = {word for word in subject if names(word)} - _NEW
    if said[verb - 1] in ANAPHORA or called <= ADVISED:
        return True
    again = not _AGAIN.isdisjoint(said)
    if again or not SINCE.isdisjoint(said):
        whole = called <= ALL_WORK
        return bool(named(" ".join(said if whole else subject)) & known) or ((again or done) and whole)
    return not asked and named(" ".join(subject)) <= known
