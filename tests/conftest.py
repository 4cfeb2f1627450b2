"""What tests share: the real photographs and the trained reader, where they are at hand."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from vision.reader import Reader

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
