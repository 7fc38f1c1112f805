"""backup and restore, as a person has them: made beside a daemon, listed, verified, and brought back."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from tests.daemons import daemon
from tests.spooling import put, turn

from aftermind import open_memory
from aftermind.cli.house import open_log
from aftermind.cli.past.opening import open_past
from aftermind.engine.backups.backup import found, rows_of
from aftermind.engine.backups.making import backed_up
from aftermind.engine.backups.restoring import RESTORING, built, decided
from aftermind.engine.erasing import erased
from aftermind.engine.errors import StoreUnusable
from aftermind.engine.store import spool

EXCHANGE = b'{"prompt": "how do we deploy the billing service?", "answer": "make deploy"}'


@pytest.fixture
def filled(cli, place) -> Path:
    for text in ("The xylophone is out of tune", "Bassoons go to the left"):
        assert cli("remember", text).status == 0
    return place / "store"


def texts(cli) -> set[str]:
    return {found["text"] for found in cli("search", "--json").json}


def test_what_was_backed_up_is_what_is_restored(cli, filled, place):
    made = cli("backup", "--json").json
    assert (made["new"], made["spooled"]) == (made["events"], 0)
    before = texts(cli)
    assert cli("remember", "The cello came later").status == 0
    said = cli("backup")
    assert f"Backed up {made['events'] + 1} events, 1 of them new" in said.out
    listed = cli("backup", "--list", "--json").json
    assert (listed[0]["path"], listed[0]["events"], listed[0]["state"]) == (made["backup"], made["events"], "complete")
    assert [one["state"] for one in cli("backup", "--verify", "--json").json] == ["verified", "verified"]
    refused = cli("restore", Path(made["backup"]).name)
    assert (refused.status, "--yes` does not ask" in refused.err) == (2, True)
    done = cli("restore", Path(made["backup"]).name, "--yes", "--json").json["restored"]
    assert (done["events"], done["beyond"]) == (made["events"], 1)
    assert texts(cli) == before
    assert cli("verify").status == 0
    assert "The cello came later" in cli("log", "--json", "--home", done["aside"]).out
    assert texts(cli) == before
    assert cli("restore", "latest", "--yes").status == 0  # the newest knew of the cello
    assert texts(cli) == before | {"The cello came later"}


def test_what_was_held_when_a_backup_was_made_is_nobodys_when_it_is_restored(cli, filled):
    """Somebody else may have held it since, of whom the log knows no more."""
    old = cli("claim", "take", "the stage", "--for", "1h", "--json").json["fence"]
    assert cli("backup").status == 0
    assert cli("claim", "release", "the stage", "--broken").status == 0
    since = cli("claim", "take", "the stage", "--json").json["fence"]
    done = cli("restore", "latest", "--yes", "--json").json["restored"]
    assert done["released"] == 1
    for number in (old, since):
        assert cli("claim", "check", "the stage", "--fence", str(number)).status == 4
    assert cli("claim", "list", "--json").json == []
    assert cli("claim", "take", "the stage", "--json").json["fence"] > since
    assert cli("verify").status == 0
    assert [cli("backup").status, cli("backup", "--verify").status] == [0, 0]


def test_a_backup_goes_to_another_store(cli, filled, place):
    away, other = str(place / "away"), place / "other"
    assert cli("backup", away).status == 0
    said = cli("restore", away, "--into", str(other))
    assert (said.status, "Restored" in said.out, "is in" in said.out) == (0, True, False)
    assert {one["text"] for one in cli("search", "--json", "--home", str(other)).json} == texts(cli)
    again = cli("restore", away, "--into", str(other), "--yes", "--json").json["restored"]
    assert Path(again["aside"]).parent == other  # never overwritten in silence


def test_a_backup_that_was_out_of_reach_brings_nothing_forgotten_into_another_store(cli, filled, place):
    away, other = place / "away", place / "other"
    assert cli("backup", str(away)).status == 0
    away.rename(place / "in a drawer")
    assert cli("forget", "--text", "xylophone", "--yes").status == 5, "the backup is out of reach"
    done = cli("restore", str(place / "in a drawer"), "--into", str(other), "--json").json["restored"]
    assert done["erased"] > 0
    assert {one["text"] for one in cli("search", "--json", "--home", str(other)).json} == {"Bassoons go to the left"}
    assert [path for path in other.rglob("*") if path.is_file() and b"xylophone" in path.read_bytes()] == []


def test_a_backup_is_made_and_a_store_restored_while_a_daemon_has_it(cli, filled):
    with daemon(filled) as running:
        assert cli("backup").status == 0
        assert cli("remember", "Said to the daemon").status == 0
        assert "The daemon was stopped for it, and starts by itself." in cli("restore", "latest", "--yes").out
        assert running.wait(30) == 0  # it was asked to end, and did
    assert "Said to the daemon" not in texts(cli)


def test_what_was_forgotten_stays_so_and_what_waits_goes_in(cli, filled):
    made = cli("backup", "--json").json
    events = [json.loads(line) for line in cli("log", "--json", "--type", "memory-recorded").out.splitlines()]
    (id,) = [event["id"] for event in events if "xylophone" in json.dumps(event)]
    erased.note(filled, [id])
    key = "0197f0000000" + "a" * 20
    call = b'{"key":"' + key.encode() + b'","wire":1,"request":{"kind":"remember","text":"Spooled meanwhile"}}'
    spool.write(filled, key, call)
    assert cli("restore", made["backup"], "--yes", "--json").json["restored"]["erased"] == 1
    assert not any("xylophone" in text for text in texts(cli))
    assert not any(filled.joinpath("spool").glob("*.json"))  # it was drained: taken in, or set aside as not understood


def test_what_waits_in_the_spool_is_in_the_log_before_it_is_backed_up(cli, filled):
    """So nothing of it is kept that the log would not keep."""
    put(filled, turn(prompt="Where is <private>the wombat</private> now?", answer="below the old cellar"))
    made = cli("backup", "--json").json
    assert (made["spooled"], list(filled.glob("spool/*.json"))) == (0, [])
    assert "Where is [private] now?" in cli("log", "--json", "--type", "exchange-recorded").out


@pytest.mark.anyio
async def test_a_switch_that_was_interrupted_is_ended_by_who_opens_the_store_next(tmp_path, stamp):
    store = tmp_path / "store"
    async with open_memory(store) as memory:
        await memory.remember("The xylophone is out of tune")
        made = await backed_up(store, None, stamp)
        await memory.remember("The cello came later")
    now = await built(store, rows_of(made.backup), frozenset())
    decided(store, now.tail, "a test", stamp.now(), frozenset())
    (store / "set-aside-20260101T000000Z").mkdir()
    (store / "log.db").rename(store / "set-aside-20260101T000000Z" / "log.db")  # cut off between two moves
    with pytest.raises(StoreUnusable, match="is being replaced"):
        async with open_log(store):
            pass
    with pytest.raises(StoreUnusable, match="is being replaced"):
        async with open_past(store):
            pass
    async with open_memory(store) as memory:
        assert [found.text for found in await memory.latest()] == ["The xylophone is out of tune"]
    assert not (store / RESTORING).exists()


@pytest.fixture
def copies(cli, filled, place) -> tuple[Path, Path]:
    """Two copies of one store that both went on, and both back up to one disk: ours, then the other's, which is newer.
    The folder of the backups, and of the other store."""
    other, disk = place / "other", place / "disk"
    shutil.copytree(filled, other)
    assert cli("remember", "Only here: the cello").status == 0
    assert cli("remember", "Only there: the dulcimer", "--home", str(other)).status == 0
    assert cli("backup", str(disk)).status == 0
    assert cli("backup", str(disk), "--home", str(other)).status == 0
    return disk, other


def test_the_latest_backup_is_never_another_copy_s_without_a_word(cli, filled, copies):
    disk, other = copies
    for word in ("latest", str(disk)):
        assert cli("remember", "Said after the backup").status == 0
        done = cli("restore", word, "--yes", "--json")
        assert "A newer backup is passed over" in done.err
        assert f"of {other}, has another history" in done.err
        assert (done.json["restored"]["beyond"], done.json["restored"]["parted"]) == (1, None)
        assert "Only here: the cello" in texts(cli)
    (ours,) = [one for one in found(disk)[0] if one.manifest.store == str(filled)]
    shutil.rmtree(ours.path)
    refused = cli("restore", "latest", "--yes")
    assert (refused.status, "has another history than this store" in refused.err) == (4, True)
    assert "Only here: the cello" in texts(cli)


def test_what_another_copy_s_backup_has_not_is_counted_by_the_seals(cli, filled, copies):
    disk, other = copies
    (theirs,) = [one for one in found(disk)[0] if one.manifest.store == str(other)]
    done = cli("restore", str(theirs.path), "--yes", "--json").json["restored"]
    assert (done["beyond"], done["parted"]) == (1, theirs.manifest.head - 1)
    assert "Only there: the dulcimer" in texts(cli)
    assert "Only here: the cello" in cli("log", "--json", "--home", done["aside"]).out
    said = cli("restore", str(disk), "--yes")  # by now it is the newest of this history
    assert "another history" not in said.err + said.out


def test_a_damaged_seal_is_no_other_history(cli, filled, place):
    """What has it still is the store's own backup, and no event of it is lost."""
    for word in ("cello", "dulcimer"):
        assert cli("backup").status == 0
        assert cli("remember", f"One more: the {word}").status == 0
    assert cli("backup").status == 0
    assert cli("remember", "Not backed up").status == 0
    newest = found(filled / "backups")[0][-1]
    damaged = sqlite3.connect(filled / "log.db", isolation_level=None)
    for (trigger,) in damaged.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        damaged.execute(f"DROP TRIGGER {trigger}")
    damaged.execute("UPDATE event SET seal = zeroblob(32) WHERE position = ?", (newest.manifest.head,))
    damaged.close()
    told = cli("repair", "--dry-run", "--from", "latest")
    assert ("is taken from" in told.out, "lost" in told.out.partition("Nothing")[0]) == (True, False), told.out
    restored = cli("restore", "latest", "--yes", "--json")
    assert "another history" not in restored.err
    assert "One more: the dulcimer" in texts(cli)


