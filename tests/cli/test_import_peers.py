"""`aftermind import PROGRAM`: what other memories of assistants hold, with its record, its ties and its end."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests import peer_stores

from aftermind.cli.answering.importing.taking_in import REWORDED
from aftermind.cli.commands import import_
from aftermind.cli.house import open_memory
from aftermind.cli.language.answers import Remembered
from aftermind.engine.errors import NotFound, Unusable
from aftermind.engine.events import MemoriesLinked, MemoryCorrected, MemoryRecorded, MemoryScored


def run(store: Path, *words: str, capsys: pytest.CaptureFixture[str], status: int = 0) -> dict[str, Any]:
    """The command, and what it says to a program."""
    parser = ArgumentParser()
    import_.configure(parser)
    arguments = Namespace(home=str(store), json=True)
    assert anyio.run(import_.run, parser.parse_args(list(words), arguments)) == status
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def known(store: Path) -> dict[str, Remembered]:
    """Every memory, whatever its state, by its first line."""

    async def ask() -> dict[str, Remembered]:
        found: dict[str, Remembered] = {}
        async with open_memory(store) as memory:
            for one in await memory.events(limit=1000):
                if isinstance(one.draft.event, MemoryRecorded):
                    with suppress(NotFound):
                        shown = await memory.show(one.draft.event.memory)
                        found[shown.text.splitlines()[0]] = shown
        return found

    return anyio.run(ask)


def visible(store: Path, project: str | Path | None = None) -> set[str]:
    """The first lines of what is seen from a project."""

    async def ask() -> set[str]:
        async with open_memory(store) as memory:
            return {one.text.splitlines()[0] for one in await memory.latest(project=project, limit=100)}

    return anyio.run(ask)


def events(store: Path) -> list[Any]:
    async def ask() -> list[Any]:
        async with open_memory(store) as memory:
            return [one.draft.event for one in await memory.events(limit=1000)]

    return anyio.run(ask)


def test_beliefs_keep_their_time_record_locks_and_successors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, project = tmp_path / "store", tmp_path / "webshop"
    project.mkdir()
    path = peer_stores.agentmemory(tmp_path / "am", project, outcomes=("confirmed", "harmful", "ignored"))
    before = sha256(path.read_bytes()).hexdigest(), sorted(path.parent.iterdir())
    told = run(store, "agentmemory", str(tmp_path / "am"), "--dry-run", capsys=capsys)
    assert (told["memories"], told["superseded"], told["archived"], told["locked"]) == (5, 1, 1, 1)
    assert told["outcomes"] == {"worked": 1, "failed": 1, "unknown": 1}
    assert told["projects"] == {str(project): 5}
    assert not store.exists()
    left = {one["what"]: one["count"] for one in told["left"]}
    assert (left["observations"], left["rows of `of_a_later_version`"]) == (1, 2)

    told = run(store, "agentmemory", str(tmp_path / "am"), capsys=capsys)
    assert told["fates"] == {"new": 5}
    assert (sha256(path.read_bytes()).hexdigest(), sorted(path.parent.iterdir())) == before  # left as it was
    memories = known(store)
    new, old = memories["The API runs on port 9090"], memories["The API runs on port 8080"]
    assert (old.status, old.successor) == ("superseded", new.id)
    assert (new.outcomes.worked, new.outcomes.failed, new.outcomes.unknown) == (1, 1, 1)
    assert (new.at.isoformat(), new.collection) == ("2026-01-31T12:00:00+00:00", "memory_bank")
    rule = memories["Never force push to main"]
    assert (rule.kind, rule.locked, rule.tags) == ("directive", True, ("agentmemory", "requirement", "user-stated"))
    assert memories["A thing somebody deleted"].status == "archived"
    assert memories["Chose SQLite"].kind == "decision"
    assert visible(store) == set()  # nothing of a project is seen elsewhere
    assert visible(store, project) == {new.text, rule.text, "Chose SQLite"}
    linked = [one for one in events(store) if isinstance(one, MemoriesLinked)]
    assert [(one.memory, one.other, one.relation) for one in linked] == [(new.id, rule.id, "related")]


def test_again_only_what_happened_since_is_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, project = tmp_path / "store", tmp_path / "webshop"
    source = peer_stores.agentmemory(tmp_path / "am", project)
    run(store, "agentmemory", str(source), capsys=capsys)
    count, found = len(events(store)), {text: one.id for text, one in known(store).items()}
    assert run(store, "agentmemory", str(source), capsys=capsys)["fates"] == {"repeated": 5}
    assert len(events(store)) == count

    async def meanwhile() -> None:
        async with open_memory(store) as memory:
            await memory.forget(found["Chose SQLite"])
            await memory.correct(found["The API runs on port 9090"], "The API runs on port 9999")
            await memory.restore(found["A thing somebody deleted"])

    anyio.run(meanwhile)
    source.unlink()
    peer_stores.agentmemory(tmp_path / "am", project, outcomes=("confirmed", "harmful"))
    told = run(store, "agentmemory", str(source), capsys=capsys)
    assert told["fates"] == {"repeated": 3, "grown": 1, "forgotten": 1}
    memories = known(store)
    assert "Chose SQLite" not in memories
    assert memories["The API runs on port 9999"].status == "live"  # what was corrected here stays so
    assert memories["A thing somebody deleted"].status == "live"
    assert sum(isinstance(one, MemoryScored) for one in events(store)) == 2


def test_another_wording_there_is_a_correction_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    for text in ("Deploys go out on Tuesday", "Deploys go out on Friday", "Deploys go out on Tuesday"):
        values = {"text": text, "created_at": "2026-01-31T12:00:00", "tags": '["project"]'}
        source = peer_stores.roampal(tmp_path / "data", {"memory_bank_0a1b2c3d": values})
        run(store, "roampal", str(tmp_path / "data"), capsys=capsys)
        source.unlink()
        assert [one.text for one in known(store).values() if one.status == "live"] == [text]
    worded = [one.reason for one in events(store) if isinstance(one, MemoryCorrected)]
    assert worded == [f"roampal: {REWORDED}"] * 2


def test_a_record_is_made_of_outcomes_and_of_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = [{"outcome": word, "timestamp": f"2026-01-3{n}T12:00:00"} for n, word in enumerate(("worked", "failed"))]
    entries: dict[str, dict[str, object]] = {
        "working_aaaaaaaa": {"text": "A talk on caches", "uses": 9, "success_count": 9.0, "created_at": "2026-01-30"},
        "history_bbbbbbbb": {"text": "A talk on parsers", "uses": 12, "outcome_history": json.dumps(history)},
        "patterns_cccccccc": {
            "text": "Retry with a jitter",
            "uses": 1,
            "last_outcome": "worked",
            "memory_type": "fact",
        },
        "memory_bank_dddddddd": {"text": "Likes tabs", "tags": '["preference"]', "status": "archived"},
        "books_eeeeeeee_chunk_1": {"text": "Second part.", "title": "Guide", "chunk_index": 1, "source": "unknown"},
        "books_eeeeeeee_chunk_0": {"text": "First part.", "title": "Guide", "chunk_index": 0, "source": "unknown"},
        "books_ffffffff_chunk_0": {"text": "Removed.", "title": "Gone", "chunk_index": 0},
    }
    data, store = tmp_path / "data", tmp_path / "store"
    peer_stores.roampal(data, entries)
    (data / "ghost_ids.json").write_text('{"ghost_ids": ["books_ffffffff_chunk_0"]}', encoding="utf-8")
    (data / "mcp_sessions").mkdir()
    said = [
        {"role": "user", "content": "why?", "timestamp": "2026-01-31T12:00:00"},
        {"role": "assistant", "content": "because", "timestamp": "2026-01-31T12:00:01", "outcome": "worked"},
        {"role": "user", "content": "never answered"},
    ]
    (data / "mcp_sessions" / "s1.jsonl").write_text("\n".join(map(json.dumps, said)) + "\n", encoding="utf-8")
    told = run(store, "roampal", str(data), capsys=capsys)
    assert (told["memories"], told["exchanges"], told["books"]) == (4, 1, 1)
    assert told["collections"] == {"history": 2, "patterns": 1, "memory_bank": 1}
    assert told["outcomes"] == {"worked": 2, "failed": 1}
    left = {one["what"]: one["count"] for one in told["left"]}
    assert left == {"chunks of removed books": 1, "counters of uses": 2, "verdicts on exchanges": 1}
    memories = known(store)
    assert memories["Likes tabs"].status == "archived"
    assert memories["Likes tabs"].kind == "preference"
    assert memories["A talk on caches"].outcomes.worked == 0
    assert {"First part.", "Second part.", "why?"} <= memories.keys()
    again = run(store, "roampal", str(data / "chromadb"), capsys=capsys)
    assert (again["fates"], again["told"]["repeated"]) == ({"repeated": 4}, 1)


def test_memories_of_a_database_and_of_its_export_are_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    peer_stores.semantic_memory(tmp_path / "osm")
    told = run(store, "opencode-semantic-memory", str(tmp_path / "osm"), capsys=capsys)
    assert (told["memories"], told["archived"], told["locked"], told["superseded"]) == (4, 2, 1, 0)
    assert told["by_name_only"] == ["acme/webshop"]
    memories = known(store)
    decision = memories["Postgres it is"]
    assert "Postgres it is" in visible(store, "acme/webshop") - visible(store)
    assert decision.text == "Postgres it is\nWhy: JSONB"
    assert decision.tags == ("opencode-semantic-memory", "!12")
    assert decision.status == "live"  # likeness makes nothing untrue
    assert (memories["The runner is down"].kind, memories["The runner is down"].status) == ("blocker", "archived")
    assert (memories["Ask before deploying"].kind, memories["Ask before deploying"].locked) == ("directive", True)
    said = memories["Ask before deploying"].particulars
    assert said is not None
    assert said.due is not None
    assert (said.again, said.zone, said.every, said.planned) == ("week", "UTC", 30, True)
    assert said.review == said.due + timedelta(days=30)
    export = peer_stores.semantic_export(tmp_path / "export.json")
    again = run(store, "opencode-semantic-memory", str(export), capsys=capsys)
    assert (again["fates"], again["unreadable"]) == ({"repeated": 1}, 1)


def test_a_session_is_the_same_in_the_database_and_in_markdown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, project = tmp_path / "store", tmp_path / "webshop"
    database = peer_stores.ocm(project)
    told = run(store, "ocm", str(project), capsys=capsys)
    assert told["kinds"] == {"plan": 3, "decision": 1, "event": 1, "fact": 1}
    assert [(one["what"], one["count"]) for one in told["left"]] == [("summaries of git's differences", 1)]
    memories = known(store)
    assert memories["**Store:** SQLite"].collection == "memory_bank"
    assert memories["write the docs"].tags == ("ocm", "cursor", "to do")
    assert memories["WAL: https://sqlite.org/wal.html"].session == "5e55-a"
    database.unlink()
    sessions = database.parent / "sessions"
    sessions.mkdir()
    (sessions / "2026-01-31_12-00_cursor_5e55.md").write_text(peer_stores.OCM_MARKDOWN, encoding="utf-8")
    (sessions / "notes.md").write_text("# notes\n", encoding="utf-8")
    again = run(store, "ocm", str(project), capsys=capsys)
    assert (again["fates"], again["unreadable"]) == ({"repeated": 6}, 1)


def test_what_was_observed_is_filed_where_it_was_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, project = tmp_path / "store", tmp_path / "webshop"
    project.mkdir()
    peer_stores.claude_mem(tmp_path / "by-name")
    told = run(store, "claude-mem", str(tmp_path / "by-name"), "--dry-run", capsys=capsys)
    assert (told["kinds"], told["by_name_only"]) == ({"fact": 1, "event": 1, "conversation": 1}, ["webshop"])
    mapped = ("claude-mem", str(tmp_path / "by-name"), "--map", f"webshop={project}")
    assert run(store, *mapped, "--dry-run", capsys=capsys)["projects"] == {str(project): 3}
    peer_stores.claude_mem(tmp_path / "cm", str(project))
    told = run(store, "claude-mem", str(tmp_path / "cm"), capsys=capsys)
    assert (told["projects"], told["by_name_only"]) == ({str(project): 3}, [])
    memories = known(store)
    fact = memories["The cache is keyed by tenant"]
    assert (fact.kind, fact.collection, fact.session) == ("fact", "memory_bank", "c1")
    assert fact.text.endswith("- keys begin with the tenant\nFiles read: cache.py")
    assert fact.tags == ("claude-mem", "discovery", "caching")
    assert memories["Fixed the parser"].collection == "history"
    assert memories["Request: make it faster"].kind == "conversation"
    assert {one["what"] for one in told["left"]} == {"prompts", "uses of tools"}


RULES = """\
---
globs: "*.py"
---
# Style
- Always run `make lint` before you commit
  and say so.
