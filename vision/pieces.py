"""Finds and reads piecepack coins, dice, pawns and chips on a calibrated table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import cv2
import numpy as np

from calibration.profile import Profile, TableView
from vision.degrees import EVEN, LIKELY, MOST, NEARLY_ALL, SOME, SURE
from vision.frame import Image
from vision.network import Network
from vision.observation import Array, Kind
from vision.piece_crops import cut, unwrapped
from vision.piece_finds import APART, Finds, decode, stood
from vision.piece_kinds import FORM_OF, NOTHING, SUIT_SIDE, VALUE_SIDE, Scores, weighed
from vision.piece_sets import CHIP_COLOURS, COMMON, SUITS, VALUES, PieceSet
from vision.reader import MODELS

Box = tuple[float, float, float, float]

PX_PER_MM = 1.0
"""Scale of the table view in which pieces are looked for."""

KINDS: tuple[Kind, ...] = ("coin", "die", "pawn", "chip")

FLAT: tuple[Kind, ...] = ("coin", "chip")

MARGIN_MM = 48.0
"""How far beyond a region the finder looks, so that it sees what stands at its edge."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundPiece:
    """A piece in one picture; lengths in millimetres of the table frame.

    center: middle of its foot. top: where its upper face appears against the table. radius: of a disc or a pawn's foot, or
    half a die's side. labels: probability by label, as in `SeenPiece`. there: probability that a piece of this kind is
    there. traits: (d,) how it looks, as `piece_sets.learn` wants it. instead: the likeliest of the other kinds there.
    """

    kind: Kind
    center: tuple[float, float]
    top: tuple[float, float]
    radius: float
    labels: Mapping[str, float]
    there: float
    traits: Array
    instead: FoundPiece | None = None

    @property
    def label(self) -> str:
        """The most likely label."""
        return max(self.labels, key=self.labels.__getitem__)

    @property
    def score(self) -> float:
        """Probability that it is there and its label right."""
        return self.there * max(self.labels.values())


def _softmax(scores: Array, temperature: float) -> Array:
    scaled = (scores - scores.max(axis=-1, keepdims=True)) / np.float32(temperature)
    odds = np.exp(scaled)
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True), np.float32)


def version(models: Path = MODELS) -> str:
    """Of the reader of pieces: a set that one version learnt looks otherwise to another."""
    return str(json.loads((models / "pieces.json").read_text(encoding="utf-8"))["version"])


