"""One photo in every kind of file, through the command as people use it: the right answer or one clear sentence."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.conftest import ROOT
from trials.bench import PHONE_SIZE, peak_memory_mb, table_photo


def kibitz_read(*photos: Path) -> tuple[int, list[dict[str, Any]]]:
    """Exit status and lines of `kibitz read --json` in a process of its own."""
    command = [sys.executable, str(ROOT / "kibitz.py"), "read", "--json", *map(str, photos)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.stderr == ""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def tiles(line: dict[str, Any]) -> list[tuple[int, int]]:
    return sorted((low, high) for low, high in (tile["ends"] for tile in line["tiles"]))


def stored(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def sixteen_bit_grey(picture: Image.Image) -> bytes:
    return stored(Image.fromarray(np.asarray(picture.convert("L")).astype(np.uint16) * 257), "PNG")


def with_alpha(picture: Image.Image) -> Image.Image:
    """Transparent along the edges, where no tile lies."""
    alpha = Image.new("L", picture.size, 0)
    alpha.paste(255, (2, 2, picture.width - 2, picture.height - 2))
    picture = picture.copy()
    picture.putalpha(alpha)
    return picture


def turned_by_exif(picture: Image.Image) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    return stored(picture.transpose(Image.Transpose.ROTATE_90), "PNG", exif=exif)


SAME_PHOTO: dict[str, Callable[[Image.Image], bytes]] = {
    "photo.jpg": lambda picture: stored(picture, "JPEG", quality=92),
    "progressive.jpg": lambda picture: stored(picture, "JPEG", quality=92, progressive=True),
    "photo.webp": lambda picture: stored(picture, "WEBP", quality=92),
    "really-a-jpeg.heic": lambda picture: stored(picture, "JPEG", quality=92),
    "cmyk.jpg": lambda picture: stored(picture.convert("CMYK"), "JPEG", quality=95),
    "alpha.png": lambda picture: stored(with_alpha(picture), "PNG"),
    "turned.png": turned_by_exif,
    "no-ending": lambda picture: stored(picture, "PNG"),
}
COLOURLESS: dict[str, Callable[[Image.Image], bytes]] = {
    "sixteen.png": sixteen_bit_grey,
    "grey.jpg": lambda picture: stored(picture.convert("L"), "JPEG", quality=95),
}


def test_one_photo_in_every_kind_of_file(table_photo: NDArray[np.uint8], tmp_path: Path) -> None:
    picture = Image.fromarray(np.ascontiguousarray(table_photo[..., ::-1]))
    (tmp_path / "original.png").write_bytes(stored(picture, "PNG"))
    for name, store in (SAME_PHOTO | COLOURLESS).items():
        (tmp_path / name).write_bytes(store(picture))
    names = ["original.png", *SAME_PHOTO, *COLOURLESS]
    status, lines = kibitz_read(*(tmp_path / name for name in names))
    assert status == 0 and [Path(line["photo"]).name for line in lines] == names
    read = {Path(line["photo"]).name: tiles(line) for line in lines}
    assert len(read["original.png"]) >= 26
    for name in SAME_PHOTO:
        assert read[name] == read["original.png"], name
    for name in COLOURLESS:  # without colours one tile may be read otherwise
        assert len(set(read[name]) ^ set(read["original.png"])) <= 2, name


def test_what_cannot_be_read_says_why_and_the_rest_is_read(table_photo: NDArray[np.uint8], tmp_path: Path) -> None:
    picture = Image.fromarray(np.ascontiguousarray(table_photo[..., ::-1]))
    whole = stored(picture, "JPEG", quality=92)
    contents = {
        "first.jpg": whole,
        "truncated.jpg": whole[: len(whole) // 2],
        "nothing.jpg": b"",
        "text.jpg": b"no photo\n",
        "real.heic": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(500),
        "pixel.png": stored(Image.new("RGB", (1, 1)), "PNG"),
        "black.jpg": stored(Image.new("RGB", (640, 480)), "JPEG"),
        "last.jpg": whole,
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.jpg").mkdir()
    names = [*contents, "folder.jpg", "gone.jpg"]
    status, lines = kibitz_read(*(tmp_path / name for name in names))
    by_name = {Path(line["photo"]).name: line for line in lines}
    assert status == 2 and list(by_name) == names
    unread = {"truncated.jpg", "nothing.jpg", "text.jpg", "real.heic", "pixel.png", "folder.jpg", "gone.jpg"}
    assert {name for name, line in by_name.items() if "error" in line} == unread
    assert all(set(by_name[name]) == {"photo", "error"} and by_name[name]["error"] for name in unread)
    assert tiles(by_name["first.jpg"]) == tiles(by_name["last.jpg"]) != []
    assert by_name["black.jpg"]["tiles"] == [] and by_name["black.jpg"]["total"] == 0


def test_a_100_megapixel_photo_is_read_with_corners_in_its_own_pixels(
    table_photo: NDArray[np.uint8], tmp_path: Path
) -> None:
    picture = Image.fromarray(np.ascontiguousarray(table_photo[..., ::-1]))
    (tmp_path / "small.png").write_bytes(stored(picture, "PNG"))
    large = picture.resize((13440, 7560), Image.Resampling.BILINEAR)
    large.save(tmp_path / "large.jpg", quality=85)
    status, (small, huge) = kibitz_read(tmp_path / "small.png", tmp_path / "large.jpg")
    assert status == 0
    assert len(set(tiles(small)) ^ set(tiles(huge))) <= 2
    centres = [
        sorted((tuple(tile["ends"]), *np.mean(tile["corners"], axis=0)) for tile in line["tiles"]) for line in (small, huge)
    ]
    offsets = [
        np.hypot(7 * x - other_x, 7 * y - other_y)
        for ends, x, y in centres[0]
        for other_ends, other_x, other_y in centres[1]
        if ends == other_ends
    ]
    assert np.median(offsets) < 40, "corners are not in pixels of the 13440 pixels wide photo"


def test_reading_a_phone_photo_stays_within_400_megabytes() -> None:
    needed = peak_memory_mb(table_photo(PHONE_SIZE))
    if needed is None:
        pytest.skip("this system does not tell how much memory a process needed")
    assert needed <= 400
