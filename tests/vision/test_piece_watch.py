"""Pieces on a watched table: told once it is still, kept under a hand, read anew where something moved."""

from __future__ import annotations

from typing import Any, Self, cast

import cv2
import numpy as np

from calibration.mats import DICE_BOX, picture
from calibration.profile import Profile
from cli.watch import _changed
from vision.frame import Frame, Image
from vision.halves import Proposals
from vision.in_play import InPlay
from vision.observation import Kind, Observation, SeenPiece
from vision.piece_sets import SUITS
from vision.pieces import FoundPiece
from vision.rectify import ImagePyramid
from vision.table.piece_watch import LOOKS, PieceWatch
from vision.table.watcher import TableWatcher

PROFILE = Profile((640, 360), np.diag([1.0, 1.0, 1.0]), (0.0, 0.0, 640.0, 360.0), "corners", 0.0)
COLOURS = {"red": (30, 30, 220), "blue": (220, 60, 30)}


class NoTiles:
    """A reader of dominoes on a table without any."""

    in_play = InPlay()

    def at_a_table(self) -> Self:
        return self

    def find_on_table(self, view: Image) -> Proposals:
        return Proposals(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))

    def weigh(self, pyramid: ImagePyramid, found: Proposals) -> tuple[list[Any], list[Any]]:
        return [], []


class ChipReader:
    """Reads discs of two colours as chips: what is tested here is what is made of readings."""

    def __init__(self) -> None:
        self.regions: list[Any] = []
        self.sure = 0.9

    def read(self, image: Image, profile: Profile, pieces: Any, region: Any, kinds: Any, least: float) -> list[FoundPiece]:
        self.regions.append(region)
        told = []
        for name, colour in COLOURS.items():
            near = np.abs(image.astype(int) - colour).max(axis=2) < 30
            for x, y, w, h in (cv2.boundingRect(c) for c in cv2.findContours(near.astype(np.uint8), 0, 2)[0]):
                place = (x + w / 2, y + h / 2)
                if w < 14 or (region and not (region[0] < place[0] < region[2] and region[1] < place[1] < region[3])):
                    continue
                labels = {each: self.sure if each == name else 1 - self.sure for each in COLOURS}
                told.append(FoundPiece("chip", place, place, 16.0, labels, 0.9, np.ones(2, np.float32)))
        return told


def table(*chips: tuple[str, int, int]) -> Image:
    image = np.full((360, 640, 3), (60, 110, 60), np.uint8)
    for x, y in ((30, 20), (590, 40), (40, 320), (600, 330), (320, 20), (330, 340)):  # by these the camera's place is known
        cv2.rectangle(image, (x, y), (x + 22, y + 14), (20, 30, 20), -1)
        cv2.circle(image, (x + 8, y - 6), 5, (150, 180, 150), -1)
    for colour, x, y in chips:
        cv2.circle(image, (x, y), 16, COLOURS[colour], -1)
    return image


class Film:
    def __init__(self) -> None:
        self.reader = cast(Any, ChipReader())
        tiles: Any = NoTiles()
        self.watcher = TableWatcher(tiles, PROFILE, PieceWatch(self.reader, ("chip",)))
        self.number = 0

    def show(self, image: Image, frames: int = 10) -> Observation:
        for _ in range(frames):
            seen = self.watcher.see(Frame(image + np.uint8(self.number % 2), self.number / 10, self.number))
            self.number += 1
        return seen


def told(seen: Observation) -> list[tuple[str, int, int]]:
    return sorted((piece.label, round(piece.center[0]), round(piece.center[1])) for piece in seen.pieces)


def test_chips_are_told_once_the_table_is_still() -> None:
    film = Film()
    assert film.show(table(("red", 100, 100)), 2).pieces == ()
    seen = film.show(table(("red", 100, 100)))
    assert seen.settled and told(seen) == [("red", 100, 100)]
    assert film.reader.regions == [None]


def test_only_what_is_doubtful_is_looked_at_again() -> None:
    film = Film()
    film.show(table(("red", 100, 100)))
    film.reader.regions.clear()
    film.reader.sure = 0.6
    film.show(table(("red", 100, 100), ("blue", 400, 200)))
    _, *again = film.reader.regions
    assert len(again) == LOOKS - 1 and all(300 < x0 < 400 < x1 < 500 for x0, _, x1, _ in again)


def test_what_was_being_looked_at_when_the_light_flickered_back_is_as_it_was() -> None:
    def lit(levels: int) -> Image:
        image = table()
        image[150:250, 350:450] = 10 + levels  # so little at a time is no movement
        return image

    film = Film()
    assert film.show(lit(0)).settled
    unsure = FoundPiece("chip", (400, 200), (400, 200), 16.0, {"red": 0.6, "blue": 0.4}, 0.9, np.ones(2, np.float32))
    film.reader.read = lambda *_: [unsure]
    film.show(lit(5), 1)
    assert not film.show(lit(9), 1).settled, "a chip that may be there is looked at once more"
    assert film.show(lit(4), 3).settled