class PieceReader:
    """Finds and reads pieces. One reader serves one thread at a time; it keeps the view of the profile it saw last.

    threads: processor threads of the networks. models: folder with `pieces.onnx`, `piece_marks.onnx`, `pieces.json`.
    Raises FileNotFoundError where a model file is missing.
    """

    def __init__(self, threads: int = 2, models: Path | None = None) -> None:
        folder = models or MODELS
        self._finder = Network(folder / "pieces.onnx", threads)
        self._marks = Network(folder / "piece_marks.onnx", threads)
        card = json.loads((folder / "pieces.json").read_text())
        self.version = version(folder)
        self._warmth: Mapping[str, float] = card["temperatures"]
        self._presence: Mapping[str, float] = card["presence"]
        self._view: TableView | None = None

    def read(self, image: Image, profile: Profile, pieces: PieceSet = COMMON, region: Box | None = None,
             kinds: Sequence[Kind] = KINDS, least: float = EVEN) -> list[FoundPiece]:
        """Every piece in a picture, (h, w, 3) uint8 BGR, of the profile's camera.

        region: (x0, y0, x1, y1) millimetres; only pieces whose foot stands in it are looked for and told. kinds: what may
        lie there. least: what is less likely to be there at all is not told.
        """
        kinds = tuple(kind for kind in kinds if kind != "chip" or pieces.chips)
        finds, forms = self.look(image, profile, kinds, region)
        named = [(k, kind, there) for k in range(len(finds.objectness)) for kind, there
                 in self._kinds(finds, forms, k, pieces, kinds).items() if there >= SOME * least]  # as what is there instead
        told, stood_as = [], {form: finds.of_form(form) for form in forms}
        for k, kind, there in named:
            as_such, scores = stood_as[FORM_OF[kind]], forms[FORM_OF[kind]]
            (x, y), (x_top, y_top), radius = as_such.foot[k].tolist(), as_such.top[k].tolist(), float(as_such.radius[k])
            labels = label_odds(kind, scores, k, pieces, self._warmth)
            told.append(FoundPiece(kind, (x, y), (x_top, y_top), radius, labels, there, scores.traits[k]))
        return [piece for piece in solid(told) if piece.there >= least]

    def look(self, image: Image, profile: Profile, kinds: Sequence[Kind],
             region: Box | None = None) -> tuple[Finds, dict[int, Scores]]:
        """Where pieces of these kinds may stand, and what the reader says of it by the form that it is taken for."""
        finds = stood(self.find(image, profile, region), profile)
        (x, y), (x0, y0, x1, y1) = finds.foot.T, region or profile.area
        finds = finds.take((x >= x0) & (y >= y0) & (x <= x1) & (y <= y1))
        if len(finds.objectness) == 0:
            return finds, {}
        forms = sorted({FORM_OF[kind] for kind in kinds})
        return finds, {form: self._scores(image, profile, finds.of_form(form)) for form in forms}

    def _kinds(self, finds: Finds, forms: Mapping[int, Scores], k: int, pieces: PieceSet,
               kinds: Sequence[Kind]) -> dict[Kind, float]:
        """The probability of each kind that find k is a piece of it."""
        alike = {kind: kind_odds(forms[FORM_OF[kind]].traits[k], pieces, self._warmth).get(kind, 1.0) for kind in kinds}
        every = weighed(finds, forms, k, pieces, kinds, alike)
        return {kind: each.there(kind, self._presence) for kind, each in every.items()}

    def find(self, image: Image, profile: Profile, region: Box | None = None) -> Finds:
        """Where pieces may stand, in millimetres; nothing of what they show."""
        view = self._view_of(profile)
        x0, y0, x1, y1 = 0, 0, view.width, view.height
        if region is not None:
            low, high = view.to_view(np.array([region[:2], region[2:]], np.float64))
            margin = MARGIN_MM * PX_PER_MM
            x0, y0 = (int(v) for v in np.clip(low - margin, 0, (view.width - 16, view.height - 16)))
            x1, y1 = (int(v) for v in np.clip(high + margin, (x0 + 16, y0 + 16), (view.width, view.height)))
        picture = view.of(image, (x0, y0, x1, y1))
        picture = cv2.copyMakeBorder(picture, 0, -picture.shape[0] % 16, 0, -picture.shape[1] % 16, cv2.BORDER_CONSTANT)
        finds = decode(self._finder.run(picture[None])[0])

        def to_table(points: Array) -> Array:
            return view.to_table(points.astype(np.float64) + (x0, y0)).astype(np.float32)

        return replace(finds, top=to_table(finds.top), foot=to_table(finds.foot), radius=finds.radius / np.float32(PX_PER_MM))

    def _view_of(self, profile: Profile) -> TableView:
        if self._view is None or self._view.profile is not profile:
            self._view = TableView(profile, PX_PER_MM)
        return self._view

    def _scores(self, image: Image, profile: Profile, finds: Finds) -> Scores:
        """What the network says of each find, as probabilities."""
        crops = unwrapped(cut(image, profile, finds.sized(NEARLY_ALL)))  # seen small, things seem larger than they are
        raw = np.concatenate([self._marks.run(crops[i : i + 64]) for i in range(0, len(crops), 64)])
        parts = np.cumsum([NOTHING + 1, len(SUITS), len(VALUES), len(CHIP_COLOURS)])
        *scores, traits = np.split(raw, parts, axis=1)
        warmth = (self._warmth[what] for what in ("kind", "suit", "value", "colour"))
        kinds, suits, values, colours = map(_softmax, scores, warmth)
        return Scores(kinds, suits, values, colours, traits / np.linalg.norm(traits, axis=1, keepdims=True))


def read_well(piece: FoundPiece) -> bool:
    """Whether a further look at it would hardly tell another label: of a chip, its colour is all that it shows."""
    return piece.score >= (LIKELY if piece.kind == "chip" else SURE)


