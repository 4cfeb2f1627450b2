"""The network that tells tiles on two others from joints: `python -m models.training.uppers --work runs/uppers`.

It is shown places of made-up game tables with what lies around them: joints, bare and with a tile laid across, and tiles.
Goes on where it was.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

import click
import cv2
import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from engine.games import game as game_named
from engine.playout import deal_on
from models.training.data import workforce
from models.training.export import export_uppers, quantise
from models.training.fitting import coarsened, fit, picture_tensor
from models.training.lean import lean
from models.training.networks import UpperReader
from simulator.layouts import box_corners
from simulator.noise import between
from simulator.piece_truth import profile_of
from simulator.staging.games import set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.staging.playing import play_on
from simulator.tabletop.lying import LYING, Tabletop, Tile
from simulator.tabletop.render import Renderer
from simulator.tabletop.truth import Shown
from vision.blocks import in_blocks
from vision.detection import Detection, middles_of
from vision.reader import ALONE, AROUND, BARE, UPON
from vision.rectify import ImagePyramid
from vision.table.sight import RectifiedView
from vision.table.stacks import Joint, joints
from vision.table.track import Track

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

FIRST_SEED = 600_000_000
"""Of the looks: none that is kept for testing."""

OTHERS = ("block", "all-fives", "engine191", "matador", "dominoids", "solitaire")
"""Games without stacks, one of which is on every third table; the others show Euronimoes."""

ACTIONS = (10, 70)
"""How many actions were played before the picture, at least and at most."""

LAID = (0.0, 0.35, 0.8)
"""On what share of the free joints a tile is laid, picture by picture of one table."""

THERE, ELSEWHERE = 0.35, 0.75
"""A tile whose middle is nearer to a joint's than this, in halves, lies on it; one that is farther off does not."""

SHARD = 50
"""Tables in one file."""

