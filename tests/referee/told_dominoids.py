"""Trials of Dominoids without a camera: the referee is also told of coins, dice and pawns, and where the mat lies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np

from calibration.mats import DICE_BOX
from referee.setting import Setting
from simulator.staging.dominoids import BOX
from simulator.staging.setting import Setting as Staged
from simulator.tabletop.lying import Coin, Die, Pawn, Tabletop, Tile
from simulator.tabletop.simulated import Moment
from tests.referee.told import Faults, ToldTrial
from vision.observation import Kind, Observation, SeenPiece, SeenTile, TableState

SIDES = tuple(f"suit:{suit}" for suit in ("suns", "moons", "crowns", "arms"))
FACES = ("null", "ace", "2", "3", "4", "5")
VALUES = tuple(f"value:{value}" for value in FACES)


@dataclass(frozen=True, slots=True)
class PieceFaults(Faults):
    """unsure: share of the pieces that show something else half as likely as what they are."""

    unsure: float = 0.0


def observed(table: Tabletop, setting: Staged, unsure: str = "") -> Observation:
    """One still look at a table. unsure: the beginning of the name of a coin that may as well show another value."""
    tiles, pieces = [], []
    for track, thing in enumerate(table, 1):
        if isinstance(thing, Tile):
            rows = np.full((2, 16), 0.0002, np.float32)
            rows[0, thing.ends[0]] = rows[1, thing.ends[1]] = 0.997
            tiles.append(SeenTile(track, (thing.x, thing.y), thing.angle, setting.length, setting.width, thing.ends, rows, 0.99))
        elif isinstance(thing, Coin | Die | Pawn):
            labels = {_label(thing): 0.999}
            if unsure and thing.name.startswith(unsure) and isinstance(thing, Coin) and thing.value_up:
                labels = {value: 1 / len(VALUES) for value in VALUES}
            pieces.append(SeenPiece(track, _kind(thing), (thing.x, thing.y), 8.0, 0.0, labels, 0.97))
    return Observation(0.0, 0, TableState.READY, tuple(tiles), tuple(pieces), (), "mm", True)


def _kind(thing: Coin | Die | Pawn) -> Kind:
    return "coin" if isinstance(thing, Coin) else "die" if isinstance(thing, Die) else "pawn"


def _label(thing: Coin | Die | Pawn) -> str:
    if isinstance(thing, Coin):
        return f"value:{thing.value}" if thing.value_up else f"suit:{thing.suit}"
    return f"{thing.suit}:{thing.face}" if isinstance(thing, Die) else thing.suit


class ToldDominoids(ToldTrial):
    """A told trial of Dominoids."""

    faults = PieceFaults()

    def agreed(self) -> Setting:
        setting = super().agreed()
        slots = {name: (BOX[0] + slot.center[0] - DICE_BOX.width / 2, BOX[1] + slot.center[1] - DICE_BOX.height / 2)
                 for name, slot in DICE_BOX.slots.items()}
        return replace(setting, slots=slots)

    def lying(self, moment: Moment) -> Observation:
        """The same, and the pieces."""
        seen = super().lying(moment)
        pieces = tuple(self._piece(thing) for thing in moment.truth.tabletop if isinstance(thing, Coin | Die | Pawn))
        return replace(seen, pieces=pieces)

    def _piece(self, thing: Coin | Die | Pawn) -> SeenPiece:
        track, label = self.tracks.setdefault(thing.name, len(self.tracks) + 1), _label(thing)
        if isinstance(thing, Pawn):
            labels = {label: 0.999, "other": 0.001}
        else:
            others = SIDES + VALUES if isinstance(thing, Coin) else tuple(f"{thing.suit}:{face}" for face in FACES)
            labels = self._labels(thing, label, others)
        return SeenPiece(track, _kind(thing), (thing.x, thing.y), 8.0, 0.0, labels, 0.97 * max(labels.values()))

    def _labels(self, thing: Coin | Die, label: str, others: tuple[str, ...]) -> dict[str, float]:
        """What it shows, and what else it might be where the camera is unsure of it."""
        faults = self.faults
        assert isinstance(faults, PieceFaults)
        chance = Random(f"{self.seed} {thing.name} {label} {thing.x:.1f} {thing.y:.1f}")
        rest = [each for each in others if each != label]
        if chance.random() < faults.unsure:
            return {label: 0.667, chance.choice(rest): 0.333}
        return {label: 0.999} | {each: 0.001 / len(rest) for each in rest}
