"""Whether a failure is of something that an exchange was not of: a new problem, no verdict on what was before. Pure.

It names what fails, that and all else it says shares no word with the exchange, and nothing in it takes up what was
advised. After something was done, any failure may be of it; what all work is part of, as a build, may fail of anything
that was advised, and not of what was only told or greeted: what fails "again" then failed before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.captures.sentences import WHERE
from aftermind.sidecar.captures.words.grammar import ORDERS
from aftermind.sidecar.cues.clauses.amounts import Sign
from aftermind.sidecar.cues.clauses.heard import Heard
from aftermind.sidecar.ports import Case
from aftermind.sidecar.utterances.grammar import (
    ANAPHORA,
    ASKING,
    CONDITIONS,
    DISCUSSES,
    NEGATIONS,
    NO,
    NO_MORE,
    PERSONS,
    POLITE,
    REQUESTS,
    SINCE,
    WHENS,
    WHOLE,
)
from aftermind.sidecar.utterances.languages import SMALL_WORDS
from aftermind.sidecar.utterances.phrases import words

ALL_WORK = frozenset(
    """
    build builds test tests suite specs checks pipeline pipelines page site website app application program server ui
    screen ci cd deploy deploys deployment deployments linter lint typecheck typechecker imports startup backend
    frontend service services servers container containers image images docker staging release workflow compiler
    pytest mypy ruff eslint tsc jest vitest tox pylint flake8 prettier clippy cargo npm pnpm yarn webpack vite gradle
    maven make jenkins github gitlab
    seite anwendung programm compilation compilación compilação compilazione kompilacja aplicación aplicação сборка
    збірка приложение страница derleme
    """.split()
)
"""What all work is part of."""
ADVISED = (WHOLE - ALL_WORK) | frozenset(
    """
    answer suggestion advice fix fixes command commands code change changes script patch solution snippet example
    output result results config function method approach version line query regex option flag link import step thing
    antwort vorschlag tipp befehl änderung lösung skript ausgabe ergebnis anweisung
    réponse commande solution correctif changement résultat erreur respuesta comando código solución sugerencia cambio
    resultado resposta solução sugestão mudança risposta codice soluzione suggerimento modifica risultato errore
    antwoord opdracht commando oplossing wijziging fout odpowiedź polecenie komenda kod rozwiązanie zmiana błąd
    ответ команда код решение исправление ошибка відповідь рішення помилка
    """.split()
)
"""What an answer is or gives, all of it, and how it goes: whoever says that these fail speaks of it."""
CLAIMED = frozenset(
    """
    wrong incorrect false untrue outdated exist exists such nothing none nobody
    falsch falsche falscher falsches existiert nichts nix faux rien incorrecto nada errado sbagliato niente fout niets
    nic неверно ничего нічого
    """.split()
)
"""Said of what somebody said, or of nothing that has a name: "the path is wrong", "nothing changed"."""
_TIED = frozenset("same your yours you dein deine ton votre tu tuo jouw twój твой".split())
"""Who says one of these speaks of what was before."""
_AGAIN = frozenset("again wieder erneut encore otra znowu снова опять".split())
"""So does who says one of these, or "now", of what was advised; of what was only told, where it begins with one."""
_NO_SUBJECT = ((ANAPHORA | PERSONS) - {"das", "il", "lo", "a"}) | WHERE | WHENS | CONDITIONS | {"beim", "after", "vom"}
"""What begins with one of these is pointed at, or says where and when; "das" and its like are articles as well."""
_HOW = ("ly", "mente", "ment", "weise")
_ASIDE = frozenset(
    """
    mine ours one ones first second third last other others somehow leider sometimes often until manchmal parfois soms
    work works working worked czasem иногда todavía aún wciąż до сих пор у нас меня на так там все всё моя мой мои
    """.split()
)
_UNNAMED = SMALL_WORDS | ANAPHORA | POLITE | NEGATIONS | NO_MORE | _ASIDE
_SEEKS = frozenset("i should can could need must fix solve avoid prevent ich je yo eu io ik ja я мне".split())
"""In a question to know, what makes it one for advice: "what do I set to fix it?"."""
LONGEST = 20_000
"""Characters of an exchange in which a word is looked for."""
_FAILURE = ("fail", "fault", "weak")
_POINTING = frozenset(
    """
    it this that these those es das dies ça cela eso esto isso isto questo quello dit dat to это це
    """.split()
)
_TO_KNOW = ASKING - frozenset(
    """
    how why can could will would should shall may und and so then wie warum wieso weshalb kann kannst können könntest
    sollte soll comment pourquoi peux pourrais faut on tu cómo como por puedes podrías pode poderia você come perché
    puoi potresti hoe waarom kun kan kunnen zou jak dlaczego możesz как почему зачем можешь можно а як чому можеш чи
    nasıl neden niye
    """.split()
)
"""How a question begins that wants to know something and nothing to be done."""


_TELL_ME = re.compile(
    r"\s*(?:please )?(?:tell|show|remind) me (?!.{0,60}\b(?:commands?|code|snippets?|steps|way|fix|config|how|to)\b)"
    r"(?:the|my|our|all|about|again|what|which|where|who|when|whether|if)\b"
    r"|\s*(?:bitte )?(?:sag|zeig)e? mir (?:de[rnms]|die|das|alle|was|welche|wo|wer|wann|ob)\b",
    re.IGNORECASE,
)
_TAKES_NOTE = re.compile(
    r"\s*(?:ok|okay|noted|got it|understood|sure|alright|all right|right|great|good|nice|perfect|thanks|thank you"
    r"|you['’]re welcome|welcome|hi|hello|hey|will do|glad|happy to|my pleasure|gerne?|verstanden|alles klar|notiert"
    r"|gut|guten \w{3,6}|hallo|bitte|danke|klar|d['’]accord|bien|compris|noté|de rien|bonjour|salut|vale|de acuerdo"
    r"|entendido|anotado|de nada|hola|perfetto|va bene|capito|annotato|prego|ciao|certo|claro|combinado|olá|begrepen"
    r"|genoteerd|graag gedaan|goed|prima|rozumiem|dobrze|zanotowano|понял\w{0,2}|хорошо|принято|пожалуйста|привет"
    r"|わかりました|了解|承知|好的|明白|알겠습니다|네)(?!\w)",
    re.IGNORECASE,
)
_DID = re.compile(
    r"`|\b(?:i|we)(?:['’]ve| have)? (?!noted|saved|stored|recorded|remembered)"
    r"(?:\w{2,20}ed|ran|set|put|made|wrote|built)\b"
    r"|\b(?:done|ran|made|wrote|built|try|run|ich habe|j['’]ai|fertig|erledigt|behoben|umgestellt|entfernt"
    r"|(?:an|ein|hinzu|um)ge\w{2,20}|ge(?!merkt|speichert|lesen)\w{2,20}(?:t|en)|ajouté|corrigé|modifié|changé|supprimé"
    r"|mise? à jour|c['’]est fait|hecho|listo|cambiado|añadido|actualizado|corregido|borrado|fatto|aggiunto|corretto"
    r"|modificato|feito|alterado|corrigido)\b"
    r"|\b(?!(?:noted|saved|stored|recorded|remembered|need|needed|indeed|speed|agreed|planned|scheduled|based|used"
    r"|helped|worked|pleased|asked|wanted|mentioned|preferred|expected|closed|merged|released)\b)"
    r"\w{2,20}ed\b|(?:\b(?:is|are|has|have)|['’]s)\b.{0,30}\bnow\b",
    re.IGNORECASE,
)
_READS = re.compile(r"read|grep|glob|search|list|recall|remember|memor|todo", re.IGNORECASE)
"""Tools that look something up or keep it; a command that ran without a path may have done anything."""
_BRIEF = 160
"""Characters of an answer that only takes note of something."""
_NO_WORK = frozenset("answer reply respond show explain remember note assume call document".split())
"""What may be asked for without anything being done to what is worked on."""
_WORK = frozenset("fix make try let can could would will kannst könntest peux pourrais puedes podrías".split())
"""What else begins with that asks for something to be done."""
_COMMITS = re.compile(
    r"\s*(?:(?:please|now|ok|and|then|git|just)[\s,]{1,2}){0,3}(?:commit|push)"
    r"(?:[\s,.!]{1,2}(?:and|then|commit|push|it|this|that|them|the|all|changes?|everything|to|origin|main|master|now"
    r"|please|branch)){0,8}[\s.!]*\Z",
    re.IGNORECASE,
)
"""What was there before is handed on, and nothing of it changed."""


def of_another_matter(signs: Sequence[Sign], heard: Sequence[Heard], case: Case) -> bool:
    """Whether all that is said are failures of something else than the exchange."""
    if not signs or any(sign.says != "fail" for sign in signs) or not leaves_all_as_it_was(case):
        return False
    if any(part.has("still") or {word.text for word in part.words[:1]} & NO for part in heard):
        return False
    known = named(f"{case.prompt} {case.answer}")
    if any(named(part.text) & known for part in heard):
        return False
    by_words = {part.text: part for part in heard}
    of_its_own = {part.sentence for part in heard if _is_of_its_own(part, case)}
    return all(
        (part := by_words.get(sign.words)) is not None
        and (_is_of_its_own(part, case) or (part.sentence in of_its_own and _is_more_of_it(part, case)))
        for sign in signs
    )


def prints_another_matter(follow_up: str, case: Case) -> bool:
    """Whether output shares no word with an exchange in which nothing was done or advised."""
    return only_tells(case) and not seeks(case) and not named(follow_up) & named(f"{case.prompt} {case.answer}")


def only_tells(case: Case) -> bool:
    """Whether an exchange only told, asked to know, or greeted: nothing of it can have broken anything."""
    if any(tool.paths for tool in case.tools):
        return False
    if asks_to_know(case):
        return True
    if _TELL_ME.match(case.prompt) or DISCUSSES.match(case.prompt):
        return "`" not in case.answer
    return takes_note(case)


def takes_note(case: Case) -> bool:
    """Whether what was said is no work, and the answer greets, thanks or takes note, and tells of nothing done."""
    if not all(_READS.search(tool.name) and not tool.paths for tool in case.tools) or len(case.answer) > _BRIEF:
        return False
    if not _TAKES_NOTE.match(case.answer) or _DID.search(case.answer):
        return False
    first = next((word.text for word in words(case.prompt[:200]) if word.text not in POLITE), "")
    return first not in (REQUESTS | ORDERS | _WORK) - _NO_WORK


def leaves_all_as_it_was(case: Case) -> bool:
    """Whether nothing was done that could have broken something else: something was asked, told, or handed on."""
    if any(tool.paths for tool in case.tools):
        return False
    return only_tells(case) or _is_asked(case) or _COMMITS.match(case.prompt) is not None


def _is_of_its_own(part: Heard, case: Case) -> bool:
    """Whether what fails is named, and nothing takes up what was before it."""
    said = [word.text for word in part.words]
    hits = [hit for hit in part.hits if hit.sign in _FAILURE]
    if not hits or hits[0].first < 0 or _is_tied(said, case):
        return False
    after = said[hits[0].first :]
    if not CLAIMED.isdisjoint(after) or not _POINTING.isdisjoint(after):
        return False
    whole = [word for word in said[hits[0].first : hits[0].last + 1] if word in ALL_WORK]
    head = [word for word in (*said[: hits[0].first], *whole) if word not in POLITE]
    if not head or head[0] in _NO_SUBJECT:
        return False
    called = [word for word in head if names(word)]
    if not called or not ADVISED.isdisjoint(called) or (len(head) == 1 and head[0].endswith(_HOW)):
        return False
    if not set(called) <= ALL_WORK:
        return True
    return only_tells(case) or any(map(names, said[hits[-1].last + 1 :]))


def _is_more_of_it(part: Heard, case: Case) -> bool:
    """Whether it goes on about the same: "the login fails, 401 everywhere"."""
    said = [word.text for word in part.words]
    return only_tells(case) and not _is_tied(said, case) and (_POINTING | CLAIMED | SINCE).isdisjoint(said)


def _is_tied(said: Sequence[str], case: Case) -> bool:
    """Whether something is said of what was before. Of what was only told, "again" is of any time, and so is "now",
    where nobody sought advice."""
    now = said if seeks(case) or not only_tells(case) else said[:2]
    again = said if not only_tells(case) and _is_asked(case) else said[:2]
    return not (_TIED.isdisjoint(said) and SINCE.isdisjoint(now) and _AGAIN.isdisjoint(again))


def seeks(case: Case) -> bool:
    """Whether a question is one for advice."""
    return _is_asked(case) and not _SEEKS.isdisjoint(word.text for word in words(case.prompt[:200]))


def asks_to_know(case: Case) -> bool:
    """Whether a question wants to know something and nothing to be done."""
    begins = [word.text for word in words(case.prompt[:200]) if word.text not in POLITE][:2]
    asking = next((word for word in begins if word in ASKING), "")
    return asking in _TO_KNOW and _is_asked(case)


def _is_asked(case: Case) -> bool:
    return case.prompt.rstrip().endswith(("?", "？"))


def named(text: str) -> set[str]:
    """The beginnings of the words that name something."""
    return {word.text[:4] for word in words(text[:LONGEST]) if names(word.text)}


def names(word: str) -> bool:
    return len(word) > 1 and word.isalnum() and word not in _UNNAMED
