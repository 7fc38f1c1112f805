"""`docs/coming-from.md`, row by row: what is said to be there is there, through the door it names.

A feature that is advertised and not wired is the peers' commonest fault; here a row without a working door fails.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.ports import Port
from tests.windows import Lines, lines

ROOT = Path(__file__).parents[2]
ROWS = {"roampal": 91, "opencode-semantic-memory": 144, "ocm": 41, "agentmemory": 102}
"""How many there are of each: none goes unnoticed."""
_ROW = re.compile(r"\| (?P<there>.+?) \| (?P<here>.+?) \| (?:`(?P<by>.+)`)? ?\|")
_PLACEHOLDER = re.compile(r"\b(MEMORY|OTHER|BLOCKER|REMINDER|BOOK|EXCHANGE|BORN|SESSION|QUEUED|BLOCKED|CLAIMED)\b")
MOMENTS = {
    ("claude-code", "start"): "SessionStart",
    ("claude-code", "prompt"): "UserPromptSubmit",
    ("claude-code", "tool"): "PostToolUse",
    ("claude-code", "turn"): "Stop",
    ("claude-code", "subagent"): "SubagentStop",
    ("claude-code", "compact"): "PreCompact",
    ("claude-code", "end"): "SessionEnd",
    ("cursor", "start"): "sessionStart",
    ("cursor", "tool"): "postToolUse",
    ("cursor", "turn"): "afterAgentResponse",
}
POSTED = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
QUEUEING = {"QUEUED": ["add"], "BLOCKED": ["add"], "CLAIMED": ["take"]}
EXCHANGE = {"prompt": "How do we deploy staging?", "answer": "Run make deploy-staging."}


class Row(NamedTuple):
    system: str
    there: str
    here: str
    by: str


def rows() -> Iterator[Row]:
    system = ""
    for line in (ROOT / "docs" / "coming-from.md").read_text().splitlines():
        if line.startswith("## "):
            system = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith("| there "):
            found = _ROW.fullmatch(line.replace("\\|", "¦"))
            assert found, line
            yield Row(system, *((found[name] or "").replace("¦", "|") for name in ("there", "here", "by")))


def test_every_row_is_driven_or_says_why_not():
    found = list(rows())
    assert {system: sum(row.system == system for row in found) for system in ROWS} == ROWS
    for row in found:
        reason = row.here.removeprefix("Refused: ") if "Refused: " in row.here else ""
        assert bool(row.by) != bool(reason), row
        assert row.by or len(reason) > 10, row
    assert len({(row.system, row.there) for row in found}) == len(found)


class Prepared:
    """A store with something in it. What a command may use up, it gets anew."""

    def __init__(self, cli: Any, place: Path) -> None:
        self.cli, self.place, self.made = cli, place, 0

    def known(self) -> None:
        for name in ("notes", "docs"):
            Path(name).mkdir()
        Path("docs/deploying.md").write_text("# Deploying\n\nStaging is deployed by hand.\n")
        Path("CLAUDE.md").write_text("# Rules\n\n- Never commit .env\n")
        Path("policy.toml").write_text("[ranking]\nlimit = 3\n")
        Path("lines.jsonl").write_text(json.dumps({**EXCHANGE, "session": "s-lines"}) + "\n")
        self.cli("remember", "Prices are integers", "--project", "billing")
        self.cli("remember", "Staging listens on port 8081", "--kind", "configuration", "--tag", "billing")
        self.cli("directive", "add", "On push: run make check", "--locked")
        assert self.cli("export", "events.jsonl").status == 0

    def of(self, placeholder: str) -> str:
        self.made += 1
        n = self.made
        match placeholder:
            case "MEMORY" | "OTHER":
                return str(self.told("remember", f"Staging host{n} listens on port {8100 + n}")["id"])
            case "BLOCKER":
                return str(self.told("remember", f"Certificate {n} is missing", "--kind", "blocker")["id"])
            case "REMINDER":
                return str(self.told("remind", f"Renew certificate {n}", "--on", "+2d", "--every", "week")["id"])
            case "BOOK":
                Path(f"book{n}.md").write_text(f"# Book {n}\n\nWhat is in book {n}.\n")
                self.cli("ingest", f"book{n}.md")
                books = self.told("books")
                return str(next(book["id"] for book in books if book["path"].endswith(f"book{n}.md")))
            case "QUEUED" | "BLOCKED" | "CLAIMED":
                name = f"task {n}, and its test"
                self.told("claim" if placeholder == "CLAIMED" else "queue", *QUEUEING[placeholder], name)
                if placeholder == "BLOCKED":
                    self.told("queue", "block", name, "--by", "a certificate")
                return name
            case _:
                session = f"s{n}"
                said = json.dumps({**EXCHANGE, "session": session}).encode()
                recorded = json.loads(self.cli("record", "--json", stdin=said).out)
                return str({"EXCHANGE": recorded["id"], "BORN": recorded["memory"]}.get(placeholder, session))

    def told(self, *words: str) -> Any:
        ran = self.cli(*words, "--json")
        assert ran.status == 0, (words, ran.err)
        return ran.json

    def command(self, by: str) -> str:
        """Why it did not work; empty where it did."""
        words = shlex.split(by)[1:]
        ran = self.cli(*words, stdin=self.stdin(words))
        if words[0] == "config":
            (self.place / "config.toml").unlink(missing_ok=True)
        if words[0] == "stop":
            self.cli("start")
        return "" if ran.status == 0 else f"{by}: {ran.status} {ran.err.strip()}"

    def stdin(self, words: list[str]) -> bytes:
        if words[0] == "hook":
            name = MOMENTS[words[2], words[4]]
            return (ROOT / "tests" / "golden" / "hooks" / words[2] / f"{name}.json").read_bytes()
        if words[:2] == ["queue", "add"]:
            return b"mend the login\nfix it, then ship\n"
        return json.dumps({**EXCHANGE, "session": "s-piped"}).encode() if words[0] == "record" else b""

    def at_the_port(self, asked: list[str]) -> Iterator[str]:
        """Why what was asked over HTTP was not answered, of each that was not."""
        opened = self.told("http", "on", "--port", "0")
        port = Port(Path(opened["token_file"]).parent, "127.0.0.1", int(opened["address"].rpartition(":")[2]))
        for by in asked:
            _, method, path, *body = by.split(" ", 3)
            said = port.ask(path, method, "".join(body).encode(), **POSTED if body else {})
            if said.status != 200:
                yield f"{by}: {said.status} {said.body!r}"
        self.cli("http", "off")

    def asked(self, pipe: Lines, by: str) -> str:
        self.made += 1
        how, name, said = by.split(" ", 2)
        method = "prompts/get" if how == "prompt" else "tools/call"
        answer = pipe.ask(self.made, method, name=name, arguments=json.loads(said))
        broken = "code" in answer or answer.get("isError")
        return f"{by}: {answer}" if broken else ""


@pytest.mark.usefixtures("home")
def test_advertised_feature_not_wired_every_row_works_through_its_door(cli, place, store, monkeypatch):
    (place / "webshop" / "notes").mkdir(parents=True)
    (place / "webshop" / "notes").rmdir()
    monkeypatch.chdir(place / "webshop")
    Path("notes.md").write_text("# Staging\n\nStaging has port 8081.\n")
    prepared = Prepared(cli, place)
    failed = []
    with lines(store, "--tools", "coordination", work=place / "webshop") as pipe:
        pipe.initialize()
        prepared.known()
        doors = dict.fromkeys(row.by for row in rows() if row.by)
        failed += prepared.at_the_port([by for by in doors if by.startswith("http ")])
        for by in (by for by in doors if not by.startswith("http ")):
            filled = _PLACEHOLDER.sub(lambda found: prepared.of(found[1]), by)
            failed.append(prepared.command(filled) if by.startswith("aftermind ") else prepared.asked(pipe, filled))
        with suppress(OSError):
            pipe.ended()
    if broken := [why for why in failed if why]:
        pytest.fail("\n".join(broken))
