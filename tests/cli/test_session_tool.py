"""The tool `session` without an id: a window writes into its own session, ends that one, and none of another client."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from msgspec import structs
from tests.daemons import none_left
from tests.given import NOON
from tests.windows import Lines, lines

from aftermind.cli.language.sessions import Listed
from aftermind.cli.offering.own_session import OwnSession, chosen
from aftermind.cli.offering.window import opened_at
from aftermind.engine.names import EventId, Scope, SessionId

OWN = "window-0190"
REQUESTS = count(1)


def listed(
    id: str,
    *,
    active: bool = True,
    ended: bool = False,
    exchanges: int = 0,
    checkpoints: int = 0,
    answering: bool = False,
) -> Listed:
    return Listed(
        id=SessionId(id),
        scope=Scope("p1"),
        project="work",
        client="opencode",
        directory="/work",
        started=NOON,
        last=NOON,
        exchanges=exchanges,
        checkpoints=checkpoints,
        active=active and not ended,
        answering=answering,
        ended=NOON + timedelta(hours=1) if ended else None,
    )


HOOKED = listed("ses-1", exchanges=1)
ASKED = listed("ses-3", answering=True)


@pytest.mark.parametrize(
    ("found", "wrote", "id", "at_work"),
    [
        ([], "", OWN, False),
        ([HOOKED], "", "ses-1", True),
        ([listed("ses-1")], "", "ses-1", True),
        ([listed("ses-1", active=False)], "", OWN, False),
        ([listed("ses-1", ended=True)], "", OWN, False),
        ([HOOKED, listed("ses-2")], "", OWN, False),
        ([HOOKED, listed("ses-2", active=False)], "", "ses-1", True),
        ([HOOKED, listed("ses-2")], "ses-2", "ses-2", True),
        ([HOOKED, listed("ses-2", ended=True)], "ses-2", "ses-1", True),
        ([HOOKED, listed(OWN)], "", "ses-1", True),
        ([HOOKED, listed(OWN, checkpoints=1)], "", OWN, True),
        ([HOOKED, listed(OWN, exchanges=1)], "", OWN, True),
        ([HOOKED, listed(OWN, checkpoints=1)], "ses-1", "ses-1", True),
        ([listed(OWN, active=False)], "", OWN, True),
        ([listed(OWN, ended=True)], OWN, f"{OWN}-2", False),
        ([listed(OWN, ended=True), listed(f"{OWN}-2", checkpoints=1)], "", f"{OWN}-2", True),
        ([listed(OWN, ended=True), listed(f"{OWN}-2", ended=True)], "", f"{OWN}-3", False),
        ([listed("window-0191", checkpoints=1)], "", OWN, False),
        ([listed("window-0191", checkpoints=1)], None, "window-0191", True),
        ([listed("window-0191")], None, OWN, False),
        ([HOOKED, listed("window-0191", checkpoints=1)], None, OWN, False),
        ([HOOKED, listed("window-0191", checkpoints=1)], "", OWN, False),
        ([HOOKED, listed("window-0191")], "", "ses-1", True),
        ([listed(f"{OWN}1", checkpoints=1)], "", OWN, False),
        ([HOOKED, ASKED], "", "ses-3", True),
        ([HOOKED, ASKED], "ses-1", "ses-3", True),
        ([HOOKED, ASKED, listed(OWN, checkpoints=1)], OWN, "ses-3", True),
        ([HOOKED, ASKED], None, "ses-3", True),
        ([ASKED, listed("ses-4", answering=True)], "", OWN, False),
        ([ASKED, listed("ses-4", answering=True)], "ses-4", "ses-4", True),
        ([HOOKED, listed("ses-3", answering=True, active=False)], "", "ses-1", True),
    ],
)
def test_of_the_sessions_of_its_client_a_window_means_its_own(found, wrote, id, at_work):
    assert chosen(found, OWN, wrote) == OwnSession(id=id, at_work=at_work)


@pytest.mark.parametrize(
    ("before", "id"),
    [(timedelta(minutes=2), "ses-1"), (timedelta(seconds=30), OWN), (-timedelta(minutes=2), OWN)],
)
def test_what_was_last_heard_of_before_the_window_opened_is_not_its_own(before, id):
    """As the session of a client that was left and started again."""
    left = structs.replace(listed("ses-0"), last=NOON - before)
    assert chosen([HOOKED, left], OWN, "", NOON).id == id
    assert chosen([left], OWN, "ses-0", NOON).id == "ses-0", "whatever is heard of where it wrote"


def test_a_key_that_says_no_time_is_of_no_time():
    assert opened_at(EventId(f"{round(NOON.timestamp() * 1000):012x}" + "a1" * 10)) == NOON
    for key in ("", "window", "f" * 32):
        assert opened_at(EventId(key)) is None, key


@pytest.fixture
def store(place: Path) -> Iterator[Path]:
    with none_left(place / "store"):
        yield place / "store"


@contextmanager
def opened(store: Path, client: str, **env: str) -> Iterator[Lines]:
    with lines(store, "--tools", "project", "--client", client, work=store.parent / "work", env=env) as pipe:
        pipe.initialize()
        yield pipe


def done(pipe: Lines, action: str, **more: object) -> dict[str, object]:
    said = pipe.call(next(REQUESTS), "session", action=action, **more)
    assert not said.get("isError"), said
    return dict(said["structuredContent"])


def wrong(pipe: Lines, action: str, **more: object) -> str:
    said = pipe.call(next(REQUESTS), "session", action=action, **more)
    assert said["isError"], said
    return str(said["content"][0]["text"])


def recorded(cli, client: str, session: str) -> None:
    cli("record", "--session", session, "--client", client, stdin=f"what {session} asks\n---\nx".encode())


def sessions(cli) -> dict[str, tuple[str, str, bool]]:
    """Of each its client, its goal, and whether it ended."""
    told = cli("session", "list", "--json").json
    return {one["id"]: (one["client"], one["goal"], one["ended"] is not None) for one in told}


def test_no_window_writes_into_or_ends_a_session_of_another_client(cli, store):
    recorded(cli, "claude-code", "cc-x")
    cli("checkpoint", "--session", "cc-x", "--goal", "The other's goal", "--pending", "their work")
    with opened(store, "opencode") as pipe:
        assert "has no session; those of its client at work here are: 'none'" in wrong(pipe, "end")
        own = done(pipe, "checkpoint", goal="OpenCode goal", pending=["tests"])["session"]
        assert str(own).startswith("window-")
        again = done(pipe, "checkpoint", pending=["more"])
        assert again == {"session": own, "goal": "OpenCode goal", "pending": ["more"]}
        assert done(pipe, "end", summary="opencode is done") == {"session": own}
    assert sessions(cli) == {
        "cc-x": ("claude-code", "The other's goal", False),
        own: ("opencode", "OpenCode goal", True),
    }
    assert "their work" in cli("session", "show", "cc-x").out


def test_the_session_of_a_client_in_whose_shell_another_was_started_is_not_its_own(cli, store):
    recorded(cli, "claude-code", "cc-x")
    with opened(store, "opencode", CLAUDE_CODE_SESSION_ID="cc-x") as pipe:
        own = done(pipe, "checkpoint", goal="OpenCode goal")["session"]
        assert done(pipe, "end") == {"session": own}
    with opened(store, "claude-code", CLAUDE_CODE_SESSION_ID="cc-x") as pipe:
        assert done(pipe, "checkpoint", goal="Its own goal")["session"] == "cc-x"
    assert sessions(cli) == {
        "cc-x": ("claude-code", "Its own goal", False),
        own: ("opencode", "OpenCode goal", True),
    }


def test_alone_in_its_client_a_window_is_in_the_session_that_hooks_record(cli, store):
    recorded(cli, "claude-code", "cc-x")
    recorded(cli, "opencode", "ses-1")
    with opened(store, "opencode") as pipe:
        assert done(pipe, "checkpoint", goal="Rate limits")["session"] == "ses-1"
        recorded(cli, "opencode", "ses-2")
        assert done(pipe, "checkpoint", done=["Bucket"])["session"] == "ses-1"
        assert done(pipe, "end") == {"session": "ses-1"}
        assert done(pipe, "checkpoint", goal="Metrics")["session"] == "ses-2"


def test_one_of_several_of_its_client_has_a_session_of_its_own(cli, store):
    for session in ("ses-1", "ses-2"):
        recorded(cli, "opencode", session)
    with opened(store, "opencode") as pipe, opened(store, "opencode") as another:
        assert "those of its client at work here are: 'ses-2, ses-1'" in wrong(pipe, "end")
        own = done(pipe, "checkpoint", goal="Mine")["session"]
        assert own != (other := done(another, "checkpoint", goal="Another's")["session"])
        assert done(pipe, "end") == {"session": own}
        assert (sessions(cli)[str(own)][2], sessions(cli)[str(other)][2]) == (True, False)
        assert {sessions(cli)[id][2] for id in ("ses-1", "ses-2")} == {False}


def test_after_its_end_another_one_begins(cli, store):
    recorded(cli, "opencode", "ses-1")
    cli("session", "end", "ses-1")
    with opened(store, "opencode") as pipe:
        first = done(pipe, "checkpoint", goal="First", pending=["left"])["session"]
        assert first != "ses-1"
        assert done(pipe, "end") == {"session": first}
        second = done(pipe, "checkpoint", goal="Second")
        assert second["session"] not in (first, "ses-1")
        assert "pending" not in second
        assert done(pipe, "end") == {"session": second["session"]}
        assert "has no session; those of its client at work here are: 'none'" in wrong(pipe, "end")


def test_whoever_resumes_is_told_what_another_session_left_and_not_its_own(cli, store):
    recorded(cli, "claude-code", "cc-x")
    cli("checkpoint", "--session", "cc-x", "--goal", "The other's goal", "--pending", "theirs")
    with opened(store, "opencode") as pipe:
        own = done(pipe, "checkpoint", goal="OpenCode goal")["session"]
        told = done(pipe, "resume")
        assert (told["session"], "The other's goal" in str(told["briefing"])) == ("cc-x", True)
        assert sessions(cli)[str(own)][2] is False
    assert sessions(cli)["cc-x"] == ("claude-code", "The other's goal", False)


def test_a_window_knows_its_session_after_its_daemon_is_another(cli, store):
    with opened(store, "opencode") as pipe:
        own = done(pipe, "checkpoint", goal="Rate limits")["session"]
        assert cli("restart").status == 0
        assert done(pipe, "checkpoint", done=["Bucket"])["session"] == own
        assert done(pipe, "end") == {"session": own}


def test_the_session_that_is_being_answered_is_the_windows_own(cli, store):
    """As in OpenCode, whose one process is the window of all its sessions."""
    recorded(cli, "opencode", "ses-1")
    with opened(store, "opencode") as pipe:
        assert done(pipe, "checkpoint", goal="Rate limits")["session"] == "ses-1"
        recorded(cli, "opencode", "ses-2")
        cli("context", "Which metrics has the limiter?", "--session", "ses-2")
        assert done(pipe, "checkpoint", goal="Metrics")["session"] == "ses-2"
        recorded(cli, "opencode", "ses-2")
        assert done(pipe, "checkpoint", done=["A counter"])["session"] == "ses-2"
    told = cli("session", "list", "--json").json
    assert {one["id"]: (one["goal"], one["answering"]) for one in told} == {
        "ses-1": ("Rate limits", False),
        "ses-2": ("Metrics", False),
    }