def test_a_store_without_a_log_takes_the_newest_backup_of_its_own_folder(cli, filled, copies):
    for path in filled.glob("log.db*"):
        path.unlink()
    assert cli("restore", "latest", "--yes").status == 0
    assert "Only here: the cello" in texts(cli)


def test_a_damaged_backup_is_told_and_never_restored(cli, filled):
    made = cli("backup", "--json").json
    (segment,) = (filled / "backups" / "segments").iterdir()
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 4
    segment.write_bytes(data)
    before = texts(cli)
    assert cli("backup", "--verify").status == 7
    said = cli("restore", made["backup"], "--yes")
    assert (said.status, "is damaged" in said.err, "backup --full" in said.err) == (7, True, True)
    assert texts(cli) == before
    assert not (filled / RESTORING).exists()
    assert cli("backup", "--full").status == 0
    assert cli("backup", "--verify", "latest").status == 0


def test_what_is_forgotten_after_a_restore_is_in_no_file_and_no_backup(cli, filled, place):
    id = cli("remember", "The password is swordfish", "--json").json["id"]
    assert cli("backup").status == 0
    assert cli("backup", str(place / "away")).status == 0
    assert cli("restore", "latest", "--yes").status == 0
    assert cli("forget", id, "--yes").status == 0
    assert texts(cli) == {"The xylophone is out of tune", "Bassoons go to the left"}
    held = [path for path in place.rglob("*") if path.is_file() and b"swordfish" in path.read_bytes()]
    assert held == []
    for folder in (filled / "backups", place / "away"):
        kept = [row[9] for backup in found(folder)[0] for some in rows_of(backup) for row in some]
        assert any(b"xylophone" in payload for payload in kept if payload)
        assert not any(b"swordfish" in payload for payload in kept if payload)
    assert cli("restore", str(place / "away"), "--yes").status == 0
    assert "swordfish" not in cli("log", "--json").out
    assert cli("verify").status == 0


