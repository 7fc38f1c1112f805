"""What is only a reaction to an answer, and that it says nothing is solved."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.manner import noted
from aftermind.projections.reading.reacting import COMPLAINS, LONGEST, PASSES, UNSOLVED, complaint, reaction

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
continua in italiano|sigue|Continua.
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

COMPLAINTS = """\
No, that did not help, still 401.|Nein, das hat nicht geholfen, immer noch 401.|Did not work, now it is a 504.
That was not it. The keys are gone after five minutes.|No, it still does not run at night.
that doesn't help with the cache|still 500|same error: could not find openssl|doesn't work in Safari|doesn't compile
It still fails with E1042.|that didn't help, the build still fails in CI|no, same error in staging
Hmm, still getting 401 from the login|That didn't work: the worker crashes at startup
it still says "connection refused"|Das geht immer noch nicht, jetzt kommt ein 504.|Es läuft nachts immer noch nicht
ça ne marche pas, toujours 401|No funciona, sigue dando 401|the webhook still answers 502
I still get a 502 from Stripe|no luck, redis is still evicting the keys
that did not fix it, now I get ImportError: no module named foo
Still broken after restarting the container. What else can I try?|nope, still the old value in the response
it crashes with SIGSEGV|that made it worse, the queue is now empty|no, it does not start at all on port 8080
doesn't work either, the timeout is still 30s|No change. The cron never fires at night.
unfortunately the same problem, after an hour the memory is full
Sorry, that did not help. I see the same 401 in the log.|Das hat nichts gebracht, der Container startet nicht
Non funziona, ancora errore 500|não funciona, ainda erro 500|Still not working on Windows
nope, the footer still shows 2023|The error still occurs with Node 20|o erro continua: EACCES
still 900ms|I did that, still the same 401|I am still getting the CORS error|still doesn't start on boot
that's not it, the token is valid|the build still fails with the same message|It is still red: test_login"""
NO_COMPLAINTS = """\
No, that did not help. By the way, how do I rename a branch?|No, use make e2e
that did not help. Rename the branch to main|That didn't work. How do I install openssl?|No, we use pnpm
still using pnpm?|still on node 18|still waiting for Marco|still need the docs|same for staging|same colour
it still works in Chrome|still good: the tests pass|that did not help but restarting docker fixed it
did not help, I found it: the port was wrong|it doesn't need to be fast|that doesn't matter, deploy it
I didn't try the clock yet|no problem, deploy to staging|it should not fail in CI|make the test fail
Does it still fail in CI?|why does the webhook still answer 502?|The build does not use docker
The tests don't cover the parser|the order list is slow|How do I make the cron run at night?|no such file|no tests
not the database|wrong branch|nothing in the logs|no, it's 4100|no, the port is 4100
the login does not work in Safari|The webhook of Stripe answers 502 since the update. What can I do?
My container crashes at startup|I don't like tabs any more, I like spaces|We do not deploy on Fridays
never push to main|don't commit .env|That did not help, let's try redis instead
didn't work. add a retry to the worker|doesn't help. Please write a test for the parser
No. And what about the cache size?|no, that's not what I want, I want a table|That is not the branch, it is main
still failing? then revert commit abc|Thanks, that works, but the docs are empty
great, the 401 is gone. The footer is still wrong|it works, but the footer still shows 2023
No, that did not help. I want to rename a branch.|No, it failed. Next task: write the changelog
nothing changed since monday in the api|it isn't urgent, but the docs are old|same thing for the worker: add a retry
that failed because of my typo, works now|Same procedure as every year|stuck on node 18, upgrade it
wait for the deploy|The same error handling as in auth.py|Still, I prefer tabs|the footer is broken
it is broken by design|that breaks the API for our customers|this fails the review if it has no tests
that doesn't look like our style, use tabs|I still have the old error page, remove it
That doesn't mean we drop Windows|falsch verstanden, ich meine den Header|Wrong. I meant the header.
It doesn't belong here, the folder is called lib|Es gibt weiterhin zwei Server
The footer still shows 2023|The page is still slow.|My PR is still red, the linter complains about tabs
the problem is still in the backlog|The issue is still open on GitHub|Der Footer ist immer noch falsch
Still the docs|Still a few typos in the README|still 3 open issues|Still no tests for the parser
Still not merged, the review is open|Still not convinced. Redis seems older.|Still, the naming is ugly
still not clear to me how the retry works|Still don't see why the second query is there
I still don't see the point of the second parameter|I still think the issue is the cache
that is still a TODO|They still run Node 16 in production|Same bug in the other repo
même erreur dans l'autre service, corrige-la|toujours pas de tests pour le parser
Todavía no hay tests para el parser|Sigue el mismo patrón que en auth.py|Continua a usare Postgres
the same thing but in Rust|That did not work. I switched to redis.|That did not help. There is a second bug: the menu
It works without docker, the socket is used|It fixed the 401 with no downtime|solve it without regex
fix only the tests not the code|Pass the token not the user|That did not help. Without the cache it works."""


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
    assert noted("same problem in staging") == COMPLAINS
    assert noted("the problem in staging") == 0


@pytest.mark.parametrize("text", lines(COMPLAINTS))
def test_what_says_that_nothing_is_solved_and_how_it_is_now_complains(text: str) -> None:
    assert reaction(text) == 0
    assert complaint(text) == COMPLAINS


def test_what_is_pasted_below_a_complaint_is_not_read() -> None:
    pasted = "\nTraceback (most recent call last):\n  how do I rename a branch?" * 40
    assert complaint(f"That did not help:{pasted}") == COMPLAINS
    assert complaint(f"That did not help.{pasted}") == 0


@pytest.mark.parametrize("text", lines(NO_COMPLAINTS))
def test_what_asks_or_wants_something_or_is_solved_complains_of_nothing(text: str) -> None:
    assert complaint(text) == 0
