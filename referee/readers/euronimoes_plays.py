"""What may have been done in Euronimoes within the rules, given what the table shows."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from math import log
from typing import Any

from engine.actions import Action
from engine.core import UNKNOWN
from engine.euronimoes.actions import STOP, Buy, Deal, Give, Play, Refill
from engine.euronimoes.game import HAND, SLOTS, State
from engine.pieces import Tile
from engine.state import State as AnyState
from referee.geometry import distance
from referee.readers.euronimoes_breaches import CLEARLY, Breaches, Memory, memory_of, overhangs, slot_cost
from referee.reading import RARE, UNSEEN, Proposal, Reading
from referee.setting import Point
from vision.degrees import HARDLY, LIKELY, PERHAPS, nats_against
from vision.observation import SeenTile

AGAINST_HANDS = nats_against(HARDLY)
"""Nats against a tile taken where the hand was first at another that may have been taken, and this one still lay there."""

KEPT = nats_against(LIKELY)
"""Nats against the last tile being kept without a word: many do."""

HAND_CAME = nats_against(HARDLY)
"""Nats against that of who reached over the table: who keeps a tile touches nothing, and what she laid may not have been seen."""

HIDDEN = nats_against(PERHAPS)
"""Nats at most against a tile that nobody knows to be in the hand, beside one that all saw bought and that it may be:
habits are unknown."""

class Plays(Breaches):
    """The legal explanations of a table; the reading itself stands in `euronimoes.py`."""

    @abstractmethod
    def unready(self, state: AnyState, reading: Reading) -> list[str]:
        """What the set-up still lacks, in plain words."""

    @abstractmethod
    def slots(self, memory: Memory) -> tuple[Point, ...]:
        """The middles of the market's slots, cheapest first."""

    @abstractmethod
    def is_of_pile(self, tile: SeenTile, memory: Memory) -> bool:
        """Whether a tile that was lifted lay face down in the bone pile."""

    def proposals(self, state: AnyState, reading: Reading) -> list[Proposal]:
        """The deal, tiles taken where market, pile or chips have changed, tiles turned up, and plays in the mover's grid."""
        assert isinstance(state, State)
        if state.chance == "deal":
            return self._deals(state, reading)
        if state.chance == "refill":
            return self._refills(state, reading)
        if state.turn is None:
            return []
        if state.phase == "draw":
            legal = state.legal() if self._market_changed(state, reading) else []
            legal.sort(key=lambda each: self._market_misfit(state, each, reading))
            return [Proposal(action, self._against_hands(state, action, reading), hand=state.turn) for action in legal]
        found = [Proposal(play, held, cost, state.turn) for play, held, cost in self._shown(state, state.turn, reading)]
        legal_set = set(state.legal()) if found or state.phase == "last" else set()
        found = [proposal for proposal in found if proposal.action in legal_set]
        others = [seat for seat in range(state.players) if seat != state.turn and (
            self._new_places(state, seat, reading) or (state.phase == "last" and self._exchanged(state, seat, reading)))]
        if others and STOP in legal_set:
            came = state.turn in reading.reached.came | reading.in_vain
            found.append(Proposal(STOP, HAND_CAME if came else KEPT))
        found += [Proposal(Give(seat), 0.1) for seat in others if Give(seat) in legal_set]
        return found

    def _against_hands(self, state: State, action: Action, reading: Reading) -> float:
        """Nats against a tile taken, by what the hand was seen to take up first, where the table looks alike afterwards.

        A draw and a purchase of the cheapest tile may, purchases of twins, and one of the dearest tile beside none at all, where
        a twin of it is turned up.
        """
        own = action.slot if isinstance(action, Buy) else None
        again = own == SLOTS - 1 and slot_cost(reading.tiles.get(("market", own)), state.market[own]) < CLEARLY
        alike = own == 0 or own is None or again or state.market.count(state.market[own]) > 1
        memory = memory_of(reading)
        first = next((tile for tile in reading.lifted
                      if self._slot_of(tile, memory) is not None or self.is_of_pile(tile, memory)), None)
        if not alike or first is None or self._slot_of(first, memory) == own:
            return 0.0
        if own is None:
            return AGAINST_HANDS if self._slot_of(first, memory) == 0 else 0.0
        later = reading.lifted[reading.lifted.index(first) + 1 :]
        lay_there = {slot for tile in (*reading.untouched, *later) if (slot := self._slot_of(tile, memory)) is not None}
        drawn = self._slot_of(first, memory) is None and lay_there  # the tile turned up comes last, when others have been moved
        return AGAINST_HANDS if drawn or own in lay_there else 0.0

    def _slot_of(self, tile: SeenTile, memory: Memory) -> int | None:
        """The slot of the market on which a tile lay."""
        return next((slot for slot, middle in enumerate(self.slots(memory)) if distance(tile.center, middle) < tile.width), None)

    def _deals(self, state: State, reading: Reading) -> list[Proposal]:
        """The market as it lay when all was ready, and whoever made the first turn."""
        opening = memory_of(reading).opening
        if not opening or not self.unready(state, reading):
            return []
        rest = (UNKNOWN,) * (len(state.kit) - SLOTS - HAND * state.players)
        hands = ((UNKNOWN,) * HAND,) * state.players
        return [Proposal(Deal(hands, opening, rest, seat), hand=seat) for seat in range(state.players)]

    def _refills(self, state: State, reading: Reading) -> list[Proposal]:
        """What lies on the dearest slot, or where a next turn has put it; that it was just the twin of a tile taken is rare."""
        options: dict[Tile, float] = {}
        left = set(state.unseen())  # of those that the set has nowhere left none can be turned up
        known = Counter(state.market)
        for slot in reversed(range(SLOTS)):
            sight = reading.tiles.get(("market", slot))
            if sight is None or not sight.up or (slot < SLOTS - 1 and known[Tile.of(*sight.ends)]):
                continue
            for ends, _ in sight.likely()[:12]:
                if (tile := Tile.of(*ends)) in left:
                    options.setdefault(tile, sight.cost(ends, True))
        taken, late = _just_bought(state), RARE if self._is_exchanged(state, reading) else 0.0
        return [Proposal(Refill(tile), late + (RARE if tile == taken else 0.0), cost) for tile, cost in options.items()]

    @staticmethod
    def _is_exchanged(state: State, reading: Reading) -> bool:
        """Whether what was turned up next is believed already, and the piece seen then on the dearest slot is not there now."""
        place, memory = ("market", SLOTS - 1), memory_of(reading)
        sight, told = reading.tiles.get(place), isinstance(memory.believed, Refill) and len(state.pushed) < memory.told
        return told and sight is not None and sight.track != memory.pieces.get(place, sight.track)

    def _market_misfit(self, state: State, action: Action, reading: Reading) -> float:
        """How badly the market seen fits one in which this was the last tile taken."""
        market = state.market
        after: tuple[Any, ...]
        if isinstance(action, Buy):
            after = (*market[: action.slot], *market[action.slot + 1 :], UNKNOWN if state.pile else None)
        else:
            after = (*market[1:], market[0])
        return sum(slot_cost(reading.tiles.get(("market", slot)), tile) for slot, tile in enumerate(after))

    def _shown(self, state: State, seat: int, reading: Reading) -> list[tuple[Play, float, float]]:
        """The plays that new tiles in a seat's grid may be, each with the nats against its tile being held and lying in line,
        and against its ends being seen."""
        plays = []
        for place in self._new_places(state, seat, reading):
            sight = reading.tiles[place]
            if reading.faults.get(place) or overhangs(state, place) or not sight.up:
                continue
            unsure = (0.0 if place[3] == 1 or sight.raised else UNSEEN)
            askew = max(0.0, reading.askew.get(place, 0.0))
            shown = [Play(Tile.of(*ends), place[2], ends, place[3]) for ends, _ in sight.likely()[:24]]
            held = {play.tile: _held(state, seat, play.tile) for play in shown}
            most = max(held[play.tile] for play in shown if play is shown[0] or sight.cost(play.ends) < CLEARLY)
            plays += [(play, askew + min(HIDDEN, max(0.0, log(most / held[play.tile]))), sight.cost(play.ends) + unsure)
                      for play in shown]
        return plays


def _held(state: State, seat: int, tile: Tile) -> float:
    """How likely a seat has this tile in its hand: for sure if all saw it bought; of those nobody has seen it has as many as
    others, so that one with a twin among them is likelier than one without."""
    bought, hidden = state.bought[seat], Counter(state.unseen())
    if tile in bought:
        return 1.0
    unknown = len(state.hands[seat]) - len(bought)
    return float(min(1.0, max(1e-3, unknown * hidden[tile] / max(1, hidden.total()))))


def _just_bought(state: State) -> Tile | None:
    """The tile that the last action took from the market, if it was a purchase."""
    last = state.last_pushed
    if not isinstance(last, Buy):
        return None
    before = state.branch()
    before.pop()
    return before.market[last.slot]
