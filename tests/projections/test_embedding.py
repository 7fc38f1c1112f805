"""Texts become vectors by real models: the one that ships, and networks in folders, through fastembed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from aftermind.projections.meaning.embedding import (
    AT_ONCE,
    MUCH,
    NetworkModel,
    checked,
    fingerprint,
    fitting,
    loaded,
    portions,
    signature,
)
from aftermind.projections.meaning.model_files import FILES, POOLING, NoModel, half_floats
from tests.networks import network

TEXTS = [f"what was said on the {day}th " * (day % 9 + 1) for day in range(40)]


@pytest.mark.parametrize("whole_numbers", [False, True])
def test_the_same_text_has_the_same_vector_alone_among_others_and_by_a_second_loading(
    tmp_path: Path, whole_numbers: bool
) -> None:
    """Also by a quantised network, whose numbers depend on what it computes at once; on however many processors."""
    folder = network(tmp_path / "network", whole_numbers=whole_numbers)
    first, second = (NetworkModel(str(folder), tmp_path, processors) for processors in (1, 2))
    sessions = [one._network.model.model for one in (first, second)]  # type: ignore[attr-defined]
    assert [session.get_session_options().intra_op_num_threads for session in sessions] == [1, 2]
    together = first.embed(TEXTS)
    assert together.dtype == np.float32
    assert together.shape == (len(TEXTS), 16)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    assert np.array_equal(together, np.concatenate([second.embed([text]) for text in TEXTS]))
    assert np.array_equal(together[::-1], second.embed(TEXTS[::-1]))
    assert first.embed([]).shape == (0, 16)


@pytest.mark.parametrize(("usable", "taken"), [(1, 1), (2, 1), (3, 1), (4, 2), (64, 2)])
def test_a_network_leaves_half_of_a_machine_to_others(usable: int, taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(usable)), raising=False)
    assert fitting() == taken


def test_the_same_text_has_the_same_vector_by_the_model_that_ships() -> None:
    first, second = loaded("static", Path()), loaded("static", Path())
    assert first is not None
    assert second is not None
    assert np.array_equal(first.embed(TEXTS), np.concatenate([second.embed([text]) for text in TEXTS]))
    assert first.fingerprint == second.fingerprint == fingerprint("static", Path())


def test_other_weights_or_another_way_to_use_them_are_another_model(tmp_path: Path) -> None:
    folder = network(tmp_path / "network")
    prints, signatures = {fingerprint(str(folder), tmp_path)}, {signature(str(folder), tmp_path)}
    network(folder, seed=1)
    prints.add(fingerprint(str(folder), tmp_path))
    signatures.add(signature(str(folder), tmp_path))
    config = folder / "tokenizer_config.json"
    config.write_text(config.read_text().replace("128", "64"))
    prints.add(fingerprint(str(folder), tmp_path))
    signatures.add(signature(str(folder), tmp_path))
    assert (len(prints), len(signatures)) == (3, 3)
    assert NetworkModel(str(folder), tmp_path).fingerprint in prints


@pytest.mark.parametrize("lost", FILES)
def test_a_folder_without_one_of_its_files_is_no_model_and_the_error_names_it(tmp_path: Path, lost: str) -> None:
    folder = network(tmp_path / "network")
    (folder / lost).unlink()
    for tried in (loaded, checked):
        with pytest.raises(NoModel, match=f"the folder lacks {lost}") as refused:
            tried(str(folder), tmp_path)
        assert "tokenizer.json" in refused.value.hint


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_file_of_a_model_that_cannot_be_read_makes_it_none(tmp_path: Path, damaged: str) -> None:
    folder = network(tmp_path / "network")
    (folder / damaged).write_bytes(b"\0 neither json nor a graph")
    why = "its model.onnx is cut off, or is none" if damaged == "model.onnx" else "it cannot be loaded: "
    with pytest.raises(NoModel, match=why):
        loaded(str(folder), tmp_path)


@pytest.mark.parametrize("share", [0, 0.5, 0.9])
def test_a_network_that_is_cut_off_is_told_as_that(tmp_path: Path, share: float) -> None:
    file = network(tmp_path / "network") / "model.onnx"
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(NoModel, match=r"its model\.onnx is cut off, or is none"):
        loaded(str(file.parent), tmp_path)


def test_a_network_that_gives_no_numbers_is_refused(tmp_path: Path) -> None:
    folder = network(tmp_path / "network", broken=True)
    with pytest.raises(NoModel, match="a text became what is no number"):
        loaded(str(folder), tmp_path)


def test_an_unknown_name_is_refused_with_the_one_that_was_meant(tmp_path: Path) -> None:
    for name, meant in (
        ("statik", "static"),
        ("baai/bge-small-en-v1.5", "BAAI/bge-small-en-v1.5"),
        ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"),
        ("minilm", "all-MiniLM"),
    ):
        with pytest.raises(NoModel) as refused:
            checked(name, tmp_path)
        assert meant in refused.value.hint
    with pytest.raises(NoModel, match="there is no such folder"):
        checked(str(tmp_path / "nowhere"), tmp_path)
    with pytest.raises(NoModel, match="it was not downloaded") as refused:
        checked("BAAI/bge-small-en-v1.5", tmp_path)
    assert refused.value.hint.startswith("`aftermind model pull BAAI/bge-small-en-v1.5`")


def test_texts_go_together_by_length_few_at_once_when_they_are_long() -> None:
    texts = ["x" * length for length in (3_000, 10, 20, 5_000, 300, 5, *[30] * 40)]
    found = portions(texts)
    assert sorted(place for portion in found for place in portion) == list(range(len(texts)))
    lengths = [[len(texts[place]) for place in portion] for portion in found]
    assert [length for portion in lengths for length in portion] == sorted(map(len, texts))
    assert max(map(len, lengths)) == AT_ONCE
    assert all(len(portion) * max(portion) <= MUCH for portion in lengths if len(portion) > 1)
    assert lengths[-2:] == [[3_000], [5_000]]
    assert portions([]) == []


@pytest.mark.parametrize(
    "header",
    [
        b'{"other":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]}}',
        b'{"table":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}',
        b'{"table":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}',
        b'{"table":{"dtype":"F16","shape":[2,4],"data_offsets":[0,16]}}',
        b"no JSON",
    ],
    ids=["no such table", "other numbers", "no table", "cut short", "no header"],
)
def test_a_table_that_is_not_as_it_says_is_no_model(tmp_path: Path, header: bytes) -> None:
    file = tmp_path / "weights.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    with pytest.raises(NoModel):
        half_floats(file, "table")


def test_a_table_is_found_where_its_file_says(tmp_path: Path) -> None:
    file, header = tmp_path / "weights", b'{"table":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]}}'
    file.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    assert half_floats(file, "table") == ((2, 2), 8 + len(header))


def test_a_folder_pools_as_it_says_and_another_way_is_another_model(tmp_path: Path) -> None:
    """A sentence transformer tells it in a file of its own; without it, it is the mean."""
    folder = network(tmp_path / "network")
    told = folder / POOLING
    told.parent.mkdir()
    found = {}
    for way in ("", "pooling_mode_mean_tokens", "pooling_mode_cls_token"):
        if way:
            every = {
                "pooling_mode_cls_token": False,
                "pooling_mode_mean_tokens": False,
                "pooling_mode_max_tokens": False,
            }
            told.write_text(json.dumps({"word_embedding_dimension": 16, **every, way: True}))
        model = NetworkModel(str(folder), tmp_path)
        assert model.fingerprint == fingerprint(str(folder), tmp_path)
        found[way] = (model.fingerprint, signature(str(folder), tmp_path), model.embed(["abc def"]))
    for way, before in (
        ("mean", "pooling_mode_mean_tokens"),
        ("cls", "pooling_mode_cls_token"),
    ):  # as it is from 5.4 on
        told.write_text(json.dumps({"embedding_dimension": 16, "pooling_mode": way, "include_prompt": True}))
        assert fingerprint(str(folder), tmp_path) == found[before][0]
    none, mean, first = found.values()
    assert none[0] == mean[0] != first[0]
    assert len({one[1] for one in found.values()}) == 3
    assert np.array_equal(none[2], mean[2])
    assert not np.allclose(mean[2], first[2])


@pytest.mark.parametrize(
    "told",
    [
        '{"pooling_mode_max_tokens": true}',
        '{"pooling_mode_lasttoken": true}',
        "{}",
        "no",
        "[1]",
        '{"pooling_mode": "max"}',
    ],
)
def test_a_pooling_that_is_not_known_is_told(tmp_path: Path, told: str) -> None:
    folder = network(tmp_path / "network")
    (folder / POOLING).parent.mkdir()
    (folder / POOLING).write_text(told)
    with pytest.raises(NoModel, match=r"pooling|1_Pooling"):
        NetworkModel(str(folder), tmp_path)


def test_a_home_that_nobody_has_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(NoModel, match="there is no such folder"):
        checked("~nosuchuser/model", tmp_path)
