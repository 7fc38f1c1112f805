"""Onboarding: what a project says of itself is known afterwards, with its source; and again, only what changed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.erased import holding
from tests.private_keys import body_of, pem

FILES = {
    "README.md": "# Webshop\n\nSells lamps. Orders are exported to the ledger every night.\n",
    "docs/deploy.md": "# Deploying\n\nStaging is deployed from the branch `next`.\n",
    "package.json": json.dumps(
        {
            "name": "webshop",
            "description": "Sells lamps",
            "engines": {"node": ">=22"},
            "packageManager": "pnpm@9.1.0",
            "scripts": {"build": "vite build", "test": "vitest run"},
            "dependencies": {"fastify": "^5"},
        }
    ),
    "Makefile": "db: ## Start the database\n\tdocker compose up -d db\n\nlint:\n\t@eslint src\n",
    ".github/workflows/ci.yml": "name: ci\non: push\njobs:\n  unit:\n    steps:\n      - uses: a/b@v1\n      - run: |\n"
    "          pnpm install\n          pnpm run test\n",
    "CLAUDE.md": "# Rules\n\n- Never commit to `main` directly.\n- Amounts are kept in cents.\n",
    "src/cart.ts": "export const cart = 1\n",
    "src/cart.test.ts": "it('works')\n",
    ".gitignore": "build/\n",
    "build/out.md": "# Not this\n",
}
NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="not installed: git")


@pytest.fixture
def project(place: Path) -> Path:
    folder = place / "webshop"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def found(cli: Cli, project: Path, words: str) -> list[str]:
    hits = json.loads(cli("search", words, "--project", str(project), "--json").out)
    return [hit["memory"]["speaker"] + " | " + hit["text"] for hit in hits]


def rows(cli: Cli, project: Path, *more: str) -> dict[str, tuple[int, int, int]]:
    said = json.loads(cli("onboard", str(project), "--json", *more).out)
    documents, fates = said["documents"], said["rules"]["fates"]
    told = {"documents": (documents["new"], documents["changed"], documents["unchanged"])}
    told["rules"] = (fates.get("new", 0), fates.get("archived", 0), fates.get("repeated", 0))
    return told | {row["form"]: (row["new"], row["changed"], row["unchanged"]) for row in said["taken"]}


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def committed(folder: Path, subject: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", subject)


def test_what_a_project_says_of_itself_is_known_with_its_source(cli, project):
    new = {"documents": (2, 0, 0), "rules": (2, 0, 0), "manifest": (2, 0, 0), "ci": (1, 0, 0), "layout": (1, 0, 0)}
    assert rows(cli, project) == new
    assert "webshop: package.json | `pnpm run build` runs `vite build`." in found(cli, project, "vite build")
    assert "webshop: package.json | It needs node >=22." in found(cli, project, "which node does it need")
    assert found(cli, project, "start the database")[0].startswith("webshop: Makefile | `make db` runs")
    ci = "webshop: .github/workflows/ci.yml | CI (ci) runs in unit: `pnpm install`; `pnpm run test`."
    assert ci in found(cli, project, "what does CI run")
    assert any("such as src/cart.test.ts" in one for one in found(cli, project, "where are the tests"))
    assert any("Never commit to `main` directly" in one for one in found(cli, project, "commit to main directly"))
    assert any("ledger every night" in one for one in found(cli, project, "orders exported to the ledger"))
    assert not any("Not this" in one for one in found(cli, project, "not this build out"))


def test_twice_changes_nothing_and_then_only_what_changed(cli, project):
    rows(cli, project)
    before = cli("log", "--json").out
    same = {"documents": (0, 0, 2), "rules": (0, 0, 2), "manifest": (0, 0, 2), "ci": (0, 0, 1), "layout": (0, 0, 1)}
    assert rows(cli, project) == same
    assert cli("log", "--json").out == before
    (project / "CLAUDE.md").write_text("- Amounts are kept in cents.\n", encoding="utf-8")
    (project / "package.json").write_text('{"name": "webshop", "engines": {"node": ">=24"}}', encoding="utf-8")
    again = rows(cli, project)
    assert (again["manifest"], again["rules"]) == ((0, 1, 1), (0, 1, 1))
    assert "webshop: package.json | It needs node >=24." in found(cli, project, "which node does it need")
    assert not any(">=22" in one for one in found(cli, project, "which node does it need"))


def test_the_rules_of_a_file_that_is_gone_are_archived_and_that_is_told(cli, project):
    rows(cli, project)
    (project / "CLAUDE.md").unlink()
    said = cli("onboard", str(project)).out
    assert "2 rules were archived: no file says so any more." in said
    assert "kinds:" not in said
    assert cli("search", "--tag", "rules", "--project", str(project), "--json").json == []
    assert "archived" not in cli("onboard", str(project)).out


def test_a_dry_run_writes_nothing(cli, project, store):
    assert rows(cli, project, "--dry-run")["manifest"] == (2, 0, 0)
    assert not (store / "log.db").exists()


def test_a_dry_run_tells_what_a_run_would_find_new(cli, project):
    (project / "CLAUDE.md").write_text("- Never commit a secret.\n- Run the linter.\n", encoding="utf-8")
    (project / "README.md").write_text("# Webshop\nSells wombats.\n", encoding="utf-8")
    foretold, done = rows(cli, project, "--dry-run"), rows(cli, project)
    assert foretold == done
    again = rows(cli, project, "--dry-run")
    assert again == rows(cli, project)
    assert {new + changed for new, changed, _ in again.values()} == {0}
    (project / "CLAUDE.md").write_text("- Never commit a secret.\n- Ask before a push.\n", encoding="utf-8")
    (project / "README.md").write_text("# Webshop\nSells quokkas.\n", encoding="utf-8")
    foretold, done = rows(cli, project, "--dry-run"), rows(cli, project)
    assert foretold["documents"] == done["documents"]
    assert (foretold["rules"][0], foretold["rules"][2]) == (done["rules"][0], done["rules"][2])


@NEEDS_GIT
def test_history_is_told_and_may_be_left_out(cli, project):
    git(project, "init", "-q")
    for number in range(12):
        (project / "src/cart.ts").write_text(f"export const cart = {number}\n", encoding="utf-8")
        (project / "src/cart.test.ts").write_text(f"it('works {number}')\n", encoding="utf-8")
        committed(project, f"fix(cart): round number {number}")
    assert "history" not in rows(cli, project, "--no-history")
    assert rows(cli, project)["history"] == (1, 0, 0)
    told = found(cli, project, "fix cart round number 7")
    assert any("round number 7" in one and one.startswith("webshop: history | Work of ") for one in told)
    together = "webshop: history | src/cart.test.ts and src/cart.ts change together (12 commits of late)."
    assert together in found(cli, project, "which files change together")
    assert any("Conventional Commits" in one for one in found(cli, project, "how are subjects of commits written"))
    committed(project, "docs: say it")
    assert rows(cli, project)["history"] == (0, 1, 0)


@NEEDS_GIT
def test_no_part_of_a_secret_or_of_what_is_private_is_left_where_something_is_cut(cli, project, place):
    token, key = "ghp_" + "a1B2" * 9, pem()
    fills = (f"{'x' * length} {token}" for length in range(355, 400, 4))
    scripts = {f"s{number}": f"echo {fill}" for number, fill in enumerate(fills)}
    (project / "package.json").write_text(json.dumps({"name": "webshop", "scripts": scripts}))
    (project / "Makefile").write_text(
        f"db: ## {'y' * 380} {token}\n\ttrue\n\n# <private>\nargon:\n\techo Argontarget\n# </private>\nlint:\n\ttrue\n"
    )
    run = "\n".join(f"          {line}" for line in key.split("\n"))
    ci = f"jobs:\n  a:\n    steps:\n      - run: |\n{run}\n          make\n"
    (project / ".github/workflows/ci.yml").write_text(ci)
    git(project, "init", "-q")
    committed(project, f"{'z' * 385} {token}")
    told = rows(cli, project)
    assert (told["manifest"], told["ci"], told["history"]) == ((2, 0, 0), (1, 0, 0), (1, 0, 0))
    assert found(cli, project, "make lint")
    assert holding(place / "store", token[:10], "Argontarget", *body_of(key)) == {}


@NEEDS_GIT
@pytest.mark.parametrize("git_is", ["a folder", "a file, as in a worktree"])
def test_what_was_read_from_a_folder_has_lost_nothing_while_that_is_there(cli, project, git_is):
    git(project, "init", "-q", *([] if git_is == "a folder" else ["--separate-git-dir", str(project.parent / "kept")]))
    committed(project, "first")
    there = ("--project", str(project))
    for command in (("onboard", str(project)), ("onboard", str(project)), ("ingest", str(project), *there)):
        said = cli(*command)
        assert "lost" not in said.out
        assert "not looked at" not in said.out
    books = {book["form"]: book["id"] for book in cli("books", *there, "--json").json}
    (project / ".git").rename(project / "elsewhere")
    said = cli("ingest", str(project), *there, "--json").json
    assert [one["id"] for one in said["lost"]] == [books["history"]]


def test_a_pipeline_that_is_put_off_limits_or_gone_is_told_by_the_next_ingestion(cli, project):
    cli("onboard", str(project))
    there = ("--project", str(project))
    (ci,) = [book["id"] for book in cli("books", *there, "--json").json if book["form"] == "ci"]
    (project / ".aftermindignore").write_text(".github/\n", encoding="utf-8")
    assert [one["id"] for one in cli("ingest", str(project), *there, "--json").json["unseen"]] == [ci]
    (project / ".aftermindignore").unlink()
    (project / ".github/workflows/ci.yml").unlink()
    assert [one["id"] for one in cli("ingest", str(project), *there, "--json").json["lost"]] == [ci]


@NEEDS_GIT
def test_a_repository_without_a_commit_is_read_without_a_history(cli, project):
    git(project, "init", "-q")
    said = json.loads(cli("onboard", str(project), "--json").out)
    assert [one["path"] for one in said["untold"]] == [str(project / ".git")]
    assert {row["form"] for row in said["taken"]} == {"manifest", "ci", "layout"}


@NEEDS_GIT
def test_nothing_a_repository_configures_is_run(cli, project, tmp_path):
    git(project, "init", "-q")
    committed(project, "first")
    mark = tmp_path / "ran"
    for name in ("core.fsmonitor", "core.pager", "gpg.program", "diff.external"):
        git(project, "config", name, f"touch {mark} #")
    git(project, "config", "log.showSignature", "true")
    assert rows(cli, project)["history"] == (1, 0, 0)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("package.json", b'{"name": "webshop", "scripts"'),
        ("pyproject.toml", b"[project\nname="),
        ("package.json", b"[1, 2]"),
        (".gitlab-ci.yml", b"a: [1, 2\nb: }"),
        ("Makefile", b"\0\1\2binary"),
        ("Cargo.toml", b"#" * 1_100_000),
    ],
)
def test_what_cannot_be_read_is_told_and_ends_nothing(cli, project, name, text):
    (project / name).write_bytes(text)
    said = json.loads(cli("onboard", str(project), "--json").out)
    assert [one["path"] for one in said["untold"]] == [str(project / name)]
    assert said["documents"]["new"] == 2
    assert f"Could not read {project / name}: " in cli("onboard", str(project)).out


def test_a_pipeline_of_aliases_of_aliases_takes_no_time(cli, project):
    lines = ["a0: &a0 {run: echo}"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (project / ".gitlab-ci.yml").write_text("\n".join(lines), encoding="utf-8")
    assert rows(cli, project)["ci"] == (2, 0, 0)


def test_what_is_off_limits_is_not_read(cli, project):
    (project / ".aftermindignore").write_text("package.json\ndocs/\n", encoding="utf-8")
    rows(cli, project)
    assert found(cli, project, "vite build") == []
    assert found(cli, project, "staging deployed branch") == []


def test_a_folder_that_is_not_there_is_told(cli, tmp_path):
    said = cli("onboard", str(tmp_path / "nowhere"))
    assert said.status == 2
    assert "there is no folder" in said.err


def test_an_empty_folder_says_nothing_of_itself(cli, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "says nothing of itself yet" in cli("onboard", str(tmp_path / "empty")).out


def test_what_never_ends_is_not_read_and_what_is_nested_too_deep_is_told(cli: Cli, place: Path):
    folder = place / "strange"
    folder.mkdir()
    (folder / ".git").symlink_to("/dev/zero")
    (folder / "package.json").write_text("[" * 100_000, encoding="utf-8")
    (folder / "README.md").write_text("# The otters\n\nThey hold hands.\n", encoding="utf-8")
    ran = cli("onboard", str(folder))
    assert ran.status == 0, ran.err
    assert "package.json" in ran.out + ran.err


def test_a_hundred_megabytes_are_told_and_not_read(cli, project):
    huge = project / "HUGE.md"
    with huge.open("wb") as file:
        file.truncate(100 * 1024 * 1024)  # of zeros, which take no room
    (project / "packages" / "till").mkdir(parents=True)
    (project / "packages" / "till" / "README.md").write_text("# Till\n\nThe till counts coins.\n")
    (project / "packages" / "till" / "notes.md").write_text("# Notes\n\nNobody meant this.\n")
    (project / "docs" / "picture.png").write_bytes(bytes(range(256)) * 100)
    said = cli("onboard", str(project), "--json").json
    assert [one["path"] for one in said["documents"]["unreadable"] if one["path"] == str(huge)] == [str(huge)]
    assert said["documents"]["new"] == 3
    assert any("counts coins" in one for one in found(cli, project, "what does the till count"))
    assert "aftermind ingest" in cli("onboard", str(project)).out
