"""What speaks for an action in Euronimoes: what a tile would do in the own grid or another's, chips, runs and levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.euronimoes.actions import COSTS, Buy, Draw, Give, Play, Stop
from engine.euronimoes.layout import ENDS, Layout, code, run_score
from engine.pieces import Tile
from engine.reasons import Reason, own
from engine.words import listed, say, some

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.euronimoes.game import State

BOMB = run_score(list(range(ENDS)))


def reasons(view: State, action: Action) -> Iterator[Reason]:
    """The reasons of an action, the best first."""
    seat = view.turn or 0
    if isinstance(action, Buy):
        tile = view.market[action.slot]
        assert tile is not None
        yield Brings(tile, best(view, seat, tile))
        rival = (seat + 1) % view.players
        if (theirs := best(view, rival, tile)) > 0:
            yield Denies(rival, tile, theirs)
        yield Costs(COSTS[action.slot], view.chips[seat])
    elif isinstance(action, Draw):
        yield Unseen(len(view.pile))
        yield Costs(-1, view.chips[seat])
    elif isinstance(action, Play):
        yield from _of_play(view, action)
    elif isinstance(action, Stop):
        yield KeepsLast(tuple(own(view)))
    elif isinstance(action, Give):
        yield Others(action.seat)


def _of_play(view: State, action: Play) -> Iterator[Reason]:
    seat = view.turn or 0
    then = view.after(action)
    before, now = columns(view.layouts[seat]), columns(then.layouts[seat])
    changed = [(x, now[x] - before[x]) for x in now if x in before and now[x] != before[x]]
    for x, change in sorted(changed, key=lambda each: each[1]):
        if now[x] == BOMB and change < 0:
            yield Finishes(place(then.layouts[seat], x), change)
        else:
            yield Column(place(then.layouts[seat], x), before[x], now[x])
    if action.level > 1:
        yield Level(action.level)
    new = tuple((place(then.layouts[seat], x), now[x]) for x in now if x not in before)
    if new:
        yield Begins(new)
    for x in sorted({cell[0] for cell in action.cells}):
        if (run := longest(then.layouts[seat], x)) > 1:
            yield Runs(place(then.layouts[seat], x), run)
    for x in sorted({cell[0] for cell in action.cells}):
        if numbers := following(then.layouts[seat], action, x):
            yield GoesOn(place(then.layouts[seat], x), numbers)
    points, tile = max(((best(then, seat, tile), tile) for tile in own(view) if tile in then.hands[seat]), default=(0, None))
    if tile is not None and points > 0:
        yield Opens(tile, points)
    yield Total(then.layouts[seat].points)


def columns(layout: Layout) -> dict[int, int]:
    """The score of each column by where it stands."""
    return dict(layout.column_scores())


def place(layout: Layout, x: int) -> int:
    """The number of a column, from 1 at the left."""
    return 1 + sorted(columns(layout)).index(x)


def longest(layout: Layout, x: int) -> int:
    """How many numbers the longest run of a column has."""
    return max((len(run) for where, runs in layout.columns() if where == x for run in runs), default=0)


def following(layout: Layout, action: Play, x: int) -> tuple[int, ...]:
    """The numbers by which the run of an action's tile in a column can go on, at either end."""
    cells = [code(cell) for cell in action.cells if cell[0] == x]
    low, high = min(cells), max(cells)
    while low in layout.numbers:
        low -= 1
    while high in layout.numbers:
        high += 1
    allowed = layout.border.get(low, 0) | layout.border.get(high, 0)
    return tuple(number for number in range(ENDS) if allowed >> number & 1)


def best(view: State, seat: int, tile: Tile) -> int:
    """By how much one tile can at best lower the grid of a seat at once; below 0 where it can only raise it."""
    layout = view.layouts[seat]
    pairs = {tile.low * ENDS + tile.high, tile.high * ENDS + tile.low}
    plays = layout.plays(pairs, view.rules.stack_direct_only, view.rules.max_extent)
    return max((-layout.change(play) for play in plays), default=0)


@dataclass(frozen=True, slots=True)
class Brings(Reason):
    """A tile of the market would lower the own grid by so many points, laid at its best place."""

    tile: Tile
    points: int

    @property
    def strength(self) -> float:
        """The points."""
        return self.points

    def holds(self, view: Any, action: Any) -> bool:
        """Whether some play of it there does so, and none does better."""
        if view.market[action.slot] != self.tile:
            return False
        return best(view, view.turn, self.tile) == self.points

    def words(self, names: Sequence[str]) -> str:
        """What it would do."""
        if self.points > 0:
            return say("The {tile} can lower your grid by {points} at once.", tile=self.tile, points=some(self.points, 'point'))
        if self.points == 0:
            return say("The {tile} fits your grid without a point more.", tile=self.tile)
        return say("The {tile} would add {points} to your grid for now.", tile=self.tile, points=some(-self.points, 'point'))


