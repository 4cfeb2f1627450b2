"""What the networks for pieces are shown: views of the table from above with targets, and crops of single pieces.

Both are cut from the pictures anew each time, turned, shifted and sized in their own way, on whatever device trains.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.piece_data import KINDS as KIND_NAMES
from models.training.piece_data import NAMES, PICTURES, SIZE, PieceShard
from models.training.piece_networks import ANGLES, CELL, HEATS, RADII, RADIUS, REACH
from vision.piece_crops import ALONG, CROP, DIE_REACH, MARGIN
from vision.piece_finds import DISC_MM, PAWN_MM, decode
from vision.pieces import PX_PER_MM

Array = NDArray[np.float32]
VIEW = 192
"""Pixels of the views that the finder learns from."""

MOST = 128
"""Pieces and empty places of one picture that are kept, at most."""

WANTED, HIDDEN, READ = 0.5, 0.12, 0.6
"""Pieces that show more than WANTED must be found; between it and HIDDEN nothing is demanded. Those that show READ are read."""

SUIT_SIDE, VALUE_SIDE, DIE, PAWN, CHIP, NOTHING = range(6)
DISC_FORM, DIE_FORM, PAWN_FORM = range(3)
EMPTY, VOID = 4, 5
"""Beside `piece_data.KINDS`: a place without a piece, and no place at all."""

FORM_OF = torch.tensor([DISC_FORM, DIE_FORM, PAWN_FORM, DISC_FORM, -1])
"""The form of each of `piece_data.KINDS`, and of a place without a piece."""

SIZE_OFF, PLACE_OFF, PAWN_OFF = 0.09, 0.09, 0.18
"""How far off the finder is with small pieces: logarithm of the radius, and parts of the radius; with pawns, whose tops
are put where those of pawns usually are, as a whole."""

OTHER_FORM = 0.2
"""So many crops are cut as if the piece had another form: the reader is asked so, too."""

TOP, FOOT = slice(0, 2), slice(2, 4)


@dataclass(frozen=True, slots=True)
class Rows:
    """Which pieces and empty places can be read: (n,) picture, place in it, name in `NAMES` or -1, edition."""

    picture: NDArray[np.int64]
    slot: NDArray[np.int64]
    name: NDArray[np.int64]
    starts: NDArray[np.int64]
    """The rows of edition e are starts[e] to starts[e + 1]."""


class Pictures:
    """Pictures with what lies in them, on one device; shards are added as they are drawn.

    images: (p, SIZE * SIZE, 3) uint8. plane: (p, 3, 3) from millimetres to pixels. eye: (p, 3) the camera. things: (p, MOST,
    7) upper face and foot as they appear on the table plane, radius of the face, height, visible. kind, label: (p, MOST)
    places in `KINDS`, EMPTY or VOID, and (p, MOST, 4) kind, suit, value as the reader numbers them, and name.
    """

    def __init__(self, room: int, device: torch.device) -> None:
        self.device, self.count = device, 0
        self.images = torch.zeros(room, SIZE * SIZE, 3, dtype=torch.uint8, device=device)
        self.plane = torch.zeros(room, 3, 3, device=device)
        self.eye = torch.zeros(room, 3, device=device)
        self.things = torch.zeros(room, MOST, 7, device=device)
        self.kind = torch.full((room, MOST), VOID, device=device)
        self.label = torch.full((room, MOST, 4), -1, device=device)

    def add(self, shard: PieceShard, rng: np.random.Generator) -> None:
        """Add a shard, as far as there is room."""
        count = min(len(shard.images), len(self.images) - self.count)
        if not count:
            return
        every = [_laid(shard, index, rng) for index in range(count)]
        here = slice(self.count, self.count + count)
        self.images[here] = torch.from_numpy(np.array(shard.images[:count])).view(count, -1, 3).to(self.device)
        self.plane[here] = torch.from_numpy(shard.plane[:count].astype(np.float32)).to(self.device)
        self.eye[here] = torch.from_numpy(shard.eye[:count].astype(np.float32)).to(self.device)
        self.things[here] = torch.from_numpy(np.stack([laid[0] for laid in every])).to(self.device)
        told = torch.from_numpy(np.stack([laid[1] for laid in every])).to(self.device)
        self.kind[here], self.label[here] = told[..., 0], told[..., 1:]
        self.count += count

    def add_empty(self, index: int, spots: Array) -> None:
        """Remember places of picture `index` where nothing stands, (n, 3) middle and radius, as far as there is room."""
        free = torch.nonzero(self.kind[index] == VOID)[: len(spots), 0]
        self.things[index, free] = torch.from_numpy(_bare(spots[: len(free)], self.eye[index].cpu().numpy())).to(self.device)
        self.kind[index, free] = EMPTY
        self.label[index, free] = torch.tensor([NOTHING, -1, -1, -1], device=self.device)

    def rows(self) -> Rows:
        """Everything that can be read."""
        there = (self.kind[: self.count] <= EMPTY) & (self.things[: self.count, :, 6] >= READ)
        picture, slot = torch.nonzero(there, as_tuple=True)
        name = self.label[picture, slot, 3].cpu().numpy()
        starts = np.searchsorted(picture.cpu().numpy(), np.arange(0, self.count + 1, PICTURES))
        return Rows(picture.cpu().numpy(), slot.cpu().numpy(), name, starts)

    def cut(self, index: Tensor, warp: Tensor, width: int) -> Tensor:
        """(n, 3, width, width) 0..1: of picture index (n,) what `warp` (n, 3, 3) maps the pixels of the cut to, bilinear."""
        grid = torch.arange(width, device=self.device, dtype=torch.float32)
        y, x = torch.meshgrid(grid, grid, indexing="ij")
        at = torch.stack([x, y, torch.ones_like(x)], dim=-1).reshape(-1, 3) @ warp.transpose(1, 2)
        x, y = ((at[..., k] / at[..., 2]).clamp(0, SIZE - 1.001) for k in (0, 1))
        left, above = x.long(), y.long()
        right, below = (x - left)[..., None], (y - above)[..., None]
        first = index[:, None] * (SIZE * SIZE) + above * SIZE + left
        flat = self.images.view(-1, 3)
        upper = torch.lerp(flat[first].float(), flat[first + 1].float(), right)
        lower = torch.lerp(flat[first + SIZE].float(), flat[first + SIZE + 1].float(), right)
        return (torch.lerp(upper, lower, below) / 255).transpose(1, 2).reshape(-1, 3, width, width)


def _laid(shard: PieceShard, index: int, rng: np.random.Generator) -> tuple[Array, NDArray[np.int64]]:
    """What lies in a picture, (MOST, 7) as in `Pictures`, and (MOST, 5) its kind in `KINDS`, what the reader should say of it,
    and its name."""
    rows = np.flatnonzero(shard.picture == index)[: MOST - 16]
    top, foot, radius = seen_on_plane(shard, rows, index)
    things, labels = np.zeros((MOST, 7), np.float32), np.full((MOST, 5), -1, np.int64)
    labels[:, 0] = VOID
    if len(rows):
        things[: len(rows)] = np.column_stack([top, foot, radius, shard.size[rows, 1], shard.visible[rows]])
        common = bool(shard.canonical[index])
        labels[: len(rows)] = [(kind, *label_of(kind, name, common), name)
                               for kind, name in zip(shard.kind[rows].tolist(), shard.name[rows].tolist(), strict=True)]
    spots = _empty_spots(shard, index, top, radius, rng)
    here = slice(len(rows), len(rows) + len(spots))
    things[here], labels[here] = _bare(spots, shard.eye[index]), (EMPTY, NOTHING, -1, -1, -1)
    return things, labels


def _bare(spots: Array, eye: Array) -> Array:
    """Places (n, 3) without a piece as things (n, 7): as if something 1 mm high stood there, by which they lean."""
    foot = spots[:, :2] + (eye[:2] - spots[:, :2]) / eye[2]
    one = np.ones((len(spots), 2), np.float32)
    return np.column_stack([spots[:, :2], foot, spots[:, 2], one]).astype(np.float32)


def seen_on_plane(shard: PieceShard, rows: NDArray[np.int64], picture: int) -> tuple[Array, Array, Array]:
    """Where the camera sees the pieces' upper faces and feet (n, 2) against the table, and the radius of the faces (n,)."""
    eye = shard.eye[picture]

    def against(height: Array) -> tuple[Array, Array]:
        stretch = eye[2] / (eye[2] - height)
        return eye[:2] + (shard.place[rows, :2] - eye[:2]) * stretch[:, None], stretch

    foot, _ = against(shard.place[rows, 2])
    top, stretch = against(shard.place[rows, 2] + shard.size[rows, 1])
    return top, foot, shard.size[rows, 0] * stretch


