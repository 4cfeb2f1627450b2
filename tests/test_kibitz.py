"""The command line: its contract that scripts rely on."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

import kibitz
from engine.pieces import DOUBLE_NINE
from tests.readings import FakeReader, read_tile, reading


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeReader:
    """Two tiles, one of them unsure and with its high end first, and one face-down tile in every picture."""
    answer = reading([read_tile(6, 2), read_tile(3, 3, score=0.5, at=(50, 120))], facedown=1)
    reader = FakeReader(answer)
    monkeypatch.setattr(kibitz, "open_reader", lambda threads: reader)
    monkeypatch.setattr("vision.photo_reader.PhotoReader", lambda reader, pieces=None: reader)
    monkeypatch.setattr("vision.reader.Reader", lambda threads: reader)
    return reader


def photo(folder: Path, name: str = "hand.png", size: tuple[int, int] = (480, 640)) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    assert cv2.imwrite(str(path), np.full((*size, 3), 60, np.uint8))
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(kibitz.main, [str(each) for each in arguments])


def test_json_is_one_object_with_the_low_end_first(fake: FakeReader, tmp_path: Path) -> None:
    path = photo(tmp_path)
    result = run("read", path, "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 0
    assert list(told) == ["photo", "tiles", "facedown", "total", "ms", "coins", "dice"]
    assert told["photo"] == str(path) and told["facedown"] == 1 and told["total"] == 14 and told["ms"] > 0
    assert told["coins"] == told["dice"] == []
    assert [tile["ends"] for tile in told["tiles"]] == [[2, 6], [3, 3]]
    assert told["tiles"][0]["corners"] == [[90, 50], [90, 70], [50, 70], [50, 50]]  # the 2 lies at the right
    assert told["tiles"][1]["score"] == 0.5


def test_lines_are_told_where_they_are_asked_for(fake: FakeReader, tmp_path: Path) -> None:
    fake.answer = reading([read_tile(6, 2), read_tile(2, 5, at=(90, 50)), read_tile(3, 3, at=(50, 120))])
    told = json.loads(run("read", photo(tmp_path), "--json", "--lines").stdout)
    assert told["lines"] == [{"tiles": [[2, 6], [2, 5]], "ends": [5, 6]}]
    assert "  in a line: 2-6 2-5; open ends: 5, 6" in run("read", photo(tmp_path)).stdout.splitlines()


def test_a_photo_that_cannot_be_read_leaves_the_others(fake: FakeReader, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a photo")
    result = run("read", photo(tmp_path, "a.png"), text, tmp_path / "gone.jpg", photo(tmp_path, "b.png"), "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 2
    assert [Path(line["photo"]).name for line in lines] == ["a.png", "notes.txt", "gone.jpg", "b.png"]
    assert ["error" in line for line in lines] == [False, True, True, False]
    assert set(lines[1]) == {"photo", "error"} and "not a picture" in lines[1]["error"]


def test_without_json_a_person_can_read_it(fake: FakeReader, tmp_path: Path) -> None:
    path = photo(tmp_path)
    result = run("read", path, tmp_path / "gone.jpg")
    assert result.stdout.splitlines() == [
        f"{path}: 2 tiles, 14 pips", "  2-6 3-3", "  unsure: 3-3 (50 %)", "  face down: 1"
    ]  # fmt: skip
    assert "gone.jpg: There is no such file" in result.stderr and result.exit_code == 2


def test_the_set_reaches_the_reader(fake: FakeReader, tmp_path: Path) -> None:
    path = photo(tmp_path)
    assert run("read", path, "--set", "double-nine").exit_code == 0
    assert run("read", path, "--set", "any").exit_code == 0
    assert fake.sets == [DOUBLE_NINE, None]
    assert run("read", path, "--set", "double-seven").exit_code == 2


def test_overlays_of_namesakes_do_not_overwrite_each_other(fake: FakeReader, tmp_path: Path) -> None:
    out = tmp_path / "new" / "overlays"
    paths = [photo(tmp_path / folder, "hand.png") for folder in ("mine", "yours")]
    result = run("read", *paths, "--overlay", out)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == ["hand-2-read.jpg", "hand-read.jpg"]
    drawn = cv2.imread(str(out / "hand-read.jpg"))
    assert drawn is not None and drawn.shape == (480, 640, 3) and drawn[40:80, 40:100].std() > 10


def test_corners_are_in_pixels_of_the_whole_photo(fake: FakeReader, tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    assert cv2.imwrite(str(path), np.zeros((5000, 7000, 3), np.uint8))
    told = json.loads(run("read", path, "--json").stdout)
    assert fake.pictures[0].shape == (2500, 3500, 3)
    assert told["tiles"][0]["corners"][3] == [100.5, 100.5]


def test_the_version_names_the_model(fake: FakeReader) -> None:
    result = run("--version")
    assert result.exit_code == 0 and result.stdout.startswith("kibitz ") and "fake-1" in result.stdout
    assert "onnxruntime 1." in result.stdout and "bytes multiplied by" in result.stdout


def test_missing_models_are_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import vision.reader

    def missing(threads: int) -> None:
        raise FileNotFoundError("The model file halves.onnx is missing: install Kibitz again.")

    monkeypatch.setattr(vision.reader, "Reader", missing)
    result = run("read", photo(tmp_path))
    assert result.exit_code == 1 and "halves.onnx is missing" in result.stderr


def test_evaluate_prints_the_figures_and_writes_a_row_for_each_photo(fake: FakeReader, tmp_path: Path) -> None:
    photo(tmp_path, "s_one.png")
    photo(tmp_path, "s_two.png")
    (tmp_path / "labels.csv").write_text(
        "photo,tiles,optional,facedown,total,tags,source,notes\n"
        "s_one.png,2-6 3-3,,1,14,overhead,,\n"
        "s_two.png,2-6 3-4,,0,15,overhead dark,,\n"
    )
    rows = tmp_path / "rows.csv"
    result = run("evaluate", tmp_path, "--json", "--csv", rows)
    told = json.loads(result.stdout)
    assert result.exit_code == 0 and told["reader"] == "fake-1"
    assert told["recall"] == 0.75 and told["precision"] == 0.75 and told["halves"] == 7 / 8 and told["exact"] == 0.5
    assert rows.read_text().splitlines()[2].startswith("s_two.png,0,2-6 3-4,2-6 3-3,")
    text = run("evaluate", tmp_path, "--csv", rows).stdout
    assert "overhead" in text and "0.7500" in text


def test_evaluate_says_what_is_wrong_with_labels(fake: FakeReader, tmp_path: Path) -> None:
    assert "no file labels.csv" in run("evaluate", tmp_path).stderr
    (tmp_path / "labels.csv").write_text("photo,tiles\na.png,3-4 x\n")
    result = run("evaluate", tmp_path)
    assert result.exit_code == 1 and "line 2" in result.stderr and "'x'" in result.stderr


def test_serve_opens_the_reader_and_the_page(fake: FakeReader, monkeypatch: pytest.MonkeyPatch) -> None:
    import webui.app

    asked: list[dict[str, object]] = []
    monkeypatch.setattr(webui.app, "serve", lambda reader, **options: asked.append({"reader": reader, **options}))
    assert run("serve", "--host", "127.0.0.1", "--port", "0", "--allow-host", "table.local").exit_code == 0
    assert asked[0]["reader"] is fake and asked[0]["host"] == "127.0.0.1" and asked[0]["port"] == 0
    assert asked[0]["allowed_hosts"] == ("table.local",) and asked[0]["secure_port"] is None
    assert run("serve", "--https", "--game", "block", "--players", "Ann, Bob", "--camera", "phone").exit_code == 0
    setting: Any = asked[1]["setting"]
    assert asked[1]["secure_port"] == 8443 and asked[1]["camera"] == "phone"
    assert setting.game == "block" and setting.names == ("Ann", "Bob")
    for game, names in (("solitaire", ("Player 1",)), ("matador", ("Player 1", "Player 2"))):
        assert run("serve", "--game", game).exit_code == 0
        setting = asked[-1]["setting"]
        assert setting.game == game and setting.names == names
    assert asked[0]["setting"] is None  # it is chosen on the page


def test_serve_says_what_cannot_be_played(fake: FakeReader) -> None:
    assert "no game 'chess'" in run("serve", "--game", "chess").stderr
    assert "players" in run("serve", "--players", "Ann").stderr
    assert "no name for a table" in run("serve", "--table", "../other").stderr


def test_a_taken_port_is_told_in_one_sentence(
    fake: FakeReader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KIBITZ_HOME", str(tmp_path))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        result = run("serve", "--host", "127.0.0.1", "--port", other.getsockname()[1])
    assert result.exit_code == 1 and "Choose another port" in result.stderr and "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []  # nothing is begun in vain


def test_bench_times_the_table_and_measures_memory(fake: FakeReader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from trials import bench
    from trials import table_timing as timing

    monkeypatch.setattr(timing, "time_table", lambda *_: timing.TableTiming(40, 5, 2, 50, tiles_read=27))
    monkeypatch.setattr(bench, "table_photo", lambda size: np.zeros((*size[::-1], 3), np.uint8))
    monkeypatch.setattr(bench, "peak_memory_mb", lambda photo: 99.0)
    told = json.loads(run("bench", "--json", "--runs", "3").stdout)
    assert fake.pictures[0].shape == (1080, 1920, 3)
    assert {"read_photo_ratio", "read_photo_ratio_1_thread", "model_bytes", "peak_memory_mb"} <= set(told)
    assert "stand-in" in told["reference"] and told["peak_memory_mb"] == 99.0
    assert (told["table_full_ratio"], told["table_change_ratio"], told["idle_core_share"]) == pytest.approx((0.8, 0.125, 0.02))
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    result = run("bench", "--reference", tmp_path / "bad.onnx")
    assert result.exit_code == 1 and "reference cannot be run" in result.stderr


def test_only_commands_that_exist_are_listed() -> None:
    assert sorted(kibitz.main.commands) == [
        "bench", "calibrate", "demo", "dump", "evaluate", "explain", "hint", "learn-set", "match", "measure-calibration",
        "measure-hands", "measure-pieces", "measure-renders", "measure-sensor", "measure-table", "perft", "play", "print",
        "read", "record", "replay", "rules", "score", "serve", "simulate", "soak-kills", "soak-rules", "soak-table", "watch",
    ]  # fmt: skip


def test_watch_wants_a_game_that_it_knows(tmp_path: Path) -> None:
    said = CliRunner().invoke(kibitz.main, ["watch", str(tmp_path), "--game", "chess"])
    assert said.exit_code == 2 and "--game" in said.output and "chess" in said.output


def test_small_matrices_are_not_shared_out_among_threads() -> None:
    """They would wait in loops for one another; numpy asks once, when it is imported."""
    asked = "import os, sys, cli; print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])"
    unset = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", asked], env=unset, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "1"]
