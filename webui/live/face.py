"""How a game looks and speaks on the page: one value a game, in the file of that game; the page asks it and names no game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.actions import Action
from engine.core import UNKNOWN
from engine.pieces import Tile
from engine.words import count, joined, say
from webui.live.scene import JsonObject

Names = tuple[str, ...]
Half = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody has told of chance by hand. halves: both ends of each tile, in the order in which they were told.

    starter: the seat that begins, or whose tiles they are. numbers: of the options what was chosen of each. rng: shuffles and
    throws where the page does.
    """

    halves: Sequence[Half] = ()
    starter: int = 0
    numbers: Sequence[int] = ()
    rng: Random = field(default_factory=Random)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles, which lie in no direction."""
        return tuple(Tile.of(*ends) for ends in self.halves)

    def one_tile(self) -> Tile:
        """The only tile; ValueError where there are none or more."""
        if len(self.halves) != 1:
            raise ValueError(say("Name the one tile that was turned up."))
        return self.tiles[0]


def named(tiles: Iterable[Tile | None], seat: int = 0) -> Told:
    """The tiles that are known, and a seat, as somebody would tell them."""
    return Told([(tile.low, tile.high) for tile in tiles if tile is not None and tile != UNKNOWN], seat)


def plain_reasons(state: Any, seat: int) -> list[JsonObject]:
    """The parts of a score, as the engine has them."""
    return [{"label": say("{Part}", Part=label), "points": points, "why": "", "column": None}
            for label, points in state.score_parts(seat)]  # fmt: skip


def by_points(state: Any) -> list[int]:
    """The scores, so that more is better."""
    return [-points if state.FEW_WIN else points for points in state.scores()]


def by_phase(words: Mapping[str, str]) -> Callable[[Any], str]:
    """What there is to do, where the phase of the game tells it all."""
    return lambda state: words.get(state.phase, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """about: the game in one sentence, for who chooses one. lies: how it is laid before a camera. aim: who wins, for who plays.
    scene: the drawing of a state; heard: the same for who hears the page. words: an action on its button, in the imperative;
    without a state where none is at hand.

    wanted: what chance has done and has to be told by hand where no camera sees it, as `asked` has it. tell: the action of
    chance that was told; hidden tiles stay unknown; ValueError where that tells nothing. said: what was told of such an
    action. chances: the same in one sentence for everybody. todo: what the seat to move is to do. due: what is to be said
    first, in a sentence as a seat's own page says it. calls: what may be called now, with the seat that calls. mark: where an
    action's tile lies, or would lie, in the drawing. market: tiles that can be bought. reasons: the parts of a seat's score.
    kept: what else a seat has won. ahead: by seat how well it stands, more is better. tally: whether the rounds of a game are
    added up.
    """

    about: str
    lies: str
    aim: str
    scene: Callable[[Any], JsonObject]
    heard: Callable[[Any], list[JsonObject]]
    words: Callable[[Action, Any], str]
    wanted: Callable[[Any, Names], JsonObject | None]
    tell: Callable[[Any, Told], Action]
    said: Callable[[Any], Told]
    chances: Mapping[str, str] = field(default_factory=dict)
    todo: Callable[[Any], str] = lambda state: ""
    due: Callable[[Any, Names, int | None], str] = lambda state, names, seat: ""
    calls: Callable[[Any, Names, int | None], list[JsonObject]] = lambda state, names, seat: []
    mark: Callable[[Any, Action, JsonObject | None], JsonObject | None] = lambda state, action, drawing: None
    market: Callable[[Any], list[JsonObject]] = lambda state: []
    reasons: Callable[[Any, int], list[JsonObject]] = plain_reasons
    kept: Callable[[Any, int], str] = lambda state, seat: ""
    ahead: Callable[[Any], Sequence[int]] = by_points
    tally: bool = True


def asked(kind: str, words: str, tiles: Iterable[Tile] = (), count: int = 0, **more: Any) -> JsonObject:
    """What has to be told. tiles: those to choose from, `count` of them.

    more: `turned`: it matters which end comes first. `shuffled`: what the button says by which the page deals or throws
    instead. `starters`: the names of those of whom one begins. `options`: of each thing that is to be told its name, and the
    numbers it may be with their words. `seat`: whose tiles they are. `copies`: how many there are of each, where not one.
    """
    return {"kind": kind, "words": words, "tiles": [list(tile) for tile in sorted(set(tiles))], "count": count, **more}


def heard(words: str, seat: int | None = None) -> JsonObject:
    """Something that lies on the table, or before a seat, in words; where one drawing shows it all the first tells most."""
    return {"words": words, "seat": seat}


def in_a_row(tiles: Iterable[Half]) -> str:
    """Tiles as they follow each other, each with its ends in the order in which they lie.

    >>> in_a_row([(6, 3), (3, 1)])
    '6|3, 3|1'
    """
    return joined((f"{one}|{other}" for one, other in tiles), ", ")


def asked_hand(state: Any, seat: int, number: int, names: Names) -> JsonObject:
    """Which tiles a seat shows."""
    words = count(number, "Which tile does {name} show?", "Which {number} tiles does {name} show?", name=names[seat])
    return asked("show", words, state.unseen(), number, seat=seat)
