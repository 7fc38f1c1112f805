"""A folder that cannot be looked at here is no project of this machine, whatever it is called."""

from __future__ import annotations

import pytest

from aftermind.cli.language.projects import Projects
from tests.api.test_scope import repository, texts

pytestmark = pytest.mark.anyio
ACME, RIVAL = "C:\\clients\\acme\\api", "D:\\clients\\rival\\api"


async def names(memory) -> list[str]:
    return sorted(one.name for one in await memory.ask(Projects()))


@pytest.mark.parametrize("elsewhere", [ACME, "c:/clients/acme/api", "\\\\server\\share\\api", "…/api", "…/w/api"])
async def test_what_is_kept_of_it_is_not_seen_in_a_repository_of_its_last_name_and_the_other_way_round(
    memory, tmp_path, elsewhere
):
    here = repository(tmp_path / "api")
    await memory.remember("zebra", project=here)
    await memory.remember("walrus", project=elsewhere)
    assert await texts(memory, here, "zebra walrus") == ["zebra"]
    assert await texts(memory, elsewhere, "zebra walrus") == ["walrus"]
    assert await texts(memory, "api", "zebra walrus") == ["zebra"]


async def test_two_of_one_last_name_are_two_and_one_that_is_written_otherwise_is_one(memory):
    await memory.remember("zebra", project=ACME)
    await memory.remember("walrus", project=RIVAL)
    assert await texts(memory, "c:/clients/acme/api/", "zebra walrus") == ["zebra"]
    assert await names(memory) == [ACME, RIVAL]