def test_a_chip_that_one_look_does_not_show_is_looked_for_once_more() -> None:
    film = Film()
    film.show(table(("red", 100, 100)))
    film.reader.regions.clear()
    assert film.show(table()).pieces == ()
    assert len(film.reader.regions) == 2


def test_a_new_chip_is_read_where_it_lies_and_one_taken_is_gone() -> None:
    film = Film()
    (red,) = film.show(table(("red", 100, 100))).pieces
    film.reader.regions.clear()
    seen = film.show(table(("red", 100, 100), ("blue", 400, 200)))
    assert told(seen) == [("blue", 400, 200), ("red", 100, 100)]
    assert {piece.label: piece.track for piece in seen.pieces}["red"] == red.track
    assert film.reader.regions and all(x0 > 200 for x0, *_ in film.reader.regions)
    assert told(film.show(table(("blue", 400, 200)))) == [("blue", 400, 200)]


def test_a_chip_exchanged_for_another_in_the_same_place_is_read_anew() -> None:
    film = Film()
    film.show(table(("red", 100, 100)), 40)
    assert told(film.show(table(("blue", 100, 100)))) == [("blue", 100, 100)]


def test_under_a_hand_chips_are_kept() -> None:
    film = Film()
    film.show(table(("red", 300, 200), ("blue", 100, 100)))
    veiled = table(("red", 300, 200), ("blue", 100, 100))
    cv2.line(veiled, (330, 0), (300, 220), (110, 140, 190), 70)
    seen = film.show(veiled)
    assert len(seen.pieces) == 2 and not seen.settled
    assert told(film.show(table(("red", 300, 200), ("blue", 100, 100)))) == [("blue", 100, 100), ("red", 300, 200)]


def test_a_thing_covers_what_lies_under_it_and_not_what_is_plainly_seen_on_it() -> None:
    for on_it, where in ((None, 300), (345, 346)):  # a tray laid over a chip; a part of the board that was moved with one
        film = Film()
        film.show(table(("red", 300, 200)))
        after = cv2.rectangle(table(), (260, 160), (420, 240), (120, 190, 120), -1)
        if on_it is not None:
            cv2.circle(after, (on_it, 200), 16, COLOURS["red"], -1)
        assert told(film.show(after)) == [("red", where, 200)]


def test_a_turned_or_pushed_piece_is_news_and_one_that_trembles_is_none() -> None:
    def chip(label: str, x: float) -> SeenPiece:
        return SeenPiece(7, "chip", (x, 10.0), 16.0, 0.0, {label: 0.9}, 0.8)

    assert not _changed([chip("red", 10.0)], [chip("red", 11.5)])
    assert _changed([chip("red", 10.0)], [chip("blue", 10.0)])
    assert _changed([chip("red", 10.0)], [chip("red", 19.0)])
    assert _changed([chip("red", 10.0)], []) and _changed([], [chip("red", 10.0)])


def test_a_chip_at_the_rim_of_what_is_read_again_is_found_on_either_side_of_it() -> None:
    reader = cast(Any, ChipReader())
    watch = PieceWatch(reader, ("chip",))
    for x, box in ((298, None), (302, (200.0, 0.0, 300.5, 360.0))):
        watch.look(table(("red", x, 200)), PROFILE, None if box is None else [box])
        watch.settle(lambda _: False, lambda _: False, touched=True)
        assert [piece.label for piece in watch.seen] == ["red"]


class FaintDice:
    """Sees a faint die wherever the picture is red, each of another suit; a pixel is half a millimetre."""

    def read(self, image: Image, profile: Profile, pieces: Any, region: Any, kinds: Any, least: float) -> list[FoundPiece]:
        red = (np.abs(image.astype(int) - (30, 30, 220)).max(axis=2) < 30).astype(np.uint8)
        found = []
        for number, (x, y, w, h) in enumerate(map(cv2.boundingRect, cv2.findContours(red, 0, 2)[0])):
            labels = {f"{suit}:3": 0.94 if k == number else 0.02 for k, suit in enumerate(SUITS)}
            place = ((x + w / 2) / 2, (y + h / 2) / 2)
            found.append(FoundPiece("die", place, place, 8.0, labels, 0.15, np.ones(2, np.float32)))
        return found


