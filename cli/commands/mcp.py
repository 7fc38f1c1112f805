"""mcp: the MCP server an assistant starts. It is a thin pipe; what serves it is the daemon."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

EXPLAINED = """\
An assistant's configuration names this command, and the assistant runs it: it
speaks the Model Context Protocol on standard input and output. It starts the
daemon where none runs, outlives it, and ends when its input does.

Faster is what `aftermind init` writes: the pipe itself, from the store's bin/,
started by a bare Python.

example:
  {"mcpServers": {"aftermind": {"command": "aftermind", "args": ["mcp"]}}}"""


def configure(parser: ArgumentParser) -> None:
    parser.usage = "%(prog)s [--client NAME] [--tools GROUP] [--home FOLDER]"
    parser.epilog = EXPLAINED
    parser.add_argument("--client", metavar="CLIENT", default="", help="whose window it is (default: found out)")
    parser.add_argument(
        "--tools",
        metavar="GROUP",
        choices=("core", "project", "coordination"),
        default="",
        help="core; project: also sessions, rules, reminders; coordination: also claims, queue, blockers, links "
        "(default: mcp.tools)",
    )


def run(arguments: Namespace) -> int:
    """Does not return: this process becomes the pipe, and nothing of the rest stays in memory."""
    from aftermind.cli.config import home

    folder = Path(arguments.home) if arguments.home is not None else home()
    pipe = Path(__file__).parents[1] / "doors" / "pipe.py"
    words = [str(pipe), "--home", str(folder.expanduser().absolute()), "--client", arguments.client]
    words += ["--tools", arguments.tools] if arguments.tools else []
    os.execv(sys.executable, [sys.executable, "-I", "-S", *words])  # noqa: S606 - this very interpreter
