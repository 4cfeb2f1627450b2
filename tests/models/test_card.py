"""The model card is what its sources say."""

from pathlib import Path

import pytest

from vision.reader import MODELS

SOURCES = Path(__file__).parents[2] / "models" / "training"
CARD = (MODELS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("source", ["card.md", "uppers.md", "pieces.md", "path_traced.md"])
def test_what_is_written_by_hand_stands_in_the_card(source: str) -> None:
    parts = (SOURCES / source).read_text(encoding="utf-8").split("\n\n")
    lost = [part for part in parts if "{" not in part and part.strip() not in CARD]
    assert len(parts) > 3 and not lost
