"""What may have been done in Euronimoes, legal or not, given what the table shows; and how to say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.actions import Action
from engine.core import UNKNOWN, Broken, Verdict
from engine.euronimoes.actions import COSTS, DRAW, STOP, Buy, Deal, Draw, Give, Play, Refill, Show, Stop
from engine.euronimoes.faults import broken_place
from engine.euronimoes.game import CHIPS, HAND, SLOTS, State
from engine.pieces import Tile
from engine.state import State as AnyState
from engine.state import nearest
from referee.geometry import distance
from referee.readers.grid import visible
from referee.reading import Breach, Difference, Expected, Laid, Place, Proposal, Reading, Sight
from referee.setting import Point, Setting
from vision.observation import SeenTile

SLOT_NAMES = ("-1", "0", "1", "2", "3")

UNSEEN_HAND = 5.3
"""Nats against a turn of a seat whose hand was not over the table while another's was."""

ILL_AFFORDED = 4.0
"""Nats against a tile taken that the chips in hand do not pay."""

AGAINST_HANDS = 3.5
"""Nats against the pile where the hand was first at the market's cheapest tile, and the other way round."""

TWIN = 3.0
"""Nats against a tile turned up that is the twin of the one just taken: rare, but only the hands tell it from a draw."""

STRANGE = 1.5
"""Nats against a tile that the set has nowhere left: it is sooner misread."""

STRANGERS = ("not-your-tile", "not-in-set")
"""The rules that such a tile breaks."""

CLEARLY = 5.0
"""Nats by which a tile must look otherwise than the one known there, to be taken for another."""

UNSEEN_LEVEL = 2.0
"""Nats against a stacked tile that is not seen to lie on others."""


