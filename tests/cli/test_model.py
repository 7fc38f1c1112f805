"""model: what recall by meaning goes by, chosen without a download."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
from tests.daemons import daemon, wait_until
from tests.networks import network

from aftermind.projections.meaning.model_files import DOWNLOADS, folder_of


def test_the_model_that_ships_is_used_by_a_daemon_and_status_tells(cli, store):
    assert cli("remember", "The xylophone is out of tune").status == 0
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["used"] == "static", "it is loaded")
        said = cli("model", "status", "--json").json
        assert (said["name"], said["vectors"], said["followed"]) == ("static", 1, said["head"])
        assert "in use      static" in cli("model", "status").out
        assert cli("model", "use", "none").status == 0
        wait_until(lambda: cli("model", "status", "--json").json["used"] == "", "it is put away")
        assert "xylophone" in cli("search", "xylophone").out


def test_who_waits_for_a_daemon_that_goes_by_another_model_is_told(cli, store, monkeypatch):
    assert cli("remember", "The xylophone is out of tune").status == 0
    monkeypatch.setenv("AFTERMIND_MODEL_NAME", "none")
    with daemon(store):
        monkeypatch.delenv("AFTERMIND_MODEL_NAME")
        told = cli("model", "use", "static", "--wait")
    assert told.status == 5
    assert "static is configured, but who holds the store goes by none." in told.out
    assert "AFTERMIND_MODEL_NAME" in told.out


def test_a_model_that_is_not_here_is_refused_and_nothing_changes(cli, place):
    for name, why in (("no/such", "not in the list"), (str(place), "the folder lacks model.onnx")):
        refused = cli("model", "use", name)
        assert refused.status == 5
        assert why in refused.err
    assert cli("config", "get", "model.name").out == "static\n"


def test_an_empty_word_is_no_model_also_where_this_folder_is_one(cli, place, monkeypatch):
    monkeypatch.chdir(network(place / "network"))
    for action in ("use", "pull", "remove"):
        refused = cli("model", action, "")
        assert (refused.status, "an empty word names nothing" in refused.err) == (2, True)
    assert cli("config", "get", "model.name").out == "static\n"


def test_the_list_marks_what_is_used_and_remove_spares_it(cli, place):
    assert "*  static" in cli("model", "list").out
    assert cli("model", "remove", "static").status == 2
    assert cli("model", "remove", "no/such").status == 3
    assert {"static", "none"} <= {one["name"] for one in cli("model", "list", "--json").json}


def test_a_folder_that_is_not_there_is_said_to_be_missing(cli, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastembed", None)  # as where it is not installed
    refused = cli("model", "use", "/nonexistent")
    assert "there is no such folder" in refused.err
    assert "pip install" not in refused.err


def test_status_tells_what_is_configured_before_there_is_a_store(cli):
    told = cli("model", "status")
    assert (told.status, told.out.splitlines()[0]) == (0, "configured  static")
    assert "there is no store" in told.out
    assert cli("model", "status", "--json").json["name"] == "static"


def test_a_folder_is_configured_by_its_whole_path_and_found_again_however_it_is_written(cli, place):
    network(place / "own")
    assert cli("model", "use", "../own").status == 0
    assert cli("config", "get", "model.name").out == f"{place / 'own'}\n"
    assert "is in use" in cli("model", "remove", "./../own").err
    (place / "work" / "notes").touch()
    assert "it is a file, and a model is a folder" in cli("model", "use", "./notes").err


def test_a_search_at_a_terminal_says_that_it_went_by_words_alone(cli, store, monkeypatch):
    def searched() -> str:
        with monkeypatch.context() as terminal:
            terminal.setattr("sys.stdout.isatty", lambda: True)
            return cli("search", "xylophone").out

    assert cli("remember", "The xylophone is out of tune").status == 0
    assert "By words alone" not in cli("search", "xylophone").out
    assert "By words alone: no daemon runs" in " ".join(searched().split())
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["used"] == "static", "it is loaded")
        assert "By words alone" not in searched()
        assert cli("model", "use", "none").status == 0
        wait_until(lambda: cli("model", "status", "--json").json["used"] == "", "it is put away")
        assert "By words alone" not in searched()


def test_the_library_that_computes_a_network_keeps_nothing_and_tells_nobody(place, process, env):
    """Left alone, onnxruntime keeps an id of the machine and what it will send in its user's home."""
    (place / "bare").mkdir()
    network(place / "work" / "own")
    bare = {**env, "HOME": str(place / "bare")}
    for words in (("model", "list"), ("model", "use", "own")):
        with process(*words, env=bare, stdout=subprocess.DEVNULL) as asked:
            assert asked.wait(60) == 0
    assert list((place / "bare").rglob("*")) == []


