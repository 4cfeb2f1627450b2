"""What speaks for an action in Engine 191: bids that can win, lines that go on, tiles that leave hand and yard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.engine191 import turns
from engine.engine191.actions import Bid, Draw, End, Pass, Play, Remove
from engine.pieces import Tile
from engine.reasons import ByTiles, GetsRid, GoesOut, NothingFits, Reason, own
from engine.words import count, listed, say, some

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.engine191.game import State


def reasons(view: State, action: Action) -> Iterator[Reason]:
    """The reasons of an action, the best first."""
    if isinstance(action, Bid):
        yield from _of_bid(view, action)
    elif isinstance(action, Play):
        yield from _of_play(view, action)
    elif isinstance(action, Remove):
        yield Removes(len(view.lines[view.turn or 0]) - keeps(view))
        yield YardGrows(sum(tile.pips for tile in view.yards[view.turn or 0] if tile.low >= 0))
    elif isinstance(action, Draw | Pass):
        if not any(isinstance(each, Play) for each in view.legal()):
            yield NothingFits()
        if isinstance(action, Draw):
            yield YardGrows(sum(tile.pips for tile in view.yards[view.turn or 0] if tile.low >= 0))
        else:
            yield Waits()
    elif isinstance(action, End):
        yield Waits()


def _of_bid(view: State, action: Bid) -> Iterator[Reason]:
    tile = action.tile
    if tile.is_double:
        yield Lowest(tile, lower(view, tile))
        yield Starts(tile.low, starting(view, tile))
        yield GetsRid(tile.pips)
    else:
        yield Declines(tile)


def _of_play(view: State, action: Play) -> Iterator[Reason]:
    seat = view.turn or 0
    then = view.after(action)
    if not then.hands[seat]:
        yield GoesOut()
    if action.line in turns.incomplete(view):
        yield Completes(action.line)
    if action.source == "yard":
        yield Swaps(action.tile, action.replace)
    else:
        yield GetsRid(action.tile.pips)
    end = then.lines[action.line][-1][1]
    tiles = following(then, seat, end)
    if tiles:
        yield GoesOn(action.line, end, tiles)
    if then.phase == "chain":
        yield PlaysOn(action.tile)
    if draws(view, action):
        yield DrawsFor(action.line)
    elif action.line == seat:
        yield Builds(len(view.lines[seat]) + 1)
    if not tiles:
        yield Ends(action.line, end)


def keeps(view: State) -> int:
    """How many tiles of the own line would stay."""
    line = view.lines[view.turn or 0]
    keep = len(line) - 1
    while keep and line[keep - 1][0] != line[keep - 1][1]:
        keep -= 1
    return keep


def lower(view: State, tile: Tile) -> int:
    """How many lower doubles may be shown by others."""
    return sum(each.is_double and each < tile for each in view.unseen())


def starting(view: State, tile: Tile) -> tuple[Tile, ...]:
    """The own tiles that fit a main station."""
    return tuple(each for each in own(view) if each != tile and tile.low in each)


def following(then: State, seat: int, end: int) -> tuple[Tile, ...]:
    """The known tiles of hand and yard that go on from a number."""
    tiles = (*then.hands[seat], *then.yards[seat])
    return tuple(sorted({tile for tile in tiles if tile.low >= 0 and end in tile}))


def draws(view: State, action: Play) -> bool:
    """Whether a tile has to be drawn for this play: on another's line that it does not complete."""
    return action.line not in (view.turn, *turns.incomplete(view))


@dataclass(frozen=True, slots=True)
class Lowest(Reason):
    """A double bid that only so many lower ones could beat."""

    tile: Tile
    lower: int

    @property
    def strength(self) -> float:
        """The fewer, the better."""
        return 1 / (1 + self.lower)

    def holds(self, view: Any, action: Any) -> bool:
        """Whether so many lower doubles are unseen."""
        return action.tile == self.tile and lower(view, self.tile) == self.lower

    def words(self, names: Sequence[str]) -> str:
        """What may beat it."""
        if not self.lower:
            return say("No lower double is left: the {tile} begins.", tile=self.tile)
        return count(self.lower, "Only {number} lower double could take the start from the {tile}.",
                     "Only {number} lower doubles could take the start from the {tile}.", tile=self.tile)


@dataclass(frozen=True, slots=True)
class Starts(ByTiles):
    """Own tiles that fit the main station which this bid would be."""

    def holds(self, view: Any, action: Any) -> bool:
        """Whether exactly these have its number."""
        return action.tile == (self.number, self.number) and starting(view, action.tile) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """The tiles."""
        double = Tile(self.number, self.number)
        if not self.tiles:
            return say("With the {double} as main station nothing that you have starts from it.", double=double)
        return say("With the {double} as main station your {tiles} could start from it.", double=double, tiles=listed(self.tiles))


@dataclass(frozen=True, slots=True)
class Declines(Reason):
    """A bid that is no double: it comes back, seen by all."""

    tile: Tile

    def holds(self, view: Any, action: Any) -> bool:
        """Whether it is that tile, and no double."""
        return action.tile == self.tile and self.tile.low != self.tile.high

    def words(self, names: Sequence[str]) -> str:
        """What comes of it."""
        return say("It bids for nothing, and shows the others only your {tile}.", tile=self.tile)


