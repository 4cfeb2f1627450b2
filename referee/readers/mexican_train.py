"""Mexican Train is entered by hand: no camera reads its table yet; here is how it is told."""

from __future__ import annotations

from engine.actions import Action
from engine.mexican_train.actions import Deal, Draw, End, Pass, Play, Show
from engine.mexican_train.game import State
from engine.state import State as AnyState
from referee.readers.by_hand import ByHandReader
from referee.setting import Setting


def mexican_train_reader(setting: Setting) -> ByHandReader:
    """The reader of Mexican Train, which sees nothing."""
    names = setting.names

    def words(state: AnyState, action: Action) -> str:
        assert isinstance(state, State)
        name = names[state.turn] if state.turn is not None else "Somebody"
        match action:
            case Play(tile, train):
                double = ", a double" if tile.is_double else ""
                return f"{name} lays the {tile} on {train_name(state, train, names)}{double}."
            case Draw():
                return f"{name} draws a tile."
            case Pass():
                return f"{name} passes" + ("." if state.marked[state.turn or 0] else "; a marker opens this train.")
            case End():
                return f"{name} ends the turn."
            case Deal():
                engine = state.engine - (state.starter is not None)
                return f"The {engine}-{engine} is the engine; the tiles are dealt; {names[action.starter]} begins."
            case Show(seat, tiles):
                return f"{names[seat]} shows {', '.join(map(str, tiles))}."
        return f"{name}: {action}."

    return ByHandReader(setting, words, "Mexican Train is entered by hand: tap “Enter a play”.")


def train_name(state: State, train: int, names: tuple[str, ...]) -> str:
    """Whose train it is."""
    if train == state.mexican:
        return "the Mexican train"
    return "their own train" if train == state.turn else f"{names[train]}'s train"
