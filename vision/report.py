"""What an evaluation says: a table for people, one object for programs, and a CSV file with a row for each photo."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from engine.pieces import Tile
from vision.evaluation import (
    RELIABILITY_BINS,
    PhotoResult,
    Score,
    calibration_error,
    facedown_right,
    negatives_right,
    pip_confusion,
    reliability,
    score,
    scores_by_group,
)

HEAD = f"{'':<44}{'photos':>7}{'tiles':>7}{'recall':>9}{'precision':>11}{'halves':>9}{'exact':>8}{'totals':>8}"


def as_text(results: Sequence[PhotoResult]) -> Iterator[str]:
    """The lines that `kibitz evaluate` prints."""
    yield HEAD
    for kind, groups in groupby(scores_by_group(results), key=lambda each: each[0]):
        if kind != "group":
            yield f"by {kind}"
        yield from (_line(name if kind == "group" else f"  {name}", figures) for _, name, figures in groups)
    yield ""
    yield "empty tables without a tile: {} of {}".format(*negatives_right(results))
    yield "face-down tiles counted right: {} of {} photos".format(*facedown_right(results))
    yield from _times(results)
    yield ""
    yield from _reliability_text(results)
    yield ""
    yield from _confusion_text(pip_confusion(results))
    unread = [result for result in results if result.error]
    yield from (f"could not be read: {result.label.photo}: {result.error}" for result in unread)


def _line(name: str, figures: Score) -> str:
    def share(value: float | None) -> str:
        return "-" if value is None else f"{value:.4f}"

    return (f"{name:<44}{figures.photos:>7}{figures.tiles:>7}{share(figures.recall):>9}{share(figures.precision):>11}"
            f"{share(figures.halves):>9}{share(figures.exact):>8}{share(figures.totals):>8}")


def _times(results: Sequence[PhotoResult]) -> Iterator[str]:
    times = sorted(result.ms for result in results if not result.error)
    if times:
        yield f"time for a photo: median {times[len(times) // 2]:.0f} ms, slowest {times[-1]:.0f} ms"


def _reliability_text(results: Sequence[PhotoResult]) -> Iterator[str]:
    bins = reliability(results)
    error = calibration_error(bins)
    yield f"how far scores can be trusted (expected calibration error {'-' if error is None else f'{error:.4f}'})"
    yield f"{'score':>12}{'readings':>10}{'mean score':>12}{'right':>8}"
    for at, each in enumerate(bins):
        if each.count:
            lowest, highest = at / RELIABILITY_BINS, (at + 1) / RELIABILITY_BINS
            share = each.right / each.count
            yield f"{lowest:>6.1f} - {highest:.1f}{each.count:>10}{each.mean_score:>12.3f}{share:>8.3f}"


def _confusion_text(counts: Counter[tuple[int | None, int | None]]) -> Iterator[str]:
    def pips(end: int | None) -> str:
        return "none" if end is None else str(end)

    wrong = sorted(((count, pair) for pair, count in counts.items() if pair[0] != pair[1]), key=lambda each: -each[0])
    yield "halves read wrong (there, read, how often; none: no tile there, or none read)"
    for count, (there, read) in wrong:
        yield f"{pips(there):>6}{pips(read):>6}{count:>5}"


def as_object(results: Sequence[PhotoResult]) -> dict[str, Any]:
    """Everything of the text, and each photo, ready for JSON."""
    bins = reliability(results)
    confusion = sorted(pip_confusion(results).items(), key=lambda each: str(each))
    return {
        **_figures(score(results)),
        "groups": [{"kind": kind, "name": name, **_figures(figures)} for kind, name, figures in scores_by_group(results)],
        "negatives": dict(zip(("right", "photos"), negatives_right(results), strict=True)),
        "facedown": dict(zip(("right", "photos"), facedown_right(results), strict=True)),
        "calibration_error": calibration_error(bins),
        "reliability": [
            {"from": at / RELIABILITY_BINS, "count": each.count, "mean_score": each.mean_score, "right": each.right}
            for at, each in enumerate(bins)
        ],
        "confusion": [{"there": there, "read": read, "count": count} for (there, read), count in confusion],
        "unread": [{"photo": each.label.photo, "error": each.error} for each in results if each.error],
    }


def _figures(figures: Score) -> dict[str, Any]:
    return {each: getattr(figures, each) for each in ("photos", "tiles", "recall", "precision", "halves", "exact", "totals")}


def write_csv(results: Sequence[PhotoResult], path: Path) -> None:
    """One row for each photo: what lies there, what was read, every error, the time of every stage."""
    stages = list(dict.fromkeys(stage for result in results for stage in result.stages_ms))
    rows = [_row(result, stages) for result in results]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else ["photo"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _row(result: PhotoResult, stages: Iterable[str]) -> dict[str, object]:
    label, outcome = result.label, result.outcome
    return {
        "photo": label.photo,
        "exact": int(result.error is None and outcome.is_exact),
        "tiles": _names(label.tiles),
        "read": _names(tile for tile, _ in sorted(result.read)),
        "scores": " ".join(f"{sure:.3f}" for _, sure in sorted(result.read)),
        "missed": _names(outcome.missed),
        "wrong": _names(outcome.wrong),
        "excused": _names(outcome.excused),
        "total": label.total,
        "total_read": outcome.total,
        "facedown": "" if label.facedown is None else label.facedown,
        "facedown_read": result.facedown,
        "width": result.size[0],
        "height": result.size[1],
        "tags": " ".join(sorted(label.tags)),
        "ms": round(result.ms, 1),
        **{f"{stage}_ms": round(result.stages_ms.get(stage, 0.0), 1) for stage in stages},
        "error": result.error or "",
    }


def _names(tiles: Iterable[Tile]) -> str:
    return " ".join(str(tile) for tile in tiles)
