"""Of what something uses a host or a version with another number takes the first's place where it is said that it is
used now; of other names it is only told, and of what there are many of nothing is."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import sought
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

NOW = (
    ("Production uses db-1.internal", "Production now uses db-2.internal"),
    ("Production uses db-1.internal", "Production uses db-2.internal now."),
    ("Production now uses db-1.internal", "From now on production uses db-12.internal"),
    ("The client uses https://api.example.org/v1", "The client now uses https://api.example.org/v2"),
    ("Production uses 10.0.0.1", "Production now uses 10.0.0.2"),
    ("CI uses python3.11", "CI now uses python3.12"),
    ("The judge uses gpt-4.1", "The judge now uses gpt-4.5"),
    ("Die Produktion nutzt db-1.internal", "Die Produktion nutzt jetzt db-2.internal"),
    ("La production utilise db-1.internal", "La production utilise maintenant db-2.internal"),
)
PERHAPS = (
    ("The judge uses gpt-4", "The judge now uses gpt-5"),
    ("The signer uses sha1", "The signer now uses sha256"),
    ("Production uses db-1", "Production now uses db-2"),
    ("The app uses schema-1.sql", "The app now uses schema-2.sql"),
    ("The client uses https://api.example.org/items/1", "The client now uses https://api.example.org/items/2"),
)
NOT_NOW = (
    ("The cluster uses node-1.internal", "The cluster now uses node-2.internal"),
    ("Production uses node-1.internal", "Production now uses node-2.internal"),
    ("The cluster uses web-1.internal", "The cluster now uses web-2.internal"),
    ("The load balancer uses web-1.internal", "The load balancer now uses web-2.internal"),
    ("The index uses shard-1", "The index now uses shard-2"),
    ("The network uses ipv4", "The network now uses ipv6"),
    ("The network uses IPv4", "The network now uses IPv6"),
    ("The service uses eu-west-1", "The service now uses eu-west-2"),
    ("Die Suche nutzt shard-1", "Die Suche nutzt jetzt shard-2"),
    ("Production uses db-1.internal", "Production uses db-2.internal"),
    ("Production now uses db-1.internal", "Production uses db-2.internal"),
    ("Production uses db-1.internal", "Staging now uses db-2.internal"),
    ("Production uses db-1.internal", "Production now uses cache-2.internal"),
    ("Production uses db-1.internal", "Production now uses db-2.internal too"),
    ("Production uses db-1.internal", "Production now uses db-2.internal for reports"),
    ("Production uses db-1.internal", "Production now also uses db-2.internal"),
    ("Production uses db-1.internal", "Production now uses db-1.internal and db-2.internal"),
    ("Production uses db-1.internal", "Should production now use db-2.internal?"),
    ("Production uses db-1.internal", "Production now uses `redis`"),
    ("Production uses db-1.internal", "Production will now use db-2.internal"),
    ("The API has issue-1", "The API now has issue-2"),
    ("The API uses JWT", "The API now uses OAuth"),
    ("The team has laptop-1", "The team now has laptop-2"),
    ("The host uses now.sh/v1", "The host uses now.sh/v2"),
)


@pytest.mark.parametrize(("older", "newer"), NOW)
def test_what_is_used_now_takes_the_place_of_what_differs_in_a_number(older: str, newer: str) -> None:
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]
    for one, other in ((older, newer), (newer, older)):
        assert asks_for(one) & found_by(other)
        assert other in those([other], sought(one))


@pytest.mark.parametrize(("older", "newer"), PERHAPS)
def test_what_is_used_now_of_other_names_with_a_number_is_told_to_contradict(older: str, newer: str) -> None:
    found = beside(older, newer)
    assert (found.replaced, [memory for memory, _ in found.contradicted]) == ((), ["old"])


@pytest.mark.parametrize(("older", "newer"), NOT_NOW)
def test_what_is_used_beside_it_or_is_called_otherwise_takes_no_place(older: str, newer: str) -> None:
    assert beside(older, newer) == Settled()
