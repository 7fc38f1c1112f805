"""sidecar status, retry, rescore, extract, and what status and doctor tell of judging."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import anyio
from msgspec import structs
from tests.daemons import daemon
from tests.desks import CUES, judge_all, says, unreadable
from tests.model_servers import Say, closed_port, model_server

import aftermind
from aftermind.cli.examining.judged import _has
from aftermind.cli.holding.judging import Judging
from aftermind.cli.language.judging import RequestJudgement, ResumeScoring, Stopped, StopScoring
from aftermind.cli.language.stopping import mend_of, sentence
from aftermind.cli.logbook import Logbook
from aftermind.engine.names import Label

AGO = datetime.now(UTC) - timedelta(days=3)


def kept(place, work):
    """What the work does with the store, in this process."""

    async def opened() -> object:
        async with aftermind.open_memory(place / "store") as memory:
            return await work(memory)

    return anyio.run(opened)


async def said(memory, *prompts, **options):
    for prompt in prompts:
        await memory.record(prompt, "done", session=prompt, **options)
        await memory.end_session(prompt)


def test_status_tells_who_judges_what_waits_and_what_it_costs(cli, place):
    async def work(memory):
        await said(memory, "first", "second", "third")
        await judge_all(memory, says("failed"), CUES, most=1)
        await said(memory, "years ago", collection="history", at=AGO)

    kept(place, work)
    out = cli("sidecar", "status").out
    assert "rules, from what is said next and what tools return (no model is configured)" in out
    assert "2 exchanges waiting, 2 ready, 0 being judged" in out
    assert "1 imported and never judged; `aftermind sidecar extract --limit 50`" in out
    assert "0 of 500 requests, 0 of 2,000,000 tokens, $0.0000 of $1" in out
    assert re.search(r"last .*  failed, by rules: (first|second|third)\n", out)
    assert "no daemon runs, so `aftermind start` or `aftermind sidecar run`" in out
    found = cli("sidecar", "status", "--json").json
    assert (found["scoring"], found["model"], found["queue"]["waiting"]) == ("sidecar", "", 2)
    assert [one["outcome"] for one in found["last"]] == ["failed"]


def test_stats_shows_outcomes_judges_and_the_best_and_the_worst(cli, place):
    async def work(memory):
        await said(memory, "what works", "what fails")
        await judge_all(memory, lambda case: says("worked" if "works" in case.prompt else "failed")(case), CUES)
        for one in await memory.latest():
            await memory.score("worked", exchange=one.exchange)

    kept(place, work)
    rows = [line.split() for line in cli("stats", "--by", "week").out.splitlines()]
    assert rows[rows.index(["WEEK", "WORKED", "PARTIAL", "FAILED", "UNKNOWN", "RATE"]) + 1][1:] == [
        "2",
        "0",
        "0",
        "0",
        "100%",
    ]
    assert ["rules", "and", "person", "2", "50%", "2", "50%"] in rows
    assert ["most", "useful,"] in [row[:2] for row in rows]


def test_status_names_the_place_and_where_the_key_is_and_never_the_key(cli, place, monkeypatch):
    kept(place, lambda memory: said(memory, "first"))
    monkeypatch.setenv("JUDGE_KEY", "sk-4f9d2c7b1a")
    (place / "config.toml").write_text(
        '[sidecar]\nmodel = "openai/judge"\nbase_url = "https://judge.example/v1"\napi_key_env = "JUDGE_KEY"\n'
    )
    told = cli("sidecar", "status")
    assert "judge.example, which is not on this machine; not confirmed: nothing is sent" in told.out
    assert "the environment variable JUDGE_KEY" in told.out
    assert "config set sidecar.confirmed judge.example/judge`" in told.err
    cli("config", "set", "sidecar.confirmed", "judge.example/judge")
    again = cli("sidecar", "status")
    assert ("you confirmed it" in again.out, again.err) == (True, "")
    assert "sk-4f9d2c7b1a" not in told.out + told.err + again.out


def test_before_anything_was_said_status_tells_who_will_judge(cli, place):
    told = cli("sidecar", "status")
    assert told.status == 0, told.err
    assert "rules, from what is said next" in told.out
    assert "0 of 500 requests" in told.out
    assert "store     none yet in" in told.out
    found = cli("sidecar", "status", "--json").json
    assert (found["store"], found["queue"]["waiting"], found["trouble"]) == (False, 0, None)


def test_what_waits_is_told_with_what_for_and_who_judges_it(cli, place):
    kept(place, lambda memory: memory.record("how?", "so", session="s"))
    awaited = "the next prompt, the session's end or half an hour of silence"
    assert f"waiting   1 exchange without a verdict, until {awaited}; no daemon runs" in cli("stats").out
    assert f"1 for {awaited}" in cli("sidecar", "status").out
    assert "`aftermind start`, or `aftermind sidecar run` now" in cli("status").out


def test_what_rests_after_an_attempt_is_not_said_to_wait_for_the_next_prompt(cli, place):
    async def work(memory):
        await said(memory, "first")
        await judge_all(memory, unreadable, most=1)

    kept(place, work)
    told = cli("sidecar", "status").out
    assert "1 exchange waiting, 0 ready" in told
    assert "1 again in a while, after an attempt that came to nothing" in told
    assert "the next prompt" not in told


def test_an_exchange_is_shown_with_its_verdicts_and_who_gave_them(cli, place):
    async def work(memory):
        await said(memory, "first")
        await judge_all(memory, lambda case: structs.replace(says("failed")(case), evidence="still broken"), CUES)
        id = (await memory.latest())[0].exchange
        await memory.ask(RequestJudgement(why="rescore", exchanges=(id,)))
        await judge_all(memory, lambda case: structs.replace(says("worked")(case), evidence="it is gone"))
        return id

    id = kept(place, work)
    told = cli("why", id).out
    assert "rules judged the exchange: failed (on the words “still broken”)" in told
    assert "scripted judged the exchange: worked (on the words “it is gone”)" in told
    assert "\nfirst\n" in cli("show", id).out
    unknown = cli("sidecar", "retry", "0" * 32)
    assert (unknown.status, "no exchange with the id" in unknown.err) == (3, True)
    assert cli("sidecar", "retry", id).out.startswith("No verdict had been given up.")


def test_a_limit_of_nothing_is_told(cli, place):
    (place / "config.toml").write_text(
        '[sidecar]\nmodel = "openai/judge"\nbase_url = "http://127.0.0.1:9/v1"\ncalls_per_day = 0\n'
    )

    async def work(memory):
        await said(memory, "first")
        await judge_all(memory, says("failed"), CUES)

    kept(place, work)
    assert "no request is allowed: `sidecar.calls_per_day` is 0" in cli("sidecar", "status").err
    assert cli("status", "--json").json["judging"]["trouble"].startswith("no request is allowed")
    assert judge(cli)["found"].startswith("no request is allowed")
    asked = cli("sidecar", "rescore", "--since", "1d", "--scorer", "model").out
    assert "No request is allowed (`sidecar.calls_per_day` is 0)" in asked
    cli("sidecar", "disable")
    refused = cli("sidecar", "rescore", "--since", "1d", "--scorer", "model").err
    assert "`aftermind config set scoring sidecar` lets openai/judge judge" in refused


def test_a_model_that_judges_again_is_asked_again(cli, place, process):
    answer = '{"outcome": "failed", "evidence": "that is wrong", "memories": [], "learned": [], "summary": "no"}'
    kept(place, lambda memory: memory.ask(StopScoring(why=Label("unreachable"), said="nobody answers")))
    with model_server(Say(answer)) as server:
        (place / "config.toml").write_text(f'[sidecar]\nmodel = "openai/judge"\nbase_url = "{server.url}/v1"\n')
        stopped = cli("sidecar", "status", "--json").json["trouble"]
        assert "`aftermind sidecar retry` has it tried now" in stopped["mend"]
        out, err = process("sidecar", "test").communicate(timeout=100)
    assert b"Judging had stopped; it goes on." in out, err
    assert cli("sidecar", "status", "--json").json["stopped"] is None


def test_what_was_given_up_waits_again_after_retry(cli, place):
    async def give_up(memory):
        await said(memory, "first", "second")
        for _ in range(3):
            await judge_all(memory, unreadable)

    kept(place, give_up)
    before = cli("sidecar", "status", "--json").json["queue"]
    told = cli("sidecar", "retry", "--json").json
    after = cli("sidecar", "status", "--json").json["queue"]
    assert told["requested"]["count"] == before["abandoned"]
    assert (after["abandoned"], after["waiting"]) == (0, 2)
    assert "No verdict had been given up." in cli("sidecar", "retry").out


def test_retry_begins_again_what_had_stopped(cli, place):
    (place / "config.toml").write_text('[sidecar]\nmodel = "openai/judge"\nbase_url = "http://127.0.0.1:9/v1"\n')
    kept(place, lambda memory: memory.ask(StopScoring(why=Label("denied"), said="judge.example refuses the API key")))
    stopped = cli("sidecar", "status")
    assert "judge.example refuses the API key" in stopped.err
    assert "`aftermind sidecar key set` takes a key; then `aftermind sidecar retry`" in stopped.err
    assert "Judging had stopped; it is tried again." in cli("sidecar", "retry").out
    assert cli("sidecar", "status").err == ""


def test_rescore_asks_for_what_machines_judged_and_says_before_what_that_would_be(cli, place):
    async def work(memory):
        await said(memory, "old", at=AGO)
        await said(memory, "by a machine", "by a person")
        await judge_all(memory, says("worked"), CUES)
        newest = (await memory.latest(limit=1))[0].exchange
        await memory.score("failed", exchange=newest)

    kept(place, work)
    recent = ("sidecar", "rescore", "--since", "1d", "--scorer", "cues")
    assert "1 exchange: each is judged again, if you leave out --dry-run" in cli(*recent, "--dry-run").out
    assert cli(*recent, "--also", "person", "--dry-run", "--json").json["requested"]["count"] == 2
    assert cli("sidecar", "status", "--json").json["queue"]["ready"] == 0
    assert cli(*recent, "--until", "1h").out.startswith("Nothing a machine judged was found")
    asked = cli(*recent)
    assert (asked.status, asked.out.startswith("1 exchange asked for: each is judged again")) == (0, True)
    assert cli("sidecar", "status", "--json").json["queue"]["ready"] == 1
    refused = cli("sidecar", "rescore", "--since", "1d", "--scorer", "model")
    assert (refused.status, "no model judges" in refused.err) == (2, True)
    wrong = cli("sidecar", "rescore", "--since", "someday")
    assert (wrong.status, "for example 2026-05-01" in wrong.err) == (2, True)


def test_what_had_stopped_is_nothing_to_rules(cli, place):
    (place / "config.toml").write_text('[sidecar]\nmodel = "openai/judge"\nbase_url = "http://127.0.0.1:9/v1"\n')
    kept(place, lambda memory: memory.ask(StopScoring(why=Label("calls"), said="500 requests were made")))
    assert "500 requests were made" in cli("sidecar", "status").err
    assert cli("sidecar", "disable").status == 0
    assert cli("sidecar", "status", "--json").json["stopped"] is None


def test_rules_judge_what_they_are_asked_to_by_name_though_a_model_judges_otherwise(cli, place, stamp):
    (place / "config.toml").write_text('[sidecar]\nmodel = "openai/judge"\nbase_url = "http://127.0.0.1:9/v1"\n')

    async def work(memory):
        await said(memory, "first", "second")
        await judge_all(memory, says("worked"), most=1)
        assert await Judging(memory.ask, lambda: False, Logbook(place, stamp)).judge_what_is_ready(named=True) == 0

    kept(place, work)
    assert cli("sidecar", "rescore", "--since", "1d", "--scorer", "cues", "--json").json["requested"]["count"] == 1

    async def again(memory):
        assert await Judging(memory.ask, lambda: False, Logbook(place, stamp)).judge_what_is_ready(named=True) == 1

    kept(place, again)
    found = cli("sidecar", "status", "--json").json
    assert [one["judge"] for one in found["last"]] == ["cues", "model"]
    assert (found["queue"]["waiting"], found["queue"]["ready"]) == (1, 1)


def test_extract_asks_for_imported_history_alone(cli, place):
    async def work(memory):
        await said(memory, "today")
        await said(memory, "last year", "the year before", collection="history", at=AGO)

    kept(place, work)
    assert cli("sidecar", "extract", "--limit", "1", "--dry-run", "--json").json["requested"]["count"] == 1
    assert cli("sidecar", "extract", "--json").json["requested"]["count"] == 2
    assert "Of what is meant nothing was imported" in cli("sidecar", "extract", "--since", "7d").out
    assert "There is no imported history without a verdict." in cli("sidecar", "extract").out


def test_run_without_a_model_judges_by_rules_and_says_what_the_rest_waits_for(cli, place):
    async def work(memory):
        await memory.context("how is it deployed?", session="s")
        await memory.record("how is it deployed?", "make deploy", session="s")
        await memory.context("thanks, that works perfectly", session="s")
        await memory.record("thanks, that works perfectly", "good", session="s")

    kept(place, work)
    told = cli("sidecar", "run")
    assert (told.status, told.out.splitlines()[0]) == (0, "Rules judged 1 exchange."), told.err
    assert (
        "1 exchange waiting, 0 ready; 1 for the next prompt, the session's end or half an hour of silence" in told.out
    )
    assert cli("sidecar", "status", "--json").json["last"][0]["outcome"] == "worked"
    assert cli("sidecar", "run", "--json").json == {
        "judge": "cues", "model": "", "end": "idle", "why": "", "said": "", "asked": 0, "without_verdict": 0,
        "waiting": 1, "ready": 0,
    }  # fmt: skip
    cli("config", "set", "scoring", "assistant")
    assert "the assistant judges" in cli("sidecar", "run").err


def test_run_says_why_what_is_ready_is_judged_by_nobody(cli, place):
    async def work(memory):
        for prompt in ("how is it deployed?", "thanks, that works perfectly"):
            await memory.context(prompt, session="s", project="shop")
            await memory.record(prompt, "make deploy", session="s", project="shop")

    kept(place, work)
    assert cli("pause", "--project", "shop").status == 0
    told = cli("sidecar", "run")
    assert told.out.startswith("Nothing was judged.\n")
    assert "1 ready left out: paused, off limits or in the hands of another judge." in told.out
    assert cli("resume", "--project", "shop").status == 0
    assert "left out" not in cli("sidecar", "run").out


def test_run_ends_at_once_where_nobody_answers_and_names_the_command_that_helps(cli, place, process):
    kept(place, lambda memory: said(memory, "first", "second"))
    url = f"http://127.0.0.1:{closed_port()}/v1"
    (place / "config.toml").write_text(f'[sidecar]\nmodel = "openai/judge"\nbase_url = "{url}"\n')
    running = process("sidecar", "run")
    out, err = (one.decode() for one in running.communicate(timeout=100))
    assert running.returncode == 5
    assert "openai/judge is asked; 2 questions ready" in err
    assert "    1  no answer: nobody answers at 127.0.0.1" in err
    assert "`aftermind sidecar retry` has it tried now" in err
    assert out.startswith("1 question asked, 1 of them without a verdict.\n2 exchanges waiting, 2 ready")


def test_run_judges_here_and_now_and_says_how_much(cli, place, process):
    kept(place, lambda memory: said(memory, "first", "second"))
    reply = '{"outcome": "unknown", "evidence": "", "memories": [], "learned": [], "summary": "asked"}'
    with model_server(Say(reply)) as server:
        (place / "config.toml").write_text(f'[sidecar]\nmodel = "openai/judge"\nbase_url = "{server.url}/v1"\n')
        running = process("sidecar", "run", "--json")
        out, err = running.communicate(timeout=100)
        assert (running.returncode, len(server.asked)) == (0, 2), err
    found = json.loads(out)
    assert (found["end"], found["asked"], found["without_verdict"], found["waiting"]) == ("idle", 2, 0, 0)
    assert found["model"] == "openai/judge"
    found = cli("sidecar", "status", "--json").json
    assert (found["queue"]["waiting"], found["spending"]["calls"], found["last"][0]["model"]) == (0, 2, "openai/judge")
    assert (found["host"], found["local"]) == (f"127.0.0.1:{server.port}", True)


def test_summarize_asks_for_a_shorter_wording_of_what_is_long(cli, place):
    for length in (300, 500, 900):
        assert cli("remember", "word " * (length // 5)).status == 0
    assert "2 memories longer than 400 characters; nothing was asked for." in cli("summarize", "--dry-run").out
    refused = cli("summarize")
    assert (refused.status, "no model is configured" in refused.err) == (2, True)
    (place / "config.toml").write_text('[sidecar]\nmodel = "openai/judge"\nbase_url = "http://127.0.0.1:9/v1"\n')
    assert cli("summarize", "--longer-than", "600", "--json").json["count"] == 1
    assert "1 long memory to be said in fewer words" in cli("sidecar", "status").out
    assert "No memory is longer than 2,000 characters" in cli("summarize", "--longer-than", "2000").out


# --- status and doctor ----------------------------------------------------------------------------------------


def judge(cli):
    return next(one for one in cli("doctor", "--json").json["findings"] if one["looked_at"] == "judge")


def test_doctor_says_what_keeps_the_model_from_being_asked(cli, place, monkeypatch):
    assert (judge(cli)["level"], judge(cli)["found"]) == ("ok", "rules judge, without a model")
    monkeypatch.setenv("AFTERMIND_SIDECAR_MODEL", "openai/judge")
    monkeypatch.setenv("AFTERMIND_SIDECAR_BASE_URL", "http://192.0.2.1/v1")
    assert "before you have confirmed it" in judge(cli)["found"]
    monkeypatch.setenv("AFTERMIND_SIDECAR_CONFIRMED", "192.0.2.1/judge")
    assert judge(cli)["level"] == "ok"
    monkeypatch.setenv("AFTERMIND_SIDECAR_API_KEY_ENV", "JUDGE_KEY")
    assert "the environment variable JUDGE_KEY holds no key here" in judge(cli)["found"]
    monkeypatch.setenv("JUDGE_KEY", "sk-4f9d2c7b1a")
    assert judge(cli)["level"] == "ok"
    monkeypatch.setenv("AFTERMIND_SIDECAR_BASE_URL", "http://127.0.0.1:9/v1")
    assert "nobody listens at 127.0.0.1:9" in judge(cli)["found"]
    monkeypatch.setattr("aftermind.cli.judge.find_spec", lambda name: None)
    missing = judge(cli)
    assert ("litellm, which asks models, is not installed" in missing["found"], missing["level"]) == (True, "warning")
    assert missing["mend"] == "pip install 'aftermind[sidecar]', or from a clone pip install '.[sidecar]'"


def test_what_the_daemon_says_is_told_by_status_and_doctor(cli, store, monkeypatch):
    monkeypatch.setenv("AFTERMIND_SIDECAR_MODEL", "openai/judge")
    monkeypatch.setenv("AFTERMIND_SIDECAR_BASE_URL", "http://192.0.2.1/v1")
    monkeypatch.setenv("AFTERMIND_SIDECAR_CONFIRMED", "192.0.2.1/judge")
    monkeypatch.setenv("AFTERMIND_SIDECAR_API_KEY_ENV", "JUDGE_KEY")
    with daemon(store) as running:
        monkeypatch.setenv("JUDGE_KEY", "sk-4f9d2c7b1a")  # here, and not where the daemon was started
        assert _has(running.pid, "JUDGE_KEY") in (False, None)
        if _has(running.pid, "PATH"):
            assert "JUDGE_KEY holds no key where the daemon was started" in judge(cli)["found"]
        monkeypatch.delenv("AFTERMIND_SIDECAR_API_KEY_ENV")
        told = cli("status")
        assert "judging   by openai/judge; 0 exchanges waiting" in told.out
        assert told.err == ""
        kept(store.parent, lambda memory: memory.ask(StopScoring(why=Label("calls"), said="500 requests were made")))
        told = cli("status")
        assert "500 requests were made" in told.err
        assert "sidecar.calls_per_day N` allows more" in told.err
        assert "500 requests were made" in judge(cli)["found"]
        kept(store.parent, lambda memory: memory.ask(ResumeScoring()))
        assert cli("status").err == ""


def test_every_way_to_stop_has_a_sentence_and_a_command():
    since = datetime(2026, 5, 1, tzinfo=UTC)
    for why in ("unconfirmed", "denied", "missing", "unreachable", "timeout", "calls", "whatever comes"):
        assert "`aftermind " in mend_of(why)
    assert sentence(Stopped(since=since, why="denied"), UTC).endswith("(denied)")
    for hours, told in ((0, False), (2, True)):
        stopped = Stopped(since=since, why="limited", said="too many.", until=since + timedelta(hours=hours))
        assert (", until " in sentence(stopped, UTC)) is told
