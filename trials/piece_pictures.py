"""How well pieces are read on made-up tables that no network has seen: with the common editions' knowledge, and with a
set that was learnt from a showing on the same table. The definitions of all figures stand here.

A piece counts where at least `SEEN` of it can be seen. It is right where something of its kind was found at its foot and
its most likely label is the true one: of a coin the suit or the value, whichever side lies up; of a die suit and value;
of a pawn the suit; of a chip the colour. What was found where nothing stands is false.

All count, those too that nobody could read: the camera may burn out white pieces on a dark table until nothing is left of
their marks. Groups by the contrast of their faces tell how many these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from simulator.noise import between
from simulator.piece_tables import game_table, showing_table
from simulator.piece_truth import Wanted, profile_of, sold, wanted
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.look import Look as TableLook
from simulator.tabletop.lying import Tabletop
from simulator.tabletop.render import Image, Renderer
from simulator.tabletop.truth import Truth
from vision.exposure import SETTLES_S, Metering, whiteness
from vision.piece_crops import contrast_of
from vision.piece_sets import COMMON, Doubt, Label, Look, PieceSet, doubts, learn
from vision.pieces import FoundPiece, PieceReader, upper_faces
from vision.showing import SHOWN

Array = NDArray[np.float64]

SEEN = 0.8
SHOWINGS, GAMES = 2, 2
"""Pictures of each table from which its set is learnt, and pictures that are then read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One piece that had to be read. pixels: across its upper face. contrast: of that, see `contrast_of`.
    default, learnt: labels read, `-` where none was.

    edition: the set's name; `random` with usual or own marks where it is none that is sold.
    """

    table: int
    edition: str
    kind: str
    label: str
    pixels: float
    contrast: float
    default: str
    learnt: str


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything that was measured. false: finds where nothing stands, by the default and the learnt set."""

    readings: tuple[Reading, ...]
    false: tuple[int, int]
    pictures: int
    doubts: tuple[Doubt, ...]


def test_camera(rng: np.random.Generator) -> Camera:
    """A 1080p camera 90 cm over the table, up to 35 degrees oblique."""
    tilt = between(rng, 0, np.radians(35))
    return Camera(
        tilt=tilt, azimuth=between(rng, 0, 2 * np.pi), roll=between(rng, -0.1, 0.1), jpeg=int(between(rng, 80, 96))
    )


def _match(every: Sequence[Wanted], found: Sequence[FoundPiece]) -> list[FoundPiece | None]:
    """For each piece what was found at its foot."""
    feet = np.array([piece.center for piece in found]).reshape(-1, 2)
    out: list[FoundPiece | None] = []
    for piece in every:
        far = np.linalg.norm(feet - piece.foot, axis=1)
        near = int(far.argmin()) if len(far) else -1
        out.append(found[near] if near >= 0 and far[near] < 0.75 * piece.radius + 2 else None)
    return out


def _false(truth: Truth, look: TableLook, profile: Profile, found: Sequence[FoundPiece]) -> int:
    """How many finds stand where no piece does, not even a half hidden one."""
    there = list(wanted(truth, look, profile, 0.05))
    return sum(
        all(np.linalg.norm(np.array(piece.center) - each.foot) > 0.9 * each.radius + 2 for each in there) for piece in found
    )  # fmt: skip


def measure(reader: PieceReader, tables: int, seed: int = 0) -> Figures:
    """Read the made-up tables of testing seeds `seed`, `seed + 1` and so on."""
    readings: list[Reading] = []
    false, told = [0, 0], list[Doubt]()
    for table in range(tables):
        number = TESTING_SEEDS[seed + table]
        look, rng = _look(number, table), np.random.default_rng([number, 7])
        camera = test_camera(rng)
        profile, renderer = profile_of(camera), Renderer(camera, look)
        own = shown_set(reader, profile, renderer, look, rng)
        check: list[tuple[Label, str]] = []
        for k in range(GAMES):
            image, truth = exposed_shot(reader, renderer, game_table(look, rng), profile, 10 + k)
            laid = list(wanted(truth, look, profile, SEEN))
            reads = [reader.read(image, profile, pieces) for pieces in (COMMON, own)]
            matched = [_match(laid, found) for found in reads]
            for piece, default, learnt in zip(laid, *matched, strict=True):
                kind, label = piece.label
                by_default, by_showing = _named(default, kind), _named(learnt, kind)
                seen = (piece.pixels, contrast_of(image, piece.face, piece.pixels))
                readings.append(Reading(table, _edition_name(look), kind, label, *seen, by_default, by_showing))
                check.append((piece.label, by_showing))
            for which, found in enumerate(reads):
                false[which] += _false(truth, look, profile, found)
        told += doubts(check)
    return Figures(tuple(readings), (false[0], false[1]), tables * GAMES, tuple(told))


