"""A table watched for a long time through everything that happens to cameras: nothing grows, nothing crashes."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import cli.recordings
import cli.watch
import kibitz
from calibration.profile import Profile
from vision.detection import UNKNOWN, Detection
from vision.frame import Frame, Image
from vision.halves import Halves, Proposals
from vision.in_play import InPlay
from vision.observation import TableState
from vision.rectify import ImagePyramid
from vision.sources.source import Health
from vision.table.layout import Layout
from vision.table.quality import View
from vision.table.watcher import TableWatcher

PROFILE = Profile((640, 360), np.diag([1.0, 1.0, 1.0]), (0.0, 0.0, 640.0, 360.0), "corners", 0.0)


class QuickReader:
    """Reads white rectangles as 1-2: what is tested here is what is made of readings."""

    in_play = InPlay()

    def at_a_table(self) -> Self:
        return self

    def halves(self, view: Image) -> tuple[Halves, ...]:
        return ()

    def find(self, view: Image) -> Proposals:
        contours, _ = cv2.findContours((view.min(axis=2) > 180).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        boxes = [cv2.boundingRect(contour) for contour in contours if cv2.contourArea(contour) > 300]
        corners = [[(x, y + h), (x, y), (x + w, y), (x + w, y + h)] for x, y, w, h in boxes]
        objectness = np.full(len(boxes), 0.9, np.float32)
        return Proposals(np.array(corners, np.float32).reshape(-1, 4, 2), objectness)

    find_on_table = find

    def weigh(self, pyramid: ImagePyramid, found: Proposals) -> list[Detection]:
        counts: NDArray[np.float32] = np.full((2, 16), 0.001, np.float32)
        counts[0, 1] = counts[1, 2] = 0.985
        return [Detection(quad, quad, counts, False, 0.98) for quad in found.corners]

    def judge(self, crops: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        white = np.array([np.median(crop[16:-16, 16:-16]) > 180 for crop in crops], np.float32)
        counts = np.full((len(crops), 2, 16), 0.001, np.float32)
        counts[:, 0, 1] = counts[:, 1, 2] = 0.985
        return np.stack([white, 0 * white, 1 - white], axis=1), counts

    def calibrated(self, certainty: float, _: float) -> float:
        return certainty

    def levels(self, _: ImagePyramid, corners: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.tile(np.array([[0.01, 0.98, 0.01]], np.float32), (len(corners), 1))  # all lie on the table

    def look_again(self, _: ImagePyramid, __: NDArray[np.float32], kinds: NDArray[np.float32],
                   counts: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return kinds, counts

    def decide(self, found: Proposals, kinds: NDArray[np.float32], *_: object) -> dict[int, Detection]:
        every = self.weigh(ImagePyramid(np.zeros((1, 1, 3), np.uint8)), found)
        return {at: each for at, each in enumerate(every) if kinds[at, :2].max() > 0.5}


FELT, WHITE = (50, 90, 40), (230, 230, 230)
GREY, PALE = (168, 168, 168), (188, 188, 188)


def table(*places: tuple[int, int], seed: int = 0, light: float = 1.0,
          colours: tuple[tuple[int, int, int], tuple[int, int, int]] = (FELT, WHITE)) -> Image:
    """White tiles with a bar on green felt, or of other colours, and what a sensor adds."""
    image = np.full((360, 640, 3), colours[0], np.uint8)
    for x, y in places:
        cv2.rectangle(image, (x, y), (x + 48, y + 24), colours[1], -1)
        cv2.line(image, (x + 24, y + 5), (x + 24, y + 19), (20, 20, 20), 2)
    noise = np.random.default_rng(seed).normal(0, 1.5, image.shape)
    return np.asarray(np.clip(image * light + noise, 0, 255), np.uint8)


class Film:
    """Shows a watcher one picture after another, ten a second."""

    def __init__(self, reader: QuickReader | None = None, profile: Profile = PROFILE) -> None:
        eyes: Any = reader or QuickReader()
        self.watcher = TableWatcher(eyes, profile)
        self.number = 0

    def show(self, image: Image, frames: int = 6) -> list[Any]:
        told = []
        for _ in range(frames):
            noisy = cv2.add(image, np.full_like(image, self.number % 2))
            seen = self.watcher.see(Frame(np.asarray(noisy, np.uint8), self.number / 10, self.number))
            told.append((seen, self.watcher.news))
            self.number += 1
        return told


def news(told: list[Any]) -> tuple[int, int, int]:
    """How many appeared, vanished, moved."""
    return (sum(len(each.appeared) for _, each in told), sum(len(each.vanished) for _, each in told),
            sum(len(each.moved) for _, each in told))


def test_a_laid_tile_appears_once_and_one_taken_away_vanishes() -> None:
    film = Film()
    assert news(film.show(table((100, 100)))) == (1, 0, 0)
    assert news(film.show(table((100, 100), (300, 200)))) == (1, 0, 0)
    told = film.show(table((300, 200)))
    assert news(told) == (0, 1, 0) and told[-1][0].settled


def test_of_a_grey_tile_taken_from_a_grey_table_its_place_is_told_to_look_otherwise() -> None:
    film = Film()
    film.show(table((100, 100), (300, 200), colours=(GREY, PALE)))
    told = film.show(table((100, 100), colours=(GREY, PALE)), 9)
    assert news(told) == (0, 1, 0)
    (place,) = told[-1][0].altered
    assert np.abs(place.mean(axis=0) - (324, 212)).max() < 6


class Coarse(QuickReader):
    """Finds but two tiles where they are shown small."""

    def find_on_table(self, view: Image) -> Proposals:
        found = self.find(view)
        return found.take(np.arange(len(found.side)) < 2) if found.side.max() < 20 else found


def test_the_first_picture_is_searched_again_once_the_tiles_in_it_are_known_to_be_small() -> None:
    film = Film(Coarse(), Profile((640, 360), np.diag([0.75, 0.75, 1.0]), (0.0, 0.0, 480.0, 270.0), "corners", 0.0))
    assert news(film.show(table((100, 100), (300, 200), (400, 260)))) == (3, 0, 0)


class ShortSighted(QuickReader):
    """Finds small tiles no more once it is tired."""

    tired = False

    def find_on_table(self, view: Image) -> Proposals:
        found = self.find(view)
        return found.take(found.side > 30) if self.tired else found


class Hesitant(ShortSighted):
    """And is unsure of the tile at the right when it sees that for the first time."""

    sure = False

    def decide(self, found: Proposals, kinds: NDArray[np.float32], *_: object) -> dict[int, Detection]:
        seen = super().decide(found, kinds)
        new = [at for at, each in seen.items() if self.tired and each.corners.mean(axis=0)[0] > 450]
        for at in new if not self.sure else ():
            seen[at] = replace(seen[at], score=0.5)
        self.sure = self.sure or bool(new)
        return seen


@pytest.mark.parametrize("place", [(300, 200), (100, 126)])
def test_where_something_new_is_no_tile_it_is_looked_at_more_closely(place: tuple[int, int]) -> None:
    """Also in a gap between tiles, of which little is left beside what these explain."""
    reader = ShortSighted()
    film = Film(reader)
    before = (100, 100), (100, 152), (50, 126), (150, 126)
    assert news(film.show(table(*before))) == (4, 0, 0)
    reader.tired = True
    assert news(film.show(table(*before, place))) == (1, 0, 0)


def test_what_a_closer_look_leaves_in_doubt_is_looked_at_as_closely_again() -> None:
    reader = Hesitant()
    film = Film(reader)
    assert news(film.show(table((100, 100), (300, 100), (200, 260)))) == (3, 0, 0)
    reader.tired = True
    assert news(film.show(table((100, 100), (300, 100), (200, 260), (500, 200)))) == (1, 0, 0)
    assert reader.sure


class Looks(QuickReader):
    """Counts its looks."""

    looks = 0

    def find_on_table(self, view: Image) -> Proposals:
        self.looks += 1
        return self.find(view)


def test_where_a_tile_was_moved_to_nothing_else_is_looked_for() -> None:
    reader = Looks()
    film = Film(reader)
    film.show(table((100, 100), (400, 260)))
    looks = reader.looks
    assert news(film.show(table((300, 200), (400, 260)))) == (0, 0, 1)
    assert reader.looks == looks + 2  # one at each end of its way


class SeesOnce(QuickReader):
    """Finds nothing more after so many looks."""

    looks = 1000

    def find_on_table(self, view: Image) -> Proposals:
        self.looks -= 1
        found = self.find(view)
        return found if self.looks >= 0 else found.take(found.side < 0)


@pytest.mark.parametrize("top", [211, 190])
def test_what_one_look_found_is_weighed_though_a_closer_one_finds_it_not(top: int, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = SeesOnce()
    film = Film(reader)
    assert news(film.show(table((100, 100), (300, 100), (400, 260)))) == (3, 0, 0)
    reader.looks = 1
    monkeypatch.setattr(Layout, "left_over", lambda *_: [(280.0, float(top), 370.0, 250.0)])  # the tile's middle is in it, at 212
    assert news(film.show(table((100, 100), (300, 100), (400, 260), (300, 200)))) == (1, 0, 0)


class Overlooks(QuickReader):
    """Takes white rectangles for backs, and never finds the three at the right end."""

    def find_on_table(self, view: Image) -> Proposals:
        found = self.find(view)
        return found.take(np.argsort(found.corners[:, 0, 0])[:-3])

    def weigh(self, pyramid: ImagePyramid, found: Proposals) -> list[Detection]:
        return [Detection(quad, quad, UNKNOWN, True, 0.98) for quad in found.corners]

    def judge(self, crops: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        kinds, counts = super().judge(crops)
        return kinds[:, [1, 0, 2]], counts


@pytest.mark.parametrize("gap", [3, 16])
@pytest.mark.parametrize("dealt", ["before the first look", "in play"])
def test_backs_that_are_overlooked_are_found_where_the_rows_of_the_others_go_on(gap: int, dealt: str) -> None:
    film = Film(Overlooks())
    pile = table(*((100 + (48 + gap) * column, 100 + 60 * row) for column in range(4) for row in range(2)))
    if dealt == "in play":
        assert news(film.show(table())) == (0, 0, 0)
    assert news(film.show(pile, 12)) == (8, 0, 0)
    assert all(tile.ends is None for tile in film.show(pile)[-1][0].tiles)


class Counts(QuickReader):
    """Counts how often it looks at more than a corner of the table."""

    whole = 0

    def find_on_table(self, view: Image) -> Proposals:
        self.whole += view.shape[1] > 500
        return self.find(view)


def test_the_whole_table_is_read_again_when_what_was_just_laid_has_been_told_or_else_half_as_often() -> None:
    reader = Counts()
    film = Film(reader)
    known = (100, 100), (500, 100)  # by two it is known how large they are
    film.show(table(*known), 200)
    at_first = reader.whole
    assert news(film.show(table(*known, (300, 200)), 13)) == (1, 0, 0)
    assert reader.whole == at_first
    film.show(table(*known, (300, 200)), 10)
    assert reader.whole == at_first + 1
    for _ in range(25):  # somebody is always doing something
        film.show(table(*known, (300, 200)), 8)
        film.show(table(*known, (300, 200), (500, 300)), 8)
    assert reader.whole == at_first + 2


def test_under_a_hand_nothing_is_decided_and_nothing_lost() -> None:
    film = Film()
    film.show(table((100, 100), (300, 200)))
    veiled = table((100, 100), (300, 200))
    cv2.line(veiled, (330, 0), (320, 220), (110, 140, 190), 70)
    told = film.show(veiled)
    assert news(told) == (0, 0, 0) and told[-1][0].state is TableState.HAND and len(told[-1][0].tiles) == 2
    assert told[-1][0].veils and not told[-1][0].settled
    told = film.show(table((100, 100), (300, 200)))
    assert news(told) == (0, 0, 0) and told[-1][0].state is TableState.READY


class Doubtful(QuickReader):
    """Sees tiles, and is not too sure of them."""

    def judge(self, crops: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        kinds, counts = super().judge(crops)
        return np.stack([0.9 * kinds[:, 0], kinds[:, 1], 1 - 0.9 * kinds[:, 0] - kinds[:, 1]], axis=1), counts


def test_what_was_laid_beside_a_hand_that_stays_is_told_when_it_has_left() -> None:
    film = Film(Doubtful())
    film.show(table((100, 100)))
    laid = table((100, 100), (300, 200))
    cv2.line(laid, (330, 0), (320, 150), (110, 140, 190), 70)
    told = film.show(laid)
    assert news(told) == (0, 0, 0) and told[-1][0].state is TableState.HAND
    told = film.show(table((100, 100), (300, 200)))
    assert news(told) == (1, 0, 0) and told[-1][0].state is TableState.READY


def test_in_the_dark_nothing_vanishes() -> None:
    film = Film()
    film.show(table((100, 100), (300, 200)))
    for _ in range(2):
        told = film.show(np.zeros((360, 640, 3), np.uint8))
        assert news(told) == (0, 0, 0) and not told[-1][0].settled and len(told[-1][0].tiles) == 2
    told = film.show(table((100, 100), (300, 200)))
    assert news(told) == (0, 0, 0) and told[-1][0].settled


def test_how_good_the_view_is_is_told() -> None:
    film = Film()
    quality = [seen.quality for seen, _ in film.show(table((100, 100), (300, 160)), 20)]
    assert quality[-1].scale == 1.0 and 0.5 < quality[-1].sharpness <= 1.0 and quality[-1].fps > 5
    bright = [each.white for each in quality if each.white]
    assert 1 <= len(bright) < len(quality) and min(bright) > 0.7, "now and then it is told how white the tiles are"


def test_how_much_of_the_table_a_bump_took_out_of_the_picture_is_told() -> None:
    view, tiny = View(), np.full((90, 160, 3), 128, np.uint8)
    view.frame(0.0)
    for shift, least, most in ((0, 0.0, 0.0), (64, 0.05, 0.12), (0, 0.0, 0.0)):
        view.measured(replace(PROFILE, homography=np.array([[1.0, 0, -shift], [0, 1, 0], [0, 0, 1]])))
        assert least <= view.now(tiny).outside <= most


def test_a_flash_and_a_lamp_are_no_plays() -> None:
    film = Film()
    film.show(table((100, 100), (300, 200)))
    for light in (1.6, 1.0, 0.6, 1.0):
        assert news(film.show(table((100, 100), (300, 200), light=light))) == (0, 0, 0)


def test_a_lost_camera_keeps_what_was_known_and_says_so() -> None:
    film = Film()
    film.show(table((100, 100)))
    seen = film.watcher.lost(12.0, Health(lost="no picture comes", age=1.8))
    assert seen.state is TableState.CAMERA_LOST and len(seen.tiles) == 1 and seen.quality.frame_age == 1.8
    assert news(film.show(table((100, 100)))) == (0, 0, 0)


def test_long_play_needs_no_more_memory() -> None:
    film = Film()
    pictures = [table((100, 100), (300, 200)), table((100, 100)), np.zeros((360, 640, 3), np.uint8)]
    tracemalloc.start()
    for _ in range(8):
        for picture in pictures:
            film.show(picture)
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(40):
        for picture in pictures:
            film.show(picture)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 2_000_000 and len(film.watcher._belief.tiles) <= 4


def test_record_and_watch_are_commands(tmp_path: Path) -> None:
    for name, image in (("1.png", table((100, 100))), ("2.png", table((100, 100), (300, 200)))):
        cv2.imwrite(str(tmp_path / name), image)
    recording = tmp_path / "table.kibitz"
    recorded = CliRunner().invoke(cli.recordings.record, [str(tmp_path), str(recording)])
    assert recorded.exit_code == 0 and recording.exists()
    watched = CliRunner().invoke(cli.watch.watch, [str(recording), "--json"])
    assert watched.exit_code == 0
    lines = [json.loads(line) for line in watched.stdout.splitlines()]
    for line in lines:
        assert {"time", "frame", "appeared", "vanished", "moved", "tiles", "state", "units"} == set(line)
        assert all({"ends", "center", "angle", "level", "p"} == set(tile) for tile in line["tiles"])
    assert sum(len(line["appeared"]) - len(line["vanished"]) for line in lines) == len(lines[-1]["tiles"])
    assert "no source" in CliRunner().invoke(kibitz.main, ["watch", str(tmp_path / "none.mp4")]).output
