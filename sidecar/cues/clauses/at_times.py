"""A success that is one only at times: "works 50% of the time", "funciona a veces". Pure.

What works is said by a word that may be of many times ("works", "passes"); what was mended is mended, whatever came at
times before ("fixed the crash i sometimes got").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import structs

from aftermind.sidecar.utterances.phrases import Hit, Word

NEAR = 3
"""Words between what works and how often it does."""
AHEAD = 1
"""The same, where how often stands first: "every other time it works"."""
_TIMES = "(?:times?|tries|attempts?|runs?|requests?|calls?|clicks?|reloads?|starts?|cases)"
_FEW = r"(?:one|two|three|\d{1,2})"
_OF = r"(?:two|three|four|five|six|ten|\d{1,3})"
_AT_TIMES = re.compile(
    rf"\b(?:every|each) (?:other|second|third|2nd|3rd|few) {_TIMES}\b|\bhalf (?:of )?the {_TIMES}\b"
    rf"|(?<![\d.,])(?!100)\d{{1,2}}(?:[.,]\d+)?\s?(?:%|percent) of (?:the |all )?{_TIMES}\b"
    rf"|\b(?P<few>{_FEW}) {_TIMES} (?:in|out of) (?!(?P=few)\b){_OF}\b"
    rf"|\b(?P<some>{_FEW}) (?:in|out of) (?!(?P=some)\b){_OF} {_TIMES}\b"
    r"|\b(?:once in a while|(?:every )?now and (?:then|again)|from time to time|at (?:times|random)|randomly"
    r"|only sometimes|sporadically|hit[ -](?:or|and)[ -]miss)\b"
    r"|\b(?:ab und (?:zu|an)|hin und wieder|von zeit zu zeit|mal so,? mal so|sporadisch|jedes (?:zweite|dritte) mal)\b"
    r"|\b(?:in|bei) (?:etwa )?der hälfte(?: der \w+)?\b"
    r"|\bzu (?!100)\d{1,2}\s?(?:%|prozent)|\b(?!100)\d{1,2}\s?(?:%|prozent) der (?:fälle|zeit|versuche)\b"
    r"|\bune fois sur \w+\b|\bde temps en temps\b|\bpar moments\b|\bparfois\b|\bquelquefois\b|\bla moitié du temps\b"
    r"|\ba veces\b|\bde vez en cuando\b|\ba ratos\b|\bla mitad de las veces\b|\buna de cada \w+\b|\balgunas veces\b"
    r"|\b[àa]s vezes\b|\bde vez em quando\b|\bmetade das vezes\b|\buma em cada \w+\b"
    r"|\ba volte\b|\bogni tanto\b|\bqualche volta\b|\buna volta su \w+\b|\bmetà delle volte\b"
    r"|\bsoms\b|\baf en toe\b|\b(?:zo )?nu en dan\b|\b(?:de )?helft van de (?:tijd|keren|gevallen)\b"
    r"|\bczas(?:em|ami)\b|\bco drugi raz\b|\bиногда\b|\bвремя от времени\b|\bчерез раз\b",
    re.IGNORECASE,
)
_GOES = frozenset(
    """
    work works worked working run runs ran pass passes passed load loads loaded start starts started build builds built
    connect connects connected deploy deploys compiles boots opens responds renders green
    funktioniert funktionieren klappt klappen läuft laufen geht gehen lief ging tut startet lädt
    marche marchent fonctionne fonctionnent passe tourne funciona funcionan funcionam anda va passa
    funziona funzionano werkt werken doet draait działa działają работает работают
    """.split()
)


def at_times(text: str, said: Sequence[Word], found: Sequence[Hit]) -> tuple[Hit, ...]:
    """What is found in a clause, with each success that is one at times as a part."""
    times = _AT_TIMES.search(text)
    if times is None:
        return tuple(found)
    before = sum(word.end <= times.start() for word in said)
    after = sum(word.start < times.end() for word in said)
    return tuple(
        structs.replace(hit, sign="part") if hit.sign == "work" and _is_of_it(said, hit, before, after) else hit
        for hit in found
    )


def _is_of_it(said: Sequence[Word], hit: Hit, begins: int, ends: int) -> bool:
    """Whether what stands near the words for how often, from the word `begins` up to `ends`, is what works so often."""
    if _GOES.isdisjoint(word.text for word in said[max(hit.first, 0) : hit.last + 1]):
        return False
    return hit.first - ends <= AHEAD if hit.first >= ends else begins - hit.last <= NEAR + 1
