"""OpenCode's plugin in a bare Node: whatever happens to the daemon, the turn goes on and nothing is lost."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.daemons import daemon, none_left, wait_until
from tests.hooked import kept
from tests.plugged import NODE, assistant, is_fit, plugged, told, user

from aftermind.cli.doors import PLUGIN, copied, copies
from aftermind.cli.language.requests import Deliver
from aftermind.cli.language.wire import Welcome, call_of, framed
from aftermind.engine.events import CheckpointWritten, ContextInjected, PromptReceived, ToolUsed
from aftermind.engine.masking.private import without_private
from aftermind.engine.store.folder import fit_folder

pytestmark = pytest.mark.skipif(not is_fit(NODE), reason="not installed: Node 20.19 or newer")


@pytest.fixture(params=["store", "a störe of <mine>"])
def named(request: pytest.FixtureRequest, place: Path) -> Iterator[Path]:
    """A store without a daemon, wherever a user has it."""
    folder = fit_folder(place / request.param, make=True)
    copied(folder)
    with none_left(folder):
        yield folder


@pytest.fixture
def alone(place: Path) -> Path:
    """A store whose plugin starts no daemon: the package is gone."""
    folder = fit_folder(place / "store", make=True)
    copied(folder)
    for name in PLUGIN:
        file = folder / "bin" / name
        file.write_text(file.read_text().replace("const PYTHON = ", 'const PYTHON = "" && '))
    return folder


def test_every_copy_knows_the_interpreter_and_nothing_else_of_this_machine(place):
    import sys

    found = copies(place)
    assert [name for name in PLUGIN if sys.executable.encode() in found[name]] == ["opencode_daemon.js"]
    assert not any(str(place).encode() in found[name] for name in PLUGIN)


def test_a_prompt_is_briefed_and_an_exchange_recorded_by_a_daemon_the_plugin_starts(named, place):
    with plugged(named, place) as plugin:
        first = plugin.turn("Which port has staging?", "Staging listens on port 8081")
        assert len(first["parts"]) == 1
        again = plugin.turn("Which port has staging again?", "8081", "ses_2", "msg_2")
    assert again["parts"][0]["synthetic"] is True
    assert "port 8081" in again["parts"][0]["text"]
    assert again["parts"][1]["text"] == "Which port has staging again?"
    assert [one.prompt for one in told(named)] == ["Which port has staging?", "Which port has staging again?"]
    assert len(told(named, ContextInjected)) == 1


def test_without_a_daemon_what_is_said_waits_in_the_spool_as_the_hook_leaves_it(alone, place):
    with plugged(alone, place, 50) as plugin:
        plugin.turn("My key is <private>hunter2</private>, why?", "It is <private>hunter2")
    asked, file = sorted((alone / "spool").iterdir())
    assert call_of(asked.read_bytes()).request.event == "prompt"  # its turn might never have ended
    assert file.stat().st_mode & 0o777 == 0o600
    call = call_of(file.read_bytes())
    assert file.name == f"{call.key}.json"
    assert isinstance(call.request, Deliver)
    assert (call.request.client, call.request.event, call.request.directory) == ("opencode", "turn", str(place))
    assert b"hunter2" not in call.request.payload
    assert [one.text for one in told(alone, PromptReceived)] == ["My key is [private], why?"]
    (one,) = told(alone)
    assert (one.prompt, one.answer) == ("My key is [private], why?", "It is [private]")


# --- daemons that are none ------------------------------------------------------------------------------------


@contextmanager
def pretending(store: Path, how: Callable[[socket.socket], None]) -> Iterator[None]:
    """Somebody on the store's socket, who treats everybody like that."""
    (store / "run").mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(store / "run" / "socket"))
        listener.listen(64)
        held: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                held.append(connection)
                try:
                    how(connection)
                except OSError:  # the plugin hung up
                    continue

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()
    for connection in held:
        connection.close()


WELCOME = framed(Welcome(aftermind="99.0.0", wire=1, pid=1, holder="daemon"))


def after_the_welcome(said: bytes) -> Callable[[socket.socket], None]:
    def how(connection: socket.socket) -> None:
        connection.sendall(WELCOME)
        if connection.recv(1 << 16):
            connection.sendall(said)
            connection.close()

    return how


def frame(text: bytes) -> bytes:
    return len(text).to_bytes(4, "big") + text


