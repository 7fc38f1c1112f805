"""Successes that are none, by what else their clause says. Pure.

Trouble that appears is no success ("es kommt noch der Fehler", "it shows an error"), and neither is what goes badly
("it loads forever", "funziona male"), or that everything is gone, or what somebody has.
"""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.sidecar.utterances.grammar import NEGATIONS
from aftermind.sidecar.utterances.phrases import Hit, Word

NEAR = 3
"""Words between a success and the trouble that something runs into."""
FAR = 5
"""Words between whose it was and that it is gone."""
_TROUBLE = ("fail", "fault", "weak", "still")
_TOLD = ("work", "perfect", "fail", "fault", "weak")
_SHOWS = frozenset(
    """
    shows prints displays returns sends opens appears logs gives kommt zeigt erscheint startet affiche aparece sale
    muestra appare mostra toont verschijnt
    """.split()
)
"""What does so with trouble is no success: "it shows an error", "es kommt noch der Fehler"."""
_THIS = frozenset("this that it now me us es das dies jetzt mir ça maintenant esto ahora dit nu".split())
_INTO = frozenset("in into auf gegen um".split())
"""Before trouble, it is what something runs into: "läuft in einen Timeout"."""
_BADLY = frozenset(
    """
    forever endlessly infinitely worse badly poorly terribly horribly wrong backwards
    endlos ewig schlecht schlechter schlimmer falsch langsamer pire peor fatal male peggio pior slecht slechter
    """.split()
)
_LIKE = frozenset("shit crap garbage hell trash".split())
"""Bad where it is like them or but them: "works like crap", "it loads crap", not "runs a hell of a lot faster"."""
_MANNER = frozenset("the very really so even much as like it es er sie now jetzt nur noch encore ora ahora".split())
"""May stand between a success and how bad it is: "works as badly as before", "loads the wrong page"."""
_GOES = frozenset("funciona marche marchent fonctionne va anda corre".split())
"""Before "mal", which in German is something else."""
_GONE = frozenset(
    "gone weg verschwunden disparu disparue sparito sparita spariti desapareció fue sumiu sumiram".split()
)
_OWNED = frozenset(
    """
    my our everything mein meine meinen unsere alles mon ma mes nos tout mi mis nuestro todo mio mia miei tutto meu
    minha meus minhas tudo mijn onze
    """.split()
)
"""Where these are gone, something was lost: "alles weg", and not "my errors are gone"."""
_IS = frozenset("is are s all it ist sind alle a ont tous sono è tutti se zijn".split())
_ERRORS = frozenset(
    """
    error errors issue issues problem problems warning warnings bug bugs crash crashes failure failures message messages
    flicker lag leak fehler fehlermeldung problem probleme warnung warnungen abstürze meldung meldungen erreur erreurs
    problème problèmes souci error errores problema problemas fallo fallos errore errori problemi erro erros
    """.split()
)
_RIGHT = frozenset(
    """
    right correct proper properly expected friendly nice better richtig richtige richtigen korrekt passende bon bonne
    correcte correcto correcta giusto giusta corretto certo certa juiste
    """.split()
)
"""With one of these it may be what was wanted: "it shows the right error"."""


def unspoilt(said: Sequence[Word], found: Sequence[Hit]) -> tuple[Hit, ...]:
    """What is found in a clause, without such successes; and without the trouble that may be what was wanted."""
    told = [word.text for word in said]
    errors = not _ERRORS.isdisjoint(told)
    found = [
        hit
        for hit in found
        if hit.sign != "work"
        or hit.first < 0
        or denies_itself(said, hit)
        or not (_is_bad(told, hit) or (not errors and _is_lost(told, hit)))
    ]
    shown = _shown_trouble(said, found)
    right = shown and not _RIGHT.isdisjoint(told)
    return tuple(hit for hit in found if hit not in shown and not (right and hit.sign in _TOLD))


def only_shows(said: Sequence[Word], hit: Hit) -> bool:
    """Whether a success is but that something is shown, and a clause says no more: what it is comes after it, as in
    "now it logs: Error: connect ECONNREFUSED"."""
    last = {word.text for word in said[hit.last + 1 :]}
    shows = not _SHOWS.isdisjoint(word.text for word in said[max(hit.first, 0) : hit.last + 1])
    return hit.sign == "work" and hit.first >= 0 and shows and last <= _THIS


def denies_itself(said: Sequence[Word], hit: Hit) -> bool:
    """Whether a success is itself that something is not: "no errors any more"."""
    return hit.first >= 0 and any(word.text in NEGATIONS | {"plus"} for word in said[hit.first : hit.last + 1])


def _shown_trouble(said: Sequence[Word], found: Sequence[Hit]) -> set[Hit]:
    """Successes that are but that something appears, or runs into something, where that is trouble."""
    shown, bad = set[Hit](), -1
    for hit in reversed(found):
        if hit.sign in _TROUBLE and hit.first >= 0:
            bad = hit.first
        elif hit.sign == "work" and 0 <= hit.first < bad and not denies_itself(said, hit):
            verb = not _SHOWS.isdisjoint(word.text for word in said[hit.first : hit.last + 1])
            between = {word.text for word in said[hit.last + 1 : min(bad, hit.last + 2 + NEAR)]}
            if verb or not _INTO.isdisjoint(between):
                shown.add(hit)
    return shown


def _is_bad(told: Sequence[str], hit: Hit) -> bool:
    """Whether a success goes on with how bad it is."""
    at = next((at for at in range(hit.last + 1, len(told)) if told[at] not in _MANNER), len(told))
    if told[at : at + 2] == ["en", "boucle"]:
        return True
    if at == len(told):
        return False
    word, before = told[at], told[at - 1]
    return (
        word in _BADLY
        or (word in _LIKE and (before == "like" or (at + 1 == len(told) and before != "as")))
        or (word == "mal" and before in _GOES)
    )


def _is_lost(told: Sequence[str], hit: Hit) -> bool:
    """Whether everything is gone, or what somebody has."""
    taken = set(told[hit.first : hit.last + 1])
    if taken.isdisjoint(_GONE) or not taken <= _GONE | _OWNED | _IS:
        return False
    return not _OWNED.isdisjoint(told[max(hit.first - FAR, 0) : hit.last + 2])