def test_where_there_is_a_box_for_dice_a_faint_die_elsewhere_is_none() -> None:
    bare = np.full((720, 1280, 3), (60, 110, 60), np.uint8)
    boxed = bare.copy()
    mat = np.repeat(picture(DICE_BOX, 2.0)[..., None], 3, axis=2)
    boxed[40 : 40 + mat.shape[0], 60 : 60 + mat.shape[1]] = mat
    profile = Profile((1280, 720), np.diag([0.5, 0.5, 1.0]), (0.0, 0.0, 640.0, 360.0), "corners", 0.0)
    for table, told_of in ((bare, {90, 590}), (boxed, {90})):
        for x in (164, 1164):
            cv2.rectangle(table, (x, 150), (x + 32, 182), (30, 30, 220), -1)
        watch = PieceWatch(cast(Any, FaintDice()), ("die",))
        watch.look(table, profile, None)
        watch.settle(lambda _: False, lambda _: False, touched=True)
        assert {round(piece.center[0]) for piece in watch.seen} == told_of


class FifthDie:
    """Sees four dice, and at the right edge of the table what is rather a die than a coin."""

    def read(self, image: Image, profile: Profile, pieces: Any, region: Any, kinds: Any, least: float) -> list[FoundPiece]:
        traits, right = np.ones(2, np.float32), (590.0, 83.0)
        coin = FoundPiece("coin", right, right, 9.5, {"suit:suns": 0.98, "suit:arms": 0.02}, 0.3, traits)
        dice = [FoundPiece("die", (x, 83.0), (x, 83.0), 6.3, {f"{suit}:3": 1.0}, 0.97, traits)
                for suit, x in zip(SUITS, (70.0, 90.0, 110.0, 130.0), strict=True)]  # fmt: skip
        return [*dice, FoundPiece("die", right, right, 8.0, {"suns:ace": 1.0}, 0.57, traits, coin)]


def test_what_is_a_die_or_a_coin_is_a_coin_where_no_dice_lie() -> None:
    image = np.full((720, 1280, 3), (60, 110, 60), np.uint8)
    mat = np.repeat(picture(DICE_BOX, 2.0)[..., None], 3, axis=2)
    image[40 : 40 + mat.shape[0], 60 : 60 + mat.shape[1]] = mat
    watch = PieceWatch(cast(Any, FifthDie()), ("coin", "die"))
    watch.look(image, Profile((1280, 720), np.diag([0.5, 0.5, 1.0]), (0.0, 0.0, 640.0, 360.0), "corners", 0.0), None)
    watch.settle(lambda _: False, lambda _: False, touched=True)
    assert [(piece.kind, piece.label) for piece in watch.seen][4:] == [("coin", "suit:suns")]


class Coins:
    """Sees a coin, or another such piece, at each of these places, as surely as this."""

    def __init__(self, there: float, *places: tuple[float, float], kind: Kind = "coin") -> None:
        self.there, self.places, self.kind = there, places, kind

    def read(self, image: Image, profile: Profile, pieces: Any, region: Any, kinds: Any, least: float) -> list[FoundPiece]:
        return [FoundPiece(self.kind, place, place, 9.5, {"suit:suns": 1.0}, self.there, np.ones(2, np.float32))
                for place in self.places]  # fmt: skip


def test_two_coins_or_chips_side_by_side_are_no_tile() -> None:
    halves = ((100.0, 100.0), (125.0, 100.0))

    def watched(reader: Any) -> PieceWatch:
        watch = PieceWatch(reader, ("coin",))
        watch.look(np.zeros((360, 640, 3), np.uint8), PROFILE, None)
        return watch

    assert watched(Coins(0.92, (103.0, 98.0), (121.0, 101.0), kind="chip")).are_round(halves, 0.82)
    assert not watched(Coins(0.92, (103.0, 98.0), (121.0, 101.0), kind="pawn")).are_round(halves, 0.82)
    reader = Coins(0.92, (103.0, 98.0), (121.0, 101.0))
    both = watched(reader)
    assert both.are_round(halves, 0.82)
    assert not both.are_round(halves, 0.95)  # the tile is surer
    assert not watched(Coins(0.92, (103.0, 98.0))).are_round(halves, 0.82)  # something round on one half
    assert not watched(Coins(0.92, (112.0, 100.0))).are_round(((108.0, 100.0), (116.0, 100.0)), 0.82)  # one coin is not two
    both.settle(lambda _: False, lambda _: False, touched=True)
    assert both.are_round(halves, 0.82)  # known, and not looked at again
    both.look(np.zeros((360, 640, 3), np.uint8), PROFILE, [])
    assert both.are_round(halves, 0.82)
    reader.places = ()
    both.forget()
    both.look(np.zeros((360, 640, 3), np.uint8), PROFILE, [(80.0, 80.0, 150.0, 120.0)])
    assert not both.are_round(halves, 0.82)  # a tile was laid where they were