@dataclass(frozen=True, slots=True)
class Completes(Reason):
    """It completes the station at the end of a line."""

    line: int

    def holds(self, view: Any, action: Any) -> bool:
        """Whether that line ends in a station to be completed."""
        return action.line == self.line and self.line in turns.incomplete(view)

    def words(self, names: Sequence[str]) -> str:
        """Whose station."""
        return say("It completes the station on the line of {name}, without drawing.", name=names[self.line])


@dataclass(frozen=True, slots=True)
class Swaps(Reason):
    """A tile of the yard is laid, and one of the hand takes its place."""

    tile: Tile
    replace: Tile | None

    @property
    def strength(self) -> float:
        """The pips that leave."""
        return self.tile.pips

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the yard loses the one and gets the other."""
        yard, then = view.yards[view.turn], view.after(action).yards[view.turn]
        got = () if self.replace is None else (self.replace,)
        return action.source == "yard" and sorted((*yard, *got)) == sorted((*then, self.tile))

    def words(self, names: Sequence[str]) -> str:
        """Which for which."""
        pips = some(self.tile.pips, "pip")
        if self.replace:
            return say("It takes {pips} out of your yard, and lets your hand shrink by the {tile}.", pips=pips, tile=self.replace)
        return say("It takes {pips} out of your yard.", pips=pips)


@dataclass(frozen=True, slots=True)
class GoesOn(Reason):
    """Own tiles go on from what the line then ends in."""

    line: int
    end: int
    tiles: tuple[Tile, ...]

    @property
    def strength(self) -> float:
        """The more, the better."""
        return len(self.tiles)

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the line ends so, and exactly these tiles fit."""
        then = view.after(action)
        return (action.line == self.line and then.lines[self.line][-1][1] == self.end
                and following(then, view.turn, self.end) == self.tiles)  # fmt: skip

    def words(self, names: Sequence[str]) -> str:
        """The tiles."""
        return say("Your {tiles} can follow its {end} on the line of {name}.", tiles=listed(self.tiles, 'or'), end=self.end,
                   name=names[self.line])


@dataclass(frozen=True, slots=True)
class Ends(Reason):
    """No tile of the own goes on from what the line then ends in."""

    line: int
    end: int

    @property
    def strength(self) -> float:
        """It speaks against the action."""
        return -1.0

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the line ends so, and nothing follows."""
        then = view.after(action)
        return (action.line == self.line and then.lines[self.line][-1][1] == self.end
                and not following(then, view.turn, self.end))  # fmt: skip

    def words(self, names: Sequence[str]) -> str:
        """The end."""
        return say("Nothing that you have follows its {end} on the line of {name}.", end=self.end, name=names[self.line])


@dataclass(frozen=True, slots=True)
class PlaysOn(Reason):
    """A station lets the seat play on."""

    tile: Tile

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the same seat may play again."""
        then = view.after(action)
        return bool(action.tile == self.tile and then.phase == "chain" and then.turn == view.turn)

    def words(self, names: Sequence[str]) -> str:
        """One sentence."""
        return say("After the station {tile} you may play again.", tile=self.tile)


@dataclass(frozen=True, slots=True)
class DrawsFor(Reason):
    """A tile has to be drawn for a play on another's line."""

    line: int

    @property
    def strength(self) -> float:
        """It speaks against the action."""
        return -1.0

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the line is another's, with nothing to complete."""
        return action.line == self.line and draws(view, action)

    def words(self, names: Sequence[str]) -> str:
        """Whose line."""
        return say("On the line of {name} you draw a tile for it.", name=names[self.line])


@dataclass(frozen=True, slots=True)
class Builds(Reason):
    """The own line grows to so many tiles, and nothing is drawn."""

    tiles: int

    def holds(self, view: Any, action: Any) -> bool:
        """Whether it has so many then."""
        return len(view.after(action).lines[view.turn]) == self.tiles > len(view.lines[view.turn])

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return say("On your own line nothing is drawn; it has {tiles} then.", tiles=some(self.tiles, 'tile'))


@dataclass(frozen=True, slots=True)
class Removes(Reason):
    """So many tiles leave the own line, and the yard gets one."""

    tiles: int

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the line loses so many."""
        return len(view.lines[view.turn]) - len(view.after(action).lines[view.turn]) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return say("It takes {tiles} off your line, back to a station.", tiles=some(self.tiles, 'tile'))


@dataclass(frozen=True, slots=True)
class YardGrows(Reason):
    """A tile is drawn into the yard, beside what counts there already."""

    pips: int

    @property
    def strength(self) -> float:
        """It speaks against the action."""
        return -1.0

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the yard counts so much now."""
        return dict(view.score_parts(view.turn))["yard"] == self.pips and action.kind in ("draw", "remove")

    def words(self, names: Sequence[str]) -> str:
        """What counts there now."""
        return say("A tile more comes into your yard, which counts {pips} now.", pips=self.pips)


@dataclass(frozen=True, slots=True)
class Waits(Reason):
    """Nothing is laid; the hand stays for the next turn."""

    def holds(self, view: Any, action: Action) -> bool:
        """Whether hand and yard stay as they are."""
        then = view.after(action)
        return bool(then.hands[view.turn] == view.hands[view.turn] and then.yards[view.turn] == view.yards[view.turn])

    def words(self, names: Sequence[str]) -> str:
        """One sentence."""
        return say("You keep all that you have for your next turn.")
