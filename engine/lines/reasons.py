"""What speaks for an action in a line game: what it scores, whom it leaves without a play, what it leaves the own hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.lines.actions import Claim, Draw, Muggins, Play, Skip
from engine.pieces import Tile
from engine.reasons import ByTiles, GetsRid, GoesOut, NothingFits, Reason, after, listed, own, scored, some

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
    then = after(view, action)
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
        state = after(view, action)
        able = {"draw"} if len(state.boneyard) > state.rules.reserve else {"pass"}
        return (state.turn == self.seat and opened(state) == self.numbers and self.then in able
                and all(cannot_play(state, self.seat, number) for number in self.numbers)
                and refused(state, self.seat, self.numbers) == self.times)  # fmt: skip

    def words(self, names: Sequence[str]) -> str:
        """Who, at which numbers, and why that is known."""
        what = listed((f"{number}s" for number in self.numbers), "or")
        known = f" drew or passed at {what} {_times(self.times)} and" if self.times else ""
        return f"{names[self.seat]}{known} can have nothing for {what}: a {self.then} must follow."


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
        state = after(view, action)
        closed = tuple(number for number in opened(state) if cannot_play(state, self.seat, number))
        return state.turn == self.seat and closed == self.numbers and refused(state, self.seat, closed) == self.times

    def words(self, names: Sequence[str]) -> str:
        """Who, and at which number."""
        what = listed((f"{number}s" for number in self.numbers), "or")
        known = f" drew or passed at {what} {_times(self.times)} and" if self.times else ""
        return f"{names[self.seat]}{known} can have nothing for {what}."


def _times(times: int) -> str:
    return {1: "once", 2: "twice"}.get(times, f"{times} times")


@dataclass(frozen=True, slots=True)
class Keeps(ByTiles):
    """An open end fits tiles that stay in the hand."""

    def holds(self, view: Any, action: Any) -> bool:
        """Whether exactly these of the rest fit that end."""
        fits = tuple(tile for tile in own_rest(view, action) if view.kit.fit(tile, self.number))
        return self.number in opened(after(view, action)) and fits == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """The end and the tiles."""
        return f"It keeps {_end(self.number)} open for your {listed(self.tiles)}."


@dataclass(frozen=True, slots=True)
class OnlyYours(ByTiles):
    """An open end fits tiles of the own hand and no other tile that is left."""

    def holds(self, view: Any, action: Any) -> bool:
        """Whether exactly these tiles fit that end, and no tile unseen."""
        fit, state = view.kit.fit, after(view, action)
        fits = tuple(tile for tile in own_rest(view, action) if fit(tile, self.number))
        return self.number in opened(state) and fits == self.tiles and not any(fit(tile, self.number) for tile in state.unseen())

    def words(self, names: Sequence[str]) -> str:
        """The end and the tiles."""
        return f"Only you can play at the {self.number}, with your {listed(self.tiles)}."


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
        return opened(after(view, action)) == self.numbers and not fits

    def words(self, names: Sequence[str]) -> str:
        """The open ends."""
        ends = listed(map(_end, self.numbers))
        return f"Then {ends} {'is' if len(self.numbers) == 1 else 'are'} open, and nothing of yours fits."


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
        then = after(view, action)
        return opened(then) == self.numbers and chances(then, self.numbers) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """How many, and where."""
        ends = listed(map(_end, self.numbers))
        return f"Of the tiles you do not see {self.tiles} fit{'s' * (self.tiles == 1)} where {ends} is open."


def _end(number: int) -> str:
    return f"an {number}" if number in (8, 11) else f"a {number}"


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
        return f"The {self.number}-{self.number} is harder to lay later: {some(self.ends, 'end')} left for it in other tiles."


@dataclass(frozen=True, slots=True)
class OneMore(Reason):
    """One more tile may be laid."""

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the same seat has a bonus."""
        state = after(view, action)
        return bool(state.phase == "bonus" and state.turn == view.turn)

    def words(self, names: Sequence[str]) -> str:
        """One sentence."""
        return "You may lay one more tile."


@dataclass(frozen=True, slots=True)
class Stock(Reason):
    """So many tiles are left to draw from."""

    tiles: int

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the boneyard has so many."""
        return len(view.boneyard) == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return f"There {'is' if self.tiles == 1 else 'are'} {some(self.tiles, 'tile')} to draw from."


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
        gained = after(view, action).scores()[view.turn] - view.scores()[view.turn]
        return bool(view.pending == (self.owner, self.points) and gained == self.points)

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return f"It takes the {some(self.points, 'point')} of the play by {names[self.owner]}."


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
        return f"You let {some(self.points, 'point')} go." if self.points else "You keep your tiles and lay no second one."
