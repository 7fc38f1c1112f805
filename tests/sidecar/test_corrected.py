"""What corrects a value that an answer gave, what it says then as a whole, and what corrects nothing."""

from __future__ import annotations

import pytest

from aftermind.sidecar.captures.messages import captured, told
from aftermind.sidecar.cues.comparing.corrected import corrected, named_right, set_right

QUESTION = "Which port does the mailer use?"
ANSWER = "The mailer listens on port 8080."
RIGHT = "The mailer listens on port 9090"
CORRECTIONS = """
no, the port is 9090
wrong, it is 9090
Actually, it is 9090
actually it's 9090
that's the old port, it's 9090 now
that was the old port: it's 9090
that's outdated, it is 9090
It is 9090, not 8080.
it's 9090, not 8080
9090, not 8080
Port 9090, not 8080.
It's not 8080, it's 9090
it is not 8080 but 9090
It listens on 9090 instead of 8080
The mailer listens on port 9090, not on port 8080.
no, the port is 9090 not 8080
no, the port is 9090, not 8080
no, it's 9090, not 8080
No, it's 9090 (not 8080).
nope, it is 9090
nope, wrong, it is 9090
that's wrong, it is 9090
That is not right. It is 9090.
no, that's wrong, it is 9090
this is incorrect: the port is 9090
no, the mailer uses port 9090
No, the mailer runs on 9090, not on 8080
nein, es ist 9090
nein, der Port ist 9090, nicht 8080
Es ist 9090, nicht 8080.
Es ist nicht 8080, sondern 9090.
das ist falsch, es ist 9090
Das stimmt nicht, es ist 9090
falsch, es ist 9090
non, c'est 9090, pas 8080
no, es 9090, no 8080
não, é 9090, não 8080
no, è 9090, non 8080
nee, het is 9090, niet 8080
nie, to 9090, nie 8080
нет, это 9090, а не 8080
不，是9090，不是8080
""".strip().splitlines()


@pytest.mark.parametrize("said", CORRECTIONS)
@pytest.mark.parametrize("known", [(), ("The mailer listens on port 8080",)])
def test_a_value_is_set_right_in_what_the_answer_or_something_known_says(said: str, known: tuple[str, ...]) -> None:
    right = set_right(QUESTION, ANSWER if not known else "8080.", said, known)
    assert right is not None
    assert right.text == RIGHT
    assert right.evidence in said


@pytest.mark.parametrize("said", CORRECTIONS)
def test_where_nothing_states_it_the_question_tells_what_it_is_of(said: str) -> None:
    right = set_right(QUESTION, "8080.", said, ())
    assert right is not None
    assert right.text.endswith(f" ({QUESTION})")
    assert "9090" in right.text
    assert right.text[0].isalnum()


@pytest.mark.parametrize(
    "asked",
    [
        "which port is staging on again",
        "ok on which port does staging listen",
        "what's the port of staging",
        "how many workers does staging have",
        "und auf welchem Port läuft staging",
        "quel est le port de staging",
        "en qué puerto está staging",
        "en que puerto escucha staging",
        "donde escucha staging",
    ],
)
@pytest.mark.parametrize("said", ["no its 9090", "no, it's 9090", "nope, the port is 9090", "non c'est 9090"])
def test_a_question_without_its_mark_tells_it_too(asked: str, said: str) -> None:
    right = set_right(asked, "8080.", said, ())
    assert right is not None
    assert right.text.endswith(f"9090 ({asked})")


@pytest.mark.parametrize("asked", ["port of staging", "start staging", "when you deploy staging use port 8080", "ok"])
def test_what_asks_nothing_does_not(asked: str) -> None:
    assert set_right(asked, "8080.", "no its 9090", ()) is None


@pytest.mark.parametrize(
    "said", ["no, it is line 40", "no it says 'no-floating-promises' at line 40", "it is line 40, not 3"]
)
def test_where_something_stands_in_a_file_is_so_for_the_moment(said: str) -> None:
    assert corrected("The error is in line 3.", said)
    assert set_right("Which line does the linter complain about?", "The error is in line 3.", said, ()) is None


