"""Any file a person may hand over is a photo the right way up, or one sentence."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from tests.readings import read_tile, reading
from vision import photo
from vision.photo import Photo, PhotoError, at_full_size, load_photo

QUARTERS = {"red": (220, 30, 30), "green": (30, 200, 30), "blue": (30, 30, 220), "grey": (120, 120, 120)}


def quartered(width: int = 96, height: int = 64) -> Image.Image:
    """Red, green over blue, grey: shows how a picture was turned."""
    picture = Image.new("RGB", (width, height))
    for at, colour in enumerate(QUARTERS.values()):
        left, top = at % 2 * width // 2, at // 2 * height // 2
        picture.paste(colour, (left, top, left + width // 2, top + height // 2))
    return picture


def stored(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def corner_colours(image: NDArray[np.uint8]) -> list[str]:
    """The names of the colours in the four corners, row by row; each within what compression changes."""
    height, width = image.shape[:2]
    names = []
    for y in (height // 4, 3 * height // 4):
        for x in (width // 4, 3 * width // 4):
            distance = {name: np.abs(image[y, x, ::-1].astype(int) - rgb).max() for name, rgb in QUARTERS.items()}
            name, nearest = min(distance.items(), key=lambda each: each[1])
            assert nearest < 12, f"{image[y, x]} is no colour of the picture"
            names.append(name)
    return names


UPRIGHT = ["red", "green", "blue", "grey"]


@pytest.mark.parametrize(("kind", "options"), [
    ("PNG", {}), ("JPEG", {"quality": 95}), ("JPEG", {"quality": 95, "progressive": True}), ("BMP", {}), ("TIFF", {}),
    ("WEBP", {"lossless": True}), ("WEBP", {"quality": 95}), ("AVIF", {"quality": 95}),
])  # fmt: skip
def test_every_common_format_is_opened(kind: str, options: dict[str, object]) -> None:
    opened = load_photo(stored(quartered(), kind, **options))
    assert opened.image.shape == (64, 96, 3) and opened.image.dtype == np.uint8
    assert opened.size == (96, 64) and opened.reduction == 1
    assert corner_colours(opened.image) == UPRIGHT


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "CMYK"])
def test_every_way_to_store_colours_is_understood(mode: str) -> None:
    picture = quartered().quantize(8) if mode == "P" else quartered().convert(mode)
    kind = "JPEG" if mode == "CMYK" else "PNG"
    assert picture.mode == mode and corner_colours(load_photo(stored(picture, kind, quality=95)).image) == UPRIGHT


@pytest.mark.parametrize("mode", ["L", "LA", "1"])
def test_pictures_without_colour_are_grey(mode: str) -> None:
    halves = Image.new("L", (64, 64), 255)
    halves.paste(0, (0, 0, 32, 64))
    image = load_photo(stored(halves.convert(mode), "PNG")).image
    assert image[:, :30].max() == 0 and image[:, 34:].min() == 255


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_become_eight(kind: str) -> None:
    ramp = np.tile(np.linspace(0, 65535, 256).astype(np.uint16), (64, 1))
    image = load_photo(stored(Image.fromarray(ramp), kind)).image
    assert np.abs(image[0, :, 0].astype(int) - np.arange(256)).max() <= 1


def test_sixteen_bit_colours_become_eight() -> None:
    """A PNG with 16 bits for each of three colours, which Pillow cannot write: put together by hand."""
    row = b"\0" + struct.pack(">HHH", 0xDC00, 0x8000, 0x1E00) * 32

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", 32, 32, 16, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * 32)) + chunk(b"IEND", b"")
    assert load_photo(png).image[16, 16].tolist() == [0x1E, 0x80, 0xDC]


@pytest.mark.parametrize("mode", ["RGBA", "LA", "PA"])
def test_transparent_pixels_are_grey_so_that_light_and_dark_tiles_stand_out(mode: str) -> None:
    picture = Image.new("RGBA", (64, 64), (255, 255, 255, 0))
    picture.paste((250, 250, 250, 255), (32, 0, 64, 64))
    kind = "TIFF" if mode == "PA" else "PNG"
    image = load_photo(stored(picture if mode == "PA" else picture.convert(mode), kind)).image
    assert image[5, 5].tolist() == [128] * 3 and image[5, 60].min() >= 249


def test_a_palette_with_a_transparent_colour() -> None:
    picture = Image.new("P", (64, 64), 0)
    picture.putpalette([255, 255, 255, 10, 20, 30])
    picture.paste(1, (32, 0, 64, 64))
    image = load_photo(stored(picture, "PNG", transparency=0)).image
    assert image[5, 5].tolist() == [128] * 3 and image[5, 60].tolist() == [30, 20, 10]


TURNS: dict[int, Callable[[NDArray[np.uint8]], NDArray[np.uint8]]] = {
    1: lambda image: image,
    2: lambda image: image[:, ::-1],
    3: lambda image: image[::-1, ::-1],
    4: lambda image: image[::-1],
    5: lambda image: image.transpose(1, 0, 2),
    6: lambda image: np.rot90(image, 1),  # to be turned clockwise by the viewer, so stored turned the other way
    7: lambda image: np.rot90(image, 2).transpose(1, 0, 2),
    8: lambda image: np.rot90(image, -1),
}
"""How the camera stored an upright picture, for each EXIF orientation."""


@pytest.mark.parametrize("orientation", TURNS)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_the_orientation_of_the_camera_is_undone(orientation: int, kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    turned = Image.fromarray(np.ascontiguousarray(TURNS[orientation](np.asarray(quartered()))))
    opened = load_photo(stored(turned, kind, exif=exif, quality=95))
    assert opened.size == (96, 64) and corner_colours(opened.image) == UPRIGHT


@pytest.mark.parametrize("exif", [b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0nonsense", b"Exif\0\0"])
def test_a_damaged_exif_block_does_not_matter(exif: bytes) -> None:
    assert corner_colours(load_photo(stored(quartered(), "JPEG", quality=95, exif=exif)).image) == UPRIGHT


def test_an_orientation_that_does_not_exist_is_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 42
    assert corner_colours(load_photo(stored(quartered(), "PNG", exif=exif)).image) == UPRIGHT


def test_a_jpeg_named_heic_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "IMG_0001.HEIC"
    path.write_bytes(stored(quartered(), "JPEG", quality=95))
    assert corner_colours(load_photo(path).image) == UPRIGHT


HEIC = Path(__file__).with_name("quartered.heic").read_bytes()
"""The picture in quarters as an iPhone held upright stores it: on its side, with a box `irot` how to turn it."""


def turned_by(quarters: int) -> bytes:
    """The same file, to be turned by so many quarters to the left."""
    at = HEIC.index(b"irot") + 4
    return HEIC[:at] + bytes([quarters]) + HEIC[at + 1 :]


def claiming(width: int, height: int) -> bytes:
    """The same file, whose box `ispe` says that it holds so many pixels."""
    at = HEIC.index(b"ispe") + 8
    return HEIC[:at] + struct.pack(">II", width, height) + HEIC[at + 8 :]


@pytest.mark.parametrize("quarters", range(4))
def test_a_photo_of_an_iphone_is_upright_whichever_way_it_was_held(quarters: int) -> None:
    as_stored, opened = load_photo(turned_by(0)).image, load_photo(turned_by(quarters))
    assert np.array_equal(opened.image, np.rot90(as_stored, quarters)) and opened.size == opened.image.shape[1::-1]
    upright = load_photo(HEIC)
    assert corner_colours(upright.image) == UPRIGHT and upright.size == (288, 192)


def test_a_heic_that_claims_to_be_huge_is_refused_before_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image.Image, "load", lambda self: pytest.fail("decoded"))
    with pytest.raises(PhotoError, match="9600x10500 pixels, too many for a HEIF"):
        load_photo(claiming(10500, 9600))


def test_a_heic_larger_than_it_claims_is_refused() -> None:
    with pytest.raises(PhotoError, match="damaged"):
        load_photo(claiming(24, 26))


def test_a_heic_that_ends_the_process_that_opens_it_is_damaged_and_nothing_else_ends() -> None:
    at = HEIC.index(b"Exif")
    with pytest.raises(PhotoError, match="damaged"):
        load_photo(HEIC[:at] + b"\xc3" + HEIC[at + 1 :])
    assert corner_colours(load_photo(HEIC).image) == UPRIGHT


def test_without_its_opener_a_heic_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    Image.init()
    monkeypatch.delitem(Image.OPEN, "HEIF")
    with pytest.raises(PhotoError, match="install"):
        load_photo(HEIC)
    assert corner_colours(load_photo(stored(quartered(), "AVIF", quality=95)).image) == UPRIGHT


def test_the_first_picture_of_an_animation_is_read() -> None:
    other = Image.new("RGB", (96, 64), (0, 0, 0))
    for kind in ("GIF", "WEBP", "PNG"):
        animated = stored(quartered(), kind, save_all=True, append_images=[other], duration=100)
        assert corner_colours(load_photo(animated).image) == UPRIGHT


@pytest.mark.parametrize(("content", "says"), [
    (b"", "empty"),
    (b"Dear diary, today we played dominoes.\n" * 20, "not a picture"),
    (b"\0\0\0\x18ftypheic" + bytes(200), "damaged"),
    (b"\0\0\0\x18ftypmif1" + bytes(200), "damaged"),
    (b"\0\0\0\x18ftypisom" + bytes(200), "video"),
    (b"%PDF-1.7" + bytes(200), "not a picture"),
    (b"\xff\xd8\xff\xe0" + bytes(200), "damaged"),
    (bytes(5000), "not a picture"),
])  # fmt: skip
def test_what_is_no_photo_is_told_in_one_sentence(content: bytes, says: str) -> None:
    with pytest.raises(PhotoError) as caught:
        load_photo(content)
    sentence = str(caught.value)
    assert says in sentence and sentence.endswith((".", ")")) and "\n" not in sentence and len(sentence) < 150


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_a_photo_cut_short_is_refused_not_half_read(kind: str, share: float) -> None:
    noise = Image.fromarray(np.random.default_rng(5).integers(0, 256, (200, 300, 3), np.uint8))
    whole = stored(noise, kind)
    with pytest.raises(PhotoError, match=r"cut off|damaged|not a picture"):
        load_photo(whole[: int(share * len(whole))])


@given(st.data())
def test_no_damage_to_a_file_raises_anything_else(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "HEIC"]))
    damaged = bytearray(HEIC if kind == "HEIC" else stored(quartered(), kind))
    for _ in range(data.draw(st.integers(1, 8))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        opened = load_photo(bytes(damaged))
    except PhotoError:
        return
    assert opened.image.ndim == 3 and opened.image.dtype == np.uint8


def test_folders_and_missing_files(tmp_path: Path) -> None:
    for path, says in ((tmp_path, "a folder"), (tmp_path / "gone.jpg", "no such file"), (Path("/dev/null"), "ordinary")):
        with pytest.raises(PhotoError, match=says):
            load_photo(path)


def test_a_name_that_no_file_can_have() -> None:
    for name in ("a\0b.jpg", "x" * 5000):
        with pytest.raises(PhotoError, match=r"no such file|cannot be opened"):
            load_photo(Path(name))


def test_a_single_pixel_holds_no_tile() -> None:
    with pytest.raises(PhotoError, match="1x1"):
        load_photo(stored(Image.new("RGB", (1, 1)), "PNG"))


def test_a_100_megapixel_jpeg_is_read_reduced() -> None:
    opened = load_photo(stored(quartered(12000, 8400), "JPEG", quality=90))
    assert opened.reduction == 4 and opened.image.shape == (2100, 3000, 3) and opened.size == (12000, 8400)
    assert corner_colours(opened.image) == UPRIGHT


def test_corners_return_to_full_size() -> None:
    opened = Photo(np.zeros((100, 100, 3), np.uint8), reduction=4, size=(400, 400))
    full = at_full_size(reading([read_tile(1, 2, at=(10, 20))], facedown=1, size=(100, 100)), opened)
    assert full.tiles[0].corners[1].tolist() == [41.5, 81.5]  # the middle of the 4x4 pixels that became (10, 20)
    assert full.size == (400, 400) and full.facedown[0].corners[1, 0] == 50 * 4 + 1.5


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP"])
def test_bombs_are_refused_before_decoding(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = stored(Image.new("1" if kind != "BMP" else "L", (10500, 9600)), kind)
    monkeypatch.setattr(Image.Image, "load", lambda self: pytest.fail("decoded"))
    with pytest.raises(PhotoError, match=f"10500x9600 pixels, too many for a {kind}"):
        load_photo(bomb)


def test_a_progressive_jpeg_is_bounded_by_what_its_decoder_keeps() -> None:
    with pytest.raises(PhotoError, match="too many for a progressive JPEG"):
        load_photo(stored(Image.new("RGB", (10500, 9600)), "JPEG", progressive=True))


def test_large_pictures_of_other_kinds_are_made_smaller() -> None:
    opened = load_photo(stored(quartered(7000, 5000), "PNG", compress_level=1))
    assert opened.reduction == 2 and opened.image.shape == (2500, 3500, 3)
    assert corner_colours(opened.image) == UPRIGHT


def test_files_of_too_many_bytes_are_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo, "LARGEST_FILE_BYTES", 2_000_000)
    path = tmp_path / "large.jpg"
    path.write_bytes(bytes(3_000_000))
    with pytest.raises(PhotoError, match="3 MB, more than 2"):
        load_photo(path)
