"""A letter and its accent, or the parts of a Korean syllable, may be written as one sign or as several: a Mac's files
are named so. It is the same word, stored or asked for either way."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from aftermind import OpenMemory
from aftermind.cli.language.entities import TellEntity
from aftermind.cli.language.sessions import ListSessions, WriteCheckpoint

pytestmark = pytest.mark.anyio
TEXTS = {
    "Japanese": ("ガイドブックのデプロイは金曜日", "ガイドブック"),
    "Korean": ("배포는 금요일에 합니다", "배포는"),
    "French": ("Le déploiement a lieu à Orléans", "déploiement"),
    "two letters": ("本番はベータ、試験はガマ", "ガマ"),
}


def in_parts(text: str) -> str:
    assert normalize("NFD", text) != text
    return normalize("NFD", text)


@pytest.mark.parametrize(("text", "asked"), TEXTS.values(), ids=TEXTS)
async def test_what_is_stored_in_parts_is_found_by_whole_letters_and_the_other_way_round(
    memory: OpenMemory, text: str, asked: str
) -> None:
    known = {await memory.remember(in_parts(text)), await memory.remember(f"{text} — 2")}
    for query in (asked, in_parts(asked)):
        assert {hit.id for hit in await memory.recall(query)} == known


async def test_tags_things_and_checkpoints_too(memory: OpenMemory) -> None:
    tagged = await memory.remember("Ask Ada first", tags=[in_parts("배포")])
    named = await memory.remember(in_parts("The settings are in etc/요금/설정.toml"))
    await memory.ask(WriteCheckpoint(session="s", project="p", decisions=(in_parts("部署はガマ、배포는 금요일"),)))
    assert [hit.id for hit in await memory.recall("배포")] == [tagged]
    (found,) = (await memory.ask(TellEntity(said="etc/요금/설정.toml"))).memories
    assert found.id == named
    for query in ("部署はガマ", "금요일"):
        listed = await memory.ask(ListSessions(query=query, project="p"))
        assert [one.id for one in listed] == ["s"]


async def test_a_newer_value_takes_the_place_of_one_in_parts(memory: OpenMemory) -> None:
    old = await memory.remember(in_parts("ガマ的端口是8080"), kind="configuration")
    await memory.remember("ガマ的端口是9090", kind="configuration")
    assert (await memory.show(old)).status == "superseded"