@dataclass(frozen=True, slots=True)
class Denies(Reason):
    """The seat that follows could lower its grid with this tile."""

    seat: int
    tile: Tile
    points: int

    @property
    def strength(self) -> float:
        """The points."""
        return self.points

    def holds(self, view: Any, action: Any) -> bool:
        """Whether it is next, and the tile would do so at its best."""
        following = (view.turn + 1) % view.players
        tile: Tile = view.market[action.slot]
        return (tile, following) == (self.tile, self.seat) and best(view, following, tile) == self.points

    def words(self, names: Sequence[str]) -> str:
        """Whom it is taken from."""
        return say("{name} could lower a grid by {points} with the {tile}.", name=names[self.seat],
                   points=some(self.points, 'point'), tile=self.tile)


@dataclass(frozen=True, slots=True)
class Costs(Reason):
    """What a draw costs in chips, and how many the seat has."""

    chips: int
    held: int

    @property
    def strength(self) -> float:
        """The cheaper, the better."""
        return -self.chips

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it has so many, and so many fewer then; with four no more come."""
        then = view.after(action).chips[view.turn]
        return bool(view.chips[view.turn] == self.held and then == min(self.held - self.chips, 4))

    def words(self, names: Sequence[str]) -> str:
        """The price."""
        if self.chips > 0:
            return say("It costs {chips} of your {held}.", chips=some(self.chips, 'chip'), held=self.held)
        if self.chips == 0:
            return say("It costs nothing; you keep {chips}.", chips=some(self.held, 'chip'))
        if self.held == 4:
            return say("It would bring a chip, but you have all four.")
        return say("It brings a chip beside your {held}.", held=self.held)


@dataclass(frozen=True, slots=True)
class Unseen(Reason):
    """The tile is drawn unseen from so many."""

    pile: int

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the pile has so many, and loses one."""
        return len(view.pile) == self.pile == len(view.after(action).pile) + 1

    def words(self, names: Sequence[str]) -> str:
        """How many lie there."""
        return say("Nobody sees what you draw; the pile has {tiles}, and the market moves on.", tiles=some(self.pile, 'tile'))


@dataclass(frozen=True, slots=True)
class Column(Reason):
    """A column counts another number of points then. place: from 1 at the left, as the grid then lies."""

    place: int
    before: int
    now: int

    @property
    def strength(self) -> float:
        """What it saves."""
        return self.before - self.now

    def holds(self, view: Any, action: Action) -> bool:
        """Whether that column counts so before and after."""
        layout = view.after(action).layouts[view.turn]
        x = sorted(columns(layout))[self.place - 1]
        return columns(view.layouts[view.turn]).get(x) == self.before and columns(layout)[x] == self.now

    def words(self, names: Sequence[str]) -> str:
        """From what to what."""
        return say("Column {place} then counts {now} instead of {before}.", place=self.place, now=self.now, before=self.before)


@dataclass(frozen=True, slots=True)
class Finishes(Reason):
    """A run from 0 to 6 is complete."""

    place: int
    change: int

    @property
    def strength(self) -> float:
        """What it saves."""
        return -self.change

    def holds(self, view: Any, action: Action) -> bool:
        """Whether that column has such a run then, and its score changed by so much."""
        layout = view.after(action).layouts[view.turn]
        x = sorted(columns(layout))[self.place - 1]
        before = columns(view.layouts[view.turn]).get(x, 0)
        return longest(layout, x) == ENDS and columns(layout)[x] - before == self.change

    def words(self, names: Sequence[str]) -> str:
        """Where, and what it brings."""
        return say("It finishes the run of column {place} for {BOMB}: {points} fewer.", place=self.place, BOMB=BOMB,
                   points=some(-self.change, 'point'))


