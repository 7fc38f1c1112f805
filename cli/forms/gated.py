"""What an assistant may use while others of its tools are held back, and how it is told. Pure.

What writes a checkpoint is known by what it is and by nothing it says: a tool of our server, or our own command alone
in a shell, which no other command stands beside and nothing is substituted in.
"""

from __future__ import annotations

import shlex
import sys

import msgspec

from aftermind.cli.language.sessions import Gated

OURS = ("mcp__aftermind__", "mcp__plugin_aftermind_aftermind__")
"""How the names of our server's tools begin, in Claude Code; in its plugin."""
OWN_NAMES = frozenset(f"{before}session" for before in ("", "MCP:", "mcp_aftermind_", "aftermind_", "aftermind-"))
"""Of the tool `session`, elsewhere."""
SHELLS = frozenset({"Bash", "Shell", "bash", "shell", "run_terminal_cmd"})
MEANS = frozenset({"ToolSearch", "AskUserQuestion"})
"""By which an assistant finds our tool, or asks its user."""
LONGEST = 4_000
"""Characters of a command that are looked at."""
_SUBSTITUTED, _BETWEEN = frozenset("$`\\\n\r"), frozenset("();<>|&")
_COMMANDS = (("aftermind",), (sys.executable, "-m", "aftermind"), (sys.executable, "-I", "-m", "aftermind"))


def doing(name: str, given: object) -> str:
    """What a tool is about to do, as far as its name and its command say."""
    command = given.get("command") if isinstance(given, dict) else None
    return f"{name} {command}"[:LONGEST] if isinstance(command, str) else name[:LONGEST]


def writes_checkpoint(name: str, given: object) -> bool:
    """Whether a tool is a way to write a checkpoint, or to get to one."""
    said = given if isinstance(given, dict) else {}
    if name in OWN_NAMES:
        return said.get("action") == "checkpoint"
    command = said.get("command")
    if name in SHELLS:
        return isinstance(command, str) and is_own_command(command)
    return name in MEANS or name.startswith(OURS)


def is_own_command(command: str) -> bool:
    """Whether a line of a shell runs `aftermind checkpoint`, and nothing else."""
    if _SUBSTITUTED & set(command):
        return False
    lexer = shlex.shlex(command.strip(), posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError:  # a quote that is not closed
        return False
    if any(word and set(word) <= _BETWEEN for word in words):
        return False
    for program in _COMMANDS:
        if tuple(words[: len(program)]) == program:
            rest = words[len(program) :]
            return (rest[2:] if rest[:1] == ["--home"] else rest)[:1] == ["checkpoint"]
    return False


def before_tool(gated: Gated) -> str:
    """As Claude Code is told before it uses a tool; nothing where it may. A reminder decides nothing: whether the user
    is asked stays as it is."""
    if gated.verdict == "open":
        return ""
    told = {"hookEventName": "PreToolUse"}
    if gated.verdict == "hold":
        told |= {"permissionDecision": "deny", "permissionDecisionReason": gated.text}
    else:
        told |= {"additionalContext": gated.text}
    return msgspec.json.encode({"hookSpecificOutput": told}).decode()


def before_cursors_tool(gated: Gated) -> str:
    """The same for Cursor."""
    match gated.verdict:
        case "open":
            return ""
        case "remind":
            return msgspec.json.encode({"agent_message": gated.text}).decode()
        case "hold":
            user = "Aftermind waits for a checkpoint of the work"
            told = {"permission": "deny", "user_message": user, "agent_message": gated.text}
            return msgspec.json.encode(told).decode()