def test_a_model_that_is_in_use_is_spared_whatever_it_is_called(cli, store, place):
    own = network(place / "work" / "own")
    (place / "work" / "link").symlink_to(own)
    shutil.copytree(own, place / "work" / "copy")
    assert cli("model", "use", "own").status == 0
    assert cli("remember", "The xylophone is out of tune").status == 0
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["phase"] == "level", "its vectors are there")
        (file,) = store.glob("vectors-*.f32")
        for name in ("own", str(own), "own/../own", "link", "copy"):
            refused = cli("model", "remove", name)
            assert (refused.status, file.exists()) == (2, True)
            assert "in use" in refused.err
            assert "aftermind model use static" in refused.err
        own.rename(place / "work" / "away")  # unmounted, say
        assert (cli("model", "remove", "copy").status, file.exists()) == (2, True)
        (place / "work" / "away").rename(own)
        assert cli("model", "use", "static", "--wait").status == 0
        assert cli("model", "remove", "copy").status == 0
    assert not file.exists()


def test_texts_that_the_model_cannot_take_are_told_also_after_a_restart(cli, store, place):
    own = network(place / "work" / "own", refuses="q")
    assert cli("model", "use", "own").status == 0
    for text in ("The xylophone is out of tune", "The queue is stuck", "The quarry opens at seven"):
        assert cli("remember", text).status == 0
    for _ in range(2):
        with daemon(store):
            wait_until(lambda: cli("model", "status", "--json").json["phase"] == "level", "its vectors are there")
            said = cli("model", "status", "--json").json
            assert (said["vectors"], said["empty"]) == (3, 2)
            assert "2 of them are empty" in cli("model", "status").out
            doctor = cli("doctor", "--json").json
            (finding,) = (one for one in doctor["findings"] if one["looked_at"] == "model")
            assert (finding["level"], finding["values"]["empty"]) == ("note", 2)
            assert "every memory has its vectors" not in finding["found"]
            assert "queue" in cli("search", "queue").out
    assert own.is_dir()


def test_a_memory_that_was_reworded_has_one_vector_in_what_is_told(cli, store):
    id = cli("remember", "The xylophone is out of tune", "--json").json["id"]
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["phase"] == "level", "its vectors are there")
        assert cli("correct", id, "The xylophone was tuned").status == 0
        wait_until(lambda: cli("model", "status", "--json").json["phase"] == "level", "they are there again")
        assert cli("model", "status", "--json").json["vectors"] == 1


def test_a_folder_that_goes_while_its_model_is_in_use_is_told_as_that(cli, store, place):
    own = network(place / "work" / "own")
    assert cli("model", "use", "own").status == 0
    assert cli("remember", "The xylophone is out of tune").status == 0
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["phase"] == "level", "its vectors are there")
        own.rename(place / "work" / "away")
        (finding,) = (one for one in cli("doctor", "--json").json["findings"] if one["looked_at"] == "model")
        assert finding["level"] == "warning"
        assert "from the next start of the daemon on" in finding["found"]
        assert "it serves until the daemon stops" in cli("model", "status").out
    (finding,) = (one for one in cli("doctor", "--json").json["findings"] if one["looked_at"] == "model")
    assert finding["found"].endswith("memories are recalled by their words")


