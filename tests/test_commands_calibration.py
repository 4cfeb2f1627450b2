"""The commands of calibration."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner, Result

import kibitz
from calibration import mats
from calibration.store import load


def run(*arguments: object) -> Result:
    return CliRunner().invoke(kibitz.main, [str(each) for each in arguments])


def table(folder: Path, tags: int = 4) -> Path:
    """A picture from straight above, two pixels to the millimetre: tags 600 x 400 mm apart on a grey table."""
    image = np.full((1080, 1920, 3), 100, np.uint8)
    for card, (x, y) in zip(mats.CARDS[:tags], ((300, 100), (1500, 100), (1500, 900), (300, 900)), strict=False):
        image[y : y + 128, x : x + 128] = mats.picture(card, 2)[..., None]
    path = folder / "table.png"
    assert cv2.imwrite(str(path), cv2.GaussianBlur(image, (0, 0), 0.7))
    return path


def test_print_makes_both_papers(tmp_path: Path) -> None:
    out = tmp_path / "sheets.pdf"
    result = run("print", "all", "-o", out)
    assert result.exit_code == 0 and "100 %" in result.stdout
    sizes = [tuple(round(v * 25.4 / 72) for v in page.get_size()) for page in pypdfium2.PdfDocument(out)]
    assert sizes == [(210, 297), (297, 210), (297, 210), (216, 279), (279, 216), (279, 216)]


def test_print_of_one_paper_and_its_default_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("print", "market", "--paper", "letter").exit_code == 0
    assert len(pypdfium2.PdfDocument(tmp_path / "kibitz-market.pdf")) == 1
    assert run("print", "tags", "-o", tmp_path / "no" / "folder.pdf").exit_code == 1


def test_calibrate_tells_stores_and_draws(tmp_path: Path) -> None:
    out, overlay = tmp_path / "calibration.json", tmp_path / "overlay.jpg"
    result = run("calibrate", "--camera", table(tmp_path), "--out", out, "--overlay", overlay)
    assert result.exit_code == 0, result.output
    assert "table tags" in result.stdout and "64 x 44 cm" in result.stdout
    profile = load(out)
    x0, y0, x1, y1 = profile.area
    assert x1 - x0 == pytest.approx(640, abs=1.5) and y1 - y0 == pytest.approx(440, abs=1.5)
    drawn = cv2.imread(str(overlay))
    assert drawn is not None and drawn.shape == (1080, 1920, 3)


def test_calibrate_reads_a_folder_and_says_why_not(tmp_path: Path) -> None:
    table(tmp_path, tags=2)
    result = run("calibrate", "--camera", tmp_path)
    assert result.exit_code == 1 and "2 of the four table tags" in result.stderr
    assert run("calibrate", "--camera", tmp_path / "nothing").exit_code == 1


def test_calibrate_by_corners(tmp_path: Path) -> None:
    path = table(tmp_path, tags=0)
    corners = ("--corners", "300,100 1500,100 1500,900 300,900")
    result = run("calibrate", "--camera", path, *corners, "--width", 600, "--height", 400)
    assert result.exit_code == 0 and "60 x 40 cm" in result.stdout
    assert "One side's length" in run("calibrate", "--camera", path, *corners).stderr
    assert run("calibrate", "--camera", path, "--corners", "1,2 3").exit_code == 2


def test_measuring_reports_counts(tmp_path: Path) -> None:
    result = run("measure-calibration", "--setups", 2, "--seed", 5, "--only", "tags", "--only", "wrong-tags", "--json")
    told = json.loads(result.stdout.splitlines()[-1])
    assert told["tags"]["measured"] == 2 and told["tags"]["worst_mm"] < 2
    assert told["wrong-tags"]["refused"] == 2 and not any(told["wrong-tags"]["accepted"].values())
