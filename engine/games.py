"""The games there are, by the name that commands and pages use."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core import MalformedError
from engine.dominoids import game as dominoids
from engine.engine191 import game as engine191
from engine.euronimoes import game as euronimoes
from engine.lines import all_fives, block, matador, one_arm_joe
from engine.mexican_train import game as mexican_train
from engine.solo import elimination, knock_out, solitaire
from engine.state import State

GAMES: Mapping[str, type[State]] = {state.game: state for state in (
    euronimoes.State, engine191.State, dominoids.State, block.State, all_fives.State, matador.State, one_arm_joe.State,
    knock_out.State, elimination.State, solitaire.State,
    mexican_train.State,
)}

MOST_SEATS = max(max(state.SEATS) for state in GAMES.values())
"""No game is for more players."""


def game(name: str) -> type[State]:
    """The `State` class of a game; MalformedError for a name that is no game."""
    try:
        return GAMES[name]
    except KeyError:
        raise MalformedError(f"no game {name!r} (there are: {', '.join(GAMES)})") from None


def state_from_text(text: str) -> State:
    """The state of a text that names its game first."""
    return game(text.split(" ", 1)[0]).from_text(text)