def label_of(kind: int, name: int, canonical: bool) -> tuple[int, int, int]:
    """Kind, suit and value as the reader numbers them; suits only where the marks are common ones."""
    word, text = KIND_NAMES[kind], NAMES[name]
    suits, values = ("suns", "moons", "crowns", "arms"), ("null", "ace", "2", "3", "4", "5")
    if word == "chip":
        return CHIP, -1, -1
    if word == "pawn":
        return PAWN, suits.index(text) if canonical else -1, -1
    first, second = text.split(":")
    if word == "die":
        return DIE, suits.index(first) if canonical else -1, values.index(second)
    if first == "suit":
        return SUIT_SIDE, suits.index(second) if canonical else -1, -1
    return VALUE_SIDE, -1, values.index(second)


def _empty_spots(
    shard: PieceShard, index: int, top: Array, radius: Array, rng: np.random.Generator
) -> Array:
    """(n, 3) middles and radii of places without a piece: dominoes' halves, money, parts of the table, and beside pieces."""
    spots = [(other[1:3], float(other[3])) for other in shard.others[shard.others[:, 0] == index]][:8]
    for _ in range(4):
        where = np.linalg.inv(shard.plane[index]) @ (*rng.uniform(0.05, 0.95, 2) * SIZE, 1.0)
        spots.append(((where[:2] / where[2]).astype(np.float32), float(rng.uniform(6, 16))))
    if len(top):
        for k in rng.integers(0, len(top), 3):
            t = rng.uniform(0, 6.3)
            aside = radius[k] * rng.uniform(1.1, 1.6) * np.array([np.cos(t), np.sin(t)])
            spots.append(((top[k] + aside).astype(np.float32), float(radius[k])))
    free = [(*centre, size) for centre, size in spots
            if (np.linalg.norm(top - centre, axis=1) > np.maximum(0.9 * radius, 0.75 * size)).all()]  # fmt: skip
    return np.array(free, np.float32).reshape(-1, 3)


