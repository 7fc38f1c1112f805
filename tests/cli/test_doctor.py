"""doctor: every kind of damage is found and named with what mends it; nothing is ever changed; it never breaks."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.daemons import daemon, none_left, wait_until

from aftermind.cli.examining.around import clients_found
from aftermind.cli.examining.folder import space_found
from aftermind.cli.examining.holder import version_found

ROOT = Path(__file__).parents[2]
KEY = "0197f0000000" + "a" * 20


def begun(cli, place):
    """A healthy store with a little in it."""
    for text in ("We deploy with make deploy", "Staging listens on port 8081", "The xylophone is out of tune"):
        assert cli("remember", text).status == 0
    return place / "store"


@pytest.fixture
def store(cli, place):
    return begun(cli, place)


def examined(cli, *words):
    """Exit code and findings by what was looked at."""
    ran = cli("doctor", "--json", *words)
    assert ran.err == ""
    told = ran.json
    assert ran.status == (1 if told["worst"] in ("warning", "fault") else 0)
    assert len({one["looked_at"] for one in told["findings"]}) == len(told["findings"])
    return ran.status, {one["looked_at"]: one for one in told["findings"]}


def worse(found):
    """What is worse than a note, by its level."""
    return {name: one["level"] for name, one in found.items() if one["level"] in ("warning", "fault")}


def everything(folder):
    """Every file and folder with its facts and its bytes."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


def mended(finding):
    """Runs the shell command that mends it."""
    (command,) = re.findall(r"`([^`]+)`", finding["mend"])
    subprocess.run(command.removeprefix("sudo "), shell=True, check=True)


# --- nothing is wrong -----------------------------------------------------------------------------------------


def test_without_a_store_nothing_is_wrong_and_nothing_is_made(cli, place):
    status, found = examined(cli)
    assert status == 0
    assert found["folder"]["found"] == f"there is no store in {place / 'store'} yet"
    assert "aftermind remember" in found["folder"]["mend"]
    assert set(found) == {"configuration", "folder", "disk", "off limits", "model", "judge"}
    assert not (place / "store").exists()
    (place / "store").mkdir()
    status, found = examined(cli)
    assert (status, found["folder"]["level"]) == (0, "note")
    assert list((place / "store").iterdir()) == []


def test_a_folder_that_was_removed_while_somebody_stands_in_it_is_no_fault(cli, store, place):
    os.chdir(gone := place / "work")
    gone.rmdir()
    status, found = examined(cli)
    assert (status, worse(found), found["off limits"]["level"]) == (0, {}, "note")
    assert "the current folder was removed" in found["off limits"]["found"]


def test_a_healthy_store_has_nothing_to_mend_and_is_left_as_it_was(cli, store):
    before = everything(store)
    for words in ((), ("--verify",)):
        status, found = examined(cli, *words)
        assert (status, worse(found)) == (0, {})
        assert {name for name, one in found.items() if one["level"] == "note"} == {"clients"}
    assert found["log"]["values"]["events"] == 4
    assert everything(store) == before
    said = cli("doctor").out
    assert said.startswith("LEVEL  LOOKED AT      FOUND")
    assert said.endswith("\nNothing needs mending.\n")


def test_a_store_with_a_running_daemon_is_healthy_and_its_process_is_named(cli, store):
    with daemon(store) as resident:
        wait_until(lambda: clients_found(store).level == "ok", "the doors are copied")
        status, found = examined(cli)
        assert (status, worse(found)) == (0, {})
        for name in ("lock", "socket"):
            assert found[name]["values"]["pid"] == resident.pid
        assert found["lock"]["values"]["role"] == found["socket"]["values"]["holder"] == "daemon"
        assert found["socket"]["values"]["phase"] == "open"
        assert found["version"]["level"] == found["clients"]["level"] == "ok"
        assert resident.poll() is None
        assert cli("remember", "Another thing").status == 0
        status, found = examined(cli, "--verify")
        assert (status, worse(found), found["log"]["values"]["events"]) == (0, {}, 5)


def test_the_store_that_is_examined_is_the_one_that_is_named(cli, store, place):
    assert cli("doctor", "--json", "--home", str(place / "other")).json["folder"] == str(place / "other")
    assert not (place / "other").exists()


# --- the folder -----------------------------------------------------------------------------------------------


def test_a_folder_open_to_others_is_closed_by_the_command_that_is_named(cli, store):
    store.chmod(0o755)
    _, found = examined(cli)
    assert worse(found) == {"folder": "warning"}
    mended(found["folder"])
    assert examined(cli)[0] == 0


def test_files_open_to_others_are_named_and_closed_by_the_command_that_is_named(cli, store):
    (store / "log.db").chmod(0o644)
    (store / "run").chmod(0o755)
    _, found = examined(cli)
    assert worse(found) == {"permissions": "warning"}
    assert found["permissions"]["values"]["open_to_others"] == ["log.db", "run"]
    mended(found["permissions"])
    assert examined(cli)[0] == 0


