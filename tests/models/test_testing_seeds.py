"""What is measured on simulated tables was never trained on."""

from pathlib import Path

import pytest

from models.training import data, piece_data
from simulator.tabletop.look import TESTING_SEEDS


@pytest.mark.parametrize("seed", [TESTING_SEEDS[0], TESTING_SEEDS[-1]])
def test_nothing_is_trained_on_looks_kept_for_testing(tmp_path: Path, seed: int) -> None:
    with pytest.raises(ValueError, match="testing"):
        data.make_shards(tmp_path, seed, 1, 1)
    with pytest.raises(ValueError, match="testing"):
        piece_data.make_shards(tmp_path, seed, 1, 1)
    assert not list(tmp_path.iterdir())


def test_seeds_of_the_recipe_and_of_tests_are_far_apart() -> None:
    recipe = Path(__file__).parents[2] / "models" / "training" / "__main__.py"
    assert "HELD_OUT_SEED = 900_000\n" in recipe.read_text()
    assert TESTING_SEEDS.start > 1_000 * 900_000
