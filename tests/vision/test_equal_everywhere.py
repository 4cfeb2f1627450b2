"""The networks answer alike on every processor: no weight is so large that a kernel without VNNI saturates."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from simulator.sample import sample_photo

ROOT = Path(__file__).resolve().parents[2]
NETWORKS = sorted((ROOT / "models").glob("*.onnx"))
OLDER = ("qemu-x86_64", "-cpu", "Haswell")
"""An Intel of 2013: AVX2, no VNNI."""


@pytest.mark.parametrize("path", NETWORKS, ids=lambda path: path.stem)
def test_weights_have_seven_bits(path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    weights = [onnx.numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer]
    packed = [weight for weight in weights if weight.dtype == np.int8 and weight.ndim > 1]
    assert packed and all(weight.min() >= -64 and weight.max() <= 63 for weight in packed)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86 processors are emulated")
@pytest.mark.skipif(shutil.which(OLDER[0]) is None, reason="qemu-x86_64 (Debian's qemu-user) is not installed")
def test_an_older_processor_reads_the_same_to_the_last_digit(tmp_path: Path) -> None:
    for number in range(2):
        picture, _ = sample_photo(number, 480, 320, 5)
        assert cv2.imwrite(str(tmp_path / f"{number}.jpg"), picture)
    here, there = (_told(tmp_path, *before) for before in ((), OLDER))
    assert here.count(b'"ends"') >= 5
    assert here == there


def _told(folder: Path, *before: str) -> bytes:
    """What `kibitz read --json` prints of the pictures of a folder, without its times."""
    pictures = sorted(map(str, folder.glob("*.jpg")))
    command = [*before, sys.executable, str(ROOT / "kibitz.py"), "read", "--json", "--threads", "1", *pictures]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    return re.sub(rb'"ms": [0-9.]+', b"", done.stdout)
