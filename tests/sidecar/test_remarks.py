"""Each rule for what a user says next is the one that decides the examples it is told by, and the scale of doubt."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.clauses.amounts import Sign
from aftermind.sidecar.cues.clauses.heard import content, hear
from aftermind.sidecar.cues.judge import judge
from aftermind.sidecar.cues.weighing import reported, unreported
from aftermind.sidecar.cues.weighing.remarks import remarks, setting_of
from aftermind.sidecar.cues.weighing.tallied import BARE, BEFORE, BESIDE, PRAISED, STEADY, SURE, begun, weighed
from aftermind.sidecar.cues.weighing.unreported import UNREPORTED, Rule
from aftermind.sidecar.cues.words import LANGUAGES
from aftermind.sidecar.utterances.phrases import table
from aftermind.sidecar.utterances.voice import listen
from tests.sidecar.exchanges import cases, exchange

TABLE = table([LANGUAGES["en"], LANGUAGES["de"]])
ABOUT = content("the login page")
QUIET = setting_of([], ABOUT, trouble_wanted=False, asked_back=False)

DECIDED = [
    ("add a test for the failing case", unreported._a_request),
    ("ich hoffe, das klappt", unreported._a_hope),
    ("the log says: still failing", unreported._what_is_quoted),
    ("please revert that", unreported._what_is_to_be_undone),
    ("is not working?", unreported._a_question),
    ("why is it still red?", unreported._a_question),
    ("it works, if I run it twice", unreported._a_condition),
    ("when it works", unreported._what_is_awaited),
    ("es muss funktionieren", unreported._what_has_to_be),
    ("I want it fixed", unreported._what_has_to_be),
    ("I wish it worked", unreported._a_wish),
    ("I'll test it tonight", unreported._an_intention),
    ("we can talk about it anyway", unreported._an_aside),
    ("it worked yesterday", unreported._what_is_not_so_now),
    ("hopefully it works", unreported._what_is_not_so_now),
    ("looks right, but im not sure", unreported._what_is_left_open),
    ("no, it works by polling", unreported._what_is_so_instead),
    ("bob says it works", unreported._what_others_tell),
    ("it is still broken", reported._fails),
    ("the page loads but it shows an error", reported._fails),
    ("now there is a warning", reported._fails),
    ("almost there", reported._works_in_part),
    ("it works. only on linux", reported._works_in_part),
    ("that works", reported._works),
    ("the login works. the logout does not", reported._ends_in_not),
    ("works like a charm... not", reported._ends_in_not),
    ("it works, not on windows", reported._begins_with_not),
    ("it works, not sure about windows", reported._begins_with_not),
    ("it works, but the colours", reported._restricts),
    ("the header has two rows now", reported._is_unexplained),
]


@pytest.mark.parametrize(("said", "rule"), DECIDED)
def test_the_last_remark_is_decided_by_the_rule_that_tells_of_it(said: str, rule: Rule) -> None:
    heard = hear(said, listen(said), TABLE)
    tally, deciding = begun([]), None
    rules = (*UNREPORTED, *reported._REPORTS)
    for remark in remarks(heard, setting_of(heard, ABOUT, trouble_wanted=False, asked_back=False)):
        told = ((one, after) for one in rules if (after := one(remark, tally)) is not None)
        deciding, tally = next(told, (None, tally))
    assert deciding is rule


def test_every_rule_has_an_example() -> None:
    assert {rule for _, rule in DECIDED} == {*UNREPORTED, *reported._REPORTS}


@pytest.mark.parametrize(
    "said",
    [
        "ok, well",
        "no worries",
        "that failure is unrelated",
        "my boss says it is broken",
        "by the way, the deploy is broken",
    ],
)
def test_what_is_not_of_the_exchange_is_no_remark(said: str) -> None:
    heard = hear(said, listen(said), TABLE)
    assert not list(remarks(heard, setting_of(heard, ABOUT, trouble_wanted=False, asked_back=False)))


FAILS = """
is it normal that it still fails?
is it ok that the tests still fail?
is it me or is it still broken?
is there a reason it still crashes?
it does not matter, it still fails
they refused, it does not work
I tried it, it does not work
I did that. It does not work.
I had to revert your change, it deleted the data
great, it is even worse now
thanks for nothing, it's still failing
gracias por nada, sigue fallando
"""
NOTHING = """
is it possible that it still fails?
does it still fail on main?
is there a reason that you still use var?
we tried redis before, it does not work
I opened the settings, it does not work
I had to revert my own commit, it was unfinished
great, the worse cases are handled now
great, it is no worse
thanks, that would be even worse
works, but will I lose data?
thanks for fixing it, the logout fails
works, but why?
works, but can you fix the logout?
works, but can you check the other case, it is broken?
you said it works, but can you show me?
"""
WORKS = """
works, but can you also add logging?
it works but could you rename the function?
funktioniert, aber kannst du noch Logging einbauen?
funciona, pero puedes añadir logs?
"""


@pytest.mark.parametrize(
    ("said", "outcome"),
    [(said, "failed") for said in cases(FAILS)]
    + [(said, "unknown") for said in cases(NOTHING)]
    + [(said, "worked") for said in cases(WORKS)]
    + [("hm, now I get a different error: KeyError", "partial"), ("now I get a different result", "unknown")],
)
def test_what_stands_before_or_after_is_weighed(said: str, outcome: str) -> None:
    assert judge(exchange(said)).outcome == outcome


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("Yes! Mails arrive in the inbox now.", "worked"),
        ("thanks, the mails arrive now", "worked"),
        ("yes, mails arrive in spam now", "unknown"),
        ("yes, mails arrive in the inbox now, only without subject", "unknown"),
        ("yes, do mails arrive in the inbox now?", "unknown"),
        ("great, the password appears in the log now", "unknown"),
        ("yes, the mails bounce now", "unknown"),
    ],
)
def test_what_was_not_so_is_so_now(said: str, outcome: str) -> None:
    prompt = "Mails do not arrive in the inbox. The password does not appear in the log. Mails must not bounce."
    assert judge(exchange(said, prompt=prompt, answer="Set the SPF record.")).outcome == outcome


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("Presigned URLs work, thanks", "worked"),
        ("the uploads work", "worked"),
        ("the old URLs work", "unknown"),
        ("no URLs work", "unknown"),
        ("uploads work. downloads fail", "unknown"),
        ("how presigned URLs work", "unknown"),
        ("presigned URLs work?", "unknown"),
        ("presigned URLs work, in theory", "unknown"),
        ("the server needs work", "unknown"),
    ],
)
def test_several_things_that_were_made_work(said: str, outcome: str) -> None:
    answer = "I added presigned URLs: the server needs to sign them."
    assert judge(exchange(said, prompt="let users upload files", answer=answer)).outcome == outcome


@pytest.mark.parametrize("firm", [BARE, SURE, STEADY])
@pytest.mark.parametrize("doubt", [0, BESIDE, PRAISED, BEFORE])
def test_a_failure_counts_where_it_is_as_firm_as_the_doubt(firm: int, doubt: int) -> None:
    tally = begun([]).adding("fail", "an error", firm).doubting(doubt)
    assert weighed(tally, QUIET) == ([Sign("fail", "an error")] if firm >= doubt else [])


@pytest.mark.parametrize(
    "said",
    [
        "wow, perfect, the page is completely blank now 👏",
        "brilliant, perfect job, the db is empty",
        "perfect, it deleted my header",
        "exactly, and the build hangs",
        "perfekt, die Seite ist leer",
    ],
)
def test_praise_beside_trouble_is_no_success(said: str) -> None:
    case = exchange(said, prompt="the css grid breaks on safari", answer="Use minmax(0, 1fr) in layout.css.")
    assert judge(case).outcome != "worked"


@pytest.mark.parametrize(
    "said",
    [
        "perfect, thanks",
        "perfect, exactly what i needed",
        "perfect. now the page for guests is blank, can you look?",
        "exactly the failed counts i needed",
        "perfect, is the page blank for guests?",
    ],
)
def test_praise_without_it_is_one(said: str) -> None:
    case = exchange(said, prompt="show the counts of jobs", answer="The dashboard has them by day.")
    assert judge(case).outcome == "worked"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("kinda works", "partial"),
        ("it kind of worked for me", "partial"),
        ("works sometimes", "partial"),
        ("works most of the time", "partial"),
        ("funktioniert manchmal", "partial"),
        ("works all of the time", "worked"),
        ("works every time", "worked"),
        ("👍 will try tomorrow", "unknown"),
        ("👍 trying now", "unknown"),
        ("works 👍 will try it on prod later", "worked"),
    ],
)
def test_what_works_sometimes_works_in_part_and_a_thumb_before_a_try_is_no_success(said: str, outcome: str) -> None:
    assert judge(exchange(said)).outcome == outcome
