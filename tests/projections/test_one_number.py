"""What a thing is called, and sentences that differ in one number alone: one value, or one of many."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.one_number import another_number
from aftermind.projections.reading.statements.sentence import sentence
from aftermind.projections.reading.statements.sought import sought
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

CALLED = """
The test database is called shop_test | The test database is called shop_ci
The test database is named shop_test | The test database is now called shop_x
The staging database is called shop_test | The staging database is called shop_prod
The database is called shop | The database is called store
Our project is called Falcon | The project is called Hawk
The project is called Falcon | The project is now called Blue Moon
The bucket for uploads is called acme-up | The bucket for uploads is called acme-files
The default branch is called master | The default branch is now called main
Our team is called Falcon | Our team is called Hawks
The config file is called a.yml | The config file is now called b.yml
""".strip().splitlines()
CALLED_APART = """
The class is called Foo | The class is called Bar
The helper class is called FooBar | The helper class is called BarBaz
The new function is named get_user | The new function is named set_user
The table is called orders | The table is called users
The test database is called shop_test | The test database is also called shop_ci
The test database is called shop_test | The test database is called shop_a and shop_b
The test database is called shop_test | The test database is sometimes called shop_x
The test database is called shop_test | The prod database is called shop_prod
The database is called shop_test | The database is called shop_prod
The test database is called shop_test | A test database is called shop_x
The test database is called shop_test | The test database was called shop_x
The test database is called shop_test | The test database is not called shop_x
The test database is called shop_test | Is the test database called shop_x?
The test database is called shop_test | The test database is Postgres
The test database is called twice | The test database is called once
The test database is called from main.py | The test database is called from cli.py
The database is called lazily | The database is called eagerly
The server is called by cron | The server is called by hand
The database is called shop in CI | The database is called store in production
The database of Anna is called a_b | The database of Tom is called c_d
The billing repo is called bill | The search repo is called find
The app is called Falcon | The project is called Hawk
My dog is called Rex | My dog is called Max
The job is called nightly | The job is called weekly
Redis is called cache | Redis is called queue
The team is called Falcon by Anna | The team is called Hawks by Tom
The variable is called FOO_A | The variable is called FOO_B
Its database is called a_b | Its database is called c_d
This branch is called foo | This branch is called bar
The feature branch is called login | The feature branch is called logout
The branch is called fix/login | The branch is called fix/logout
The server is called web-1 | The server is called web-2
The queue is called emails | The queue is called invoices
The Slack channel is called #dev | The Slack channel is called #ops
The bucket is called images | The bucket is called logs
The company is called Acme | The company is called Initech
Our client's project is called Rex | Our client's project is called Max
The sample project is called Foo | The sample project is called Bar
The second database is called a_b | The second database is called c_d
The database user is called app_a | The database user is called app_b
The app is called portable | The app is called robust
The database is called slow | The database is called good
The flag is called --foo | The flag is called --bar
""".strip().splitlines()
NUMBER = """
The blog is built with Hugo 0.120 and the theme Paper | The blog is built with Hugo 0.135 and the theme Paper
The RSS feed contains full articles, limited to 20 entries | The RSS feed contains full articles, limited to 50 entries
The RSS feed contains articles, capped at 20 entries | The RSS feed now contains articles, capped at 50 entries.
The importer accepts files of up to 20 MB | The importer accepts files of up to 50 MB
The backup keeps snapshots for at most 7 days | The backup keeps snapshots for at most 14 days
The API returns results, at most 100 per page | The API returns results, at most 250 per page
The queue holds at most 100 jobs | The queue holds at most 200 jobs
The image is based on Java 17 and Alpine | The image is based on Java 21 and Alpine
We have up to 3 nodes | We have up to 5 nodes
The run uses 4 workers | The run uses 8 workers
The server started on port 8080 | The server started on port 8081
""".strip().splitlines()
NUMBER_APART = """
Chapter 3 covers errors | Chapter 4 covers errors
Chapter 3 contains at most 20 pages | Chapter 4 contains at most 20 pages
Ticket 12 is done | Ticket 13 is done
Step 1 is to build | Step 2 is to build
node 1 has 4 cores | node 2 has 4 cores
On 3 May we shipped 2 fixes | On 3 May we shipped 5 fixes
We shipped 2 fixes | We shipped 5 fixes
The test took 3 s | The test took 5 s
The run took 3 s | The run took 5 s
The run took up to 3 s | The run took up to 5 s
The deploy includes fix 12 | The deploy includes fix 13
On 3 May the feed contains articles, limited to 20 entries | On 3 May the feed contains articles, limited to 50 entries
The newsletter contains 3 articles | The newsletter contains 5 articles
The feed contains articles, limited to 20 entries | The feed contained articles, limited to 50 entries
The feed contains articles, limited to 20 entries | The list contains articles, limited to 50 entries
The feed contains articles, limited to 20 entries | The feed contains full articles, limited to 50 entries
The feed contains articles, limited to 20 entries | The feed may contain articles, limited to 50 entries
The feed contains articles, limited to 20 entries | The feed does not contain articles, limited to 50 entries
The feed contains articles, limited to 20 entries | The feed contains articles, limited to 20 MB
The feed contains articles, limited to 20 s | The feed contains articles, limited to 20 MB
The run was limited to 20 tests | The run was limited to 50 tests
The meeting was limited to 30 minutes | The meeting was limited to 60 minutes
The run has at most 3 failures | The run has at most 5 failures
We have visitors, up to 3 a minute | We have visitors, up to 5 a minute
The room is booked for at most 3 people | The room is booked for at most 5 people
The endpoint returns errors, at most 3 a day | The endpoint returns errors, at most 5 a day
The archive contains logs up to 2019 | The archive contains logs up to 2024
The branch includes commits up to 120 | The branch includes commits up to 130
The API returns up to 3 rows | The API returns up to 5 rows
The page contains at least 3 links | The page contains at least 5 links
The report is based on week 3 and a survey | The report is based on week 4 and a survey
The model is built on dataset 3 and noise | The model is built on dataset 4 and noise
It contains articles, limited to 20 entries | It contains articles, limited to 50 entries
The archive contains issue 12 | The archive contains issue 13
The archive contains articles from page 3 | The archive contains articles from page 4
The archive contains pages 3 to 5 | The archive contains pages 3 to 7
The archive contains pages up to 20 and 30 | The archive contains pages up to 40 and 30
The bug is limited to 20 users at most 3 times | The bug is limited to 20 users at most 5 times
The blog is tested with Hugo 0.120 and the theme Paper | The blog is tested with Hugo 0.135 and the theme Paper
The blog works with Hugo 0.120 and the theme Paper | The blog works with Hugo 0.135 and the theme Paper
The blog was built with Hugo 0.120 and the theme Paper | The blog was built with Hugo 0.135 and the theme Paper
The blog is built with Hugo 0.120 and the theme Paper | The shop is built with Hugo 0.135 and the theme Paper
The blog is built with Hugo 0.120 and the theme Paper | The blog is built with Hugo 0.135 and the theme Ink
The blog is built with Hugo 0.120 and the theme Paper | The blog could be built with Hugo 0.135 and the theme Paper
The app is built with Python 3.11 and 3.12 | The app is built with Python 3.11 and 3.13
The app is built with Python 3.11 and 3.12 | The app is built with Python 3.10 and 3.12
The app is built on node 1 and Vite | The app is built on node 2 and Vite
The app is built on stage 1 and Vite | The app is built on stage 2 and Vite
The app is based on RFC 7231 and tests | The app is based on RFC 7232 and tests
The app is built in CI with Hugo 0.120 and Paper | The app is built in CI with Hugo 0.135 and Paper
""".strip().splitlines()


def pair(line: str) -> tuple[str, str]:
    older, newer = line.split(" | ")
    return older, newer


@pytest.mark.parametrize("line", CALLED + NUMBER)
def test_a_name_or_a_number_of_what_has_one_takes_the_place_of_the_older(line: str) -> None:
    older, newer = pair(line)
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]
    for one, other in ((older, newer), (newer, older)):
        assert asks_for(one) & found_by(other)
        assert other in those([other], sought(one))


@pytest.mark.parametrize("line", CALLED_APART + NUMBER_APART)
def test_one_of_many_stands_beside_the_others(line: str) -> None:
    older, newer = pair(line)
    assert beside(older, newer) == Settled()


@pytest.mark.parametrize("text", ["", "contains", "is built with 3", "contain at most 5", "up to 5", "a contains b 5"])
def test_whatever_is_said_is_compared(text: str) -> None:
    assert not another_number(sentence(text), sentence(text))
