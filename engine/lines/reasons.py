"""What speaks for an action in a line game: what it scores, whom it leaves without a play, what it leaves the own hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.lines.actions import Claim, Draw, Muggins, Play, Skip
from engine.pieces import Tile
from engine.reasons import ByTiles, GetsRid, GoesOut, NothingFits, Reason, own, scored
from engine.words import count, listed, say, some

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.lines.line import Line


def reasons(view: Line, action: Action) -> Iterator[Reason]:
    """The reasons of an action, the best first."""
    if isinstance(action, Claim | Muggins):
        assert view.pending is not None
        yield Takes(*view.pending)
    elif isinstance(action, Skip):
        yield Forgoes(0 if view.pending is None else view.pending[1])
    elif isinstance(action, Draw):
        if len(view.legal()) == 1:
            yield NothingFits()
        yield Stock(len(view.boneyard))
    elif isinstance(action, Play):
        yield from _of_play(view, action)
    else:
        yield NothingFits()


def _of_play(view: Line, action: Play) -> Iterator[Reason]:
    seat = view.turn or 0
    then = view.after(action)
    if not then.hands[seat]:
        yield GoesOut()
        return
    yield from scored(view, action)
    if then.phase == "bonus":
        yield OneMore()
    rest = own_rest(view, action)
    numbers = opened(then)
    if then.turn not in (seat, None):
        yield from _for_the_next(then, numbers)
    fit, elsewhere = view.kit.fit, then.unseen()
    kept = {number: tuple(tile for tile in rest if fit(tile, number)) for number in numbers}
    for number, tiles in sorted(kept.items(), key=lambda each: -len(each[1])):
        if tiles and not any(fit(tile, number) for tile in elsewhere):
            yield OnlyYours(number, tiles)
        elif tiles:
            yield Keeps(number, tiles)
    if not any(kept.values()):
        yield Strands(numbers)
    yield GetsRid(action.tile.pips)
    yield Chances(numbers, chances(then, numbers))
    if action.tile.is_double:
        yield Homes(action.tile.low, homes(view, action.tile))


def _for_the_next(then: Line, numbers: tuple[int, ...]) -> Iterator[Reason]:
    """What the seat that follows is known not to hold."""
    seat = then.turn or 0
    barred = tuple(number for number in numbers if cannot_play(then, seat, number))
    times = refused(then, seat, barred)
    if barred and len(barred) == len(numbers):
        yield Stuck(seat, barred, times, "draw" if len(then.boneyard) > then.rules.reserve else "pass")
    elif barred:
        yield Barred(seat, barred, times)


def own_rest(view: Line, action: Play) -> list[Tile]:
    """The known tiles that stay in the hand."""
    rest = own(view)
    if action.tile in rest:
        rest.remove(action.tile)
    return rest


def opened(then: Line) -> tuple[int, ...]:
    """The numbers of the open ends, each once."""
    return tuple(sorted({number for _, number in then.open_ends()}))


def cannot_play(state: Line, seat: int, number: int) -> bool:
    """Whether by all that is public no tile of this seat fits the number."""
    fit = state.kit.fit
    return not any(fit(tile, number) for tile in (*state.candidates(seat), *state.hands[seat]) if tile.low >= 0)


def refused(state: Line, seat: int, numbers: Sequence[int]) -> int:
    """How often in this round the seat drew or passed while one of these numbers was open, as far as it was seen."""
    times, node = 0, state.story
    while node is not None:
        earlier, what, *rest = node
        times += what in ("draw", "pass") and rest[0] == seat and not {*numbers}.isdisjoint(rest[1])
        node = earlier
    return times


def homes(view: Line, tile: Tile) -> int:
    """How many tiles that do not lie on the line could still open an end for this double, where equal ends match."""
    held = {*view.unseen(), *own(view)} - {tile}
    return sum(bool(set(view.kit.fit(tile, number))) for each in held for number in {*each})


def chances(then: Line, numbers: Sequence[int]) -> int:
    """How many of the tiles not seen fit one of these open ends."""
    return sum(any(then.kit.fit(tile, number) for number in numbers) for tile in then.unseen())


@dataclass(frozen=True, slots=True)
class Stuck(Reason):
    """The next seat can have nothing that fits an open end; times: how often it was seen to have nothing there."""

    seat: int
    numbers: tuple[int, ...]
    times: int
    then: str

    @property
    def strength(self) -> float:
        """The same for all."""
        return 1.0

    def holds(self, view: Any, action: Action) -> bool:
        """Whether all ends show those numbers and none can be played by that seat."""
        state = view.after(action)
        able = {"draw"} if len(state.boneyard) > state.rules.reserve else {"pass"}
        return (state.turn == self.seat and opened(state) == self.numbers and self.then in able
                and all(cannot_play(state, self.seat, number) for number in self.numbers)
                and refused(state, self.seat, self.numbers) == self.times)  # fmt: skip

    def words(self, names: Sequence[str]) -> str:
        """Who, at which numbers, and why that is known."""
        what = _numbers(self.numbers)
        known = _known(names[self.seat], what, self.times)
        if self.then == "draw":
            return say("{known} can have nothing for {what}: a draw must follow.", known=known, what=what)
        return say("{known} can have nothing for {what}: a pass must follow.", known=known, what=what)


@dataclass(frozen=True, slots=True)
class Barred(Reason):
    """The next seat can have nothing that fits some of the open ends."""

    seat: int
    numbers: tuple[int, ...]
    times: int

    @property
    def strength(self) -> float:
        """The more ends, the better."""
        return len(self.numbers)

    def holds(self, view: Any, action: Action) -> bool:
        """Whether exactly these of the open ends are closed to that seat."""
        state = view.after(action)
        closed = tuple(number for number in opened(state) if cannot_play(state, self.seat, number))
        return state.turn == self.seat and closed == self.numbers and refused(state, self.seat, closed) == self.times

    def words(self, names: Sequence[str]) -> str:
        """Who, and at which number."""
        what = _numbers(self.numbers)
        return say("{known} can have nothing for {what}.", known=_known(names[self.seat], what, self.times), what=what)


def _known(name: str, what: str, times: int) -> str:
    """Who, and what that seat was seen to do."""
    if not times:
        return name
    if times == 2:
        return say("{name} drew or passed at {what} twice and", name=name, what=what)
    return count(times, "{name} drew or passed at {what} once and", "{name} drew or passed at {what} {number} times and",
                 name=name, what=what)


def _numbers(numbers: Iterable[int]) -> str:
    """As players call the tiles of a number: "5s or 6s"."""
    return listed((say("{end}s", end=number) for number in numbers), "or")


@dataclass(frozen=True, slots=True)
class Keeps(ByTiles):
    """An open end fits tiles that stay in the hand."""

    def holds(self, view: Any, action: Any) -> bool:
        """Whether exactly these of the rest fit that end."""
        fits = tuple(tile for tile in own_rest(view, action) if view.kit.fit(tile, self.number))
        return self.number in opened(view.after(action)) and fits == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """The end and the tiles."""
        return say("It keeps {end} open for your {tiles}.", end=_end(self.number), tiles=listed(self.tiles))


@dataclass(frozen=True, slots=True)
class OnlyYours(ByTiles):
    """An open end fits tiles of the own hand and no other tile that is left."""

    def holds(self, view: Any, action: Any) -> bool:
        """Whether exactly these tiles fit that end, and no tile unseen."""
        fit, state = view.kit.fit, view.after(action)
        fits = tuple(tile for tile in own_rest(view, action) if fit(tile, self.number))
        return self.number in opened(state) and fits == self.tiles and not any(fit(tile, self.number) for tile in state.unseen())

    def words(self, names: Sequence[str]) -> str:
        """The end and the tiles."""
        return say("Only you can play at the {number}, with your {tiles}.", number=self.number, tiles=listed(self.tiles))


@dataclass(frozen=True, slots=True)
class Strands(Reason):
    """No tile that stays in the hand fits an open end."""

    numbers: tuple[int, ...]

    @property
    def strength(self) -> float:
        """It speaks against the action."""
        return -1.0

    def holds(self, view: Any, action: Any) -> bool:
        """Whether those are the open ends, and nothing fits."""
        fits = [tile for tile in own_rest(view, action) for number in self.numbers if view.kit.fit(tile, number)]
        return opened(view.after(action)) == self.numbers and not fits

    def words(self, names: Sequence[str]) -> str:
        """The open ends."""
        ends = listed(map(_end, self.numbers))
        return count(len(self.numbers), "Then {ends} is open, and nothing of yours fits.",
                     "Then {ends} are open, and nothing of yours fits.", ends=ends)


@dataclass(frozen=True, slots=True)
class Chances(Reason):
    """So many of the tiles not seen fit what is then open."""

    numbers: tuple[int, ...]
    tiles: int

    @property
    def strength(self) -> float:
        """The fewer, the harder for the others."""
        return -self.tiles

    def holds(self, view: Any, action: Any) -> bool:
        """Whether those are the open ends, and so many fit."""
        then = view.after(action)
        return opened(then) == self.numbers and chances(then, self.numbers) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """How many, and where."""
        ends = listed(map(_end, self.numbers))
        return count(self.tiles, "Of the tiles you do not see {number} fits where {ends} is open.",
                     "Of the tiles you do not see {number} fit where {ends} is open.", ends=ends)


def _end(number: int) -> str:
    return say("an {end}", end=number) if number in (8, 11) else say("a {end}", end=number)


@dataclass(frozen=True, slots=True)
class Homes(Reason):
    """A double is laid that so few other ends could still take."""

    number: int
    ends: int

    @property
    def strength(self) -> float:
        """The fewer are left, the better it is laid now."""
        return 1 / (1 + self.ends)

    def holds(self, view: Any, action: Any) -> bool:
        """Whether it is that double, and so many ends are left for it."""
        return action.tile == (self.number, self.number) and homes(view, action.tile) == self.ends

    def words(self, names: Sequence[str]) -> str:
        """How hard it is to lay later."""
        return say("The {double} is harder to lay later: {ends} left for it in other tiles.",
                   double=Tile(self.number, self.number), ends=some(self.ends, "end"))


@dataclass(frozen=True, slots=True)
class OneMore(Reason):
    """One more tile may be laid."""

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the same seat has a bonus."""
        state = view.after(action)
        return bool(state.phase == "bonus" and state.turn == view.turn)

    def words(self, names: Sequence[str]) -> str:
        """One sentence."""
        return say("You may lay one more tile.")


