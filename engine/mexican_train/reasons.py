"""What speaks for an action in Mexican Train: the own train and its marker, doubles to be covered, tiles that go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.mexican_train.actions import Draw, Pass, Play
from engine.pieces import Tile
from engine.reasons import ByTiles, GetsRid, GoesOut, NothingFits, Reason, own
from engine.words import listed, say, some

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.mexican_train.game import State


def reasons(view: State, action: Action) -> Iterator[Reason]:
    """The reasons of an action, the best first."""
    if not isinstance(action, Play):
        if isinstance(action, Draw | Pass):
            yield NothingFits()
        else:
            yield Holds(len(view.hands[view.turn or 0]))
        return
    seat = view.turn or 0
    if not view.after(action).hands[seat]:
        yield GoesOut()
        return
    if view.double == action.train:
        yield Covers(action.train)
    if view.marked[seat] and action.train == seat:
        yield TakesMarker()
    rest = _rest(view, action)
    if action.tile.is_double and view.rules.doubles == "cover":
        yield Coverable(_fitting(rest, action.tile.low), action.tile.low)
    if action.train == seat:
        end = action.tile.across(view.end_of(seat))
        yield GoesOn(end, _fitting(rest, end))
    else:
        end = view.end_of(seat)
        if tiles := _fitting(rest, end):
            yield SavesOwn(end, tiles)
        if action.train != view.mexican:
            yield MayClose(action.train)
    if view.rules.blank == "fifty" or action.tile.pips:
        yield GetsRid(view.left_counts(action.tile))
    yield Others(action.tile, _elsewhere(view, action.tile))


def _rest(view: State, action: Play) -> list[Tile]:
    return [tile for tile in own(view) if tile != action.tile]


def _fitting(tiles: list[Tile], end: int) -> tuple[Tile, ...]:
    return tuple(tile for tile in tiles if end in tile)


def _elsewhere(view: State, tile: Tile) -> int:
    """On how many of the trains open to the seat the tile could be laid."""
    return sum(each.tile == tile for each in view.legal() if isinstance(each, Play))


@dataclass(frozen=True, slots=True)
class Holds(Reason):
    """The turn ends with so many tiles in the hand."""

    tiles: int

    def holds(self, view: Any, action: Any) -> bool:
        """Whether so many stay, and another is to move."""
        then = view.after(action)
        return then.turn != view.turn and len(then.hands[view.turn]) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return say("You keep {tiles} for later.", tiles=some(self.tiles, 'tile'))


@dataclass(frozen=True, slots=True)
class Covers(Reason):
    """It covers the open double of a train."""

    train: int

    def holds(self, view: Any, action: Any) -> bool:
        """Whether that train ends in the double to be covered."""
        return bool(view.double == self.train == action.train)

    def words(self, names: Sequence[str]) -> str:
        """One sentence."""
        return say("It covers the double, so the trains are open again.")


@dataclass(frozen=True, slots=True)
class TakesMarker(Reason):
    """The own train is closed to the others again."""

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the marker goes."""
        return bool(view.marked[view.turn] and not view.after(action).marked[view.turn])

    def words(self, names: Sequence[str]) -> str:
        """One sentence."""
        return say("It takes the marker from your train.")


@dataclass(frozen=True, slots=True)
class Coverable(Reason):
    """A double has to be covered; these own tiles would do."""

    tiles: tuple[Tile, ...]
    number: int

    @property
    def strength(self) -> float:
        """Worst where it could not be covered."""
        return len(self.tiles) or -1

    def holds(self, view: Any, action: Any) -> bool:
        """Whether it is that double, and exactly these tiles of the rest have its number."""
        return action.tile == (self.number, self.number) and _fitting(_rest(view, action), self.number) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """With what, or with nothing."""
        if not self.tiles:
            return say("The {number}-{number} has to be covered, and nothing that you have would do.", number=self.number)
        return say("The {number}-{number} has to be covered: your {tiles} would do.", number=self.number,
                   tiles=listed(self.tiles, 'or'))


@dataclass(frozen=True, slots=True)
class GoesOn(ByTiles):
    """The own train then ends in this number, and these tiles go on from it."""

    @property
    def strength(self) -> float:
        """The more, the better; nothing at all is bad."""
        return len(self.tiles) or -1

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the train ends so, and exactly these tiles fit."""
        then = view.after(action)
        return then.end_of(view.turn) == self.number and _fitting(_rest(view, action), self.number) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """The tiles, or that there are none."""
        if not self.tiles:
            return say("Your train then ends in {number}, and nothing that you have goes on from it.", number=self.number)
        return say("On your train {tiles} can follow its {number}.", tiles=listed(self.tiles, 'or'), number=self.number)


@dataclass(frozen=True, slots=True)
class SavesOwn(ByTiles):
    """The own train stays as it is, for these tiles."""

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the train ends so before and after, and exactly these tiles fit."""
        ends = {state.end_of(view.turn) for state in (view, view.after(action))}
        return ends == {self.number} and _fitting(_rest(view, action), self.number) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """The tiles."""
        return say("Your own train keeps its {number} for your {tiles}.", number=self.number, tiles=listed(self.tiles))


@dataclass(frozen=True, slots=True)
class MayClose(Reason):
    """Another's train is open only until its owner plays there."""

    seat: int

    @property
    def strength(self) -> float:
        """As good as any other train, while it lasts."""
        return 0.5

    def holds(self, view: Any, action: Any) -> bool:
        """Whether it is that seat's marked train."""
        return bool(action.train == self.seat != view.turn and (view.marked[self.seat] or view.double == self.seat))

    def words(self, names: Sequence[str]) -> str:
        """Whose."""
        return say("The train of {name} may soon be closed again.", name=names[self.seat])


@dataclass(frozen=True, slots=True)
class Others(Reason):
    """The tile could be laid in so many places now."""

    tile: Tile
    places: int

    @property
    def strength(self) -> float:
        """What fits in few places is laid while it can be."""
        return 1 / self.places

    def holds(self, view: Any, action: Any) -> bool:
        """Whether it has so many places."""
        return action.tile == self.tile and _elsewhere(view, self.tile) == self.places

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return say("The {tile} fits in {places} now.", tile=self.tile, places=some(self.places, 'place'))
