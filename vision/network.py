"""A network of ours, ready to run: with several threads where there is much to do, with one where waking others takes longer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

LITTLE = 300_000
"""Bytes of input up to which one thread is quicker: a changed place of a table, a few tiles."""


class Network:
    """One network of one input, 8-bit pictures, and one output.

    threads: of large runs; between layers they `spin`, which helps long runs, or sleep. The networks and OpenCV take turns:
    threads of the one that waits must not spin on the cores that another needs. Raises FileNotFoundError.
    """

    def __init__(self, path: Path, threads: int, spin: bool) -> None:
        if not path.is_file():
            raise FileNotFoundError(f"The model file {path.name} is missing from {path.parent}: install Kibitz again.")
        self._many = _session(path, threads, spin)
        self._one = self._many if threads == 1 else _session(path, 1, spin=False)
        self._input = self._many.get_inputs()[0].name

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """What the network makes of n pictures."""
        session = self._one if pictures.nbytes <= LITTLE else self._many
        out: Any = session.run(None, {self._input: pictures})[0]
        return np.asarray(out, np.float32)


def _session(path: Path, threads: int, spin: bool) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "1" if spin else "0")
    options.add_session_config_entry("session.force_spinning_stop", "1")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