BATCH = 128


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything."""

    tables: int
    held_out: int
    steps: int


PLANS = {"full": Plan(tables=1200, held_out=100, steps=3000), "tiny": Plan(tables=2, held_out=1, steps=4)}


def places(number: int) -> Iterator[tuple[Image, NDArray[np.int8]]]:
    """Cut-out places, (n, 64, 96, 3), of three pictures of table `number`, and what they show, (n,)."""
    rng, moves = np.random.default_rng([FIRST_SEED, number]), Random(FIRST_SEED + number)
    game = "euronimoes" if number % 3 else OTHERS[number // 3 % len(OTHERS)]
    kind = game_named(game)
    players = kind.SEATS[number % len(kind.SEATS)]
    setting = set_table(game, players, FIRST_SEED + number, tidy=between(rng, 0.3, 2.0))
    state, stage = kind(None, players), stage_of(game, setting)
    deal_on(state, moves)
    play_on(state, stage, moves, moves.randrange(*ACTIONS))
    camera = whole_view(setting, rng)
    renderer, sight = Renderer(camera, setting.look), RectifiedView(profile_of(camera, setting.area))
    table = stage.lay(state)
    for shot, share in enumerate(LAID):
        laid = _tops(table, (setting.length, setting.width, setting.look.thick_mm), share, rng)
        image, truth = renderer.shoot(table.put(*laid), number=shot)
        faces = [shown for shown in truth.shown if isinstance(shown.thing, Tile) and shown.thing.pose == LYING and shown.thing.up]
        cuts, shows = _labelled(faces, sight, rng)
        if cuts:
            yield ImagePyramid(image).warp_crops(np.stack(cuts), AROUND), np.array(shows, np.int8)


def _tops(table: Tabletop, size: tuple[float, float, float], share: float, rng: np.random.Generator) -> list[Tile]:
    """Tiles of this length, width and thickness laid across so many of the joints on the table, as well as people do."""
    length, width, thick = size
    faces = [tile for tile in table if isinstance(tile, Tile) and tile.up and tile.pose == LYING]
    boxes = [box_corners(tile.x, tile.y, tile.angle, length, width)[[3, 0, 1, 2]] for tile in faces]
    tracks = [_track(at, box, tile) for at, (box, tile) in enumerate(zip(boxes, faces, strict=True))]
    taken = [half for track in tracks if track.under for half in middles_of(track.corners)]
    out: list[Tile] = []
    meeting = [joint for joint in joints(tracks) if not joint.halves[0][0].under]
    for at in rng.permutation(len(meeting)).tolist():
        joint, loose = meeting[at], between(rng, 0.3, 2.0)
        halves = [middles_of(track.corners)[half] for track, half in joint.halves]
        if rng.random() > share or any(np.linalg.norm(half - other) < 0.7 * width for half in halves for other in taken):
            continue
        taken += halves
        (x, y), (dx, dy) = (halves[0] + halves[1]) / 2 + rng.normal(0, 0.8 * loose, 2), halves[1] - halves[0]
        ends = joint.ends if rng.random() < 0.85 else (int(rng.integers(7)), int(rng.integers(7)))
        turn = float(np.arctan2(dy, dx) + rng.normal(0, 0.02 * loose))
        out.append(Tile(f"top {at}", float(x), float(y), turn, ends, level=1, z=thick))
    return out


def _track(name: int, corners: NDArray[np.floating], tile: Tile) -> Track:
    """A tile as if it had been read without a doubt."""
    on_table, rows = np.asarray(corners, np.float32), np.full((2, 16), 1e-3, np.float32)
    rows[0, tile.ends[0]] = rows[1, tile.ends[1]] = 0.98
    track = Track.of(name, Detection(on_table, on_table, rows, False, 0.98))
    return replace(track, under=(-1, -1) if tile.level else ())


def _labelled(faces: Sequence[Shown], sight: RectifiedView, rng: np.random.Generator) -> tuple[list[Array], list[int]]:
    """Places in a picture, (4, 2) pixels each and a little off, and what they show."""
    cuts: list[Array] = []
    shows: list[int] = []
    upper = [shown.outline.mean(axis=0) for shown in faces if shown.thing.level]  # type: ignore[union-attr]
    lower = [shown for shown in faces if not shown.thing.level]  # type: ignore[union-attr]
    tracks = [_track(at, sight.to_table(shown.outline.astype(np.float32)), shown.thing)  # type: ignore[arg-type]
              for at, shown in enumerate(lower)]
    for joint in joints(tracks):
        off = _off(joint, upper, sight)
        if not THERE < off < ELSEWHERE:
            cuts.append(sight.raised(_shaken(joint.place, rng)))
            shows.append(UPON if off < THERE else BARE)
    for shown in faces:
        if min(shown.visible) > 0.5:
            cuts.append(sight.to_picture(_shaken(sight.to_table(shown.outline.astype(np.float32)), rng)))
            shows.append(UPON if shown.thing.level else ALONE)  # type: ignore[union-attr]
    return cuts, shows


def _off(joint: Joint, upper: Sequence[NDArray[np.float64]], sight: RectifiedView) -> float:
    """How far from a joint's middle that of the nearest tile on others shows, in halves."""
    place = sight.raised(joint.place)
    half = float(np.linalg.norm(place[0] - place[1]))
    return min((float(np.linalg.norm(place.mean(axis=0) - middle)) / half for middle in upper), default=np.inf)


def _shaken(place: Array, rng: np.random.Generator) -> Array:
    """A place on the table as it may be taken to be: a little off, turned, larger or smaller."""
    middle, half = place.mean(axis=0), float(np.linalg.norm(place[0] - place[1]))
    turn, scale = rng.normal(0, 0.03), float(np.exp(rng.normal(0, 0.03)))
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    moved = (place - middle) @ np.array([[c, s], [-s, c]]) + middle + rng.normal(0, 0.05, 2) * half
    return np.asarray(moved, np.float32)


def _shard(folder: Path, numbers: range) -> None:
    """The places of these tables as one file; one that is there already is kept."""
    target = folder / f"{numbers.start:06d}.npz"
    if target.exists():
        return
    cv2.setNumThreads(1)
    shown = [each for number in numbers for each in places(number)]
    part = target.with_suffix(".part.npz")
    np.savez(part, crops=np.concatenate([crops for crops, _ in shown]), labels=np.concatenate([labels for _, labels in shown]))
    part.rename(target)


def make_places(folder: Path, first: int, tables: int, workers: int) -> None:
    """The places of so many tables."""
    folder.mkdir(parents=True, exist_ok=True)
    with workforce(workers) as pool:
        every = range(first, first + tables)
        list(pool.map(partial(_shard, folder), [every[at : at + SHARD] for at in range(0, tables, SHARD)]))


def load_places(folder: Path) -> tuple[Image, NDArray[np.int8]]:
    """All crops and labels of a folder, in memory."""
    shards = [np.load(path) for path in sorted(folder.glob("??????.npz"))]
    return np.concatenate([shard["crops"] for shard in shards]), np.concatenate([shard["labels"] for shard in shards])


