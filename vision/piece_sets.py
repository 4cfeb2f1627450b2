"""What the pieces of one owner's set look like to the reader: learnt from a short showing, kept in a small JSON file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.words import count, say
from vision.observation import Array, Kind

SUITS = ("suns", "moons", "crowns", "arms")
VALUES = ("null", "ace", "2", "3", "4", "5")
SUIT_WORDS: Mapping[str, str] = {"suns": say("suns"), "moons": say("moons"), "crowns": say("crowns"), "arms": say("arms")}
VALUE_WORDS: Mapping[str, str] = {"null": say("blank"), "ace": say("ace")} | {value: value for value in VALUES[2:]}
"""What people call them."""

CHIP_COLOURS = ("white", "red", "blue", "green", "black", "yellow", "orange", "purple", "pink", "grey", "brown")

Label = tuple[Kind, str]
"""A kind and a label as in `SeenPiece`: ("coin", "suit:suns"), ("die", "arms:3"), ("pawn", "moons"), ("chip", "red")."""

LABELS: Mapping[Kind, tuple[str, ...]] = {
    "coin": tuple(f"suit:{suit}" for suit in SUITS) + tuple(f"value:{value}" for value in VALUES),
    "die": tuple(f"{suit}:{value}" for suit in SUITS for value in VALUES),
    "pawn": SUITS,
    "chip": CHIP_COLOURS,
}
"""Everything that a piece may show, by kind."""

USUAL_RADIUS: Mapping[str, tuple[float, float]] = {
    "coin": (9.7, 0.2), "die": (7.5, 0.35), "pawn": (7.2, 0.35), "chip": (16.0, 0.3)}
"""Radius (half a die's side) in mm, and its spread in its logarithm, of the pieces that are sold."""


@dataclass(frozen=True, eq=False)
class PieceSet:
    """One set of pieces.

    prototypes: mean traits (d,) of what each side was seen to look like, length 1; without one a side is read as in
    the common editions. radius: by kind, mm and spread in its logarithm. chips: names of the chips' colours.
    common: how far the common editions' reading is to be believed beside the prototypes, 0..1. reader: the version of the
    reader to which it looks so; to another one it looks otherwise.
    """

    name: str = "common"
    prototypes: Mapping[Label, Array] = field(default_factory=dict)
    radius: Mapping[str, tuple[float, float]] = field(default_factory=lambda: USUAL_RADIUS)
    chips: tuple[str, ...] = CHIP_COLOURS
    common: float = 1.0
    reader: str = ""

    def labels(self, kind: Kind) -> tuple[str, ...]:
        """What pieces of a kind may show in this set."""
        return self.chips if kind == "chip" else LABELS[kind]

    def as_object(self) -> dict[str, Any]:
        """What `json.dumps` takes."""
        marks = {f"{kind} {label}": [round(float(v), 3) for v in traits] for (kind, label), traits in self.prototypes.items()}
        return {"name": self.name, "chips": list(self.chips), "radius": {kind: list(each) for kind, each in self.radius.items()},
                "common": self.common, "reader": self.reader, "prototypes": marks}

    @classmethod
    def from_object(cls, told: Mapping[str, Any]) -> PieceSet:
        """The inverse of `as_object`; ValueError where it is none."""
        try:
            marks = {_label(*key.split()): np.asarray(traits, np.float32) for key, traits in told["prototypes"].items()}
            radius = {str(kind): (float(mm), float(spread)) for kind, (mm, spread) in told["radius"].items()}
            return cls(str(told["name"]), marks, radius, tuple(map(str, told["chips"])), float(told["common"]),
                       str(told.get("reader", "")))
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise ValueError(repr(error)) from error

    def save(self, path: Path) -> None:
        """Write `path`, whole or not at all. Raises OSError."""
        beside = path.with_name(path.name + ".new")
        beside.write_text(json.dumps(self.as_object(), indent=1) + "\n", encoding="utf-8")
        beside.replace(path)

    @classmethod
    def load(cls, path: Path, reader: str) -> PieceSet:
        """A set from its file, for this version of the reader. ValueError where the file holds none or one that another version
        learnt, OSError where it cannot be read."""
        try:
            own = cls.from_object(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path.name} is not a set of pieces as `kibitz learn-set` writes it ({error}).") from error
        if own.reader != reader:
            raise ValueError(say("{file} was learnt by another version of the reader: show the set again.", file=path.name))
        return own


def _label(word: str, label: str) -> Label:
    for kind, labels in LABELS.items():
        if kind == word and (kind == "chip" or label in labels):
            return kind, label
    raise ValueError(f"no piece shows {word} {label}")


def label_words(kind: str, label: str) -> str:
    """A piece as people call it: the die of suns that shows a 3."""
    first, _, second = label.partition(":")
    if kind == "die":
        return say("die of {suit}, {value}", suit=SUIT_WORDS[first], value=VALUE_WORDS[second])
    if kind == "pawn":
        return say("pawn of {suit}", suit=SUIT_WORDS[label])
    if kind == "chip":
        return say("{colour} chip", colour=label)
    return say("coin of {suit}", suit=SUIT_WORDS[second]) if first == "suit" else say("coin, {value}", value=VALUE_WORDS[second])


COMMON = PieceSet()
"""The reader's own knowledge: the suits and values of the common editions, chips by the names of their colours."""


@dataclass(frozen=True, slots=True)
class Step:
    """One picture of a showing: what to lay before the camera, and what that shows. Others of the set stay away."""

    words: str
    shown: tuple[Label, ...]


def showing(chips: Sequence[str] = (), dice: bool = True, pawns: bool = True) -> tuple[Step, ...]:
    """The steps of a showing. Where several pieces are shown at once, they lie in a row, in the order named."""
    steps = [
        Step(say("Lay one coin of each suit side by side, its suit up: suns, moons, crowns, arms."),
             tuple(("coin", f"suit:{suit}") for suit in SUITS)),
        Step(say("Lay six coins side by side, their values up: blank, ace, 2, 3, 4, 5."),
             tuple(("coin", f"value:{value}") for value in VALUES)),
    ]
    if dice:
        steps += [
            Step(say("Lay the four dice side by side, {value} up: suns, moons, crowns, arms.", value=words),
                 tuple(("die", f"{suit}:{value}") for suit in SUITS))
            for value, words in VALUE_WORDS.items()
        ]
    if pawns:
        steps.append(Step(say("Set the four pawns side by side: suns, moons, crowns, arms."),
                          tuple(("pawn", suit) for suit in SUITS)))
    if chips:
        steps.append(Step(say("Lay one chip of each colour side by side: {chips}.", chips=", ".join(chips)),
                          tuple(("chip", chip) for chip in chips)))
    return tuple(steps)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How one piece of a showing was seen: what it is, its traits (d,), its radius in mm, what the common reading was."""

    label: Label
    traits: Array
    radius: float
    common: str


def learn(name: str, looks: Iterable[Look], chips: Sequence[str], reader: str = "") -> PieceSet:
    """The set that was shown to this version of a reader; each side is best seen two or three times, turned and elsewhere."""
    seen = list(looks)
    by_label: dict[Label, list[Array]] = {}
    for look in seen:
        by_label.setdefault(look.label, []).append(look.traits)
    prototypes = {label: _mean(traits) for label, traits in by_label.items()}
    radius = dict(USUAL_RADIUS)
    for kind in LABELS:
        sizes = np.log([look.radius for look in seen if look.label[0] == kind])
        if len(sizes):
            radius[kind] = (float(np.exp(np.median(sizes))), max(0.05, float(sizes.std())))
    marked = [look for look in seen if look.label[0] != "chip"]
    right = sum(look.common == look.label[1] for look in marked) / max(1, len(marked))
    return PieceSet(name, prototypes, radius, tuple(chips), max(0.0, 2 * right - 1) ** 2, reader)


def _mean(traits: Sequence[Array]) -> Array:
    total = np.sum(traits, axis=0)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-6), np.float32)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a second showing read wrongly: what was laid, what was read, how often of how often."""

    laid: Label
    read: str
    times: int
    of: int

    def __str__(self) -> str:
        return count(self.times, "{Laid} was read as {read} (once of {of}): the two look alike.",
                     "{Laid} was read as {read} ({number} times of {of}): the two look alike.",
                     Laid=label_words(*self.laid), read=label_words(self.laid[0], self.read), of=self.of)


def doubts(readings: Iterable[tuple[Label, str]]) -> list[Doubt]:
    """What a second showing read wrongly: (what was laid, the label that was read) each."""
    every: dict[Label, Counter[str]] = {}
    for laid, read in readings:
        every.setdefault(laid, Counter())[read] += 1
    return [Doubt(laid, read, times, counts.total()) for laid, counts in every.items()
            for read, times in counts.items() if read != laid[1]]