def test_where_another_folder_of_the_same_model_serves_for_one_that_is_gone_that_is_told(cli, store, place):
    own, copied = network(place / "work" / "own"), place / "work" / "copied"
    shutil.copytree(own, copied)
    assert cli("remember", "The xylophone is out of tune").status == 0
    with daemon(store):
        for folder in (own, copied):
            assert cli("model", "use", str(folder), "--wait").status == 0
    shutil.rmtree(copied)
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["used"] == str(own), "the other one serves")
        (finding,) = (one for one in cli("doctor", "--json").json["findings"] if one["looked_at"] == "model")
    assert finding["level"] == "warning"
    assert finding["found"].endswith(f"{own} is in use meanwhile")


def test_after_a_restart_the_model_before_serves_until_the_vectors_of_the_new_one_are_complete(cli, store, place):
    network(place / "work" / "one")
    slow = network(place / "work" / "slow", seed=1, turns=("q", 4_000_000))
    for text in ("The xylophone is out of tune", "The queue is stuck"):
        assert cli("remember", text).status == 0
    assert cli("model", "use", "one").status == 0
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["phase"] == "level", "its vectors are there")
    assert cli("model", "use", "slow").status == 0
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["coming"] == str(slow), "the new one is coming")
        assert cli("model", "status", "--json").json["used"].endswith("one")
        wait_until(lambda: cli("model", "status", "--json").json["used"] == str(slow), "it is in use")
    with daemon(store):
        wait_until(lambda: cli("model", "status", "--json").json["phase"] == "level", "and after a restart it is")
        assert cli("model", "status", "--json").json["used"] == str(slow)


def test_a_folder_is_taken_into_use_and_not_pulled(cli, place):
    network(place / "work" / "own")
    refused = cli("model", "pull", "own")
    assert refused.status == 2
    assert "aftermind model use own" in refused.err
    assert "did you mean none" not in cli("model", "use", "nope").err


def test_there_is_nothing_to_pull_for_what_needs_no_download(cli):
    for name in ("static", "none"):
        refused = cli("model", "pull", name)
        assert refused.status == 2
        assert f"aftermind model use {name}" in refused.err
        assert "did you mean" not in refused.err


def test_what_cannot_be_downloaded_leaves_no_folder_where_there_was_none(cli, place):
    fresh = place / "not yet" / "here"
    assert cli("model", "pull", "no/such", "--home", str(fresh)).status == 5
    assert not fresh.parent.exists()
    fresh.mkdir(parents=True)
    assert cli("model", "pull", "no/such", "--home", str(fresh)).status == 5
    assert list(fresh.iterdir()) == []


@pytest.mark.parametrize("name", ["no/such", "bge-small", "BAAI/bge-small-en-v1.5", "/no/such/folder"])
def test_the_doctor_names_a_command_once_where_a_model_is_missing(cli, store, name):
    assert cli("config", "set", "model.name", name).status == 0
    (mend,) = (one["mend"] for one in cli("doctor", "--json").json["findings"] if one["looked_at"] == "model")
    commands = re.findall(r"`([^`]+)`", mend)
    assert {"aftermind model list", "aftermind model use static"} <= set(commands)
    assert len(commands) == len(set(commands))


def test_a_home_that_nobody_has_is_told_as_a_missing_folder(cli):
    for command in ("use", "remove"):
        refused = cli("model", command, "~nosuchuser/model")
        assert "unexpected" not in refused.err
    assert "there is no such folder" in cli("model", "use", "~nosuchuser/model").err


