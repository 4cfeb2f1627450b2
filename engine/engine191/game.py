"""Engine 191: a lowest double bid becomes the main station; every seat builds a line from it; low hand and yard win.

>>> from random import Random
>>> state = State.start(Rules(), 3, Random(1))
>>> state.phase, len(state.hands[0]), len(state.boneyard)
('bid', 11, 22)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, ClassVar

from engine.actions import TILES, Action, number, pair, read_tile, tile_text, truth
from engine.core import UNKNOWN, Broken, Flags, Outcome, flag
from engine.engine191 import belief, faults
from engine.engine191.actions import (
    DRAW,
    END,
    HAND,
    PASS,
    REMOVE,
    Bid,
    Deal,
    Draw,
    End,
    Pass,
    Play,
    Remove,
    Reveal,
    Show,
    Shuffle,
    TurnUp,
)
from engine.engine191.book import RULE_BOOK
from engine.hidden import FREE, Slots, exclude, shuffled, slots_from_json, slots_to_json, take, unseen
from engine.pieces import DOUBLE_NINE, DOUBLE_SIX, Tile
from engine.state import Doings, checked
from engine.state import State as Base

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
    remove_ends_turn: bool = flag(False, True, about="Whether removing track ends the turn.")
    obligation: str = flag("strict", "lenient", about="Whether who could complete a station may draw instead.")
    after_draw_chain: bool = flag(True, False, about="Whether a station played after drawing earns a further play.")
    pass_out: str = flag("all_consecutive", about="The round is over when all pass in a row.")
    token_tie: str = flag("shared", "play_on", about="When several reach three tokens at once: all win, or play goes on.")
    start_foreign_line: bool = flag(True, False, about="Whether one may start another player's line.")


class _FromHand(dict[Tile, Play]):
    """The plays from a hand on one line, by tile, made when first asked for."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line

    def __missing__(self, tile: Tile) -> Play:
        play = self[tile] = Play(tile, self.line, "hand", None)
        return play


class _FromYard(dict[Tile | None, Play]):
    """The plays of one yard tile on one line, by the tile that replaces it."""

    def __init__(self, tile: Tile, line: int) -> None:
        super().__init__()
        self.tile, self.line = tile, line

    def __missing__(self, replace: Tile | None) -> Play:
        play = self[replace] = Play(self.tile, self.line, "yard", replace)
        return play


_FROM_HAND = [_FromHand(line) for line in range(4)]


@cache
def _bid(tile: Tile) -> Bid:
    return Bid(tile)


@cache
def _from_yard(tile: Tile, line: int) -> _FromYard:
    return _FromYard(tile, line)


@cache
def carrying(highest: int, numbers: frozenset[int]) -> frozenset[Tile]:
    """The tiles of a set with one of these numbers."""
    tiles = DOUBLE_SIX if highest == DOUBLE_SIX.highest else DOUBLE_NINE
    return frozenset(tile for tile in tiles if not numbers.isdisjoint(tile))


def _has_unknown(hand: Tiles) -> bool:
    """Whether a hand, which is kept in order, has unknown tiles; they stand first."""
    return bool(hand) and hand[0][0] < 0


