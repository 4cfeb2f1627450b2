"""What tests share: the real photographs and the trained reader, where they are at hand."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import settings
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.reader import Reader

settings.register_profile("any machine", deadline=None)  # a busy machine is no failure
settings.load_profile("any machine")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def photos() -> Path:
    """The folder of labelled photographs, which are not ours to publish: KIBITZ_PHOTOS, or beside the checkout."""
    folder = Path(os.environ.get("KIBITZ_PHOTOS", ROOT.parent / "shared" / "photos"))
    if not (folder / "labels.csv").is_file():
        pytest.skip(f"no labelled photographs in {folder} (set KIBITZ_PHOTOS)")
    return folder


@pytest.fixture(scope="session")
def reader() -> Reader:
    """The trained reader, opened once."""
    from vision.reader import Reader

    return Reader(threads=2)


@pytest.fixture(scope="session")
def table_photo() -> NDArray[np.uint8]:
    """A made-up table with 28 tiles, (1080, 1920, 3) uint8 BGR."""
    from trials.bench import TIMED_SIZE
    from trials.bench import table_photo as make

    return make(TIMED_SIZE)
