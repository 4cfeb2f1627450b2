"""Mexican Train is entered by hand: no camera reads its table yet; here is how it is told."""

from __future__ import annotations

from engine.actions import Action
from engine.mexican_train.actions import Deal, Draw, End, Pass, Play, Show
from engine.mexican_train.game import State
from engine.pieces import Tile
from engine.state import State as AnyState
from engine.words import joined, say
from referee.readers.by_hand import ByHandReader
from referee.setting import Setting


def mexican_train_reader(setting: Setting) -> ByHandReader:
    """The reader of Mexican Train, which sees nothing."""
    names = setting.names

    def words(state: AnyState, action: Action) -> str:
        assert isinstance(state, State)
        name = names[state.turn] if state.turn is not None else say("Somebody")
        match action:
            case Play(tile, train):
                values = {"name": name, "tile": tile, "train": train_name(state, train, names)}
                if tile.is_double:
                    return say("{name} lays the {tile} on {train}, a double.", **values)
                return say("{name} lays the {tile} on {train}.", **values)
            case Draw():
                return say("{name} draws a tile.", name=name)
            case Pass():
                if state.marked[state.turn or 0]:
                    return say("{name} passes.", name=name)
                return say("{name} passes; a marker opens this train.", name=name)
            case End():
                return say("{name} ends the turn.", name=name)
            case Deal():
                engine = state.engine - (state.starter is not None)
                return say("The {tile} is the engine; the tiles are dealt; {name} begins.", tile=Tile(engine, engine),
                           name=names[action.starter])
            case Show(seat, tiles):
                return say("{name} shows {tiles}.", name=names[seat], tiles=joined(tiles, ", "))
        return f"{name}: {action}."

    return ByHandReader(setting, words, say("Mexican Train is entered by hand: tap “Enter a play”."))


def train_name(state: State, train: int, names: tuple[str, ...]) -> str:
    """Whose train it is."""
    if train == state.mexican:
        return say("the Mexican train")
    return say("their own train") if train == state.turn else say("{name}'s train", name=names[train])
