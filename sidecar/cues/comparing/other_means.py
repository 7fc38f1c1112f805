"""Whether a success is owed to something else than an exchange said: "restarting the server fixed it". Pure.

It is where what fixed it is named, shares no word with the exchange and points at nothing in it; where what was done
is taken back first ("I reverted it and now it works") or something else was taken; and where nobody needs an answer
any more ("never mind, it works"). A success that is regretted, or the least there is, is not one of what was asked,
one that came by itself, or as by magic, is owed to nothing that is known, and one that was not meant is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.cues.clauses.amounts import Sign
from aftermind.sidecar.cues.clauses.heard import Heard
from aftermind.sidecar.cues.comparing.another_matter import ADVISED, named, names
from aftermind.sidecar.ports import Case
from aftermind.sidecar.utterances.grammar import KIDDING
from aftermind.sidecar.utterances.phrases import words

_MEANS = re.compile(
    r"\A\W*(?P<what>.{3,80}?)\s(?:(?:finally|actually|has|have)\s)?(?:fixed|solved|resolved|cured)\s(?:it|that|this|the\s\w+)\b"
    r"|\b(?:fixed|solved|resolved|cured|gelöst|behoben|résolu|réglé|resuelto|solucionado)\s"
    r"(?:it\s)?(?:by|with|through|via|durch|mit|en|con|avec|grâce à|gracias a)\s(?P<by>\S.{2,80})"
    r"|\b(?:because|cause|cuz|weil|parce que|porque|perché|omdat)\s(?:i|we|ich|wir|j['’]|yo|ik)\s?"
    r"(?P<because>\S.{2,80})",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|after|seit(?:dem)?|nach|depuis|après|desde|después de|tras)\s"
    r"(?:(?:the|a|an|my|our|dem|der|einem|einer|meinem|le|la|un|une|mon|el|una|mi)\s|l['’])(?P<what>\w[\w-]*(?:\s(?!ça\b|es\b|it\b)\w[\w-]*)?)",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"\b(?:went with|took|used|found|tried|chose|nahmen|genommen|gefunden|pris|trouvé|usé|encontré)\s(?:an?\s|the\s"
    r"|eine?n?\s|une?\s|una?\s)?(?:\w+\s)?(?:another|other|different|better|andere\w*|autre|otr[ao])\s"
    r"(?:solution|approach|way|fix|tool|one|lösung|weg|façon|solución|manera)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:reverted|undid|rolled back|rolling back|backed out|reverting|undoing|rückgängig gemacht|zurückgesetzt"
    r"|annulé|revertí|deshice)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:revert|undo|roll(?:ing)? back|back out|rückgängig|zurücksetz|annul|revert|deshac)", re.IGNORECASE
)
_MOOT = re.compile(
    r"\A\W*(?:(?:oh|ok|ah|sorry|ach)\W+)?(?:nvm|nevermind|never mind|vergiss es"
    r"|hat sich (?:\w+ )?erledigt|laisse tomber"
    r"|olvídalo)\b",
    re.IGNORECASE,
)
_REGRETTED = re.compile(
    r"\b(?:unfortunately|sadly|leider|malheureusement|hélas|lamentablemente|desgraciadamente|purtroppo|helaas|infelizmente"
    r"|niestety)\b|\b(?:in theory|theoretisch|en théorie|en teoría)\b|\binstead\W*\Z|\bfixed in v?\d"
    r"|\bat least\W*\Z|\A\W*(?:well\W+)?at least (?:it|the|that|this)\b|\b(?:immerhin|wenigstens)\b",
    re.IGNORECASE,
)
_BY_ITSELF = re.compile(
    r"\b(?:magically|mysteriously|miraculously|inexplicably|wie von zauberhand|comme par magie|por arte de magia"
    r"|als bij toverslag|per magia|por magia)\b"
    r"|\b(?:fixed|resolved|solved|cured|healed|sorted) (?:itself|themselves)\b"
    r"|\b(?:went away|gone|disappeared|vanished|recovered|started working|works? again) (?:\w+ )?"
    r"(?:by itself|on its own|of its own accord|by themselves|on their own)\b"
    r"|\bwithout (?:(?:me|us|my|our) )?(?:changing|having (?:done|changed|touched)) (?:a thing|anything)\b(?! else)"
    r"|\bagain without (?:(?:me|us|my|our) )?(?:doing|touching) (?:a thing|anything)\b(?! else)"
    r"|\b(?:von (?:selbst|allein\w*) (?:erledigt|gelöst|behoben|repariert)|vanzelf (?:opgelost|verdwenen|hersteld))\b"
    r"|\bs['’]est (?:réglé|résolu|arrangé)\w* tout\w* seule?\b|\bse (?:arregló|solucionó|resolvió|resolveu) (?:solo"
    r"|sola|sozinh[oa]|por sí sol[oa])\b|\bsi è (?:risolto|sistemato) da sol[oa]\b",
    re.IGNORECASE,
)
_MOCKS = re.compile(
    r"\bworks\s(?:in )?(?:my|your) (?:ass|arse|foot|dreams)\b|\bsaid (?:no one|nobody|noone)(?: ever)?\b",
    re.IGNORECASE,
)
_SMALL = frozenset("finally actually totally completely definitely just really now then wow lol yay yes also".split())
_HANDED_ON = frozenset("commit deploy deployment merge push pull pr release edit diff".split())
"""How what was done comes to where it works."""
_POINTING = frozenset(
    """
    it this that these those them one ones which you your yours dein deine deiner dies das ça cela ton ta eso esto tu
    """.split()
)


def without_other_means(signs: Sequence[Sign], heard: Sequence[Heard], case: Case, typed: str) -> list[Sign]:
    """The signs, without successes that are owed to something else; `typed`: the user's own voice."""
    if not any(sign.says == "work" for sign in signs):
        return list(signs)
    before = f"{case.prompt} {case.answer} {' '.join(path for tool in case.tools for path in tool.paths)}"
    unmeant = KIDDING.search(typed) or _MOCKS.search(typed)
    if (
        unmeant
        or _MOOT.match(typed)
        or _BY_ITSELF.search(typed)
        or _ANOTHER.search(typed)
        or (_TAKEN_BACK.search(typed) and not _BACK.search(before))
    ):
        return [sign for sign in signs if sign.says != "work"]
    known = named(before)
    spoken = {part.text for part in heard}
    return [
        sign
        for sign in signs
        if sign.says != "work" or sign.words not in spoken or not _is_owed_elsewhere(sign.words, known)
    ]


def _is_owed_elsewhere(said: str, known: set[str]) -> bool:
    if _REGRETTED.search(said):
        return True
    if (means := _MEANS.search(said)) is not None:
        what = means["what"] or means["by"] or means["because"]
    elif (since := _SINCE.search(said)) is not None:
        what = since["what"]
    else:
        return False
    told = {word.text for word in words(what)}
    called = {word for word in told if names(word)} - _SMALL
    return bool(called) and told.isdisjoint(_POINTING | ADVISED | _HANDED_ON) and not named(what) & known
