"""Games that are entered by hand: no camera reads their table, and whatever it sees means nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.actions import Action
from engine.pieces import Tile
from engine.state import State
from referee.reading import Breach, Difference, Expected, Proposal, Reading
from referee.setting import Setting
from vision.observation import Observation

Words = Callable[[State, Action], str]


class ByHandReader:
    """Stands where a game's reader stands. words: what an action is, in plain words; why: what is told where a camera looks."""

    open_deal = False
    unread: Any = None

    def __init__(self, setting: Setting, words: Words, why: str) -> None:
        self.setting, self._words, self.why = setting, words, why

    def read(self, seen: Observation, state: State, memory: Any) -> tuple[Reading, Any]:
        """Nothing, whatever lies there."""
        return Reading({}), memory

    def expected(self, state: State, reading: Reading) -> Expected:
        """Nothing is looked for."""
        return Expected({})

    def proposals(self, state: State, reading: Reading) -> list[Proposal]:
        """None."""
        return []

    def breaches(self, state: State, reading: Reading) -> list[Breach]:
        """None."""
        return []

    def unready(self, state: State, reading: Reading) -> list[str]:
        """The camera begins no game."""
        return [self.why]

    def advice(self, state: State, reading: Reading) -> list[str]:
        """None."""
        return []

    def revokes(self, state: State, show: Action) -> list[str]:
        """None: where hands are shown at last the engine knows."""
        return []

    def words(self, state: State, action: Action) -> str:
        """As a player would say it."""
        return self._words(state, action)

    def step(self, difference: Difference, state: State) -> str:
        """Never asked: nothing differs."""
        raise AssertionError(f"nothing was looked for, and {difference.kind} was found")

    def drawing(self, state: State) -> dict[str, Any]:
        """As the exchange form has it."""
        return {"kind": state.game, "text": state.text()}

    def places(self, state: State, tile: Tile, seat: int | None = None) -> list[dict[str, Any]]:
        """Each action with that tile."""
        return [{"action": str(action)} for action in state.legal() if getattr(action, "tile", None) == tile]
