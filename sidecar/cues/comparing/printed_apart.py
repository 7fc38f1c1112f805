"""Whether output that was pasted is of something that an exchange was not of. Pure.

Output is believed of the exchange before it, whatever its words: an error shares few of them with what caused it. It is
not where the user says that something else by name prints it, or where it is the machine that is at fault (a port that
is taken, a full disk, no network), as long as nothing in it is of the exchange.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.captures.words.grammar import ORDERS
from aftermind.sidecar.cues.clauses.heard import Heard, content
from aftermind.sidecar.cues.comparing.another_matter import (
    ADVISED,
    ALL_WORK,
    leaves_all_as_it_was,
    named,
    names,
    prints_another_matter,
)
from aftermind.sidecar.ports import Case
from aftermind.sidecar.utterances.grammar import NEGATIONS, NO, POLITE, REQUESTS, SINCE, STARTS
from aftermind.sidecar.utterances.voice import Message

_MACHINE = re.compile(
    r"\bEADDRINUSE\b|\baddress already in use\b|\bport \d+ is (?:already )?(?:in use|taken|allocated)\b"
    r"|\bport is already (?:in use|allocated)\b|\bENOSPC\b|\bno space left on device\b|\bdisk quota exceeded\b"
    r"|\bcould not resolve host\b|\btemporary failure in name resolution\b|\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH)\b"
    r"|\bname or service not known\b|\bnetwork is unreachable\b|\bno route to host\b|\bread-only file system\b"
    r"|\bcannot connect to the docker daemon\b",
    re.IGNORECASE,
)
_ERROR = re.compile(r"\w*(?:Error|Exception)\b\s?[:(\[]")
_TIED = frozenset("same again dasselbe gleiche wieder même encore mismo igual otra stesso".split())
"""Who says one of these, or "still", speaks of what was before; "now" is said of anything that is new."""
_BECAUSE = re.compile(
    r"\b(?:after|with|since|by|from|through|nach|mit|seit|après|avec|depuis|después de|con|desde) "
    r"(?:it|this|that|these|those|your?|the (?:fix|change|patch)|diese[mnr]?|deine[mnr]?|ça|cela|ce|cette|eso|esto)\b"
    r"|\b(?:danach|damit|seitdem|dadurch|afterwards|ensuite|después)\b",
    re.IGNORECASE,
)
"""What is said to come of what was before."""
_THE = frozenset("the our my a an der die das den dem im unser le la les du el los las il".split())
_BEGIN_NOW = SINCE | {"next", "danach", "nächster", "ensuite", "luego"}
_UP = STARTS | frozenset("up running green oben levantado arriba".split())
"""What has come so far; who only says what they did ("installed") tells nothing of it."""
_ANY_ERROR = {"error"}
_STEP = 4
"""Words in which it is said that it is up; who says more tells of something."""
_SHOWN = ADVISED | frozenset(
    """
    error errors message trace traceback stack stacktrace log logs console terminal shell browser screen window run
    first second next last new whole full same local dev meldung fehler konsole ausgabe erreur consola salida
    """.split()
)
"""Where output is seen, and what it is: that names nothing that prints it."""


def prints_apart(message: Message, follow_up: str, heard: Sequence[Heard], case: Case, another: bool) -> bool:
    """`another`: whether all that the user says is of another matter."""
    if not heard:
        return prints_another_matter(follow_up, case) or _is_of_the_machine(message, follow_up, case)
    if _is_told_after_a_step(heard) and not content(" ".join(message.pasted)) & content(case.prompt) - _ANY_ERROR:
        return True
    if any(map(_is_tied, heard)):
        return another and prints_another_matter(follow_up, case)
    apart = not named(follow_up) & named(f"{case.prompt} {case.answer}")
    if apart and (another or (leaves_all_as_it_was(case) and _names_what_prints(heard))):
        return True
    return _is_of_the_machine(message, follow_up, case)


def _is_told_after_a_step(heard: Sequence[Heard]) -> bool:
    """Whether it is said first, of all that was done, that it is up, and then what there is now: that is the next thing
    that fails, and the step before it did not."""
    at = next((at for at, part in enumerate(heard) if not _BEGIN_NOW.isdisjoint(_plain(part)[:1])), 0)
    before = [_plain(part) for part in heard[:at]]
    up = any(0 < len(said) <= _STEP and not _UP.isdisjoint(said) and NEGATIONS.isdisjoint(said) for said in before)
    return up and not any(part.asks or part.contrasts or part.has("still", "fail") for part in heard[:at])


def _plain(part: Heard) -> list[str]:
    return [word for word in _said(part) if word not in POLITE - _BEGIN_NOW]


def _is_of_the_machine(message: Message, follow_up: str, case: Case) -> bool:
    lines = [line for line in follow_up.split("\n") if _MACHINE.search(line[:2000])]
    others = [line for line in message.pasted if _ERROR.search(line[:2000]) and line not in lines]
    if not lines or others:
        return False
    touched = " ".join(path for tool in case.tools for path in tool.paths)
    shared = content(" ".join((message.typed, *lines))) & content(f"{case.prompt} {case.answer} {touched}")
    return not shared - {word[:5] for word in ALL_WORK | ORDERS | REQUESTS | {"error"}}


def _names_what_prints(heard: Sequence[Heard]) -> bool:
    """Whether something is named beside what all work is part of: "in the import job I get"."""
    for part in heard:
        said = _said(part)
        after = {said[at + 1] for at in range(len(said) - 1) if said[at] in _THE}
        if part.asks or not SINCE.isdisjoint(said):
            return False
        if any(names(word) and word not in ALL_WORK | _SHOWN for word in after):
            return True
    return False


def _is_tied(part: Heard) -> bool:
    said = _said(part)
    tied = part.has("still") or not _TIED.isdisjoint(said) or not NO.isdisjoint(said[:1])
    return tied or _BECAUSE.search(part.text) is not None


def _said(part: Heard) -> list[str]:
    return [word.text for word in part.words]