class Plays:
    """Proposals, breaches and words; the reading itself stands in `euronimoes.py`."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.opening: tuple[Tile, ...] = ()
        self.pieces: dict[Place, int] = {}  # the track of each tile of a grid, when it was last seen as it is known

    def expected(self, state: AnyState) -> Expected:
        raise NotImplementedError

    # Legal.

    def proposals(self, state: AnyState, reading: Reading) -> list[Proposal]:
        """The deal, tiles taken where market, pile or chips have changed, tiles turned up, and plays in the mover's grid."""
        assert isinstance(state, State)
        if state.chance == "deal":
            return self._deals(state, reading)
        if state.chance == "refill":
            return self._refills(state, reading)
        if state.turn is None:
            return []
        mover = self._mover(state.turn, reading)
        if state.phase == "draw":
            legal = state.legal() if self._market_changed(state, reading) else []
            legal.sort(key=lambda each: self._market_misfit(state, each, reading))
            return [Proposal(action, mover + self._against_hands(action, reading)) for action in legal]
        found = [Proposal(play, mover, cost) for play, cost in self._shown(state, state.turn, reading)]
        legal_set = set(state.legal()) if found or state.phase == "last" else set()
        found = [proposal for proposal in found if proposal.action in legal_set]
        others = [seat for seat in range(state.players) if seat != state.turn and (
            self._new_places(state, seat, reading) or (state.phase == "last" and self._exchanged(state, seat, reading)))]
        if others and STOP in legal_set:
            found.append(Proposal(STOP, 1.0))
        found += [Proposal(Give(seat), 0.1) for seat in others if Give(seat) in legal_set]
        return found

    @staticmethod
    def _mover(seat: int, reading: Reading) -> float:
        return 0.0 if not reading.reached or seat in reading.reached else UNSEEN_HAND

    def _against_hands(self, action: Action, reading: Reading) -> float:
        """Nats against a draw, or a purchase of the cheapest tile, by what the hand was seen to take up first."""
        if not isinstance(action, Draw) and action != Buy(0):
            return 0.0
        cheapest = self.slots()[:1]
        for tile in reading.lifted:
            if tile.ends is None and self.is_of_pile(tile):
                return AGAINST_HANDS if isinstance(action, Buy) else 0.0
            if any(distance(tile.center, middle) < tile.width for middle in cheapest):
                return AGAINST_HANDS if isinstance(action, Draw) else 0.0
        return 0.0

    def _deals(self, state: State, reading: Reading) -> list[Proposal]:
        """The market as it lay when all was ready, and whoever made the first turn."""
        if not self.opening or not self.unready(state, reading):
            return []
        rest = (UNKNOWN,) * (len(state.kit) - SLOTS - HAND * state.players)
        hands = ((UNKNOWN,) * HAND,) * state.players
        return [Proposal(Deal(hands, self.opening, rest, seat), self._mover(seat, reading)) for seat in range(state.players)]

    def unready(self, state: AnyState, reading: Reading) -> list[str]:
        raise NotImplementedError

    def slots(self) -> tuple[Point, ...]:
        raise NotImplementedError

    def is_of_pile(self, tile: SeenTile) -> bool:
        raise NotImplementedError

    def _refills(self, state: State, reading: Reading) -> list[Proposal]:
        """What lies on the dearest slot, or where a next turn has put it; that it was just the twin of a tile taken is rare."""
        options: dict[Tile, float] = {}
        known = Counter(state.market)
        for slot in reversed(range(SLOTS)):
            sight = reading.tiles.get(("market", slot))
            if sight is None or not sight.up or (slot < SLOTS - 1 and known[Tile.of(*sight.ends)]):
                continue
            for ends, _ in sight.likely(1e-3)[:12]:
                options.setdefault(Tile.of(*ends), sight.cost(ends, True))
        bought = state.bought[state.turn or 0]
        return [Proposal(Refill(tile), TWIN if tile in bought else 0.0, cost) for tile, cost in options.items()
                if state.verify(Refill(tile))]

    def _market_changed(self, state: State, reading: Reading) -> bool:
        """Whether the market, the pile or a chip is not as this state has it."""
        return (_off(reading, "pile", len(state.pile)) or self._market_differs(state, reading)
                or any(_off(reading, f"chips {seat}", chips) for seat, chips in enumerate(state.chips)))

    @staticmethod
    def _market_differs(state: State, reading: Reading) -> bool:
        return any(_slot_cost(reading.tiles.get(("market", slot)), tile) > 1.0 for slot, tile in enumerate(state.market))

    def _market_misfit(self, state: State, action: Action, reading: Reading) -> float:
        """How badly the market seen fits one in which this was the last tile taken."""
        market = state.market
        after: tuple[Any, ...]
        if isinstance(action, Buy):
            after = (*market[: action.slot], *market[action.slot + 1 :], UNKNOWN if state.pile else None)
        else:
            after = (*market[1:], market[0])
        return sum(_slot_cost(reading.tiles.get(("market", slot)), tile) for slot, tile in enumerate(after))

    def _new_places(self, state: State, seat: int, reading: Reading) -> list[Place]:
        known = {(tile.cells, tile.level) for tile in state.layouts[seat].placed}
        return [place for place in reading.tiles if place[0] == "grid" and place[1] == seat and place[2:] not in known]

    def _shown(self, state: State, seat: int, reading: Reading) -> list[tuple[Play, float]]:
        """The plays that new tiles in a seat's grid may be, each with the nats against its ends."""
        plays = []
        for place in self._new_places(state, seat, reading):
            sight = reading.tiles[place]
            if reading.faults.get(place) or not sight.up:
                continue
            unsure = 0.0 if place[3] == 1 or sight.raised else UNSEEN_LEVEL
            plays += [(Play(Tile.of(*ends), place[2], ends, place[3]), sight.cost(ends) + unsure)
                      for ends, _ in sight.likely(1e-3)[:24]]
        return plays

    # Illegal.

    def breaches(self, state: AnyState, reading: Reading) -> list[Breach]:
        """Clear plays that break a rule: where a tile lies, whose turn it is, what was drawn, shifted and paid."""
        assert isinstance(state, State)
        if state.turn is None:
            return []
        before = self.expected(state)
        found = self._wrong_payments(state, reading, before)
        found += self._wrong_places(state, reading, before)
        found += self._out_of_turn(state, reading, before)
        if state.phase == "draw" and self._market_changed(state, reading):
            found += self._unsettled_market(state, reading, before)
            found += self._too_dear(state, reading)
        elif state.phase == "play" and self._market_changed(state, reading):
            found += self._second_draw(state, reading)
        return found

    def _wrong_places(self, state: State, reading: Reading, before: Expected) -> list[Breach]:
        """A tile of the mover that may not lie where it lies, beside the others or on them."""
        assert state.turn is not None
        found = []
        for place in self._new_places(state, state.turn, reading) + self._exchanged(state, state.turn, reading):
            sight, fault = reading.tiles[place], reading.faults.get(place)
            level = 2 if fault == "overhang" else place[3] + (place in before.tiles)
            for ends, _ in sight.likely(0.02)[:3] if sight.up else ():
                play = Play(Tile.of(*ends), place[2], ends, level)
                verdict = _misplaced(state, play, fault == "askew")
                if verdict:
                    continue
                supposed = Expected(_beneath(before.tiles, place) | {place: Laid(ends)}, before.counts)
                words = f"{self._name(state.turn)} lays the {play.tile} in her grid."
                cost = self._mover(state.turn, reading) + (STRANGE if verdict.rule in STRANGERS else 0.0)
                found.append(Breach(verdict, supposed, words, cost, play, state.turn, sight.center))
        return found

    def _exchanged(self, state: State, seat: int, reading: Reading) -> list[Place]:
        """Where a tile of a seat's grid shows something else, and no longer is the piece that lay there: one lies on it."""
        found = []
        for tile in visible(state.layouts[seat]):
            place = ("grid", seat, tile.cells, tile.level)
            sight = reading.tiles.get(place)
            if sight is not None and sight.track != self.pieces.get(place) and sight.up and sight.cost(tile.ends) > CLEARLY:
                found.append(place)
        return found

    def _out_of_turn(self, state: State, reading: Reading, before: Expected) -> list[Breach]:
        """Another seat has played, whatever it drew before."""
        if state.phase == "last" and state.rules.endphase == "simultaneous":
            return []
        found = []
        for seat in range(state.players):
            new = self._new_places(state, seat, reading) if seat != state.turn else []
            if len(new) != 1:
                continue
            sight = reading.tiles[new[0]]
            market = {place: Laid(None) for place in reading.tiles if place[0] == "market"}
            tiles = {place: laid for place, laid in before.tiles.items() if place[0] != "market"}
            tiles |= market | {new[0]: Laid(None)}
            name, turn = self._name(seat), self._name(state.turn)
            verdict = Verdict(False, "out-of-turn", f"It is {turn}'s turn, not {name}'s.", {"seat": seat})
            words = f"{name} lays the {Tile.of(*sight.ends)} out of turn."
            found.append(Breach(verdict, Expected(tiles, {}), words, 0.5, None, seat, sight.center))
        return found

    def _wrong_payments(self, state: State, reading: Reading, before: Expected) -> list[Breach]:
        """Chips that are not as the last tile taken wants it; unfinished as long as that turn goes on."""
        found = []
        for seat, chips in enumerate(state.chips):
            if not _off(reading, f"chips {seat}", chips):
                continue
            seen = reading.counts[f"chips {seat}"].value
            last = _last_taken(state, seat)
            if last is None:
                continue
            name, more = self._name(seat), chips - seen
            cost = -1 if isinstance(last, Draw) else COSTS[last.slot]
            rule = "not-enough-chips" if cost > 0 else "pile-draw" if isinstance(last, Draw) else "chips"
            what = "the bone pile" if isinstance(last, Draw) else f"slot {SLOT_NAMES[last.slot]}"
            do = (f"take {_chips(more)} from the bank" if more > 0 else f"pay {_chips(-more)} to the bank")
            sentence = f"After a tile from {what} {name} has {_chips(chips)} in hand, not {seen}."
            verdict = Verdict(False, rule, sentence, {"seat": seat, "chips": seen, "cost": cost})
            counts = {key: value for key, value in before.counts.items() if key not in (f"chips {seat}", f"bank {seat}")}
            supposed = Expected(before.tiles, counts)
            pending = state.phase == "play" and state.turn == seat
            found.append(Breach(verdict, supposed, f"{name}: {do}.", 0.5, None, seat, None, pending, (f"{name}: {do}.",)))
        return found

    def _unsettled_market(self, state: State, reading: Reading, before: Expected) -> list[Breach]:
        """A tile taken, but the rest not yet moved, or the dearest slot not filled; or a tile drawn and nothing turned."""
        assert state.turn is not None
        name = self._name(state.turn)
        seen = self._market_seen(state, reading)
        shown = Counter(seen.values())
        gone = Counter(tile for tile in state.market if tile is not None) - shown
        new = shown - Counter(tile for tile in state.market if tile is not None)
        own = self._new_places(state, state.turn, reading)
        others = {place: laid for place, laid in before.tiles.items() if place[0] != "market"}
        supposed_tiles = others | {("market", at): Laid((tile.low, tile.high), True) for at, tile in seen.items()}
        supposed_tiles |= {place: Laid(reading.tiles[place].ends) for place in own[:1]}
        chips = state.chips[state.turn]
        counts = {key: value for key, value in before.counts.items() if key != "pile"}
        pile = reading.counts["pile"].value
        steps: list[str] = []
        if sum(gone.values()) == 1 and sum(new.values()) <= 1:
            tile = next(iter(gone))
            lying = [seen.get(at) for at in range(SLOTS)]
            slots = [at for at, each in enumerate(state.market) if each == tile]
            slot = max(slots, key=lambda at: lying[: SLOTS - 1] == [*state.market[:at], *state.market[at + 1 :]])
            wanted = [each for each in (*state.market[:slot], *state.market[slot + 1 :]) if each is not None]
            if lying[: len(wanted)] != wanted:
                steps.append(f"{name}: slide the dearer tiles of the market down by one slot.")
            if state.pile and (not new or lying[-1] not in new):
                steps.append("Turn up a tile from the bone pile for slot 3.")
            what, rule = f"{name} takes the {tile} from slot {SLOT_NAMES[slot]}.", "refill"
            cost, paid = 0.0 if COSTS[slot] <= chips else ILL_AFFORDED, chips - COSTS[slot]
        elif not gone and not new and len(seen) == sum(tile is not None for tile in state.market) and pile == len(state.pile) - 1:
            if [seen[at] for at in sorted(seen)] == list(state.market):
                steps.append(f"{name}: put the tile from slot -1 on slot 3 and slide the others down.")
            what, rule, cost, paid = f"{name} draws from the bone pile.", "pile-draw", 0.0, chips + 1
        if not steps:
            return []
        held = reading.counts.get(f"chips {state.turn}")
        if held is None or held.value in (chips, min(paid, CHIPS)):  # paid already, or not yet
            counts = {key: value for key, value in counts.items() if key not in (f"chips {state.turn}", f"bank {state.turn}")}
        book = state.RULE_BOOK[rule]
        verdict = Verdict(False, rule, book.text, {"seat": state.turn})
        return [Breach(verdict, Expected(supposed_tiles, counts), what, cost + self._mover(state.turn, reading), None, state.turn,
                       None, not own, tuple(steps))]

    @staticmethod
    def _market_seen(state: State, reading: Reading) -> dict[int, Tile]:
        """The tiles on the market by their slots, each taken for one that was known there where it may be that."""
        seen = {}
        for slot in range(SLOTS):
            sight = reading.tiles.get(("market", slot))
            if sight is not None:
                known = {tile: _slot_cost(sight, tile) for tile in state.market if tile is not None and tile != UNKNOWN}
                best = min(known, key=known.__getitem__, default=UNKNOWN)
                seen[slot] = best if known.get(best, CLEARLY) < CLEARLY else Tile.of(*sight.ends)
        return seen

    def _too_dear(self, state: State, reading: Reading) -> list[Breach]:
        """A market tile that the mover cannot pay."""
        assert state.turn is not None
        found = []
        for slot, tile in enumerate(state.market):
            if tile is None or COSTS[slot] <= state.chips[state.turn]:
                continue
            verdict = state.verify(Buy(slot))
            supposed = self._after(state, Buy(slot), state.turn, reading)
            words = f"{self._name(state.turn)} takes the {tile} from slot {SLOT_NAMES[slot]}."
            found.append(Breach(verdict, supposed, words, 0.0, Buy(slot), state.turn))
        return found

    def _second_draw(self, state: State, reading: Reading) -> list[Breach]:
        """Another tile taken before one was played, by the same seat or the next."""
        assert state.turn is not None
        found = []
        after = (state.turn + 1) % state.players
        twice = state.verify(DRAW)
        first = Verdict(False, "must-play", f"{self._name(state.turn)} has drawn and must play a tile first.",
                        {"seat": state.turn}, twice.nearest)
        for action in (*(Buy(slot) for slot, tile in enumerate(state.market) if tile is not None), DRAW):
            if isinstance(action, Draw) and not state.pile:
                continue
            for seat in (state.turn, after):
                verdict = first if seat == after else twice
                supposed = self._after(state, action, seat, reading)
                words = f"{self._name(seat)} takes another tile."
                found.append(Breach(verdict, supposed, words, 0.5 + self._mover(seat, reading), action, seat))
        return found

    def _after(self, state: State, action: Action, seat: int, reading: Reading) -> Expected:
        """The table if this had been done, allowed or not; chips that cannot be paid stay as they are seen."""
        other = state.copy()
        other.turn, other.phase = seat, "draw"
        cost = COSTS[action.slot] if isinstance(action, Buy) else -1
        short = other.chips[seat] < cost
        if short:
            other.chips = (*other.chips[:seat], cost, *other.chips[seat + 1 :])
        other.push(action)
        supposed = self.expected(other)
        if other.chance:  # whatever has been turned up
            supposed = replace(supposed, tiles=dict(supposed.tiles) | {("market", SLOTS - 1): Laid(None)})
        if short:
            counts = {key: value for key, value in supposed.counts.items() if key not in (f"chips {seat}", f"bank {seat}")}
            supposed = replace(supposed, counts=counts)
        return supposed

    # Words.

    def _name(self, seat: int | None) -> str:
        return self.setting.names[seat] if seat is not None else "Somebody"

    def revokes(self, state: AnyState, show: Action) -> list[str]:
        """Nothing here: no turn says anything about the tiles that a seat keeps."""
        return []

    def words(self, state: AnyState, action: Action) -> str:
        """As a player would say it."""
        assert isinstance(state, State)
        name = self._name(state.turn)
        if isinstance(action, Buy):
            tile = state.market[action.slot] if 0 <= action.slot < SLOTS else None
            cost = COSTS[action.slot] if 0 <= action.slot < SLOTS else 0
            paid = "takes a chip" if cost < 0 else "free" if cost == 0 else f"for {_chips(cost)}"
            return f"{name} buys the {tile} ({paid})."
        if isinstance(action, Draw):
            return f"{name} draws from the bone pile."
        if isinstance(action, Refill):
            return f"The {action.tile} is turned up."
        if isinstance(action, Play):
            raised = f" on level {action.level}" if action.level > 1 else ""
            return f"{name} plays the {action.tile}{raised}."
        if isinstance(action, Stop):
            return f"{name} keeps the last tile."
        if isinstance(action, Give):
            return f"{self._name(action.seat)} goes first."
        if isinstance(action, Show):
            return f"{self._name(action.seat)} shows {', '.join(map(str, action.tiles))}."
        if isinstance(action, Deal):
            return f"The tiles are dealt; {self._name(action.first)} begins."
        return f"{name}: {action}."

    def step(self, difference: Difference, state: AnyState) -> str:
        """One thing to do with the hands."""
        assert isinstance(state, State)
        place, seen = difference.place, difference.seen
        if difference.kind == "count":
            wanted = difference.ends[0] if difference.ends else 0
            if place == ("pile",):
                return f"The bone pile should have {wanted} tiles; {seen} are seen."
            what, seat = str(place[0]).split()
            where = "in hand" if what == "chips" else "in the bank"
            return f"{self._name(int(seat))} should have {_chips(wanted)} {where}; {seen} are seen."
        where = self._position(place)
        if difference.kind == "missing":
            return f"Put the {_named(difference.ends)} back {where}."
        if difference.kind == "wrong" and seen is None:
            return f"Turn the {_named(difference.ends)} face up again, {where}."
        if difference.kind == "wrong" and difference.ends is not None and tuple(seen) == difference.ends[::-1]:
            return f"Turn the {_named(seen)} round, {where}."
        if difference.kind == "wrong":
            return f"{where[0].upper()}{where[1:]} should lie the {_named(difference.ends)}, not the {_named(seen)}."
        if place[0] == "loose":
            return f"The {_named(seen)} lies beside the grids: take it back."
        return f"Take the {_named(seen)} away {where}."

    def _position(self, place: Place) -> str:
        if place[0] == "market":
            return f"on slot {SLOT_NAMES[place[1]]} of the market"
        if place[0] == "grid":
            (x, y), _ = place[2]
            return f"in {self._name(place[1])}'s grid, column {x}, row {y}"
        return "on the table"


