"""Rules that no "never" and no "always" marks, known by what they are of: an area of the work without "this" or "here",
or every commit. An order for the task at hand is none, and neither is what a task beside it may have meant."""

from __future__ import annotations

import pytest

from aftermind.sidecar.captures.messages import captured

RULES = """
don't use unwrap() in library code, use anyhow context instead
don't use unwrap() in library code
don't use print in production code, use the logger
please don't use emojis in commit messages
don't mock the database in tests
do not mock the clock in unit tests
don't hardcode ports in integration tests
don't log tokens in production
avoid default exports
please avoid wildcard imports
No. Don't use emojis in commit messages.
avoid magic numbers in tests
avoid console.log in production code
make sure to run pnpm typecheck before every commit
please make sure you run the tests before each push
be sure to update the changelog before every release
don't forget to bump the version before each release
remember to bump the version in Cargo.toml before each release
for the future: run cargo fmt before committing
For the future, use tabs.
ne jamais committer sur main
mainに直接pushしないで
本番に直接デプロイしないでください
tests must pass before we go to production
make sure to update dependencies before each release
""".strip().splitlines()
NO_RULES = """
don't use unwrap() here
don't use unwrap() in this file
don't use unwrap() in the library code you just wrote
don't mock it
don't mock it in tests
don't mock the database
don't mock the database here
don't mock the database in this test
don't mock the database in these tests
don't mock the database in tests yet
don't mock the database in tests for now
don't mock the database in my tests
don't change anything in tests
don't use the new client in tests
don't touch the fixtures in tests
don't run the migration in production
don't use port 8080 in the tests
why don't you mock the database in tests?
we said don't mock the database in tests, but you did it
write the parser test. don't mock the database in tests
fix the login and don't use sleep in tests
don't use it in library code, use this one instead
avoid that
avoid it in tests
avoid default exports here
avoid the default export
avoid default exports in this file
avoid breaking changes
avoid changes in tests
avoid long explanations
avoid these default exports
avoid large numbers
avoid line numbers
avoid all wildcard imports
avoid unused imports
avoid lots of todos
make sure to check permissions before every merge
make sure to update the docs before the release
note that I need approval from Marco
note that we need approval from Marco
write a button component. avoid default exports
write a button component, avoid default exports
I tried to avoid default exports
I need a new parser module. Avoid default exports.
the settings page needs a form; avoid default exports
ok do it. avoid default exports
now the tests please. don't mock the database in tests
go ahead, but avoid default exports
Let's do the migration. avoid wildcard imports
I want a pre-commit hook. make sure to run lint before every commit
how do I avoid default exports?
avoid default exports for now
make sure to run the tests
make sure the tests run before every commit
make sure to run the tests before you commit
make sure to flush the buffer before every commit
make sure to call close before each request
make sure to reset the mocks before every test
add a hook. make sure to run the linter before every commit
make sure it runs the linter before every commit
did you make sure to run the tests before every commit?
make sure to run this before every commit
be sure to check the port
don't forget to update the changelog
remember to bump the version
for the future release we need a plan
for the future we need a better parser
the future: run cargo fmt
use tabs in this file
il ne faut jamais committer sur main ?
ne jamais oublier
pushしないで
今はmainに直接pushしないで
まだmainに直接pushしないで
このファイルを直接編集しないで
tests must pass before I go home
tests must pass before we leave today
we don't deploy with GitHub Actions anymore?
don't put comments in templates, I'll do it
don't use fixtures in tests, I am debugging
make sure to update the user before every push
make sure to update a row before each merge
remember to bump the counter after each push
don't forget to update the timestamp after every commit
be sure to rebuild the search index after every deploy
make sure to run the callback before every commit
for the future: add a dark mode
for the future, add pagination to the list
pour l'avenir, ajoute un cache
ne jamais committer ici
ne jamais merger cette branche
この変更は本番に直接反映しないで
私はmainに直接pushしないです
mainに直接pushしないでと言われた
mainブランチに直接pushしないです
本番環境に直接デプロイしないでと言われた
avoid circular imports - how?
make sure to run the tests before every push, and push now
for the future: use a queue
for the future, use a bigger logo
""".strip().splitlines()


@pytest.mark.parametrize("message", RULES)
def test_what_is_forbidden_or_wanted_in_general_is_a_rule(message: str) -> None:
    (rule,) = captured(message)
    assert (rule.kind, rule.everywhere) == ("directive", False)
    assert rule.text == message.removeprefix("No. ").removesuffix(".")


@pytest.mark.parametrize("message", NO_RULES)
def test_what_is_of_the_task_at_hand_is_no_rule(message: str) -> None:
    assert [one for one in captured(message) if one.kind == "directive"] == []


FACTS = """
please remember that the API keys are in 1Password, vault Engineering | the API keys are in 1Password, vault Engineering
remember that the API keys are in 1Password | the API keys are in 1Password
remember that the secrets are stored in Vault | the secrets are stored in Vault
please remember that the tokens live in AWS Secrets Manager | the tokens live in AWS Secrets Manager
I want you to remember that the API is frozen until January | the API is frozen until January
please remember that the API is frozen until the end of March | the API is frozen until the end of March
please note that production deploys need approval from Marco | production deploys need approval from Marco
we don't deploy with GitHub Actions anymore | we don't deploy with GitHub Actions anymore
""".strip().splitlines()


@pytest.mark.parametrize("line", FACTS)
def test_what_is_told_to_be_known_is_no_rule(line: str) -> None:
    message, text = line.split(" | ")
    (fact,) = captured(message)
    assert (fact.kind in ("fact", "configuration"), fact.text) == (True, text)


@pytest.mark.parametrize(
    "message",
    [
        "remember that the password is in 1Password: hunter2-blue",
        "remember that the API key is in 1Password, it is abc123def",
        "remember that the password is 1Password",
        "remember that the password is in Vault, Hunter",
        "remember that the password is in Vault, vault Hunter2",
        "remember that the PIN is in Vault, 4711",
        "remember that the token is in Vault, abc123def",
        "remember that the vault password is in use, Hunter2",
        "remember that the token is stored in abc123",
        "the API key is sk-4f9a77 and stored in Vault",
        "remember that the door code is in 1Password, 4711",
        "remember that the tests are off until I say so",
        "remember that we skip the deploy until tomorrow",
        "remember that for now the API is frozen until January",
        "please note that the tests need a fix",
        "note that this needs a test",
    ],
)
def test_what_tells_a_secret_or_is_of_the_moment_is_not_kept(message: str) -> None:
    assert captured(message) == ()


@pytest.mark.parametrize(
    "message",
    [
        "please note that commit messages must start with a ticket id",
        "note that every PR needs a changelog entry",
        "remember that migrations must never be edited",
    ],
)
def test_what_is_told_to_have_to_be_so_stays_a_rule(message: str) -> None:
    (rule,) = captured(message)
    assert rule.kind == "directive"
    assert "that" not in rule.text.split()


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("we replaced RabbitMQ with Redis because ops already runs it", "decision"),
        ("we dropped Kafka since nobody used it", "decision"),
        ("we replaced it because nobody used it", ""),
        ("we dropped the column because nobody used it", ""),
    ],
)
def test_why_something_was_chosen_does_not_hide_what_was(message: str, kind: str) -> None:
    assert [one.kind for one in captured(message)] == [kind] * bool(kind)
