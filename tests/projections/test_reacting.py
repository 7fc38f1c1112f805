"""What is only a reaction to an answer, and that it says nothing is solved."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.manner import noted
from aftermind.projections.reading.reacting import LONGEST, PASSES, UNSOLVED, reaction

NOTHING_SOLVED = """\
that doesn't help|that doesn’t help|that doesnt help|same problem|still flaky|no|Nope.
doesn't work either|didn't help|still failing|same error|Same error again|no change|still slow
still too slow|it still fails|no, still broken|no luck|hmm, that didn't fix it|not working
nothing changed|no difference|that made it worse|I still get the same error|exact same error
same issue here|doesn't change anything|it still doesn't work, what else can I try?|not really
no that doesn't help|it fails the same way|still fails, fix it|same error, try again
still not fixed :(|still broken 😡|works, but still slow|none of these work|it never worked
that's wrong|no it doesn't|didn't do anything|no change, still timing out|geht immer noch nicht
hilft nicht|gleicher Fehler|immer noch dasselbe Problem|klappt leider nicht|nein, immer noch kaputt
ça ne marche pas|même erreur|toujours pareil|no funciona|sigue igual|el mismo problema|non funziona
it should work but it doesn't|same with that|never the same error, still failing|toujours pas|still not
stesso errore|não funciona|mesmo erro
まだ動かない|同じエラーです|还是不行|同样的错误|не работает|та же ошибка|여전히 안 돼요|👎"""
REACTS = """\
yes, that works|perfect, that was it|thanks|great, that fixed it|no problem|no problems
no errors anymore|no issues|not a problem|never mind|ok|yes|it works now|no longer failing
it doesn't fail anymore|not broken anymore|still works fine|still good|that helped|do it again
try again|do the same|the same please|don't do that|fix it|why?|what now?|not sure|no idea|no need
no thanks|not bad|nothing fails|no more errors|all good|much better|that's not a problem
still no errors|is it still broken?|does it still fail?|same as before?|can you fix it?
why doesn't it work?|no, it works|no changes please|kein Problem|kein Fehler mehr|geht jetzt|danke
that doesn't matter|it does not matter|no matter how|hang on|slow down|I didn't say that|I didn't try
I can't tell if it works|I don't know if it works|not done yet|not right now|still to do|still need it
same for this|same thing for all of them|it's not the same|not the same|it should fail|it should be empty
is it still slow|does it still fail
funktioniert wieder|ça marche|merci|funciona|gracias|sin problemas|nessun problema"""
SAYS_SOMETHING = """\
run the tests|which port?|still using pnpm?|same for staging|still 500|webhook tests time out
no, use make e2e|no, we use pnpm|deploy|commit it|doesn't work in Safari
same error: could not find openssl|still need the docs|the order list is slow
no change in deploy.yaml|still waiting for Marco|the build fails|it's 4100|use the same port
same as yesterday's deploy|why is the test flaky?|still on node 18|nein, wir nehmen pnpm
das Deployment schlägt fehl|même erreur en staging|ダメなテスト|der Login geht nicht|no such file
that doesn't help with the cache|same colour|no tests|not the database|wrong branch|empty list
slow query|nothing in the logs|doesn't compile|fix the flaky test|make it slow|show the error
log the error|use green|change the output|the response is empty|the message is wrong|error handling
make the button red|don't change it|still ÆØ|それは同じファイル|`still`|no.py|4100|fail2ban still fails|"""


def lines(text: str) -> list[str]:
    return text.replace("\n", "|").split("|")


@pytest.mark.parametrize("text", lines(NOTHING_SOLVED))
def test_that_nothing_is_solved_is_only_a_reaction(text: str) -> None:
    assert reaction(text) == PASSES | UNSOLVED


@pytest.mark.parametrize("text", lines(REACTS))
def test_another_reaction_does_not_say_so(text: str) -> None:
    assert not reaction(text) & UNSOLVED


@pytest.mark.parametrize("text", lines(SAYS_SOMETHING))
def test_a_text_with_words_of_its_own_is_none(text: str) -> None:
    assert reaction(text) == 0


def test_a_long_text_is_none() -> None:
    assert reaction(f"no, {'still ' * 12}failing") & UNSOLVED
    assert reaction("still failing, " * (LONGEST // 14 + 1)) == 0


def test_it_is_noted_of_a_text() -> None:
    assert noted("same problem") == PASSES | UNSOLVED
    assert noted("same problem in staging") == 0
