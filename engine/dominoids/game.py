"""Dominoids: choose two dice, move Dominoids or shift the board, eat coins; three suits wholly eaten end the game.

>>> from random import Random
>>> state = State.start(Rules(), 2, Random(1))
>>> state.phase, len(state.legal()), len(state.pool)
('choose', 6, 11)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, ClassVar

from engine.actions import Action
from engine.core import Broken, Flags, MalformedError, Outcome, flag, replaced
from engine.dominoids import faults, forms, turns
from engine.dominoids.actions import (
    FIGURE_COINS,
    FIGURE_DOMINOIDS,
    FIGURE_PAWNS,
    SUITS,
    Attack,
    Breed,
    Bud,
    Choose,
    Deal,
    Eat,
    Look,
    Pass,
    Place,
    Replace,
    Roll,
    Rotate,
    Shift,
    Slide,
    TurnCoin,
)
from engine.dominoids.board import NEAR, TILES_IN_PLAY, Dominoid, lying, number_of, shifted, strip
from engine.dominoids.book import RULE_BOOK
from engine.dominoids.picture import picture
from engine.dominoids.reasons import reasons
from engine.pieces import Tile
from engine.reasons import Reason
from engine.state import Doings
from engine.state import State as Base
from engine.words import say

VALUES = 6  # coins of each suit, values 0 to 5
BONUS = 3
DUMP_TURNS = 200

Coin = tuple[int, int, bool]
"""A coin on the board: cell, value (-1 unknown), whether it is turned up."""


@dataclass(frozen=True)
class Rules(Flags):
    """The flags of Dominoids."""

    reveal: str = flag("all", "chosen", about="Whether all coins beside a Dominoid that has slid are turned up, or one after "
                                              "another as the player likes.")
    edge_if_blocked: str = flag("legal", "illegal",
                                about="Whether a slide that would leave the board may be stopped before by an object.")
    child_contact: str = flag("matching_half", "any_half",
                              about="Whether a child must touch its parent with the half that matches.")
    torn_wrap: str = flag("illegal", "strip", about="What a Dominoid across the seam forbids: the direction that tears it, or "
                                                    "the whole shift.")
    max_turns: int | None = flag(None, int, about="After how many turns, each with its roll, the game ends in any case.",
                                 numbers=range(5, 60), ends=True)
    setup: str = flag("figure", "observed", about="Whether the board begins as in the figure, or as it is seen.")


class State(Base):
    """A board of Dominoids. Suits are numbers in the order suns, moons, crowns, arms."""

    game = "dominoids"
    TITLE = "Dominoids"
    NEARLY_WON, FAR, TRIES = 12, 4, 2
    Rules = Rules
    SEATS = (2,)
    ENDS = (1, 5)
    FACE_DOWN = False  # all Dominoids lie open, in the gene pool too
    ACTIONS = (Choose, Slide, Rotate, Bud, Shift, Pass, Eat, Attack, Breed, Look, Place, Replace)
    CHANCE = (Deal, Roll, TurnCoin)
    RULE_BOOK = RULE_BOOK
    FIELDS = ("dominoids", "pool", "pawns", "coins", "stacks", "collected", "dice", "new", "picked", "chosen", "mover",
              "parents", "turns")

    dominoids: tuple[Dominoid, ...]
    pool: tuple[Tile, ...]  # the gene pool, in order
    pawns: tuple[int, ...]  # by suit, the cell
    coins: tuple[Coin | None, ...]  # by suit
    stacks: tuple[tuple[int, ...], ...]  # by suit, values, next first, -1 unknown
    collected: tuple[tuple[tuple[int, int], ...], ...]  # per seat (suit, value)
    dice: tuple[int, ...]  # by suit, the face: 0 blank, 1 ace
    new: tuple[bool, ...]  # by suit, whether the die is in the New box
    picked: tuple[int, ...]  # the two dice of this turn
    chosen: tuple[int, ...]  # those not yet used
    mover: int | None  # the Dominoid that has just slid
    parents: tuple[int, ...]
    turns: int

    def _set_up(self) -> None:
        self.dominoids = self.pool = self.picked = self.chosen = self.parents = ()
        self.pawns, self.coins, self.stacks = (), (None,) * 4, ((),) * 4
        self.collected = ((),) * self.players
        self.dice, self.new = (0,) * 4, (False,) * 4
        self.mover, self.turns = None, 0

    def legal(self) -> list[Action]:
        """Every legal action of the seat to move."""
        return turns.legal(self)

    # What happens then.

    def _choose(self, action: Choose) -> None:
        self.picked = self.chosen = action.dice
        self.phase = "act"

    def _use(self, die: int) -> None:
        self.chosen = tuple(each for each in self.chosen if each != die)

    def _index(self, tile: Tile) -> int:
        return next(at for at, each in enumerate(self.dominoids) if each.tile == tile)

    def _put(self, action: Slide | Rotate) -> int:
        """Lay a Dominoid where it ends up; its place in the list stays."""
        at = self._index(action.tile)
        (x, y), (x2, y2) = action.cells
        moved = lying(x + 8 * y, x2 + 8 * y2, *action.ends)
        self.dominoids = replaced(self.dominoids, at, moved)
        self._use(action.die)
        return at

    def _slide(self, action: Slide) -> None:
        self.mover = self._put(action)
        self.phase = "consequence"
        if self.rules.reveal == "all":
            mover = self.dominoids[self.mover]
            beside = (*NEAR[mover.first], *NEAR[mover.second])
            self._turn_up([suit for suit, coin in enumerate(self.coins) if coin and not coin[2] and coin[0] in beside])
        else:
            self._turn_up([])

    def _turn_up(self, suits: list[int]) -> None:
        """Turn these coins up; where their values are not known they must be seen first (D4)."""
        if suits:
            self.coins = tuple((coin[0], coin[1], True) if coin and suit in suits else coin
                               for suit, coin in enumerate(self.coins))
        if any(coin and coin[2] and coin[1] < 0 for coin in self.coins):
            self.chance = "coin"
        elif not turns.consequences(self):
            self._go_on()

    def _turn_coin(self, action: TurnCoin) -> None:
        coin = self.coins[action.suit]
        assert coin is not None
        self.coins = replaced(self.coins, action.suit, (coin[0], action.value, True))
        self.chance = None
        self._turn_up([])

    def _look(self, action: Look) -> None:
        self._turn_up([action.suit])

    def _rotate(self, action: Rotate) -> None:
        self._put(action)
        self._go_on()

    def _bud(self, action: Bud) -> None:
        self._use(action.die)
        self.parents, self.phase = (self._index(action.parent),), "child"

    def _shift(self, action: Shift) -> None:
        line, step = action.line, action.step
        bits = strip(line, action.index)

        def to(cell: int) -> int:
            return shifted(cell, line, step) if bits >> cell & 1 else cell

        self.dominoids = tuple(lying(to(each.first), to(each.second), each.p, each.q) for each in self.dominoids)
        self.pawns = tuple(map(to, self.pawns))
        self.coins = tuple(coin and (to(coin[0]), coin[1], coin[2]) for coin in self.coins)
        self._use(action.die)
        self._go_on()

    def _pass(self, action: Pass) -> None:
        self._use(action.die)
        self._go_on()

    def _eat(self, action: Eat) -> None:
        suit = action.suit
        coin = self.coins[suit]
        assert coin is not None and self.turn is not None
        self.coins = replaced(self.coins, suit, None)
        self.collected = replaced(self.collected, self.turn, (*self.collected[self.turn], (suit, coin[1])))
        if sum(not self.stacks[each] and self.coins[each] is None for each in range(4)) == 3:
            self.mover = None
            self._over(say("three suits are eaten"))
        else:
            self._go_on()

    def _attack(self, action: Attack) -> None:
        self.dominoids = tuple(each for each in self.dominoids if each.tile != action.tile)
        self.pool = tuple(sorted((*self.pool, action.tile)))
        self._go_on()

    def _breed(self, action: Breed) -> None:
        assert self.mover is not None
        self.parents, self.phase, self.mover = (self.mover, self._index(action.tile)), "child", None

    def _place(self, action: Place) -> None:
        child = Dominoid(number_of(action.cells[0]), number_of(action.cells[1]), *action.ends)
        self.dominoids = (*self.dominoids, child)
        self.pool = tuple(tile for tile in self.pool if tile != action.tile)
        self.parents = ()
        self._go_on()

    def _replace(self, action: Replace) -> None:
        suit = action.suit
        coin = (number_of(action.cell), self.stacks[suit][0], False)
        self.coins = replaced(self.coins, suit, coin)
        self.stacks = replaced(self.stacks, suit, self.stacks[suit][1:])
        self._go_on()

    def _go_on(self) -> None:
        """The other die, then missing coins, then the roll."""
        self.mover = None
        if self.chosen:
            self.phase = "act"
        elif turns.replacements(self):
            self.phase = "replace"
        else:
            self.phase, self.chance = "roll", "roll"

    def _over(self, reason: str) -> None:
        self.turn, self.phase = None, "over"
        scores = self.scores()
        winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        self.result = Outcome(reason, winners, scores)

    def picture(self) -> list[str]:
        """The board, the dice, the gene pool."""
        return picture(self)

    def scores(self) -> tuple[int, ...]:
        """Values of the coins eaten and bonuses, as if the game ended now."""
        return _scores(self.collected)

    def gain(self, action: Action) -> float:
        """Only eating counts at once."""
        return super().gain(action) if isinstance(action, Eat) else 0.0

    def likely(self) -> list[Action]:
        """Whoever can eat does."""
        return turns.likely(self)

    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """For each suit the values, and the bonus for more coins than the opponent (Object of the Game)."""
        return _parts(self.collected[seat], self.collected[1 - seat])

    def reasons(self, action: Action) -> Iterator[Reason]:
        """Coins to be eaten, how near Dominoids come to them, what dice can do."""
        return reasons(self, action)

    # Chance.

    def _deal(self, action: Deal) -> None:
        self.dominoids = tuple(lying(number_of(first), number_of(second), *ends)
                               for (first, second), ends in zip(action.cells, action.ends, strict=True))
        taken = {each.tile for each in self.dominoids}
        self.pool = tuple(tile for tile in TILES_IN_PLAY if tile not in taken)
        self.pawns = tuple(map(number_of, action.pawns))
        self.coins = tuple((number_of(cell), values[0], False)
                           for cell, values in zip(action.coins, action.stacks, strict=True))
        self.stacks = tuple(values[1:] for values in action.stacks)
        self.dice = action.dice
        self.turn, self.phase, self.chance = action.first, "choose", None

    def _roll(self, action: Roll) -> None:
        """Both dice used are rolled into the New box; four new ones become old (8). That ends the turn."""
        faces = dict(zip(self.picked, action.faces, strict=True))
        self.dice = tuple(faces.get(suit, face) for suit, face in enumerate(self.dice))
        new = tuple(is_new or suit in faces for suit, is_new in enumerate(self.new))
        self.new = (False,) * 4 if all(new) else new
        self.picked, self.chance = (), None
        self.turns += 1
        if self.turns == self.rules.max_turns:
            self._over(say("max-turns"))
        else:
            self.turn, self.phase = 1 - (self.turn or 0), "choose"

    def waiting(self) -> int:
        """The suit of the first coin turned up whose value is not known."""
        return next(suit for suit, coin in enumerate(self.coins) if coin and coin[2] and coin[1] < 0)

    def left_on(self, suit: int) -> list[int]:
        """The values of a suit that have not been seen."""
        coin = self.coins[suit]
        seen = [value for own in self.collected for each, value in own if each == suit]
        seen += [value for value in (*self.stacks[suit], coin[1] if coin else -1) if value >= 0]
        return [value for value in range(VALUES) if value not in seen]

    def random_chance(self, rng: Random) -> Action:
        """A random set-up by the figure, a roll, or the value of a coin."""
        if self.chance == "roll":
            return Roll((rng.randrange(6), rng.randrange(6)))
        if self.chance == "coin":
            suit = self.waiting()
            return TurnCoin(suit, rng.choice(self.left_on(suit)))
        places = rng.sample(range(4), 4)
        ends = tuple(tile if rng.random() < 0.5 else tile[::-1] for tile in rng.sample(TILES_IN_PLAY, 4))
        return Deal(FIGURE_DOMINOIDS, tuple((p, q) for p, q in ends), tuple(FIGURE_PAWNS[place] for place in places),
                    tuple(FIGURE_COINS[place] for place in places),
                    tuple(tuple(rng.sample(range(VALUES), VALUES)) for _ in SUITS),
                    tuple(rng.randrange(6) for _ in SUITS), rng.randrange(2))

    def outcomes(self) -> list[tuple[Action, Fraction]]:
        """Every roll, or every value the coin may have."""
        if self.chance == "roll":
            return [(Roll(faces), Fraction(1, 36)) for faces in product(range(6), repeat=2)]
        if self.chance == "coin":
            suit = self.waiting()
            left = self.left_on(suit)
            return [(TurnCoin(suit, value), Fraction(1, len(left))) for value in left]
        return super().outcomes()

    def public(self, action: Action) -> Action:
        """Coins lie with their values down."""
        if not isinstance(action, Deal):
            return action
        return Deal(action.cells, action.ends, action.pawns, action.coins, ((-1,) * VALUES,) * 4, action.dice, action.first)

    def answer(self, other: Base) -> Action:
        """What the dice show that the other state waits for, or the value of its coin; that may have been eaten since."""
        assert isinstance(other, State)
        if other.chance == "roll":
            return Roll(tuple(self.dice[suit] for suit in other.picked))
        suit = other.waiting()
        coin = self.coins[suit]
        if coin is not None and coin[2]:
            return TurnCoin(suit, coin[1])
        return TurnCoin(suit, next(value for own in self.collected for each, value in reversed(own) if each == suit
                                   and value in other.left_on(suit)))

    # What lies face down: nothing but coin values.

    def project(self) -> Any:
        """The board with the values of coins face down unknown."""
        other = self.copy()
        other.coins = tuple(coin and (coin[0], coin[1] if coin[2] else -1, coin[2]) for coin in self.coins)
        other.stacks = tuple((-1,) * len(values) for values in self.stacks)
        return other

    def view(self, seat: int) -> Any:
        """Nobody sees more than the camera."""
        return self.project()

    def sample(self, rng: Random) -> Any:
        """The board with the unseen values of each suit dealt to its coins at random."""
        other = self.copy()
        coins, stacks = list(self.coins), list(self.stacks)
        for suit, coin in enumerate(self.coins):
            left = self.left_on(suit)
            rng.shuffle(left)
            if coin and coin[1] < 0:
                coins[suit] = (coin[0], left.pop(), coin[2])
            stacks[suit] = tuple(left.pop() if value < 0 else value for value in self.stacks[suit])
        other.coins, other.stacks = tuple(coins), tuple(stacks)
        if other.chance == "coin":
            other.chance = None
            other._turn_up([])
        return other

    # Forms.

    @classmethod
    def dump_rules(cls, rules: Flags) -> Any:
        """Coins turned up one by one cannot be written; games that need not end are cut."""
        assert isinstance(rules, Rules)
        if rules.reveal == "chosen":
            raise MalformedError("dominoids with reveal=chosen cannot be written in the exchange form")
        return rules if rules.max_turns is not None else Rules.of(rules.values() | {"max_turns": DUMP_TURNS})

    @classmethod
    def _count_seats(cls, data: Mapping[str, Any]) -> int:
        return 2

    def _exchange(self) -> dict[str, Any]:
        return forms.table(self)

    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        forms.fill(self, data)
        faults.check_table(self)

    def _broken(self, action: Any) -> Broken:
        return faults.broken(self, action)

    def _verify_chance(self, action: Any) -> Broken | None:
        return faults.broken_chance(self, action)

    _do: ClassVar[Doings] = {
        Choose: _choose, Slide: _slide, Rotate: _rotate, Bud: _bud, Shift: _shift, Pass: _pass, Eat: _eat, Attack: _attack,
        Breed: _breed, Look: _look, Place: _place, Replace: _replace, Deal: _deal, Roll: _roll, TurnCoin: _turn_coin,
    }


Collected = tuple[tuple[int, int], ...]
"""The coins that a seat has eaten: suit and value of each."""


def _parts(own: Collected, other: Collected) -> list[tuple[str, int]]:
    """For each suit the values, and the bonus for more coins than the opponent (Object of the Game)."""
    parts: list[tuple[str, int]] = []
    for suit, name in enumerate(SUITS):
        values = [value for each, value in own if each == suit]
        parts.append((name, sum(values)))
        if len(values) > sum(each == suit for each, _ in other):
            parts.append((say("{suit} bonus", suit=name), BONUS))
    return parts


@lru_cache(maxsize=4096)
def _scores(collected: tuple[Collected, ...]) -> tuple[int, ...]:
    """The score of each seat; asked far more often than anything is eaten."""
    return tuple(sum(points for _, points in _parts(collected[seat], collected[1 - seat])) for seat in range(2))