def test_who_says_what_it_should_be_says_what_is_right() -> None:
    right = set_right("Which port?", "8080.", "no, it should be 9090", ())
    assert right is not None
    assert right.text == "it should be 9090 (Which port?)"


def test_a_value_is_kept_with_since_when_it_is_so() -> None:
    right = set_right("What is the threshold?", "80%", "nope, 85% since last sprint", ())
    assert right is not None
    assert right.text == "85% since last sprint (What is the threshold?)"


@pytest.mark.parametrize("said", ["nee 9090", "no 9090", "nope 9090", "nein 9090.", "nö 9090"])
def test_a_no_needs_no_comma_before_a_value_that_is_all_that_is_said(said: str) -> None:
    right = set_right("Which port?", "Staging listens on port 8080.", said, ())
    assert right is not None
    assert right.text == "Staging listens on port 9090"


@pytest.mark.parametrize(
    "said",
    [
        "no 2 of them",
        "no 404",
        "no, 2 of them",
        "no, 2 crashed",
        "no, and 2 more questions",
        "no, it's 20% slower",
        "no, it's probably 9090",
    ],
)
def test_a_number_of_something_and_what_is_doubted_is_no_value(said: str) -> None:
    assert set_right("Which port?", "8080.", said, ()) is None


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Run curl http://localhost:8080/health.", "nope, 404"),
        ("The API is at http://localhost:8080/api.", "no, it's 502"),
        ("The API listens on port 443.", "no, 502 now"),
        ("The timeout is 30.", "no, 500"),
    ],
)
def test_how_a_server_failed_is_a_failure_and_no_value(answer: str, said: str) -> None:
    assert corrected(answer, said)
    assert set_right("Where is it?", answer, said, ()) is None


def test_a_number_in_place_of_one_like_it_is_a_value_though_servers_fail_with_it() -> None:
    right = set_right("What is the limit?", "The limit is 300.", "no, 500", ())
    assert right is not None
    assert right.text == "The limit is 500"


@pytest.mark.parametrize(
    "said",
    [
        "It is 8080, not 9090.",
        "no, it is not 8080",
        "no, not on 9090",
        "why is it 9090, not 8080?",
        "why is it 9090, not 8080",
        "is it 9090, not 8080?",
        "use 9090, not 8080",
        "change it to 9090 instead of 8080",
        "it should be 9090, not 8080",
        "I want 9090, not 8080",
        "if it is 9090, not 8080, restart it",
        "maybe it is 9090, not 8080",
        "it was 9090, not 8080",
        "It listens on 9090, not 7070.",
        "the exporter is slow, not 8080 times slower",
        "It works, not sure why",
        "that's wrong",
        "that is not right, look again",
        "that's the old port",
        "that's the old one, but it's fine for 2 more weeks",
        "that was the old version, I'm on 2.3 now",
        "actually it's 5 o'clock, let's stop",
        "actually it's fine, 2 of them pass",
        "actually it's 8080",
    ],
)
def test_what_asks_wants_or_supposes_another_value_corrects_nothing(said: str) -> None:
    assert corrected(ANSWER, said) == ""


def test_what_was_only_proposed_is_not_corrected_by_another_choice() -> None:
    assert corrected("Shall I put it on port 8080?", "9090, not 8080") == ""


def test_what_the_correction_leaves_out_comes_from_what_is_corrected_and_nothing_is_lost() -> None:
    asked = "Which default port does the mailer use?"
    right = set_right(asked, "The default port is 8080.", "no, the default port is 9090", ())
    assert right is not None
    assert right.text == f"the default port is 9090 ({asked})"