@dataclass(frozen=True, slots=True)
class Level(Reason):
    """It lies on tiles, which takes points off."""

    level: int

    @property
    def strength(self) -> float:
        """The points of the level."""
        return self.level

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the levels take so many points more off."""
        before, now = (state.layouts[view.turn].level_score() for state in (view, view.after(action)))
        return bool(before - now == self.level > 1)

    def words(self, names: Sequence[str]) -> str:
        """The level and its points."""
        return say("On level {level} it takes {level} points off.", level=self.level)


@dataclass(frozen=True, slots=True)
class Begins(Reason):
    """Columns begin with it. columns: place and score of each, as the grid then lies."""

    columns: tuple[tuple[int, int], ...]

    @property
    def strength(self) -> float:
        """The fewer points, the better."""
        return -sum(points for _, points in self.columns)

    def holds(self, view: Any, action: Action) -> bool:
        """Whether exactly these columns are new and count so."""
        layout = view.after(action).layouts[view.turn]
        before, now = columns(view.layouts[view.turn]), columns(layout)
        return tuple((place(layout, x), now[x]) for x in now if x not in before) == self.columns

    def words(self, names: Sequence[str]) -> str:
        """Which, and what they count so far."""
        if len(self.columns) == 1:
            return say("Column {column} begins with it and counts {points} so far.", column=self.columns[0][0],
                       points=self.columns[0][1])
        (first, points), (other, more) = self.columns
        return say("Columns {first} and {other} begin with it and count {points} and {more} so far.", first=first, other=other,
                   points=points, more=more)


@dataclass(frozen=True, slots=True)
class Runs(Reason):
    """A column that the tile is laid in then has a run of so many numbers."""

    place: int
    numbers: int

    @property
    def strength(self) -> float:
        """The longer, the nearer to the whole of seven."""
        return self.numbers

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the tile lies there, and its longest run has so many."""
        layout = view.after(action).layouts[view.turn]
        x = sorted(columns(layout))[self.place - 1]
        return x in dict(action.cells) and longest(layout, x) == self.numbers

    def words(self, names: Sequence[str]) -> str:
        """How long."""
        return say("Column {place} then has a run of {numbers} numbers.", place=self.place, numbers=self.numbers)


@dataclass(frozen=True, slots=True)
class GoesOn(Reason):
    """The run that the tile lies in, in this column, can go on by these numbers."""

    place: int
    numbers: tuple[int, ...]

    @property
    def strength(self) -> float:
        """The more, the easier."""
        return len(self.numbers)

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the tile lies there, and exactly these follow at an end of the run."""
        layout = view.after(action).layouts[view.turn]
        x = sorted(columns(layout))[self.place - 1]
        return x in dict(action.cells) and following(layout, action, x) == self.numbers

    def words(self, names: Sequence[str]) -> str:
        """The numbers."""
        return say("In column {place} the run can go on with {numbers}.", place=self.place, numbers=listed(self.numbers, 'or'))


@dataclass(frozen=True, slots=True)
class Opens(Reason):
    """A tile that stays in the hand can then lower the grid by so many points."""

    tile: Tile
    points: int

    @property
    def strength(self) -> float:
        """The points."""
        return self.points

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it is in the hand then, and would do so at its best."""
        then = view.after(action)
        return self.tile in then.hands[view.turn] and best(then, view.turn, self.tile) == self.points

    def words(self, names: Sequence[str]) -> str:
        """Which tile, and by how much."""
        return say("Next your {tile} can lower the grid by {points}.", tile=self.tile, points=some(self.points, 'point'))


@dataclass(frozen=True, slots=True)
class Total(Reason):
    """What the own grid then counts, levels taken off."""

    points: int

    @property
    def strength(self) -> float:
        """The fewer, the better."""
        return -self.points

    def holds(self, view: Any, action: Action) -> bool:
        """Whether columns and levels add up to it."""
        layout = view.after(action).layouts[view.turn]
        return bool(sum(columns(layout).values()) + layout.level_score() == self.points)

    def words(self, names: Sequence[str]) -> str:
        """The sum."""
        return say("Your grid then counts {points}.", points=self.points)


@dataclass(frozen=True, slots=True)
class KeepsLast(Reason):
    """What is left is kept."""

    tiles: tuple[Tile, ...]

    def holds(self, view: Any, action: Action) -> bool:
        """Whether these are left, and the grid stays."""
        return tuple(own(view)) == self.tiles and view.after(action).layouts[view.turn] == view.layouts[view.turn]

    def words(self, names: Sequence[str]) -> str:
        """One sentence."""
        return say("What you keep counts nothing, and your grid stays as it is.")


@dataclass(frozen=True, slots=True)
class Others(Reason):
    """Another seat acts first."""

    seat: int

    def holds(self, view: Any, action: Action) -> bool:
        """Whether that seat is to move then."""
        return bool(view.after(action).turn == self.seat)

    def words(self, names: Sequence[str]) -> str:
        """Who."""
        return say("{name} plays first, and you see where.", name=names[self.seat])
