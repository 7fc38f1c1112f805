"""A success that is owed to something else than the exchange said is none of it; one that names what it said is."""

from __future__ import annotations

import pytest

from aftermind.sidecar.cues.judge import judge
from tests.sidecar.exchanges import exchange

ABOUT = {
    "prompt": "fix the login bug",
    "answer": "I changed the session cookie to SameSite=Lax; restart nginx after that.",
}
ELSEWHERE = """
nvm, restarting my laptop fixed it
Never mind, it works now
rebooting the vpn box solved it
googled it, setting domain=.acme.io solved it
solved by switching to firefox
fixed it by clearing the browser history
gelöst durch einen anderen Browser
I reverted it and now it works
rolled back, works again
undid your change and it works
leider funktioniert es nur bei mir
unfortunately it works
it compiles at least
at least it builds now
hat sich erledigt, lag am vpn
it works in theory
works since the reboot
seit dem Neustart geht es wieder
depuis le redémarrage ça marche
después de una actualización funciona
we got it working with elasticsearch instead
we went with another solution, works
it was upstream, fixed in 2.1
passes now because i skipped the test
works because we downgraded postgres
works great jk
works, just kidding
yep works /s
works my ass
works, wait no
no errors. no output either
works, said nobody ever
works like a charm... not
works.. nope
magically works today
it mysteriously works again
it fixed itself
the problem resolved itself. all good now
the problem resolved itself overnight
gone by itself
worked on the third try without changing anything
works again without me doing anything
hat sich von selbst erledigt, geht wieder
se arregló solo
""".strip().splitlines()
OF_IT = """
that fixed it
your change fixed it
the second one fixed it
changing the cookie fixed it
setting it to lax fixed it
fixed by restarting nginx
the fix solved it
finally fixed it, thanks
it works now
läuft wieder, danke
works since the change
works since the latest commit
works, and at least 3 users confirmed it
it restarts by itself now, works
works like magic
works. any other errors? nope
works on my second machine
works now because i did what you said
works because i set SameSite
works on my machine now, thanks
works now, without changing anything else
""".strip().splitlines()


@pytest.mark.parametrize("said", ELSEWHERE)
def test_what_something_else_fixed_is_no_success(said: str) -> None:
    assert judge(exchange(said, **ABOUT)).outcome != "worked"


@pytest.mark.parametrize("said", OF_IT)
def test_what_it_said_or_what_is_pointed_at_is_one(said: str) -> None:
    assert judge(exchange(said, **ABOUT)).outcome == "worked"


def test_what_was_to_be_taken_back_is_one_when_it_was() -> None:
    about = {"prompt": "the deploy is broken since the bump", "answer": "Revert the bump: git revert HEAD."}
    assert judge(exchange("reverted it, works again", **about)).outcome == "worked"
