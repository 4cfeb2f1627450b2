"""What may have been done in Dominoids, legal or not, given what the table shows; and how to say it.

Two things nobody can see, and nothing on the table hangs on them: which of two dice that could both do it moved a Dominoid,
and when in a turn a blank was passed. The smaller die is then taken for it, and passing comes last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple

from engine.actions import Action, Cell
from engine.dominoids.actions import (
    SUITS,
    Attack,
    Breed,
    Bud,
    Choose,
    Deal,
    Eat,
    Look,
    Pass,
    Replace,
    Roll,
    Rotate,
    Shift,
    Slide,
    TurnCoin,
)
from engine.dominoids.actions import (
    Place as Child,
)
from engine.dominoids.board import NEAR, SIDE, Dominoid, cell_of, number_of, shifted, straddles, strip, torn
from engine.dominoids.game import State
from engine.dominoids.turns import objects_on, with_die
from engine.pieces import Tile
from engine.words import say
from referee.dominoids_words import cell_name, cell_names, deed, face_name
from referee.readers.dominoids_board import Board
from referee.readers.words import named, put_right
from referee.reading import MISSING, Breach, Difference, Ends, Expected, Laid, Place, Proposal, Reader, Reading
from referee.setting import Point
from vision.degrees import HARDLY, NEVER, nats_against
from vision.observation import Array
from vision.piece_sets import VALUES as FACES


class KnownDie(NamedTuple):
    """Where a die lies, and how likely it is the one of each suit."""

    center: Point
    suits: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is known from the looks before. pool: the gene pool's tiles, by the track that was last taken for each.

    deals: the set-up as it was last seen whole, likeliest first, each with the nats against it. dice: by suit, where the die
    lay when the state came to know what it shows: while it lies there it shows that. shown: what dice showed by that state.
    lie_dice: all dice as they were last seen; lay_dice: as they lay before one of them was last moved.
    there: where coins, dice and pawns were last seen that nobody can have touched since; swept: by what that is known.
    lies: coins and pawns by what they show in that state; named: those of them seen there since the state came to know it, and
    what they were read as: another that comes there is itself again.
    met: the tiles that some look has shown. still: the suits whose dice lie where they lay when it was last known what they show.
    """

    board: Board | None = None
    pool: Mapping[Tile, int] = field(default_factory=dict)
    deals: tuple[tuple[Deal, float], ...] = ()
    dice: Mapping[int, Point] = field(default_factory=dict)
    lie_dice: tuple[KnownDie, ...] = ()
    lay_dice: tuple[KnownDie, ...] = ()
    shown: tuple[str, ...] = ()
    there: Mapping[Place, Point] = field(default_factory=dict)
    swept: tuple[Array, ...] | None = None
    lies: Mapping[Place, str] = field(default_factory=dict)
    named: Mapping[Place, str] = field(default_factory=dict)
    met: frozenset[Tile] = frozenset()
    still: frozenset[int] = frozenset()


def number_first(cells: tuple[Cell, Cell]) -> tuple[Cell, Cell]:
    """Two cells, the left or lower one first."""
    first, second = sorted(cells, key=number_of)
    return first, second


def lies(each: Dominoid) -> Place:
    """The place of a Dominoid on the board."""
    return "lies", cell_of(each.first), cell_of(each.second)


def coin_at(state: State, suit: int) -> Place:
    """Where the coin of a suit lies that is on the board."""
    coin = state.coins[suit]
    assert coin is not None
    return "coin", cell_of(coin[0])


