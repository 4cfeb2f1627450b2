"""The commands of calibration: print, calibrate, measure-calibration."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.common import TABLE_SEED, Finite

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calibration.health import Health
    from calibration.profile import Profile
    from vision.reading import Reading

    Image = NDArray[np.uint8]

# What draws, looks and measures is imported by the commands that need it.

FRAMES = 30
"""So many frames of a camera or video are looked at before giving up."""

WAIT_S = 2.0
"""How long one frame is waited for."""

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


@click.command("print")
@click.argument("sheet", type=click.Choice(["tags", "market", "dicebox", "all"]))
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Where the PDF goes.  [default: kibitz-SHEET.pdf]",
)  # fmt: skip
@click.option("--paper", type=click.Choice(["A4", "Letter", "both"], case_sensitive=False), default="both", show_default=True)
def print_sheets(sheet: str, output: Path | None, paper: str) -> None:
    """Make the PDF of the table tags, the Euronimoes market or the Dominoids dice box. Print it at 100 %."""
    from calibration.printing import PAPERS, SHEETS, pdf

    output = output or Path(f"kibitz-{sheet}.pdf")
    sheets = SHEETS if sheet == "all" else (sheet,)
    papers = tuple(PAPERS) if paper == "both" else tuple(name for name in PAPERS if name.lower() == paper.lower())
    try:
        output.write_bytes(pdf(sheets, papers))
    except OSError as error:
        raise click.ClickException(f"The PDF cannot be written: {error}") from error
    pages = f"{len(sheets)} for {papers[0]} paper" + (f", then {len(sheets)} for {papers[1]}" if len(papers) > 1 else "")
    click.echo(f"{click.format_filename(output)}: {pages}.")
    click.echo("Print the pages of your paper at 100 % (actual size) and check that the bar is 100 mm long.")


@click.command()
@click.option(
    "--camera", "source", required=True, metavar="SOURCE", help="A camera's number, an address, a video, a folder or a picture."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Store the profile here (JSON).")
@click.option(
    "--overlay", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Draw the table's grid and its pixels per millimetre over the picture.",
)  # fmt: skip
@click.option("--tile", "tile_mm", type=Finite(20, 120), metavar="MM", help="Measure by the dominoes, each so long.")
@click.option(
    "--corners", metavar="'X,Y X,Y X,Y X,Y'",
    help="Measure by a rectangle's corners, in pixels, from the upper left one, clockwise.",
)  # fmt: skip
@click.option("--width", "width_mm", type=float, metavar="MM", help="Length of the upper side of that rectangle.")
@click.option("--height", "height_mm", type=float, metavar="MM", help="Length of its left side.")
def calibrate(
    source: str, out: Path | None, overlay: Path | None, tile_mm: float | None, corners: str | None,
    width_mm: float | None, height_mm: float | None,
) -> None:  # fmt: skip
    """Find out where the camera stands over the table, by the tags or the mat that lie on it."""
    from calibration.fit import CalibrationError
    from calibration.health import health
    from calibration.store import save

    marked = _corners(corners) if corners else None
    reason, image, profile = "The source shows no picture.", None, None
    for image in _frames(source):
        try:
            profile = _measured(image, tile_mm, marked, width_mm, height_mm)
            break
        except CalibrationError as error:
            reason = str(error)
    if image is None or profile is None:
        raise click.ClickException(reason)
    found = health(image, profile, tile_mm or 48.0)
    click.echo("\n".join(_told(profile, found)))
    try:
        if out is not None:
            save(profile, out)
            click.echo(f"stored in {click.format_filename(out)}")
        if overlay is not None:
            from calibration.drawing import draw_profile
            from vision.drawing import write_picture

            write_picture(draw_profile(image, profile, tile_mm or 48.0), overlay)
            click.echo(f"drawn in {click.format_filename(overlay)}")
    except OSError as error:
        raise click.ClickException(f"That file cannot be written: {error}") from error


def _measured(image: Image, tile_mm: float | None, corners: Any, width_mm: float | None, height_mm: float | None) -> Profile:
    import numpy as np

    from calibration.dominoes import from_tiles
    from calibration.measure import calibrate as by_print
    from calibration.measure import from_corners

    size = (image.shape[1], image.shape[0])
    if corners is not None:
        return from_corners(corners, size, width_mm, height_mm)
    if tile_mm is not None:
        reading = _reader_of_tiles()(image)
        quads = np.array([tile.corners for tile in reading.tiles], np.float64).reshape(-1, 4, 2)
        return from_tiles(quads, size, tile_mm, image=image, ends=[tile.ends for tile in reading.tiles])
    return by_print(image)


def _corners(text: str) -> Any:
    import numpy as np

    try:
        return np.array([[float(v) for v in pair.split(",")] for pair in text.split()], np.float64).reshape(4, 2)
    except ValueError as error:
        raise click.BadParameter("four pairs are needed: x,y x,y x,y x,y", param_hint="--corners") from error


def _frames(source: str) -> Iterator[Image]:
    """Pictures of the source, at most FRAMES. Raises click.ClickException where it cannot be opened."""
    from simulator.opening import open_source
    from vision.photo import PhotoError, load_photo

    path = Path(source)
    if path.suffix.lower() in PICTURES and path.is_file():
        try:
            yield load_photo(path).image
        except PhotoError as error:
            raise click.ClickException(f"{click.format_filename(path)}: {error}") from error
        return
    opened = open_source(source)
    try:
        for _ in range(FRAMES):
            frame = opened.next(WAIT_S)
            if frame is not None:
                yield frame.image
            elif opened.health().ended or opened.health().lost:
                return
    finally:
        opened.close()


KINDS = ("tags", "wrong-tags", "tiles", "wrong-tiles", "bumps")
"""What is measured: tables with tags, and with something wrong about them; with dominoes, likewise; bumps."""

METHODS = {"tags": "the table tags", "mat": "a printed mat", "tiles": "the dominoes", "corners": "the given corners"}


def _told(profile: Profile, found: Health) -> list[str]:
    """What was found, in plain words."""
    x0, y0, x1, y1 = profile.area
    lines = [
        f"Measured by {METHODS[profile.method]}: the play area is {(x1 - x0) / 10:.0f} x {(y1 - y0) / 10:.0f} cm.",
        f"What was found lies within {profile.error_mm:.2f} mm of where it should (root mean square).",
        f"At the worst place a millimetre is {found.scale:.2f} pixels and a pip {found.pip_px:.1f} pixels wide.",
        f"Light {100 * found.light:.0f} %, glare on {100 * found.glare:.1f} % of it, sharpness {100 * found.sharpness:.0f} %.",
    ]
    return lines + list(profile.notes) + list(found.advice or ("Nothing needs to be changed.",))


@click.command("measure-calibration")
@click.option("--setups", type=click.IntRange(1), default=200, show_default=True, help="Made-up tables of each kind.")
@click.option("--seed", type=TABLE_SEED, default=0, show_default=True, help="The first table's number.")
@click.option(
    "--only", type=click.Choice(KINDS), multiple=True,
    help="Just these kinds.  [default: all]",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every figure.")
def measure_calibration(setups: int, seed: int, only: Sequence[str], as_json: bool) -> None:
    """Measure calibration and the bump check on made-up tables whose truth is known."""
    from simulator.bumps import bump_trial, summary_of_bumps
    from trials import calibration as trials

    told: dict[str, Any] = {"setups": setups, "seed": seed}
    read = _reader_of_tiles() if not only or {"tiles", "wrong-tiles"} & set(only) else None
    for kind in only or KINDS:
        with click.progressbar(range(seed, seed + setups), label=kind, file=sys.stderr) as steps:
            if kind == "bumps":
                told[kind] = summary_of_bumps([bump_trial(each) for each in steps])
            elif kind == "tags":
                told[kind] = trials.summary([trials.tag_trial(each) for each in steps])
            elif kind == "wrong-tags":
                amiss = trials.WRONG_TAGS
                told[kind] = trials.summary([trials.tag_trial(each, amiss[each % len(amiss)]) for each in steps])
            elif read is not None:
                wrong = trials.WRONG_TILES if kind == "wrong-tiles" else ("",)
                told[kind] = trials.summary([trials.tile_trial(each, read, wrong[each % len(wrong)]) for each in steps])
        if not as_json:
            click.echo(f"{kind}: " + ", ".join(f"{name} {value}" for name, value in told[kind].items()))
    if as_json:
        click.echo(json.dumps(told))


def _reader_of_tiles() -> Callable[[Image], Reading]:
    from vision.photo_reader import PhotoReader
    from vision.reader import Reader

    return PhotoReader(Reader()).read


COMMANDS = (calibrate, measure_calibration, print_sheets)
