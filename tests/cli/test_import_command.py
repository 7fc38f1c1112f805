"""`aftermind import`: it says what a source is, what became of it, and what was wrong with it."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

import anyio
import pytest

from aftermind.cli.commands import import_
from aftermind.cli.importing.source import detected
from aftermind.engine.errors import Unusable


def jsonl(path: Path, *records: object) -> Path:
    lines = [record if isinstance(record, bytes) else json.dumps(record).encode() for record in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def said(prompt: str, answer: str = "done", session: str = "s1", **more: object) -> dict[str, object]:
    return {"prompt": prompt, "answer": answer, "session": session, **more}


def command(store: Path, source: Path, *options: str, as_json: bool = False) -> int:
    parser = ArgumentParser()
    import_.configure(parser)
    arguments = Namespace(home=str(store), json=as_json)
    return anyio.run(import_.run, parser.parse_args([str(source), *options], arguments))


def test_the_command_says_what_became_of_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, path = tmp_path / "store", jsonl(tmp_path / "x.jsonl", said("one"), said("two"), b"oops")
    assert command(store, path, "--dry-run") == 0
    expected = "Found 2 exchanges in 1 session, 1 line could not be read (line 3: not JSON). Nothing was written.\n"
    out = capsys.readouterr()
    assert out.out == expected
    assert "JSON lines" in out.err
    assert not store.exists()
    assert command(store, path) == 0
    assert capsys.readouterr().out == "Imported 2 new exchanges, 1 line could not be read (line 3: not JSON).\n"
    assert command(store, path, as_json=True) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["format"], report["new"], report["repeated"], report["unreadable"]) == ("jsonl", 0, 2, 1)


def test_an_empty_file_is_no_error_and_makes_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.jsonl").touch()
    assert command(tmp_path / "store", tmp_path / "x.jsonl") == 0
    assert "is empty" in capsys.readouterr().out
    assert not (tmp_path / "store").exists()


def test_what_days_leave_out_was_read_and_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    path = jsonl(tmp_path / "x.jsonl", said("old", at="2020-01-31T12:00:00Z"), said("of no time"), b"oops")
    assert command(store, path, "--days", "1") == 0
    told = "Found no exchanges in {}, 2 said before that or without a time were left out, 1 line could not be read"
    assert capsys.readouterr().out.startswith(told.format(path))
    assert command(store, path, "--days", "1", as_json=True) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["found"], report["older"], report["unreadable"]) == (0, 2, 1)


def test_a_source_with_nothing_to_import_but_errors_is_unusable(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "x.jsonl", b"one", b"two")
    with pytest.raises(Unusable, match="neither"):
        command(tmp_path / "store", path)
    assert command(tmp_path / "store", path, "--format", "jsonl") == 2
    for other in (tmp_path / "missing", tmp_path):
        (tmp_path / "x.jsonl").unlink(missing_ok=True)
        with pytest.raises(Unusable):
            command(tmp_path / "store", other)


@pytest.mark.parametrize(
    ("first", "format"),
    [
        (said("q"), "jsonl"),
        ({"type": "user", "uuid": "u", "message": {"content": "q"}}, "claude"),
        ({"type": "queue-operation", "sessionId": "s", "prompt": "q"}, "claude"),
        ({"type": "summary", "summary": "s", "leafUuid": "l"}, "claude"),
    ],
)
def test_the_first_line_that_can_be_read_says_the_format(tmp_path: Path, first: object, format: str) -> None:
    assert detected(jsonl(tmp_path / "x.data", b"{broken", first)) == format


def test_the_sentence_tells_all_reasons_of_a_few_bad_lines_and_the_first_of_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(bad: int) -> str:
        path = jsonl(tmp_path / "x.jsonl", said("one"), *[b"oops"] * bad)
        assert command(tmp_path / "store", path, "--dry-run") == 0
        return capsys.readouterr().out

    assert "(line 2: not JSON; line 3: not JSON)." in told(2)
    assert told(5).count("not JSON") == 5
    assert "line 4: not JSON; …; --json lists all)." in told(6)
    assert "; --json lists the first 20)." in told(21)


def test_a_folder_without_transcripts_says_to_name_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").mkdir()
    with pytest.raises(Unusable) as refused:
        command(tmp_path / "store", tmp_path / "logs")
    assert f"aftermind import {tmp_path / 'logs' / 'FILE.jsonl'}" in refused.value.hint
    jsonl(tmp_path / "logs" / "x.jsonl", said("one"))
    command(tmp_path / "store", tmp_path / "logs")
    assert f"`aftermind import {tmp_path / 'logs' / 'FILE.jsonl'}`" in capsys.readouterr().out


def test_an_assistants_exchanges_are_imported_by_its_name(cli, home: Path) -> None:
    of_nobody = cli("import", "claude-code")
    assert (of_nobody.status, "`aftermind import claude-code PATH`" in of_nobody.err) == (2, True)
    line = {"type": "user", "uuid": "u1", "sessionId": "c1", "cwd": "/a", "timestamp": "2026-01-31T12:00:00.000Z"}
    asked = {**line, "message": {"role": "user", "content": "why does it fail?"}}
    text = {"role": "assistant", "id": "m1", "content": [{"type": "text", "text": "It is the path."}]}
    folder = home / ".claude" / "projects" / "-a"
    folder.mkdir(parents=True)
    jsonl(folder / "c1.jsonl", asked, {**line, "type": "assistant", "uuid": "u2", "message": text})
    assert cli("import", "claude-code").out == "Imported 1 new exchange.\n"
    assert cli("import", "claude-code", str(folder)).out == "Imported 0 new exchanges, 1 was already there.\n"
    assert "claude-code, opencode, roampal" in cli("import", "nosuch").err


def test_a_folder_without_rules_is_named_where_there_are_none(cli, home: Path, place: Path) -> None:
    assert str(place) in cli("import", "rules").err  # what is long is cut off behind that
