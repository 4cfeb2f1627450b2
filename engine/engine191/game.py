"""Engine 191: a lowest double bid becomes the main station; every seat builds a line from it; low hand and yard win.

>>> from random import Random
>>> state = State.start(Rules(), 3, Random(1))
>>> state.phase, len(state.hands[0]), len(state.boneyard)
('bid', 11, 22)
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

from engine.actions import Action, Show
from engine.core import UNKNOWN, Broken, Flags, Outcome, flag, replaced, without
from engine.engine191 import belief, faults, forms, turns
from engine.engine191.actions import (
    HAND,
    Bid,
    Deal,
    Draw,
    End,
    Pass,
    Play,
    Remove,
    Reveal,
    Shuffle,
    TurnUp,
)
from engine.engine191.book import RULE_BOOK
from engine.engine191.picture import picture
from engine.engine191.reasons import reasons
from engine.hidden import FREE, Slots, exclude, shuffled, take, unseen
from engine.pieces import DOUBLE_NINE, DOUBLE_SIX, Tile
from engine.reasons import Reason
from engine.state import Doings
from engine.state import State as Base
from engine.words import say

TOKENS = 3

_DRAWN_FIRST = {after: ("to hand", "refill", after) for after in ("track", "station")}

Line = tuple[tuple[int, int], ...]
Tiles = tuple[Tile, ...]


@dataclass(frozen=True)
class Rules(Flags):
    """The flags of Engine 191."""

    main_station_is_turn: bool = flag(False, True, about="Whether laying the main station is the first turn.")
    reshuffle: str = flag("immediate", "when_needed", about="When the scrap becomes the boneyard: as soon as that is empty, "
                                                            "or when a tile is to be drawn.")
    bared_counts_incomplete: bool = flag(False, True, about="Whether a station bared by removal must be completed too.")
    remove_ends_turn: bool = flag(False, True, about="Whether removing track, for whatever reason, ends the turn.")
    obligation: str = flag("strict", "lenient", about="Whether who could complete a station may draw instead.")
    after_draw_chain: bool = flag(True, False, about="Whether a station played after drawing earns a further play.")
    pass_out: str = flag("all_consecutive", about="The round is over when all pass in a row.")
    token_tie: str = flag("shared", "play_on", about="When several reach three tokens at once: all win, or play goes on.")
    start_foreign_line: bool = flag(True, False, about="Whether one may start another player's line.")


class State(Base):
    """A table of Engine 191. Hands are kept in order, unknown tiles first."""

    game = "engine191"
    TITLE = "Engine 191"
    FEW_WIN, NEARLY_WON, TRIES = True, 30, 2
    Rules = Rules
    ACTIONS = (Bid, Remove, Play, Draw, End, Pass)
    CHANCE = (Deal, Reveal, TurnUp, Shuffle, Show)
    RULE_BOOK = RULE_BOOK
    FIELDS = ("hands", "hub", "lines", "bared", "yards", "boneyard", "scrap", "bids", "drawn", "passes", "tokens",
              "opened", "agenda", "shown", "slots", "not_in_boneyard")
    BELIEFS = ("slots", "not_in_boneyard")

    hands: tuple[Tiles, ...]
    hub: Tile | None
    lines: tuple[Line, ...]  # (inner, outer) ends, outward from the hub
    bared: tuple[bool, ...]  # whether the line ends in a station that track was removed from
    yards: tuple[Tiles, ...]
    boneyard: Tiles  # next first
    scrap: Tiles
    bids: tuple[Tile | None, ...]
    drawn: Tile | None  # in phase `drawn`
    passes: int
    tokens: tuple[int, ...]
    opened: Tiles  # the bids as they were turned up this round
    agenda: tuple[str, ...]  # what of the last action is still to be done when chance has acted
    shown: tuple[Tiles, ...]  # hand tiles that everybody has seen (bids taken back)
    slots: tuple[Slots, ...]  # of the other hand tiles (and a bid face down), what they cannot be
    not_in_boneyard: frozenset[Tile]  # after a flip all other tiles; before it nothing is known

    def _set_up(self) -> None:
        self.kit = DOUBLE_SIX if self.players == 2 else DOUBLE_NINE
        self.tokens = (0,) * self.players
        self._clear(((),) * self.players, ())

    def _clear(self, hands: tuple[Tiles, ...], boneyard: Tiles) -> None:
        nothing: tuple[Tiles, ...] = ((),) * self.players
        self.hands, self.boneyard, self.scrap = hands, boneyard, ()
        self.yards = self.shown = nothing
        self.lines = ((),) * self.players
        self.bared = (False,) * self.players
        self.bids = (None,) * self.players
        self.hub = self.drawn = None
        self.passes, self.agenda, self.opened = 0, (), ()
        self.slots = tuple((FREE,) * len(hand) for hand in hands)
        self.not_in_boneyard = FREE

    def legal(self) -> list[Action]:
        """Every legal action of the seat to move."""
        return turns.legal(self)

    # What happens then.

    def _bid(self, action: Bid) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        hand = self.hands[seat]
        at = hand.index(action.tile) if action.tile in hand else hand.index(UNKNOWN)
        self.hands = replaced(self.hands, seat, without(hand, at))
        self.bids = replaced(self.bids, seat, action.tile)
        if seat + 1 < self.players:
            self.turn = seat + 1
        elif UNKNOWN in self.bids:
            self.turn, self.chance = None, "reveal"
        else:
            self.open_bids()

    def _reveal(self, action: Reveal) -> None:
        self.bids = action.bids
        self.chance = None
        self.open_bids()

    def open_bids(self) -> None:
        """The lowest double is the main station; all others take their tiles back (Setup; N3, N4)."""
        bids: tuple[Tile, ...] = self.bids  # type: ignore[assignment]
        doubles = [tile for tile in bids if tile.is_double]
        self.bids = (None,) * self.players
        self.opened = bids
        winner = bids.index(min(doubles)) if doubles else None
        self.slots = tuple(map(take, self.slots, bids))
        self.hands = tuple(hand if seat == winner else tuple(sorted((*hand, bids[seat])))
                           for seat, hand in enumerate(self.hands))
        self.shown = tuple(() if seat == winner else (tile,) for seat, tile in enumerate(bids))
        if winner is None:
            self.turn, self.phase, self.chance = None, "deal", "deal"
            return
        self.hub = bids[winner]
        self.turn, self.phase = winner, "turn"
        if self.rules.main_station_is_turn:
            self.turn = (winner + 1) % self.players

    def _remove(self, action: Remove) -> None:
        """Back to the station before the end tile, or all of it (Remove Track; N5)."""
        seat: int = self.turn  # type: ignore[assignment]
        line = self.lines[seat]
        keep = len(line) - 1
        while keep and line[keep - 1][0] != line[keep - 1][1]:
            keep -= 1
        self.scrap += tuple(Tile.of(*ends) for ends in line[keep:])
        self.lines = replaced(self.lines, seat, line[:keep])
        self.bared = replaced(self.bared, seat, keep > 0)
        self.passes = 0
        self.run(("to yard", "refill", "removed"))

    def _play(self, action: Play) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        tile, line = action.tile, action.line
        if action.source == "hand":
            self._lose(seat, tile)
        else:
            yard = self.yards[seat]
            yard = without(yard, yard.index(tile))
            if action.replace is not None:
                self._lose(seat, action.replace)
                yard += (action.replace,)
            self.yards = replaced(self.yards, seat, yard)
        laid = self.lines[line]
        end = laid[-1][1] if laid else self.hub[0]  # type: ignore[index]
        free = line == seat or (bool(laid) and laid[-1][0] == end
                                and (self.rules.bared_counts_incomplete or not self.bared[line]))
        low, high = tile
        self.lines = replaced(self.lines, line, laid + ((end, low + high - end),))
        if self.bared[line]:
            self.bared = replaced(self.bared, line, False)
        chain = low == high and (self.phase != "drawn" or self.rules.after_draw_chain)
        after = "station" if chain else "track"
        self.passes, self.drawn = 0, None
        if free:
            self._after(after, seat)
        else:
            self.run(_DRAWN_FIRST[after])

    def _lose(self, seat: int, tile: Tile) -> None:
        """A tile leaves a hand, seen by everybody."""
        hand = self.hands[seat]
        try:
            at = hand.index(tile)
        except ValueError:
            at = hand.index(UNKNOWN)
        self.hands = replaced(self.hands, seat, without(hand, at))
        shown = self.shown[seat]
        if tile in shown:
            self.shown = replaced(self.shown, seat, without(shown, shown.index(tile)))
        else:
            self.slots = replaced(self.slots, seat, take(self.slots[seat], tile))

    def _draw(self, action: Draw) -> None:
        self._tell()
        self.passes = 0
        self.run(("to yard", "refill", "drawn"))

    def _pass(self, action: Pass) -> None:
        self._tell()
        self.passes += 1
        if self.passes == self.players:
            self.end_round()
        else:
            self._next()

    def _tell(self) -> None:
        """Who draws or passes under a strict obligation holds nothing that completes (H6)."""
        incomplete = turns.incomplete(self)
        if incomplete and self.rules.obligation == "strict":
            seat: int = self.turn  # type: ignore[assignment]
            numbers = frozenset(self.lines[line][-1][1] for line in incomplete)
            barred = belief.carrying(self.kit.highest, numbers)
            self.slots = replaced(self.slots, seat, exclude(self.slots[seat], barred))

    def _end(self, action: End) -> None:
        self.drawn = None
        self._next()

    def _next(self) -> None:
        self.turn, self.phase = (self.turn + 1) % self.players, "turn"  # type: ignore[operator]

    def run(self, steps: tuple[str, ...]) -> None:
        """Do the rest of an action step by step; where chance must act first, keep the rest for later."""
        seat: int = self.turn  # type: ignore[assignment]
        for done, step in enumerate(steps):
            if step in ("to yard", "to hand"):
                if not self.boneyard:
                    self.agenda, self.chance = steps[done:], "shuffle"
                    return
                tile, self.boneyard = self.boneyard[0], self.boneyard[1:]
                if step == "to hand":
                    hand = self.hands[seat]
                    at = bisect(hand, tile)
                    self.hands = replaced(self.hands, seat, hand[:at] + (tile,) + hand[at:])
                    self.slots = replaced(self.slots, seat, self.slots[seat] + (self.not_in_boneyard,))
                    continue
                self.yards = replaced(self.yards, seat, self.yards[seat] + (tile,))
                if tile[0] < 0:  # unknown
                    self.agenda, self.chance = steps[done + 1 :], "turn-up"
                    return
            elif step == "refill":
                if not self.boneyard and self.scrap and self.rules.reshuffle == "immediate":
                    self.agenda, self.chance = steps[done + 1 :], "shuffle"
                    return
            else:
                self._after(step, seat)
        self.agenda = ()

    def _after(self, step: str, seat: int) -> None:
        """What an action leads to when all its tiles are drawn."""
        if step == "removed":
            if self.rules.remove_ends_turn:
                self._next()
        elif step == "drawn":
            self.drawn, self.phase = self.yards[seat][-1], "drawn"
        elif not self.hands[seat]:
            self.end_round()
        elif step == "station":
            self.phase = "chain"
        else:
            self._next()

    def end_round(self) -> None:
        """The lowest hands and yards take a token (End of the Round; N18)."""
        if any(UNKNOWN in hand for hand in self.hands):
            self.turn, self.phase, self.chance = None, "show", "show"
            return
        scores = self.scores()
        least = min(scores)
        self.tokens = tuple(tokens + (score == least) for tokens, score in zip(self.tokens, scores, strict=True))
        most = max(self.tokens)
        winners = tuple(seat for seat, tokens in enumerate(self.tokens) if tokens == most)
        self.turn = None
        if most >= TOKENS and (len(winners) == 1 or self.rules.token_tie == "shared"):
            self.phase = "over"
            self.result = Outcome(say("three win tokens"), winners, scores)
        else:
            self.phase = self.chance = "deal"

    def picture(self) -> list[str]:
        """The main station, every line with its yard, the hands."""
        return picture(self)

    def scores(self) -> tuple[int, ...]:
        """The pips of hand and yard (and of a bid face down); what is not known counts nothing."""
        return tuple(sum(points for _, points in self.score_parts(seat)) for seat in range(self.players))

    def knowledge(self) -> Any:
        """By seat and tile of the hand, the tiles that it cannot be by what was public; and those not in the boneyard."""
        return self.slots, self.not_in_boneyard

    def gain(self, action: Action) -> float:
        """What is laid leaves hand or yard; what chance then brings is not foreseen."""
        return float(action.tile.pips) if isinstance(action, Play) else 0.0

    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """Hand and yard."""
        bid = self.bids[seat]
        hand = (*self.hands[seat], bid) if bid else self.hands[seat]
        return [(say("hand"), sum(tile.pips for tile in hand if tile != UNKNOWN)),
                (say("yard"), sum(tile.pips for tile in self.yards[seat] if tile != UNKNOWN))]

    def reasons(self, action: Action) -> Iterator[Reason]:
        """Bids that can win, lines that go on, tiles that leave hand and yard."""
        return reasons(self, action)

    # Chance.

    def _deal(self, action: Deal) -> None:
        self._clear(tuple(tuple(sorted(hand)) for hand in action.hands), action.boneyard)
        self.turn, self.phase, self.chance = 0, "bid", None

    def _turn_up(self, action: TurnUp) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        self.yards = replaced(self.yards, seat, (*self.yards[seat][:-1], action.tile))
        self.chance = None
        self.run(self.agenda)

    def _shuffle(self, action: Shuffle) -> None:
        scrap = frozenset(self.scrap)
        self.slots = tuple(exclude(slots, scrap) for slots in self.slots)
        self.not_in_boneyard = belief.carrying(self.kit.highest, frozenset(range(self.kit.highest + 1))) - scrap
        self.boneyard, self.scrap, self.chance = action.boneyard, (), None
        self.run(self.agenda)

    def _show(self, action: Show) -> None:
        hand = list(self.hands[action.seat])
        for tile in action.tiles:
            hand[hand.index(UNKNOWN)] = tile
        self.hands = replaced(self.hands, action.seat, tuple(sorted(hand)))
        if self.chance == "show" and not any(UNKNOWN in each for each in self.hands):
            self.chance = None
            self.end_round()

    def random_chance(self, rng: Random) -> Action:
        """A deal, a shuffle of the scrap, or what an unknown tile may be."""
        if self.chance == "shuffle":
            return Shuffle(tuple(shuffled(self.scrap, rng)))
        if self.chance == "deal":
            tiles = shuffled(self.kit.tiles, rng)
            size = HAND[self.players]
            hands = tuple(tuple(tiles[seat * size : seat * size + size]) for seat in range(self.players))
            return Deal(hands, tuple(tiles[size * self.players :]))
        return belief.imagine(self, rng)

    def outcomes(self) -> list[tuple[Action, Fraction]]:
        """Each tile that the boneyard may have next; equally likely as far as only the boneyard is considered."""
        if self.chance != "turn-up":
            return super().outcomes()
        left = [tile for tile in self.unseen() if tile not in self.not_in_boneyard]
        return [(TurnUp(tile), Fraction(1, len(left))) for tile in left]

    def public(self, action: Action) -> Action:
        """Hands, bids face down and the order of the boneyard are not seen."""
        if isinstance(action, Bid):
            return Bid(UNKNOWN)
        if isinstance(action, Shuffle):
            return Shuffle((UNKNOWN,) * len(action.boneyard))
        if isinstance(action, Deal):
            return Deal(tuple((UNKNOWN,) * len(hand) for hand in action.hands), (UNKNOWN,) * len(action.boneyard))
        return action

    def answer(self, other: Base) -> Action:
        """The bids, the tile turned up, or the first hand that the other state does not know."""
        assert isinstance(other, State)
        return belief.answer(self, other)

    # Hidden tiles.

    def project(self) -> Any:
        """The table with hands and boneyard face down; bids taken back stay known."""
        return belief.hide(self, range(self.players))

    def view(self, seat: int) -> Any:
        """The table as a seat knows it."""
        return belief.hide(self, (other for other in range(self.players) if other != seat))

    def seen(self) -> list[Tile]:
        """Every tile whose place is known."""
        laid = [Tile.of(*ends) for line in self.lines for ends in line]
        groups = (*self.hands, *self.yards, self.boneyard, self.scrap, laid, (self.hub, *self.bids))
        return [tile for tiles in groups for tile in tiles if tile and tile != UNKNOWN]

    def unseen(self) -> list[Tile]:
        """The tiles of the set that this state knows nowhere."""
        return unseen(self.kit, self.seen())

    def sample(self, rng: Random) -> Any:
        """A full table that agrees with all that is known."""
        return belief.sample(self, rng)

    # Forms.

    def _exchange(self) -> dict[str, Any]:
        return forms.table(self)

    def _extra(self) -> dict[str, Any]:
        return forms.beliefs(self)

    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        forms.fill(self, data, extra)
        faults.check_table(self)

    def _broken(self, action: Any) -> Broken:
        return faults.broken(self, action)

    def _verify_chance(self, action: Any) -> Broken | None:
        return faults.broken_chance(self, action)

    _do: ClassVar[Doings] = {Bid: _bid, Remove: _remove, Play: _play, Draw: _draw, End: _end, Pass: _pass, Deal: _deal,
                             Reveal: _reveal, TurnUp: _turn_up, Shuffle: _shuffle, Show: _show}
