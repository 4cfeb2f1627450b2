"""Mexican Train: lay tiles on your own train, on the Mexican train, and on trains with a marker; the fewest pips win.

>>> from random import Random
>>> state = State.start(Rules(), 3, Random(1))
>>> state.phase, len(state.hands[0]), len(state.boneyard), state.engine
('play', 16, 42, 12)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, ClassVar

from engine.actions import TILES, Action, Show, number, pair, truth
from engine.core import UNKNOWN, Broken, Flags, Outcome, flag, replaced, without
from engine.hidden import (
    FREE,
    Slots,
    deal_unseen,
    exclude,
    shuffled,
    slots_from_json,
    slots_of,
    slots_to_json,
    tables,
    take,
    unseen,
)
from engine.mexican_train import faults
from engine.mexican_train.actions import DRAW, END, PASS, Deal, Draw, End, Pass, Play
from engine.mexican_train.book import RULE_BOOK
from engine.mexican_train.reasons import reasons
from engine.pictures import hand_lines
from engine.pieces import DOUBLE_TWELVE, Tile
from engine.reasons import Reason
from engine.state import Doings
from engine.state import State as Base
from engine.words import count, say

Train = tuple[tuple[int, int], ...]

HIGHEST = DOUBLE_TWELVE.highest
TILES_IN_SET = tuple(DOUBLE_TWELVE)
HANDS = {
    "many": {2: 16, 3: 16, 4: 15, 5: 14, 6: 12, 7: 10, 8: 9},
    "few": {2: 15, 3: 15, 4: 15, 5: 12, 6: 12, 7: 10, 8: 9},
}
PIPS = {tile: tile.pips for tile in TILES_IN_SET} | {UNKNOWN: 0}
POINTS = {"fifty": PIPS | {Tile(0, 0): 50}, "zero": PIPS}


@dataclass(frozen=True)
class Rules(Flags):
    """The flags of Mexican Train."""

    rounds: int = flag(13, 7, 5, 3, 1, about="How many rounds are played, from the double twelve down.")
    hands: str = flag("many", "few", about="How many tiles are dealt: 16 of two or three players and 15 of four, down to 9 of "
                                           "eight; or fewer.")
    next_start: str = flag("left", "winner", about="Who begins the next round: the seat on the left, or who went out.")
    first_turn: str = flag("one", "train", about="Whether the first turn is one tile, or a whole train on one's own.")
    mexican: str = flag("at_once", "second_turn", about="From when on one may lay on the Mexican train in a round.")
    doubles: str = flag("cover", "later", "free", about="Who lays a double covers it at once, or leaves that to the others, or "
                                                        "nobody has to.")
    blank: str = flag("fifty", "zero", about="What the double blank counts in the hand.")


class State(Base):
    """A table of Mexican Train. Trains by seat, the Mexican one last; each is (inner, outer) ends outward from the engine."""

    game = "mexican-train"
    TITLE = "Mexican Train"
    SEATS = (2, 3, 4, 5, 6, 7, 8)
    ENDS = (0, HIGHEST)
    FEW_WIN, NEARLY_WON, TRIES = True, 60, 2
    Rules = Rules
    ACTIONS = (Play, Draw, Pass, End)
    CHANCE = (Deal, Show)
    RULE_BOOK = RULE_BOOK
    FIELDS = ("hands", "boneyard", "trains", "marked", "double", "begun", "passes", "round", "starter", "match", "ending",
              "slots")  # fmt: skip
    BELIEFS = ("slots",)

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]  # next first
    trains: tuple[Train, ...]
    marked: tuple[bool, ...]  # by seat, whether its train is open to all
    double: int | None  # the train that ends in a double to be covered
    begun: tuple[bool, ...]  # by seat, whether its first turn of this round is over
    passes: int  # passes in a row since a train was last opened
    round: int  # from 0
    starter: int | None  # who began this round
    match: tuple[int, ...]  # points of finished rounds
    ending: str  # why the round is over: "out" or "blocked"
    slots: tuple[Slots, ...]  # by seat and tile of the hand, what was public that it cannot be

    def _set_up(self) -> None:
        self.kit = DOUBLE_TWELVE
        self.match, self.round, self.starter = (0,) * self.players, 0, None
        self._clear(((),) * self.players, ())

    def _clear(self, hands: tuple[tuple[Tile, ...], ...], boneyard: tuple[Tile, ...]) -> None:
        self.hands, self.boneyard = hands, boneyard
        self.trains = ((),) * (self.players + 1)
        self.marked = self.begun = (False,) * self.players
        self.double, self.passes, self.ending = None, 0, ""
        self.slots = tuple((FREE,) * len(hand) for hand in hands)

    @property
    def engine(self) -> int:
        """The number of the double in the middle (2.1)."""
        return HIGHEST - self.round

    @property
    def mexican(self) -> int:
        """The number of the Mexican train."""
        return self.players

    @property
    def dealt(self) -> int:
        """How many tiles everybody takes (2.2)."""
        return HANDS[self.rules.hands][self.players]

    def end_of(self, train: int) -> int:
        """The number at the end of a train."""
        return self.trains[train][-1][1] if self.trains[train] else self.engine

    # A turn.

    def must_cover(self) -> bool:
        """Whether a double is open that some tile could still cover (5.3, 5.4)."""
        if self.double is None:
            return False
        end = self.end_of(self.double)
        if any(end in tile for hand in self.hands for tile in hand):  # mostly, and quicker than to look along the trains
            return True
        laid = sum(end in ends for train in self.trains for ends in train) + (end == self.engine)
        return laid <= HIGHEST

    def targets(self) -> list[tuple[int, int]]:
        """Where the seat to move may lay: trains and the numbers at their ends (3.3, 3.4, 5.3)."""
        seat = self.turn or 0
        if self.double is not None and self.must_cover():
            return [(self.double, self.end_of(self.double))]
        if self.phase == "chain":
            return [(seat, self.end_of(seat))]
        ends = [(other, self.end_of(other)) for other, marked in enumerate(self.marked) if marked or other == seat]
        if self.begun[seat] or self.rules.mexican == "at_once":
            ends.append((self.mexican, self.end_of(self.mexican)))
        return ends

    def plays_of(self, tiles: Iterable[Tile]) -> list[Action]:
        """Every way to lay one of these tiles."""
        targets = self.targets()
        return [Play(tile, train) for tile in tiles for train, end in targets if end in tile]

    def legal(self) -> list[Action]:
        """A tile that fits must be laid; else one is drawn; else one passes (4.2 to 4.4)."""
        if self.turn is None:
            return []
        hand = self.hands[self.turn]
        if UNKNOWN not in hand:
            plays = self.plays_of(hand)
            return plays + self._otherwise(bool(plays))
        known = [tile for tile in hand if tile != UNKNOWN]
        plays = self.plays_of(sorted({*known, *self.candidates(self.turn)}))
        return plays + self._otherwise(bool(self.plays_of(known)))

    def _otherwise(self, must_play: bool) -> list[Action]:
        if self.phase == "chain":
            return [END]
        if must_play:
            return []
        return [DRAW] if self.boneyard and self.phase != "drawn" else [PASS]

    def candidates(self, seat: int) -> list[Tile]:
        """The tiles that hidden ones of a hand may be."""
        return [tile for tile in self.unseen() if any(tile not in slot for slot in self.slots[seat])]

    def _play(self, action: Play) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        tile, train = action.tile, action.train
        hand = self.hands[seat]
        hand = without(hand, hand.index(tile if tile in hand else UNKNOWN))
        self.hands = replaced(self.hands, seat, hand)
        self.slots = replaced(self.slots, seat, take(self.slots[seat], tile))
        end = self.end_of(train)
        self.trains = replaced(self.trains, train, (*self.trains[train], (end, tile.across(end))))
        self.passes = 0
        if train == seat:
            self.marked = replaced(self.marked, seat, False)
        self.double = train if tile.is_double and self.rules.doubles != "free" else None
        if not hand:
            self._round_over("out")
        elif self.double is not None and self.rules.doubles == "cover" and self.must_cover():
            self.phase = "play"  # again, on the double (5.2)
        elif train == seat and self.rules.first_turn == "train" and not self.begun[seat] and self.double is None:
            self.phase = "chain"
        else:
            self._next(seat)

    def _next(self, seat: int) -> None:
        if not self.begun[seat]:
            self.begun = replaced(self.begun, seat, True)
        self.turn, self.phase = (seat + 1) % self.players, "play"

    def _nothing_fits(self, seat: int) -> None:
        """All see that no tile of this hand can be laid now."""
        numbers = frozenset(end for _, end in self.targets())
        self.slots = replaced(self.slots, seat, exclude(self.slots[seat], carrying(numbers)))

    def _draw(self, action: Draw) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        self._nothing_fits(seat)
        self.hands = replaced(self.hands, seat, self.hands[seat] + self.boneyard[:1])
        self.slots = replaced(self.slots, seat, (*self.slots[seat], FREE))
        self.boneyard = self.boneyard[1:]
        self.phase = "drawn"

    def _pass(self, action: Pass) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        self._nothing_fits(seat)
        self.passes = min(self.passes + 1, self.players) if self.marked[seat] else 1  # an open train is news to all
        self.marked = replaced(self.marked, seat, True)
        if self.passes == self.players and not self.boneyard:
            self._round_over("blocked")
        else:
            self._next(seat)

    def _end(self, action: End) -> None:
        self._next(self.turn or 0)

    # The end of a round (6).

    def _round_over(self, why: str) -> None:
        """Count the hands, or wait until they are shown."""
        self.turn, self.ending = None, why
        if any(UNKNOWN in hand for hand in self.hands):
            self.phase = self.chance = "show"
            return
        self.match = tuple(points + self._counts(hand) for points, hand in zip(self.match, self.hands, strict=True))
        if self.round + 1 < self.rules.rounds:
            self.phase = self.chance = "deal"
            return
        best = min(self.match)
        winners = tuple(seat for seat, points in enumerate(self.match) if points == best)
        self.phase, self.chance = "over", None
        self.result = Outcome(count(self.rules.rounds, "{number} round played", "{number} rounds played"), winners, self.match)

    def _counts(self, hand: Iterable[Tile]) -> int:
        """The points of a hand (6.3), as far as its tiles are known."""
        return sum(map(POINTS[self.rules.blank].__getitem__, hand))

    @classmethod
    def left_counts(cls, tile: Tile) -> int:
        """The double blank counts 50, as usual."""
        return POINTS["fifty"][tile]

    def scores(self) -> tuple[int, ...]:
        """The points of the rounds that are over."""
        return self.match

    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """The points of the rounds that are over."""
        return [(say("rounds so far"), self.match[seat])]

    def leads(self) -> list[float]:
        """For each seat its points ahead of the best other one, as if the round ended now."""
        counted_already = self.result is not None or self.chance == "deal"
        points = [own + (0 if counted_already else self._counts(hand)) for own, hand in zip(self.match, self.hands, strict=True)]
        return [float(min(other for at, other in enumerate(points) if at != seat) - own) for seat, own in enumerate(points)]

    def gain(self, action: Action) -> float:
        """What leaves the hand."""
        return float(POINTS[self.rules.blank][action.tile]) if isinstance(action, Play) else 0.0

    def reasons(self, action: Action) -> Iterator[Reason]:
        """The own train and its marker, doubles to be covered, tiles that go on."""
        return reasons(self, action)

    def picture(self) -> list[str]:
        """The engine, the trains with their markers, the hands."""
        engine = f"[{self.engine}|{self.engine}]"
        lines = [f"round {self.round + 1} of {self.rules.rounds}, engine {engine}, boneyard: {len(self.boneyard)}"]
        for at, train in enumerate(self.trains):
            name = "Mexican train" if at == self.mexican else f"train {at}{' (marker)' if self.marked[at] else ''}"
            laid = "".join(f"[{inner}|{outer}]" for inner, outer in train) or "-"
            lines.append(f"{name}: {laid}{'  <- to be covered' if at == self.double and self.must_cover() else ''}")
        return lines + hand_lines(self)

    # Chance.

    def due_starter(self) -> int | None:
        """Who has to begin the round that is dealt next; None in the first one (2.3)."""
        if self.starter is None:
            return None
        if self.rules.next_start == "winner" and self.ending == "out":
            return self.hands.index(())
        return (self.starter + 1) % self.players

    def _deal(self, action: Deal) -> None:
        if self.starter is not None:
            self.round += 1
        self._clear(action.hands, action.boneyard)
        self.starter = self.turn = action.starter
        self.phase, self.chance = "play", None

    def _show(self, action: Show) -> None:
        hand = list(self.hands[action.seat])
        for tile in action.tiles:
            hand[hand.index(UNKNOWN)] = tile
        self.hands = replaced(self.hands, action.seat, tuple(hand))
        if self.chance == "show" and not any(UNKNOWN in each for each in self.hands):
            self.chance = None
            self._round_over(self.ending)

    def random_chance(self, rng: Random) -> Action:
        """A random deal, or the hands that may have been left."""
        if self.chance == "show":
            return self.sample(rng).answer(self)  # type: ignore[no-any-return]
        following = HIGHEST - self.round - (self.starter is not None)
        tiles = shuffled((tile for tile in TILES_IN_SET if tile != (following, following)), rng)
        size = self.dealt
        hands = tuple(tuple(tiles[seat * size : (seat + 1) * size]) for seat in range(self.players))
        due = self.due_starter()
        return Deal(hands, tuple(tiles[size * self.players :]), rng.randrange(self.players) if due is None else due)

    def public(self, action: Action) -> Action:
        """A deal shows its counts and who begins; all else is seen."""
        if not isinstance(action, Deal):
            return action
        return Deal(tuple((UNKNOWN,) * len(hand) for hand in action.hands), (UNKNOWN,) * len(action.boneyard), action.starter)

    def answer(self, other: Base) -> Action:
        """Show the first hand that the other state does not know."""
        assert isinstance(other, State)
        seat = next(seat for seat, hand in enumerate(other.hands) if UNKNOWN in hand)
        return Show(seat, tuple(unseen(self.hands[seat], other.hands[seat])))

    # Hidden tiles.

    def project(self) -> Any:
        """The table with every hand and the boneyard face down."""
        return self._hide(range(self.players))

    def view(self, seat: int) -> Any:
        """The table as a seat knows it."""
        return self._hide(other for other in range(self.players) if other != seat)

    def _hide(self, seats: Iterable[int]) -> Any:
        other = self.copy()
        for seat in seats:
            other.hands = replaced(other.hands, seat, (UNKNOWN,) * len(self.hands[seat]))
        other.boneyard = (UNKNOWN,) * len(self.boneyard)
        return other

    def knowledge(self) -> tuple[Slots, ...]:
        """By seat and tile of the hand, the tiles that it cannot be by what was public."""
        return self.slots

    def seen(self) -> list[Tile]:
        """Every tile whose place is known."""
        laid = [Tile.of(*ends) for train in self.trains for ends in train]
        engine = [] if self.starter is None else [Tile(self.engine, self.engine)]
        return [tile for tiles in (*self.hands, self.boneyard, laid, engine) for tile in tiles if tile != UNKNOWN]

    def unseen(self) -> list[Tile]:
        """The tiles of the set that this state knows nowhere."""
        return unseen(TILES_IN_SET, self.seen())

    def sample(self, rng: Random) -> Any:
        """A full deal of the unseen tiles that nothing public contradicts."""
        other = self.copy()
        slots = slots_of(self.hands, self.boneyard, self.slots)
        dealt = iter(deal_unseen(slots, self.unseen(), rng) if slots else ())
        other.hands = tuple(tuple(next(dealt) if tile == UNKNOWN else tile for tile in hand) for hand in self.hands)
        other.boneyard = tuple(next(dealt) if tile == UNKNOWN else tile for tile in self.boneyard)
        if other.chance == "show":
            other.chance = None
            other._round_over(other.ending)
        return other

    def worlds(self, most: int) -> Any:
        """Every such deal, where they are few."""
        found = tables(self.hands, self.boneyard, self.slots, self.unseen(), most)
        if found is None:
            return None
        made = []
        for (hands, boneyard), ways in found.items():
            other = self.copy()
            other.hands, other.boneyard = hands, boneyard
            made.append((other, ways))
        return made

    def position(self) -> Hashable:
        """Of the trains their ends matter, and which tiles lie in them: those that are nowhere else."""
        ends = tuple(self.end_of(train) for train in range(len(self.trains)))
        return (self.turn, self.phase, self.chance, self.hands, self.boneyard, ends, self.marked, self.double, self.begun,
                self.passes, self.round, self.starter, self.match, self.ending)

    # Forms.

    def _exchange(self) -> dict[str, Any]:
        return {
            "hands": [TILES.write(hand) for hand in self.hands],
            "boneyard": TILES.write(self.boneyard),
            "engine": self.engine,
            "trains": [[list(ends) for ends in train] for train in self.trains],
            "marked": list(self.marked),
            "double": self.double,
            "begun": list(self.begun),
            "passes": self.passes,
            "starter": self.starter,
            "match": list(self.match),
        }

    def _extra(self) -> dict[str, Any]:
        return {"ending": self.ending, "slots": slots_to_json(self.slots)}

    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        self.hands = tuple(TILES.read(hand) for hand in data["hands"])
        self.boneyard = TILES.read(data["boneyard"])
        self.round = HIGHEST - number(data["engine"])
        self.trains = tuple(tuple(pair(ends) for ends in train) for train in data["trains"])
        self.marked = tuple(truth(marked) for marked in data["marked"])
        self.double = None if data["double"] is None else number(data["double"])
        self.begun = tuple(truth(begun) for begun in data["begun"])
        self.passes = number(data["passes"])
        self.starter = None if data["starter"] is None else number(data["starter"])
        self.match = tuple(number(points) for points in data["match"])
        self.ending = str(extra.get("ending", ""))
        self.slots = slots_from_json(extra.get("slots", []), [len(hand) for hand in self.hands])
        faults.check_table(self)

    def _broken(self, action: Any) -> Broken:
        return faults.broken(self, action)

    def _verify_chance(self, action: Any) -> Broken | None:
        return faults.broken_chance(self, action)

    _do: ClassVar[Doings] = {Play: _play, Draw: _draw, Pass: _pass, End: _end, Deal: _deal, Show: _show}


@cache
def carrying(numbers: frozenset[int]) -> frozenset[Tile]:
    """The tiles with one of these numbers."""
    return frozenset(tile for tile in TILES_IN_SET if not numbers.isdisjoint(tile))
