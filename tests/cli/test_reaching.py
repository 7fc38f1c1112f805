"""The door of a store: found however deep it is, open to its owner alone, and there while somebody listens."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import anyio
import pytest
from tests.daemons import daemon, none_left, processes
from tests.wired import PATIENCE, Raw, raw, until

import aftermind
from aftermind.cli.holding import serving
from aftermind.cli.language import wire
from aftermind.cli.language.requests import Brief, Recall, Remember, Report, Show
from aftermind.cli.language.wire import Call, Unreachable, framed
from aftermind.cli.reaching.joining import Joined, connected
from aftermind.cli.reaching.starting import started
from aftermind.engine.errors import Left, LogDamaged, StoreUnusable
from aftermind.engine.names import EventId
from aftermind.engine.stored import storable

pytestmark = pytest.mark.anyio
KEY = EventId("a1" * 16)
WORKS = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no way to name such a socket")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


async def works(folder: Path) -> None:
    """Somebody else can join and is answered."""
    async with aftermind.open_memory(folder) as other:
        id = await other.remember("the zebra crossing")
        assert [hit.id for hit in await other.recall("zebra")] == [id]
        assert (await other.state()).connections >= 1


async def test_a_holder_that_takes_its_time_to_go_is_waited_for(folder):
    """On a busy machine it says for a while that it goes before it is gone."""
    folder.mkdir(mode=0o700)
    run = wire.run_folder(folder)

    async def going(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(framed(wire.Welcome(aftermind="0", wire=wire.WIRE, pid=os.getpid(), holder="daemon")))
        with suppress(asyncio.IncompleteReadError):
            while await wire.frame(reader, wire.LARGEST_CALL):
                writer.write(framed(wire.failed(Left(folder))))
        writer.close()

    async with wire.socket_name(run, wire.SOCKET) as name:
        server = await asyncio.start_unix_server(going, name)
    joined = Joined(folder, await connected(folder, PATIENCE))

    async def gone() -> None:
        await anyio.sleep(1.0)
        server.close()
        (run / wire.SOCKET).unlink(missing_ok=True)

    with none_left(folder):
        async with anyio.create_task_group() as group:
            group.start_soon(gone)
            assert (await joined.ask(Remember(text="the zebra crossing"))).startswith("m")
        await joined.close()


async def test_who_gives_up_is_rid_of_a_holder_that_reads_nothing(folder):
    folder.mkdir(mode=0o700)
    gone = asyncio.Event()

    async def deaf(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(framed(wire.Welcome(aftermind="0", wire=wire.WIRE, pid=os.getpid(), holder="daemon")))
        await gone.wait()
        writer.transport.abort()

    async with wire.socket_name(wire.run_folder(folder), wire.SOCKET) as name:
        server = await asyncio.start_unix_server(deaf, name, limit=1)
    connection = await connected(folder, PATIENCE)
    joined = Joined(folder, connection, starts=False)
    with anyio.move_on_after(0.2):
        await joined.ask(Remember(text="zebra " * 1_000_000))
    with anyio.fail_after(PATIENCE):
        await connection._writer.wait_closed()
    gone.set()
    server.close()


# --- strangers ------------------------------------------------------------------------------------------------

STRANGER = """
import os, socket, sys
os.setgid(65534)
os.setuid(65534)
with socket.socket(socket.AF_UNIX) as connection:
    connection.settimeout(30)
    connection.connect(sys.argv[1])
    try:
        print(connection.recv(1000))
    except ConnectionError:
        print(b"")
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
async def test_another_user_is_not_even_welcomed_whatever_the_folders_rights():
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "store"
        Path(place).chmod(0o755)
        async with aftermind.open_memory(folder) as memory:
            assert (folder / "run").stat().st_mode & 0o777 == 0o700
            assert (folder / "run" / "socket").stat().st_mode & 0o777 == 0o600
            for path, rights in ((folder, 0o755), (folder / "run", 0o755), (folder / "run" / "socket", 0o666)):
                path.chmod(rights)
            ran = await anyio.run_process([sys.executable, "-c", STRANGER, str(folder / "run" / "socket")])
            assert ran.stdout.strip() == b"b''"
            await works(folder)
            await until(lambda: alone(memory), "it is over")


async def alone(memory: aftermind.OpenMemory) -> bool:
    return (await memory.state()).connections == 0


# --- no sockets that are files --------------------------------------------------------------------------------


@pytest.fixture
def _no_unix_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "UNIX", False)


def address(folder: Path) -> tuple[int, bytes]:
    port, _, token = (folder / "run" / "address").read_bytes().partition(b" ")
    return int(port), token


