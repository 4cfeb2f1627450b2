"""What the page asks where chance has acted and no camera saw it, and what the answers mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from engine.actions import Action
from engine.core import UNKNOWN
from engine.dominoids import actions as dominoids
from engine.dominoids.actions import SUITS
from engine.dominoids.game import State as Dominoids
from engine.engine191 import actions as engine191
from engine.engine191.game import State as Engine191
from engine.euronimoes import actions as euronimoes
from engine.euronimoes.game import State as Euronimoes
from engine.lines import actions as lines
from engine.lines.line import Line
from engine.pieces import DOUBLE_SIX, Tile
from engine.solo import elimination, knock_out, solitaire
from engine.solo.common import Solo
from engine.state import State

FACES = 6
"""Of a die: blank, ace and 2 to 5."""

JsonObject = dict[str, Any]
Half = tuple[int, int]

CHANCES = {
    "deal": "Deal the tiles.", "refill": "Which tile came to the market?", "show": "Show the hands.",
    "turn-up": "Turn the tile over.", "reveal": "Show the bids.", "shuffle": "Turn the scrap over and shuffle it.",
    "roll": "Roll the dice that were used.", "coin": "Turn the coin up.",
}  # fmt: skip

TOLD = {"reveal": ("Which tiles were bid? The first seat's first.", 0), "turn-up": ("Which tile was drawn into the yard?", 1)}
"""What is asked where Engine 191 waits for tiles to be turned up, and how many; 0 for one of every seat."""

LAID = {
    "knock-out": "How does the line lie, from left to right?",
    "elimination": "How does the row lie, from left to right?",
    "solitaire": "Which tiles lie open, from the longest column to the shortest?",
}  # fmt: skip


def wanted(state: State, names: tuple[str, ...]) -> JsonObject | None:
    """What chance has done and has to be told by hand where no camera sees it.

    tiles: those to choose from, `count` of them. turned: it matters which end comes first. shuffled: what the button says by
    which the page deals or throws instead. starters: the names of those of whom one begins. options: of each thing that is
    to be told its name, and the numbers it may be with their words.
    """
    chance = state.chance
    if not chance:
        return None
    if isinstance(state, Solo):
        return _of_one_player(state)
    if chance == "show" and isinstance(state, Line | Engine191):
        seat = next(seat for seat, hand in enumerate(state.hands) if UNKNOWN in hand)
        count = state.hands[seat].count(UNKNOWN)
        words = f"Which {'tile does' if count == 1 else f'{count} tiles does'} {names[seat]} show?"
        return _asked("show", words, state.unseen(), count) | {"seat": seat}
    if isinstance(state, Engine191):
        if chance in TOLD:
            words, count = TOLD[chance]
            return _asked("tell", words, state.unseen(), count or state.players)
        return _asked("deal", CHANCES[chance])
    if isinstance(state, Dominoids):
        return _of_dominoids(state, names)
    if isinstance(state, Euronimoes) and chance == "refill":
        return _asked("refill", CHANCES[chance], state.unseen(), 1)
    if chance == "deal":
        if isinstance(state, Euronimoes):
            words = "Who begins? And which five tiles lie on the market, the cheapest first?"
            return _asked("deal", words, state.kit, 5) | {"starters": list(names)}
        return _asked("deal", "Who leads?") | {"starters": list(names)}
    return None


def _of_one_player(state: Solo) -> JsonObject:
    if state.chance == "turn-up" and isinstance(state, solitaire.State):
        words = "How does the tile read that was turned up, from above?"
        return _asked("tell", words, state.unseen(), 1) | {"turned": True, "shuffled": "Turn one up for me"}
    count = solitaire.COLUMNS if isinstance(state, solitaire.State) else len(DOUBLE_SIX)
    return _asked("lay", LAID[state.game], DOUBLE_SIX, count) | {
        "turned": not isinstance(state, elimination.State), "shuffled": "Shuffle and deal for me"}  # fmt: skip


def _of_dominoids(state: Dominoids, names: tuple[str, ...]) -> JsonObject:
    if state.chance == "deal":
        words = "Who begins? Kibitz deals: then lay the table as it is drawn, the coins with their values down."
        return _asked("deal", words) | {"starters": list(names), "shuffled": "Deal"}
    if state.chance == "coin":
        suit = state.waiting()
        return _asked("tell", f"Which value has the coin of {SUITS[suit]}?") | {
            "options": [_option(SUITS[suit], state.left_on(suit))]}  # fmt: skip
    dice = [SUITS[die] for die in state.picked]
    return _asked("tell", f"Roll the dice of {' and '.join(dice)}. What do they show?") | {
        "options": [_option(die, range(FACES)) for die in dice], "shuffled": "Throw them for me"}  # fmt: skip


def _option(name: str, values: Iterable[int]) -> JsonObject:
    return {"name": name, "choices": [{"value": value, "words": ("blank", "ace")[value] if value < 2 else str(value)}
                                      for value in values]}  # fmt: skip


def _asked(kind: str, words: str, tiles: Iterable[Tile] = (), count: int = 0) -> JsonObject:
    return {"kind": kind, "words": words, "tiles": [list(tile) for tile in sorted(set(tiles))], "count": count}


def chance_action(state: State, halves: Sequence[Half], starter: int, numbers: Sequence[int] = (), rng: Random | None = None,
                  ) -> Action:
    """The action of chance that was told by hand; hidden tiles stay unknown. ValueError where these tiles tell nothing.

    halves: both ends of each tile in the order in which they were told. numbers: of the options what was chosen of each.
    rng: shuffles and throws where the page does.
    """
    if isinstance(state, Solo):
        return _solo_chance(state, halves, rng or Random())
    if isinstance(state, Dominoids):
        return _dominoids_chance(state, starter, numbers, rng or Random())
    if state.chance in ("refill", "turn-up") and len(halves) != 1:
        raise ValueError("Name the one tile that was turned up.")
    tiles = tuple(Tile.of(*ends) for ends in halves)
    if isinstance(state, Euronimoes):
        if state.chance == "refill":
            return euronimoes.Refill(tiles[0])
        pile = len(state.kit) - len(tiles) - 3 * state.players
        return euronimoes.Deal(((UNKNOWN,) * 3,) * state.players, tiles, (UNKNOWN,) * pile, starter)
    if isinstance(state, Engine191):
        return _engine191_chance(state, tiles, starter)
    if not isinstance(state, Line):
        raise ValueError("Nothing can be told of that by hand.")
    if state.chance == "show":
        return lines.Show(starter, tiles)
    size = state.kit.hand
    boneyard = len(state.kit.tiles) - size * state.players
    return lines.Deal(((UNKNOWN,) * size,) * state.players, (UNKNOWN,) * boneyard, starter)


def _engine191_chance(state: Engine191, tiles: tuple[Tile, ...], seat: int) -> Action:
    if state.chance == "reveal":
        return engine191.Reveal(tiles)
    if state.chance == "turn-up":
        return engine191.TurnUp(tiles[0])
    if state.chance == "shuffle":
        return engine191.Shuffle((UNKNOWN,) * len(state.scrap))
    if state.chance == "show":
        return engine191.Show(seat, tiles)
    size = engine191.HAND[state.players]
    return engine191.Deal(((UNKNOWN,) * size,) * state.players, (UNKNOWN,) * (len(state.kit) - size * state.players))


def _dominoids_chance(state: Dominoids, starter: int, numbers: Sequence[int], rng: Random) -> Action:
    if state.chance == "deal":
        return replace(state.public(state.random_chance(rng)), first=starter)  # type: ignore[type-var]
    if state.chance == "coin":
        if len(numbers) != 1:
            raise ValueError("Say the value of the coin.")
        return dominoids.TurnCoin(state.waiting(), numbers[0])
    if not numbers:
        return state.random_chance(rng)
    if len(numbers) != len(state.picked):
        raise ValueError("Say what each of the dice shows.")
    return dominoids.Roll(tuple(numbers))


def _solo_chance(state: Solo, halves: Sequence[Half], rng: Random) -> Action:
    """How the tiles of a game for one player lie; without any, as they come out of a shuffle. What lies face down nobody knows,
    Kibitz neither: it is drawn by chance when it is turned up."""
    if not halves:
        return state.public(state.random_chance(rng))
    if state.chance == "turn-up":
        if len(halves) != 1:
            raise ValueError("Name the one tile that was turned up.")
        return solitaire.TurnUp(*halves[0])
    if isinstance(state, knock_out.State):
        return knock_out.Deal(tuple(halves))
    if isinstance(state, elimination.State):
        return elimination.Deal(tuple(Tile.of(*ends) for ends in halves))
    if len(halves) != solitaire.COLUMNS:
        raise ValueError("Name the seven tiles that lie open.")
    down = ((UNKNOWN.low, UNKNOWN.high),)
    heights = range(solitaire.COLUMNS, 0, -1)
    columns = tuple(down * (height - 1) + (ends,) for height, ends in zip(heights, halves, strict=True))
    return solitaire.Deal(columns, solitaire.FLIPS[0])


def halves_of(texts: Iterable[str]) -> tuple[Half, ...]:
    """Both ends of tiles from texts like `5-3`, the first end first; ValueError for anything else."""
    return tuple(_half(text) for text in texts)


def _half(text: str) -> Half:
    tile = Tile.parse(text)
    return (tile.low, tile.high) if int(text.partition("-")[0]) == tile.low else (tile.high, tile.low)


def hand_of(texts: Iterable[str]) -> tuple[Tile, ...]:
    """Tiles from texts like `3-5`; ValueError for anything else."""
    return tuple(Tile.parse(text) for text in texts)
