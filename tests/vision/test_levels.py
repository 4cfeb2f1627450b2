"""The network that tells tiles on two others from joints, on made-up tables whose looks it was never trained on."""

from dataclasses import replace

import numpy as np
import pytest

from simulator.piece_truth import profile_of
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import TESTING_SEEDS, Look
from simulator.tabletop.lying import Tabletop, Tile
from simulator.tabletop.render import Renderer
from trials.table import film
from vision.frame import Frame
from vision.reader import ALONE, BARE, UPON, Reader
from vision.rectify import ImagePyramid
from vision.sources.source import Health
from vision.table.watcher import TableWatcher

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
    on_bare, on_laid = reader.levels(ImagePyramid(bare), np.stack([joint, one])), reader.levels(ImagePyramid(laid), top[None])
    assert on_bare.argmax(axis=1).tolist() == [BARE, ALONE] and int(on_laid[0].argmax()) == UPON
    assert on_laid[0, UPON] - on_bare[0, UPON] > 0.5
    assert np.allclose(on_bare.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("seed", LOOKS[:2])
def test_a_tile_on_two_others_is_told_where_it_lies_however_slanting_the_camera_looks(seed: int) -> None:
    look, camera = Look.of(seed), replace(Camera(), tilt=0.7)
    length, high = look.length_mm, look.thick_mm
    pair = (Tile("2-3", -length / 2 - 0.3, 0.0, 0.0, (2, 3)), Tile("3-5", length / 2 + 0.3, 0.0, 0.0, (3, 5)))
    others = tuple(Tile(f"{k}-6", 70.0 * k - 140, 120.0, 0.0, (k, 6)) for k in range(5))
    upper = Tile("3-3", 0.4, 0.0, 0.0, (3, 3), level=1, z=high)
    renderer, noise = Renderer(camera, look), np.random.default_rng(seed)
    watcher = TableWatcher(Reader(threads=1), profile_of(camera, (-350, -300, 350, 300)))
    number = 0
    for table in ((*pair, *others), (*pair, *others, upper)):
        image, _ = renderer.shoot(Tabletop(table), number=number)
        for picture in film(image, noise):
            seen = watcher.see(Frame(picture, number / 10, number))
            number += 1
    (told,) = (tile for tile in seen.tiles if tile.under)
    lower = {tuple(sorted(tile.ends or ())): tile.center for tile in seen.tiles if not tile.under}
    middle = (np.array(lower[2, 3]) + lower[3, 5]) / 2
    assert np.linalg.norm(np.array(told.center) - middle) < 2.5
    assert [tile.center for tile in watcher.lost(99.0, Health("lost")).tiles] == [tile.center for tile in seen.tiles]


def test_of_no_places_nothing_is_said() -> None:
    pyramid = ImagePyramid(np.zeros((90, 90, 3), np.uint8))
    assert Reader(threads=1).levels(pyramid, np.zeros((0, 4, 2), np.float32)).shape == (0, 3)