@asynccontextmanager
async def loopback(port: int) -> AsyncIterator[Raw]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)


@pytest.mark.usefixtures("_no_unix_sockets")
async def test_where_there_are_none_a_port_and_a_token_take_their_place(folder):
    async with aftermind.open_memory(folder):
        assert (folder / "run" / "address").stat().st_mode & 0o777 == 0o600
        assert not (folder / "run" / "socket").exists()
        await works(folder)
        port, token = address(folder)
        assert len(token) == 32
        async with loopback(port) as client:
            await client.send(token)
            assert (await client.welcome()).pid == os.getpid()
            assert await client.ask(Report())
    assert not (folder / "run" / "address").exists()
    with pytest.raises(Unreachable):
        await connected(folder, 1)


@pytest.mark.usefixtures("_no_unix_sockets")
@pytest.mark.parametrize("form", ["nothing", "half", "wrong", "wrong by a letter", "a request", "an older one"])
async def test_who_does_not_know_the_token_is_not_welcomed(folder, monkeypatch, form):
    monkeypatch.setattr(serving, "GRACE", 0.3)
    async with aftermind.open_memory(folder):
        _, older = address(folder)
    async with aftermind.open_memory(folder):
        port, token = address(folder)
        assert token != older
        said = {
            "nothing": b"",
            "half": token[:16],
            "wrong": b"0" * 32,
            "wrong by a letter": token[:-1] + (b"0" if token[-1:] != b"0" else b"1"),
            "a request": framed(Call(key=KEY, request=Report())),
            "an older one": older,
        }[form]
        async with loopback(port) as client:
            await client.send(said)
            assert await client.ended()
        await works(folder)


@pytest.mark.usefixtures("_no_unix_sockets")
@pytest.mark.parametrize(
    "written", [b"", b"x", b"99999999 token", b"-1 token", b"1 token", b"\xff\xfe", "٣ token".encode(), b"0 "]
)
async def test_an_address_that_leads_nowhere_is_as_good_as_none(folder, written):
    async with aftermind.open_memory(folder):
        pass
    (folder / "run" / "address").write_bytes(written)
    async with aftermind.open_memory(folder) as memory:
        assert (await memory.state()).pid == os.getpid()
        await works(folder)