def test_without_a_store_or_a_backup_it_says_so(cli, place, filled):
    latest = cli("restore", "latest", "--yes")
    assert (latest.status, "`aftermind backup` makes one" in latest.err) == (3, True)
    assert cli("backup", "--verify").status == 3
    listed = cli("backup", "--list")
    assert (listed.out, "There is no backup" in listed.err) == ("", True)
    assert "`aftermind backup --list`" in cli("restore", "nosuch", "--yes").err
    (place / "a file").write_text("x")
    refused = cli("backup", str(place / "a file"))
    assert (refused.status, "this is a file" in refused.err) == (2, True)
    assert cli("backup", "--home", str(place / "nothing")).status == 5
    assert cli("restore", "latest", "other").status == 2
    assert cli("backup", "--list", "--full").status == 2


def test_reset_takes_the_backups_in_the_store_and_names_the_others(cli, filled, place):
    assert cli("backup").status == 0
    assert cli("backup", str(place / "away")).status == 0
    assert cli("restore", "latest", "--yes").status == 0
    said = cli("reset", "--dry-run").out
    assert "1 backup in backups/ go with it" in said
    assert f"stays     the backups in {place / 'away'}" in said
    assert "not Aftermind's" not in said
    assert cli("reset", "--yes").status == 0
    assert not filled.exists(), list(filled.rglob("*"))
    assert cli("restore", str(place / "away")).status == 0
    assert texts(cli)
    shutil.rmtree(filled)


