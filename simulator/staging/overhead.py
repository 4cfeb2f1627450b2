"""Where people put the camera up: over the whole of the table."""

from __future__ import annotations

import numpy as np

from simulator.staging.setting import Setting
from simulator.tabletop.camera import Camera

RIM_PX = 40
"""The middle of a table tag is so far inside the picture at least."""


FROM_ABOVE = (0.0, 0.45)
"""How far people usually lean the camera, radians from the vertical."""

FROM_THE_SIDE = (0.5, 0.75)
"""And where there is no other place for it."""


def whole_view(setting: Setting, rng: np.random.Generator, leaning: tuple[float, float] = FROM_ABOVE) -> Camera:
    """A camera about 90 cm above the table, as people put it up: it sees all four table tags."""
    tags = np.array([(thing.x, thing.y, 0.0) for thing in setting.corners()])
    while True:
        camera = Camera(height_mm=float(rng.uniform(850, 1000)), tilt=float(rng.uniform(*leaning)),
                        azimuth=float(np.pi / 2 + rng.normal(0, 0.1)), roll=float(rng.normal(0, 0.05)),
                        aim=(0.0, float(rng.uniform(-40, 120))), k1=float(rng.uniform(-0.06, 0.03)))
        pixels = camera.project(tags)
        if ((pixels > RIM_PX) & (pixels < (camera.width - RIM_PX, camera.height - RIM_PX))).all():
            return camera