@pytest.mark.parametrize(
    ("statement", "said", "now"),
    [
        ("The v2 mailer listens on port 8080", "It is 9090, not 8080.", "The v2 mailer listens on port 9090"),
        ("Staging lives at stage-1.acme.io", "wrong, it is stage-2.acme.io", "Staging lives at stage-2.acme.io"),
        ("Staging lives at stage-1.acme.io", "no, it's stage-2.acme.io.", "Staging lives at stage-2.acme.io"),
        ("The beta ends on 2024-05-01", "no, it ends on 2024-06-01", "The beta ends on 2024-06-01"),
        ("The mailer needs v1.2.3", "nope, it needs v1.3.0, not v1.2.3", "The mailer needs v1.3.0"),
        ("The image has 1.5 GB", "that's wrong, it is 2.5 GB", "The image has 2.5 GB"),
    ],
)
def test_a_value_is_taken_in_one_piece(statement: str, said: str, now: str) -> None:
    right = set_right("What is it?", f"{statement}.", said, ())
    assert right is not None
    assert right.text == now


@pytest.mark.parametrize(
    ("answer", "said", "now"),
    [
        ("The owner of billing is Priya.", "It is Tom, not Priya.", "The owner of billing is Tom"),
        ("The owner of billing is Priya.", "it's Tom Baker, not Priya", "The owner of billing is Tom Baker"),
        ("The owner of billing is Priya.", "No, it's Tom instead of Priya", "The owner of billing is Tom"),
        ("Sure. The default branch is master.", "It's main, not master!", "The default branch is main"),
        ("Der Hauptbranch ist master.", "Es ist main, nicht master.", "Der Hauptbranch ist main"),
        ("La branche est master.", "C'est main, pas master", "La branche est main"),
        ("The owner of billing is Priya, of payments too.", "It is Tom, not Priya.", None),
        ("Priya.", "It is Tom, not Priya.", None),
        ("Priya owns it, ask Priya.", "It is Tom, not Priya.", None),
        ("I asked Priya.", "It is Tom, not Priya.", None),
        ("Is the owner Priya?", "It is Tom, not Priya.", None),
        ("The job runs nightly.", "It runs hourly, not nightly", None),
        ("The owner of billing is Priya.", "The owner is Tom, not Priya", None),
    ],
)
def test_a_name_is_set_right_where_it_is_said_of_it_and_what_was_wrong_is_said(
    answer: str, said: str, now: str | None
) -> None:
    (kept,) = captured(said, answer) or told(said, answer)
    right = named_right(kept, "", answer, ())
    assert right.text == (now or kept.text)
    assert right.evidence == kept.evidence


@pytest.mark.parametrize(
    ("asked", "now"),
    [
        ("whats the name of the prod bucket", "it's acme-assets-prod (whats the name of the prod bucket)"),
        ("What is the name of the bucket?", "it's acme-assets-prod (What is the name of the bucket?)"),
        ("upload the assets", "it's acme-assets-prod"),
    ],
)
def test_what_it_is_instead_is_kept_beside_the_question_that_tells_of_what(asked: str, now: str) -> None:
    (kept,) = captured("wrong, it's acme-assets-prod", "acme-prod-assets")
    assert named_right(kept, asked, "acme-prod-assets", ()).text == now


KNOWN = ("production listens on port 8080", "the backup timeout is 30", "The worker uses Python 3.11")


@pytest.mark.parametrize(
    ("asked", "answer", "said", "now"),
    [
        ("Which port does staging listen on?", "8080.", "no, 9090", "9090"),
        ("Which port does staging listen on?", "Port 8080.", "it is 9090, not 8080", "it is 9090, not 8080"),
        ("Which port does staging listen on?", "Port 8080.", "no, the port is 9090", "the port is 9090"),
        ("Which timeout?", "30.", "no, 60", "60"),
        ("What is the timeout?", "The timeout is 30.", "no, it is 60", None),
        ("Which python does the api use?", "Python 3.11.", "no, 3.12", "3.12"),
    ],
)
def test_what_is_known_of_something_else_than_was_asked_about_is_not_set_right(
    asked: str, answer: str, said: str, now: str | None
) -> None:
    right = set_right(asked, answer, said, KNOWN)
    assert right is not None
    assert right.text == (f"{now} ({asked})" if now else "The timeout is 60")


