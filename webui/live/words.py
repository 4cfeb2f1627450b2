"""What may be done now, in a player's words, for buttons and lists."""

from __future__ import annotations

import re
from typing import Any

from engine.actions import Action
from engine.dominoids.game import State as Dominoids
from engine.engine191 import actions as engine191
from engine.euronimoes import actions as euronimoes
from engine.lines import actions as lines
from engine.lines.line import Line
from engine.pieces import Tile
from engine.solo import elimination, knock_out, solitaire
from engine.solo.common import Solo, Stop
from engine.state import State
from referee.dominoids_words import deed

WORDS: dict[type[Action], str] = {
    lines.Draw: "Draw a tile", lines.Pass: "Pass", lines.Claim: "Call the points", lines.Muggins: "Muggins: call the points",
    lines.Skip: "Let it go", engine191.Bid: "Put a tile face down", engine191.Draw: "Draw into the yard",
    engine191.Remove: "Remove track", engine191.End: "End the turn", engine191.Pass: "Pass",
}  # fmt: skip


IMPERATIVES = {"attacks": "attack", "does": "do"}


def as_written(words: str) -> str:
    """A sentence with its tiles as players write them.

    >>> as_written("Ann plays the 3-5; the -1 slot is empty.")
    'Ann plays the 3|5; the -1 slot is empty.'
    """
    return re.sub(r"\b(\d{1,2})-(\d{1,2})\b", r"\1|\2", words)


def tile_name(tile: Tile) -> str:
    """A tile as players write it.

    >>> tile_name(Tile(3, 5))
    '3|5'
    """
    return f"{tile.low}|{tile.high}" if tile.low >= 0 else "an unknown tile"


def button_words(action: Action, state: State | None = None) -> str:
    """An action as the words on its button, in the imperative; the solo games need the state to say which tiles."""
    if isinstance(state, Solo):
        return _solo_words(action, state)
    if isinstance(action, euronimoes.Buy):
        return f"Take the {chips_words(euronimoes.COSTS[action.slot])} tile"
    if isinstance(action, euronimoes.Draw):
        return "Draw from the bone pile"
    if isinstance(action, euronimoes.Stop):
        return "Keep the last tile"
    if isinstance(action, euronimoes.Play):
        return _grid_words(action)
    if isinstance(action, lines.Play):
        where = state.where(action.arm) if isinstance(state, Line) else f"on the {action.arm}"
        return f"{tile_name(action.tile)} " + ("first" if action.arm == "root" else as_written(where))
    if isinstance(action, engine191.Play):
        own = state is not None and action.line == state.turn
        where = "their own line" if own else f"the line of seat {action.line + 1}"
        swap = "" if action.replace is None else f"; {tile_name(action.replace)} takes its place in the yard"
        return f"{tile_name(action.tile)} on {where}{swap}"
    if isinstance(state, Dominoids):
        return _first_person(deed(action))
    return WORDS.get(type(action), str(action))


def call_words(action: Action, points: int, names: tuple[str, ...], who: int | None) -> str:
    """A call of points as the words on its button. who: the caller's name is needed there.

    >>> call_words(lines.CLAIM, 10, ("Ann", "Ben"), None), call_words(lines.Muggins(0), 10, ("Ann", "Ben"), 1)
    ('Call 10 points', 'Ben: muggins, Ann’s 10 points')
    """
    words = f"muggins, {names[action.seat]}’s {points} points" if isinstance(action, lines.Muggins) else f"call {points} points"
    return f"{names[who]}: {words}" if who is not None else words[0].upper() + words[1:]


def _first_person(words: str) -> str:
    """What somebody does as the words on a button.

    >>> _first_person("slides the 3-4 to a1–a2")
    'Slide the 3|4 to a1–a2'
    """
    verb, rest = words.split(" ", 1)
    return as_written(f"{IMPERATIVES.get(verb, verb.removesuffix('s')).capitalize()} {rest}")


def _solo_words(action: Action, state: Any) -> str:
    if isinstance(action, knock_out.Knock):
        after = state.copy()
        after.push(action)
        gone = [tile_name(Tile.of(*ends)) for ends in state.row if ends not in after.row]
        return f"Knock out {', '.join(gone[:-1])} and {gone[-1]}"
    if isinstance(action, elimination.Touch):
        return f"Say {state.count}, touch {tile_name(state.row[state.at])}: it {'leaves' if state.leaves else 'stays'}"
    if isinstance(action, solitaire.Move | solitaire.Cap):
        line = state.columns[action.source][-action.size :]
        what = tile_name(Tile.of(line[0].top, line[0].bottom)) + (f" and {len(line) - 1} below" if len(line) > 1 else "")
        if action.to is None:
            return f"{what} to a new column"
        over = isinstance(action, solitaire.Cap)
        other = state.columns[action.to][0 if over else -1]
        return f"{what} {'above' if over else 'under'} {tile_name(Tile.of(other.top, other.bottom))}"
    return "Stop here" if isinstance(action, Stop) else str(action)


def chips_words(cost: int) -> str:
    """A price: -1 is a chip gained."""
    if cost < 0:
        return "+1 chip"
    return "free" if cost == 0 else f"{cost} chip{'' if cost == 1 else 's'}"


def _grid_words(action: euronimoes.Play) -> str:
    (x0, y0), (x1, _) = action.cells
    lying = x1 > x0
    way = (
        f"{action.ends[0]} left, {action.ends[1]} right" if lying else f"{action.ends[0]} below, {action.ends[1]} above"
    )
    level = "" if action.level == 1 else f", on level {action.level}"
    return f"{tile_name(action.tile)} {'lying' if lying else 'standing'} at {x0}, {y0} ({way}){level}"