def _varied(pictures: Tensor, rng: torch.Generator) -> Tensor:
    """Mirror, tint, blur a batch; (n, 3, h, w) float 0..1."""
    count = len(pictures)
    for side in (2, 3):
        mirrored = torch.rand(count, generator=rng) < 0.5
        pictures = torch.where(mirrored[:, None, None, None], pictures.flip(side), pictures)
    gain = torch.exp(torch.randn(count, 3, 1, 1, generator=rng) * 0.1 + torch.randn(count, 1, 1, 1, generator=rng) * 0.2)
    pictures = pictures * gain + torch.randn(count, 1, 1, 1, generator=rng) * 0.05
    grey = torch.rand(count, generator=rng) < 0.1
    pictures = torch.where(grey[:, None, None, None], pictures.mean(1, keepdim=True).expand_as(pictures), pictures)
    pictures = coarsened(pictures, rng, 0.45)
    noise = torch.randn(pictures.shape, generator=rng) * (torch.rand(count, 1, 1, 1, generator=rng) * 0.04)
    return (pictures + noise).clamp(0, 1)


def train(crops: Image, labels: NDArray[np.int8], out: Path, steps: int, seed: int) -> None:
    """Train for so many batches; `out` keeps the weights."""
    torch.manual_seed(seed)

    def loss(model: UpperReader, step: int) -> tuple[Tensor, dict[str, float]]:
        rng = torch.Generator().manual_seed(seed * 1_000_003 + step)
        chosen = np.sort(torch.randint(len(labels), (BATCH,), generator=rng).numpy())
        batch = _varied(picture_tensor(torch.from_numpy(crops[chosen])), rng)
        with torch.autocast("cpu", torch.bfloat16):
            scores = model(batch.contiguous(memory_format=torch.channels_last))
        missed = functional.cross_entropy(scores.float(), torch.from_numpy(labels[chosen]).long(), label_smoothing=0.005)
        return missed, {"loss": missed.item()}

    fit(UpperReader().to(memory_format=torch.channels_last), loss, out, steps, 2e-3, decay=0.03, warm=0.05, steepest=5.0)


def tell(model: Path, crops: Image, labels: NDArray[np.int8]) -> None:
    """Print how the finished network does on places kept out."""
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    scores = np.concatenate([session.run(None, {"places": in_blocks(crops[i : i + 256])})[0] for i in range(0, len(crops), 256)])
    told = scores.argmax(axis=1)
    for name, shows in (("bare joints", BARE), ("tiles on the table", ALONE), ("tiles on others", UPON)):
        of_it = labels == shows
        click.echo(f"{name}: {int((told[of_it] == shows).sum())} of {int(of_it.sum())} places kept out told right")


def run(plan: Plan, work: Path, out: Path, seed: int, workers: int) -> None:
    """Places, the network, its 8-bit copy; leaves `uppers.onnx` in `out`."""
    make_places(work / "places", 0, plan.tables, workers)
    make_places(work / "held-out", 900_000, plan.held_out, workers)
    train(*load_places(work / "places"), work / "uppers.pt", plan.steps, seed)
    export_uppers(torch.load(work / "uppers.pt")["average"], work / "floats.onnx")
    crops, labels = load_places(work / "held-out")
    some = [crops[i : i + 32] for i in range(0, min(len(crops), 2048), 32)]
    some.append(np.stack([np.full_like(crops[0], level) for level in (0, 255)]))  # bytes stay bytes only over their whole range
    quantise(work / "floats.onnx", work / "uppers.onnx", "places", some)
    lean(work / "uppers.onnx")
    tell(work / "uppers.onnx", crops, labels)
    out.mkdir(parents=True, exist_ok=True)
    shutil.copy(work / "uppers.onnx", out / "uppers.onnx")


@click.command()
@click.option("--work", type=click.Path(path_type=Path), required=True, help="Folder for places and checkpoints (4 GB).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--plan", type=click.Choice(list(PLANS)), default="full", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--workers", type=int, default=os.cpu_count() or 1, show_default=True)
def main(work: Path, out: Path, plan: str, seed: int, workers: int) -> None:
    """Train the network for tiles on others. Run it again after an interruption: finished work is kept."""
    run(PLANS[plan], work, out, seed, workers)


if __name__ == "__main__":
    main()
