"""How quick the table is read on this machine: whole, after one change, and while nothing happens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Lens, Profile
from referee.session import Session
from vision.frame import Frame
from vision.observation import TableState
from vision.reader import Reader
from vision.rectify import ImagePyramid
from vision.table.sight import RectifiedView

Image = NDArray[np.uint8]

SIDE_MM = 900.0
TILES = 28
FPS = 10.0
SEED = 2_000_000_028
PAUSE_S = 0.05


@dataclass(frozen=True, slots=True)
class TableTiming:
    """Medians in milliseconds. full: a 90 x 90 cm table in a 1080p picture read whole. change: everything that is done
    from a laid tile at rest to its place in the tracks. idle: of processor time for one frame in which nothing happens.
    """

    full_ms: float
    change_ms: float
    idle_ms: float
    reference_ms: float
    tiles_read: int

    @property
    def full_ratio(self) -> float:
        return self.full_ms / self.reference_ms

    @property
    def change_ratio(self) -> float:
        return self.change_ms / self.full_ms

    @property
    def idle_core_share(self) -> float:
        """Of one core, at ten frames a second."""
        return self.idle_ms * FPS / 1000

    def as_object(self) -> dict[str, float]:
        """The table's part of `kibitz bench --json`."""
        return {
            "table_full_ratio": round(self.full_ratio, 3), "table_change_ratio": round(self.change_ratio, 3),
            "idle_core_share": round(self.idle_core_share, 4), "table_full_ms": round(self.full_ms, 2),
            "table_change_ms": round(self.change_ms, 2), "table_reference_ms": round(self.reference_ms, 2),
        }  # fmt: skip

    def as_text(self) -> list[str]:
        """The same for reading."""
        return [
            f"2 threads: a table of 90 x 90 cm with {TILES - 1} tiles ({self.tiles_read} read), 1920x1080",
            f"  {'read whole':<20}{self.full_ms:>8.1f} ms",
            f"  {'reference':<20}{self.reference_ms:>8.1f} ms",
            f"  {'ratio':<20}{self.full_ratio:>8.2f}",
            f"  {'one tile laid':<20}{self.change_ms:>8.1f} ms, {100 * self.change_ratio:.0f} % of it",
            f"  at rest{'':<12}{self.idle_ms:>8.1f} ms a frame, {100 * self.idle_core_share:.1f} % of a core at 10 frames/s",
        ]


def time_table(reader: Reader, run_reference: Callable[[], object], runs: int = 9) -> TableTiming:
    """Times the reader on a made-up table, in turn with the reference."""
    profile, before, after = _table()
    sight = RectifiedView(profile)
    full, change, idle, reference = [], [], [], []
    read = 0
    run_reference()
    for run in range(runs):
        read = sum(each.score > 0.7 for each in sight.look(reader, ImagePyramid(before), None)[0])  # lays out memory, too
        start = time.perf_counter()
        sight.look(reader, ImagePyramid(before), None)
        full.append(1000 * (time.perf_counter() - start))
        time.sleep(PAUSE_S)
        start = time.perf_counter()
        run_reference()
        reference.append(1000 * (time.perf_counter() - start))
        time.sleep(PAUSE_S)
        changed_ms, idle_ms = _change_and_idle(reader, profile, before, after, run)
        change.append(changed_ms)
        idle.append(idle_ms)
    return TableTiming(median(full), median(change), median(idle), median(reference), read)


def _change_and_idle(reader: Reader, profile: Profile, before: Image, after: Image, seed: int) -> tuple[float, float]:
    session = Session(reader, profile=profile)
    noise = np.random.default_rng(seed)
    frames = [[_noisy(image, noise) for _ in range(3)] for image in (before, after)]
    quiet: list[float] = []
    busy, lying = 0.0, 0
    for number, image in enumerate((0,) * 14 + (1,) * 10):
        frame = Frame(frames[image][number % 3], number / FPS, number)
        start, processor = time.perf_counter(), time.process_time()
        seen = session.see(frame)
        took, processor = 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - processor)
        if image == 0 and number >= 9:
            quiet.append(processor)
        if image == 1 and (len(seen.tiles) != lying or seen.state is TableState.READING):
            busy += took
        lying = len(seen.tiles)
    return busy, float(np.mean(quiet))


def _noisy(image: Image, noise: np.random.Generator) -> Image:
    """What a sensor adds."""
    grain = noise.normal(0, 1.5, image.shape[:2]).astype(np.int16)
    return np.asarray(np.clip(image.astype(np.int16) + grain[..., None], 0, 255), np.uint8)


def _table() -> tuple[Profile, Image, Image]:
    """A calibration and two pictures: 27 tiles of a double-six set in rows, and one more laid."""
    from simulator.tabletop.camera import Camera  # a bench of photos alone needs no tables
    from simulator.tabletop.look import Look
    from simulator.tabletop.lying import Tabletop, Tile
    from simulator.tabletop.render import Renderer

    look = Look.of(SEED)
    camera = Camera()
    pairs = [(low, high) for low in range(7) for high in range(low, 7)][:TILES]
    tiles = [Tile(f"{low}-{high}", 110.0 * (at % 7 - 3), 150.0 * (at // 7 - 1.5), 0.3 * at, (low, high))
             for at, (low, high) in enumerate(pairs)]
    renderer = Renderer(camera, look)
    before, _ = renderer.shoot(Tabletop(tuple(tiles[:-1])), number=0)
    after, _ = renderer.shoot(Tabletop(tuple(tiles)), number=1)
    half = SIDE_MM / 2
    grid = np.array([(x, y) for x in np.linspace(-half, half, 5) for y in np.linspace(-half, half, 5)])
    lens = Lens(camera.matrix, camera.distortion)
    pixels = camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    homography, _ = cv2.findHomography(lens.straight(pixels), grid)
    area = (-half, -half, half, half)
    return Profile((camera.width, camera.height), np.asarray(homography, np.float64), area, "tags", 0.0, lens), before, after
