"""How quick the reader is on this machine, beside a reference network timed in the same run."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.evaluation import ReadImage
from vision.network import kernel
from vision.photo import load_photo

THREADS = (1, 2)
TIMED_SIZE = (1920, 1080)
PHONE_SIZE = (4032, 3024)
TILES = 28
SEED = 28
MODELS = Path(__file__).resolve().parents[1] / "models"

PAUSE_S = 0.05
"""Between runs: the threads of a network go on spinning for a moment and would slow the other down."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Medians over alternating runs with the same number of threads, in milliseconds; what was read in the last."""

    threads: int
    decode_ms: float
    read_ms: float
    stages_ms: dict[str, float]
    reference_ms: float
    tiles_read: int

    @property
    def ratio(self) -> float:
        """The photo read whole, in times of the reference."""
        return self.read_ms / self.reference_ms


def bench(
    open_reader: Callable[[int], ReadImage],
    photo: NDArray[np.uint8],
    reference: bytes,
    runs: int = 15,
    progress: Callable[[], object] = lambda: None,
) -> list[Timing]:
    """Times reading the photo beside the reference network (an ONNX file), on one thread and on two.

    open_reader: gives the reader that uses so many threads. photo: (H, W, 3) uint8 BGR.
    """
    jpeg = encode(photo)
    timings = []
    for threads in THREADS:
        timings.append(_time(threads, open_reader(threads), jpeg, open_reference(reference, threads), runs))
        progress()
    return timings


def table_photo(size: tuple[int, int]) -> NDArray[np.uint8]:
    """A synthetic table with 28 tiles, always the same one: (H, W, 3) uint8 BGR for a size of (W, H)."""
    from simulator.sample import sample_photo  # a bench of another photo needs no synthetic tables

    image, _ = sample_photo(SEED, *size, TILES)
    return image


def _time(threads: int, read: ReadImage, jpeg: bytes, run_reference: Callable[[], object], runs: int) -> Timing:
    decode_ms, read_ms, reference_ms = [], [], []
    stages: list[dict[str, float]] = []
    picture = load_photo(jpeg).image
    reading = read(picture)
    run_reference()  # the first runs also lay out memory
    for _ in range(runs):
        decode_ms.append(_milliseconds(lambda: load_photo(jpeg)))
        start = time.perf_counter()
        reading = read(picture)
        read_ms.append(1000 * (time.perf_counter() - start))
        stages.append(reading.stages_ms)
        time.sleep(PAUSE_S)
        reference_ms.append(_milliseconds(run_reference))
        time.sleep(PAUSE_S)
    names = stages[0]
    medians = {name: median(each.get(name, 0.0) for each in stages) for name in names}
    return Timing(
        threads, median(decode_ms), median(read_ms), medians, median(reference_ms), tiles_read=len(reading.tiles)
    )


def _milliseconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def open_reference(model: bytes, threads: int) -> Callable[[], object]:
    """Runs the reference once on a fixed random picture; ValueError where the file holds no network of one input."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        (network_input,) = session.get_inputs()
        picture = np.random.default_rng(0).random(network_input.shape, np.float32)
    except Exception as error:  # the runtime's errors have no common class
        raise ValueError(f"the reference cannot be run: {error}") from error
    return lambda: session.run(None, {network_input.name: picture})


def encode(photo: NDArray[np.uint8]) -> bytes:
    """The picture as a camera would store it."""
    encoded, data = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 92])
    if not encoded:
        raise ValueError("the photo cannot be encoded as JPEG")
    return data.tobytes()


def model_bytes() -> int:
    """The size of all networks that reading needs."""
    return sum(path.stat().st_size for path in MODELS.glob("*.onnx"))


def peak_memory_mb(photo: NDArray[np.uint8]) -> float | None:
    """The most memory a `kibitz read` of this photo ever holds; None where the system does not tell."""
    try:
        import resource  # noqa: F401  (not on Windows)
    except ImportError:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        path.write_bytes(encode(photo))
        # Through a small process of its own: a child starts with the peak of the process that it was forked from.
        command = [sys.executable, "-c", _MEASURE, str(MODELS.parent), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"kibitz read failed while its memory was measured: {done.stderr.strip()[-500:]}")
    per_megabyte = 1024**2 if sys.platform == "darwin" else 1024
    return int(done.stdout) / per_megabyte


_MEASURE = """
import resource, subprocess, sys
subprocess.run([sys.executable, "kibitz.py", "read", "--json", sys.argv[2]], cwd=sys.argv[1], check=True,
               stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def as_object(timings: Sequence[Timing], reference: str, memory_mb: float | None) -> dict[str, Any]:
    """What `kibitz bench --json` says."""
    by_threads = {timing.threads: timing for timing in timings}
    told: dict[str, Any] = {
        "machine": f"{_processor()}, {os.cpu_count()} cores",
        "kernel": kernel(),
        "reference": reference,
        "read_photo_ratio": round(by_threads[2].ratio, 3),
        "read_photo_ratio_1_thread": round(by_threads[1].ratio, 3),
        "timings": [
            {
                "threads": timing.threads,
                "decode_ms": round(timing.decode_ms, 2),
                "read_ms": round(timing.read_ms, 2),
                "stages_ms": {name: round(ms, 2) for name, ms in timing.stages_ms.items()},
                "reference_ms": round(timing.reference_ms, 2),
                "tiles_read": timing.tiles_read,
            }
            for timing in timings
        ],
        "model_bytes": model_bytes(),
    }
    if memory_mb is not None:
        told["peak_memory_mb"] = round(memory_mb, 1)
    return told


def as_text(timings: Sequence[Timing], reference: str, memory_mb: float | None) -> Iterator[str]:
    """The same for people."""
    yield f"{_processor()}, {os.cpu_count()} cores; beside {reference}"
    yield kernel()
    for timing in timings:
        threads = "1 thread" if timing.threads == 1 else f"{timing.threads} threads"
        yield f"{threads}: a 1920x1080 photo with {TILES} tiles ({timing.tiles_read} read)"
        yield f"  {'decode':<20}{timing.decode_ms:>8.1f} ms"
        yield from (f"  {name:<20}{ms:>8.1f} ms" for name, ms in timing.stages_ms.items())
        yield f"  {'read whole':<20}{timing.read_ms:>8.1f} ms"
        yield f"  {'reference':<20}{timing.reference_ms:>8.1f} ms"
        yield f"  {'ratio':<20}{timing.ratio:>8.2f}"
    yield f"models: {model_bytes() / 1e6:.2f} MB"
    if memory_mb is not None:
        yield f"peak memory of kibitz read, {PHONE_SIZE[0]}x{PHONE_SIZE[1]} photo: {memory_mb:.0f} MB"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # not Linux: the platform module knows less, but something
    return platform.processor() or platform.machine()
