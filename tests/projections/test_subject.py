"""What a query is about: talk about the talk is left out, and nothing else."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.subject import LONGEST, subject
from aftermind.projections.reading.terms import terms


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("What did I say about the backups?", "What about the backups?"),
        ("Could you give me a short summary of the migration?", "the migration?"),
        ("please list the order in which we discussed the outages", "the outages"),
        ("Which queues have we already talked about in our last chats?", "Which queues ?"),
        ("How was the router set up? Answer in one sentence.", "How was the router set up?"),
        ("Tell me about the various aspects of caching that I mentioned", "the caching"),
    ],
)
def test_talk_about_the_talk_is_left_out(query: str, left: str) -> None:
    assert subject(query) == left


@pytest.mark.parametrize(
    "query",
    [
        "Which port does staging listen on?",
        "the order service lists orders in order to give the list to the tell-tale job",
        "What did Ann say about the budget?",
        "sort the list of sessions by the order of their messages",
        "mention the release notes in the summary of the week",
        "what did we say?",
        "Was haben wir in unseren Gesprächen gesagt?",
        "",
    ],
)
def test_what_it_is_about_stays(query: str) -> None:
    assert subject(query) == query


def test_its_words_are_not_asked_for() -> None:
    assert [term.text for term in terms("Can you give me a summary of what I mentioned about the cache?")] == ["cache"]


def test_a_long_query_stays_whole_and_any_other_is_read_at_once() -> None:
    long = "tell me what I said " * 20
    assert len(long) > LONGEST
    assert subject(long) == long
    for hostile in ("in our ", "please ", ". list ", "that i ", "give me a a ", "did we ", "the order "):
        subject((hostile * 100)[:LONGEST])