def kind_odds(traits: Array, pieces: PieceSet, warmth: Mapping[str, float]) -> dict[Kind, float]:
    """How much more like the set's pieces of each kind something looks than like those of the others; none unlearnt."""
    alike: dict[Kind, float] = {}
    for (kind, _), own in pieces.prototypes.items():
        alike[kind] = max(alike.get(kind, -1.0), float(own @ traits))
    best = max(alike.values(), default=0.0)
    return {kind: float(np.exp((own - best) * warmth["sharpness"])) + 1e-3 for kind, own in alike.items()}


def solid(pieces: list[FoundPiece]) -> list[FoundPiece]:
    """The pieces without those that stand within a surer one: a pawn's head is none of its own. Discs may overlap a little.

    The surest of another kind that stands within a piece is what may be there instead.
    """
    kept: list[FoundPiece] = []
    for piece in sorted(_upper(pieces), key=lambda each: -each.score):
        met = next((at for at, other in enumerate(kept) if _within(piece, other)), None)
        if met is None:
            kept.append(piece)
        elif kept[met].instead is None and kept[met].kind != piece.kind:
            kept[met] = replace(kept[met], instead=piece)
    return kept


def _upper(pieces: list[FoundPiece]) -> list[FoundPiece]:
    """The same, where a die that stands half its width or more before another, and within it, is the less likely one the likelier
    the other is: the camera sees a side of the die there, which shows a number, too."""
    dice = [piece for piece in pieces if piece.kind == "die"]

    def shows_side_of(piece: FoundPiece, other: FoundPiece) -> bool:
        towards_camera = np.subtract(other.center, other.top)
        before = np.subtract(piece.center, other.center) @ towards_camera
        return bool(before > other.radius * np.linalg.norm(towards_camera)) and _within(piece, other)

    return [replace(piece, there=piece.there * prod(1 - other.there for other in dice if shows_side_of(piece, other)))
            if piece.kind == "die" else piece for piece in pieces]


def _within(piece: FoundPiece, other: FoundPiece) -> bool:
    """Whether their feet are nearer to each other than those of two pieces can be: by most of both radii together."""
    flat = piece.kind in FLAT and other.kind in FLAT
    apart = np.hypot(piece.center[0] - other.center[0], piece.center[1] - other.center[1])
    return bool(apart <= (APART if flat else MOST) * (piece.radius + other.radius))


def label_odds(kind: Kind, scores: Scores, k: int, pieces: PieceSet, warmth: Mapping[str, float]) -> dict[str, float]:
    """Probability of each label of a kind: what common editions would mean, and how like the set's own pieces it looks."""
    names = pieces.labels(kind)
    common = np.array([_common_odds(kind, name, scores, k) for name in names]) + 1e-4
    known = [name for name in names if (kind, name) in pieces.prototypes]
    if len(known) < len(names):
        odds = common
    else:
        own = np.array([float(pieces.prototypes[(kind, name)] @ scores.traits[k]) for name in names])
        odds = np.exp((own - own.max()) * warmth["sharpness"]) * common ** pieces.common
    odds = odds / odds.sum()
    return {name: float(p) for name, p in zip(names, odds, strict=True)}


def _common_odds(kind: str, label: str, scores: Scores, k: int) -> float:
    if kind == "chip":
        return float(scores.colours[k, CHIP_COLOURS.index(label)]) if label in CHIP_COLOURS else 0.0
    if kind == "pawn":
        return float(scores.suits[k, SUITS.index(label)])
    first, second = label.split(":")
    if kind == "die":
        return float(scores.suits[k, SUITS.index(first)] * scores.values[k, VALUES.index(second)])
    if first == "suit":
        return float(scores.kinds[k, SUIT_SIDE] * scores.suits[k, SUITS.index(second)])
    return float(scores.kinds[k, VALUE_SIDE] * scores.values[k, VALUES.index(second)])


def upper_faces(pieces: Sequence[FoundPiece], profile: Profile) -> Array:
    """(n, 4, 2) squares around their upper faces in the picture, pixels."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
    places = np.array([np.array(piece.top) + piece.radius * square for piece in pieces], np.float64).reshape(-1, 2)
    return np.asarray(profile.to_picture(places).reshape(-1, 4, 2), np.float32)
