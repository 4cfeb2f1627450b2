"""Euronimoes: draw one tile (market or bone pile), play one in your own grid; runs, levels and chips score, lowest wins.

>>> from random import Random
>>> state = State.start(Rules(), 2, Random(1))
>>> state.phase, len(state.pile), state.chips
('draw', 17, (2, 2))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

from engine.actions import MAYBE_TILE, TILES, Action, Show, cell_pair, number, pair, truth
from engine.core import UNKNOWN, Broken, Flags, MalformedError, Outcome, flag, replaced, without
from engine.euronimoes import belief, faults
from engine.euronimoes.actions import COSTS, DRAW, STOP, Buy, Deal, Draw, Give, Play, Refill, Stop
from engine.euronimoes.book import RULE_BOOK
from engine.euronimoes.layout import EMPTY, ENDS, Layout
from engine.euronimoes.picture import picture
from engine.euronimoes.reasons import reasons
from engine.hidden import unseen
from engine.pieces import DOUBLE_SIX, Tile
from engine.reasons import Reason
from engine.state import Doings, checked
from engine.state import State as Base
from engine.words import say

SLOTS = 5
CHIPS = 4  # of each colour, bank and hand together
HAND = 3
BUYS = tuple(Buy(slot) for slot in range(SLOTS))


@dataclass(frozen=True)
class Rules(Flags):
    """The flags of Euronimoes."""

    endphase: str = flag("turns", "simultaneous", about="Whether the last tiles are played in turn or all at once.")
    stack_direct_only: bool = flag(True, False, about="Whether a tile may lie exactly over another when a third lies between.")
    max_extent: int | None = flag(None, int, about="The most cells a grid may be wide or high, if the table is small.",
                                   numbers=range(6, 12))
    first_player: str = flag("largest_tile", "observed",
                             about="Who begins: a holder of the tile with the most pips, or whoever is seen to.")


class State(Base):
    """A table of Euronimoes. Hands are kept in order, unknown tiles first."""

    game = "euronimoes"
    TITLE = "Euronimoes"
    FEW_WIN, NEARLY_WON, FAR, TRIES = True, 8, 14, 4
    Rules = Rules
    ACTIONS = (Buy, Draw, Play, Stop, Give)
    CHANCE = (Deal, Refill, Show)
    STACKED = True
    RULE_BOOK = RULE_BOOK
    FIELDS = ("hands", "market", "pile", "chips", "layouts", "stopped", "first", "bought", "past", "dealt", "given")

    hands: tuple[tuple[Tile, ...], ...]
    market: tuple[Tile | None, ...]  # cheapest slot first
    pile: tuple[Tile, ...]  # next first
    chips: tuple[int, ...]  # in hand; the bank has the rest of four
    layouts: tuple[Layout, ...]
    stopped: tuple[bool, ...]
    first: int
    bought: tuple[tuple[Tile, ...], ...]  # tiles in hand that everybody saw bought
    past: tuple[belief.Past, ...]  # hidden draws (None) and tiles played from hidden ones, in order
    dealt: tuple[tuple[Tile, ...], ...]  # the first three tiles of each seat
    given: bool  # whether the turn was just given away (end phase, simultaneous)

    def _set_up(self) -> None:
        tiles = DOUBLE_SIX if self.players == 2 else DOUBLE_SIX.doubled
        self.kit = tiles
        nothing: tuple[tuple[Tile, ...], ...] = ((),) * self.players
        self.hands = self.bought = self.dealt = nothing
        self.past = ((),) * self.players
        self.market, self.pile = (None,) * SLOTS, ()
        self.chips = (2,) * self.players
        self.layouts = (EMPTY,) * self.players
        self.stopped = (False,) * self.players
        self.first, self.given = 0, False

    # A turn.

    def legal(self) -> list[Action]:
        """Every legal action: what can be paid for or drawn, then everywhere a tile can lie."""
        if self.turn is None or self.chance:
            return []
        if self.phase == "draw":
            chips = self.chips[self.turn]
            moves: list[Action] = [BUYS[slot] for slot, tile in enumerate(self.market) if tile and COSTS[slot] <= chips]
            if self.pile:
                moves.append(DRAW)
            return moves
        hand = self.hands[self.turn]
        plays = self._plays(self.turn, hand)
        stuck = not plays or (self.rules.max_extent is not None and UNKNOWN in hand
                              and not self._plays(self.turn, [tile for tile in hand if tile != UNKNOWN]))
        if self.phase == "last":
            if len(hand) == 1 or stuck:
                plays.append(STOP)
            if self.rules.endphase == "simultaneous" and not self.given:
                plays += [Give(seat) for seat in self._still_playing() if seat != self.turn]
            return plays
        return [*plays, STOP] if stuck else plays

    def _plays(self, seat: int, hand: Iterable[Tile]) -> list[Action]:
        """Every way to lay one of these tiles in this seat's grid."""
        pairs = set()
        tiles = set(hand)
        if UNKNOWN in tiles:
            tiles = tiles - {UNKNOWN} | set(self.unseen())
        for low, high in tiles:
            pairs.add(low * ENDS + high)
            pairs.add(high * ENDS + low)
        return self.layouts[seat].plays(pairs, self.rules.stack_direct_only, self.rules.max_extent)

    def _buy(self, action: Buy) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        slot = action.slot
        market = self.market
        tile = market[slot]
        assert tile is not None
        self._receive(seat, tile)
        self.bought = replaced(self.bought, seat, tuple(sorted((*self.bought[seat], tile))))
        self._pay(seat, COSTS[slot])
        refill = self.pile[0] if self.pile else None
        self.market = (*market[:slot], *market[slot + 1 :], refill)
        self.pile = self.pile[1:]
        self.phase = "play"
        if refill == UNKNOWN:
            self.chance = "refill"

    def _draw(self, action: Draw) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        self._receive(seat, self.pile[0])
        self.past = replaced(self.past, seat, (*self.past[seat], None))
        self.pile = self.pile[1:]
        self._pay(seat, -1)
        self.market = (*self.market[1:], self.market[0])
        self.phase = "play"

    def _receive(self, seat: int, tile: Tile) -> None:
        self.hands = replaced(self.hands, seat, tuple(sorted((*self.hands[seat], tile))))

    def _pay(self, seat: int, cost: int) -> None:
        chips = min(self.chips[seat] - cost, CHIPS)  # no chip where the bank has none (E17)
        self.chips = replaced(self.chips, seat, chips)

    def _play(self, action: Play) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        tile = action.tile
        hand = self.hands[seat]
        at = hand.index(tile) if tile in hand else hand.index(UNKNOWN)
        self.hands = replaced(self.hands, seat, without(hand, at))
        bought = self.bought[seat]
        if tile in bought:
            self.bought = replaced(self.bought, seat, without(bought, bought.index(tile)))
        else:
            self.past = replaced(self.past, seat, (*self.past[seat], tile))
        self.layouts = replaced(self.layouts, seat, self.layouts[seat].after(action))
        self._next()

    def _stop(self, action: Stop) -> None:
        self.stopped = replaced(self.stopped, self.turn or 0, True)
        self._next()

    def _give(self, action: Give) -> None:
        self.turn, self.given = action.seat, True

    def _next(self) -> None:
        """The next seat draws while the market has tiles; then seats with tiles go on; then the game is over (E13)."""
        self.given = False
        drawing = self.market[0] is not None
        for step in range(1, self.players + 1):
            seat = ((self.turn or 0) + step) % self.players
            if not self.stopped[seat] and (drawing or self.hands[seat]):
                self.turn, self.phase = seat, "draw" if drawing else "last"
                return
        self.turn, self.phase = None, "over"
        scores = self.scores()
        later = max((seat for seat in range(self.players) if scores[seat] == min(scores)),
                    key=lambda seat: (seat - self.first) % self.players)
        self.result = Outcome(say("no grid has room") if drawing else say("all tiles are drawn and played"), (later,), scores)

    def _still_playing(self) -> list[int]:
        return [seat for seat in range(self.players) if self.hands[seat] and not self.stopped[seat]]

    def picture(self) -> list[str]:
        """The market, every grid, the hands."""
        return picture(self)

    def scores(self) -> tuple[int, ...]:
        """The final-score formula applied to the table as it lies (Final Scoring)."""
        return tuple(layout.points - chips for layout, chips in zip(self.layouts, self.chips, strict=True))

    def gain(self, action: Action) -> float:
        """Only the own grid and the own chips change."""
        if isinstance(action, Play):
            return -self.layouts[self.turn or 0].change(action)
        if not isinstance(action, Buy | Draw):
            return 0.0
        cost = COSTS[action.slot] if isinstance(action, Buy) else -1
        return -max(cost, self.chips[self.turn or 0] - CHIPS)

    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """Each column from the left, the levels, the chips."""
        layout = self.layouts[seat]
        columns = [(say("column {place}", place=place), points) for place, (_, points) in enumerate(layout.column_scores(), 1)]
        return [*columns, (say("levels"), layout.level_score()), (say("chips"), -self.chips[seat])]

    def reasons(self, action: Action) -> Iterator[Reason]:
        """What a tile would do in the own grid or another's, chips, runs and levels."""
        return reasons(self, action)

    # Chance.

    def _deal(self, action: Deal) -> None:
        self.hands = self.dealt = tuple(tuple(sorted(hand)) for hand in action.hands)
        self.market, self.pile, self.first = action.market, action.pile, action.first
        self.turn, self.phase, self.chance = action.first, "draw", None

    def _refill(self, action: Refill) -> None:
        self.market = (*self.market[:-1], action.tile)
        self.chance = None

    def _show(self, action: Show) -> None:
        hand = list(self.hands[action.seat])
        for tile in action.tiles:
            hand[hand.index(UNKNOWN)] = tile
        self.hands = replaced(self.hands, action.seat, tuple(sorted(hand)))

    def random_chance(self, rng: Random) -> Action:
        """A random deal, or a random unseen tile for the market."""
        if self.chance == "refill":
            return Refill(rng.choice(self.unseen()))
        tiles = list(self.kit)
        rng.shuffle(tiles)
        hands = tuple(tuple(tiles[HAND * seat : HAND * seat + HAND]) for seat in range(self.players))
        rest = tiles[HAND * self.players :]
        first = rng.choice(self._strongest(hands))
        return Deal(hands, tuple(rest[:SLOTS]), tuple(rest[SLOTS:]), first)

    def openers(self, hands: tuple[tuple[Tile, ...], ...]) -> list[int]:
        """The seats that may begin: those that hold a tile of the largest pip total (Setup; E15), or who was seen to."""
        return list(range(self.players)) if self.rules.first_player == "observed" else self._strongest(hands)

    def _strongest(self, hands: tuple[tuple[Tile, ...], ...]) -> list[int]:
        """The seats that hold a tile of the largest pip total."""
        best = [max(tile.pips for tile in hand) for hand in hands]
        return [seat for seat in range(self.players) if best[seat] == max(best)]

    def outcomes(self) -> list[tuple[Action, Fraction]]:
        """Each unseen tile as the market's next, as likely as there are copies of it."""
        if self.chance != "refill":
            return super().outcomes()
        left = self.unseen()
        return [(Refill(tile), Fraction(count, len(left))) for tile, count in Counter(left).items()]

    def public(self, action: Action) -> Action:
        """A deal shows the market, its counts and who begins; all else is seen."""
        if not isinstance(action, Deal):
            return action
        return Deal(((UNKNOWN,) * HAND,) * self.players, action.market, (UNKNOWN,) * len(action.pile), action.first)

    def answer(self, other: Base) -> Action:
        """The tile that was turned up on the market."""
        tile = self.market[-1]
        assert tile is not None
        return Refill(tile)

    # Hidden tiles.

    def project(self) -> Any:
        """The table as the camera sees it; tiles bought in public stay known until played (H5)."""
        return self._hide(range(self.players))

    def view(self, seat: int) -> Any:
        """The table as a seat knows it."""
        return self._hide(other for other in range(self.players) if other != seat)

    def _hide(self, seats: Iterable[int]) -> Any:
        other = self.copy()
        hands, dealt = list(self.hands), list(self.dealt)
        for seat in seats:
            known = self.bought[seat]
            hands[seat] = (UNKNOWN,) * (len(hands[seat]) - len(known)) + known
            dealt[seat] = (UNKNOWN,) * len(dealt[seat])
        other.hands, other.dealt = tuple(hands), tuple(dealt)
        other.pile = (UNKNOWN,) * len(self.pile)
        return other

    def seen(self) -> list[Tile]:
        """Every tile whose place is known."""
        laid = [Tile.of(*tile.ends) for layout in self.layouts for tile in layout.placed]
        return [tile for tiles in (*self.hands, self.market, self.pile, laid) for tile in tiles if tile and tile != UNKNOWN]

    def unseen(self) -> list[Tile]:
        """The tiles of the set that this state knows nowhere."""
        return unseen(self.kit, self.seen())

    def sample(self, rng: Random) -> Any:
        """A full table that agrees with all that is known, who began and why among it (E15)."""
        return belief.sample(self, rng)

    # Forms.

    @classmethod
    def dump_rules(cls, rules: Flags) -> Any:
        """Simultaneous ends have no turn that the exchange form could name."""
        if isinstance(rules, Rules) and rules.endphase == "simultaneous":
            raise MalformedError("euronimoes with endphase=simultaneous cannot be written in the exchange form")
        return rules

    def _exchange(self) -> dict[str, Any]:
        return {
            "hands": [TILES.write(hand) for hand in self.hands],
            "market": [MAYBE_TILE.write(tile) for tile in self.market],
            "pile": TILES.write(self.pile),
            "chips": list(self.chips),
            "layouts": [[{"cells": [list(cell) for cell in tile.cells], "ends": list(tile.ends), "level": tile.level}
                         for tile in layout.placed] for layout in self.layouts],
            "stopped": list(self.stopped),
            "first": self.first,
        }

    def _extra(self) -> dict[str, Any]:
        return {
            "bought": [TILES.write(tiles) for tiles in self.bought] if any(self.bought) else [],
            "past": [[None if tile is None else str(tile) for tile in each] for each in self.past] if any(self.past) else [],
            "dealt": [TILES.write(tiles) for tiles in self.dealt] if any(self.dealt) else [],
            "given": self.given,
        }

    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        self.hands = tuple(tuple(sorted(TILES.read(hand))) for hand in data["hands"])
        self.market = tuple(MAYBE_TILE.read(tile) for tile in data["market"])
        self.pile = TILES.read(data["pile"])
        self.chips = tuple(number(chips) for chips in data["chips"])
        self.stopped = tuple(truth(stopped) for stopped in data["stopped"])
        self.first = number(data["first"])
        checked(len(data["layouts"]) == self.players, "one layout per seat")
        self.layouts = tuple(self._read_layout(tiles) for tiles in data["layouts"])
        empty: list[Any] = [[]] * self.players
        self.bought = tuple(TILES.read(tiles) for tiles in extra.get("bought", empty))
        self.dealt = tuple(TILES.read(tiles) for tiles in extra.get("dealt", [["?"] * HAND] * self.players))
        if "extra" not in data or (self.chance == "deal" and "dealt" not in extra):
            self.dealt = ((),) * self.players
        self.past = tuple(tuple(None if tile is None else Tile.parse(tile) for tile in each)
                          for each in extra.get("past", empty))
        self.given = bool(extra.get("given", False))
        faults.check_table(self)

    def _read_layout(self, tiles: Any) -> Layout:
        layout = EMPTY
        for tile in tiles:
            ends = pair(tile["ends"])
            action = Play(Tile.of(*ends), cell_pair(tile["cells"]), ends, number(tile["level"]))
            checked(set(tile) == {"cells", "ends", "level"}, f"a laid tile has cells, ends and level, not {sorted(tile)}")
            broken = faults.broken_place(layout, action, self.rules)
            checked(broken is None, f"the {action.tile} cannot lie at {action.cells}: {broken.sentence if broken else ''}")
            layout = layout.after(action)
        return layout

    def _broken(self, action: Any) -> Broken:
        return faults.broken(self, action)

    def _verify_chance(self, action: Any) -> Broken | None:
        return faults.broken_chance(self, action)

    _do: ClassVar[Doings] = {Buy: _buy, Draw: _draw, Play: _play, Stop: _stop, Give: _give, Deal: _deal, Refill: _refill,
                             Show: _show}