- The API lives in `api/`

Never log a token: <private>it is hunter2</private>

<!-- a note
- Use nothing -->
```
- not a rule
```
<!-- aftermind:begin 1 -->
- Ours
<!-- aftermind:end -->
"""


def test_rules_belong_to_their_folder_and_go_when_they_are_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, project = tmp_path / "store", tmp_path / "webshop"
    rules = project / ".cursor" / "rules"
    rules.mkdir(parents=True)
    (rules / "style.mdc").write_text(RULES, encoding="utf-8")
    (project / "CLAUDE.md").write_text("Prefer small functions.\n", encoding="utf-8")
    (tmp_path / "another" / ".git").mkdir(parents=True)
    (tmp_path / "another" / "rules.md").write_text("Never tell of walrus.\n", encoding="utf-8")
    (project / "AGENTS.md").symlink_to(tmp_path / "another" / "rules.md")  # is another project's
    (rules / "circle.mdc").symlink_to(rules / "circle.mdc")
    told = run(store, "rules", str(project), capsys=capsys)
    assert told["fates"] == {"new": 4}
    assert told["projects"] == {str(project): 4}
    memories = known(store)
    rule = memories["Always run `make lint` before you commit"]
    assert (rule.kind, rule.tags) == ("directive", ("rules", ".cursor/rules/style.mdc", "Style"))
    assert rule.text.endswith("and say so.")
    assert memories["The API lives in `api/`"].kind == "fact"
    assert not any("hunter2" in one.text or "Ours" in one.text for one in memories.values())
    (rules / "style.mdc").write_text("# Style\n- The API lives in `api/`\n", encoding="utf-8")
    told = run(store, "rules", str(project), capsys=capsys)
    assert told["fates"] == {"repeated": 2, "archived": 2}
    assert known(store)["Always run `make lint` before you commit"].status == "archived"
    assert known(store)["Prefer small functions."].status == "live"


def test_a_file_whose_link_leads_out_of_the_repository_is_named_with_what_takes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, project, there = tmp_path / "store", tmp_path / "webshop", tmp_path / "another" / "rules.md"
    project.mkdir()
    there.parent.mkdir()
    there.write_text("Never tell of walrus.\n", encoding="utf-8")
    (project / "AGENTS.md").symlink_to(there)
    told = run(store, "rules", str(project), capsys=capsys)
    (left,) = told["left"]
    assert (told["memories"], told["sources"], left["what"]) == (0, [], "file AGENTS.md")
    takes = f"aftermind import rules {project / 'AGENTS.md'}"
    assert left["why"] == f"its link leads out of the repository, to {there}; `{takes}` takes it"
    told = run(store, *takes.split()[2:], capsys=capsys)
    assert (told["fates"], told["left"]) == ({"new": 1}, [])


def test_a_damaged_or_foreign_file_is_told_and_ends_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root, store = tmp_path / "am", tmp_path / "store"
    good = peer_stores.agentmemory(root, tmp_path / "webshop")
    bad = root / "projects" / "ffff" / "memory.db"
    for broken in (b"", b"nonsense", good.read_bytes()[:5000]):
        bad.parent.mkdir(exist_ok=True)
        bad.write_bytes(broken)
        told = run(store, "agentmemory", str(root), capsys=capsys)
        assert sum(told["fates"].values()) == 5
        assert told["unreadable"] >= 1
        assert str(bad) in told["problems"][-1]["place"] or "table" in told["problems"][-1]["place"]
    run(store, "agentmemory", str(bad), capsys=capsys, status=2)
    other = peer_stores.claude_mem(tmp_path / "cm")
    told = run(store, "agentmemory", str(other), capsys=capsys, status=2)
    assert "no table `beliefs`" in told["problems"][0]["why"]
    with pytest.raises(Unusable, match="nothing of ocm"):
        run(store, "ocm", str(tmp_path / "missing"), capsys=capsys)
    with pytest.raises(Unusable) as raised:
        run(store, str(good), capsys=capsys)
    assert "aftermind import agentmemory" in raised.value.hint


def test_secrets_are_masked_and_what_is_off_limits_stays_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, project = tmp_path / "store", tmp_path / "webshop"
    project.mkdir()
    token = "ghp_" + "a1B2" * 9
    (project / "CLAUDE.md").write_text(f"Use the token {token} for the registry.\n", encoding="utf-8")
    run(store, "rules", str(project), capsys=capsys)
    assert not any(token.encode() in file.read_bytes() for file in store.rglob("*") if file.is_file())
    (project / ".aftermindignore").write_text("*\n", encoding="utf-8")
    (project / "CLAUDE.md").write_text("Use spaces.\n", encoding="utf-8")
    told = run(store, "rules", str(project), capsys=capsys)
    assert (told["fates"], told["memories"]) == ({}, 0)
    (project / ".aftermindignore").write_text("CLAUDE.md\n.claude/\n", encoding="utf-8")
    for name in (".claude/rules/a.md", "AGENTS.md"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(f"Always read {name}.\n", encoding="utf-8")
    (project / ".cursorrules").symlink_to("CLAUDE.md")
    told = run(store, "rules", str(project), capsys=capsys)
    assert (told["fates"], told["sources"]) == ({"new": 1}, [str(project / "AGENTS.md")])
    listed = [(one["what"], one["why"].rpartition(" names it ")) for one in told["left"]]
    why = f"it is off limits: {project / '.aftermindignore'}"
    assert [(what, said[0]) for what, said in listed] == [
        (f"file {name}", why) for name in ("CLAUDE.md", ".cursorrules", "a.md")
    ]
    told = run(store, "rules", str(project / "CLAUDE.md"), capsys=capsys)
    assert (told["fates"], [one["what"] for one in told["left"]]) == ({}, ["file CLAUDE.md"])