@pytest.fixture
def mounted_to_be_read(cli, store, place):
    """The store once more, through a mount that lets nobody write."""
    folder = place / "read only"
    folder.mkdir()
    bound = ["mount", "--bind", str(store), str(folder)], ["mount", "-o", "remount,bind,ro", str(folder)]
    try:
        for words in bound:
            if not shutil.which("mount") or subprocess.run(words, capture_output=True, check=False).returncode:
                pytest.skip("nothing can be mounted here")
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], capture_output=True, check=False)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_a_store_that_nobody_can_write_is_a_fault_and_uninstall_says_so_too(cli, mounted_to_be_read):
    words = ("--home", str(mounted_to_be_read))
    assert cli("search", "xylophone", *words).status == 5
    status, found = examined(cli, *words)
    assert (status, worse(found)["folder"]) == (1, "fault")
    assert "is read-only" in found["folder"]["found"]
    refused = cli("uninstall", *words)
    assert (refused.status, "unexpected" in refused.err) == (5, False)
    assert "Read-only file system" in refused.err


def test_a_file_its_own_owner_cannot_write_is_a_fault(cli, store):
    (store / "log.db").chmod(0o400)
    _, found = examined(cli)
    assert found["permissions"]["level"] == "fault"
    mended(found["permissions"])
    assert examined(cli)[0] == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_files_and_folders_of_another_user_are_faults(cli, store):
    os.chown(store / "log.db", 12345, 12345)
    _, found = examined(cli)
    assert worse(found) == {"permissions": "fault"}
    assert found["permissions"]["values"]["anothers"] == ["log.db"]
    mended(found["permissions"])
    assert examined(cli)[0] == 0
    os.chown(store, 12345, 12345)
    _, found = examined(cli)
    assert found["folder"]["level"] == "fault"
    assert "belongs to the user 12345" in found["folder"]["found"]


def test_a_folder_that_cannot_be_a_store_is_named_with_the_reason(cli, place):
    (place / "file").write_text("mine")
    assert "it is not a folder" in examined(cli, "--home", str(place / "file"))[1]["folder"]["found"]
    (place / "link").symlink_to(place / "nowhere")
    assert "is a link" in examined(cli, "--home", str(place / "link"))[1]["folder"]["found"]
    status, found = examined(cli, "--home", str(place))
    assert (status, worse(found)) == (1, {"folder": "warning"})
    assert "holds no store and is not empty" in found["folder"]["found"]
    assert not (place / "lock").exists()


@pytest.mark.parametrize(("free", "level"), [(10**9, "ok"), (150 * 10**6, "warning"), (10**6, "fault"), (0, "fault")])
def test_a_disk_that_is_nearly_full_is_told_before_a_write_fails(free, level):
    found = space_found(free=free, total=10**12)
    assert (found.level, found.values["free"], bool(found.mend)) == (level, free, level != "ok")


# --- who holds it ---------------------------------------------------------------------------------------------


def stopped(child: int) -> None:
    """Stops a child of this process; when this returns it stands still."""
    os.kill(child, signal.SIGSTOP)
    os.waitid(os.P_PID, child, os.WSTOPPED)


def test_a_daemon_that_hangs_is_found_and_restart_mends_it(cli, store):
    with none_left(store), daemon(store) as hung:
        wait_until(lambda: cli("status").status == 0, "it answers")
        stopped(hung.pid)
        status, found = examined(cli)
        assert status == 1
        assert worse(found) == {"lock": "fault", "socket": "fault"}
        for name in ("lock", "socket"):
            assert found[name]["values"]["pid"] == hung.pid
            assert found[name]["mend"] == "`aftermind restart`"
        assert "stopped by a signal" in found["lock"]["found"]
        assert hung.poll() is None, "doctor signals nobody"
        assert cli("restart").status == 0
        assert worse(examined(cli)[1]) == {}


def test_what_a_killed_daemon_left_is_in_nobodys_way_and_stays(cli, store):
    with daemon(store) as dead:
        wait_until(lambda: cli("remember", "One more").status == 0, "it answers")
        dead.kill()
    before = everything(store)
    assert {"run/socket", "log.db-wal"} <= set(before)
    status, found = examined(cli, "--verify")
    assert (status, worse(found)) == (0, {})
    assert found["socket"]["level"] == found["lock"]["level"] == "note"
    assert str(dead.pid) in found["lock"]["found"]
    assert found["log"]["values"]["head"] == 5, "what only the WAL holds is read, too"
    after = everything(store)
    assert {name: facts for name, facts in after.items() if not name.endswith("-shm")} == {
        name: facts for name, facts in before.items() if not name.endswith("-shm")
    }, "an index of a WAL is no part of a store, and made anew by whoever reads it"
    assert set(after) == set(before)


