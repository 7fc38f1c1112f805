"""The README's commands, run as it says, by the installed package with an empty HOME."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from tests.e2e.conftest import ROOT, run

README = (ROOT / "README.md").read_text(encoding="utf-8")
GUARANTEES = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_commands_of_the_readme_work(environment: dict[str, str], tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    _, assistants, pausing, usage, kept, together, daily, hooks, documents, beginning, past = blocks("sh")
    dry, *rest = assistants.splitlines()
    assert "+++" in run(dry, cwd=project, env=environment).stdout
    for line in [*rest, *pausing.splitlines()]:
        run(line, cwd=project, env=environment)
    lines = [line for line in usage.splitlines() if line.strip()]
    outputs = {line: run(line, cwd=project, env=environment).stdout for line in lines}
    assert all(outputs[line] for line in lines)
    briefing = next(out for line, out in outputs.items() if line.startswith("aftermind context"))
    assert "Staging listens on port 8081" in briefing
    said = [run(line, cwd=project, env=environment).stdout for line in kept.splitlines()]
    assert "Renew the certificate" in "".join(said)
    assert "make check" in run("aftermind directive list", cwd=project, env=environment).stdout
    held, *_, blocked, known = (run(line, cwd=project, env=environment).stdout for line in together.splitlines())
    assert "src/billing.py" in held
    assert blocked
    assert "Tokens expire" in known
    run("aftermind start", cwd=project, env=environment)
    for line in daily.splitlines():
        run(line, cwd=project, env=environment)
    keep, prompt, turn, check, stop = hooks.splitlines()
    assert "Staging listens on port 8081" in run(f"{keep}\n{prompt}", cwd=project, env=environment).stdout
    assert run(f"{keep}\n{turn}", cwd=project, env=environment).stdout == ""
    assert "Nothing was recorded" in run(check, cwd=project, env=environment).stdout
    assert "Stopped" in run(stop, cwd=project, env=environment).stdout
    (project / "docs").mkdir()
    (project / "docs" / "deploy.md").write_text("# Deploy\n\nStaging is deployed by make deploy-staging.\n")
    ingest, books = documents.splitlines()
    run(ingest, cwd=project, env=environment)
    assert "deploy" in run(books, cwd=project, env=environment).stdout.lower()
    (project / "CLAUDE.md").write_text("- Never push to main.\n")
    for line in [*beginning.splitlines(), *past.splitlines()]:
        assert run(line, cwd=project, env=environment).stdout
    assert "Which port has staging?" in run("aftermind search staging", cwd=project, env=environment).stdout


def test_the_make_targets_of_the_readme_exist() -> None:
    for line in blocks("sh")[0].splitlines():
        run(f"make --dry-run {line.split()[1]}", cwd=ROOT)


def test_the_python_of_the_readme_works(environment: dict[str, str], installed: Path, tmp_path: Path) -> None:
    (code,) = blocks("python")
    body = textwrap.indent(code.replace("import aftermind\n", ""), "    ")
    script = f"import aftermind, anyio\n\nasync def main():\n{body}\n\nanyio.run(main)\n"
    (tmp_path / "script.py").write_text(script, encoding="utf-8")
    run([str(installed / "python"), "script.py"], cwd=tmp_path, env=environment)


def test_the_demo_shows_what_the_readme_says(environment: dict[str, str], tmp_path: Path) -> None:
    shown = run("aftermind demo", cwd=tmp_path, env=environment).stdout
    assert "What worked is at place 2, what failed at place 4" in shown
    assert "the corrected database is there, the old one is not." in shown
    (briefing,) = blocks("text")
    said = [line.split(") ", 1)[-1] for line in briefing.splitlines()]
    second = shown[shown.index("── Session 2") :]
    places = [
        second.index(words) for words in said if words not in ("<aftermind-memory>", "</aftermind-memory>", said[1])
    ]
    assert places == sorted(places), "in the order in which they are shown"


def test_every_guarantee_names_a_test_that_exists() -> None:
    named = re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", GUARANTEES)
    assert len(named) >= 40
    for path, test in named:
        assert (ROOT / path).exists(), path
        assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), test


def test_the_guarantees_of_the_readme_are_rows_of_their_page() -> None:
    rows = [line for line in README.splitlines() if re.search(r"\| `tests/", line)]
    assert len(rows) == 5
    assert set(rows) <= set(GUARANTEES.splitlines())


def test_nothing_is_left_outside_of_the_store(environment: dict[str, str], tmp_path: Path) -> None:
    run("aftermind remember 'a fact about deploys' --global", cwd=tmp_path, env=environment)
    home = Path(environment["HOME"])
    left = {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}
    assert left
    assert all(path.startswith((".local/share/aftermind/", "Library/")) for path in left)