def test_a_damaged_list_of_the_folders_is_told_until_they_are_entered_again(cli, filled, place):
    (place / "one").mkdir()
    made = cli("backup", f"{place}/one/../away", "--json").json["backup"]
    assert Path(made).parent == place / "away"
    for damage in (b"{", b"{}"):
        (filled / "backups.json").write_bytes(damage)
        for words in (("verify",), ("doctor",), ("backup", "--list"), ("repair", "--dry-run")):
            said = cli(*words)
            assert "backups.json" in said.out + said.err, words
            assert "`aftermind backup FOLDER` enters a folder again" in said.out + said.err, words
            assert "Nothing is wrong" not in said.out
    assert cli("verify").status == 8
    assert cli("repair", "--yes").status == 0
    looked = cli("repair", "--dry-run")
    assert (looked.status, "Nothing is wrong" in looked.out, "Nothing else" in looked.out) == (0, False, True)
    assert "`aftermind backup FOLDER` enters a folder again" in cli("backup", "--list").err
    assert cli("backup", str(place / "away")).status == 0
    (filled / "backups.json.damaged").unlink()
    assert "backups.json" not in cli("repair", "--dry-run").out
    assert len(cli("backup", "--list", "--json").json) == 2


def test_a_folder_that_is_gone_for_good_is_named_until_that_is_said(cli, filled, place):
    away = place / "a stick" / "backups"
    away.parent.mkdir()
    assert cli("backup", str(away)).status == 0
    refused = cli("backup", str(away), "--gone")
    assert (refused.status, "delete it first" in refused.err) == (4, True)
    shutil.rmtree(away.parent)
    told = cli("forget", "--text", "Bassoons go to the left", "--yes")
    assert (told.status, f"`aftermind backup '{away}' --gone`" in told.out) == (5, True)
    assert cli("backup", str(away), "--gone").status == 0
    assert cli("forget", "--text", "The xylophone is out of tune", "--yes").status == 0
    assert cli("backup", str(away), "--gone").status == 2, "it is not known any more"
    assert cli("backup", "--gone").status == 2
