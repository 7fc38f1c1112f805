"""reset takes vectors and downloads away, and leaves what a person put beside them."""

from __future__ import annotations

from pathlib import Path

from aftermind.cli.store_folder.belongings import belongings

HUB = "models/BAAI--bge-small/models--Qdrant--bge-small"


def filled(store: Path) -> None:
    """What recall by meaning and a hub's library leave: links from a snapshot to the files it is made of."""
    for name, content in {
        "embeddings.db": b"cache",
        f"vectors-{'0a' * 16}.f32": b"\0" * 1024,
        "models/BAAI--bge-small.here": b"",
        f"{HUB}/blobs/abc": b"w" * 5_000_000,
        f"{HUB}/refs/main": b"1",
        "models/BAAI--bge-small/.locks/x.lock": b"",
    }.items():
        (store / name).parent.mkdir(parents=True, exist_ok=True)
        (store / name).write_bytes(content)
    (store / HUB / "snapshots" / "1").mkdir(parents=True)
    (store / HUB / "snapshots" / "1" / "model.onnx").symlink_to("../../blobs/abc")


def test_vectors_and_downloads_go_with_the_store_and_the_preview_tells_their_size(cli, place):
    assert cli("remember", "The xylophone is out of tune").status == 0
    filled(place / "store")
    (place / "config.toml").write_text("")
    said = cli("reset", "--dry-run").out
    assert "5.0 MB of these were downloaded" in said
    assert "stays     the configuration" in said
    told = cli("reset", "--dry-run", "--json").json
    assert (told["downloads"] // 1000, told["stays"]) == (5_000, [])
    assert cli("reset", "--yes").status == 0
    assert not (place / "store").exists()


def test_a_model_of_a_persons_own_beside_the_downloads_stays(cli, place):
    assert cli("remember", "The xylophone is out of tune").status == 0
    store = place / "store"
    filled(store)
    outside = place / "outside"
    outside.mkdir()
    (outside / "kept").write_text("mine")
    (store / "models" / "my--own").mkdir()
    (store / "models" / "my--own" / "model.onnx").write_text("mine")
    (store / "models" / "notes").write_text("mine")
    (store / HUB / "elsewhere").symlink_to(outside)
    foreign = {str(path.relative_to(store)) for path in belongings(store).foreign}
    assert foreign == {"models/my--own", "models/notes"}
    assert cli("reset", "--yes").status == 0
    left = sorted(str(path.relative_to(store)) for path in store.rglob("*"))
    assert left == ["models", "models/my--own", "models/my--own/model.onnx", "models/notes"]
    assert (outside / "kept").read_text() == "mine"