BAD: dict[str, Callable[[socket.socket], None]] = {
    "it hangs": lambda _: None,
    "it hangs up": lambda connection: connection.close(),
    "it says what is no frame": lambda connection: connection.sendall(b"\xff\xff\xff\xffgarbage"),
    "it says what is no JSON": lambda connection: connection.sendall(frame(b"hello?") * 2),
    "it dies in the middle of its reply": after_the_welcome(frame(b'{"reply":"answered"}')[:-5]),
    "it is another version": after_the_welcome(
        frame(b'{"reply":"failed","error":"Newer","what":"","hint":"","values":{}}')
    ),
    "it says nothing of use": after_the_welcome(frame(b"null")),
    "its answer is none": after_the_welcome(frame(b'{"reply":"answered","answer":[1]}')),
}


@pytest.mark.parametrize("how", [name for name in BAD if name != "its answer is none"])
def test_whatever_answers_in_its_place_the_turn_goes_on_and_nothing_is_lost(alone, place, how):
    with pretending(alone, BAD[how]), plugged(alone, place, 300) as plugin:
        assert len(plugin.turn("Which port has staging?", "8081")["parts"]) == 1
        plugin.turn("And production?", "8082", id="msg_2")
    (alone / "run" / "socket").unlink()
    assert [one.prompt for one in told(alone)] == ["Which port has staging?", "And production?"]


def test_an_answer_that_is_none_is_not_shown(alone, place):
    with pretending(alone, BAD["its answer is none"]), plugged(alone, place, 300) as plugin:
        assert len(plugin.prompt("Which port has staging?")["parts"]) == 1


def test_what_opencode_is_busy_with_itself_is_not_waiting(named, place):
    with plugged(named, place) as plugin:
        plugin.turn("Which port has staging?", "Staging listens on port 8081")
    with plugged(named, place, 1000) as plugin:
        again = plugin.prompt("Which port has staging again?", "ses_2", "msg_2", busy=2500)
    assert "port 8081" in again["parts"][0]["text"]


def test_a_daemon_that_hangs_is_waited_for_once(alone, place):
    file = alone / "bin" / "opencode_daemon.js"
    # so that the second prompt comes before it would be asked again, however slow this machine is
    file.write_text(file.read_text().replace("const QUIET = 1000 ", "const QUIET = 600_000 "))
    asked: list[bytes] = []

    def how(connection: socket.socket) -> None:
        connection.sendall(WELCOME)
        if said := connection.recv(1 << 16):
            asked.append(said)

    with pretending(alone, how), plugged(alone, place, 300) as plugin:
        plugin.prompt("Which port has staging?")
        plugin.prompt("And production?", id="msg_2")
    assert len(asked) == 1
    (alone / "run" / "socket").unlink()
    assert [one.text for one in told(alone, PromptReceived)] == ["Which port has staging?", "And production?"]


def test_a_daemon_that_is_back_is_asked_again(named, place):
    with plugged(named, place) as plugin:
        plugin.turn("Which port has staging?", "Staging listens on port 8081")
        with daemon(named) as process:
            process.kill()
        wait_until(lambda: len(told(named)) == 1, "it is there")
        shown = plugin.prompt("Which port has staging again?", "ses_2", "msg_2")
    assert "8081" in shown["parts"][0]["text"]


def test_tools_and_compactions_are_told_of_as_they_happen_and_what_is_known_survives(named, place):
    with plugged(named, place) as plugin:
        plugin.turn("Which port has staging?", "Staging listens on port 8081")
        plugin.prompt("fix it", id="msg_2")
        call = {"sessionID": "ses_1", "tool": "edit", "callID": "c", "args": {"filePath": "a.py"}}
        plugin.tell(hook="tool.execute.after", input=call, output={"title": "", "output": "", "metadata": {}})
        compacting = plugin.tell(
            hook="experimental.session.compacting", input={"sessionID": "ses_1"}, output={"context": []}
        )
        asked = [{"info": {"id": "msg_1", "sessionID": "ses_1"}, "parts": []}]
        told_again = plugin.tell(hook="experimental.chat.messages.transform", input={}, output={"messages": asked})
        summary = [
            user("msg_3", {"type": "compaction", "auto": True}),
            assistant("msg_4", "msg_3", "all", summary=True),
        ]
        plugin.tell(messages={"ses_1": summary})
        plugin.happens("session.compacted", sessionID="ses_1")
        plugin.tell(hook="dispose")
    assert "port 8081" in compacting["output"]["context"][0]
    assert told_again["output"]["messages"][0]["parts"] == []
    assert [(one.tool.name, one.tool.paths) for one in told(named, ToolUsed)] == [("edit", ("a.py",))]
    before, after = told(named, CheckpointWritten)
    assert (before.moment, before.by, before.files) == ("before", "daemon", ("a.py",))
    assert (after.moment, after.trigger, after.text) == ("after", "auto", "all")


