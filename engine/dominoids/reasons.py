"""What speaks for an action in Dominoids: coins to be eaten, how near Dominoids come to them, what dice can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from engine.dominoids.actions import (
    SUITS,
    Attack,
    Breed,
    Bud,
    Choose,
    Eat,
    Look,
    Pass,
    Place,
    Replace,
    Rotate,
    Shift,
    Slide,
)
from engine.dominoids.board import NEAR, cell_of, lying, number_of
from engine.dominoids.turns import objects_on, with_die
from engine.pieces import Tile
from engine.reasons import Reason, scored
from engine.words import count, joined, listed, say, some

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.dominoids.game import State


def reasons(view: State, action: Action) -> Iterator[Reason]:
    """The reasons of an action, the best first."""
    if isinstance(action, Eat):
        yield from scored(view, action)
        yield LeavesCoins(action.suit, len(view.left_on(action.suit)))
    elif isinstance(action, Choose):
        yield from _of_dice(view, action)
    elif isinstance(action, Slide):
        yield from _of_slide(view, action)
    elif isinstance(action, Attack):
        yield Returns(action.tile)
    elif isinstance(action, Breed | Bud):
        yield Child(action.tile if isinstance(action, Breed) else action.parent)
    elif isinstance(action, Look):
        yield Shows(action.suit, len(view.left_on(action.suit)))
    elif isinstance(action, Pass):
        yield Nothing(action.die)
    elif isinstance(action, Shift):
        yield Carries(action.line, action.index, carried(view, action))
    if not isinstance(action, Choose):
        then = view.after(action)
        if then.phase == "act" and (suits := tuple(sorted(reaches(then, then.chosen)))):
            yield ThenReach(then.chosen, suits)
        yield from _nearer(view, then)
        if len(view.chosen) == 2 and len(then.chosen) == 1:
            yield Keeps(then.chosen[0], view.dice[then.chosen[0]])
    if isinstance(action, Replace):
        yield Lies(action.suit, action.cell)
    if isinstance(action, Slide | Rotate | Place):
        yield Stands(action.tile, action.cells)


def _of_dice(view: State, action: Choose) -> Iterator[Reason]:
    found = reaches(view, action.dice)
    if found:
        yield Reach(action.dice, tuple(sorted(found)))
    yield Moves(action.dice, tuple(moving(view, die) for die in action.dice))
    idle = tuple(die for die in action.dice if view.dice[die] == 0)
    if idle:
        yield Blank(idle)
    kept = tuple(die for die in range(4) if die not in action.dice)
    yield LeavesDice(kept, tuple(view.dice[die] for die in kept))


def moving(view: State, die: int) -> int:
    """How many things a die can do that move or change something."""
    return sum(not isinstance(each, Pass) for each in with_die(view, die, objects_on(view)))


def reaches(view: State, dice: Sequence[int]) -> set[int]:
    """The suits whose coin one slide by one of these dice may eat: it is worth little enough, or may be."""
    slides = [each for die in dice for each in with_die(view, die, objects_on(view)) if isinstance(each, Slide)]
    return {suit for slide in slides for suit in meals(view, slide)}


def meals(view: State, slide: Slide) -> dict[int, Fraction]:
    """For each suit whose coin a slide brings beside an end, the chance that it can be eaten then."""
    (x, y), (x2, y2) = slide.cells
    mover = lying(x + 8 * y, x2 + 8 * y2, *slide.ends)
    found = {}
    for suit, coin in enumerate(view.coins):
        beside = [end for cell, end in ((mover.first, mover.p), (mover.second, mover.q)) if coin and coin[0] in NEAR[cell]]
        if coin and beside:
            values = [coin[1]] if coin[1] >= 0 else view.left_on(suit)
            if share := Fraction(sum(value <= max(beside) for value in values), len(values)):
                found[suit] = share
    return found


def _of_slide(view: State, action: Slide) -> Iterator[Reason]:
    for suit, share in sorted(meals(view, action).items(), key=lambda each: -each[1]):
        yield Meal(suit, share.numerator, share.denominator)


def distance(state: State, suit: int) -> int | None:
    """How many squares a coin is from the nearest end of a Dominoid, along rows and columns; None where there is no coin."""
    coin = state.coins[suit]
    if coin is None:
        return None
    x, y = cell_of(coin[0])
    cells = [cell_of(cell) for each in state.dominoids for cell in (each.first, each.second)]
    return min(abs(x - column) + abs(y - row) for column, row in cells)


def _nearer(view: State, then: State) -> Iterator[Reason]:
    pairs = [(suit, distance(view, suit), distance(then, suit)) for suit in range(4)]
    changed = [(suit, before, now) for suit, before, now in pairs if now is not None and before != now]
    for suit, before, now in sorted(changed, key=lambda each: each[2] - (each[1] or 0)):
        yield Near(suit, before, now)


def carried(view: State, action: Shift) -> tuple[str, ...]:
    """What rides along with a shifted strip: Dominoids, and coins and pawns by their suit."""
    then = view.after(action)
    tiles = [str(was.tile) for was, each in zip(view.dominoids, then.dominoids, strict=True) if was != each]
    coins = [say("coin of {suit}", suit=name) for name, was, now in zip(SUITS, view.coins, then.coins, strict=True)
             if was and was != now]
    pawns = [say("pawn of {suit}", suit=SUITS[suit]) for suit in range(4) if view.pawns[suit] != then.pawns[suit]]
    return (*tiles, *coins, *pawns)


@dataclass(frozen=True, slots=True)
class LeavesCoins(Reason):
    """How many values of a suit are not seen yet."""

    suit: int
    left: int

    @property
    def strength(self) -> float:
        """The fewer, the nearer to all."""
        return 1 / (1 + self.left)

    def holds(self, view: Any, action: Any) -> bool:
        """Whether so many have not been seen."""
        return action.suit == self.suit and len(view.left_on(self.suit)) == self.left

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return count(self.left, "Of {suit} {number} coin is left after it.", "Of {suit} {number} coins are left after it.",
                     suit=SUITS[self.suit])


@dataclass(frozen=True, slots=True)
class ByReach(Reason):
    """A claim about dice and the suits whose coins they may eat: the more, the stronger."""

    dice: tuple[int, ...]
    suits: tuple[int, ...]

    @property
    def strength(self) -> float:
        """The more, the better."""
        return len(self.suits)

    def named(self) -> tuple[str, str]:
        """The dice and the coins in words."""
        return listed(SUITS[die] for die in self.dice), listed((SUITS[suit] for suit in self.suits), "or")


@dataclass(frozen=True, slots=True)
class Reach(ByReach):
    """One slide by one of these dice may eat a coin of these suits."""

    def holds(self, view: Any, action: Any) -> bool:
        """Whether exactly these coins are within reach."""
        return action.dice == self.dice and tuple(sorted(reaches(view, self.dice))) == self.suits

    def words(self, names: Sequence[str]) -> str:
        """Which coins."""
        dice, coins = self.named()
        return say("With {dice} a Dominoid may slide to the coin of {coins} and eat it.", dice=dice, coins=coins)


@dataclass(frozen=True, slots=True)
class ThenReach(ByReach):
    """With the die that is left a slide may then eat a coin of these suits."""

    def holds(self, view: Any, action: Any) -> bool:
        """Whether that die is left, and exactly these coins are within its reach."""
        then = view.after(action)
        return then.chosen == self.dice and tuple(sorted(reaches(then, self.dice))) == self.suits

    def words(self, names: Sequence[str]) -> str:
        """Which coins."""
        dice, coins = self.named()
        return say("Then {dice} may bring a Dominoid to the coin of {coins} and eat it.", dice=dice, coins=coins)


@dataclass(frozen=True, slots=True)
class Moves(Reason):
    """What these dice can do, each."""

    dice: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def strength(self) -> float:
        """The more, the freer."""
        return sum(self.counts)

    def holds(self, view: Any, action: Any) -> bool:
        """Whether each has so many possibilities now."""
        return action.dice == self.dice and tuple(moving(view, die) for die in self.dice) == self.counts

    def words(self, names: Sequence[str]) -> str:
        """How many ways."""
        uses = zip(self.dice, self.counts, strict=True)
        return joined(say("The {die} die has {uses} now.", die=SUITS[die], uses=some(ways, "use")) for die, ways in uses)


@dataclass(frozen=True, slots=True)
class Blank(Reason):
    """These dice are blank: they do nothing."""

    dice: tuple[int, ...]

    @property
    def strength(self) -> float:
        """It speaks against the choice."""
        return -len(self.dice)

    def holds(self, view: Any, action: Any) -> bool:
        """Whether exactly these of the two are blank."""
        return tuple(die for die in action.dice if view.dice[die] == 0) == self.dice

    def words(self, names: Sequence[str]) -> str:
        """Which."""
        return count(len(self.dice), "The {dice} die is blank and rolled anew.", "The {dice} dice are blank and rolled anew.",
                     dice=listed(SUITS[die] for die in self.dice))


@dataclass(frozen=True, slots=True)
class LeavesDice(Reason):
    """The two other dice stay as they are, for the other player."""

    dice: tuple[int, ...]
    faces: tuple[int, ...]

    def holds(self, view: Any, action: Any) -> bool:
        """Whether these are the others and show so."""
        return (sorted((*action.dice, *self.dice)) == [0, 1, 2, 3]
                and tuple(view.dice[die] for die in self.dice) == self.faces)  # fmt: skip

    def words(self, names: Sequence[str]) -> str:
        """Which, and what they show."""
        shown = (say("{die} ({face})", die=SUITS[die], face=_face(face)) for die, face in zip(self.dice, self.faces, strict=True))
        return say("The dice of {shown} stay as they are.", shown=listed(shown))


def _face(face: int) -> str:
    return (say("blank"), say("ace"))[face] if face < 2 else str(face)


@dataclass(frozen=True, slots=True)
class Keeps(Reason):
    """One die of the two is still to be used."""

    die: int
    face: int

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it alone is left of two, and shows so."""
        then = view.after(action)
        return len(view.chosen) == 2 and then.chosen == (self.die,) and view.dice[self.die] == self.face

    def words(self, names: Sequence[str]) -> str:
        """Which."""
        return say("The {die} die ({face}) is left for your second action.", die=SUITS[self.die], face=_face(self.face))


