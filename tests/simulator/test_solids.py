"""The skins of tiles and things: closed, looking outwards, dented where pips are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simulator.faces import set_style
from simulator.solids import Cut, Solid, face_relief, joined, limb, slab, turned


def _volume(solid: Solid) -> float:
    a, b, c = (solid.points[solid.faces[:, k]] for k in range(3))
    return float((np.cross(a, b) * c).sum() / 6)


def test_a_sharp_block_holds_length_times_width_times_thickness() -> None:
    solid, _ = joined([slab(2.0, 0.0, 0.0, 0.4, 10)])
    assert _volume(solid) == pytest.approx(0.8, rel=0.01)


def test_rounding_takes_a_little_off() -> None:
    sharp, round_ = (
        _volume(joined([slab(2.0, corner, bevel, 0.4, 10)])[0]) for corner, bevel in ((0, 0), (0.2, 0.1))
    )
    assert 0.9 * sharp < round_ < 0.98 * sharp


@pytest.mark.parametrize(
    "solid",
    [
        slab(2.0, 0.2, 0.08, 0.4, 12),
        turned([(0, 1), (1, 1), (1, 0)]),
        limb(np.zeros(3), np.array([1.0, 2, 3]), 0.3),
    ],
)
def test_every_point_of_a_skin_looks_outwards(solid: Solid) -> None:
    whole, _ = joined([solid])
    corners = whole.points[whole.faces]
    wound = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facing = (wound * (corners.mean(axis=1) - whole.points.mean(axis=0))).sum(axis=1)
    assert (facing >= -1e-9).mean() > 0.99
    assert np.allclose(np.linalg.norm(whole.normals, axis=1), 1)


def test_joined_faces_know_their_solid() -> None:
    first, second = slab(2, 0.1, 0.05, 0.4, 4), slab(1, 0.1, 0.05, 1, 4)
    whole, owner = joined([first, second.moved((10, 0, 0), np.eye(3))])
    assert (whole.points[whole.faces[owner == 1]][..., 0] > 8).all()
    assert (owner == 0).sum() == len(first.faces)


def test_drilled_pips_are_dents_where_the_paint_is() -> None:
    style = replace(
        set_style(np.random.default_rng(1), 6), bar="none", pin=0.0, pip_radius=0.1, spread=0.25, length=2.0
    )
    relief = face_relief(style, (1, 0), Cut(0.5, 0.0, 0.0, 0.0), np.random.default_rng(1))
    height, _, _ = relief(np.array([-0.5, -0.5, 0.5]), np.array([0.0, 0.2, 0.0]))
    assert height[0] == pytest.approx(-0.052)
    assert height[1] == height[2] == 0
