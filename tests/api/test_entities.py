"""Everything known of one thing: where a text names it, in the project it is asked in, and nowhere by likeness."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from aftermind import OpenMemory
from aftermind.cli.language.answers import Remembered
from aftermind.cli.language.entities import Blocker, Blockers, Entity, Settle, TellEntity
from aftermind.cli.language.items import ReleaseClaim, TakeClaim
from aftermind.cli.language.projects import Share
from aftermind.cli.language.sessions import WriteCheckpoint
from aftermind.engine.entities.blockers import naming
from aftermind.engine.errors import NotFound, Refused, Unusable
from aftermind.engine.event_forms.particulars import BlockerResolved
from aftermind.engine.events import MemoryForgotten
from aftermind.engine.memories.directives import Condition, tags_of
from aftermind.engine.names import EventId

pytestmark = pytest.mark.anyio


def repository(folder: Path, remote: str) -> str:
    folder.mkdir()
    for words in (("init", "-q"), ("remote", "add", "origin", remote)):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    return str(folder)


@pytest.fixture
def shop(tmp_path: Path) -> str:
    return repository(tmp_path / "shop", "git@git.example.org:Acme/Shop.git")


@pytest.fixture
def other(tmp_path: Path) -> str:
    return repository(tmp_path / "other", "https://git.example.org/acme/other")


async def of(memory: OpenMemory, said: str, project: str | None) -> Entity:
    return await memory.ask(TellEntity(said=said, project=project))


def texts(found: Entity) -> set[str]:
    told: Iterable[Remembered | Blocker] = (*found.memories, *found.exchanges, *found.blockers)
    return {one.text for one in told}


async def test_everything_that_names_it_is_told(memory: OpenMemory, shop: str) -> None:
    await memory.remember("We chose Redis for #12", project=shop)
    await memory.remember("Ask Ada", kind="directive", project=shop, tags=tags_of(Condition(about=("#12",))))
    await memory.remember("The quota is used up, see acme/shop#12", kind="blocker", project=shop)
    await memory.record("what about issue 12?", "It is open.", session="s1", project=shop)
    await memory.ask(WriteCheckpoint(text="", goal="Close #12", session="s1", project=shop))
    await memory.remember("https://git.example.org/acme/shop/-/issues/12 was long ago", project=shop)
    found = await of(memory, "#12", shop)
    assert (found.kind, found.known_as) == ("issue", ("git.example.org/acme/shop#12",))
    assert [one.text for one in found.memories] == [
        "https://git.example.org/acme/shop/-/issues/12 was long ago",
        "We chose Redis for #12",
    ]
    assert [one.text for one in found.blockers] == ["The quota is used up, see acme/shop#12"]
    assert [(one.why, one.text) for one in found.rules] == [("about #12", "Ask Ada")]
    assert [one.text for one in found.exchanges] == ["what about issue 12?"]
    assert [one.text for one in found.checkpoints] == ["Close #12"]
    for same in ("acme/shop#12", "Acme/Shop#12", "https://git.example.org/acme/shop/-/issues/12", "issue 12"):
        assert texts(await of(memory, same, shop)) == texts(found)
    for another in (
        "!12",
        "#1",
        "#120",
        "12",
        "acme/other#12",
        "https://github.com/acme/shop/issues/12",
        "ticket 4512",
    ):
        told = await of(memory, another, shop)
        assert (texts(told), told.rules, told.checkpoints) == (set(), (), ()), another


async def test_a_number_is_of_its_own_project(memory: OpenMemory, shop: str, other: str) -> None:
    await memory.remember("Ours: #7", project=shop)
    await memory.remember("Theirs: #7, and acme/shop#7 of the neighbour", project=other)
    await memory.remember("Everybody's: acme/shop#7", project=None)
    await memory.remember("Nobody's: #7", project=None)
    ours = {"Ours: #7", "Everybody's: acme/shop#7"}
    assert texts(await of(memory, "#7", shop)) == ours
    assert texts(await of(memory, "acme/shop#7", shop)) == ours
    assert texts(await of(memory, "#7", other)) == {"Theirs: #7, and acme/shop#7 of the neighbour"}
    assert texts(await of(memory, "#7", None)) == {"Nobody's: #7"}
    await memory.ask(Share(project=shop, other=other))
    assert texts(await of(memory, "#7", shop)) == ours | {"Theirs: #7, and acme/shop#7 of the neighbour"}
    assert texts(await of(memory, "acme/other#7", shop)) == {"Theirs: #7, and acme/shop#7 of the neighbour"}


async def test_a_project_without_a_remote_has_issues_of_its_own(memory: OpenMemory) -> None:
    await memory.remember("Here: !3", project="one")
    await memory.remember("There: !3", project="two")
    assert texts(await of(memory, "!3", "one")) == {"Here: !3"}
    assert texts(await of(memory, "a/b!3", "one")) == set()


async def test_a_file_is_meant_by_its_path_and_by_its_name_where_no_other_has_it(memory: OpenMemory) -> None:
    for text in ("src/app/cart.py rounds", "cart.py rounds, too", "lib/cart.py is another", "the cart rounds"):
        await memory.remember(text, project="p")
    assert texts(await of(memory, "src/app/cart.py", "p")) == {"src/app/cart.py rounds", "cart.py rounds, too"}
    assert (await of(memory, "src/app/cart.py", "p")).kind == "file"
    assert (await of(memory, "cart_total()", "p")).kind == "thing"


@pytest.mark.parametrize("thing", ["E1042", "Cart::total", "@ada", "@types/node", "make deploy", "käse, 部署/🚀 one"])
async def test_other_things_are_known_by_their_shape_or_in_quotes(memory: OpenMemory, thing: str) -> None:
    text = naming("It is about that", [thing])
    await memory.remember(text, project="p")
    await memory.remember("It is about something else", project="p")
    assert texts(await of(memory, thing, "p")) == {text}


async def test_a_tag_is_a_name(memory: OpenMemory) -> None:
    await memory.remember("Prices are integers", tags=("Billing service",), project="p")
    assert texts(await of(memory, "billing services", "p")) == {"Prices are integers"}


async def test_who_works_on_it_is_told(memory: OpenMemory, shop: str, other: str) -> None:
    for item, project, by in (
        ("#12", shop, "ada"),
        ("fix the login, then acme/shop#12", shop, "ben"),
        ("#120", shop, "cyd"),
        ("#12", other, "dee"),
    ):
        await memory.ask(TakeClaim(item=item, project=project, by=by))
    released = await memory.ask(TakeClaim(item="Close #12", project=shop, by="eve"))
    await memory.ask(ReleaseClaim(item="Close #12", project=shop, fence=released.fence))
    await memory.ask(Share(project=shop, other=other))
    assert {one.by for one in (await of(memory, "#12", shop)).claims} == {"ada", "ben"}
    assert [one.by for one in (await of(memory, "acme/other#12", other)).claims] == ["dee"]
    assert [one.item for one in (await of(memory, "fix the login, then acme/shop#12", shop)).claims] == [
        "fix the login, then acme/shop#12"
    ]


async def test_more_than_the_limit_is_counted(memory: OpenMemory) -> None:
    for n in range(5):
        await memory.remember(f"Thing {n} of #12 is red", project="p")
    found = await memory.ask(TellEntity(said="#12", project="p", limit=2))
    assert (len(found.memories), found.more) == (2, 3)


# --- blockers -------------------------------------------------------------------------------------------------


async def blocks(memory: OpenMemory, text: str, project: str | None = "p") -> str:
    return await memory.remember(text, kind="blocker", project=project)


async def test_a_blocker_is_resolved_by_what_it_names_and_the_evidence_is_kept(memory: OpenMemory) -> None:
    one = await blocks(memory, "Waiting for !12")
    await blocks(memory, "ticket 4512 on port 1234")
    found = await memory.ask(Settle(which="!12", evidence="merged as 1f2e", project="p"))
    assert (found.id, found.resolved, found.how) == (one, True, "merged as 1f2e")
    events = [event.draft.event for event in await memory.events()]
    assert [event.how for event in events if isinstance(event, BlockerResolved)] == ["merged as 1f2e"]
    assert [blocker.text for blocker in await memory.ask(Blockers(project="p"))] == ["ticket 4512 on port 1234"]
    assert [blocker.resolved for blocker in await memory.ask(Blockers(project="p", resolved=True))] == [False, True]
    assert (await memory.ask(Settle(which="!12", reopen=True, project="p"))).resolved is False


async def test_what_is_not_one_is_refused_with_those_there_are(memory: OpenMemory) -> None:
    first, second = await blocks(memory, "Waiting for #12"), await blocks(memory, "The host waits for #12, too")
    fact = await memory.remember("The port is 8081", project="p")
    head = (await memory.state()).head
    for which, form, why in (
        ("#12", Unusable, "2 open blockers name it"),
        ("#13", NotFound, "no open blocker"),
        ("12", NotFound, "no open blocker"),
    ):
        with pytest.raises(form, match=why) as refused:
            await memory.ask(Settle(which=which, evidence="x", project="p"))
        assert first in refused.value.hint
        assert second in refused.value.hint
    with pytest.raises(Unusable, match="evidence"):
        await memory.ask(Settle(which=first, evidence=" ", project="p"))
    with pytest.raises(Refused, match="only a blocker"):
        await memory.ask(Settle(which=fact, evidence="x", project="p"))
    with pytest.raises(NotFound, match="no project"):
        await memory.ask(Settle(which="#12", evidence="x", project="q"))
    assert (await memory.state()).head == head
    assert (await memory.ask(Settle(which=second, evidence="x"))).resolved


async def test_an_assistant_resolves_only_what_its_project_has(memory: OpenMemory) -> None:
    theirs = await blocks(memory, "Waiting for #12", "q")
    with pytest.raises(NotFound, match="no open blocker"):
        await memory.ask(Settle(which=theirs, evidence="x", project="p", within="p"))


async def test_told_twice_it_is_resolved_once(memory: OpenMemory) -> None:
    await blocks(memory, "Waiting for #12")
    key = EventId("a" * 32)
    asked = Settle(which="#12", evidence="merged", project="p")
    assert await memory.ask(asked, key) == await memory.ask(asked, key)
    assert sum(isinstance(one.draft.event, BlockerResolved) for one in await memory.events()) == 1


async def test_what_was_forgotten_is_not_told(memory: OpenMemory) -> None:
    id = await blocks(memory, "Waiting for #12")
    await memory.forget(id)
    assert texts(await of(memory, "#12", "p")) == set()
    assert any(isinstance(one.draft.event, MemoryForgotten) for one in await memory.events())