def _look(number: int, table: int) -> TableLook:
    """The look of a testing seed; every second table has one of the editions that are sold."""
    look = TableLook.of(number)
    if table % 2 == 0:
        sold(look, table // 2)
    return look


def _edition_name(look: TableLook) -> str:
    if look.edition.name != "random":
        return look.edition.name
    return "random, usual marks" if look.edition.canonical else "random, own marks"


def _named(found: FoundPiece | None, kind: str) -> str:
    """The label read, or the kind in brackets where another kind was seen, or a dash."""
    if found is None:
        return "-"
    return found.label if found.kind == kind else f"({found.kind})"


def shown_set(
    reader: PieceReader, profile: Profile, renderer: Renderer, look: TableLook, rng: np.random.Generator
) -> PieceSet:
    """The table's set, learnt from showings on it."""
    looks: list[Look] = []
    for k in range(SHOWINGS):
        image, truth = exposed_shot(reader, renderer, showing_table(look, rng), profile, k)
        laid = list(wanted(truth, look, profile, SEEN))
        for piece, found in zip(laid, _match(laid, reader.read(image, profile, least=SHOWN)), strict=True):
            if found is not None:
                looks.append(Look(piece.label, found.traits, found.radius, found.label))
    return learn("shown", looks, look.edition.chips, reader.version)


def exposed_shot(
    reader: PieceReader, renderer: Renderer, table: Tabletop, profile: Profile, number: int
) -> tuple[Image, Truth]:
    """A picture of a table after its camera was asked to take as much light as the pieces bear that are found in it."""
    metering = Metering()
    for looks in count():
        renderer.stops = stops = metering.stops
        image, truth = renderer.shoot(table, number=number)
        white = whiteness(image, upper_faces(reader.read(image, profile, least=SHOWN), profile))
        metering.measured(white, looks * SETTLES_S)
        if metering.stops == stops:
            break
    return image, truth


def summary(figures: Figures) -> dict[str, Any]:
    """Shares of right readings: of all, by kind, by edition, by pixel size; the commonest mistakes."""
    groups: dict[str, list[Reading]] = {"all": list(figures.readings)}
    for reading in figures.readings:
        side = reading.label.split(":")[0] if reading.kind == "coin" else ""
        bins = next(edge for edge in (12, 16, 20, 25, 32, 1000) if reading.pixels < edge)
        levels = next(edge for edge in (25, 50, 100, 256) if reading.contrast < edge)
        for name in (f"kind: {reading.kind} {side}".strip(), f"edition: {reading.edition}", f"pixels below {bins}",
                     f"contrast below {levels}"):  # fmt: skip
            groups.setdefault(name, []).append(reading)
    shares = {
        name: {
            "pieces": len(of),
            "default": round(sum(r.default == r.label for r in of) / len(of), 4),
            "learnt": round(sum(r.learnt == r.label for r in of) / len(of), 4),
            "missed": sum(r.learnt == "-" for r in of),
        }
        for name, of in sorted(groups.items())
        if of
    }
    mistakes: dict[str, int] = {}
    for reading in figures.readings:
        if reading.learnt != reading.label:
            key = f"{reading.kind} {reading.label} as {reading.learnt}"
            mistakes[key] = mistakes.get(key, 0) + 1
    worst = dict(sorted(mistakes.items(), key=lambda item: -item[1])[:25])
    return {
        "pictures": figures.pictures,
        "groups": shares,
        "false_default": figures.false[0],
        "false_learnt": figures.false[1],
        "mistakes": worst,
    }