@dataclass(frozen=True, slots=True)
class Stock(Reason):
    """So many tiles are left to draw from."""

    tiles: int

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the boneyard has so many."""
        return len(view.boneyard) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return count(self.tiles, "There is {number} tile to draw from.", "There are {number} tiles to draw from.")


@dataclass(frozen=True, slots=True)
class Takes(Reason):
    """Points of a play are taken by a call, that seat's own or another's."""

    owner: int
    points: int

    @property
    def strength(self) -> float:
        """The points."""
        return self.points

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the score rises by them."""
        gained = view.after(action).scores()[view.turn] - view.scores()[view.turn]
        return bool(view.pending == (self.owner, self.points) and gained == self.points)

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return say("It takes the {points} of the play by {name}.", points=some(self.points, 'point'), name=names[self.owner])


@dataclass(frozen=True, slots=True)
class Forgoes(Reason):
    """Points are not called, or no bonus tile is laid."""

    points: int

    @property
    def strength(self) -> float:
        """The points, lost."""
        return -self.points

    def holds(self, view: Any, action: Action) -> bool:
        """Whether those points are open, or a bonus is."""
        return view.pending[1] == self.points if view.pending is not None else view.phase == "bonus" and not self.points

    def words(self, names: Sequence[str]) -> str:
        """What is let go."""
        if self.points:
            return say("You let {points} go.", points=some(self.points, "point"))
        return say("You keep your tiles and lay no second one.")