class DominoidsPlays(Reader):
    """Proposals, breaches and words; the reading itself stands in `dominoids.py`."""

    def proposals(self, state: State, reading: Reading) -> list[Proposal]:
        """What the table shows to have been done next."""
        if self._noted(reading).board is None:
            return []
        if state.chance == "deal":
            return [Proposal(replace(deal, first=seat), 0.0, cost, seat)
                    for deal, cost in self._noted(reading).deals for seat in (0, 1)]
        if state.chance == "coin":
            return self._coins(state, reading)
        if state.chance == "roll":
            return self._rolls(state, reading)
        if state.turn is None:
            return []
        by_phase = {"choose": self._choices, "act": self._acts, "consequence": self._consequences, "child": self._children,
                    "replace": self._replacements}
        return [replace(each, hand=state.turn) for each in by_phase[state.phase](state, reading)]

    @staticmethod
    def _coins(state: State, reading: Reading) -> list[Proposal]:
        """What the coin that was turned up may show; where it lies there no more it may have been any."""
        suit = state.waiting()
        sight = reading.pieces.get(coin_at(state, suit))
        if sight is None:
            return [Proposal(TurnCoin(suit, value), MISSING) for value in state.left_on(suit)]
        if sum(p for label, p in sight.labels.items() if label.startswith("value:")) < NEVER:
            return []
        return [Proposal(TurnCoin(suit, value), 0.0, sight.cost(f"value:{FACES[value]}")) for value in state.left_on(suit)]

    def _rolls(self, state: State, reading: Reading) -> list[Proposal]:
        """What the two dice may show that were rolled; those that lie in no box have not been, and those that lie where
        they lay hardly."""
        box = "old" if all(new or suit in state.picked for suit, new in enumerate(state.new)) else "new"
        shown: list[list[tuple[int, float]]] = []
        for suit in state.picked:
            sight = reading.pieces.get(("die", suit))
            if sight is None:
                shown.append([(face, 0.0) for face in range(len(FACES))])
            else:
                shown.append([(face, sight.cost(f"{box} {face}")) for face in range(len(FACES))
                              if sight.labels.get(f"{box} {face}", 0.0) > NEVER])
        against = nats_against(HARDLY) * len(self._noted(reading).still.intersection(state.picked))
        return [Proposal(Roll(tuple(face for face, _ in faces)), against, sum(cost for _, cost in faces))
                for faces in product(*shown)]

    @staticmethod
    def _choices(state: State, reading: Reading) -> Iterator[Proposal]:
        """Pairs of dice, by how likely they are those that lie beside the boxes."""
        for action in state.legal():
            assert isinstance(action, Choose)
            sights = [(die, reading.pieces.get(("die", die))) for die in action.dice]
            yield Proposal(action, 0.0, sum(sight.cost(f"taken {state.dice[die]}") for die, sight in sights if sight is not None))

    def _acts(self, state: State, reading: Reading) -> Iterator[Proposal]:
        """Moves of Dominoids that do not lie where they lay, shifts of strips whose pawn is elsewhere, buds, and passes."""
        legal = plain(state.legal(), state)
        gone = self._gone(state, reading)
        fresh = self._fresh(state, reading)
        for action in legal:
            if isinstance(action, Slide | Rotate):
                if action.tile in gone:
                    yield Proposal(action, 0.0 if self._lies(action, reading) else MISSING)  # it lay there, and was not seen
            elif isinstance(action, Shift):
                cell = state.pawns[action.die]
                if not stands(action.die, cell, reading):
                    pushed = stands(action.die, shifted(cell, action.line, action.step), reading)
                    yield Proposal(action, 0.0 if pushed else MISSING)
        buds = [action for action in legal if isinstance(action, Bud)
                and any(action.parent in self._beside(child, state) for child in fresh)]
        by_rule = [bud for bud in buds if any(state.after(bud).verify(child) for child in fresh)]
        yield from map(Proposal, by_rule or buds)  # whose child it is nobody sees: none is blamed where another can have it
        passes = [action for action in legal if isinstance(action, Pass)]
        if passes and len(passes) == len(legal):
            yield Proposal(passes[0])
        else:
            yield from (Proposal(action, MISSING) for action in passes if state.dice[action.die])  # no look shows it

    def _consequences(self, state: State, reading: Reading) -> Iterator[Proposal]:
        """A coin that is gone or turned up, a Dominoid that is gone, or a new one."""
        gone, fresh, bred = self._gone(state, reading), self._fresh(state, reading), set[Child]()
        for action in state.legal():
            if isinstance(action, Eat):
                if not there(coin_at(state, action.suit), reading):
                    yield Proposal(action)
            elif isinstance(action, Look):
                sight = reading.pieces.get(coin_at(state, action.suit))
                if sight is not None and sight.label.startswith("value:"):
                    yield Proposal(action)
            elif isinstance(action, Attack) and action.tile in gone:
                back = ("pool", *action.tile) in reading.tiles
                yield Proposal(action, 0.0 if back else MISSING)
            elif isinstance(action, Breed):
                after = state.after(action)
                born = {child for child in fresh if child in after.legal()}
                if born - bred or (fresh and not born):  # the same child of other parents is the same table
                    yield Proposal(action)
                bred |= born

    def _children(self, state: State, reading: Reading) -> Iterator[Proposal]:
        """New Dominoids on the board."""
        legal = set(state.legal())
        yield from (Proposal(child) for child in self._fresh(state, reading) if child in legal)

    @staticmethod
    def _replacements(state: State, reading: Reading) -> Iterator[Proposal]:
        """New coins beside their pawns."""
        for action in state.legal():
            assert isinstance(action, Replace)
            sight = reading.pieces.get(("coin", action.cell))
            if sight is not None:
                yield Proposal(action, 0.0, sight.cost(f"suit:{SUITS[action.suit]}"))

    @staticmethod
    def _gone(state: State, reading: Reading) -> dict[Tile, Dominoid]:
        """The Dominoids that are not seen where they lie in this state."""
        return {each.tile: each for each in state.dominoids
                if (sight := reading.tiles.get(lies(each))) is None or sight.cost((each.p, each.q)) > 0}

    @staticmethod
    def _lies(action: Slide | Rotate, reading: Reading) -> bool:
        """Whether a Dominoid is seen where a move would lay it."""
        cells = number_first(action.cells)
        ends = action.ends if cells == action.cells else action.ends[::-1]
        sight = reading.tiles.get(("lies", *cells))
        return sight is not None and sight.cost(ends) < MISSING

    @staticmethod
    def _fresh(state: State, reading: Reading) -> list[Child]:
        """What tiles of the gene pool may be that lie on the board."""
        known = set(map(lies, state.dominoids))
        return [Child(Tile.of(*ends), place[1:], ends) for place, sight in reading.tiles.items()
                if place[0] == "lies" and place not in known for ends in sight.likely()
                if Tile.of(*ends) in state.pool and sight.cost(ends) < MISSING]

    @staticmethod
    def _beside(child: Child, state: State) -> list[Tile]:
        """The Dominoids beside which a child lies."""
        near = {cell for own in child.cells for cell in NEAR[number_of(own)]}
        return [each.tile for each in state.dominoids if each.first in near or each.second in near]

    # What breaks a rule.

    def breaches(self, state: State, reading: Reading) -> list[Breach]:
        """Illegal deeds that the table shows."""
        if self._noted(reading).board is None:
            return []
        expected = self.expected(state, reading)
        if state.chance == "roll" and isinstance(state.last_pushed, Pass):
            state = state.branch()
            state.pop()  # what was passed by itself may have been used for what it cannot do
        ways = (self._wrong_moves, self._wrong_children, self._wrong_coins, self._wrong_shifts, self._wrong_dice)
        return [breach for way in ways for breach in way(state, reading, expected)]

    def _wrong_moves(self, state: State, reading: Reading, expected: Expected) -> Iterator[Breach]:
        """A Dominoid lies where it cannot have come to, or in the gene pool where it was not to be attacked."""
        dice = sorted(state.chosen or range(4), key=lambda die: -state.dice[die])
        for tile, each in self._gone(state, reading).items():
            for place, sight in reading.tiles.items():
                if place[0] == "lies" and place not in expected.tiles:
                    for ends in {(each.p, each.q), (each.q, each.p)}:
                        if sight.cost(ends) < MISSING:
                            after = expected.without(lies(each), tiles={place: Laid(ends)})
                            yield from self._broken(state, moved(each, place[1:], ends, dice), after, sight.center)
            pool: Place = ("pool", *tile)
            if pool in reading.tiles:
                laid = {pool: Laid(tile, either_way=True)}
                yield from self._broken(state, [Attack(tile)], expected.without(lies(each), tiles=laid), None)

    def _wrong_children(self, state: State, reading: Reading, expected: Expected) -> Iterator[Breach]:
        """A tile of the gene pool lies where it must not."""
        if state.phase == "consequence" and any(isinstance(action, Breed) for action in state.legal()):
            return  # it may be the child of those
        for child in self._fresh(state, reading):
            place: Place = ("lies", *child.cells)
            supposed = expected.without(("pool", *child.tile), tiles={place: Laid(child.ends)})
            actions: list[Action] = [child]
            if state.phase == "act":
                actions = [Bud(die, parent) for die in state.chosen for parent in self._beside(child, state)] or [child]
                if any(state.verify(action) for action in actions):
                    continue
            yield from self._broken(state, actions, supposed, reading.tiles[place].center)

    def _wrong_coins(self, state: State, reading: Reading, expected: Expected) -> Iterator[Breach]:
        """A coin was taken, or laid, that must not be."""
        for suit, coin in enumerate(state.coins):
            if coin is None:
                for place, sight in reading.pieces.items():
                    if place[0] == "coin" and place not in expected.pieces:
                        laid = {place: f"suit:{SUITS[suit]}"}
                        if sight.cost(laid[place]) < MISSING:
                            after = expected.without(pieces=laid)
                            yield from self._broken(state, [Replace(suit, place[1])], after, sight.center)
            elif not there(coin_at(state, suit), reading):
                yield from self._broken(state, [Eat(suit)], expected.without(coin_at(state, suit)), None)

    def _wrong_shifts(self, state: State, reading: Reading, expected: Expected) -> Iterator[Breach]:
        """A strip was shifted that must not be."""
        stays = {suit for suit, cell in enumerate(state.pawns) if stands(suit, cell, reading)}
        for line, index, step in product(("row", "column"), range(SIDE // 2), (1, -1)):
            bits = strip(line, index)
            inside = {suit for suit, cell in enumerate(state.pawns) if bits >> cell & 1}
            if not inside or inside & stays:
                continue
            dice = sorted(state.chosen or range(4), key=lambda die: (state.dice[die] != 1, die not in inside))
            if not straddles(state.dominoids, line, index) and not torn(state.dominoids, line, index, step):
                shifts = [Shift(die, line, index, step) for die in dice]
                yield from self._broken(state, shifts, self.expected(state.after(shifts[0]), reading), None)

    def _wrong_dice(self, state: State, reading: Reading, expected: Expected) -> Iterator[Breach]:
        """Dice were chosen that must not be, or rolled before all was done."""
        sights = {suit: reading.pieces.get(("die", suit)) for suit in range(len(SUITS))}
        where = {suit: sight.label.split()[0] for suit, sight in sights.items() if sight is not None}
        if state.phase == "choose":
            taken = tuple(suit for suit, box in where.items() if box == "taken")
            if taken and not (verdict := state.verify(Choose(taken))):
                after = expected.without(pieces={("die", suit): f"taken {state.dice[suit]}" for suit in taken})
                if len(taken) < 2:
                    yield Breach(verdict, after, say("{name} takes one die.", name=self._name(state.turn)), 0.0, seat=state.turn,
                                 pending=True, steps=(say("Take a second die, and lay it beside the boxes."),), hand=state.turn)
                else:
                    yield from self._broken(state, [Choose(taken)], after, None)
            return
        if not state.chosen and state.phase == "roll":
            return
        new = [new or suit in state.picked for suit, new in enumerate(state.new)]  # where the dice lie once they are rolled
        if all(where.get(suit) == ("new" if is_new and not all(new) else "old") for suit, is_new in enumerate(new)):
            bound = [die for die in state.chosen if not _was_passed(state, die)]
            if state.chosen and not bound and state.phase == "act":
                return
            shown = {("die", suit): sight.label for suit, sight in sights.items() if sight is not None}
            action: Action = Pass(max(bound, key=lambda die: state.dice[die])) if bound else Choose(state.picked)
            yield from self._broken(state, [action], expected.without(pieces=shown), None,
                                    say("{name} rolls the dice.", name=self._name(state.turn)))

    def _broken(self, state: State, actions: Iterable[Action], supposed: Expected, center: Any, words: str = "",
                ) -> Iterator[Breach]:
        """The breach of the one of these actions that comes nearest to being legal: they all look like this."""
        verdicts = [(state.verify(action), action) for action in actions]
        if not verdicts or any(verdict for verdict, _ in verdicts):
            return
        verdict, action = min(verdicts, key=lambda each: FARTHEST.index(each[0].rule) if each[0].rule in FARTHEST else -1)
        said = words or f"{self._name(state.turn)} {deed(action)}."
        yield Breach(verdict, supposed, said, 0.0, action, state.turn, center, hand=state.turn)

    # Words.

    def words(self, state: State, action: Action) -> str:
        """As a player would say it."""
        if isinstance(action, Deal):
            return say("The board is set up; {name} begins.", name=self.setting.names[action.first])
        if isinstance(action, TurnCoin):
            return say("The coin of {suit} shows {value}.", suit=SUITS[action.suit], value=face_name(action.value))
        return say("{name} {deed}.", name=self._name(state.turn), deed=deed(action))

    def step(self, difference: Difference, state: State) -> str:
        """How to put a difference right."""
        kind, place = difference.kind, difference.place
        if place[0] == "die":
            return say("The die of {suit} should lie {where}; {seen}.", suit=SUITS[place[1]],
                       where=_die_words(difference.due), seen=_seen_words(difference))
        if place[0] in ("coin", "pawn"):
            where = cell_name(place[1])
            if kind == "extra":
                return (say("Take away the coin on {cell}.", cell=where) if place[0] == "coin"
                        else say("Take away the pawn on {cell}.", cell=where))  # fmt: skip
            piece = _piece(place[0], str(difference.due))
            if kind == "missing":
                return say("Put the {piece} on {cell} back.", piece=piece, cell=where)
            return say("Put the {piece} on {cell}.", piece=piece, cell=where)
        if kind in ("missing", "wrong"):
            where = say("on {cells}", cells=cell_names(place[1:])) if place[0] == "lies" else say("in the gene pool")
            return put_right(difference, where)
        if place[0] == "lies":
            return say("Take away the {tile} on {cells}.", tile=named(difference.seen), cells=cell_names(place[1:]))
        if place[0] == "askew":
            return say("Lay the {tile} on two cells of the board.", tile=named(difference.seen))
        return say("Take away the {tile} beside the board.", tile=named(difference.seen))


FARTHEST = ("slide-distance", "slide-blocked", "edge", "rotate", "leading-end", "straddle", "torn", "shift-pawn", "die-face",
            "die-not-chosen")
"""Of several dice that might have done it the one counts whose rule stands first: it comes nearest to being legal."""


def plain(legal: Iterable[Action], state: State) -> list[Action]:
    """Of actions that differ only in their dice those of the smallest one. With which of two a strip was shifted matters: the one
    that is left shifts the strips of its own pawn."""
    alike: dict[Any, list[Any]] = {}
    for action in legal:
        key = replace(action, die=-1) if isinstance(action, Slide | Rotate | Bud) else action
        alike.setdefault(key, []).append(action)
    return [min(actions, key=lambda action: (state.dice[action.die], action.die)) for actions in alike.values()]


def stands(suit: int, cell: int, reading: Reading) -> bool:
    """Whether the pawn of a suit is seen on a cell."""
    place: Place = ("pawn", cell_of(cell))
    return place in reading.hidden or (place in reading.pieces and reading.pieces[place].label == SUITS[suit])


def there(place: Place, reading: Reading) -> bool:
    """Whether a piece is seen at a place, or was, and nobody has touched it since."""
    return place in reading.pieces or place in reading.hidden


def _was_passed(state: State, die: int) -> bool:
    """Whether a die can do nothing now, or could do nothing when the turn began: it may have been passed then."""
    before = state.branch()
    while before.phase != "choose" and before.last_pushed is not None and len(before.chosen) < len(before.picked):
        before.pop()
    return before.phase == "act" and die in before.chosen and with_die(before, die, objects_on(before))[0].kind == "pass"


def moved(each: Dominoid, cells: tuple[Cell, Cell], ends: Ends, dice: Iterable[int]) -> list[Action]:
    """The moves by which a Dominoid may have been brought to these cells, by their ends; legal or not."""
    was = {end: cell_of(cell) for cell, end in ((each.first, each.p), (each.second, each.q))}
    now = dict(zip(ends, cells, strict=True))
    found: list[Action] = []
    if each.p != each.q:
        ways = [((trail, lead), (now[trail], now[lead])) for trail, lead in ((each.p, each.q), (each.q, each.p))]
        turned = [way for way in ways if was[way[0][0]] == way[1][0]]
        along = [way for way in ways if _ahead(was[way[0][0]], was[way[0][1]], way[1][1])]
        for die in dice:
            found += [Rotate(die, each.tile, at, pair) for pair, at in turned]
            found += [Slide(die, each.tile, at, pair) for pair, at in (along or ([] if turned else ways))]
        return found
    old, pair = (cell_of(each.first), cell_of(each.second)), (each.p, each.q)
    return [(Rotate if at[0] in old else Slide)(die, each.tile, at, pair)
            for die in dice for at in (cells, (cells[1], cells[0]))]


def _ahead(trail: Cell, lead: Cell, now: Cell) -> bool:
    """Whether a leading end has come straight on."""
    dx, dy = lead[0] - trail[0], lead[1] - trail[1]
    far = (now[0] - lead[0]) * dx + (now[1] - lead[1]) * dy
    return far > 0 and (now[0], now[1]) == (lead[0] + far * dx, lead[1] + far * dy)


def _piece(kind: str, label: str) -> str:
    """A coin or a pawn as players call it."""
    side, _, shows = label.rpartition(":")
    if side == "value":
        return say("coin with {face} up", face=face_name(FACES.index(shows)))
    suit = next(name for name in SUITS if name == shows)
    return say("coin of {suit}, its value down,", suit=suit) if kind == "coin" else say("pawn of {suit}", suit=suit)


BOXES = {"old": say("in the box for old dice"), "new": say("in the box for new dice"), "taken": say("beside the boxes")}


def _die_words(label: str | None) -> str:
    if label is None:
        return say("on the mat")
    where, _, face = label.partition(" ")
    return say("{where} and show {face}", where=BOXES[where], face=face_name(int(face)))


def _seen_words(difference: Difference) -> str:
    if difference.kind == "missing":
        return say("it is not seen")
    where, _, face = str(difference.seen).partition(" ")
    return say("it shows {face} {where}", face=face_name(int(face)), where=BOXES[where])
