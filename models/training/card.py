"""Write the model card: every figure of the reader in `models/`, measured again each time.

`python -m models.training.card --photos FOLDER --work runs/full` writes `models/README.md` and its diagram.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from models.training.evaluate import Tally, evaluate
from vision.evaluation import evaluate_photo
from vision.labels import read_labels
from vision.photo_reader import PhotoReader
from vision.reader import MODELS, Reader
from vision.report import as_object

SCENES, SCENES_SEED = 400, 4_242
PROSE = Path(__file__).with_name("card.md")


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def photos_table(figures: dict[str, Any]) -> str:
    """Recall, precision and the rest on real photographs, for all and by group, source and tag."""
    rows = [("**all**", figures)] + [(f"{g['kind']}: {g['name']}" if g["kind"] else g["name"], g) for g in figures["groups"]]
    cells = [(name, f["photos"], f["tiles"], *(_share(f[k]) for k in ("recall", "precision", "halves", "exact", "totals")))
             for name, f in rows]
    return _table(("photos", "number", "tiles", "recall", "precision", "halves", "photos exact", "totals"), cells)


def confusion_table(figures: dict[str, Any]) -> str:
    """Which pip counts were read as which, most frequent first."""
    rows = sorted(figures["confusion"], key=lambda c: -c["count"])
    name = {None: "nothing"}
    return _table(("there", "read", "times"),
                  [(name.get(c["there"], c["there"]), name.get(c["read"], c["read"]), c["count"])
                   for c in rows if c["there"] != c["read"]])


def reliability_table(figures: dict[str, Any]) -> str:
    return _table(("score from", "readings", "mean score", "right"),
                  [(f"{b['from']:.1f}", b["count"], _share(b["mean_score"]), _share(b["right"] / b["count"]))
                   for b in figures["reliability"] if b["count"]])


def reliability_diagram(figures: dict[str, Any]) -> str:
    """An SVG: mean score across, share of right readings up; dots as large as their number of readings."""
    edge, size = 40, 320
    whole, far = size + 2 * edge, size + edge
    marks = []
    for step in range(6):
        at = size * step / 5
        marks.append(f'<text x="{edge + at:.0f}" y="{far + 18}" text-anchor="middle">{step / 5:.1f}</text>')
        marks.append(f'<text x="{edge - 8}" y="{far - at + 4:.0f}" text-anchor="end">{step / 5:.1f}</text>')
    for b in figures["reliability"]:
        if b["count"]:
            x, y, radius = edge + size * b["mean_score"], far - size * b["right"] / b["count"], 2 + 1.5 * b["count"] ** 0.33
            marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="#0b6" fill-opacity="0.75">'
                         f'<title>{b["count"]} readings</title></circle>')
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="sans-serif" font-size="12">',
        f'<rect width="{whole}" height="{whole}" fill="#fff"/>',
        f'<rect x="{edge}" y="{edge}" width="{size}" height="{size}" fill="none" stroke="#888"/>',
        f'<line x1="{edge}" y1="{far}" x2="{far}" y2="{edge}" stroke="#888" stroke-dasharray="4"/>',
        *marks,
        f'<text x="{whole / 2}" y="{whole - 4}" text-anchor="middle">score the reader gives</text>',
        f'<text x="12" y="{whole / 2}" text-anchor="middle" transform="rotate(-90 12 {whole / 2})">share right</text>',
        "</svg>\n",
    ])


def made_up_table(tallies: dict[str, Tally]) -> str:
    return _table(("made-up pictures", "tiles", "found", "recall", "precision"),
                  [(name, t.there, _share(t.found / max(1, t.there)), _share(t.right / max(1, t.there)),
                    _share(t.right / max(1, t.right + t.wrong))) for name, t in tallies.items()])


@click.command()
@click.option("--photos", type=click.Path(exists=True, path_type=Path), required=True, help="Labelled real photographs.")
@click.option("--work", type=click.Path(path_type=Path), default=Path("runs/full"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=MODELS, show_default=True)
def main(photos: Path, work: Path, out: Path) -> None:
    """Measure the reader and write its card."""
    reader = Reader(threads=2)
    figures = as_object([evaluate_photo(label, photos, PhotoReader(reader).read) for label in read_labels(photos)])
    minutes = json.loads((work / "minutes.json").read_text()) if (work / "minutes.json").exists() else {}
    path_traced = PROSE.with_name("path_traced.md")
    parts = {
        "version": reader.version,
        "sizes": _table(("file", "bytes"), [(p.name, p.stat().st_size) for p in sorted(MODELS.glob("*.onnx"))]),
        "minutes": _table(("stage", "minutes"), [*minutes.items(), ("together", round(sum(minutes.values()), 1))]),
        "photos": photos_table(figures),
        "negatives": f"{figures['negatives']['right']} of {figures['negatives']['photos']}",
        "facedown": f"{figures['facedown']['right']} of {figures['facedown']['photos']}",
        "confusion": confusion_table(figures),
        "calibration_error": _share(figures["calibration_error"]),
        "reliability": reliability_table(figures),
        "path_traced": path_traced.read_text() if path_traced.exists() else "",
        "made_up": made_up_table(evaluate(reader, SCENES, SCENES_SEED)),
    }
    (out / "reliability.svg").write_text(reliability_diagram(figures))
    others = [PROSE.with_name(name).read_text() for name in ("uppers.md", "pieces.md")]
    (out / "README.md").write_text("\n".join([PROSE.read_text().format(**parts), *others]))


if __name__ == "__main__":
    main()
