"""A reader that knows beforehand what lies on the table, and the app around it, for the tests of the page."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from numpy.typing import NDArray
from PIL import Image

from engine.pieces import TileSet
from tests.webui.browsing import open_chromium
from vision.reading import FaceDownTile, Reading, ReadTile
from webui.app import create_app

HALF = 60
"""Side of half a tile in the drawn photos, in pixels."""

IVORY = (222, 240, 246)
CLOTH = (70, 92, 58)


@dataclass(frozen=True)
class Seen:
    """A tile the fake reader sees: its ends left to right, where its left upper corner lies, how sure it is."""

    ends: tuple[int, int]
    place: tuple[int, int]
    score: float = 0.99
    doubt: tuple[int, int] | None = None
    """What the ends may be instead, the second likeliest numbers."""


@dataclass
class FakeReader:
    """Answers with the tiles drawn into a photo; a photo's width says which drawing it is."""

    drawings: dict[int, tuple[Seen, ...]] = field(default_factory=dict)
    facedown: tuple[tuple[int, int], ...] = ()
    asked: list[TileSet | None] = field(default_factory=list)
    sizes: list[tuple[int, int]] = field(default_factory=list)
    before_reading: Callable[[], None] = lambda: None

    def ready(self) -> None:
        """It always is."""

    def read(self, image: NDArray[np.uint8], tile_set: TileSet | None = None) -> Reading:
        self.before_reading()
        self.asked.append(tile_set)
        height, width = image.shape[:2]
        self.sizes.append((width, height))
        tiles = tuple(_read_tile(seen) for seen in self.drawings.get(width, ()))
        facedown = tuple(FaceDownTile(0.97, _corners(place)) for place in self.facedown)
        return Reading(tiles, facedown, (width, height), {"read": 1.0})


def _read_tile(seen: Seen) -> ReadTile:
    probabilities = np.full((2, 16), 0.001, np.float32)
    for end, (pips, other) in enumerate(zip(seen.ends, seen.doubt or seen.ends, strict=True)):
        probabilities[end, other] = 0.3
        probabilities[end, pips] = 0.6
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return ReadTile(seen.ends, seen.score, _corners(seen.place), probabilities)


def _corners(place: tuple[int, int]) -> NDArray[np.float32]:
    x, y = place
    right, bottom = x + 2 * HALF, y + HALF
    return np.array([(x, bottom), (x, y), (right, y), (right, bottom)], np.float32)


PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    0: (),
    1: ((0.5, 0.5),),
    2: ((0.25, 0.75), (0.75, 0.25)),
    3: ((0.25, 0.75), (0.5, 0.5), (0.75, 0.25)),
    4: ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75)),
    5: ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75), (0.5, 0.5)),
    6: ((0.25, 0.25), (0.5, 0.25), (0.75, 0.25), (0.25, 0.75), (0.5, 0.75), (0.75, 0.75)),
}


def draw_photo(tiles: Iterable[Seen], size: tuple[int, int], facedown: Iterable[tuple[int, int]] = ()) -> bytes:
    """A JPEG of (width, height) with these tiles on a green cloth."""
    image = np.full((size[1], size[0], 3), CLOTH, np.uint8)
    for x, y in facedown:
        cv2.rectangle(image, (x, y), (x + 2 * HALF, y + HALF), (40, 40, 44), -1, cv2.LINE_AA)
    for seen in tiles:
        _draw_tile(image, seen)
    return encode(image)


def _draw_tile(image: NDArray[np.uint8], seen: Seen) -> None:
    x, y = seen.place
    cv2.rectangle(image, (x, y), (x + 2 * HALF, y + HALF), IVORY, -1, cv2.LINE_AA)
    cv2.line(image, (x + HALF, y + 6), (x + HALF, y + HALF - 6), (120, 140, 150), 2, cv2.LINE_AA)
    for half, pips in enumerate(seen.ends):
        for along, across in PIPS[pips]:
            centre = (round(x + (half + along) * HALF), round(y + across * HALF))
            cv2.circle(image, centre, HALF // 11, (30, 30, 30), -1, cv2.LINE_AA)


def encode(image: NDArray[np.uint8], orientation: int = 1) -> bytes:
    """A BGR image as the bytes of a JPEG file with that EXIF orientation."""
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(image[..., ::-1]).save(out, "JPEG", quality=92, exif=exif)
    return out.getvalue()


def turn_left(photo: bytes) -> bytes:
    """The same photo as a phone on its side stores it: turned, with a note how to turn it back (orientation 6)."""
    image = np.asarray(Image.open(io.BytesIO(photo)))[..., ::-1]
    return encode(np.ascontiguousarray(np.rot90(image)), orientation=6)


FIRST_HAND = (
    Seen((6, 4), (120, 140)),
    Seen((5, 5), (340, 120)),
    Seen((3, 2), (140, 300), score=0.62, doubt=(2, 3)),
    Seen((1, 0), (380, 320)),
)
SECOND_HAND = (Seen((2, 2), (160, 180)), Seen((6, 0), (420, 240)))
FIRST_SIZE = (800, 600)
SECOND_SIZE = (840, 600)
FACEDOWN = ((600, 420),)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all tests of a file."""
    browser = open_chromium(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.quit()


@pytest.fixture
def reader() -> FakeReader:
    """A reader that knows the two drawn photos, told apart by their width."""
    return FakeReader({FIRST_SIZE[0]: FIRST_HAND, SECOND_SIZE[0]: SECOND_HAND})


@pytest.fixture
def first_photo() -> bytes:
    """Four tiles, 26 pips; the reader is unsure of the 3|2."""
    return draw_photo(FIRST_HAND, FIRST_SIZE)


@pytest.fixture
def second_photo() -> bytes:
    """Two tiles, 10 pips."""
    return draw_photo(SECOND_HAND, SECOND_SIZE)


@pytest.fixture
def app(reader: FakeReader) -> Flask:
    """The app on a machine called `table` with one address on the network."""
    return create_app(
        reader, own_names=lambda: ["localhost", "table.local", "192.168.1.20"], lan_hosts=lambda: ("192.168.1.20",)
    )


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser on the same machine."""
    return app.test_client()


@pytest.fixture
def sideways_photo(first_photo: bytes) -> bytes:
    """The first photo taken with the phone on its side."""
    return turn_left(first_photo)


@pytest.fixture
def huge_photo() -> bytes:
    """A photo of 15 megapixels, larger than reading needs."""
    return encode(np.full((3200, 4800, 3), CLOTH, np.uint8))
