"""Pictures as the networks take them."""

import numpy as np

from vision.blocks import in_blocks


def test_a_block_holds_its_upper_two_pixels_and_then_its_lower_two() -> None:
    pictures = np.random.default_rng(0).integers(0, 256, (2, 6, 8, 3), np.uint8)
    blocks = in_blocks(pictures)
    assert blocks.shape == (2, 3, 4, 12)
    for picture, shown in zip(pictures, blocks, strict=True):
        assert np.array_equal(shown[1, 2], picture[2:4, 4:6].reshape(12))


def test_a_part_of_a_picture_is_as_good_as_a_whole_one() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (1, 12, 16, 3), np.uint8)
    part = picture[:, 2:8, 3:9]
    assert np.array_equal(in_blocks(part), in_blocks(part.copy()))
