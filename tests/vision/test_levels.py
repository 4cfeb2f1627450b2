"""The network that tells tiles on two others from joints, on made-up tables whose looks it was never trained on."""

from dataclasses import replace

import numpy as np
import pytest

from vision.reader import ALONE, BARE, UPON, Reader
from vision.straighten import Album
from vision.synthetic.tabletop.camera import Camera
from vision.synthetic.tabletop.look import TESTING_SEEDS, Look
from vision.synthetic.tabletop.lying import Tabletop, Tile
from vision.synthetic.tabletop.render import Renderer

LOOKS = tuple(TESTING_SEEDS[7000 + at] for at in range(6))


@pytest.mark.parametrize("seed", LOOKS)
def test_a_tile_on_two_others_is_told_from_their_joint_and_from_one_on_the_table(seed: int) -> None:
    look, reader = Look.of(seed), Reader(threads=1)
    camera = replace(Camera(), tilt=0.2)
    length, high = look.length_mm, look.thick_mm
    pair = (Tile("2-3", -length / 2 - 0.3, 0.0, 0.0, (2, 3)), Tile("3-5", length / 2 + 0.3, 0.0, 0.0, (3, 5)))
    renderer = Renderer(camera, look)
    bare, truth = renderer.shoot(Tabletop(pair))
    laid, upper = renderer.shoot(Tabletop((*pair, Tile("3-3", 0.5, 0.8, 0.02, (3, 3), level=1, z=high))), number=1)
    top, one = upper.of("3-3").outline.astype(np.float32), truth.of("2-3").outline.astype(np.float32)
    first, second = truth.of("2-3").outline, truth.of("3-5").outline
    joint = np.stack([(first[0] + first[3]) / 2, (first[1] + first[2]) / 2, (second[1] + second[2]) / 2,
                      (second[0] + second[3]) / 2]).astype(np.float32)  # fmt: skip
    on_bare, on_laid = reader.levels(Album(bare), np.stack([joint, one])), reader.levels(Album(laid), top[None])
    assert on_bare.argmax(axis=1).tolist() == [BARE, ALONE] and int(on_laid[0].argmax()) == UPON
    assert on_laid[0, UPON] - on_bare[0, UPON] > 0.5
    assert np.allclose(on_bare.sum(axis=1), 1, atol=1e-5)


def test_of_no_places_nothing_is_said() -> None:
    assert Reader(threads=1).levels(Album(np.zeros((90, 90, 3), np.uint8)), np.zeros((0, 4, 2), np.float32)).shape == (0, 3)
