"""Opens any photo file: an upright picture ready for the reader, or one sentence that says why not.

What a file claims (bytes, pixels) is looked at before anything is decoded, so that no file can fill the memory.
"""

from __future__ import annotations

import importlib
import io
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, JpegImagePlugin, UnidentifiedImageError

from engine.words import say
from vision.reading import Reading

LARGEST_FILE_BYTES = 150_000_000
LARGEST_JPEG_PIXELS = 150_000_000
"""A plain JPEG can be decoded at a half, a quarter or an eighth, so it may be large."""

LARGEST_DECODED_PIXELS = 24_500_000
"""What the reader is given at most; larger photos are halved until they fit."""

DECODER_BYTES = 160_000_000
"""What the decoder of a picture may need for itself: with this, reading stays within 400 MB."""

DECODER_BYTES_PER_PIXEL: Mapping[str, int] = {"PNG": 4, "BMP": 4, "TIFF": 8, "GIF": 8, "WEBP": 13, "AVIF": 10, "HEIF": 5}
"""What decoding costs in formats that cannot be decoded reduced (measured)."""

CUT_OFF = say("The picture is cut off or damaged: copy the photo again.")
HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})

with suppress(ImportError):  # an extra: its own licence is BSD, that of libheif and libde265, which it brings, the LGPL
    importlib.import_module("pi_heif").register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)

# The bounds above take the place of Pillow's own, which would refuse a 100-megapixel JPEG or warn on stderr.
Image.MAX_IMAGE_PIXELS = None


class PhotoError(ValueError):
    """A file that is no readable photo; the text is one sentence for its owner, without the file's name."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A photo as its owner sees it.

    image: (H, W, 3) uint8 BGR, upright.
    reduction: pixels of the upright photo per pixel of `image`, along each side; 1 for all but very large photos.
    size: (width, height) of the upright photo in pixels.
    """

    image: NDArray[np.uint8]
    reduction: int
    size: tuple[int, int]


def load_photo(source: Path | bytes) -> Photo:
    """The photo in a file or in bytes; PhotoError where there is none."""
    with _open_file(source) as file:
        if not (_is_heic(file) and _opens("HEIF")):
            return _photo_in(file)
        with ProcessPoolExecutor(1, get_context("spawn")) as apart:  # some that are damaged end the process that opens them
            try:
                return apart.submit(_photo_in, io.BytesIO(file.read())).result()
            except BrokenProcessPool as error:
                raise PhotoError(CUT_OFF) from error


def _photo_in(file: IO[bytes]) -> Photo:
    try:
        with Image.open(file, formats=[kind for kind in ("JPEG", *DECODER_BYTES_PER_PIXEL) if _opens(kind)]) as image:
            return _decode(image)
    except PhotoError:
        raise
    except UnidentifiedImageError as error:
        raise PhotoError(_what_it_is_instead(file)) from error
    except MemoryError as error:
        raise PhotoError(say("There is not enough memory to open this picture: make it smaller.")) from error
    except Exception as error:  # damaged files make the decoders raise errors of many kinds
        raise PhotoError(_damage(error)) from error


def at_full_size(reading: Reading, photo: Photo) -> Reading:
    """A reading of `photo.image` in pixels of the whole upright photo."""
    if photo.reduction == 1:
        return reading

    def enlarged(corners: NDArray[np.float32]) -> NDArray[np.float32]:
        # pixel centres lie at whole numbers, so the middle of a reduced pixel is not at a multiple
        return corners * np.float32(photo.reduction) + np.float32((photo.reduction - 1) / 2)

    return replace(
        reading, size=photo.size,
        tiles=tuple(replace(tile, corners=enlarged(tile.corners)) for tile in reading.tiles),
        facedown=tuple(replace(tile, corners=enlarged(tile.corners)) for tile in reading.facedown),
        pieces=tuple(replace(piece, center=enlarged(piece.center), radius=piece.radius * photo.reduction)
                     for piece in reading.pieces))


def _opens(kind: str) -> bool:
    """Whether pictures of that kind can be opened here."""
    Image.init()
    return kind in Image.OPEN


def _open_file(source: Path | bytes) -> IO[bytes]:
    if isinstance(source, bytes):
        _check_bytes(len(source))
        return io.BytesIO(source)
    try:
        if source.is_dir():
            raise PhotoError(say("This is a folder, not a photo: name the photos in it."))
        if not source.exists():
            raise PhotoError(say("There is no such file: check its name and folder."))
        if not source.is_file():  # a pipe or a device has no size, and may never end
            raise PhotoError(say("This is not an ordinary file: name a photo."))
        _check_bytes(source.stat().st_size)
        return source.open("rb")
    except (OSError, ValueError) as error:
        if isinstance(error, PhotoError):
            raise
        raise PhotoError(say("The file cannot be opened ({error}).", error=error)) from error


def _check_bytes(count: int) -> None:
    if count == 0:
        raise PhotoError(say("The file is empty (0 bytes): copy the photo again."))
    if count > LARGEST_FILE_BYTES:
        megabytes, limit = count // 1_000_000, LARGEST_FILE_BYTES // 1_000_000
        raise PhotoError(say("The file has {megabytes} MB, more than {limit}: save the photo smaller, as JPEG.",
                             megabytes=megabytes, limit=limit))


