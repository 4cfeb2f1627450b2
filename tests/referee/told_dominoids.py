"""Trials of Dominoids without a camera: the referee is also told of coins, dice and pawns, and where the mat lies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from calibration.mats import DICE_BOX
from referee.setting import Setting
from simulator.staging.dominoids import BOX
from simulator.tabletop.lying import Coin, Die, Pawn
from simulator.tabletop.simulated import Moment
from tests.referee.told import Faults, ToldTrial
from vision.observation import Observation, SeenPiece

SIDES = tuple(f"suit:{suit}" for suit in ("suns", "moons", "crowns", "arms"))
VALUES = tuple(f"value:{value}" for value in ("null", "ace", "2", "3", "4", "5"))


@dataclass(frozen=True, slots=True)
class PieceFaults(Faults):
    """unsure: share of the pieces that show something else half as likely as what they are."""

    unsure: float = 0.0


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
        track = self.tracks.setdefault(thing.name, len(self.tracks) + 1)
        if isinstance(thing, Coin):
            label = f"value:{thing.value}" if thing.value_up else f"suit:{thing.suit}"
            return SeenPiece(track, "coin", (thing.x, thing.y), 9.5, 0.0, self._labels(thing, label, SIDES + VALUES), 0.97)
        if isinstance(thing, Die):
            faces = tuple(f"{thing.suit}:{value.removeprefix('value:')}" for value in VALUES)
            label = f"{thing.suit}:{thing.face}"
            return SeenPiece(track, "die", (thing.x, thing.y), 6.4, 0.0, self._labels(thing, label, faces), 0.97)
        return SeenPiece(track, "pawn", (thing.x, thing.y), 8.0, 0.0, {thing.suit: 0.999, "other": 0.001}, 0.97)

    def _labels(self, thing: Coin | Die, label: str, others: tuple[str, ...]) -> dict[str, float]:
        """What it shows, and what else it might be where the camera is unsure of it."""
        faults = self.faults
        assert isinstance(faults, PieceFaults)
        chance = Random(f"{self.seed} {thing.name} {label} {thing.x:.1f} {thing.y:.1f}")
        rest = [each for each in others if each != label]
        if chance.random() < faults.unsure:
            return {label: 0.667, chance.choice(rest): 0.333}
        return {label: 0.999} | {each: 0.001 / len(rest) for each in rest}
