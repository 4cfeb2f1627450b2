"""The bench: what it times, and the stand-in for the detector that it is timed beside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from tests.readings import FakeReader, read_tile, reading
from trials.bench import Timing, as_object, as_text, bench, model_bytes
from trials.standin import standin_model


@pytest.fixture(scope="module")
def standin() -> bytes:
    return standin_model()


def test_the_stand_in_is_as_large_as_yolo11n(standin: bytes) -> None:
    graph = onnx.load_from_string(standin).graph
    shapes = {value.name: value.dims for value in graph.initializer}
    parameters = sum(int(np.prod(dims)) for dims in shapes.values())
    assert parameters == pytest.approx(2.62e6, rel=0.02)
    inferred = onnx.shape_inference.infer_shapes(onnx.load_from_string(standin)).graph
    sizes = {info.name: [each.dim_value for each in info.type.tensor_type.shape.dim] for info in inferred.value_info}
    products = sum(
        int(np.prod(shapes[node.input[1]])) * int(np.prod(sizes[node.output[0]][2:]))
        for node in graph.node
        if node.op_type == "Conv"
    )
    assert products == pytest.approx(3.24e9, rel=0.01)


def test_the_stand_in_runs(standin: bytes) -> None:
    session = onnxruntime.InferenceSession(standin, providers=["CPUExecutionProvider"])
    (answer,) = session.run(None, {"images": np.random.default_rng(1).random((1, 3, 640, 640), np.float32)})
    assert answer.shape == (1, 84, 8400) and np.isfinite(answer).all()
    boxes, classes = answer[0, :4], answer[0, 4:]
    assert boxes.std() > 0 and 0 <= classes.min() < classes.max() <= 1


def test_both_are_timed_on_one_thread_and_on_two(standin: bytes) -> None:
    opened: list[int] = []
    reader = FakeReader(reading([read_tile(1, 2)]))

    def open_reader(threads: int) -> FakeReader:
        opened.append(threads)
        return reader

    photo = np.random.default_rng(0).integers(0, 255, (108, 192, 3), np.uint8)
    timings = bench(lambda threads: open_reader(threads).read, photo, standin, runs=3)
    assert opened == [1, 2] == [timing.threads for timing in timings]
    assert len(reader.pictures) == 2 * (1 + 3) and reader.pictures[0].shape == (108, 192, 3)
    for timing in timings:
        assert timing.reference_ms > timing.read_ms > 0 and timing.decode_ms > 0
        assert timing.stages_ms == {"detect": 12.5, "read": 3.0} and timing.tiles_read == 1


def test_a_reference_that_is_no_network_is_told() -> None:
    with pytest.raises(ValueError, match="reference cannot be run"):
        bench(lambda threads: FakeReader(reading([])).read, np.zeros((48, 48, 3), np.uint8), b"no network", runs=3)


def test_ratios_and_keys_that_scripts_rely_on() -> None:
    timings = [Timing(1, 9.0, 60.0, {}, 40.0, 28), Timing(2, 9.0, 30.0, {}, 24.0, 28)]
    told = as_object(timings, "some.onnx", 123.4)
    assert told["read_photo_ratio"] == 1.25 and told["read_photo_ratio_1_thread"] == 1.5
    assert told["peak_memory_mb"] == 123.4 and told["model_bytes"] == model_bytes()
    assert "peak_memory_mb" not in as_object(timings, "some.onnx", None)
    assert any("1.25" in line for line in as_text(timings, "some.onnx", None))


def test_model_bytes_counts_every_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trials.bench.MODELS", tmp_path)
    (tmp_path / "a.onnx").write_bytes(bytes(100))
    (tmp_path / "b.onnx").write_bytes(bytes(50))
    (tmp_path / "card.json").write_bytes(bytes(7))
    assert model_bytes() == 150