def _decode(image: Image.Image) -> Photo:
    width, height = image.size
    if min(width, height) < 24:  # two halves of a tile at the reader's smallest scale
        raise PhotoError(say("The picture has only {width}x{height} pixels: no tile can be read in it.", width=width,
                             height=height))
    _check_pixels(image)
    reduction = 1
    while width * height > LARGEST_DECODED_PIXELS * reduction**2:
        reduction *= 2
    if isinstance(image, JpegImagePlugin.JpegImageFile):
        image.draft(None, (width // reduction, height // reduction))
    by_decoder = round(width / image.size[0])
    orientation = _orientation(image)
    pixels = _pixels(image, orientation, reduction // by_decoder)
    return Photo(pixels, reduction, (height, width) if orientation > 4 else (width, height))


def _check_pixels(image: Image.Image) -> None:
    width, height = image.size
    if isinstance(image, JpegImagePlugin.JpegImageFile):
        kind = say("progressive JPEG")
        too_large = width * height > LARGEST_JPEG_PIXELS or _coefficient_bytes(image) > DECODER_BYTES
    else:
        kind = image.format or "TIFF"
        too_large = width * height * DECODER_BYTES_PER_PIXEL[kind] > DECODER_BYTES
    if too_large:
        raise PhotoError(say("The picture has {width}x{height} pixels, too many for a {kind}: save it smaller, as a plain JPEG.",
                             width=width, height=height, kind=kind))


def _coefficient_bytes(image: JpegImagePlugin.JpegImageFile) -> float:
    """What a progressive JPEG keeps in memory until its last scan: two bytes per sample of each component."""
    if not image.info.get("progressive"):
        return 0
    sampling = [(across, down) for _, across, down, _ in image.layer]
    widest = max(across for across, _ in sampling) * max(down for _, down in sampling)
    return 2 * image.width * image.height * sum(across * down for across, down in sampling) / widest


def _orientation(image: Image.Image) -> int:
    """EXIF orientation 1 to 8 (TIFF 6.0, tag 274); from 5 on rows and columns are exchanged."""
    try:
        orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    except Exception:  # a damaged EXIF block says nothing about the picture
        return 1
    return orientation if orientation in range(1, 9) else 1


def _pixels(image: Image.Image, orientation: int, reduction: int) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 BGR, upright, made smaller by a whole number along each side."""
    image.load()
    width, height = (-(-side // reduction) for side in image.size)
    bgr = np.empty((height, width, 3), np.uint8)
    rows = 256
    for top in range(0, height, rows):  # by strips: converting the whole at once would take its size three times
        strip = image.crop((0, top * reduction, image.width, min((top + rows) * reduction, image.height)))
        bgr[top : top + rows] = np.asarray(_rgb(strip, reduction))[..., ::-1]
    return _upright(bgr, orientation)


def _rgb(strip: Image.Image, reduction: int) -> Image.Image:
    """The strip in plain colours, transparent pixels on grey, made smaller."""
    if strip.mode.startswith("I"):  # 16 bits a sample
        samples = np.asarray(strip)
        strip = Image.fromarray((np.clip(samples, 0, 65535) // 257).astype(np.uint8))
    if strip.has_transparency_data:
        ground = Image.new("RGBA", strip.size, "#808080")  # ivory tiles and black tiles both stand out from it
        strip = Image.alpha_composite(ground, strip.convert("RGBA"))
    strip = strip.convert("RGB")
    return strip.reduce(reduction) if reduction > 1 else strip


def _upright(bgr: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    if orientation > 4:
        bgr = bgr.transpose(1, 0, 2)
    if orientation in (3, 4, 7, 8):
        bgr = bgr[::-1]
    if orientation in (2, 3, 6, 7):
        bgr = bgr[:, ::-1]
    return np.ascontiguousarray(bgr)


def _is_heic(file: IO[bytes]) -> bool:
    """Whether it says that it is one; it is read from its beginning afterwards."""
    file.seek(0)
    head = file.read(12)
    file.seek(0)
    return head[4:8] == b"ftyp" and head[8:12] in HEIC_BRANDS


def _what_it_is_instead(file: IO[bytes]) -> str:
    heic, head = _is_heic(file), file.read(64)
    if heic and not _opens("HEIF"):
        return say("This is a HEIC photo, which needs pi-heif to be installed; or share it as JPEG (iPhone: Most Compatible).")
    if head[4:8] == b"ftyp" and not heic:
        return say("This is a video, not a photo: take a picture of the tiles instead.")
    if heic or head.startswith((b"\xff\xd8\xff", b"\x89PNG", b"RIFF")):
        return CUT_OFF
    return say("This is not a picture: choose a photo (JPEG, PNG, WebP).")


def _damage(error: Exception) -> str:
    if "truncated" in str(error).lower():
        return say("The picture is cut off, the file ends too early: copy the photo again.")
    return say("The picture is damaged and cannot be opened ({error}): copy the photo again.", error=type(error).__name__)