@dataclass(frozen=True, slots=True)
class Views:
    """What the finder is shown, and what it should say: picture (n, 3, VIEW, VIEW); objectness (n, HEATS, h, w), known
    (n, 1, h, w), geometry (n, MAPS - HEATS, h, w), weight (n, 1, h, w)."""

    picture: Tensor
    objectness: Tensor
    known: Tensor
    geometry: Tensor
    weight: Tensor


def _uniform(rng: torch.Generator, count: int, low: float, high: float) -> Tensor:
    return torch.rand(count, generator=rng, device=rng.device) * (high - low) + low


def _normal(rng: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=rng, device=rng.device)


def views(pictures: Pictures, count: int, rng: torch.Generator) -> Views:
    """Random parts of random pictures, seen from above at nearly the usual scale."""
    index = torch.randint(pictures.count, (count,), generator=rng, device=rng.device)
    scale = PX_PER_MM * torch.exp(_uniform(rng, count, float(np.log(0.85)), float(np.log(1.3))))
    turn = _uniform(rng, count, -np.pi, np.pi)
    where = torch.rand(count, 2, generator=rng, device=rng.device) * (0.6 * SIZE) + 0.2 * SIZE
    back = torch.linalg.inv(pictures.plane[index])
    middle = (back @ torch.cat([where, torch.ones_like(where[:, :1])], dim=1)[..., None])[..., 0]
    x, y = middle[:, 0] / middle[:, 2], middle[:, 1] / middle[:, 2]
    c, s = torch.cos(turn) / scale, torch.sin(turn) / scale
    zero, one = torch.zeros_like(c), torch.ones_like(c)
    half = VIEW / 2
    onto_mm = torch.stack([c, s, x - half * (c + s), -s, c, y - half * (c - s), zero, zero, one], dim=1).view(-1, 3, 3)
    onto_view = torch.linalg.inv(onto_mm)
    picture = tinted(pictures.cut(index, pictures.plane[index] @ onto_mm, VIEW), rng)
    return Views(picture, *_targets(pictures, index, onto_view, scale))