class State(Base):
    """A table of Engine 191. Hands are kept in order, unknown tiles first."""

    game = "engine191"
    Rules = Rules
    ACTIONS = (Bid, Remove, Play, Draw, End, Pass)
    CHANCE = (Deal, Reveal, TurnUp, Shuffle, Show)
    RULE_BOOK = RULE_BOOK
    FIELDS = ("hands", "hub", "lines", "bared", "yards", "boneyard", "scrap", "bids", "drawn", "passes", "tokens",
              "opened", "agenda", "shown", "slots", "not_in_boneyard")

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

    # What may be done.

    def legal(self) -> list[Action]:
        """Every legal action of the seat to move."""
        seat = self.turn
        if seat is None or self.chance:
            return []
        if self.phase == "turn":
            return self._legal_turn(seat)
        hand = self.hands[seat]
        if self.phase == "bid":
            return list(map(_bid, dict.fromkeys(hand)))
        moves: list[Action] = []
        incomplete = self._incomplete()
        if self.phase == "chain":
            self._plays(moves, self._possible(seat), self.yards[seat], self._open_lines(seat, incomplete), hand)
        else:
            assert self.drawn is not None
            open_lines = self._ends(incomplete) or self._open_lines(seat, incomplete)  # N23
            self._plays(moves, (), (self.drawn,), open_lines, hand)
        moves.append(END)
        return moves

    def _legal_turn(self, seat: int) -> list[Action]:
        moves: list[Action] = [REMOVE] if self.lines[seat] else []
        incomplete = self._incomplete()
        open_lines = self._ends(incomplete) or self._open_lines(seat, incomplete)
        before = len(moves)
        hand = self.hands[seat]
        self._plays(moves, self._possible(seat), self.yards[seat], open_lines, hand)
        if incomplete and self.rules.obligation == "strict" and len(moves) > before:
            if not _has_unknown(hand):
                return moves
            numbers = {end for _, end in open_lines}
            if any(not numbers.isdisjoint(tile) for tile in (*hand, *self.yards[seat])):
                return moves
        moves.append(DRAW if self.boneyard or self.scrap else PASS)
        return moves

    def _possible(self, seat: int) -> Iterable[Tile]:
        """The tiles that a hand holds, or may hold."""
        hand = self.hands[seat]
        if not _has_unknown(hand):
            return hand
        slots = self.slots[seat]
        known = {tile for tile in hand if tile != UNKNOWN}
        return sorted(known | {tile for tile in self._unseen() if any(tile not in slot for slot in slots)})

    def _plays(self, moves: list[Action], hand: Iterable[Tile], yard: Tiles, lines: list[tuple[int, int]], own: Tiles) -> None:
        """Add every play of these tiles at these ends."""
        replacements: Iterable[Tile | None] = own or (None,)
        if yard and _has_unknown(own):
            replacements = tuple(self._possible(self.turn or 0))
        for line, end in lines:
            row = _FROM_HAND[line]
            for tile in hand:
                if end in tile:
                    moves.append(row[tile])
            for tile in yard:
                if end in tile:
                    moves += map(_from_yard(tile, line).__getitem__, replacements)

    def _incomplete(self) -> list[int]:
        """The lines that end in a station which must be completed (Incomplete Station; N7, N8)."""
        found = []
        for seat, line in enumerate(self.lines):
            if line:
                inner, outer = line[-1]
                if inner == outer and (not self.bared[seat] or self.rules.bared_counts_incomplete):
                    found.append(seat)
        return found

    def _ends(self, lines: list[int]) -> list[tuple[int, int]]:
        """These lines, which are not empty, with the number at their end."""
        return [(line, self.lines[line][-1][1]) for line in lines]

    def _open_lines(self, seat: int, incomplete: list[int]) -> list[tuple[int, int]]:
        """The lines this seat may play on, with the number at their end (Play a Domino)."""
        hub = self.hub[0]  # type: ignore[index]
        stock = self.boneyard or self.scrap
        if stock and self.rules.start_foreign_line:
            return [(line, laid[-1][1] if laid else hub) for line, laid in enumerate(self.lines)]
        return [(line, laid[-1][1] if laid else hub) for line, laid in enumerate(self.lines)
                if line == seat or line in incomplete or (stock and laid)]

    # What happens then.

    @staticmethod
    def _with(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
        return (*values[:seat], value, *values[seat + 1 :])

    def _bid(self, action: Bid) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        hand = self.hands[seat]
        at = hand.index(action.tile) if action.tile in hand else hand.index(UNKNOWN)
        self.hands = self._with(self.hands, seat, hand[:at] + hand[at + 1 :])
        self.bids = self._with(self.bids, seat, action.tile)
        if seat + 1 < self.players:
            self.turn = seat + 1
        elif UNKNOWN in self.bids:
            self.turn, self.chance = None, "reveal"
        else:
            self._open_bids()

    def _reveal(self, action: Reveal) -> None:
        self.bids = action.bids
        self.chance = None
        self._open_bids()

    def _open_bids(self) -> None:
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
        self.lines = self._with(self.lines, seat, line[:keep])
        self.bared = self._with(self.bared, seat, keep > 0)
        self.passes = 0
        self._run(("to yard", "refill", "removed"))

    def _play(self, action: Play) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        tile, line = action.tile, action.line
        if action.source == "hand":
            self._lose(seat, tile)
        else:
            yard = self.yards[seat]
            at = yard.index(tile)
            yard = yard[:at] + yard[at + 1 :]
            if action.replace is not None:
                self._lose(seat, action.replace)
                yard = (*yard, action.replace)
            self.yards = self._with(self.yards, seat, yard)
        laid = self.lines[line]
        end = laid[-1][1] if laid else self.hub[0]  # type: ignore[index]
        free = line == seat or (bool(laid) and laid[-1][0] == end
                                and (self.rules.bared_counts_incomplete or not self.bared[line]))
        self.lines = self._with(self.lines, line, (*laid, (end, tile[0] + tile[1] - end)))
        if self.bared[line]:
            self.bared = self._with(self.bared, line, False)
        chain = tile[0] == tile[1] and (self.phase != "drawn" or self.rules.after_draw_chain)
        after = "station" if chain else "track"
        self.passes, self.drawn = 0, None
        if free:
            self._after(after, seat)
        else:
            self._run(_DRAWN_FIRST[after])

    def _lose(self, seat: int, tile: Tile) -> None:
        """A tile leaves a hand, seen by everybody."""
        hand = self.hands[seat]
        try:
            at = hand.index(tile)
        except ValueError:
            at = hand.index(UNKNOWN)
        self.hands = self._with(self.hands, seat, hand[:at] + hand[at + 1 :])
        if tile in self.shown[seat]:
            self.shown = self._with(self.shown, seat, tuple(each for each in self.shown[seat] if each != tile))
        else:
            self.slots = self._with(self.slots, seat, take(self.slots[seat], tile))

    def _draw(self, action: Draw) -> None:
        self._tell()
        self.passes = 0
        self._run(("to yard", "refill", "drawn"))

    def _pass(self, action: Pass) -> None:
        self._tell()
        self.passes += 1
        if self.passes == self.players:
            self._round_over()
        else:
            self._next()

    def _tell(self) -> None:
        """Who draws or passes under a strict obligation holds nothing that completes (H6)."""
        incomplete = self._incomplete()
        if incomplete and self.rules.obligation == "strict":
            seat: int = self.turn  # type: ignore[assignment]
            numbers = frozenset(self.lines[line][-1][1] for line in incomplete)
            barred = carrying(self.kit.highest, numbers)
            self.slots = self._with(self.slots, seat, exclude(self.slots[seat], barred))

    def _end(self, action: End) -> None:
        self.drawn = None
        self._next()

    def _next(self) -> None:
        self.turn, self.phase = ((self.turn or 0) + 1) % self.players, "turn"

    def _run(self, steps: tuple[str, ...]) -> None:
        """Do the rest of an action step by step; where chance must act first, keep the rest for later."""
        seat: int = self.turn  # type: ignore[assignment]
        for at, step in enumerate(steps):
            if step in ("to yard", "to hand"):
                if not self.boneyard:
                    self.agenda, self.chance = steps[at:], "shuffle"
                    return
                tile, self.boneyard = self.boneyard[0], self.boneyard[1:]
                if step == "to hand":
                    self.hands = self._with(self.hands, seat, tuple(sorted((*self.hands[seat], tile))))
                    self.slots = self._with(self.slots, seat, (*self.slots[seat], self.not_in_boneyard))
                    continue
                self.yards = self._with(self.yards, seat, (*self.yards[seat], tile))
                if tile[0] < 0:  # unknown
                    self.agenda, self.chance = steps[at + 1 :], "turn-up"
                    return
            elif step == "refill":
                if not self.boneyard and self.scrap and self.rules.reshuffle == "immediate":
                    self.agenda, self.chance = steps[at + 1 :], "shuffle"
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
            self._round_over()
        elif step == "station":
            self.phase = "chain"
        else:
            self._next()

    def _round_over(self) -> None:
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
            self.result = Outcome("three win tokens", winners, scores)
        else:
            self.phase = self.chance = "deal"

    def scores(self) -> tuple[int, ...]:
        """The pips of hand and yard (and of a bid face down); what is not known counts nothing."""
        return tuple(sum(points for _, points in self.score_parts(seat)) for seat in range(self.players))

    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """Hand and yard."""
        bid = self.bids[seat]
        hand = (*self.hands[seat], bid) if bid else self.hands[seat]
        return [("hand", sum(tile.pips for tile in hand if tile != UNKNOWN)),
                ("yard", sum(tile.pips for tile in self.yards[seat] if tile != UNKNOWN))]

    # Chance.

    def _deal(self, action: Deal) -> None:
        self._clear(tuple(tuple(sorted(hand)) for hand in action.hands), action.boneyard)
        self.turn, self.phase, self.chance = 0, "bid", None

    def _turn_up(self, action: TurnUp) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        self.yards = self._with(self.yards, seat, (*self.yards[seat][:-1], action.tile))
        self.chance = None
        self._run(self.agenda)

    def _shuffle(self, action: Shuffle) -> None:
        scrap = frozenset(self.scrap)
        self.slots = tuple(exclude(slots, scrap) for slots in self.slots)
        self.not_in_boneyard = carrying(self.kit.highest, frozenset(range(self.kit.highest + 1))) - scrap
        self.boneyard, self.scrap, self.chance = action.boneyard, (), None
        self._run(self.agenda)

    def _show(self, action: Show) -> None:
        hand = list(self.hands[action.seat])
        for tile in action.tiles:
            hand[hand.index(UNKNOWN)] = tile
        self.hands = self._with(self.hands, action.seat, tuple(sorted(hand)))
        if self.chance == "show" and not any(UNKNOWN in each for each in self.hands):
            self.chance = None
            self._round_over()

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
        left = [tile for tile in self._unseen() if tile not in self.not_in_boneyard]
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
        return self._hide(range(self.players))

    def view(self, seat: int) -> Any:
        """The table as a seat knows it."""
        return self._hide(other for other in range(self.players) if other != seat)

    def _hide(self, seats: Iterable[int]) -> Any:
        other = self.copy()
        hands, bids = list(self.hands), list(self.bids)
        for seat in seats:
            known = tuple(tile for tile in self.shown[seat] if tile in hands[seat])
            hands[seat] = (UNKNOWN,) * (len(hands[seat]) - len(known)) + known
            bids[seat] = bids[seat] and UNKNOWN
        other.hands, other.bids = tuple(hands), tuple(bids)
        other.boneyard = (UNKNOWN,) * len(self.boneyard)
        return other

    def _seen(self) -> list[Tile]:
        laid = [Tile.of(*ends) for line in self.lines for ends in line]
        groups = (*self.hands, *self.yards, self.boneyard, self.scrap, laid, (self.hub, *self.bids))
        return [tile for tiles in groups for tile in tiles if tile and tile != UNKNOWN]

    def _unseen(self) -> list[Tile]:
        return unseen(self.kit, self._seen())

    def sample(self, rng: Random) -> Any:
        """A full table that agrees with all that is known."""
        return belief.sample(self, rng)

    # Forms.

    def _exchange(self) -> dict[str, Any]:
        return {
            "hands": [TILES.write(hand) for hand in self.hands],
            "hub": None if self.hub is None else tile_text(self.hub),
            "lines": [[list(ends) for ends in line] for line in self.lines],
            "bared": list(self.bared),
            "yards": [TILES.write(yard) for yard in self.yards],
            "boneyard": TILES.write(self.boneyard),
            "scrap": TILES.write(self.scrap),
            "bids": [None if tile is None else tile_text(tile) for tile in self.bids],
            "drawn": None if self.drawn is None else tile_text(self.drawn),
            "passes": self.passes,
            "tokens": list(self.tokens),
        }

    def _extra(self) -> dict[str, Any]:
        return {
            "agenda": list(self.agenda),
            "opened": TILES.write(self.opened),
            "shown": [TILES.write(tiles) for tiles in self.shown] if any(self.shown) else [],
            "slots": slots_to_json(self.slots),
            "not_in_boneyard": TILES.write(sorted(self.not_in_boneyard)),
        }

    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        self.hands = tuple(tuple(sorted(TILES.read(hand))) for hand in data["hands"])
        self.hub = None if data["hub"] is None else read_tile(data["hub"])
        self.lines = tuple(tuple(pair(ends) for ends in line) for line in data["lines"])
        self.bared = tuple(truth(bared) for bared in data["bared"])
        self.yards = tuple(TILES.read(yard) for yard in data["yards"])
        self.boneyard, self.scrap = TILES.read(data["boneyard"]), TILES.read(data["scrap"])
        self.bids = tuple(None if tile is None else read_tile(tile) for tile in data["bids"])
        self.drawn = None if data["drawn"] is None else read_tile(data["drawn"])
        self.passes = number(data["passes"])
        self.tokens = tuple(number(tokens) for tokens in data["tokens"])
        self.agenda = tuple(extra.get("agenda", ()))
        self.opened = TILES.read(extra.get("opened", []))
        for values in (self.lines, self.bared, self.yards, self.bids, self.tokens):
            checked(len(values) == self.players, f"one value per seat, not {len(values)}")
        self.shown = tuple(TILES.read(tiles) for tiles in extra.get("shown", [[]] * self.players))
        counts = [len(hand) + (bid is not None) - len(shown)
                  for hand, bid, shown in zip(self.hands, self.bids, self.shown, strict=True)]
        self.slots = slots_from_json(extra.get("slots", []), counts)
        self.not_in_boneyard = frozenset(TILES.read(extra.get("not_in_boneyard", [])))
        faults.check_table(self)

    def _broken(self, action: Any) -> Broken:
        return faults.broken(self, action)

    def _verify_chance(self, action: Any) -> Broken | None:
        return faults.broken_chance(self, action)

    _do: ClassVar[Doings] = {Bid: _bid, Remove: _remove, Play: _play, Draw: _draw, End: _end, Pass: _pass, Deal: _deal,
                             Reveal: _reveal, TurnUp: _turn_up, Shuffle: _shuffle, Show: _show}
