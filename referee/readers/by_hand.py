"""Games that are entered by hand: no camera reads their table, and whatever it sees means nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.actions import Action
from engine.dominoids import actions as dominoids
from engine.pieces import Tile
from engine.state import State
from referee.dominoids_words import deed, face_name
from referee.reading import Breach, Difference, Expected, Factory, Proposal, Reader, Reading
from referee.setting import Setting
from vision.observation import Observation

Words = Callable[[State, Action], str]


class ByHandReader:
    """Stands where a game's reader stands. words: what an action is, in plain words; why: what is told where a camera looks."""

    open_deal = False
    unread: Any = None

    def __init__(self, setting: Setting, words: Words, why: str) -> None:
        self.setting, self._words, self._why = setting, words, why

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
        return [self._why]

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


def spinners_by_hand(reader: Factory) -> Factory:
    """The same reader, but where a line has spinners it only lends its words."""

    def made(setting: Setting) -> Reader:
        read = reader(setting)
        if setting.rules.values()["spinner"] == "none":
            return read
        return ByHandReader(setting, read.words, "A line with a spinner is entered by hand: tap “Enter a play”.")

    return made


def dominoids_reader(setting: Setting) -> ByHandReader:
    """The reader of Dominoids."""
    names = setting.names

    def words(state: State, action: Action) -> str:
        if isinstance(action, dominoids.Deal):
            return f"The board is set up; {names[action.first]} begins."
        name = names[state.turn] if state.turn is not None else "Somebody"
        if isinstance(action, dominoids.TurnCoin):
            return f"The coin of {dominoids.SUITS[action.suit]} shows {face_name(action.value)}."
        return f"{name} {deed(action)}."

    return ByHandReader(setting, words, "Dominoids is entered by hand: tap “Enter a play”.")
