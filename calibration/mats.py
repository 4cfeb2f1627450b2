"""What is printed: the table tags, the Euronimoes market and the Dominoids dice box, in millimetres, and pictures of them.

The same values make the PDFs (`calibration/printing.py`), the simulated tables and the search for slots, so a made-up
table shows exactly what the printer gives. Origin at the upper left corner of the card or mat, x right, y down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from engine.words import say, some

Image = NDArray[np.uint8]

TAG_SIDE = 40.0
"""Side of a table tag's black square."""

TAG_CARD = 64.0
"""Side of the white card that a table tag is cut out as."""

TABLE_TAGS = (0, 1, 2, 3)
"""Ids of the tags near the corners of the play area (AprilTag 36h11)."""

MAT_TAG_SIDE = 24.0
"""Side of the black square of a tag that is printed on a mat."""

TAG_CELLS = 8
"""Cells along a tag's side: six of its code, and the black rim."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: upper left corner and size, millimetres."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> tuple[float, float]:
        return (self.x + self.width / 2, self.y + self.height / 2)

    @property
    def corners(self) -> NDArray[np.float64]:
        """(4, 2) from the upper left one, clockwise."""
        x0, y0, x1, y1 = self.x, self.y, self.x + self.width, self.y + self.height
        return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag's black square; corner 0 of its code is the upper left one."""

    id: int
    box: Box


@dataclass(frozen=True, slots=True)
class Outline:
    """A rectangle with rounded corners, drawn as a line; `grey`: 0 black, 1 white; `fill`: within it."""

    box: Box
    radius: float = 3.0
    line: float = 0.5
    grey: float = 0.35
    fill: float | None = None
    dashed: bool = False  # to be cut along


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text, centred at (x, y); `size`: height of a capital letter."""

    text: str
    x: float
    y: float
    size: float
    bold: bool = False
    grey: float = 0.25


@dataclass(frozen=True, slots=True)
class Mat:
    """A printed card or mat. `slots`: where pieces lie, by name."""

    name: str
    width: float
    height: float
    tags: tuple[Tag, ...]
    slots: Mapping[str, Box]
    outlines: tuple[Outline, ...]
    words: tuple[Words, ...]

    @property
    def tag_ids(self) -> frozenset[int]:
        """The ids of its tags."""
        return frozenset(tag.id for tag in self.tags)


def check_bar(x: float, y: float, upright: bool) -> tuple[Outline, ...]:
    """A bar of 100 mm in steps of 10, to be held against a ruler; (x, y) is its upper left corner."""
    steps = [Box(x, y + 10 * i, 4, 10) if upright else Box(x + 10 * i, y, 10, 4) for i in range(10)]
    return tuple(Outline(box, 0.0, 0.2, 0.35, 0.35 if i % 2 else 1.0) for i, box in enumerate(steps))


def _corner_tags(width: float, height: float, first: int) -> tuple[Tag, ...]:
    """Four tags in the corners of a mat: upper left, upper right, lower right, lower left."""
    gap, side = 4.0, MAT_TAG_SIDE
    right, low = width - gap - side, height - gap - side
    places = ((gap, gap), (right, gap), (right, low), (gap, low))
    return tuple(Tag(first + i, Box(x, y, side, side)) for i, (x, y) in enumerate(places))


def _market() -> Mat:
    """Slots for tiles up to 56 x 28 mm lying upright; beside the bone pile a bank of four chips for each of four colours."""
    width, height = 256.0, 188.0
    names = ("-1", "0", "1", "2", "3")
    words = (say("take a chip"), say("free"), *(some(cost, "chip") for cost in (1, 2, 3)))
    slots = {name: Box(33 + 39.0 * i, 8, 34, 62) for i, name in enumerate(names)}
    slots["bones"] = Box(33, 96, 84, 84)
    for i in range(4):
        slots[f"bank {i + 1}"] = Box(123 + 52.0 * (i % 2), 96 + 43.0 * (i // 2), 48, 41)
    texts = [Words(name.replace("-", "\N{MINUS SIGN}"), slots[name].center[0], 78.5, 7, bold=True) for name in names]
    texts += [Words(told, slots[name].center[0], 87, 2.2, grey=0.4) for name, told in zip(names, words, strict=True)]
    texts += [Words(say("Bone pile"), 75, 102, 3.2, bold=True), Words(say("draw here: take a chip,"), 75, 108, 2.2, grey=0.4),
              Words(say("the tile at {slot} moves to 3", slot="\N{MINUS SIGN}1"), 75, 112, 2.2, grey=0.4)]
    texts += [Words("100 mm", 16.5, 152, 1.8, grey=0.4)]
    texts += [Words(say("bank"), slots[f"bank {i}"].center[0], slots[f"bank {i}"].y + 4.5, 2.2, grey=0.4) for i in (1, 2, 3, 4)]
    return Mat("market", width, height, _corner_tags(width, height, 8), slots,
               (*(Outline(box) for box in slots.values()), *check_bar(14.5, 46, upright=True)), tuple(texts))


def _dice_box() -> Mat:
    """Two boxes for the four dice (Dominoids 1.0, Initial setup 5, and Sequence of play 3 and 8)."""
    width, height = 216.0, 104.0
    slots = {"old": Box(33, 8, 72, 88), "new": Box(111, 8, 72, 88)}
    texts = [Words(say("Old Dice"), 69, 16, 4, bold=True), Words(say("New Dice"), 147, 16, 4, bold=True),
             Words(say("take one or two from here"), 69, 23, 2.2, grey=0.4),
             Words(say("rolled dice go here"), 147, 23, 2.2, grey=0.4)]
    return Mat("dicebox", width, height, _corner_tags(width, height, 12), slots,
               tuple(Outline(box) for box in slots.values()), tuple(texts))


def _card(id: int) -> Mat:
    gap = (TAG_CARD - TAG_SIDE) / 2
    return Mat(f"tag {id}", TAG_CARD, TAG_CARD, (Tag(id, Box(gap, gap, TAG_SIDE, TAG_SIDE)),), {}, (),
               (Words(say("table tag {number}", number=id), TAG_CARD / 2, TAG_CARD - 4, 1.8, grey=0.5),))


MARKET = _market()
DICE_BOX = _dice_box()
CARDS = tuple(_card(id) for id in TABLE_TAGS)
MATS = (MARKET, DICE_BOX)


@cache
def dictionary() -> cv2.aruco.Dictionary:
    """The codes of the tags."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


