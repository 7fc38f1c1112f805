"""Whether a failure is of something that an exchange was not of: a new problem, no verdict on what was before. Pure.

It names what fails, that and all else it says shares no word with the exchange, and nothing in it takes up what was
advised. After something was done, any failure may be of it; what all work is part of, as a build, may fail of anything
that was advised, and not of what was only told.
"""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.sidecar.amounts import Sign
from aftermind.sidecar.cues_words.grammar import (
    ANAPHORA,
    ASKING,
    CONDITIONS,
    NEGATIONS,
    NO,
    NO_MORE,
    PERSONS,
    POLITE,
    SINCE,
    WHENS,
    WHOLE,
)
from aftermind.sidecar.heard import Heard
from aftermind.sidecar.languages import SMALL_WORDS
from aftermind.sidecar.phrases import words
from aftermind.sidecar.ports import Case
from aftermind.sidecar.sentences import WHERE

_ALL = frozenset(
    """
    build builds test tests suite specs checks pipeline pipelines page site website app application program server ui
    screen ci cd deploy deploys deployment deployments linter lint typecheck typechecker imports startup backend
    frontend service services servers container containers image images docker staging release workflow compiler
    pytest mypy ruff eslint tsc jest vitest tox pylint flake8 prettier clippy cargo npm pnpm yarn webpack vite gradle
    maven make jenkins github gitlab
    seite anwendung programm compilation compilación compilação compilazione kompilacja aplicación aplicação сборка
    збірка приложение страница derleme
    """.split()  # noqa: SIM905
)
"""What all work is part of."""
_ADVISED = (WHOLE - _ALL) | frozenset(
    """
    answer suggestion advice fix fixes command commands code change changes script patch solution snippet example
    output result results config function method approach version line query regex option flag link import step thing
    antwort vorschlag tipp befehl änderung lösung skript ausgabe ergebnis anweisung
    réponse commande solution correctif changement résultat erreur respuesta comando código solución sugerencia cambio
    resultado resposta solução sugestão mudança risposta codice soluzione suggerimento modifica risultato errore
    antwoord opdracht commando oplossing wijziging fout odpowiedź polecenie komenda kod rozwiązanie zmiana błąd
    ответ команда код решение исправление ошибка відповідь рішення помилка
    """.split()  # noqa: SIM905
)
"""What an answer is or gives, all of it, and how it goes: whoever says that these fail speaks of it."""
_CLAIMED = frozenset(
    """
    wrong incorrect false untrue outdated exist exists such nothing none nobody
    falsch falsche falscher falsches existiert nichts nix faux rien incorrecto nada errado sbagliato niente fout niets
    nic неверно ничего нічого
    """.split()  # noqa: SIM905
)
"""Said of what somebody said, or of nothing that has a name: "the path is wrong", "nothing changed"."""
_TIED = SINCE | frozenset(
    """
    again same your yours you wieder erneut dein deine encore ton votre otra tu tuo jouw znowu twój снова опять твой
    """.split()  # noqa: SIM905
)
"""Who says one of these speaks of what was before."""
_NO_SUBJECT = ((ANAPHORA | PERSONS) - {"das", "il", "lo", "a"}) | WHERE | WHENS | CONDITIONS | {"beim", "after", "vom"}
"""What begins with one of these is pointed at, or says where and when; "das" and its like are articles as well."""
_HOW = ("ly", "mente", "ment", "weise")
_ASIDE = frozenset(
    """
    mine ours one ones first second third last other others somehow leider sometimes often until manchmal parfois soms
    czasem иногда todavía aún wciąż до сих пор у нас меня на так там все всё моя мой мои
    """.split()  # noqa: SIM905
)
_UNNAMED = SMALL_WORDS | ANAPHORA | POLITE | NEGATIONS | NO_MORE | _ASIDE
LONGEST = 20_000
"""Characters of an exchange in which a word is looked for."""
_FAILURE = ("fail", "fault", "weak")
_POINTING = frozenset(
    """
    it this that these those es das dies ça cela eso esto isso isto questo quello dit dat to это це
    """.split()  # noqa: SIM905
)
_TO_KNOW = ASKING - frozenset(
    """
    how why can could will would should shall may und and so then wie warum wieso weshalb kann kannst können könntest
    sollte soll comment pourquoi peux pourrais faut on tu cómo como por puedes podrías pode poderia você come perché
    puoi potresti hoe waarom kun kan kunnen zou jak dlaczego możesz как почему зачем можешь можно а як чому можеш чи
    nasıl neden niye
    """.split()  # noqa: SIM905
)
"""How a question begins that wants to know something and nothing to be done."""


def of_another_matter(signs: Sequence[Sign], heard: Sequence[Heard], case: Case) -> bool:
    """Whether all that is said are failures of something else than the exchange."""
    if not signs or not _asks(case) or any(sign.says != "fail" for sign in signs):
        return False
    if any(part.has("still") or {word.text for word in part.words[:1]} & NO for part in heard):
        return False
    paths = " ".join(path for tool in case.tools for path in tool.paths)
    known = _named(f"{case.prompt} {case.answer} {paths}")
    if any(_named(part.text) & known for part in heard):
        return False
    by_words = {part.text: part for part in heard}
    return all(sign.words in by_words and _is_of_its_own(by_words[sign.words], case) for sign in signs)


def _is_of_its_own(part: Heard, case: Case) -> bool:
    """Whether what fails is named, and nothing takes up what was before it."""
    said = [word.text for word in part.words]
    hits = [hit for hit in part.hits if hit.sign in _FAILURE]
    if not hits or hits[0].first < 0 or not _TIED.isdisjoint(said):
        return False
    after = said[hits[0].first :]
    if not _CLAIMED.isdisjoint(after) or not _POINTING.isdisjoint(after):
        return False
    whole = [word for word in said[hits[0].first : hits[0].last + 1] if word in _ALL]
    head = [word for word in (*said[: hits[0].first], *whole) if word not in POLITE]
    if not head or head[0] in _NO_SUBJECT:
        return False
    named = [word for word in head if _names(word)]
    if not named or not _ADVISED.isdisjoint(named) or (len(head) == 1 and head[0].endswith(_HOW)):
        return False
    if not set(named) <= _ALL:
        return True
    return _asks_to_know(case) or any(map(_names, said[hits[-1].last + 1 :]))


def _asks_to_know(case: Case) -> bool:
    begins = [word.text for word in words(case.prompt[:200]) if word.text not in POLITE][:2]
    asking = next((word for word in begins if word in ASKING), "")
    return asking in _TO_KNOW


def _asks(case: Case) -> bool:
    """Whether something was asked, and nothing was done."""
    return case.prompt.rstrip().endswith(("?", "？")) and not any(tool.paths for tool in case.tools)


def _named(text: str) -> set[str]:
    """The beginnings of the words that name something."""
    return {word.text[:4] for word in words(text[:LONGEST]) if _names(word.text)}


def _names(word: str) -> bool:
    return len(word) > 1 and word.isalnum() and word not in _UNNAMED
