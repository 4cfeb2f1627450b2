"""Make the scores honest: temperatures for the kinds and the counts, fitted on tiles the reader was not trained on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.reader import log_odds

Array = NDArray[np.float32]


def temperature(scores: Array, truth: NDArray[np.int64]) -> float:
    """The divisor of `scores` (n, classes) under which the true classes are likeliest (Guo et al. 2017)."""
    candidates = np.exp(np.linspace(np.log(0.3), np.log(4.0), 80))
    return float(min(candidates, key=lambda t: _surprise(scores / t, truth)))


def _surprise(scores: Array, truth: NDArray[np.int64]) -> float:
    top = scores.max(axis=1, keepdims=True)
    logs = scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True))
    return -float(logs[np.arange(len(truth)), truth].mean())


def fit(scores: Array, labels: NDArray[np.int8]) -> tuple[float, float]:
    """Temperatures of kinds and counts; scores (n, 35) as the tile reader gives them, labels (n, 3)."""
    kind = temperature(scores[:, :3], labels[:, 0].astype(np.int64))
    face = labels[:, 0] == 0
    counts = temperature(scores[face][:, 3:].reshape(-1, 16), labels[face][:, 1:].reshape(-1).astype(np.int64))
    return kind, counts


def fit_scores(certainty: Sequence[float], objectness: Sequence[float], right: Sequence[bool]) -> tuple[float, float, float]:
    """Weights of both networks' log odds, and an offset, under which scores are shares of right readings (Platt 1999).

    A slight pull towards believing the tile reader alone keeps a few readings from deciding everything.
    """
    truth = np.asarray(right, np.float64)
    inputs = np.array([[log_odds(c), log_odds(h), 1.0] for c, h in zip(certainty, objectness, strict=True)]).reshape(-1, 3)
    start = np.array([1.0, 0.0, 0.0])
    weights = start.copy()
    for _ in range(30):  # Newton's method
        guess = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (guess - truth) + (weights - start)
        bend = (inputs * (guess * (1 - guess))[:, None]).T @ inputs + np.eye(3)
        weights = weights - np.linalg.solve(bend, slope)
    return float(weights[0]), float(weights[1]), float(weights[2])