@dataclass(frozen=True, slots=True)
class Meal(Reason):
    """A slide ends beside a coin that can be eaten with this chance (so many of so many values)."""

    suit: int
    able: int
    of: int

    @property
    def strength(self) -> float:
        """The chance."""
        return self.able / self.of

    def holds(self, view: Any, action: Any) -> bool:
        """Whether so many of the values that the coin may have are small enough."""
        return meals(view, action).get(self.suit) == Fraction(self.able, self.of)

    def words(self, names: Sequence[str]) -> str:
        """Which coin, how likely."""
        if self.able == self.of:
            return say("It ends beside the coin of {suit} and can eat it.", suit=SUITS[self.suit])
        return say("It ends beside the coin of {suit} and can eat it with a chance of {able} in {of}.", suit=SUITS[self.suit],
                   able=self.able, of=self.of)


@dataclass(frozen=True, slots=True)
class Near(Reason):
    """A coin is then so far from the nearest Dominoid; before None: it lay not on the board."""

    suit: int
    before: int | None
    now: int

    @property
    def strength(self) -> float:
        """How much nearer."""
        return (0 if self.before is None else self.before) - self.now

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it is so before and after."""
        return distance(view, self.suit) == self.before and distance(view.after(action), self.suit) == self.now

    def words(self, names: Sequence[str]) -> str:
        """How far."""
        suit, squares = SUITS[self.suit], some(self.now, "square")
        if self.before is None:
            return say("The coin of {suit} then lies {squares} from the nearest Dominoid.", suit=suit, squares=squares)
        return say("The coin of {suit} then lies {squares} from the nearest Dominoid, not {before}.", suit=suit, squares=squares,
                   before=self.before)


@dataclass(frozen=True, slots=True)
class Lies(Reason):
    """A coin is laid on this square."""

    suit: int
    cell: tuple[int, int]

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it lies there then."""
        coin = view.after(action).coins[self.suit]
        return coin is not None and coin[0] == number_of(self.cell)

    def words(self, names: Sequence[str]) -> str:
        """Where, as people count."""
        return say("It comes to lie in column {column}, row {row}.", column=self.cell[0] + 1, row=self.cell[1] + 1)


