"""Every client's every hook, understood as what it is; and what no client sends, refused with what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.hooks import ANSWER, HERE, MOMENTS, PROMPT, RECORDED, moment, stdin

from aftermind.cli.clients.hooks import HOOKS
from aftermind.cli.forms import FORMS, meant, printed
from aftermind.cli.forms.hooked import LONGEST
from aftermind.cli.language.requests import Brief, Checkpoint, Deliver, EndSession, EndTurn, NoteTool
from aftermind.cli.language.sessions import AskGate
from aftermind.cli.language.wire import NotUnderstood
from aftermind.engine.events import ToolUse

MAKEFILE = ToolUse(name="Edit", paths=("/home/ada/billing/Makefile",))
FAILED = "make: *** No rule to make target 'deploy'.  Stop."
CLAUDE: dict[str, Any] = {
    "session": "8f2f6a51-6c1e-4f0e-9c2f-0b7d3e1a5c44",
    "project": HERE,
    "client": "claude-code",
}
P = "c0a7e3d2-91b4-4a6e-8f35-2d1c7b9e6f10"
OF_AGENT = {**CLAUDE, "session": f"{CLAUDE['session']}.a7f3c21", "message": "a7f3c21"}
CURSOR: dict[str, Any] = {
    "session": "2b9d1f6e-7a34-4c58-b0e1-9f6c3a2d8e71",
    "project": HERE,
    "client": "cursor",
}
G = "d4e8a1c9-3b27-4f60-a915-6c0f2e7b8d35"
CODEX: dict[str, Any] = {
    "session": "019a7c1e-52d0-7f13-9a44-d1e0b6c85f27",
    "project": HERE,
    "client": "codex",
}
N = "019a7c1e-9b3a-7c02-8d11-3f5a2c7e9b60"
EXPLORER = "019a7c1f-0000-7000-8000-000000000001"
GEMINI: dict[str, Any] = {
    "session": "5d7e9b30-41c8-4f2a-9e66-7b0a1c3d5f82",
    "project": HERE,
    "client": "gemini",
}
VSCODE: dict[str, Any] = {
    "session": "b81c2f47-0d96-4e5a-83f7-c2a9d6e41b05",
    "project": HERE,
    "client": "vscode",
}
AT = "2026-06-01T08:30:20.250Z"
WRITTEN = ("/home/ada/billing/Makefile",)

UNDERSTOOD: dict[tuple[str, str], Any] = {
    ("claude-code", "SessionStart"): Brief(**CLAUDE, message="start startup", longest=LONGEST),
    ("claude-code", "SessionStart.compact"): Brief(**CLAUDE, message="start compact", longest=LONGEST),
    ("claude-code", "UserPromptSubmit"): Brief(**CLAUDE, prompt=PROMPT, message=P, longest=LONGEST),
    ("claude-code", "PreToolUse"): AskGate(
        session=CLAUDE["session"],
        project=HERE,
        call="toolu_01ABC",
        doing="Edit",
        paths=("/home/ada/billing/Makefile",),
    ),
    ("claude-code", "PostToolUse"): NoteTool(**CLAUDE, tool=MAKEFILE, message=P, call="toolu_01ABC"),
    ("claude-code", "PostToolUseFailure"): NoteTool(
        **CLAUDE, tool=ToolUse(name="Bash", ok=False, error=FAILED), message=P, call="toolu_02DEF"
    ),
    ("claude-code", "PostToolUse.subagent"): NoteTool(
        **OF_AGENT, tool=ToolUse(name="Grep", paths=("/home/ada/billing/ci",)), call="toolu_03GHI"
    ),
    ("claude-code", "Stop"): EndTurn(**CLAUDE, answer=ANSWER, message=P),
    ("claude-code", "SubagentStop"): EndTurn(**OF_AGENT, answer="The release job is in ci/release.yml."),
    ("claude-code", "PreCompact"): Checkpoint(
        **CLAUDE, moment="before", trigger="manual", text="keep how billing is deployed", message=P
    ),
    ("claude-code", "PostCompact"): Checkpoint(
        **CLAUDE,
        moment="after",
        trigger="manual",
        text="The user deploys billing with make release-billing.",
        message=P,
    ),
    ("claude-code", "SessionEnd"): EndSession(session=CLAUDE["session"], project=HERE, reason="prompt_input_exit"),
    ("claude-code", "StopFailure"): None,
    ("cursor", "sessionStart"): Brief(**CURSOR, message="start", longest=LONGEST),
    ("cursor", "beforeSubmitPrompt"): Brief(**CURSOR, prompt=PROMPT, message=G, show=False),
    ("cursor", "preToolUse"): AskGate(
        session=CURSOR["session"],
        project=HERE,
        call="tool_1",
        doing="Write",
        paths=("/home/ada/billing/Makefile",),
    ),
    ("cursor", "postToolUse"): NoteTool(**CURSOR, tool=ToolUse(name="Write", paths=WRITTEN), message=G, call="tool_1"),
    ("cursor", "postToolUseFailure"): NoteTool(
        **CURSOR, tool=ToolUse(name="Shell", ok=False, error=FAILED), message=G, call="tool_2"
    ),
    ("cursor", "afterAgentResponse"): EndTurn(**CURSOR, answer=ANSWER, message=G),
    ("cursor", "stop"): None,
    ("cursor", "preCompact"): Checkpoint(**CURSOR, moment="before", trigger="auto", message=G),
    ("cursor", "sessionEnd"): EndSession(session=CURSOR["session"], project=HERE, reason="completed"),
    ("cursor", "UserPromptSubmit"): Brief(**CURSOR, prompt=PROMPT, message=G, show=False),
    ("cursor", "Stop"): EndTurn(**CURSOR, answer="", message=G),
    ("codex", "SessionStart"): Brief(**CODEX, message="start startup", longest=LONGEST),
    ("codex", "UserPromptSubmit"): Brief(**CODEX, prompt=PROMPT, message=N, longest=LONGEST),
    ("codex", "PostToolUse"): NoteTool(**CODEX, tool=ToolUse(name="Bash"), message=N, call="call_1"),
    ("codex", "Stop"): EndTurn(**CODEX, answer=ANSWER, message=N),
    ("codex", "SubagentStop"): EndTurn(
        **{**CODEX, "session": f"{CODEX['session']}.{EXPLORER}"},
        answer="The release job is in ci/release.yml.",
        message=EXPLORER,
    ),
    ("codex", "PreCompact"): Checkpoint(**CODEX, moment="before", trigger="auto", message=N),
    ("codex", "PostCompact"): Checkpoint(**CODEX, moment="after", trigger="auto", message=N),
    ("codex", "notify"): EndTurn(**CODEX, prompt=PROMPT, answer=ANSWER, message=N),
    ("gemini", "SessionStart"): Brief(**GEMINI, message="start startup", longest=LONGEST),
    ("gemini", "BeforeAgent"): Brief(**GEMINI, prompt=PROMPT, message=f"at {AT}", longest=LONGEST),
    ("gemini", "AfterTool"): NoteTool(
        **GEMINI,
        tool=ToolUse(name="write_file", paths=WRITTEN),
        call=f"2026-06-01T08:30:24.500Z write_file {WRITTEN}",
    ),
    ("gemini", "AfterTool.failed"): NoteTool(
        **GEMINI,
        tool=ToolUse(name="run_shell_command", ok=False, error=FAILED),
        call="2026-06-01T08:30:23.750Z run_shell_command ()",
    ),
    ("gemini", "AfterAgent"): EndTurn(**GEMINI, prompt=PROMPT, answer=ANSWER),
    ("gemini", "PreCompress"): Checkpoint(
        **GEMINI, moment="before", trigger="auto", message="2026-06-01T08:31:00.000Z"
    ),
    ("gemini", "SessionEnd"): EndSession(session=GEMINI["session"], project=HERE, reason="exit"),
    ("vscode", "SessionStart"): Brief(**VSCODE, message="start", longest=LONGEST),
    ("vscode", "UserPromptSubmit"): Brief(**VSCODE, prompt=PROMPT, message=f"at {AT}", show=False),
    ("vscode", "PostToolUse"): NoteTool(**VSCODE, tool=ToolUse(name="editFiles", paths=("Makefile",)), call="tool-1"),
    ("vscode", "Stop"): EndTurn(**VSCODE, answer=""),
    ("vscode", "PreCompact"): Checkpoint(**VSCODE, moment="before", trigger="auto", message=AT),
}


def told(client: str, event: str, payload: bytes, directory: str = "/elsewhere") -> Deliver:
    return Deliver(client=client, event=event, payload=payload, directory=directory)


def test_every_hook_that_is_registered_is_recorded_and_every_record_understood():
    assert set(RECORDED) == set(UNDERSTOOD)
    assert {(client, event.partition(".")[0]) for client, event in RECORDED} == set(MOMENTS)
    for client, hooks in HOOKS.items():
        assert {hook.moment for hook in hooks} <= set(FORMS[client].moments)


@pytest.mark.parametrize(("client", "event"), RECORDED)
def test_a_hook_is_understood_also_with_fields_nobody_knows(client, event):
    expected, word = UNDERSTOOD[client, event], moment(client, event)
    assert meant(told(client, word, stdin(client, event))) == expected
    more = {"a_new_field": {"deep": [1, None, "x"]}, "permission_mode": 7, "transcript_path": ["moved"]}
    assert meant(told(client, word, stdin(client, event, **more))) == expected
    assert meant(told(client, word, b"\xef\xbb\xbf" + stdin(client, event) + b"\r\n")) == expected


@pytest.mark.parametrize(("client", "event"), [(c, e) for c, e in RECORDED if c in ("cursor", "vscode")])
def test_an_editor_that_runs_claude_codes_hooks_is_itself_all_the_same(client, event):
    asked = told("claude-code", moment(client, event), stdin(client, event))
    assert meant(asked) == UNDERSTOOD[client, event]
    own = told(client, moment(client, event), stdin(client, event))
    assert printed(asked, "what is known") == printed(own, "what is known")


def shown(client: str, event: str, text: str) -> str:
    return printed(told(client, moment(client, event), stdin(client, event)), text)


def test_a_briefing_is_printed_as_the_client_takes_it():
    text = '<aftermind-memory>\n- [m1] "quoted" 部署\n</aftermind-memory>'
    assert shown("claude-code", "SessionStart", text) == text
    assert shown("claude-code", "UserPromptSubmit", text) == text
    assert json.loads(shown("cursor", "sessionStart", text)) == {"additional_context": text}
    events = [
        *(("codex", "SessionStart"), ("codex", "UserPromptSubmit"), ("gemini", "SessionStart")),
        *(("gemini", "BeforeAgent"), ("vscode", "SessionStart")),
    ]
    for client, event in events:
        output = {"hookEventName": event, "additionalContext": text}
        assert json.loads(shown(client, event, text)) == {"hookSpecificOutput": output}


@pytest.mark.parametrize(("client", "event"), RECORDED)
def test_where_nothing_is_known_nothing_is_printed_and_elsewhere_never_anything(client, event):
    assert shown(client, event, "") == ""
    if moment(client, event) not in ("start", "prompt"):
        assert client == "claude-code" or shown(client, event, "what is known") == ""


WRONG = {
    b"": "empty",
    b"  \n": "empty",
    b"{": "no JSON",
    b"[]": "no JSON",
    b"null": "no JSON",
    b'"Stop"': "no JSON",
    b"{}{}": "no JSON",
    b"\xff\xfe\x00": "no JSON",
    b'{"x":' * 5000: "no JSON",
    b"{}": "no session",
    b'{"session_id":" ","sessionId":"","conversation_id":null}': "no session",
    b'{"session_id":7}': "the value of session_id",
    b'{"session_id":"s","cwd":["/"]}': "the value of cwd",
}


@pytest.mark.parametrize("payload", WRONG, ids=lambda payload: repr(payload[:20]))
@pytest.mark.parametrize("client", ["claude-code", "cursor", "codex", "gemini", "vscode"])
def test_what_no_client_sends_is_refused_and_a_log_quotes_nobody(client, payload):
    for word in FORMS[client].moments:
        with pytest.raises(NotUnderstood) as error:
            meant(told(client, word, payload))
        assert error.value.logged == WRONG[payload]


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini", "vscode"])
def test_a_moment_without_what_it_is_about_is_refused(client):
    for word, logged in (("prompt", "no prompt"), ("tool", "no tool")):
        with pytest.raises(NotUnderstood) as error:
            meant(told(client, word, b'{"session_id":"s"}'))
        assert error.value.logged == logged


@pytest.mark.parametrize("client", HOOKS)
def test_an_unknown_event_names_the_known_ones(client):
    with pytest.raises(NotUnderstood, match="no event 'Stop'"):
        meant(told(client, "Stop", b'{"session_id":"s"}'))


def test_two_megabytes_and_bytes_that_are_no_text_are_a_prompt_like_any_other():
    long = "how do I deploy? " * 125_000
    asked = meant(told("claude-code", "prompt", stdin("claude-code", "UserPromptSubmit", prompt=long)))
    assert isinstance(asked, Brief)
    assert asked.prompt == long
    raw = stdin("claude-code", "UserPromptSubmit").replace("部署".encode(), b"\xff\xfe \\ud800")
    asked = meant(told("claude-code", "prompt", raw))
    assert isinstance(asked, Brief)
    assert asked.prompt is not None
    assert asked.prompt.startswith("How do I deploy the billing service? \ufffd\ufffd \ufffd")


def test_what_the_client_itself_says_in_a_persons_place_is_nobodys_words():
    said = "<task-notification><status>completed</status></task-notification>"
    asked = meant(told("claude-code", "prompt", stdin("claude-code", "UserPromptSubmit", prompt=said)))
    assert asked == Brief(**CLAUDE, prompt="", message=P, show=False)


@pytest.mark.parametrize(
    ("cwd", "project"), [("C:\\work\\api", "C:\\work\\api"), ("api", "…/api"), ("~/w/api", "…/w/api"), (".", "…")]
)
def test_a_folder_that_cannot_be_looked_at_here_is_never_the_one_of_its_last_name(cwd: str, project: str):
    payload = stdin("claude-code", "UserPromptSubmit", prompt="why?", cwd=cwd)
    asked = meant(told("claude-code", "prompt", payload, "/srv/api"))
    assert isinstance(asked, Brief)
    assert asked.project == project


def test_without_a_folder_of_its_own_it_was_said_where_the_hook_ran_or_nowhere_known():
    payload = b'{"session_id":"s","prompt":"why?"}'
    for directory, project in (("/srv/shop", "/srv/shop"), ("", "unknown folder")):
        asked = meant(told("claude-code", "prompt", payload, directory))
        assert isinstance(asked, Brief)
        assert asked.project == project
