"""The look, the set, the table and the camera of a path-traced game, from a seed on which nothing is trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

import numpy as np

from simulator.faces import SetStyle
from simulator.noise import between
from simulator.staging.setting import Setting
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import TESTING_SEEDS, Look
from simulator.tabletop.traced import traceable

MEASURING_SEEDS = range(TESTING_SEEDS.stop, TESTING_SEEDS.stop + 1_000_000_000)
"""Of these games' looks: nothing is trained on them, and other tests draw others."""

AREAS: Mapping[str, tuple[float, float]] = {"packed": (470.0, 320.0), "line": (800.0, 590.0), "market": (680.0, 480.0)}
"""Each kind of game, and how wide and deep its play area is, mm; a table tag lies near each corner."""

SETS = ("ivory", "white", "black", "dark wood", "coloured")
TOPS = ("wood", "cloth", "dark", "bright", "printed")

BUMPED = (13.0, 7.5, float(np.radians(1.5)))
"""The camera's bump: 15 mm and a degree and a half."""

CARD_MM = 46.0
"""From the middle of a table tag's card to its corners."""

RIM_PX = 8
"""Cards lie so far inside the picture at least."""


def look_of(kind: str, seed: int) -> Look:
    """The set, the table and the lamps of a game."""
    made, top = SETS[seed % len(SETS)], TOPS[(2 * seed + seed // 5) % len(TOPS)]
    first = MEASURING_SEEDS[100_000 * (list(AREAS).index(kind) * 1000 + seed)]
    for number in count(first):
        look = Look.of(number)
        even = kind == "line" or 1.95 < look.style.length < 2.06  # else tiles across one another leave gaps
        if even and _made(look.style) == made and _covered(look, top):
            style = replace(look.style, bar="none", pin=0.0) if seed % 3 == 1 else look.style
            return replace(look, style=style)
    raise AssertionError("numbers do not end")


def _made(style: SetStyle) -> str:
    """Which kind of set it is; empty for those between."""
    low, high = float(style.body.min()), float(style.body.max())
    if style.grain == "wood":
        return "dark wood" if high < 0.5 else ""
    if high - low > 0.3:
        return "coloured"
    if high < 0.18:
        return "black"
    if low > 0.84:
        return "white"
    return "ivory" if high > 0.72 and high - low > 0.06 else ""


def _covered(look: Look, top: str) -> bool:
    """Whether a table is of that kind."""
    if top in ("wood", "cloth"):
        return look.covering == top
    if top == "printed":
        return look.covering == "print" and float(look.top.std()) > 20
    if look.covering not in (("wood", "felt", "laminate") if top == "dark" else ("cloth", "laminate")):
        return False
    return float(look.top.mean()) < 60 if top == "dark" else float(look.top.mean()) > 175


def camera_over(setting: Setting, rng: np.random.Generator) -> Camera:
    """A camera 80 to 100 cm above the table whose lens takes in all four tags, bumped or not, and hardly more."""
    tags = np.array([(tag.x + CARD_MM * np.cos(turn), tag.y + CARD_MM * np.sin(turn), 0.0)
                     for tag in setting.corners() for turn in np.linspace(0, 2 * np.pi, 12)])
    stands = Camera(1280, 720, height_mm=between(rng, 800, 1000), tilt=float(np.radians(between(rng, 0, 25))),
                    azimuth=float(np.pi / 2 + rng.normal(0, 0.06)), roll=float(rng.normal(0, 0.03)),
                    aim=(between(rng, -10, 10), between(rng, -10, 10)), blur_px=between(rng, 0.3, 0.8),
                    noise=0.0, jpeg=None)  # `held` adds them
    for field in np.arange(0.4, 2.0, 0.02):
        camera = traceable(replace(stands, field=float(field)))
        pixels = np.vstack([each.project(tags) for each in (camera, camera.bumped(*BUMPED))])
        if ((pixels > RIM_PX) & (pixels < (camera.width - RIM_PX, camera.height - RIM_PX))).all():
            return camera
    raise AssertionError("no lens is that wide")
