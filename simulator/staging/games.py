"""The stage of every game, by the name that commands and pages use, and tables set for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.core import Flags
from simulator.piece_truth import sold
from simulator.staging.dominoids import DominoidsStage, cell_mm
from simulator.staging.engine191 import Engine191Stage
from simulator.staging.euronimoes import EuronimoesStage
from simulator.staging.lines import LineStage
from simulator.staging.players import Stage
from simulator.staging.setting import Setting
from simulator.staging.solo import EliminationStage, KnockOutStage, SolitaireStage
from simulator.tabletop.look import Look

STAGES: Mapping[str, Callable[[Setting], Any]] = {
    "euronimoes": EuronimoesStage, "engine191": Engine191Stage, "dominoids": DominoidsStage, "block": LineStage,
    "all-fives": LineStage, "matador": LineStage, "one-arm-joe": LineStage, "knock-out": KnockOutStage,
    "elimination": EliminationStage, "solitaire": SolitaireStage,
}  # fmt: skip


def set_table(game: str, players: int, seed: int, rules: Flags | None = None, **changes: Any) -> Setting:
    """A table set for a game by these rules, looking as `seed` says; `changes` are fields of `Setting`.

    Whoever measures draws seeds from `TESTING_SEEDS`.
    """
    highest = 9 if game == "engine191" and players > 2 else getattr(rules, "set_max", 6)
    setting = replace(Setting(Look.of(seed, highest), players, seed % 1000, rails=seed % 3 == 0), **changes)
    return replace(setting, look=setting.look.fitted(cell_mm(setting))) if game == "dominoids" else setting


def with_sold_pieces(setting: Setting, number: int) -> Setting:
    """The same table with a piecepack that is sold, and dominoes that fit its board."""
    sold(setting.look, number)
    look = setting.look.fitted(cell_mm(setting))
    sold(look, number)
    return replace(setting, look=look)


def stage_of(game: str, setting: Setting) -> Stage:
    """What lays the states of a game on this table."""
    stage: Stage = STAGES[game](setting)
    return stage