def tag_cells(id: int) -> NDArray[np.bool_]:
    """(8, 8) the cells of a tag, True where black."""
    drawn: Image = np.asarray(cv2.aruco.generateImageMarker(dictionary(), id, TAG_CELLS, borderBits=1), np.uint8)
    black: NDArray[np.bool_] = np.less(drawn, 128)
    return black


def picture(mat: Mat, px_per_mm: float) -> Image:
    """(height, width) uint8 grey: the card or mat as printed, white paper.

    >>> picture(CARDS[0], 2).shape
    (128, 128)
    """
    fine = max(1, int(np.ceil(16 / px_per_mm)))  # drawn larger, then shrunk: soft edges at the right places
    scale = px_per_mm * fine
    paper = Pictures.new("L", (round(mat.width * px_per_mm) * fine, round(mat.height * px_per_mm) * fine), 255)
    pen = ImageDraw.Draw(paper)
    for outline in mat.outlines:
        box = outline.box
        edge = (box.x * scale, box.y * scale, (box.x + box.width) * scale, (box.y + box.height) * scale)
        fill = None if outline.fill is None else round(255 * outline.fill)
        pen.rounded_rectangle(edge, outline.radius * scale, fill, round(255 * outline.grey), max(1, round(outline.line * scale)))
    for words in mat.words:
        font = ImageFont.truetype(str(font_file(words.bold)), font_size(words.size) * scale)
        pen.text((words.x * scale, (words.y + words.size / 2) * scale), words.text, round(255 * words.grey), font, "ms")
    drawn = np.array(paper)
    for tag in mat.tags:
        _ink(drawn, tag, scale)
    size = (round(mat.width * px_per_mm), round(mat.height * px_per_mm))
    return np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), np.uint8)


def font_file(bold: bool) -> Path:
    """The typeface of everything printed: Bitstream Vera, which comes with the library that draws the PDFs."""
    import reportlab  # not wanted by those who look for slots only

    return Path(reportlab.__file__).parent / "fonts" / ("VeraBd.ttf" if bold else "Vera.ttf")


def font_size(capital: float) -> float:
    """Size of the typeface whose capital letters are that high (0.729 of the size in Bitstream Vera)."""
    return capital / 0.729


def _ink(drawn: Image, tag: Tag, scale: float) -> None:
    """Blacken a tag's cells, in place."""
    cell = tag.box.width / TAG_CELLS
    for row, column in np.argwhere(tag_cells(tag.id)):
        x0, y0 = round((tag.box.x + column * cell) * scale), round((tag.box.y + row * cell) * scale)
        x1, y1 = round((tag.box.x + (column + 1) * cell) * scale), round((tag.box.y + (row + 1) * cell) * scale)
        drawn[y0:y1, x0:x1] = 0