def test_a_holder_that_shows_no_life_is_a_warning(cli, store):
    script = (
        "import sys, time; from pathlib import Path; from aftermind.engine.store.lock import take\n"
        "take(Path(sys.argv[1])).sign('program'); print('held', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(store)], stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout.readline() == b"held\n"
            status, found = examined(cli)
            assert (status, worse(found)) == (1, {"socket": "warning"})
            assert f"process {holder.pid}" in found["socket"]["found"]
            long_ago = time.time() - 3600
            os.utime(store / "lock", (long_ago, long_ago))
            assert worse(examined(cli)[1]) == {"lock": "warning", "socket": "warning"}
        finally:
            holder.kill()


def test_a_program_that_was_stopped_in_the_middle_is_named_with_the_command_that_lets_it_go_on(cli, store):
    script = (
        "import anyio, aftermind, sys\n"
        "async def hold():\n"
        "    async with aftermind.open_memory():\n"
        "        print('held', flush=True)\n"
        "        await anyio.to_thread.run_sync(sys.stdin.read)\n"
        "anyio.run(hold)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout.readline() == b"held\n"
        assert worse(examined(cli)[1]) == {}
        stopped(program.pid)
        try:
            _, found = examined(cli)
            assert worse(found) == {"lock": "fault", "socket": "fault"}
            mended(found["lock"])
            assert worse(examined(cli)[1]) == {}
        finally:
            os.kill(program.pid, signal.SIGCONT)
        program.communicate()


def test_a_store_another_kernel_writes_is_a_warning(cli, store):
    (store / "lock").write_text("17 daemon 00000000-another-kernel aftermind")
    _, found = examined(cli)
    assert worse(found) == {"lock": "warning"}
    assert "another machine" in found["lock"]["found"]
    assert (store / "lock").read_text().startswith("17 daemon")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_socket_of_another_user_is_a_fault(cli, store):
    for folder in (store, *store.parents):
        if folder.stat().st_mode & 0o077 == 0:  # what pytest made for this test alone
            folder.chmod(0o777)
    (store / "run").chmod(0o777)
    script = (
        "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()\n"
        "print('up', flush=True); time.sleep(60)\n"
    )
    command = ["/usr/bin/env", "python3", "-c", script, str(store / "run" / "socket")]
    with subprocess.Popen(command, user=12345, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout.readline() == b"up\n"
            _, found = examined(cli)
            assert found["socket"]["level"] == "fault"
            assert "another user's" in found["socket"]["found"]
        finally:
            other.kill()


@pytest.mark.parametrize(
    ("theirs", "ours", "level", "mend"),
    [
        ("0.1.0", "0.1.0", "ok", ""),
        ("0.1.0", "0.2.0", "warning", "`aftermind restart`"),
        ("0.9.0", "0.10.0", "warning", "`aftermind restart`"),
        ("0.2.0", "0.1.0", "warning", "upgrade this program"),
    ],
)
def test_a_daemon_of_another_version_is_told(theirs, ours, level, mend):
    found = version_found(theirs, ours, "daemon")
    assert (found.level, found.mend.startswith(mend)) == (level, True)
    assert "restart" not in version_found(theirs, ours, "program").mend


# --- what it keeps --------------------------------------------------------------------------------------------


def tampered(log: Path, position: int) -> None:
    with closing(sqlite3.connect(log)) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("UPDATE event SET payload = x'7b7d' WHERE position = ?", (position,))
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_changed_end_of_the_log_is_found_at_once(cli, store):
    tampered(store / "log.db", 4)
    before = everything(store)
    status, found = examined(cli)
    assert (status, worse(found)) == (1, {"log": "fault"})
    assert "position 4: its payload is not the one that was recorded; intact up to position 3" in found["log"]["found"]
    assert found["log"]["values"]["intact_until"] == 3
    assert everything(store) == before


def test_a_change_in_the_middle_of_the_log_is_found_by_verify(cli, store):
    tampered(store / "log.db", 2)
    assert examined(cli)[1]["log"]["level"] == "ok"
    _, found = examined(cli, "--verify")
    assert worse(found) == {"log": "fault"}
    assert "aftermind repair" in found["log"]["mend"]


def test_a_log_that_is_no_database_any_more_is_found(cli, store):
    (store / "log.db").write_bytes(b"no database, however you look at it" * 1000)
    status, found = examined(cli)
    assert (status, worse(found)) == (1, {"log": "fault"})
    assert "not a database" in found["log"]["found"]


def test_a_log_of_another_program_is_told(cli, store):
    (store / "log.db").unlink()
    with closing(sqlite3.connect(store / "log.db")) as connection:
        connection.execute("CREATE TABLE other (x)")
    assert "it is a database, but not a log" in examined(cli)[1]["log"]["found"]


def test_a_log_of_a_later_version_is_no_damage(cli, store):
    with closing(sqlite3.connect(store / "log.db")) as connection:
        connection.execute("PRAGMA user_version=99")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _, found = examined(cli)
    assert worse(found) == {"log": "fault"}
    assert "its log has format 99, this program knows 1" in found["log"]["found"]
    assert found["log"]["mend"] == "upgrade aftermind"