@dataclass(frozen=True, slots=True)
class Stands(Reason):
    """Where a Dominoid then lies."""

    tile: Tile
    cells: tuple[tuple[int, int], tuple[int, int]]

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it lies on these squares."""
        lying_then = [each for each in view.after(action).dominoids if each.tile == self.tile]
        return [sorted((each.first, each.second)) for each in lying_then] == [sorted(map(number_of, self.cells))]

    def words(self, names: Sequence[str]) -> str:
        """The squares, as people count."""
        (x, y), (x2, y2) = sorted(self.cells)
        column, row = (listed(sorted({first + 1, second + 1})) for first, second in ((x, x2), (y, y2)))
        return say("The {tile} then lies in column {column}, row {row}.", tile=self.tile, column=column, row=row)


@dataclass(frozen=True, slots=True)
class Returns(Reason):
    """A Dominoid goes back to the gene pool."""

    tile: Tile

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it is on the board, and then in the pool."""
        return self.tile not in view.pool and self.tile in view.after(action).pool

    def words(self, names: Sequence[str]) -> str:
        """Which."""
        return say("The {tile} goes back to the gene pool.", tile=self.tile)


@dataclass(frozen=True, slots=True)
class Child(Reason):
    """With this Dominoid there is a child, which may move next."""

    tile: Tile

    def holds(self, view: Any, action: Any) -> bool:
        """Whether a child is to be laid then."""
        parent = action.tile if isinstance(action, Breed) else action.parent
        return parent == self.tile and view.after(action).phase == "child"

    def words(self, names: Sequence[str]) -> str:
        """With whom."""
        return say("With the {tile} it has a child, which you lay where it serves you.", tile=self.tile)


