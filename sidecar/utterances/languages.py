"""Which languages a text may be in: by its script, and by its small words. Pure.

English is always among them: developers mix it in. Where nothing speaks for any, all that are written so are meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from aftermind.engine.lazily import lazily
from aftermind.sidecar.utterances.phrases import words

_SMALL = {
    "en": "the is it and to of in that for with on not are was i you we have has be this my at but do does did "
    "can will just now what "
    "how why still when if no all so as from works there they your our would should never always please don't",
    "de": "der die das ist und nicht ich es ein eine mit den auf zu von für im dem wir du noch aber jetzt wie "
    "was bei kein keine nur sind "
    "auch wird mal bitte wenn immer mir beim läuft geht danke warum oder hat hab habe uns nein ja doch schon "
    "nach aus einen nie",
    "fr": "le la les est et pas je un une des ne que dans pour sur avec ce ça mais tu on du au il qui plus "
    "c'est c j d l n qu merci toujours "
    "comment mon ma mes nous vous sont elle jamais notre même encore maintenant tout non oui quand",
    "es": "el la los las es y no que en un una para por con se lo pero me mi ya como cómo del al está son más "
    "gracias sigue siempre nunca "
    "cuando qué ahora si sí todo esto eso hay usa nuestro nosotros a su",
    "pt": "o a os as é e não que em um uma para por com se do da no na mas meu minha já como está são mais "
    "obrigado continua sempre nunca "
    "quando agora você isso eu tudo ainda nos ao deu pra valeu vou nosso também",
    "it": "il la i gli è e non che in un una per con si lo ma mi di del della al come sono più grazie ancora "
    "sempre mai quando ora adesso "
    "questo quello ho ha va nel dal alla però tutto nostro anche va bene c'è c",
    "nl": "de het is en niet ik een van op te met dat die maar nog voor in nu er we je hoe wat geen zijn dit "
    "ook als mijn heb bedankt altijd "
    "nooit naar bij uit wel werkt steeds ons onze hij dank",
    "pl": "jest nie i w na to że się z do jak ale mi jest działa czy już mam po dla o tak co dalej nadal za "
    "tylko teraz ten dzięki zawsze "
    "nigdy u nas te są przez gdy jeśli proszę",
    "tr": "bir ve bu için da de mi ne ile ama çok var yok nasıl hala hâlâ değil şimdi daha gibi ben her aynı "
    "oldu tamam teşekkürler olarak "
    "kadar sonra önce hiç asla lütfen biz bizim artık",
}
_KNOWN = {name: frozenset(said.split()) for name, said in _SMALL.items()}
SMALL_WORDS = frozenset[str]().union(*_KNOWN.values())
_SCRIPTS = (
    (lazily(r"[\u3040-\u30ff]"), ("ja",)),
    (lazily(r"[\u4e00-\u9fff]"), ("zh", "ja")),
    (lazily(r"[\uac00-\ud7af]"), ("ko",)),
    (lazily(r"[\u0900-\u097f]"), ("hi",)),
    (lazily(r"[іїєґІЇЄҐ]"), ("uk", "ru")),
    (lazily(r"[\u0400-\u04ff]"), ("ru", "uk")),
)
SMALL = 12
READ = 1_000
"""Characters that are looked at."""


def languages_of(text: str, around: str = "") -> tuple[str, ...]:
    """The languages a text is likely in; what was said before it, by the same person, counts less."""
    for script, meant in _SCRIPTS:
        if script.search(text[:READ]):
            return (*meant[:1], "en") if meant[0] in ("ja", "uk") else (*meant, "en")
    here = _small_words(text)
    said = {name: sum(word in small for word in here) for name, small in _KNOWN.items()}
    if not any(said.values()):
        return tuple(_KNOWN)
    there = _small_words(around)
    score = {name: 3.0 * said[name] + min(2, sum(word in small for word in there)) for name, small in _KNOWN.items()}
    best = max(score.values())
    near: Sequence[str] = [name for name, points in score.items() if points >= 0.7 * best and name != "en"]
    return ("en", *near)


def _small_words(text: str) -> list[str]:
    return [word.text for word in words(text[:READ]) if len(word.text) < SMALL]
