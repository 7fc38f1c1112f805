"""What others say of an advice is no report of how it went; what those say who tried it, and what tools say, is one."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import cases, exchange

HEARSAY = """
bob says it works
bob said it worked
ok bob says its fixed
anna says that fixed it
bob reckons that did it
bob says it works, havent tried yet
peter just told me that it's working again
my teammate tested it and says it works
someone on stackoverflow said that works
the docs say it works
the ticket says it is fixed
copilot claims it's fixed
they say it's fixed
according to bob it works
according to my colleague, it works
i heard it works
i've read that this works
i was told it works
supposedly works now
allegedly fixed
Bob meint, es läuft
Bob sagt es geht jetzt
laut Doku funktioniert das so
angeblich läuft es jetzt
Jan zegt dat het werkt
volgens Jan werkt het
Marie dit que ça marche
selon Marie ça marche
d'après Marie ça marche
Juan dice que funciona
según Juan funciona
"""
REPORTS = """
QA says it works now
the customer says it works now, thanks
ci says all green
pytest says 12 passed
the linter says it's fine now
laut CI läuft alles
according to pytest it works
the status page says everything is up
it says it works now
bob confirmed it works
bob tried it and it works
bob says it works and it does here too
bob says it works. it works here too
works as bob said
like bob said, it works
works according to plan
i'd say it works
you told me to restart it and now it works
ok dit werkt
i read the log and it works
"""


@pytest.mark.parametrize("said", cases(HEARSAY))
def test_a_success_that_others_tell_of_is_none(said: str) -> None:
    assert judge(exchange(said)).outcome == "unknown"


@pytest.mark.parametrize("said", cases(REPORTS))
def test_what_is_seen_or_was_tried_is_one(said: str) -> None:
    assert judge(exchange(said)).outcome == "worked"


@pytest.mark.parametrize("said", ["bob says it still fails", "bob says it does not work"])
def test_a_failure_counts_whoever_tells_of_it(said: str) -> None:
    assert judge(exchange(said)).outcome == "failed"