@dataclass(frozen=True, slots=True)
class Shows(Reason):
    """A coin is turned up that may have so many values."""

    suit: int
    values: int

    def holds(self, view: Any, action: Any) -> bool:
        """Whether so many values of the suit are unseen."""
        return action.suit == self.suit and len(view.left_on(self.suit)) == self.values

    def words(self, names: Sequence[str]) -> str:
        """Of how many."""
        return say("You see the coin of {suit}, one of {values}, and choose then.", suit=SUITS[self.suit],
                   values=some(self.values, 'value'))


@dataclass(frozen=True, slots=True)
class Nothing(Reason):
    """A die can do nothing."""

    die: int

    def holds(self, view: Any, action: Any) -> bool:
        """Whether passing is all that it allows."""
        return with_die(view, self.die, objects_on(view)) == [action]

    def words(self, names: Sequence[str]) -> str:
        """Which."""
        return say("The {die} die can do nothing else.", die=SUITS[self.die])


@dataclass(frozen=True, slots=True)
class Carries(Reason):
    """What rides along with a shift."""

    line: str
    index: int
    things: tuple[str, ...]

    def holds(self, view: Any, action: Any) -> bool:
        """Whether exactly these come to lie elsewhere."""
        return (action.line, action.index) == (self.line, self.index) and carried(view, action) == self.things

    def words(self, names: Sequence[str]) -> str:
        """What."""
        return say("With the {line} go: {things}.", line=self.line, things=listed(self.things))
