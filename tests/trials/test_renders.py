"""What came of a picture is counted and explained as the tables of figures say; rendered and own games mean the same by it."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import kibitz
from trials.renders import Believed, Figures, as_table, follow, games_in, matched, read_alone, why
from trials.shots import AT_REST, HAND, Lying, Shot, held, rendered, simulated
from vision.observation import SeenTile
from vision.photo_reader import PhotoReader
from vision.reader import Reader


def lying(ends: tuple[int, int] | None, x: float, y: float = 0.0, level: int = 0, visible: float = 1.0) -> Lying:
    return Lying(ends, (x, y), level, visible, False)


def believed(ends: tuple[int, int] | None, x: float, y: float = 0.0, level: int = 0) -> Believed:
    return Believed(ends, (x, y), level)


@pytest.mark.parametrize(("true", "told", "cause"), [
    ([lying((2, 5), 0)], [believed((2, 6), 3)], "misread"),
    ([lying((2, 5), 0)], [believed(None, 3)], "taken for a back"),
    ([lying((2, 5), 0)], [], "missed"),
    ([lying((2, 5), 0, level=1)], [], "missed upon others"),
    ([lying(None, 0)], [believed((0, 0), 2)], "back taken for a face"),
    ([lying((2, 5), 0, visible=0.5)], [believed((2, 1), 2)], "covered tile misread"),
    ([lying((2, 5), 0)], [believed((2, 5), 1), believed((2, 4), 1)], "believed twice"),
    ([lying((2, 5), -12), lying((1, 3), 12)], [believed((2, 5), -12), believed((1, 3), 12), believed((1, 5), 0)], "split pair"),
    ([lying((2, 5), 0)], [believed((2, 5), 0), believed((2, 5), 200)], "false"),
])  # fmt: skip
def test_each_wrong_tile_has_its_cause(true: list[Lying], told: list[Believed], cause: str) -> None:
    _, unseen, invented = matched(true, told)
    assert +why(true, unseen, invented, [each for each in told if not each.ends]) == Counter({cause: 1})


def test_what_is_partly_covered_may_be_believed_or_not() -> None:
    true = [lying((1, 2), 0), lying((3, 4), 50, visible=0.5)]
    for told in ([believed((2, 1), 1)], [believed((2, 1), 1), believed((4, 3), 50)]):
        pairs, unseen, invented = matched(true, told)
        assert len(pairs) == len(told) and not unseen and not invented




def seen_tile(track: int, ends: tuple[int, int] | None, x: float = 0.0) -> SeenTile:
    return SeenTile(track, (x, 0.0), 0.0, 48.0, 24.0, ends, np.full((2, 16), 1 / 16, np.float32), 0.9)


def shot(event: str, tiles: tuple[Lying, ...], hand: bool = False) -> Shot:
    return Shot(event, event, hand, np.zeros((4, 4, 3), np.uint8), tiles, lambda profile, tile, level: tile.center)


def measured(monkeypatch: pytest.MonkeyPatch, shots: list[Shot], beliefs: list[tuple[SeenTile, ...]],
             resting: bool = True) -> Figures:
    """The figures where one frame a shot is seen and this is believed of each."""
    from trials import renders
    from vision.observation import Observation, TableState

    class Session:
        profile = object()

        def __init__(self, *_: Any) -> None:
            self.coming = iter(beliefs)

        def see(self, frame: Any) -> Observation:
            return Observation(frame.time, frame.sequence, TableState.READY, next(self.coming), settled=resting, units="mm")

    monkeypatch.setattr(renders, "Session", Session)
    figures, eyes = Figures(), object()
    rows = list(follow("film", shots, eyes, figures, lambda each, rng: [each.image]))  # type: ignore[arg-type]
    assert len(rows) == len(shots)
    return figures


def test_a_play_is_right_once_both_ends_are_believed_and_what_goes_meanwhile_is_a_false_going(
        monkeypatch: pytest.MonkeyPatch) -> None:
    one, both = (lying((1, 2), 0),), (lying((1, 2), 0), lying((2, 3), 50))
    shots = [shot("start", one), shot("reach", one, True), shot("play", both), shot("still", both)]
    first, second = seen_tile(1, (1, 2)), seen_tile(2, (3, 2), 50)
    told = measured(monkeypatch, shots, [(first,), (first,), (second,), (first, second)], resting=False).as_object()
    assert (told["plays"], told["plays_right"], told["rest"], told["rest_right"]) == (2, 2, 3, 2)
    assert (told["false_goings"], told["false_comings"], told["hands"], told["hands_told"]) == (1, 0, 1, 1)
    wrong = measured(monkeypatch, shots, [(first,), (first,), (first,), (first, seen_tile(2, (3, 3), 50))]).as_object()
    assert (wrong["plays_right"], wrong["rest_right"], wrong["false_comings"], wrong["hands_told"]) == (1, 1, 1, 0)
    assert wrong["causes"] == {"hand taken for rest": 1, "missed": 1, "misread": 1}


def test_face_down_tiles_are_counted_and_centres_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    there = (lying(None, 0), lying(None, 50, visible=0.5), lying(None, 99, visible=0.1), lying((1, 1), -50))
    right = (seen_tile(1, None), seen_tile(2, (1, 1), -53.0))
    told = measured(monkeypatch, [shot("start", there)] * 2, [right, right[1:]]).as_object()
    assert (told["facedown"], told["facedown_right"], told["off_mm_median"], told["off_n"]) == (2, 1, 3.0, 2)
    assert told["causes"] == {"face-down count": 1}
    none = measured(monkeypatch, [shot("start", (lying((1, 1), -50),))] * 2, [right[1:], right]).as_object()
    assert (none["facedown"], none["facedown_right"]) == (1, 0)


def test_a_shot_is_held_as_video_with_new_noise_in_every_frame() -> None:
    grey = Shot("1", "reach", True, np.full((64, 64, 3), 128, np.uint8), (), lambda profile, tile, level: tile.center)
    frames = list(held(grey, np.random.default_rng(1)))
    assert len(frames) == HAND < AT_REST
    assert all((one != other).any() and abs(one.mean() - 128) < 1 for one, other in itertools.pairwise(frames))


def test_own_games_are_told_in_the_same_shots_as_rendered_ones() -> None:
    shots = []
    for each in simulated("block", 0):
        shots.append(each)
        if len(shots) == 5:
            break
    assert [each.event for each in shots] == ["start", "still", "reach", "play", "still"]
    assert [each.hand for each in shots] == [False, False, True, False, False]
    assert any(tile.held for tile in shots[2].tiles) and not any(tile.held for tile in shots[3].tiles)
    assert sum(tile.ends is not None for tile in shots[3].tiles) == 1 + sum(tile.ends is not None for tile in shots[0].tiles)


def test_a_folder_of_rendered_games_is_measured_beside_nothing_of_ours(tmp_path: Path, reader: Reader) -> None:
    empty = CliRunner().invoke(kibitz.main, ["measure-renders", str(tmp_path)])
    assert empty.exit_code == 1 and "no rendered pictures" in empty.output
    game = tmp_path / "game_1"
    game.mkdir()
    first = next(simulated("block", 0))
    cv2.imwrite(str(game / "000.jpg"), first.image)
    tiles = [{"ends": each.ends, "facedown": each.ends is None, "center_mm": list(each.center), "level": each.level,
              "visible": each.visible, "held": each.held} for each in first.tiles]  # fmt: skip
    truth = {"frames": [{"file": "000.jpg", "event": "start", "hand": False, "tiles": tiles}]}
    (game / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    assert games_in(tmp_path) == [game] and len(list(rendered(game))) == 1
    rows = tmp_path / "rows.csv"
    done = CliRunner().invoke(kibitz.main, ["measure-renders", str(tmp_path), "--own", "0", "--json", "--csv", str(rows)])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["renders"]["rest"], told["renders"]["rest_right"], told["own simulator"]["rest"]) == (1, 1, 0)
    assert rows.read_text(encoding="utf-8").splitlines()[1].startswith("game_1,000.jpg,start,ready,True")
    (game / "truth.json").write_text("{", encoding="utf-8")
    damaged = CliRunner().invoke(kibitz.main, ["measure-renders", str(tmp_path)])
    assert damaged.exit_code == 1 and "is no truth of a rendered game" in damaged.output


def test_the_table_says_of_how_many_each_figure_is(reader: Reader) -> None:
    figures = Figures(rest=4, rest_right=3, plays=2, plays_right=1, off=[1.0, 2.0, 3.0])
    assert next(read_alone(simulated("block", 0), PhotoReader(reader).read, figures)) and len(figures.photos) == 1
    text = as_table({"renders": figures, "own": Figures()})
    assert "3 of 4, 75.0 %" in text and "1 of 2, 50.0 %" in text and "2.0 / 3.0 mm, n 3" in text and "0 of 0" in text