def _targets(pictures: Pictures, index: Tensor, onto_view: Tensor, scale: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Heat, where it is demanded, geometry and where that is."""
    things, kind = pictures.things[index], pictures.kind[index]
    top, foot = (things[..., part] @ onto_view[:, :2, :2].transpose(1, 2) + onto_view[:, None, :2, 2] for part in (TOP, FOOT))
    radius = things[..., 4] * scale[:, None]
    middle = torch.where((kind == KIND_NAMES.index("pawn"))[..., None], (top + foot) / 2, top)
    form = FORM_OF.to(kind.device)[kind.clamp(max=EMPTY)]
    wanted, hidden = things[..., 6] >= WANTED, things[..., 6] < HIDDEN
    cell = torch.floor(middle / CELL)
    grid = torch.arange(VIEW // CELL, device=kind.device, dtype=torch.float32)
    across, down = grid - cell[..., 0, None], grid - cell[..., 1, None]  # (n, MOST, w), (n, MOST, h)
    spread = 2 * (0.2 * radius / CELL).clamp(min=0.7) ** 2
    heat_x, heat_y = (torch.exp(-(d**2) / spread[..., None]) for d in (across, down))
    heats = []
    for which in range(HEATS):
        here = (wanted & (form == which)).float()[..., None]
        heats.append(torch.einsum("nph,npw->nphw", heat_y * here, heat_x).amax(dim=1))
    doubtful = (~wanted & ~hidden & (form >= 0))[..., None, None]
    far = down[..., :, None] ** 2 + across[..., None, :] ** 2
    known = 1 - (doubtful & (far <= ((radius / CELL)[..., None, None] ** 2).clamp(min=1))).any(dim=1).float()
    near = (down.abs()[..., :, None] <= 1) & (across.abs()[..., None, :] <= 1) & (wanted & (form >= 0))[..., None, None]
    nearest = torch.where(near, far, torch.inf)
    least, which = nearest.min(dim=1)  # (n, h, w)
    flat = which.flatten(1)
    centre = (grid + 0.5) * CELL
    at = torch.stack(torch.meshgrid(centre, centre, indexing="xy"), dim=-1).reshape(1, -1, 2)
    picked = [torch.gather(points, 1, flat[..., None].expand(-1, -1, 2)) for points in (top, foot)]
    size = torch.log(torch.gather(radius, 1, flat).clamp(min=1.0) / RADIUS)
    geometry = torch.cat([*((points - at) / REACH for points in picked), size[..., None]], dim=2)
    side = VIEW // CELL
    geometry = geometry.transpose(1, 2).reshape(len(index), -1, side, side)
    return torch.stack(heats, dim=1), known[:, None], geometry, torch.isfinite(least)[:, None].float()


def tinted(pictures: Tensor, rng: torch.Generator) -> Tensor:
    """Another light."""
    count = len(pictures)
    gain = torch.exp(_normal(rng, count, 3, 1, 1) * 0.08 + _normal(rng, count, 1, 1, 1) * 0.12)
    return (pictures * gain + _normal(rng, count, 1, 1, 1) * 0.02).clamp(0, 1)


@dataclass(frozen=True, slots=True)
class Crops:
    """pictures: (n, 3, RADII, ANGLES) 0..1, unwrapped. labels: (n, 4) kind, suit, value (-1: nothing demanded), name."""

    pictures: Tensor
    labels: Tensor


def crops(pictures: Pictures, rows: Rows, which: NDArray[np.int64], rng: torch.Generator) -> Crops:
    """Cut out the pieces and empty places of these rows, as far off as the finder is."""
    index, at = (torch.from_numpy(each[which]).to(rng.device) for each in (rows.picture, rows.slot))
    things, kind, label = pictures.things[index, at], pictures.kind[index, at], pictures.label[index, at]
    own = FORM_OF.to(rng.device)[kind]
    other = torch.rand(len(index), generator=rng, device=rng.device) < OTHER_FORM
    drawn = torch.randint(HEATS, (len(index),), generator=rng, device=rng.device)
    form = torch.where(other | (own < 0), drawn, own)
    middle, half = _windows(things, own, form, rng)
    turn = _uniform(rng, len(index), -np.pi, np.pi)
    step = 2 * half / CROP
    c, s = torch.cos(turn) * step, torch.sin(turn) * step
    zero, one, mid = torch.zeros_like(c), torch.ones_like(c), CROP / 2
    onto_mm = torch.stack([c, -s, middle[:, 0] - mid * (c - s), s, c, middle[:, 1] - mid * (s + c), zero, zero, one], dim=1)
    cut = pictures.cut(index, pictures.plane[index] @ onto_mm.view(-1, 3, 3), CROP)
    foreign = (form != own) & (own >= 0)
    marks = torch.where(foreign[:, None], -1, label[:, 1:])
    return Crops(unwrapped(cut), torch.cat([label[:, :1], marks], dim=1))


def _windows(things: Tensor, own: Tensor, form: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Middles (n, 2) and half widths (n,) of windows for pieces taken for `form`; see `vision.piece_crops.crop_window`."""
    count = len(things)
    top, foot, height = things[:, TOP], things[:, FOOT], things[:, 5]
    radius = things[:, 4] * torch.exp(_normal(rng, count) * SIZE_OFF + 0.04)
    lean = (foot - top) / height[:, None]
    high = torch.stack([torch.full_like(radius, DISC_MM), 2 * radius, torch.full_like(radius, PAWN_MM)], dim=1)
    high = high.gather(1, form[:, None])
    slip = _normal(rng, count, 2) * radius[:, None]
    is_pawn = (own == PAWN_FORM)[:, None]
    as_pawn = (form == PAWN_FORM)[:, None]
    stands = torch.where(is_pawn, foot + PAWN_OFF * slip, top + lean * high + PLACE_OFF * slip)
    face = torch.where(is_pawn & as_pawn, stands - lean * PAWN_MM, top + PLACE_OFF * slip)
    stands = torch.where(is_pawn & ~as_pawn, face + lean * high, stands)
    middles = torch.stack([face, face + ALONG * (stands - face), (face + stands) / 2], dim=1)
    halves = torch.stack([MARGIN * radius, DIE_REACH * radius, MARGIN * (radius + (face - stands).norm(dim=1) / 2)], dim=1)
    return middles[torch.arange(count, device=form.device), form], halves.gather(1, form[:, None])[:, 0]


def unwrapped(cut: Tensor) -> Tensor:
    """(n, 3, CROP, CROP) as (n, 3, RADII, ANGLES), as `vision.piece_crops.unwrapped` does."""
    far = (torch.arange(RADII, device=cut.device) + 0.5) * (CROP / 2 / RADII) * 1.03
    turn = torch.arange(ANGLES, device=cut.device) * (2 * np.pi / ANGLES)
    at = torch.stack([far[:, None] * torch.cos(turn), far[:, None] * torch.sin(turn)], dim=-1) + CROP / 2
    grid = (at + 0.5) / CROP * 2 - 1
    return functional.grid_sample(cut, grid.expand(len(cut), -1, -1, -1), padding_mode="border", align_corners=False)


@torch.no_grad()
def mine(pictures: Pictures, finder: nn.Module) -> int:
    """Remember where the finder sees pieces and none is: what the reader has to tell from pieces. Returns how many."""
    finder.eval()
    count, mid = 0, torch.tensor([SIZE / 2, SIZE / 2, 1.0], device=pictures.device)
    for index in range(pictures.count):
        plane = pictures.plane[index]
        x, y, z = torch.linalg.inv(plane) @ mid
        onto_mm = torch.eye(3, device=pictures.device) / PX_PER_MM
        onto_mm[:2, 2] = torch.stack([x, y]) / z - SIZE / 2 / PX_PER_MM
        onto_mm[2, 2] = 1.0
        view = pictures.cut(torch.tensor([index], device=pictures.device), (plane @ onto_mm)[None], SIZE)
        finds = decode(finder(view.contiguous(memory_format=torch.channels_last))[0].float().cpu().numpy())
        if not len(finds.top):
            continue
        shift = onto_mm[:2, 2].cpu().numpy()
        top, radius = finds.top / PX_PER_MM + shift, finds.radius / PX_PER_MM
        there = pictures.things[index][pictures.kind[index] < EMPTY].cpu().numpy()
        nearest = np.array([_apart(spot, there) for spot in top]).reshape(-1)
        corners = cv2.perspectiveTransform(top[None].astype(np.float64), plane.cpu().numpy().astype(np.float64))[0]
        false = (nearest > radius) & (corners > 0).all(axis=1) & (corners < SIZE - 1).all(axis=1)
        pictures.add_empty(index, np.column_stack([top, radius])[false].astype(np.float32))
        count += int(false.sum())
    return count


def _apart(spot: Array, things: Array) -> float:
    """How far a place is from the nearest of things (n, 7), from the line between foot and upper face, beyond half its radius."""
    if not len(things):
        return float("inf")
    top, way = things[:, TOP], things[:, FOOT] - things[:, TOP]
    along = np.clip(((spot - top) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), 1e-6), 0, 1)
    return float((np.linalg.norm(spot - top - along[:, None] * way, axis=1) - 0.5 * things[:, 4]).min())