def test_vectors_of_a_folder_that_is_gone_are_listed_by_its_name_and_removed_by_it(cli, store, place):
    own = network(place / "work" / "own")
    assert cli("model", "use", "own").status == 0
    assert cli("remember", "The xylophone is out of tune").status == 0
    with daemon(store):
        assert cli("model", "use", "own", "--wait").status == 0
    status = cli("model", "status")
    assert "beside" not in status.out  # it is the one that is configured, though nobody has it in use
    with daemon(store):
        assert cli("model", "use", "static", "--wait").status == 0
        shutil.rmtree(own)
        assert f"of vectors by {own}, to go back to" in cli("model", "status").out
        (listed,) = (one for one in cli("model", "list", "--json").json if one["name"] == str(own))
        assert listed["where"] == "is gone"
        assert "of vectors" in listed["about"]
        removed = cli("model", "remove", str(own))
        assert (removed.status, len(list(store.glob("vectors-*.f32")))) == (0, 1)
        assert "of its vectors removed" in removed.out
        assert "beside" not in cli("model", "status").out
    assert "xylophone" in cli("search", "xylophone").out


def test_vectors_that_serve_under_another_name_now_are_not_removed_by_the_old_one(cli, store, place):
    own = network(place / "work" / "own")
    assert cli("model", "use", "own").status == 0
    assert cli("remember", "The xylophone is out of tune").status == 0
    with daemon(store):
        assert cli("model", "use", "own", "--wait").status == 0
        shutil.copytree(own, place / "work" / "copy")
        assert cli("model", "use", "copy", "--wait").status == 0  # the same model: nothing is computed again
        listed = {one["name"]: one["about"] for one in cli("model", "list", "--json").json}
        assert "of vectors" in listed[str(place / "work" / "copy")]
        assert str(own) not in listed
        shutil.rmtree(own)
        (file,) = store.glob("vectors-*.f32")
        assert cli("model", "remove", str(own)).status == 3
        assert file.exists()


def test_what_came_of_a_download_that_was_killed_is_listed_and_removed(cli, store):
    name = "BAAI/bge-small-en-v1.5"
    assert cli("remember", "The xylophone is out of tune").status == 0
    part = folder_of(name, store / DOWNLOADS)
    part.mkdir(parents=True)
    (part / "model.onnx").write_bytes(b"0" * 12_000_000)
    (listed,) = (one["where"] for one in cli("model", "list", "--json").json if one["name"] == name)
    assert listed.startswith("12.0 MB of 0.")
    assert "12.0 MB of its download removed" in cli("model", "remove", name).out
    assert not part.exists()


def test_a_network_that_is_slow_to_come_back_is_not_used_and_nothing_changes(cli, place, monkeypatch):
    own = network(place / "work" / "own", turns=("d", 2_000_000))
    with monkeypatch.context() as impatient:
        impatient.setattr("aftermind.cli.holding.model_state.LONGEST", 0.3)
        refused = cli("model", "use", "own")
    assert refused.status == 5
    assert f"{own} cannot be used: it hangs: after 0.3 s it had not come back" in refused.err
    assert "aftermind model list" in refused.err
    assert cli("config", "get", "model.name").out == "static\n"
    monkeypatch.setattr("aftermind.cli.commands.model.SILENT", 0.1)
    used = cli("model", "use", "own")
    assert used.status == 0
    assert "is being loaded and tried with a text, for 120 s at the most" in used.err
    assert cli("config", "get", "model.name").out == f"{own}\n"


def test_a_command_whose_network_never_comes_back_ends(place, env):
    own = network(place / "work" / "own", turns=("d", 2**60))
    short = "from aftermind.cli.holding import model_state; model_state.LONGEST = 0.5\nimport sys\n"
    command = [sys.executable, "-c", f"{short}from aftermind.cli.main import main; sys.exit(main())", "model", "use"]
    ended = subprocess.run([*command, str(own)], env=env, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 5
    assert "it hangs" in ended.stderr
    assert "Abort" not in ended.stderr
    assert "terminate called" not in ended.stderr
