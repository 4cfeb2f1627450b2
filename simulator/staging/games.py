"""The stage of every game, by the name that commands and pages use, and tables set for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.core import Flags
from engine.games import game as game_named
from simulator.piece_truth import sold
from simulator.staging.dominoids import DominoidsStage, cell_mm
from simulator.staging.engine191 import Engine191Stage
from simulator.staging.euronimoes import EuronimoesStage
from simulator.staging.lines import LineStage
from simulator.staging.mexican_train import MexicanTrainStage
from simulator.staging.players import Stage
from simulator.staging.setting import SEATS, Setting
from simulator.staging.solo import EliminationStage, KnockOutStage, SolitaireStage
from simulator.tabletop.look import Look

STAGES: Mapping[str, Callable[[Setting], Any]] = {
    "euronimoes": EuronimoesStage, "engine191": Engine191Stage, "dominoids": DominoidsStage, "block": LineStage,
    "all-fives": LineStage, "matador": LineStage, "one-arm-joe": LineStage, "knock-out": KnockOutStage,
    "elimination": EliminationStage, "solitaire": SolitaireStage, "mexican-train": MexicanTrainStage,
}  # fmt: skip

CELLS: Mapping[Callable[[Setting], Any], Callable[[Setting], float]] = {DominoidsStage: cell_mm}
"""Stages whose tiles have to fit into the cells of a board, and how wide those are, mm."""


def seat_counts(game: str) -> tuple[int, ...]:
    """For how many players such a table has places."""
    return tuple(count for count in game_named(game).SEATS if count in SEATS)


def set_table(game: str, players: int, seed: int, rules: Flags | None = None, **changes: Any) -> Setting:
    """A table set for a game by these rules, looking as `seed` says; `changes` are fields of `Setting`.

    Whoever measures draws seeds from `TESTING_SEEDS`.
    """
    highest = game_named(game)(rules, players).highest
    setting = replace(Setting(Look.of(seed, highest), players, seed % 1000, rails=seed % 3 == 0), **changes)
    size = CELLS.get(STAGES[game])
    return setting if size is None else replace(setting, look=setting.look.fitted(size(setting)))


def with_sold_pieces(game: str, setting: Setting, number: int) -> Setting:
    """The same table with a piecepack that is sold, and dominoes that fit its board; unchanged where a game needs none."""
    if STAGES[game] not in CELLS:
        return setting
    sold(setting.look, number)
    look = setting.look.fitted(cell_mm(setting))
    sold(look, number)
    return replace(setting, look=look)


def stage_of(game: str, setting: Setting) -> Stage:
    """What lays the states of a game on this table."""
    stage: Stage = STAGES[game](setting)
    return stage
