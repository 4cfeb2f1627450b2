"""Bad input to commands: each ends with exit status 1 or 2 and says why, without a traceback and without hanging."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType

import click
import pytest
from click.testing import CliRunner, Result
from PIL import Image

import cli.common
import kibitz

LONGEST_S = 60
"""Whatever runs for longer hangs: far more than any of these takes on a slow machine."""

COMMANDS = """
demo --seed -1
demo --seed x
demo --players 9
demo --game chess
demo --port 99999
serve --game chess
serve --set FOLDER/no-such.json
serve --set FOLDER/list.json --game dominoids
serve --game mahjong
explain FOLDER/blank.png
explain FOLDER
explain http://
explain http://[::1/
explain http://a b/
explain http://127.0.0.1:9 --at 3
explain https://127.0.0.1:9
explain nowhere.kibitz --at nan
serve --game block --players A
serve --game block --players A,A
serve --game block --players A,B,C,D,E
serve --game block --players ,
serve --game block --rules x=y
serve --game block --rules set_max=7
serve --game block --rules =
serve --game block --rules set_max
serve --game all-fives --rules spinner=some
serve --table ../x
serve --table /
serve --table ""
serve --camera 99
serve --camera nowhere
serve --camera FOLDER/noise.jpg/x
serve --camera simulated:chess
serve --camera simulated:block:9
serve --camera simulated:block:2:-1
serve --host 203.0.113.7
serve --host not/a/host
serve --port -1
serve --threads 0
watch 99
watch nowhere
watch FOLDER/noise.jpg
watch FOLDER/noise.mp4
watch FOLDER/empty
watch FOLDER/text.json
watch FOLDER/pictures
watch ZERO
watch LONG
watch simulated:chess
watch simulated:block:2:x
watch simulated:block --pieces dragon
watch simulated:block --set FOLDER/text.json
watch simulated:block --set FOLDER/deep.json
watch simulated:block --set FOLDER/nan.json
watch simulated:block --set FOLDER/list.json
watch simulated:block --set FOLDER/noise.jpg
watch simulated:block --game chess
read FOLDER/noise.jpg
read FOLDER/empty.png
read FOLDER/empty
read FOLDER/nowhere.jpg
read FOLDER/huge.bmp
read FOLDER/noise.jpg --set double-seven
read FOLDER/noise.jpg --overlay FOLDER/text.json
read FOLDER/noise.jpg --threads 0
read
evaluate FOLDER/empty
evaluate FOLDER/noisy-labels
evaluate FOLDER/odd-labels
evaluate FOLDER/nowhere
evaluate FOLDER/text.json
score --game euronimoes FOLDER/noise.jpg
score --game euronimoes FOLDER/blank.png
score --game chess FOLDER/blank.png
score --game block FOLDER/empty
score --game block FOLDER/empty.png
score --game dominoids FOLDER/blank.png
score --game euronimoes --chips 9 FOLDER/blank.png
score FOLDER/blank.png
simulate chess
simulate block --games 0
simulate block --seed -1
simulate block --seed x
simulate block --seed 99999999999
simulate block --turns 0
simulate block --turns -1
simulate block --wrong 2
simulate block --wrong -1
simulate block --wrong nan
simulate block --wrong inf
simulate block --rules x=y
simulate dominoids --players 3
simulate all-fives --rules spinner=several
play chess
play block --players 9
play block --players 1
play block --seat 3
play block --rules x
play block --seed x
rules chess
rules block nothing
match block best random
match block simple
match chess simple random
match block simple random --games 1
match block simple hints:0
match block simple hints:x
match block simple random --rules x=1
hint block nonsense
hint chess x
hint block DEEP
hint block ZERO
hint block {"x":NaN}
hint block block {"hands":[[]],"turn":Infinity}
hint euronimoes "euronimoes {}"
hint block block --seconds 0
hint block block --seconds nan
perft block x
perft block -1
perft chess 1
perft block nonsense 1
perft block DEEP 1
perft block --seed x 1
perft block --rules x=1 1
dump chess
dump block --games 0
dump block --players 9
dump block --players 1
dump solitaire --players 2
dump block --rules x=1
dump all-fives --rules spinner=all
bench --reference FOLDER/nowhere.onnx
bench --reference FOLDER/noise.jpg
bench --runs 1
bench --rules --seconds 0
bench --rules --seconds nan
print tags -o FOLDER/empty
print tags -o FOLDER/nowhere/x.pdf
print posters
print tags --paper A3
calibrate --camera 99
calibrate --camera nowhere
calibrate --camera FOLDER/noise.jpg
calibrate --camera FOLDER/noise.mp4
calibrate --camera FOLDER/empty
calibrate --camera FOLDER/pictures
calibrate --camera FOLDER/blank.png
calibrate --camera FOLDER/blank.png --corners x
calibrate --camera FOLDER/blank.png --corners 1,2
calibrate --camera FOLDER/blank.png --corners "nan,nan nan,nan nan,nan nan,nan" --width 500
calibrate --camera FOLDER/blank.png --corners "inf,1 1,1 1,2 0,2" --width 500
calibrate --camera FOLDER/blank.png --corners "1,1 1,1 1,1 1,1" --width 500
calibrate --camera FOLDER/blank.png --corners "1e300,1 -1e300,1 1,2 0,2" --width 500
calibrate --camera FOLDER/blank.png --corners "10,10 90,10 90,90 10,90"
calibrate --camera FOLDER/blank.png --corners "10,10 90,10 90,90 10,90" --width nan
calibrate --camera FOLDER/blank.png --corners "10,10 90,10 90,90 10,90" --width -5
calibrate --camera FOLDER/blank.png --corners "10,10 90,10 90,90 10,90" --width inf
calibrate --camera FOLDER/blank.png --tile 5
calibrate --camera FOLDER/blank.png --tile nan
calibrate --camera FOLDER/blank.png --tile 48
calibrate --camera simulated:chess
learn-set FOLDER/empty
learn-set FOLDER/pictures
learn-set
learn-set FOLDER/nowhere
measure-calibration --seed -1
measure-calibration --tables 0
measure-pieces --tables 0
measure-pieces --seed -1
measure-pieces --game chess
measure-table --tables 0
measure-table --seed -1
measure-table --seed 99999999999
measure-table chess
measure-sensor --games chess
measure-sensor --games pokdeng-1
measure-renders FOLDER/empty
measure-renders FOLDER/nowhere
measure-renders FOLDER/text.json
soak-rules --games 0
soak-rules --games -1
soak-rules --seed x
soak-kills --kills 0
soak-kills --seed -1
soak-table --seed -1
soak-table --minutes -1
soak-table --minutes nan
soak-table --game chess
record 99 FOLDER/r.kibitz
record nowhere FOLDER/r.kibitz
record simulated:block FOLDER/r.mp4
replay FOLDER/nowhere
nothing
--nothing
""".strip().splitlines()

WORDS = {"ZERO": "\x00", "LONG": "x" * 5000, "DEEP": "block " + "[" * 50_000}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that are not what their names say."""
    made = tmp_path_factory.mktemp("bad")
    noise = Random(1).randbytes(3000)
    for name in ("noise.jpg", "noise.mp4"):
        (made / name).write_bytes(noise)
    (made / "huge.bmp").write_bytes(b"BM" + b"\xff" * 60)
    (made / "empty.png").touch()
    for name, text in (("text", "hello"), ("deep", "[" * 100_000), ("nan", '{"prototypes": NaN}'), ("list", "[1, 2]")):
        (made / f"{name}.json").write_text(text)
    for name in ("empty", "noisy-labels", "odd-labels", "pictures"):
        (made / name).mkdir()
    (made / "noisy-labels" / "labels.csv").write_bytes(noise)
    (made / "odd-labels" / "labels.csv").write_text("a,b\n1\n")
    (made / "pictures" / "a.jpg").write_bytes(b"x")
    Image.new("RGB", (100, 100)).save(made / "blank.png")
    return made


