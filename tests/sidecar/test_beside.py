"""A rule that says "a new one" is kept with what it is one of, or not at all; one that tells which things it means by
"that" points at nothing that is before somebody's eyes; and one may be asked for politely."""

from __future__ import annotations

import pytest

from aftermind.sidecar.captures.messages import captured


@pytest.mark.parametrize(
    "rule",
    [
        "never edit migrations that are merged, always add a new one",
        "don't edit merged migrations, always add a new one",
        "don't edit old migrations. always add another one",
        "never use a fixture twice, always add a fresh one",
        "never edit migrations that are already merged",
        "never commit files that have conflicts",
    ],
)
def test_a_rule_is_kept_with_what_it_is_about(rule: str) -> None:
    (kept,) = captured(rule)
    assert (kept.kind, kept.text) == ("directive", rule)


@pytest.mark.parametrize(
    "message",
    [
        "always add a new one",
        "the old tests fail, always make a new one",
        "leave that file alone, always add a new one",
        "always run tests that way",
        "never edit that",
    ],
)
def test_what_nobody_could_understand_later_is_not_kept(message: str) -> None:
    assert captured(message) == ()


def test_a_rule_that_stands_alone_is_kept_without_what_was_wrong() -> None:
    (kept,) = captured("don't commit to main, always open a pr")
    assert kept.text == "always open a pr"


@pytest.mark.parametrize(
    "rule",
    [
        "por favor responde siempre en español",
        "por favor nunca uses npm",
        "ok por favor usa siempre pnpm",
        "por favor responda sempre em português",
        "per favore usa sempre pnpm",
        "s'il te plaît réponds toujours en français",
        "s'il vous plaît n'utilise jamais npm",
    ],
)
def test_a_rule_may_begin_with_a_courtesy_of_several_words(rule: str) -> None:
    (kept,) = captured(rule)
    assert (kept.kind, kept.text) == ("directive", rule)


@pytest.mark.parametrize("message", ["por favor arregla el test", "s'il te plaît corrige-le", "por favor usa pnpm"])
def test_a_request_is_no_rule_for_its_courtesy(message: str) -> None:
    assert captured(message) == ()
