"""Whether a success is what somebody else tells: "bob says it works", "laut Anna läuft es". Pure.

It tells nothing of how it went where the user works. What a tool says ("the CI says it is green"), and those who have
the thing or are there to try it ("QA says it works now"), have seen it: by them one may go.
"""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.sidecar.utterances.grammar import POLITE

_TELL = frozenset(
    """
    say says said think thinks thought tells told reckon reckons claim claims claimed swear swears swore insists
    believes believed figures mentioned
    sagt sagte meint meinte behauptet behauptete glaubt schwört schreibt
    """.split()
)
_TELL_THAT = frozenset(
    """
    dit disait prétend affirme pense croit jure dice dijo decía afirma asegura cree jura diz disse acha garante
    detto sostiene pensa zegt zei beweert denkt
    """.split()
)
"""These tell where a "that" follows them: in another language each is another word."""
_THAT = frozenset({"que", "qu'", "che", "dat"})
_HEARD = frozenset({"heard", "read", "gehört", "gelesen"})
_HEARSAY = frozenset({"that", "it", "this", "from", "everything", "dass"})
"""After "I heard", somebody told it: not in "I read the log and it works"."""
_BY_WHOM = tuple(
    tuple(lead.split()) for lead in ("according to", "laut", "volgens", "selon", "d' après", "según", "segundo o")
)
_AT_FIRST_HAND = frozenset(
    """
    i we you ich wir du ihr sie je nous tu vous yo nosotros eu nós ik wij jij it its that this these those which what
    who everything es das dies ça cela c' eso esto isso isto dat plan expected spec design as like wie comme como
    ci cd jenkins github gitlab pytest jest vitest npm pnpm yarn cargo docker kubernetes kubectl git terraform ansible
    doctor linter lint eslint ruff mypy tsc compiler test tests suite spec specs log logs build pipeline console
    terminal page status output dashboard monitor monitors monitoring grafana sentry prometheus curl browser devtools
    server script command report header message screen app ui editor ide check checks checker validator profiler
    benchmark debugger shell
    qa tester testers customer customers client clients user users kunde kunden kundin nutzer cliente clientes
    utilisateur utilisateurs usuario usuarios usuários klant klanten
    """.split()
)
"""Who speaks of what they did themselves, what tells what it has measured, and who has the thing that was mended."""
_THE = frozenset("the a my our der die das dem le la el o".split())
_HERE = frozenset("here me mir hier moi ici mí aquí mij".split())
"""After a success, it is so for who says it as well: "bob says it works, and it does here"."""
_SUBJECT = 5
"""Words that may stand before the one that says that somebody tells it."""


def told_by_others(said: Sequence[str], first: int) -> bool:
    """Whether the success at the word `first` is told by somebody who did not work on it here."""
    if not _HERE.isdisjoint(said[first:]):
        return False
    if led := _led(said):
        whom = next((word for word in said[led:first] if word not in _THE), "")
        return whom != "" and whom not in _AT_FIRST_HAND
    return any(_tells(said, at) for at in range(1, min(first, _SUBJECT + 1)))


def only_says_who(said: Sequence[str]) -> bool:
    """Whether a clause is but that somebody tells what comes next: "Bob meint, …", "according to Bob, …"."""
    return len(said) <= _SUBJECT and (_led(said) > 0 or not _TELL.isdisjoint(said[1:][-2:]))


def _led(said: Sequence[str]) -> int:
    """The word after those that say, at the beginning of a clause, that it is told by whom comes next; else 0."""
    at = next((at for at, word in enumerate(said) if word not in POLITE), 0)
    return next((at + len(lead) for lead in _BY_WHOM if tuple(said[at : at + len(lead)]) == lead), 0)


def _tells(said: Sequence[str], at: int) -> bool:
    """Whether the word at a place says that who stands before it tells something; of oneself, that one was told."""
    if said[at] in _HEARD:
        return not _HEARSAY.isdisjoint(said[at + 1 : at + 2])
    if said[at] not in _TELL and (said[at] not in _TELL_THAT or _THAT.isdisjoint(said[at + 1 : at + 3])):
        return False
    was_told = said[at] == "told" and said[at - 1] in ("was", "were", "been", "am")
    who = [word for word in said[:at] if word not in POLITE or word in _AT_FIRST_HAND]
    return was_told or (bool(who) and _AT_FIRST_HAND.isdisjoint(who))
