"""Eleven things a memory must do in the life of one project, in their order, on one store.

`lifecycle_fixture.json` holds the texts. Everything goes through the public API; what is said to be gone is also looked
for in the bytes of the store's files. A check that the product cannot pass is red, not left out.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
from msgspec import Struct

import aftermind
from aftermind.cli.language.answers import Recalled
from aftermind.cli.language.erasing import Erasing, ForgetAll, Selection
from aftermind.engine.errors import AftermindError
from bench.opening import Stores, opened, ready
from bench.reporting import Report, Table

NAME = "lifecycle"
POLICY_QUESTION = "What is the dependency installation policy?"
NOTE_QUESTION = "Which colour has the temporary kestrel beacon?"
RELEASE_QUESTION = "What must the release smoke checks verify?"
COMMAND_QUESTION = "Which command installs the dependencies? Approved command"
UNRELATED = "Who won the chess tournament in Reykjavik?"
NEIGHBOUR = "The beacon of production is green."
ONE, OTHER = "The gateway listens on port 7001.", "The gateway listens on port 7002."
STEM = 6
"""Letters of a word that an index with stemming keeps."""


class Fixture(Struct, frozen=True, kw_only=True, rename="camel"):
    project: str
    other_project: str
    old_policy: str
    new_policy: str
    other_policy: str
    disposable: str
    captured: str


class Red(Exception):
    """A check that does not hold, and why."""


def must(holds: object, why: str) -> None:
    if not holds:
        raise Red(why)


def command_of(policy: str) -> str:
    return policy.partition("command: ")[2].strip("`. ")


def find(data: Path) -> Path | None:
    if data.is_file():
        return data
    return next(iter(sorted((data / NAME).glob("*.json"))), None)


class Life:
    """The store and what is known of it as the checks go on."""

    def __init__(self, folder: Path, stores: Stores, texts: Fixture) -> None:
        self._folder, self._stores, self._texts = folder, stores, texts
        self.memory: aftermind.OpenMemory
        self._empty = b""
        self.old = self.new = self.neighbour = ""

    async def asked(self, query: str, project: str, *, history: bool = False) -> list[Recalled]:
        await ready(self.memory)
        return list(await self.memory.recall(query, project=project, history=history))

    async def gone(self, id: str) -> None:
        """Forgotten, and erased out of every file, as `aftermind forget` does."""
        begun = await self.memory.ask(ForgetAll(selection=Selection(ids=(id,))))
        erased = await self.memory.ask(Erasing(run=begun.run, seconds=60.0))
        must(erased.step == "done", f"erasing is not done: {erased.step} {erased.why}")

    async def checks(self) -> dict[str, str]:
        """By its name, why a check does not hold; empty where it does."""
        found: dict[str, str] = {}
        async with opened(self._folder, self._stores.setting):
            pass
        self._empty = b"".join(file.read_bytes() for file in self._folder.rglob("*") if file.is_file())
        async with opened(self._folder, self._stores.setting) as self.memory:
            for check in (self.recall, self.supersede, self.isolate, self.expand, self.forget, self.capture):
                found[check.__name__] = await _tried(check)
        t = self._texts
        alive = " ".join([t.old_policy, t.new_policy, t.other_policy, t.captured, NEIGHBOUR])
        found["forget"] = found["forget"] or self._kept(t.disposable, but=alive)
        async with opened(self._folder, self._stores.setting) as self.memory:
            for check in (self.restart, self.abstain, self.conflict, self.act, self.cleanup):
                found[check.__name__] = await _tried(check)
        found["cleanup"] = found["cleanup"] or self._kept(t.old_policy, t.new_policy, t.other_policy, t.captured)
        return found

    async def recall(self) -> None:
        t = self._texts
        self.old = await self.memory.remember(t.old_policy, kind="decision", project=t.project)
        hits = await self.asked(POLICY_QUESTION, t.project)
        must([hit.id for hit in hits] == [self.old], "the policy does not come back")

    async def supersede(self) -> None:
        t = self._texts
        self.new = await self.memory.remember(t.new_policy, kind="decision", project=t.project, supersedes=self.old)
        for query in (POLICY_QUESTION, t.old_policy, command_of(t.old_policy)):
            ids = [hit.id for hit in await self.asked(query, t.project)]
            must(self.old not in ids, "what was replaced still comes back")
        must([hit.id for hit in await self.asked(POLICY_QUESTION, t.project)] == [self.new], "the new one does not")
        past = [hit.id for hit in await self.asked(POLICY_QUESTION, t.project, history=True)]
        must(self.old in past, "history does not know the old one")

    async def isolate(self) -> None:
        t = self._texts
        other = await self.memory.remember(t.other_policy, kind="decision", project=t.other_project)
        for own, foreign in ((t.project, {other}), (t.other_project, {self.old, self.new})):
            seen = {hit.id for hit in await self.asked(POLICY_QUESTION, own, history=True)}
            seen |= {memory.id for memory in await self.memory.latest(project=own, history=True, limit=100)}
            context = await self.memory.context(POLICY_QUESTION, session=f"isolate {own}", project=own)
            seen |= {hit.id for hit in context.memories}
            must(seen and not seen & foreign, f"{own} sees what is not its own, or nothing")
        must(
            (await self.memory.stats(t.other_project)).collections.get("memory_bank") == 1, "its counts are not its own"
        )

    async def expand(self) -> None:
        hit = (await self.asked(POLICY_QUESTION, self._texts.project))[0]
        must((await self.memory.show(hit.id)).text == self._texts.new_policy, "the full text differs")

    async def forget(self) -> None:
        t = self._texts
        self.neighbour = await self.memory.remember(NEIGHBOUR, project=t.project)
        note = await self.memory.remember(t.disposable, project=t.project)
        must(note in [hit.id for hit in await self.asked(NOTE_QUESTION, t.project)], "it was never findable")
        await self.gone(note)
        for history in (False, True):
            ids = [hit.id for hit in await self.asked(t.disposable, t.project, history=history)]
            must(note not in ids, "it still comes back")
            ids = [hit.id for hit in await self.asked(NEIGHBOUR, t.project, history=history)]
            must(self.neighbour in ids, "its neighbour is gone too")
        try:
            await self.memory.show(note)
        except AftermindError:
            return
        raise Red("it can still be shown")

    async def capture(self) -> None:
        t = self._texts
        kept = await self.memory.record(
            t.captured, "Noted.", session="captured-session", project=t.project, client="claude-code", id="turn-1"
        )
        # the exchange itself, or the rule that was learned of it, which says the same and goes before
        hits = [hit for hit in await self.asked(RELEASE_QUESTION, t.project) if t.captured.rstrip(".") in hit.text]
        must(hits, "what was captured does not come back")
        sources = {(hit.memory.session, hit.memory.exchange) for hit in hits}
        must(sources == {("captured-session", kept.id)}, "its source is not named")

    async def restart(self) -> None:
        t = self._texts
        hits = await self.asked(POLICY_QUESTION, t.project)
        must([hit.id for hit in hits if hit.memory.kind == "decision"] == [self.new], "the latest policy is lost")
        texts = [hit.text for hit in await self.asked(NOTE_QUESTION, t.project, history=True)]
        must(t.disposable not in texts, "what was forgotten came back")

    async def abstain(self) -> None:
        must(not await self.asked(UNRELATED, self._texts.project), "an unrelated memory is shown")

    async def conflict(self) -> None:
        t = self._texts
        ids = {
            await self.memory.remember(text, project=t.project, speaker=who)
            for who, text in (("Ana", ONE), ("Ben", OTHER))
        }
        hits = [hit for hit in await self.asked("Which port does the gateway listen on?", t.project) if hit.id in ids]
        context = await self.memory.context("Which port does the gateway listen on?", session="c", project=t.project)
        said = " ".join([context.text, *(reason for hit in hits for reason in hit.reasons)]).lower()
        must(len(hits) == 2, "only one of the two is shown")
        must("conflict" in said or "contradict" in said, "both are shown, and nothing says that they contradict")

    async def act(self) -> None:
        hits = await self.asked(COMMAND_QUESTION, self._texts.project)
        must(hits and command_of(hits[0].text) == command_of(self._texts.new_policy), "another command comes first")
        must(hits[0].id == self.new and bool((await self.memory.why(self.new)).steps), "it does not name its source")

    async def cleanup(self) -> None:
        t = self._texts
        for project in (t.project, t.other_project):
            while left := await self.memory.latest(project=project, history=True, limit=1):
                await self.gone(left[0].id)  # what was learned of it goes along
            must(not await self.asked(POLICY_QUESTION, project, history=True), "something still comes back")
        stats = await self.memory.stats()
        must(not any(stats.collections.values()), f"the store still counts {stats.collections}")
        await self.memory.verify()

    def _kept(self, *texts: str, but: str = "") -> str:
        """Which file holds bytes of texts that are gone: as a whole, or a word that nothing else says, nor an empty
        store (its own SQL has words, too)."""
        others = " ".join([but, POLICY_QUESTION, NOTE_QUESTION, RELEASE_QUESTION, COMMAND_QUESTION, UNRELATED]).lower()
        words = {word[:STEM] for text in texts for word in re.findall(r"[a-z]{7,}", text.lower())}
        sought = [text.encode() for text in (*texts, *(word for word in words if word not in others))]
        sought = [one for one in sought if one not in self._empty]
        files = {file.name: file.read_bytes() for file in self._folder.rglob("*") if file.is_file()}
        holding = sorted(name for name, held in files.items() if any(one in held for one in sought))
        return f"words of what is gone are still in {', '.join(holding)}" if holding else ""


async def _tried(check: Callable[[], Awaitable[None]]) -> str:
    try:
        await check()
    except (Red, AftermindError) as error:
        return str(error) or type(error).__name__
    return ""


async def measured(found: Path, stores: Stores) -> Report:
    texts = msgspec.json.decode(found.read_bytes(), type=Fixture)
    life = Life(stores.fresh(), stores, texts)
    checks = await life.checks()
    green = sum(not why for why in checks.values())
    return Report(
        tables=[
            Table(
                title="checks of 11, in their order",
                columns=("passed",),
                rows={
                    f"{n}. {name}{': ' if why else ''}{why}": {"passed": int(not why)}
                    for n, (name, why) in enumerate(checks.items(), 1)
                },
            )
        ],
        headline={"checks passed": float(green)},
        notes=[f"{green} of {len(checks)} checks hold"],
    )