@pytest.mark.parametrize(
    ("asked", "said", "now"),
    [
        ("Which port does production listen on?", "no, 9090", "production listens on port 9090"),
        ("What is the backup timeout?", "it is 9090, not 30", "the backup timeout is 9090"),
        ("Which python does the worker use?", "no, 3.12", "The worker uses Python 3.12"),
    ],
)
def test_what_is_known_of_all_that_was_asked_about_is(asked: str, said: str, now: str) -> None:
    right = set_right(asked, "8080." if "9090" in now and "30" not in said else "30 or 3.11", said, KNOWN)
    assert right is not None
    assert right.text == now


@pytest.mark.parametrize(
    ("asked", "answer", "now"),
    [
        ("Who is the owner of billing?", "The owner is Priya.", "It is Tom, not Priya (Who is the owner of billing?)"),
        ("Who is the owner of billing?", "Priya.", "It is Tom, not Priya (Who is the owner of billing?)"),
        ("Who is the owner of search?", "Priya.", "the owner of search is Tom"),
        ("Who owns search?", "The owner is Priya.", "the owner of search is Tom"),
    ],
)
def test_nor_is_a_name_set_right_in_what_is_known_of_something_else(asked: str, answer: str, now: str) -> None:
    (kept,) = captured("It is Tom, not Priya.", answer) or told("It is Tom, not Priya.", answer)
    assert named_right(kept, asked, answer, ("the owner of search is Priya",)).text == now


@pytest.mark.parametrize("rest", ["--a", "a-", "-a1", "1,", "1.a", " ", "8080. ", "not ", "The port is 8080. "])
@pytest.mark.timeout(20)
def test_a_long_answer_is_read_in_time_that_grows_with_its_length(rest: str) -> None:
    answer = "Port 8080. " + rest * (100_000 // len(rest))
    assert corrected(answer, "no, it is 9090") == "no, it is 9090"
    assert corrected("Port 8080.", f"no, {answer}") == ""
    assert set_right("Which port?", answer, "no, it is 9090", [answer]) is not None


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("I renamed 3 files.", "there are 5 files, not 3"),
        ("I found 3 problems.", "there are 5 problems, not 3"),
        ("Done, I found 3 problems.", "no, it is 5"),
        ("I started the server on port 8000.", "it is 9090, not 8000"),
        ("I started the server; it runs on port 8000.", "it is 9090, not 8000"),
        ("We run it on port 8000.", "it is 9090, not 8000"),
        ("I changed line 42.", "no, it is line 43"),
        ("I've changed line 42.", "it is 43, not 42"),
        ("Renamed 3 files, it uses 3.", "it is 5, not 3"),
        ("The service was moved to eu-west-2.", "it is eu-west-1, not eu-west-2"),
        ("Deployed to eu-west-2.", "it is eu-west-1, not eu-west-2"),
        ("Set the port to 8080.", "it is 9090, not 8080"),
        ("Found 3 files.", "it is 5, not 3"),
        ("Ich habe 3 Dateien umbenannt.", "es sind 5, nicht 3"),
        ("J'ai renommé 3 fichiers.", "c'est 5, pas 3"),
        ("Staging uses 8080 and 8081.", "it is 9090, not 8080"),
        ("The mailer uses stage-1.acme.io and stage-2.acme.io.", "it is stage-3.acme.io, not stage-2.acme.io"),
    ],
)
def test_what_was_done_and_one_value_of_several_is_not_said_in_other_words(answer: str, said: str) -> None:
    assert corrected(answer, said)
    assert set_right("Do it.", answer, said, ()) is None


@pytest.mark.parametrize(
    ("answer", "now"),
    [
        ("Sure. The port of staging is 8080.", "The port of staging is 9090"),
        ("A porta do staging é 8080.", "A porta do staging é 9090"),
        ("Le port du staging est 8080.", "Le port du staging est 9090"),
        ("Since v2 staging listens on 8080.", "Since v2 staging listens on 9090"),
        ("ステージングのポートは8080です", "ステージングのポートは9090です"),
    ],
)
def test_the_value_of_a_thing_is(answer: str, now: str) -> None:
    right = set_right("Tell me.", answer, "no, it is 9090" if "v2" not in answer else "it is 9090, not 8080", ())
    assert right is not None
    assert right.text == now
