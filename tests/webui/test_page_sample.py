"""The sample photo of the start page is there, is one of our own making, and is read right."""

from engine.pieces import Tile
from simulator.sample import sample_photo
from vision.photo import load_photo
from vision.photo_reader import PhotoReader
from vision.reader import Reader
from webui.pages import SAMPLE


def test_the_sample_is_read_as_the_tiles_it_was_made_with() -> None:
    image, tiles = sample_photo(12, 1400, 1050, 9)
    photo = load_photo(SAMPLE)
    assert photo.image.shape == image.shape
    assert sorted(Tile.of(*tile.ends) for tile in PhotoReader(Reader(threads=2)).read(photo.image).tiles) == tiles