def test_a_tool_is_of_the_prompt_that_is_answered_and_not_of_one_that_is_queued(named, place):
    with plugged(named, place) as plugin:
        plugin.prompt("<private>sell the quokka</private>", id="m1")
        answer = {"id": "m2", "role": "assistant", "sessionID": "ses_1", "parentID": "m1"}
        plugin.happens("message.updated", info=answer)
        plugin.prompt("and the tests?", id="m3")
        call = {"sessionID": "ses_1", "tool": "edit", "callID": "c", "args": {"filePath": "quokka.py"}}
        plugin.tell(hook="tool.execute.after", input=call, output={"title": "", "output": "", "metadata": {}})
        plugin.tell(hook="dispose")
    assert [(one.tool.name, one.tool.paths) for one in told(named, ToolUsed)] == [("edit", ())]


# --- what is an exchange --------------------------------------------------------------------------------------


def exchange(store: Path, place: Path, messages: list[dict[str, Any]], **more: Any) -> list[Any]:
    """What is recorded of a session in which these messages came after the first of them was sent."""
    with plugged(store, place, 50) as plugin:
        plugin.prompt("?", id=messages[0]["info"]["id"])
        for output in more.pop("after", ()):
            plugin.tell(hook="tool.execute.after", input={"sessionID": "ses_1", **output[0]}, output=output[1])
        plugin.tell(messages={"ses_1": messages}, **more)
        plugin.idle(times=2)
    return told(store)


def tool(id: str, name: str, **state: Any) -> dict[str, Any]:
    return {"type": "tool", "callID": id, "tool": name, "state": {"status": "completed", **state}}


def test_a_turn_that_is_told_of_twice_is_one_with_its_tools_from_either_shape(alone, place):
    steps = [
        tool("a", "edit", input={"filePath": "a.py", "newString": "x" * 1000}, output="y" * 1000),
        tool("b", "bash", input={"command": "make"}, metadata={"exit": 2, "output": "no rule"}),
        tool("c", "srv_find", input={"path": "b.py"}),
    ]
    of_mcp = {"content": [{"type": "text", "text": "not found"}], "isError": True}
    after = [({"tool": "srv_find", "callID": "c", "args": {"path": "b.py"}}, of_mcp)]
    after += [({"tool": "bash", "callID": "b", "args": {}}, {"metadata": {"exit": 2, "output": "no rule"}})]
    messages = [user("m1", "fix it"), assistant("m2", "m1", "Looking.", *steps), assistant("m3", "m1", "", "Fixed.")]
    (one,) = exchange(alone, place, messages, after=after)
    assert (one.prompt, one.answer) == ("fix it", "Looking.\nFixed.")
    assert [(t.name, t.paths, t.ok, t.error) for t in one.tools] == [
        ("edit", ("a.py",), True, ""),
        ("bash", (), False, "no rule"),
        ("srv_find", ("b.py",), False, "not found"),
    ]


@pytest.mark.parametrize(
    "answers",
    [
        [assistant("m2", "m1", "half", error={"name": "APIError"})],
        [assistant("m2", "m1", "Looking."), assistant("m3", "m1", error={"name": "MessageAbortedError"})],
        [assistant("m2", "m1", "half", time={"created": 1})],
        [assistant("m2", "m1", "Looking.", finish="tool-calls")],
        [assistant("m2", "m1", "all we did", summary=True)],
        [],
    ],
)
def test_what_was_not_answered_to_its_end_is_no_exchange(alone, place, answers):
    assert exchange(alone, place, [user("m1", "fix it"), *answers]) == []


def test_a_subagent_is_no_user(alone, place):
    sessions = {"ses_1": {"id": "ses_1", "parentID": "ses_0", "directory": str(place)}}
    with plugged(alone, place, 50) as plugin:
        plugin.tell(sessions=sessions)
        plugin.turn("a subagent's job", "done")
    assert told(alone) == []


def test_prompts_that_came_while_it_worked_and_what_follows_a_compaction(alone, place):
    go_on = {"type": "text", "text": "Continue", "synthetic": True}
    messages = [
        user("m1", "fix it"),
        assistant("m2", "m1", "Looking.", finish="tool-calls"),
        user("m3", "and the test"),
        assistant("m4", "m3", "Both."),
        user("m5", {"type": "compaction", "auto": True}),
        assistant("m6", "m5", "all we did", summary=True),
        user("m7", go_on),
        assistant("m8", "m7", "Done."),
    ]
    found = exchange(alone, place, messages)
    assert [(one.prompt, one.answer) for one in found] == [("fix it", "Looking."), ("and the test", "Both.\nDone.")]