class Hangs(BaseException):
    """A command does not end."""


@pytest.fixture(autouse=True)
def ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """What hangs fails; every command has a home of its own and nothing waits long for a camera."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hangs

    monkeypatch.setenv("KIBITZ_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(cli.common, "FIRST_PICTURE_S", 0.1)
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def ended(arguments: list[str]) -> Result:
    """It ends with status 1 or 2, and says why in one sentence."""
    result = CliRunner().invoke(kibitz.main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    assert result.exit_code in (1, 2), result.output
    said = result.stderr.strip().splitlines()
    assert said and len(said[-1]) > 10 and "Traceback" not in result.output
    return result


@pytest.mark.parametrize("line", COMMANDS)
def test_a_bad_command_ends_with_a_sentence(line: str, folder: Path) -> None:
    ended([WORDS.get(word, word).replace("FOLDER", str(folder)) for word in words_of(line)])


def words_of(line: str) -> list[str]:
    """The words of a command line; JSON in it is a word."""
    return line.split() if "{" in line and '"e' not in line else shlex.split(line)


def test_whatever_was_expected_is_told_and_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    @click.argument("what")
    def fail(what: str) -> None:
        raise {"system": PermissionError(13, "Permission denied", "x.json"), "fault": ValueError("shapes do not match")}[what]

    monkeypatch.setitem(kibitz.main.commands, "fail", fail)
    assert "Permission denied: 'x.json'" in ended(["fail", "system"]).stderr
    assert isinstance(CliRunner().invoke(kibitz.main, ["fail", "fault"]).exception, ValueError)
