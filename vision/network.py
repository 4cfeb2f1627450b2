"""A network of ours, ready to run: several threads share what is much to do, one does what is little."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from vision.frame import Image
from vision.observation import Array

LITTLE = 100_000
"""Bytes of input up to which one thread is quicker, as waking others takes longer: a small place of a table, a few tiles."""

PROVIDER = "CPUExecutionProvider"

KERNELS = {23: "VNNI", 14: "AVX-512 without VNNI", 11: "AVX2", 6: "SSE 4.1", 101: "NEON with dot products", 100: "NEON"}
"""What a processor may multiply bytes with, by OpenCV's number of it (CpuFeatures), the quickest first; all give the same sums
(models/training/narrow.py)."""


def kernel() -> str:
    """What runs the networks here, in a few words."""
    bytes_by = next((name for feature, name in KERNELS.items() if cv2.checkHardwareSupport(feature)), "plain code")
    return f"onnxruntime {onnxruntime.__version__}, {PROVIDER}, bytes multiplied by {bytes_by}"


class Network:
    """One network of one input, 8-bit pictures, and one output.

    threads: of large runs. Of many pictures each takes some; of one large picture they share every layer. Raises
    FileNotFoundError.
    """

    def __init__(self, path: Path, threads: int) -> None:
        if not path.is_file():
            raise FileNotFoundError(f"The model file {path.name} is missing from {path.parent}: install Kibitz again.")
        self.path, self._threads = path, threads
        self._alone = _session(path, 1)

    def run(self, pictures: Image) -> Array:
        """What the network makes of n pictures."""
        if self._threads == 1 or pictures.nbytes <= LITTLE:
            return self._alone(pictures)
        if len(pictures) == 1:
            return self._together(pictures)
        first, *others = np.array_split(pictures, min(self._threads, len(pictures)))
        waiting = [self._helpers.submit(self._alone, part) for part in others]
        return np.concatenate([self._alone(first), *(part.result() for part in waiting)])

    @cached_property
    def _together(self) -> Callable[[Image], Array]:
        return _session(self.path, self._threads)

    @cached_property
    def _helpers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads - 1, thread_name_prefix=self.path.stem)


def _session(path: Path, threads: int) -> Callable[[Image], Array]:
    """Runs the network on so many threads; these spin between its layers and sleep afterwards, as OpenCV needs the cores."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.force_spinning_stop", "1")
    # Without VNNI, kernels of unsigned by signed bytes saturate at 16 bits and answer otherwise: ours must not.
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(str(path), options, providers=[PROVIDER])
    name = session.get_inputs()[0].name
    return lambda pictures: np.asarray(session.run(None, {name: pictures})[0], np.float32)