@pytest.mark.usefixtures("_no_unix_sockets")
@pytest.mark.parametrize("words", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0\0\0\2{}", b"\0\0\0\7garbage", b""])
async def test_a_port_that_became_another_programs_is_not_taken_for_ours(folder, words):
    async def somebody(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(words)
        writer.close()
        await writer.wait_closed()

    async with aftermind.open_memory(folder):
        pass
    server = await asyncio.start_server(somebody, "127.0.0.1", 0)
    async with server:
        (folder / "run" / "address").write_bytes(b"%d %s" % (server.sockets[0].getsockname()[1], b"t" * 32))
        async with aftermind.open_memory(folder) as memory:
            assert (await memory.state()).pid == os.getpid()


# --- deep, odd and stale --------------------------------------------------------------------------------------


@WORKS
async def test_a_store_may_be_deeper_than_a_sockets_name_is_long(tmp_path):
    folder = tmp_path.joinpath(*["deeper" * 8] * 8, "store")
    assert len(os.fsencode(folder)) > 400
    async with aftermind.open_memory(folder) as memory:
        await works(folder)
        await until(lambda: alone(memory), "it is over")
        before = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(5):
            await works(folder)
        await until(lambda: alone(memory), "it is over")
        assert len(list(Path("/proc/self/fd").iterdir())) <= before + 1
    assert list((folder / "run").iterdir()) == []


@WORKS
async def test_a_daemon_of_a_deep_store_is_found(place):
    folder = place.joinpath(*["deeper" * 8] * 8, "store")
    with none_left(folder), daemon(folder) as resident:
        async with raw(folder) as client:
            assert (await client.ask(Report())).pid == resident.pid
        await works(folder)


@WORKS
async def test_a_folder_whose_name_is_no_text_is_a_store_too(tmp_path):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/st\xffre"))
    async with aftermind.open_memory(folder) as memory, aftermind.open_memory(folder) as joined:
        assert (await joined.stats()).folder == (await joined.state()).folder == storable(str(folder))
        assert (await memory.stats()).folder == str(folder)
        await works(folder)


async def test_a_socket_a_dead_process_left_is_replaced(folder):
    async with aftermind.open_memory(folder):
        pass
    for name in ("socket", "socket.1", f"socket.{os.getpid()}"):
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(folder / "run" / name))
    (folder / "run" / "address.17").write_bytes(b"1 token")
    with pytest.raises(Unreachable):
        await connected(folder, 1)
    async with aftermind.open_memory(folder):
        await works(folder)
        assert [path.name for path in (folder / "run").iterdir()] == ["socket"]
    assert list((folder / "run").iterdir()) == []


async def test_a_file_in_the_sockets_place_is_replaced(folder):
    async with aftermind.open_memory(folder):
        pass
    (folder / "run" / "socket").write_bytes(b"not a socket")
    async with aftermind.open_memory(folder):
        await works(folder)


@pytest.mark.parametrize("name", ["run", "run/socket"])
async def test_what_cannot_be_replaced_is_named_with_a_next_step(folder, name):
    async with aftermind.open_memory(folder):
        pass
    shutil.rmtree(folder / "run")
    if name == "run":
        (folder / "run").write_bytes(b"a file in its place")
    else:
        (folder / "run" / "socket" / "full").mkdir(parents=True)
    for _ in range(2):
        with pytest.raises(StoreUnusable) as error:
            async with aftermind.open_memory(folder):
                pass
        assert error.value.hint
        assert "run" in str(error.value)


# --- before it is open ----------------------------------------------------------------------------------------


@asynccontextmanager
async def opening(folder: Path) -> AsyncIterator[sqlite3.Connection]:
    """A store that somebody is opening, and that does not open before the transaction here ends."""

    async def hold() -> None:
        async with aftermind.open_memory(folder):
            await over.wait()

    over = asyncio.Event()
    with closing(sqlite3.connect(folder / "log.db", isolation_level=None)) as busy:
        busy.execute("BEGIN IMMEDIATE")
        holding = asyncio.create_task(hold())
        try:
            await until(lambda: (folder / "run" / "socket").exists(), "it listens")
            yield busy
        finally:
            over.set()
            await asyncio.wait([holding], timeout=PATIENCE)
            if (error := holding.exception()) is not None and not isinstance(error, LogDamaged):
                raise error


async def test_what_is_asked_while_a_store_opens_is_answered_when_it_is_open(folder):
    async with aftermind.open_memory(folder) as memory:
        id = await memory.remember("the zebra crossing")
    async with opening(folder) as busy, raw(folder) as client, raw(folder) as other, raw(folder) as third:
        assert (await third.ask(Report())).phase == "opening"
        asking = [
            asyncio.create_task(client.ask(Show(id=id))),
            asyncio.create_task(other.ask(Remember(text="the port is 5432"))),
        ]
        assert (await third.ask(Report())).phase == "opening"
        await asyncio.sleep(0.2)
        assert not any(task.done() for task in asking)
        busy.execute("ROLLBACK")
        shown, _ = await asyncio.gather(*asking)
        assert shown.text == "the zebra crossing"
        assert (await third.ask(Report())).phase == "open"
        assert len(await third.ask(Recall(query="port"))) == 1


async def test_a_read_gives_up_waiting_for_a_store_that_does_not_open(folder):
    async with aftermind.open_memory(folder):
        pass
    async with opening(folder) as busy, raw(folder) as client:
        with pytest.raises(wire.TooLate):
            await client.ask(Brief(session="s", prompt="how?"), seconds=0.1)
        busy.execute("ROLLBACK")
        assert await client.ask(Brief(session="s", prompt="how?"))


async def shortened(folder: Path) -> None:
    """A store whose log lost its end, as after a backup was put in its place."""
    async with aftermind.open_memory(folder) as memory:
        await memory.remember("one")
    shutil.copyfile(folder / "log.db", folder / "older")
    async with aftermind.open_memory(folder) as memory:
        await memory.remember("two")
        await memory.caught_up()
    (folder / "older").replace(folder / "log.db")


async def test_who_waits_for_a_store_that_cannot_be_opened_is_told_why(folder):
    await shortened(folder)
    async with opening(folder) as busy, raw(folder) as client, raw(folder) as other:
        asking = [
            asyncio.create_task(client.ask(Recall(query="one"))),
            asyncio.create_task(other.ask(Remember(text="three"))),
        ]
        await asyncio.sleep(0.2)
        busy.execute("ROLLBACK")
        for task in asking:
            with pytest.raises(LogDamaged, match="end of the log is missing") as error:
                await task
            assert error.value.path == folder / "log.db"
            assert error.value.hint
        assert await client.ended()


async def test_who_starts_a_daemon_that_cannot_open_the_log_is_told_why(place):
    folder = place / "store"
    await shortened(folder)
    with none_left(folder):
        joined = Joined(folder, await started(folder, PATIENCE))
        with pytest.raises(LogDamaged, match="end of the log is missing"):
            await joined.ask(Recall(query="one"))
        await joined.close()
        await until(lambda: not processes(folder), "it ends")