def _off(reading: Reading, name: str, wanted: int) -> bool:
    count = reading.counts.get(name)
    return count is not None and count.value != wanted


def _misplaced(state: State, play: Play, askew: bool) -> Verdict:
    """What forbids a play of the seat to move; what is wrong with its place comes before a tile that should not be there."""
    verdict = state.verify(play)
    if askew and (verdict or verdict.rule not in ("draw-first", "not-in-set")):
        broken = Broken("grid", "A tile must line up with the others, so that they form a grid.", {"cells": play.cells})
    elif verdict or verdict.rule not in STRANGERS:
        return verdict
    else:
        found = broken_place(state.layouts[state.turn or 0], play, state.rules)
        if found is None:
            return verdict
        broken = found
    return Verdict(False, broken.rule, broken.sentence, broken.involved, nearest(play, state.legal()))


def _beneath(tiles: Mapping[Place, Laid], place: Place) -> dict[Place, Laid]:
    """The tiles of a table on which one lies at this place: they may be seen no more."""
    return {other: replace(laid, covered=True) if other[:2] == place[:2] and set(other[2]) & set(place[2]) else laid
            for other, laid in tiles.items()}


def _slot_cost(sight: Sight | None, tile: Tile | None) -> float:
    if sight is None or tile is None:
        return 0.0 if sight is None and tile is None else 7.0
    return 0.0 if tile == UNKNOWN else sight.cost((tile.low, tile.high), True)


def _last_taken(state: State, seat: int) -> Buy | Draw | None:
    """The last tile that a seat took from market or pile, as far as the state remembers its actions."""
    back = state.copy()
    back._stack = list(state._stack)
    while back._stack:
        action = back.pop()
        if back.turn == seat and isinstance(action, Buy | Draw):
            return action
    return None


def _chips(count: int) -> str:
    return f"{count} chip" if count == 1 else f"{count} chips"


def _named(ends: Any) -> str:
    return "tile" if ends is None else str(Tile.of(*ends))


