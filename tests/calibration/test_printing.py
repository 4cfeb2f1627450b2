"""What is printed has its true size, and is found again in a photograph of the print."""

from __future__ import annotations

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from calibration.fit import CalibrationError
from calibration.mats import CARDS, DICE_BOX, MARKET, MATS, Mat, picture, tag_cells
from calibration.measure import calibrate
from calibration.printing import PAPERS, SHEETS, page_of, pdf
from calibration.tags import find_tags, is_mirrored

DOTS = 5.0
"""Pixels per millimetre of the pages looked at."""


def printed(sheet: str, paper: str) -> NDArray[np.uint8]:
    pages = pypdfium2.PdfDocument(pdf((sheet,), (paper,)))
    assert len(pages) == 1
    page: NDArray[np.uint8] = pages[0].render(scale=DOTS * 25.4 / 72).to_numpy()[..., :3]
    return np.ascontiguousarray(page)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("sheet", SHEETS)
def test_every_tag_of_a_page_is_where_and_as_large_as_said(sheet: str, paper: str) -> None:
    page, image = page_of(sheet, paper), printed(sheet, paper)
    assert image.shape[:2] == pytest.approx((page.height * DOTS, page.width * DOTS), abs=1)
    scale = np.array(image.shape[1::-1]) / (page.width, page.height)  # whole pixels: not quite DOTS
    found = {tag.id: tag.corners for tag in find_tags(image, thorough=False)}
    assert sorted(found) == sorted(tag.id for tag in page.tags)
    for tag in page.tags:
        assert (found[tag.id] + 0.5) / scale == pytest.approx(tag.box.corners, abs=0.1)


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_check_bar_is_100_mm_long_and_nothing_is_cut_off(sheet: str) -> None:
    for paper in PAPERS:
        page = page_of(sheet, paper)
        filled = [outline.box for outline in page.outlines if outline.fill is not None]
        x0, y0 = min(box.x for box in filled), min(box.y for box in filled)
        x1, y1 = max(box.x + box.width for box in filled), max(box.y + box.height for box in filled)
        assert max(x1 - x0, y1 - y0) == pytest.approx(100)
        dark = np.argwhere(printed(sheet, paper)[..., 0] < 200) / DOTS
        assert dark.min() > 4 and (dark.max(axis=0) < (page.height - 4, page.width - 4)).all()


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_the_picture_of_a_mat_is_what_the_printer_gives(mat: Mat) -> None:
    page = page_of(mat.name, "A4")
    x, y = round((page.width - mat.width) / 2 * DOTS), round((page.height - mat.height) / 2 * DOTS)
    paper = printed(mat.name, "A4")[y : y + round(mat.height * DOTS), x : x + round(mat.width * DOTS), 0]
    drawn = picture(mat, DOTS)
    assert paper.shape == drawn.shape
    soft = [cv2.GaussianBlur(each, (0, 0), DOTS / 4).astype(np.float32) for each in (paper, drawn)]
    assert np.abs(soft[0] - soft[1]).mean() < 2.5
    assert np.corrcoef(soft[0].ravel(), soft[1].ravel())[0, 1] > 0.98


def test_slots_hold_the_largest_tiles_and_do_not_overlap() -> None:
    for name in ("-1", "0", "1", "2", "3"):
        assert MARKET.slots[name].width >= 30 and MARKET.slots[name].height >= 58
    for mat in MATS:
        boxes = [*mat.slots.values(), *(tag.box for tag in mat.tags)]
        for i, a in enumerate(boxes):
            assert min(a.x, a.y) >= 0 and a.x + a.width <= mat.width and a.y + a.height <= mat.height
            for b in boxes[i + 1 :]:
                assert a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
    assert set(DICE_BOX.slots) == {"old", "new"}


def test_a_tag_has_a_black_rim_and_cells_of_five_millimetres() -> None:
    cells = tag_cells(0)
    assert cells.shape == (8, 8) and cells[0].all() and cells[:, -1].all() and not cells.all()
    card = picture(CARDS[0], 4)
    black = np.argwhere(card < 60)
    assert black.min(axis=0) == pytest.approx((48, 48), abs=1) and black.max(axis=0) == pytest.approx((207, 207), abs=1)


def photographed(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The page on a grey table, seen from the side by a camera with some blur and noise."""
    height, width = image.shape[:2]
    target = np.array([(420, 160), (1500, 130), (1640, 960), (300, 930)], np.float32)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    small = cv2.GaussianBlur(image, (0, 0), 0.4 * width / 1200)
    table = np.full((1080, 1920, 3), 90, np.uint8)
    cv2.warpPerspective(small, cv2.getPerspectiveTransform(corners, target), (1920, 1080), table,
                        borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_AREA)
    rng = np.random.default_rng(1)
    noisy = cv2.GaussianBlur(table, (0, 0), 0.8).astype(np.float32) * 0.8 + rng.normal(0, 4, table.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


@pytest.mark.parametrize("sheet", SHEETS)
def test_tags_are_found_again_in_a_photograph_of_the_print(sheet: str) -> None:
    page, photo = page_of(sheet, "A4"), photographed(printed(sheet, "A4"))
    found = find_tags(photo, thorough=False)
    assert sorted(tag.id for tag in found) == sorted(tag.id for tag in page.tags)
    assert min(tag.fit for tag in found) > 0.9


def test_a_mirrored_picture_is_told() -> None:
    photo = photographed(printed("tags", "A4"))
    mirrored = np.ascontiguousarray(photo[:, ::-1])
    assert is_mirrored(mirrored) and not is_mirrored(photo)
    with pytest.raises(CalibrationError, match="mirrored"):
        calibrate(mirrored)


def test_a_picture_without_tags_says_what_to_look_for() -> None:
    with pytest.raises(CalibrationError, match="0 of the four table tags"):
        calibrate(np.full((720, 1280, 3), 80, np.uint8))
