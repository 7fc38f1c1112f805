"""A negation anywhere around a word of success makes it no success, in every language the judge has tables of."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import exchange

FORMS = {
    # it works · it does not work · it still does not work · it works now; each bare and with a subject
    "English": (
        ("works", "it works", "the deploy works"),
        ("doesn't work", "it doesn't work", "the deploy doesn't work", "it won't work", "that did not work"),
        ("still doesn't work", "it still doesn't work", "the deploy still doesn't work", "it still isn't working"),
        ("works now", "it works now", "now the deploy works"),
    ),
    "German": (
        ("funktioniert", "es funktioniert", "das klappt", "der Build läuft jetzt"),
        ("funktioniert nicht", "es geht nicht", "das tut's nicht", "das klappt nicht", "der Build läuft nicht"),
        (
            "geht immer noch nicht",
            "das geht immer noch nicht",
            "es läuft immer noch nicht",
            "das geht noch immer nicht",
        ),
        ("funktioniert jetzt", "es geht jetzt", "jetzt läuft der Build"),
    ),
    "French": (
        ("ça marche", "le build marche", "ça fonctionne"),
        ("marche pas", "ça ne marche pas", "ça marche pas", "le build ne fonctionne pas"),
        ("toujours pas", "ça ne marche toujours pas", "le build ne fonctionne toujours pas"),
        ("ça marche maintenant", "maintenant ça marche", "le build marche maintenant"),
    ),
    "Spanish": (
        ("funciona", "esto funciona", "el build funciona"),
        ("no funciona", "esto no funciona", "el build no funciona", "eso no funciona nunca"),
        ("todavía no funciona", "esto sigue sin funcionar", "el build todavía no funciona", "aún no funciona"),
        ("ahora funciona", "ya funciona", "ahora el build funciona"),
    ),
    "Portuguese": (
        ("funciona", "isso funciona", "o build funciona"),
        ("não funciona", "isso não funciona", "o build não funciona"),
        ("ainda não funciona", "isso ainda não funciona", "o build ainda não funciona"),
        ("agora funciona", "funciona agora", "o build agora funciona"),
    ),
    "Italian": (
        ("funziona", "questo funziona", "il build funziona"),
        ("non funziona", "questo non funziona", "il build non funziona"),
        ("ancora non funziona", "non funziona ancora", "il build ancora non funziona"),
        ("ora funziona", "adesso funziona", "il build ora funziona"),
    ),
    "Dutch": (
        ("werkt", "het werkt", "de build werkt"),
        ("werkt niet", "het werkt niet", "de build werkt niet"),
        ("werkt nog steeds niet", "het werkt nog steeds niet", "de build werkt nog steeds niet", "het werkt nog niet"),
        ("werkt nu", "het werkt nu", "nu werkt de build"),
    ),
    "Polish": (
        ("działa", "to działa", "build działa"),
        ("nie działa", "to nie działa", "build nie działa"),
        ("nadal nie działa", "to nadal nie działa", "build wciąż nie działa", "to dalej nie działa"),
        ("teraz działa", "już działa", "build teraz działa"),
    ),
    "Russian": (
        ("работает", "это работает", "сборка работает"),
        ("не работает", "это не работает", "сборка не работает", "всё это не работает"),
        ("всё ещё не работает", "это всё ещё не работает", "сборка до сих пор не работает"),
        ("теперь работает", "сейчас работает", "сборка теперь работает"),
    ),
    "Ukrainian": (
        ("працює", "це працює", "збірка працює"),
        ("не працює", "це не працює", "збірка не працює"),
        ("все ще не працює", "це досі не працює", "збірка все ще не працює"),
        ("тепер працює", "зараз працює", "збірка тепер працює"),
    ),
    "Turkish": (
        ("çalışıyor", "bu çalışıyor", "derleme çalışıyor"),
        ("çalışmıyor", "bu çalışmıyor", "derleme çalışmıyor"),
        ("hâlâ çalışmıyor", "bu hala çalışmıyor", "derleme hâlâ çalışmıyor"),
        ("şimdi çalışıyor", "artık çalışıyor", "derleme şimdi çalışıyor"),
    ),
    "Japanese": (
        ("動きました", "ビルドが動きました"),
        ("動きません", "ビルドが動きません", "これは動かない"),
        ("まだ動きません", "ビルドはまだ動きません", "まだ動かないです"),
        ("今は動いています", "ビルドが動くようになりました"),
    ),
    "Chinese": (
        ("可以了", "构建成功了"),
        ("不行", "构建不行", "这个没有用", "没有成功"),
        ("还是不行", "构建还是不行", "这个还是没用"),
        ("现在可以了", "构建现在可以了"),
    ),
    "Korean": (
        ("잘 됩니다", "빌드가 잘 됩니다"),
        ("안 돼요", "빌드가 안 됩니다", "이건 작동하지 않아요"),
        ("여전히 안 돼요", "빌드가 아직도 안 됩니다"),
        ("이제 잘 됩니다", "이제 빌드가 잘 됩니다"),
    ),
    "Hindi": (
        ("काम कर रहा है", "यह काम कर रहा है"),
        ("काम नहीं कर रहा", "यह काम नहीं कर रहा है"),
        ("अभी भी काम नहीं कर रहा", "यह अब भी काम नहीं कर रहा है"),
        ("अब काम कर रहा है", "यह अब काम कर रहा है"),
    ),
}
EXPECTED = ("worked", "failed", "failed", "worked")
TABLE = [
    (said, outcome)
    for forms in FORMS.values()
    for several, outcome in zip(forms, EXPECTED, strict=True)
    for said in several
]
HOPED = """
it should work now
I hope this works
this might work
maybe it works
when it works, tell me
if it works, merge it
it doesn't not work
I'm not sure it works
not sure whether that worked
das sollte jetzt funktionieren
ich hoffe, das klappt
wenn es funktioniert, sag Bescheid
ça devrait marcher maintenant
j'espère que ça marche
si ça marche, dis-le moi
debería funcionar ahora
espero que funcione
si funciona, avísame
deveria funcionar agora
espero que funcione agora
dovrebbe funzionare ora
spero che funzioni
het zou nu moeten werken
ik hoop dat het werkt
teraz powinno działać
mam nadzieję, że to działa
теперь должно работать
надеюсь, это работает
если работает, скажи
тепер повинно працювати
сподіваюсь, це працює
umarım çalışıyor
şimdi çalışması gerek
動くはずです
动くといいな
应该可以了
希望可以了
이제 될 거예요
"""


@pytest.mark.parametrize(("said", "outcome"), TABLE)
def test_a_success_a_denial_and_a_denial_that_lasts(said: str, outcome: str) -> None:
    assert judge(exchange(said)).outcome == outcome
    assert judge(exchange(f"{said.capitalize()}.")).outcome == outcome


@pytest.mark.parametrize("said", HOPED.strip().splitlines())
def test_a_success_that_is_hoped_for_or_a_condition_is_none(said: str) -> None:
    assert judge(exchange(said)).outcome == "unknown"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("It worked yesterday, not today", "failed"),
        ("It works only on Linux, not on macOS", "partial"),
        ("worked for 5 minutes, then crashed again", "failed"),
        ("no more errors", "worked"),
        ("works, no idea why", "worked"),
        ("the bug is not fixed", "failed"),
        ("it no longer works", "failed"),
        ("I don't think it works", "failed"),
        ("not all tests pass", "failed"),
        ("not all gone", "failed"),
        ("the error isn't gone", "unknown"),
        ("der Fehler ist nicht weg", "unknown"),
        ("les tests ne passent pas", "unknown"),
        ("错误没有消失", "unknown"),
        ("es muss funktionieren", "unknown"),
        ("il faut que ça marche", "unknown"),
        ("as soon as it works, commit", "unknown"),
        ("not perfect", "unknown"),
        ("Is it still failing for you?", "unknown"),
        ("now write the error page that says: something went wrong", "unknown"),
        ("new bug: upload fails with 500", "unknown"),
        ("undo is not working in the editor app, implement it", "unknown"),
        ("revert the last commit on the other branch", "unknown"),
        ("0 passed, 0 failed", "unknown"),
        ("This session is being continued from a previous conversation.\nThe user said it works.", "unknown"),
        ("<local-command-stdout>All tests passed. 12 passed</local-command-stdout>", "unknown"),
        ("<command-name>/test</command-name>\n<local-command-stdout>12 passed\nok</local-command-stdout>", "unknown"),
        ("<local-command-stdout>12 passed</local-command-stdout>\nstill failing", "failed"),
    ],
)
def test_what_only_looks_like_the_other(said: str, outcome: str) -> None:
    assert judge(exchange(said)).outcome == outcome


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("No, staging listens on port 9090", "failed"),
        ("no, staging is on port 9090", "failed"),
        ("no, use port 9090", "failed"),
        ("wrong port, it's 9090", "failed"),
        ("Actually, the port is 9090", "failed"),
        ("nein, nimm Port 9090", "failed"),
        ("нет, порт 9090", "failed"),
        ("いいえ、ポートは9090です", "failed"),
        ("不，端口是9090", "failed"),
        ("no, add 3 more of them", "unknown"),
        ("no, el puerto es 9090", "failed"),
        ("no, is it 9090?", "unknown"),
        ("no thanks, 3 is enough", "unknown"),
        ("no, we have 12 servers", "unknown"),
        ("the port of the other one is 9090", "unknown"),
        ("no errors in 12 runs of the check", "worked"),
        ("No problem on port 9090, thanks", "worked"),
        ("no it's 9090", "failed"),
        ("No worries, 8081 is what I have", "unknown"),
    ],
)
def test_another_value_than_the_answers_is_a_correction(said: str, outcome: str) -> None:
    assert judge(exchange(said)).outcome == outcome


def test_a_value_that_was_asked_for_corrects_nothing() -> None:
    assert judge(exchange("no, use port 9090", answer="It is 8080. Shall I keep it?")).outcome == "unknown"
    assert judge(exchange("no, use port 9090", answer="I changed the config.")).outcome == "unknown"


NO_MORE = """
it doesn't fail any more
it doesn't fail anymore
it does not crash any longer
it doesn't break anymore
the tests don't fail anymore
now it doesn't fail
it doesn't crash now
the build is not failing any more
jetzt schlägt es nicht mehr fehl
es schlägt nicht mehr fehl
die Tests schlagen nicht mehr fehl
der Deploy hängt nicht mehr
ça ne plante plus
ya no falla
non fallisce più
het crasht niet meer
больше не падает
der Deploy hängt nicht mehr beim Start
it doesn't crash anymore when I add users
it doesn't fail now on Windows
now it doesn't crash with 30 users
"""
NO_LONGER_GOOD = """
it doesn't work any more
it doesn't start any longer
the deploy does not build anymore
now it doesn't even start
es funktioniert nicht mehr
der Deploy startet nicht mehr
ça ne marche plus
ya no funciona
não funciona mais
non funziona più
het werkt niet meer
больше не работает
"""


@pytest.mark.parametrize("said", NO_MORE.strip().splitlines())
def test_a_failure_that_is_no_more_is_a_success(said: str) -> None:
    assert judge(exchange(said)).outcome == "worked"
    assert judge(exchange(f"great, {said}!")).outcome == "worked"


@pytest.mark.parametrize("said", NO_LONGER_GOOD.strip().splitlines())
def test_a_success_that_is_no_more_is_a_failure(said: str) -> None:
    assert judge(exchange(said)).outcome == "failed"


@pytest.mark.parametrize(
    "said",
    [
        "it does not fail",
        "es schlägt nicht fehl",
        "it doesn't handle errors any more, does it?",
        "why doesn't it fail any more?",
        "I hope it doesn't fail any more",
        "if it doesn't fail any more, merge it",
        "when it doesn't crash any more, tell me",
        "it doesn't crash when I add more users",
        "it doesn't crash with more users",
        "it does not crash more often",
        "it does not hang longer than 5 seconds",
        "it does not hang any longer than 5 seconds",
        "it doesn't fail now because it is never called",
    ],
)
def test_a_failure_that_is_only_denied_hoped_for_or_asked_about_is_neither(said: str) -> None:
    assert judge(exchange(said)).outcome == "unknown"


def test_a_failure_that_was_wanted_and_is_no_more_is_no_success() -> None:
    wanted = exchange("it doesn't fail any more", prompt="the test must fail without a port")
    assert judge(wanted).outcome != "worked"


@pytest.mark.parametrize(
    "said",
    [
        "great, that worked! And always use pnpm instead of npm from now on.",
        "great, that worked! Now: never commit .env files. And always use pnpm instead of npm from now on.",
        "that worked! From now on, use pnpm instead of npm.",
        "that worked. from now on use pnpm instead of npm",
        "works. And never merge a broken build",
        "works, and always check for errors first",
        "that worked. Please remember that the build fails without Docker.",
        "super, das hat geklappt! Ab jetzt immer pnpm statt npm nutzen.",
    ],
)
def test_a_rule_beside_a_success_takes_nothing_from_it(said: str) -> None:
    assert judge(exchange(said)).outcome == "worked"


@pytest.mark.parametrize("said", ["it always fails", "never works", "always the same error"])
def test_what_never_works_or_always_fails_is_no_rule(said: str) -> None:
    assert judge(exchange(said)).outcome == "failed"


def test_french_but_is_no_end_of_a_failure() -> None:
    assert judge(exchange("ça ne plante pas mais ça n'affiche rien")).outcome == "failed"