def test_a_prompt_that_came_as_another_turn_ended_is_told_of_when_it_is_answered(alone, place):
    first = [user("m1", "fix it"), assistant("m2", "m1", "Fixed.")]
    second = [user("m3", "and the test"), assistant("m4", "m3", "Both.")]
    with plugged(alone, place, 50) as plugin:
        for prompt, _ in (first, second):
            plugin.prompt(prompt["parts"][0]["text"], id=prompt["info"]["id"])
        for answered in (1, 2):
            plugin.tell(messages={"ses_1": [*first, *second[:answered]]})
            plugin.idle()
    assert [(one.prompt, one.answer) for one in told(alone)] == [("fix it", "Fixed."), ("and the test", "Both.")]


def test_a_long_turn_is_found_whole_and_an_old_one_not_told_again(alone, place):
    steps = [assistant(f"m2{step:04}", "m10000", f"Step {step}.", finish="tool-calls") for step in range(120)]
    old = [user("m00000", "before"), assistant("m00001", "m00000", "long ago")]
    with plugged(alone, place, 50) as plugin:
        plugin.prompt("a large job", id="m10000")
        plugin.tell(
            messages={"ses_1": [*old, user("m10000", "a large job"), *steps, assistant("m3", "m10000", "Done.")]}
        )
        plugin.idle()
    (one,) = told(alone)
    assert one.answer.startswith("Step 0.\n")
    assert one.answer.endswith("Step 119.\nDone.")


def test_a_prompt_of_two_megabytes_and_input_that_is_none(alone, place):
    with plugged(alone, place, 50) as plugin:
        plugin.tell(hook="chat.message", input={}, output={})
        plugin.tell(hook="event", input={"event": {"type": "session.idle"}})
        plugin.tell(hook="event", input={"event": {"type": "unheard.of", "properties": {"sessionID": 3}}})
        plugin.tell(hook="tool.execute.after", input={}, output=None)
        plugin.tell(hook="experimental.chat.messages.transform", input={}, output={"messages": [{"info": {}}]})
        plugin.tell(hook="experimental.session.compacting", input={}, output={})
        plugin.turn("y\u0000\ud83d" + "x" * 2_000_000, "so")
    (one,) = told(alone)
    assert len(one.prompt) > 2_000_000


def test_a_store_that_was_removed_is_not_made_again(alone, place):
    with plugged(alone, place, 50) as plugin:
        plugin.prompt("Is there a store?")
        wait_until(lambda: kept(alone) == 1, "it waits")
        shutil.rmtree(alone)
        plugin.turn("Which port has staging?", "8081")
    assert not alone.exists()


@pytest.mark.parametrize("path", ["package.json", "tool/mine.ts"])
def test_what_keeps_opencode_from_waiting_is_taken_out_when_it_is_in_the_way(alone, place, path):
    folder = place / ".config" / "opencode"
    (folder / "node_modules").mkdir(parents=True)
    (folder / "node_modules" / "aftermind.json").write_text("{}")
    (folder / "package-lock.json").write_text("{}")
    with plugged(alone, place) as plugin:
        plugin.tell(hook="dispose")
    assert (folder / "package-lock.json").exists()
    (folder / path).parent.mkdir(exist_ok=True)
    (folder / path).write_text('import { tool } from "@opencode-ai/plugin"')
    with plugged(alone, place) as plugin:
        plugin.tell(hook="dispose")
    assert sorted(one.name for one in folder.iterdir()) == [Path(path).parts[0]]


PRIVATE = [
    *("", "plain", "a <b>", "private", "x <private>y</private> z", "< private >y</ PRIVATE>", "a <private>b"),
    *("<private>a<private>b</private>c</private>d", "a</private>b", "`<private>` is a tag", "<private/>a"),
    *("`<private>` a </private> b", "`<private>` a `</private>` b", "<private x='1'>a</private>b<private>c"),
    *("<private>a `</private>` b</private> c", "a\n<private\n>b\n</private>\nc", "<privateer>a</privateer>"),
    *("<private>a</private><private>b</private>", "ſ<priVATE>K</private>", "<private>\U0001f600</private>é"),
    *("<private " + "x" * 199 + ">a", "<private " + "x" * 201 + ">a", "<\u00a0private>a", "`<private>`a<private>b"),
]


def test_private_is_what_it_is_in_the_daemon(alone, place):
    with plugged(alone, place) as plugin:
        cut = plugin.tell(call="withoutPrivate", of="opencode_private.js", **{"with": PRIVATE})["answers"]
    assert cut == [without_private(text) for text in PRIVATE]


def test_where_the_interpreter_is_gone_nothing_is_kept(alone, place):
    file = alone / "bin" / "opencode_daemon.js"
    file.write_text(file.read_text().replace('const PYTHON = "" && ', 'const PYTHON = "/gone/python" || '))
    with plugged(alone, place, milliseconds=300) as plugin:
        shown = plugin.turn("Which port has staging?", "Staging listens on port 8081")
        assert len(shown["parts"]) == 1
    assert not (alone / "spool").exists()
