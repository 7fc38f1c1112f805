"""What is captured of a user's message: rules, tastes, choices, values; and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aftermind.engine.names import EventId
from aftermind.sidecar.captures.messages import MOST, captured, told
from aftermind.sidecar.captures.worded import LONGEST
from aftermind.sidecar.captures.words import LANGUAGES as CAPTURED_IN
from aftermind.sidecar.cues.judge import judge
from aftermind.sidecar.cues.words import LANGUAGES as JUDGED_IN
from aftermind.sidecar.ports import Case, Ticket
from aftermind.sidecar.utterances.phrases import table
from tests.sidecar.measured import captured as measured

KEPT = """
configuration | The billing service runs on port 7001. | The billing service runs on port 7001
configuration | FYI our API port is 5000 | our API port is 5000
directive | So from now on use tabs | from now on use tabs
directive | Don't squash commits any more, we want the full history. | Don't squash commits any more
directive | stop using emojis | stop using emojis
fact | My name is Tobias, by the way. | My name is Tobias
directive | never commit .env files | never commit .env files
directive | looks fine, ship it. oh and don't ever put real tokens in examples | put real tokens in examples
directive | from now on run the linter before you tell me something is done | run the linter before
directive | no force pushes in this repo | no force pushes in this repo
directive | whenever you add a dependency, tell me why | whenever you add a dependency, tell me why
directive | every migration needs a down step | every migration needs a down step
preference | i prefer terse commit messages, one line is enough | i prefer terse commit messages
preference | I'd rather get a diff than the whole file | I'd rather get a diff
decision | we decided to use Postgres, not MySQL | we decided to use Postgres, not MySQL
decision | we're going with Kafka instead of RabbitMQ. Please draft the consumer. | we're going with Kafka
configuration | our staging url is https://stage.example.com | https://stage.example.com
configuration | fyi staging runs on port 8081 | staging runs on port 8081
configuration | no, the orders endpoint moved to /v2/orders | the orders endpoint moved to /v2/orders
configuration | the registry host is registry.example.com:5000, push the image there | registry.example.com:5000
directive | Bitte niemals direkt auf main pushen, immer über einen PR | niemals direkt auf main pushen
directive | Super, jetzt läuft es. Bitte verwende immer Tabs. | Bitte verwende immer Tabs
directive | Schreibe Commit-Nachrichten immer auf Deutsch | Schreibe Commit-Nachrichten immer auf Deutsch
configuration | Nein, das Backend läuft auf Port 9090, nicht 8080 | das Backend läuft auf Port 9090
preference | Je préfère les réponses en français | Je préfère les réponses en français
decision | al final elegimos Terraform en lugar de Ansible | elegimos Terraform
preference | prefiro explicações curtas, sem listas | prefiro explicações curtas
decision | Alla fine abbiamo scelto Vue al posto di Angular | abbiamo scelto Vue
directive | nigdy nie używaj any w TypeScripcie | nigdy nie używaj any
directive | всегда запускай тесты перед коммитом | всегда запускай тесты перед коммитом
directive | 本番のデータベースには絶対に直接接続しないでください | 絶対に直接接続しないでください
preference | 我喜欢用空格缩进，不要用 tab | 我喜欢用空格缩进
fact | please remember that Anna reviews the payments code | Anna reviews the payments code
fact | always remember that the api port is 8080 | the api port is 8080
fact | please never forget that Anna reviews the payments code | Anna reviews the payments code
directive | always remember to run make check before a commit | always remember to run
fact | now remember that staging needs the VPN. and fix the test | staging needs the VPN
fact | remember this: the customer id is not unique | the customer id is not unique
fact | don't forget that invoices are immutable | invoices are immutable
directive | please also remember that you must not push to main | you must not push to main
fact | Merk dir, dass die Tests Docker brauchen | die Tests Docker brauchen
fact | bitte merken: die Tests brauchen Docker | die Tests brauchen Docker
fact | retiens que les tests ont besoin de Docker | les tests ont besoin de Docker
fact | recuerda que los tests necesitan Docker | los tests necesitan Docker
fact | запомни, что тесты требуют docker | тесты требуют docker
configuration | 아니요, 스테이징 주소는 stg.example.com입니다 | stg.example.com
"""
LEFT = """
the new service runs on port 4000
the login page is at /login
call me later
Don't show the banner anymore
Stop using the old API here
remember that bug with the login, it is back
do you remember that the timeout was 30 seconds?
I remember that the timeout is 30 seconds
users always remember that the shop is closed on Sunday
wir merken, dass die Tests Docker brauchen
hopefully the api port is 5050
for the sake of argument the api port is 5050
remember that function we wrote? it's broken
keep in mind that I tested this on Safari only
remember that you broke the build last time
don't forget that the test is still red
Bitte prüfe, warum der Build immer rot ist
bitte schreib einen Test, der immer fehlschlägt
Mach das wie immer
should I always use const?
why do you prefer tabs?
use port 3000 for this run
don't commit yet
never mind
I never understood git rebase
at my old job we always used svn
my colleague says you should never use inheritance. is he right?
write a test that checks that the total is never negative
make the header always visible when scrolling
The docs say: "Hooks must always be called in the same order." What does that mean?
let's say the server runs on port 5000. how would I reach it from the container?
I think the port may be 8080 but not sure, can you check the compose file?
2024-02-03 11:20:01 INFO server listening on port 8081
> The port is 9000 and must never change
you don't have to always add tests
the server is at 100% CPU
the login service is on port 9000 but nothing answers
the branch is called feature/x, check it out
the endpoint is called /foo but should be /bar
every row needs an id, generate one
all buttons must be blue
we always return null here, that's the bug
we switched to the new branch and now it fails
always return a copy from this method
from now on it gets complicated
it's the second button, not the first
warum bevorzugst du hier map statt einer Schleife?
por ahora no hagas commit
always use strict, isn't that the js thing?
from now on the list loads in 2 seconds
going forward we'll see
before you commit, run the tests
I prefer the shorter one you had before
i prefer dark mode for the docs page, add a toggle
we decided to wait
we went with the flow
we chose the wrong index, drop it
when we moved to gitlab everything broke
our API listens on port 9090, wrong! it is 8080
our API listens on port 9090... scratch that
if we moved to gitlab we would lose the runners
all variables must be renamed to camelCase
secrets must not be in the diff, check the last commit
Never use the word 'very' in the blog post you write
do we squash or merge
we don't support IE so why is the polyfill there
the handler lives in api/users.ts, add a check for admins
ich mag die zweite Version lieber
ab jetzt geht nichts mehr
usamos node 16 y no compila
on a décidé d'attendre
我更喜欢第二个方案
поле всегда должно быть заполнено
на этот раз запусти только один тест
今回だけテストは飛ばしてください
这次用 3000 端口跑一下
"""


@pytest.mark.parametrize("line", KEPT.strip().splitlines())
def test_what_is_kept(line: str) -> None:
    kind, message, words = (part.strip() for part in line.split(" | "))
    (learned,) = captured(message)
    assert (learned.kind, learned.everywhere) == (kind, False)
    assert words in learned.text
    assert learned.evidence in message


@pytest.mark.parametrize("message", LEFT.strip().splitlines())
def test_what_is_left(message: str) -> None:
    assert captured(message) == ()


def test_how_it_is_asked_for_is_no_part_of_what_is_remembered() -> None:
    for message in (
        "please remember that the invoices are immutable",
        "never ever forget that the invoices are immutable",
        "always keep in mind that the invoices are immutable",
        "and keep in mind that the invoices are immutable",
        "remember: the invoices are immutable",
    ):
        (learned,) = captured(message)
        assert learned.text == "the invoices are immutable"


TOLD = """
the port is 5050 now
hm. the owner of billing is Tom now. rename the file
the deadline has been moved to Friday
Tom is the owner of billing now
dark mode is enabled
"""
ASKED = """
is the port 5050?
make sure the port is 5050
I think the port is 5050
let's say the port is 5050
assume the port is 5050
the docs say the port is 5050
Jane says the port is 5050
write a test where the port is 5050
if the port is 5050 then restart it
for now the port is 5050
the port was 5050
the log says: the port is 5050
Error: the port is 5050
> the port is 5050
the port is 5050, right?
the port is 5050 and that is too low, it crashes
"""


@pytest.mark.parametrize("message", TOLD.strip().splitlines())
def test_what_is_told_is_of_what_is_so(message: str) -> None:
    (said,) = told(message)
    assert said.text in message
    assert captured(message) == ()


@pytest.mark.parametrize("message", ASKED.strip().splitlines())
def test_what_is_asked_supposed_or_said_by_others_is_not_told(message: str) -> None:
    assert not [one for one in told(message) if "5050" in one.text]


def test_a_sentence_is_kept_whole_up_to_what_is_wanted() -> None:
    (moved,) = captured("we settled on Kafka for events, rabbit was an experiment, so remove it. what else uses it?")
    assert moved.text == "we settled on Kafka for events, rabbit was an experiment"
    (ordered,) = captured("use uv instead of pip from now on")
    assert (ordered.kind, ordered.text) == ("directive", "use uv instead of pip from now on")


def test_what_is_pasted_is_nobodys_rule() -> None:
    code = "```\n# never commit .env files\nport = 8081\n```\nwhy is it red?"
    guide = (
        "this is their guide:\n\n- Always open an issue first\n- Never bump the version\n\nis my patch small enough?"
    )
    assert captured(code) == captured(guide) == ()


def test_only_who_says_so_wants_it_everywhere() -> None:
    (here,) = captured("I prefer short answers")
    (everywhere,) = captured("I prefer short answers in all my projects")
    assert (here.everywhere, everywhere.everywhere) == (False, True)


def test_what_was_wrong_is_named_where_it_was_said_before() -> None:
    (learned,) = captured("no, the backend listens on port 9090, not 8080", "The backend listens on port 8080.")
    assert learned.wrong == "8080"
    (learned,) = captured("no, the backend listens on port 9090, not 8080", "I changed the proxy.")
    assert learned.wrong == ""


def test_a_correction_is_known_by_what_it_corrects() -> None:
    (learned,) = captured("It runs hourly, not nightly", "I assumed the job runs nightly.")
    assert (learned.kind, learned.wrong) == ("fact", "nightly")
    assert captured("It runs hourly, not nightly", "I changed the header.") == ()


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("Thanks! And always use tabs in this repo.", "always use tabs in this repo"),
        ("ok, but never use sudo here", "never use sudo here"),
        ("Und immer Tabs benutzen.", "immer Tabs benutzen"),
        ("Но никогда не используй sudo.", "никогда не используй sudo"),
    ],
)
def test_what_joined_a_rule_to_what_was_said_before_is_no_part_of_it(message: str, rule: str) -> None:
    assert [one.text for one in captured(message, "")] == [rule]


def test_of_a_huge_paste_the_ends_are_read() -> None:
    paste = "\n".join(f"2024-02-03 11:20:{n % 60:02} INFO request {n}" for n in range(3_000))
    (learned,) = captured(f"look at this\n{paste}\nand remember: never restart the worker by hand")
    assert "never restart the worker" in learned.text


HOSTILE = ["a", " ", "never ", "not no ", '"', "`", "(", "a.", "a_", "'", "{", "no, ", "-- ", "x: y\n", "不", "/a"]


@pytest.mark.parametrize("piece", [*HOSTILE, "\n", " \n", "note: ", "- a\n", "password is ", "<command-name>"])
def test_hostile_texts_are_read_in_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert len(captured(text)) <= MOST
    case = Case(ticket=Ticket("t"), exchange=EventId("e"), prompt=text, answer=text, follow_up=text)
    assert judge(case) == judge(case)


@given(st.text(max_size=400), st.text(max_size=100))
def test_any_text_is_read_the_same_twice(message: str, before: str) -> None:
    found = captured(message, before)
    assert found == captured(message, before)
    assert len(found) <= MOST
    assert all(one.text and len(one.text) <= LONGEST and one.evidence in message for one in found)


@pytest.mark.parametrize("language", [*JUDGED_IN])
def test_each_languages_phrases_can_be_read(language: str) -> None:
    table([JUDGED_IN[language]])
    table([CAPTURED_IN.get(language, {})])


@pytest.mark.parametrize(("half", "alarmed"), [("first", 0.01), ("practice", 0.01), ("practice2", 0.02)])
def test_it_captures_little_that_is_wrong(half: str, alarmed: float) -> None:
    totals = measured(half, captured)
    assert totals.precision >= 0.9
    assert totals.recall >= 0.5
    assert totals.alarmed <= alarmed


@pytest.mark.parametrize("half", ["third", "fourth"])
def test_what_it_captures_of_messages_nobody_wrote_rules_by_is_right(half: str) -> None:
    """Totals alone, as of every set that is not read."""
    totals = measured(half, captured)
    assert totals.precision >= 0.9
    assert totals.alarmed <= 0.02


QUALIFIED = """
If TLS is on, our API port is 5000.
Our API port is 5000, assuming TLS is on.
Our API port is 5000, I guess.
Der Port von Staging ist 9090, falls TLS an ist.
Le port de staging est 9090, je crois.
El puerto de staging es 9090, si TLS está activo.
TLSの場合、ステージングのポートは9090です。
Our API port is 5000 instead of 4000, why?
Our API port is 5000 instead of 4000. Why?
Our API port is 5000 instead of 4000, please fix.
Our API port should be 5000, what do you think?
Our API port is 5000 now. Any objections?
Our API port is 5000 now. Agree?
FYI our API port is 5000, ask Tom whether that is right.
Our API port is 5000 since last week, check with Tom.
Our API port is 5000, please confirm.
Staging listens on port 9090 although it should be 8081.
Der Port von Staging ist 9090 statt 8081, warum?
Our database is OK.
Our database is GONE!!!
Our staging server is DOWN again.
Our cache is STALE.
"""


@pytest.mark.parametrize("message", QUALIFIED.strip().splitlines())
def test_a_value_is_kept_with_its_condition_and_never_as_what_was_wondered_at_or_is_so_for_the_moment(
    message: str,
) -> None:
    assert captured(message) == ()
    assert all("場合" in one.text for one in told(message))


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("FYI our API port is 5000, can you update the docs?", "our API port is 5000"),
        ("FYI our API port is 5000, check compose.yml for the others", "our API port is 5000"),
        ("FYI our API port is 5000. What do you think about the logs?", "our API port is 5000"),
        ("Our CI is GitHub Actions now.", "Our CI is GitHub Actions now"),
        ("The staging url is https://stg.acme-shop.io , check if /health answers", "https://stg.acme-shop.io"),
        (
            "If you touch migrations, always run make check first.",
            "If you touch migrations, always run make check first",
        ),
    ],
)
def test_what_is_asked_beside_a_value_leaves_it_and_a_rule_keeps_its_condition(message: str, kept: str) -> None:
    (one,) = captured(message)
    assert kept in one.text


REMEMBERED = """
preference | Please remember that I prefer tabs over spaces. | I prefer tabs over spaces
fact | Remember that I'm on Windows. | I'm on Windows
fact | Could you please remember that the demo is on Thursday? | the demo is on Thursday
fact | I want you to remember that the demo is on Thursday. | the demo is on Thursday
fact | Don't forget: the demo is on Thursday. | the demo is on Thursday
configuration | Don't forget the API port is 8080. | the API port is 8080
fact | Save this to memory: the demo is on Thursday. | the demo is on Thursday
fact | Note to self: the demo is on Thursday | the demo is on Thursday
fact | For future reference, the demo is on Thursday | the demo is on Thursday
directive | Remember for next time: use --force-local with tar. | use --force-local with tar
fact | Vergiss nicht, dass die Demo am Donnerstag ist | die Demo am Donnerstag ist
preference | Bitte merk dir, dass ich kurze Antworten mag. | ich kurze Antworten mag
fact | Souviens-toi que la démo est jeudi | la démo est jeudi
fact | 覚えておいて:デモは木曜日です | デモは木曜日です
"""


@pytest.mark.parametrize("line", REMEMBERED.strip().splitlines())
def test_what_is_ordered_to_be_remembered_is_kept_without_the_order(line: str) -> None:
    kind, message, text = line.split(" | ")
    assert [(one.kind, one.text) for one in captured(message)] == [(kind, text)]


@pytest.mark.parametrize(
    "message",
    [
        "Can you remember that the port was 8080?",
        "Do you remember that the port is 8080?",
        "remember that bug from yesterday",
        "remember that you broke it",
        "don't forget the semicolon on line 12",
        "remember that for this session the port is 5000",
        "```\nNote to self: the demo is on Thursday\n```",
        "remember that the password is hunter2-blue",
    ],
)
def test_what_only_looks_like_an_order_to_remember_keeps_nothing(message: str) -> None:
    assert captured(message) == ()
