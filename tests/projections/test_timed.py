"""Which questions ask what was done and when, in which stretch of time, and about what; and which only look like it."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from aftermind.projections.reading.times.stretches import EVER
from aftermind.projections.reading.times.timed import TONGUES, looked_for, reading, timed

NOW = datetime(2026, 11, 18, 15, tzinfo=UTC)
"""A Wednesday."""


def days(question: str) -> tuple[date, date] | None:
    """The days that are meant."""
    asked = timed(question, NOW)
    if asked is None or asked.stretch is None:
        return None
    return asked.stretch.since.date(), asked.stretch.until.date()


def november(first: int, last: int | None = None) -> tuple[date, date]:
    return date(2026, 11, first), date(2026, 11, last or first)


@pytest.mark.parametrize(
    ("question", "between"),
    [
        ("what did we do last week", november(9, 15)),
        ("What did I decide yesterday?", november(17)),
        ("Hey, can you remind me what we changed the day before yesterday?", november(16)),
        ("What have we been doing this week?", november(16, 18)),
        ("so what happened on Friday?", november(13)),
        ("what did you fix three days ago", november(15)),
        ("What did we ship in October?", (date(2026, 10, 1), date(2026, 10, 31))),
        ("what was decided last month", (date(2026, 10, 1), date(2026, 10, 31))),
        ("what did we do since Monday", november(16, 18)),
        ("what did we do on 2026-11-10?", november(10)),
        ("what did we do last weekend", november(14, 15)),
        ("recap of last week", november(9, 15)),
        ("Last week, what did we do about the tests?", november(9, 15)),
        ("Was haben wir letzte Woche gemacht?", november(9, 15)),
        ("Was haben wir diesen Monat gemacht?", november(1, 18)),
        ("Was haben wir in diesen Dateien geändert?", None),
        ("Was habe ich gestern entschieden?", november(17)),
        ("Was haben wir vor drei Tagen am Cache geändert?", november(15)),
        ("Qu'est-ce qu'on a fait la semaine dernière ?", november(9, 15)),
        ("Qu'avons-nous décidé hier ?", november(17)),
        ("¿Qué hicimos la semana pasada?", november(9, 15)),
        ("¿Qué decidimos ayer sobre la caché?", november(17)),
        ("Cosa abbiamo fatto la settimana scorsa?", november(9, 15)),
        ("O que fizemos na semana passada?", november(9, 15)),
        ("Что мы делали на прошлой неделе?", november(9, 15)),
        ("我们上周做了什么？", november(9, 15)),
        ("昨日何をした？", november(17)),
        ("지난주에 뭐 했어?", november(9, 15)),
        ("what did we do between Thursday and Saturday?", november(12, 14)),
        ("what did we change from Friday to Tuesday", november(13, 17)),
        ("what did we do from 2026-11-02 to 2026-11-05", november(2, 5)),
        ("what did we do between last week and yesterday?", november(9, 17)),
        ("what did we do on 10 November?", november(10)),
        ("what did we do on the 10th of November?", november(10)),
        ("what did we do on November 10th, 2026?", november(10)),
        ("what did we do on Nov 10?", november(10)),
        ("what did we do on December 24?", (date(2025, 12, 24), date(2025, 12, 24))),
        ("what did we do on 10.11.2026", november(10)),
        ("Was haben wir am 10. November gemacht?", november(10)),
        ("Was haben wir zwischen Montag und Dienstag gemacht?", november(16, 17)),
        ("Was haben wir vom 2.11.2026 bis 5.11.2026 gemacht?", november(2, 5)),
        ("Was haben wir vom 2. November bis zum 5. November gemacht?", november(2, 5)),
        ("Qu'est-ce qu'on a fait le 10 novembre ?", november(10)),
        ("¿Qué hicimos el 10 de noviembre?", november(10)),
    ],
)
def test_a_question_for_what_was_done_names_its_days(question, between):
    assert days(question) == between


@pytest.mark.parametrize(
    ("question", "between"),
    [
        ("Woran haben wir letzte Woche gearbeitet?", november(9, 15)),
        ("Worüber haben wir gestern gesprochen?", november(17)),
        ("Was wurde letzte Woche gemacht?", november(9, 15)),
        ("Was wurde gestern deployed", november(17)),
        ("Was haben wir letzte Woche erledigt?", november(9, 15)),
        ("Was haben wir gestern fertiggestellt?", november(17)),
        ("Was habt ihr gestern gemacht?", november(17)),
        ("was war im Oktober", (date(2026, 10, 1), date(2026, 10, 31))),
        ("Was war letzte Woche los?", november(9, 15)),
        ("Was gab es gestern?", november(17)),
        ("Welche Fehler haben wir letzte Woche behoben?", november(9, 15)),
        ("Zeig mir die Arbeit von gestern", november(17)),
        ("show me yesterday's work", november(17)),
        ("show me last week's work", november(9, 15)),
        ("Sur quoi avons-nous travaillé la semaine dernière ?", november(9, 15)),
        ("Qu'est-ce qui a été fait la semaine dernière ?", november(9, 15)),
        ("Qu'a-t-il été décidé hier ?", november(17)),
        ("Montre-moi le travail d'hier", november(17)),
        ("¿Qué se hizo la semana pasada?", november(9, 15)),
        ("¿Qué fue decidido ayer?", november(17)),
        ("Muéstrame el trabajo de ayer", november(17)),
        ("A cosa abbiamo lavorato la settimana scorsa?", november(9, 15)),
        ("Cosa è stato fatto la settimana scorsa?", november(9, 15)),
        ("Mostrami il lavoro di ieri", november(17)),
        ("Em que trabalhamos na semana passada?", november(9, 15)),
        ("O que foi feito na semana passada?", november(9, 15)),
        ("Mostra-me o trabalho de ontem", november(17)),
    ],
)
def test_what_was_done_may_be_asked_as_people_say_it(question, between):
    asked = timed(question, NOW)
    assert asked is not None
    assert (days(question), asked.topic) == (between, "")


@pytest.mark.parametrize(
    ("question", "between"),
    [
        ("what did we do on Friday last week", november(13)),
        ("what did we do on Friday of the previous week?", november(13)),
        ("what did we do last week on Tuesday", november(10)),
        ("what did we do since Friday last week", november(13, 18)),
        ("Was haben wir am Freitag letzter Woche gemacht?", november(13)),
        ("Was haben wir am Freitag der vorletzten Woche gemacht?", november(6)),
        ("Was haben wir letzte Woche Dienstag gemacht?", november(10)),
        ("Was haben wir seit Freitag letzter Woche gemacht?", november(13, 18)),
        ("Was haben wir diese Woche am Freitag gemacht?", None),
        ("Qu'avons-nous fait vendredi de la semaine dernière ?", november(13)),
        ("¿Qué hicimos el viernes de la semana pasada?", november(13)),
        ("Cosa abbiamo fatto venerdì della settimana scorsa?", november(13)),
        ("O que fizemos na sexta-feira da semana passada?", november(13)),
        ("Что мы делали в пятницу на прошлой неделе?", november(13)),
    ],
)
def test_a_day_may_be_one_of_a_week(question, between):
    assert days(question) == between


@pytest.mark.parametrize(
    "question",
    [
        *("what did we do in 2025", "Was haben wir 2025 gemacht?", "Was haben wir im Jahr 2025 gemacht?"),
        *("Qu'est-ce qu'on a fait en 2025 ?", "¿Qué hicimos en 2025?", "Cosa abbiamo fatto nel 2025?"),
        "O que fizemos em 2025?",
    ],
)
def test_a_year_is_named_by_its_number(question):
    assert days(question) == (date(2025, 1, 1), date(2025, 12, 31))


def test_a_year_may_be_an_end_of_what_is_asked_and_a_number_is_none():
    assert days("what did we do since 2025?") == (date(2025, 1, 1), NOW.date())
    assert days("Was haben wir vor 2026 gemacht?") == (EVER.date(), date(2025, 12, 31))
    assert days("what did we do in 2027") is None
    assert days("Was haben wir auf Port 2025 geändert?") is None
    assert days("Was haben wir vor 2000 Nutzern gezeigt?") is None
    assert days("what did we do in 2026-10") is None


@pytest.mark.parametrize(
    ("question", "between"),
    [
        ("what did we do last wek", november(9, 15)),
        ("what did we do yesturday?", november(17)),
        ("what did we do last Fridya", november(13)),
        ("Was haben wir letze Woche gemacht?", november(9, 15)),
        ("Qu'est-ce qu'on a fait la semaine derniere ?", november(9, 15)),
        ("what did we change in the moth", None),
        ("what did we do last weed", None),
    ],
)
def test_a_slip_in_the_time_is_read_as_it_was_meant(question, between):
    assert days(question) == between


@pytest.mark.parametrize(
    ("typed", "topic"),
    [
        *(("last week login", "login"), ("login last week", "login"), ("letzte Woche Login", "login")),
        *(("login retry since Monday", "login retry"), ("ieri login", "login")),
        *(("yesterday", None), ("what broke yesterday", None), ("yesterday's log file", None), ("october login", None)),
        *(("where is the backup from last week stored", None), ("login", None), ("the last week", None), ("", None)),
    ],
)
def test_a_time_beside_what_is_typed_to_look_for_is_meant(typed, topic):
    asked = looked_for(typed, NOW)
    assert (asked and asked.topic) == topic
    assert timed(typed, NOW) is None


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("In which order did we migrate the database?", "migrate the database"),
        ("list the order in which I brought up aspects of the budget tracker", "of the budget tracker"),
        ("when did we first use postgres", "use postgres"),
        ("In welcher Reihenfolge haben wir die Datenbank migriert?", "datenbank migriert"),
        ("Dans quel ordre avons-nous migré la base de données ?", "migré base données"),
        ("¿En qué orden migramos la base de datos?", "base datos"),
        ("В каком порядке мы переносили базу данных?", "переносили базу данных"),
        ("我们是按什么顺序迁移数据库的？", "迁移数据库"),
    ],
)
def test_an_order_and_a_first_time_are_asked_of_all_time_about_a_topic(question, topic):
    asked = timed(question, NOW)
    assert asked is not None
    assert (asked.stretch, asked.topic, asked.newest_first) == (None, topic, False)


@pytest.mark.parametrize(
    "question",
    [
        *("what was the last thing we did?", "What's the latest change you made?", "where did we leave off?"),
        *("what was I working on", "when was the last time we deployed to staging", "Was haben wir zuletzt gemacht?"),
        *("where were we", "ok, where were we?", "where were we again?", "Wo waren wir?", "wo haben wir aufgehört"),
        *("où en étions-nous?", "où en était-on", "dónde lo dejamos", "¿Dónde nos quedamos?", "por dónde íbamos"),
        *("dove eravamo rimasti?", "onde paramos?", "wo sind wir stehen geblieben?"),
    ],
)
def test_the_last_thing_is_asked_from_the_newest_on(question):
    asked = timed(question, NOW)
    assert asked is not None
    assert asked.newest_first
    assert asked.end


@pytest.mark.parametrize("question", ["where did we leave off yesterday?", "wo haben wir gestern aufgehört?"])
def test_where_it_was_left_may_be_asked_of_a_day(question):
    asked = timed(question, NOW)
    assert asked is not None
    assert (days(question), asked.newest_first, asked.topic) == (november(17), True, "")


@pytest.mark.parametrize(
    "text",
    [
        *("what did the last week of the sprint cost in CPU", "run the last test", "what is the last line of the file"),
        *("in which order do migrations run", "In which order should we run the migrations?", "did you push?"),
        *("show me yesterday's log file", "what should we do next week", "what did you mean by the last point"),
        *("what did we name the last week view", "what did we set the timeout to", "what are we doing"),
        *("when does the cron job run first", "fix the first failing test we have", "what did we do wrong"),
        *("what do I do with yesterday's backup", "sort the items in the order we get them", "what's the last commit"),
        *("delete everything older than last month", "we changed the port yesterday and now it fails"),
        *("what changed in the last week of the sprint", "The order we did it in is wrong, swap them", "", "?!"),
        *("we did a lot last week, now write the changelog", "was macht der letzte test", "what did we do"),
        *(
            "lo que hicimos ayer no funciona",
            "fais le test d'hier",
            "昨天的日志在哪里",
            "what did we do in a million years",
        ),
        *("show me yesterday's work log", "was war gestern kaputt", "yesterday's work is broken", "last week login"),
        f"what did we do yesterday {'with this log: ERROR ' * 30}",
    ],
)
def test_what_only_mentions_a_time_or_an_order_is_no_such_question(text):
    assert timed(text, NOW) is None


@pytest.mark.parametrize(
    "question",
    [
        "what did we do on February 29, 2024?",
        "what did we do on February 29?",
        "what did we do on 29 February?",
        "what did we do on Feb 29th 2024",
        "Was haben wir am 29. Februar 2024 gemacht?",
        "Was haben wir am 29. Februar gemacht?",
        "Qu'est-ce qu'on a fait le 29 février 2024 ?",
        "¿Qué hicimos el 29 de febrero de 2024?",
        "Cosa abbiamo fatto il 29 febbraio 2024?",
        "O que fizemos em 29 de fevereiro de 2024?",
    ],
)
def test_a_day_that_only_some_years_have_is_the_one_of_its_year_or_of_the_last_one(question):
    assert days(question) == (date(2024, 2, 29), date(2024, 2, 29))


def test_a_day_that_the_year_does_not_have_is_none():
    for question in ("what did we do on February 29, 2025?", "what did we do on 30 February?"):
        assert days(question) is None


def test_a_date_that_is_none_is_no_stretch():
    assert days("what did we do on 2026-02-31") is None
    assert days("what did we do tomorrow") is None


def test_what_is_asked_of_the_future_is_not_there():
    assert days("what did we do on 2026-12-24?") is None


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Europe/Berlin", "America/Los_Angeles"])
def test_a_day_begins_and_ends_by_the_clock_of_the_zone_of_now(zone):
    now = datetime(2026, 10, 26, 20, tzinfo=UTC).astimezone(ZoneInfo(zone))
    asked = timed("what did we do yesterday", now)  # in Berlin a day of 25 hours
    assert asked is not None
    assert asked.stretch is not None
    day = (now - timedelta(days=1)).date()
    assert asked.stretch.since == datetime.combine(day, time(), ZoneInfo(zone))
    assert asked.stretch.until == datetime.combine(now.date(), time(), ZoneInfo(zone)) - timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("what did we do before yesterday", None, 16),
        ("what did we do before Thursday?", None, 11),
        ("what did we change before 10 November", None, 9),
        ("what did we do until last week", None, 15),
        ("what did we do after Thursday", 13, 18),
        ("what did we do after 10 November?", 11, 18),
        ("what did we do since yesterday", 17, 18),
        ("what did we do since Thursday", 12, 18),
        ("what did we do since last week?", 9, 18),
        ("Was haben wir vor gestern gemacht?", None, 16),
        ("Was haben wir bis gestern gemacht?", None, 17),
        ("Was haben wir seit gestern gemacht?", 17, 18),
        ("Qu'avons-nous décidé depuis hier ?", 17, 18),
        ("¿Qué decidimos hasta ayer?", None, 17),
        ("what did we do the day before yesterday", 16, 16),
        ("what did we do after today", None, None),
        ("Qu'avons-nous fait avant hier ?", 16, 16),
        ("¿Qué decidimos antes de ayer?", 16, 16),
        ("O que fizemos antes de ontem?", 16, 16),
        ("Was haben wir seit letzter Woche gemacht?", 9, 18),
        ("Cosa abbiamo fatto da ieri?", 17, 18),
        ("Cosa abbiamo fatto prima della settimana scorsa?", None, 8),
        ("Cosa abbiamo fatto fino alla settimana scorsa?", None, 15),
        ("Что мы сделали со вчера?", 17, 18),
        ("Что мы сделали с понедельника?", 16, 18),
        ("Что мы сделали до понедельника?", None, 15),
        ("¿Qué hicimos antes del lunes?", None, 15),
        ("O que fizemos depois de segunda?", 17, 18),
        ("¿Qué hicimos antes del 3 de noviembre?", None, 2),
        ("¿Qué hicimos después del 3 de noviembre?", 4, 18),
        ("¿Qué hicimos antes del 2026-11-10?", None, 9),
        ("¿Qué hicimos del lunes al miércoles?", 9, 11),
        ("O que fizemos até sexta-feira?", None, 13),
        ("O que fizemos depois da segunda tentativa?", None, None),
        ("O que fizemos antes da quarta fase?", None, None),
        ("O que fizemos antes da segunda-feira?", None, 15),
        ("Что мы делали с понедельника по среду?", 9, 11),
        ("what did we do before November?", None, date(2026, 10, 31)),
        ("Qu'avons-nous fait avant mai ?", None, date(2026, 4, 30)),
        ("what did we do between October and November?", date(2026, 10, 1), 18),
        ("what did we do after Monday but before Thursday", 10, 11),
        ("what did we do this week before Tuesday", 16, 16),
        ("what did we do since Monday until yesterday", 16, 17),
        ("what did we do the day before Monday", None, None),
        ("what did we do two weeks before last week", None, None),
        ("what did we do the week after last month", None, None),
    ],
)
def test_a_time_may_be_an_end_of_what_is_asked(question, since, until):
    asked = timed(question, NOW)
    stretch = asked and asked.stretch
    if until is None:
        assert not stretch
        return
    assert stretch
    since, until = (date(2026, 11, one) if isinstance(one, int) else one for one in (since, until))
    assert (None if stretch.since == EVER else stretch.since.date()) == since
    assert stretch.until.date() == until
    assert asked.topic == ""


def test_newest_first_is_as_it_is_asked():
    asked = timed("what did we fix in the last 3 days, newest first", NOW)
    assert asked is not None
    assert (asked.newest_first, asked.verb, asked.topic) == (True, "fix", "")


def test_every_tongue_can_be_read():
    assert all(reading(number).forms for number in range(len(TONGUES)))
