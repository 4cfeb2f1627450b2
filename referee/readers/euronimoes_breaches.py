"""What breaks a rule of Euronimoes, given what the table shows: where a tile lies, whose turn it is, what was drawn and paid."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.actions import Action
from engine.core import UNKNOWN, Broken, Verdict
from engine.euronimoes.actions import COSTS, DRAW, Buy, Draw, Play
from engine.euronimoes.faults import broken_place
from engine.euronimoes.game import CHIPS, SLOTS, State
from engine.euronimoes.layout import ENDS
from engine.pieces import Tile
from engine.state import State as AnyState
from engine.state import nearest
from engine.words import say, some
from referee.readers.boneyard import Boneyard
from referee.readers.euronimoes_words import SLOT_NAMES, Words
from referee.readers.grid import Lattice, heights, visible
from referee.readers.heap import Heap
from referee.reading import EXTRA, ILLEGAL, JOINT, RARE, Breach, Expected, Laid, Place, Reading, Sight
from referee.setting import Point
from vision.degrees import HARDLY, PERHAPS, nats_against

STRANGE = nats_against(PERHAPS)
"""Nats against a tile that the set has nowhere left: it is sooner misread."""

STRANGERS = ("not-your-tile", "not-in-set")
"""The rules that such a tile breaks."""

CLEARLY = nats_against(HARDLY)
"""Nats by which a tile must look otherwise than the one known there, to be taken for another."""


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is known of the table from the looks before. size: the side of half a tile.

    lattices: of the grids, by seat. slots: the middles of the market's slots, cheapest first, where they are not printed.
    opening: the market as it was dealt; opened: the tracks of its tiles, as they lie now. trusted: what was counted right when
    all was dealt, and miscounted: in which words what was not. pieces: the track of each tile of grids and market, when it was
    last seen as it is known. colours: of each seat's chips, as those looked that lay before it when all was dealt: each name
    that their colour may have, with its probability. believed: the last action of the state that was last read, and told: how
    many there were.
    """

    size: float = 24.0
    lattices: Mapping[int, Lattice] = field(default_factory=dict)
    slots: tuple[Point, ...] = ()
    heap: Heap = field(default_factory=Heap)
    pile: Boneyard = field(default_factory=Boneyard)
    opening: tuple[Tile, ...] = ()
    opened: tuple[int, ...] = ()
    trusted: frozenset[str] = frozenset()
    miscounted: tuple[str, ...] = ()
    colours: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    pieces: Mapping[Place, int] = field(default_factory=dict)
    believed: Action | None = None
    told: int = 0


class Breaches(Words, ABC):
    """The illegal explanations of a table; what they need to know of the looks before is noted in the reading."""

    @abstractmethod
    def expected(self, state: AnyState, reading: Reading) -> Expected:
        """What the table looks like in a state."""

    def _market_changed(self, state: State, reading: Reading) -> bool:
        """Whether the market, the pile or a chip is not as this state has it."""
        return (_off(reading, "pile", len(state.pile)) or self._market_differs(state, reading)
                or any(_off(reading, f"chips {seat}", chips) for seat, chips in enumerate(state.chips)))

    @staticmethod
    def _market_differs(state: State, reading: Reading) -> bool:
        return any(slot_cost(reading.tiles.get(("market", slot)), tile) > 1.0 for slot, tile in enumerate(state.market))

    def _new_places(self, state: State, seat: int, reading: Reading) -> list[Place]:
        known = {(tile.cells, tile.level) for tile in state.layouts[seat].placed}
        return [place for place in reading.tiles if place[0] == "grid" and place[1] == seat and place[2:] not in known
                and reading.faults.get(place) != JOINT]

    def breaches(self, state: AnyState, reading: Reading) -> list[Breach]:
        """Clear plays that break a rule: where a tile lies, whose turn it is, what was drawn, shifted and paid."""
        assert isinstance(state, State)
        if state.turn is None:
            return []
        before = self.expected(state, reading)
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
            sight, askew = reading.tiles[place], reading.askew.get(place, 0.0)
            level = 2 if overhangs(state, place) else place[3] + (place in before.tiles)
            for ends, _ in sight.likely(0.02)[:3] if sight.up else ():
                play = Play(Tile.of(*ends), place[2], ends, level)
                verdict = _misplaced(state, play, askew > 0)
                if verdict:
                    continue
                supposed = Expected(_beneath(before.tiles, place) | {place: Laid(ends)}, before.counts)
                words = say("{name} lays the {tile}.", name=self._name(state.turn), tile=play.tile)
                cost = STRANGE if verdict.rule in STRANGERS else 0.0
                found.append(Breach(verdict, supposed, words, cost, play, state.turn, sight.center, hand=state.turn))
        return found

    def _exchanged(self, state: State, seat: int, reading: Reading) -> list[Place]:
        """Where a tile of a seat's grid shows something else, and no longer is the piece that lay there: one lies on it."""
        found, pieces = [], memory_of(reading).pieces
        for tile in visible(state.layouts[seat]):
            place = ("grid", seat, tile.cells, tile.level)
            sight = reading.tiles.get(place)
            if sight is not None and sight.track != pieces.get(place) and sight.up and sight.ends != tile.ends:
                found.append(place)
        return found

    def _out_of_turn(self, state: State, reading: Reading, before: Expected) -> list[Breach]:
        """Another seat has played, whatever it drew before; had the seat to move laid a tile that is not seen, that would be the
        turn of the next one, who would draw first."""
        assert state.turn is not None
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
            rule = "end-in-turn" if state.phase == "last" else "out-of-turn"
            verdict = Verdict(False, rule, say("It is {turn}'s turn, not {name}'s.", turn=turn, name=name), {"seat": seat})
            words = say("{name} lays the {tile} out of turn.", name=name, tile=Tile.of(*sight.ends))
            follows = seat == (state.turn + 1) % state.players and (state.phase == "last" or self._market_changed(state, reading))
            steps = self._unseen_turn(state, reading) if follows else ()
            found.append(Breach(verdict, Expected(tiles, {}), words, 0.5, None, seat, sight.center, bool(steps), steps, seat))
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
            what = say("the bone pile") if isinstance(last, Draw) else say("slot {slot}", slot=SLOT_NAMES[last.slot])
            do = (say("take {chips} from the bank", chips=some(more, "chip")) if more > 0
                  else say("pay {chips} to the bank", chips=some(-more, "chip")))  # fmt: skip
            sentence = say("After a tile from {what} {name} has {chips} in hand, not {seen}.", what=what, name=name,
                           chips=some(chips, "chip"), seen=seen)
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
        pile = reading.counts["pile"].value if "pile" in reading.counts else None
        steps: list[str] = []
        if sum(gone.values()) == 1 and sum(new.values()) <= 1:
            tile = next(iter(gone))
            lying = [seen.get(at) for at in range(SLOTS)]
            slots = [at for at, each in enumerate(state.market) if each == tile]
            slot = max(slots, key=lambda at: lying[: SLOTS - 1] == [*state.market[:at], *state.market[at + 1 :]])
            wanted = [each for each in (*state.market[:slot], *state.market[slot + 1 :]) if each is not None]
            if lying[: len(wanted)] != wanted:
                steps.append(say("{name}: slide the dearer tiles of the market down by one slot.", name=name))
            if state.pile and (not new or lying[-1] not in new):
                steps.append(say("Turn up a tile from the bone pile for slot 3."))
            what, rule = say("{name} takes the {tile} from slot {slot}.", name=name, tile=tile, slot=SLOT_NAMES[slot]), "refill"
            cost, paid = 0.0 if COSTS[slot] <= chips else ILLEGAL, chips - COSTS[slot]
        elif not gone and not new and len(seen) == sum(tile is not None for tile in state.market) and pile == len(state.pile) - 1:
            if [seen[at] for at in sorted(seen)] == list(state.market):
                steps.append(say("{name}: put the tile from slot -1 on slot 3 and slide the others down.", name=name))
            what, rule, cost, paid = say("{name} draws from the bone pile.", name=name), "pile-draw", 0.0, chips + 1
        if not steps:
            return []
        held = reading.counts.get(f"chips {state.turn}")
        if held is None or held.value in (chips, min(paid, CHIPS)):  # paid already, or not yet
            counts = {key: value for key, value in counts.items() if key not in (f"chips {state.turn}", f"bank {state.turn}")}
        book = state.RULE_BOOK[rule]
        verdict = Verdict(False, rule, book.text, {"seat": state.turn})
        return [Breach(verdict, Expected(supposed_tiles, counts), what, cost, None, state.turn, None, not own, tuple(steps),
                       state.turn)]

    @staticmethod
    def _market_seen(state: State, reading: Reading) -> dict[int, Tile]:
        """The tiles on the market by their slots, each taken for one that was known there where it may be that."""
        seen = {}
        for slot in range(SLOTS):
            sight = reading.tiles.get(("market", slot))
            if sight is not None:
                known = {tile: slot_cost(sight, tile) for tile in state.market if tile is not None and tile != UNKNOWN}
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
            words = say("{name} takes the {tile} from slot {slot}.", name=self._name(state.turn), tile=tile,
                        slot=SLOT_NAMES[slot])
            cost = _again_there(state, Buy(slot), reading)
            found.append(Breach(verdict, supposed, words, cost, Buy(slot), state.turn, hand=state.turn))
        return found

    def _second_draw(self, state: State, reading: Reading) -> list[Breach]:
        """Another tile taken before one was played, by the same seat or the next."""
        assert state.turn is not None
        found = []
        after = (state.turn + 1) % state.players
        at_once = 0.0 if state.last_pushed is memory_of(reading).believed else RARE
        twice = state.verify(DRAW)
        first = Verdict(False, "must-play", say("{name} has drawn and must play a tile first.", name=self._name(state.turn)),
                        {"seat": state.turn}, twice.nearest)
        for action in (*(Buy(slot) for slot, tile in enumerate(state.market) if tile is not None), DRAW):
            if isinstance(action, Draw) and not state.pile:
                continue
            for seat in (state.turn, after):
                verdict = first if seat == after else twice
                supposed = self._after(state, action, seat, reading)
                words = say("{name} takes another tile.", name=self._name(seat))
                cost = 0.5 + at_once + _again_there(state, action, reading)
                steps = self._unseen_turn(state, reading) if seat == after else ()
                found.append(Breach(verdict, supposed, words, cost, action, seat, None, bool(steps), steps, seat))
        return found

    def _unseen_turn(self, state: State, reading: Reading) -> tuple[str, ...]:
        """What to say where the seat to move had its hand over the table: it may have laid a tile that is not seen, and then
        the next one has done no wrong."""
        if state.phase == "draw":
            return ()  # who takes a tile changes the market
        if state.last_pushed is not memory_of(reading).believed or state.turn not in reading.reached.came | reading.in_vain:
            return ()
        return (say("{name}: if a tile was laid, enter which; it is not seen.", name=self._name(state.turn)),)

    def _after(self, state: State, action: Action, seat: int, reading: Reading) -> Expected:
        """The table if this had been done, allowed or not; chips that cannot be paid stay as they are seen."""
        other = state.copy()
        other.turn, other.phase = seat, "draw"
        cost = COSTS[action.slot] if isinstance(action, Buy) else -1
        short = other.chips[seat] < cost
        if short:
            other.chips = (*other.chips[:seat], cost, *other.chips[seat + 1 :])
        other.push(action)
        supposed = self.expected(other, reading)
        if other.chance:  # whatever has been turned up
            supposed = replace(supposed, tiles=dict(supposed.tiles) | {("market", SLOTS - 1): Laid(None)})
        if short:
            counts = {key: value for key, value in supposed.counts.items() if key not in (f"chips {seat}", f"bank {seat}")}
            supposed = replace(supposed, counts=counts)
        return supposed


def memory_of(reading: Reading) -> Memory:
    """What was known when the table was read so."""
    assert isinstance(reading.noted, Memory)
    return reading.noted


def _again_there(state: State, action: Action, reading: Reading) -> float:
    """Nats against a tile taken from the dearest slot of which one like it was turned up there; many if it has no twin."""
    dearest = state.market[-1]
    if action != Buy(SLOTS - 1) or dearest is None or slot_cost(reading.tiles.get(("market", SLOTS - 1)), dearest) > CLEARLY:
        return 0.0
    return RARE if state.kit.count(dearest) > 1 else EXTRA


def _off(reading: Reading, name: str, wanted: int) -> bool:
    count = reading.counts.get(name)
    return count is not None and count.value != wanted


def overhangs(state: State, place: Place) -> bool:
    """Whether a tile that lies so, rigid as it is, rests on one that lies under one of its halves."""
    covered = heights(state.layouts[place[1]])
    return place[3] == 1 and sum(cell in covered for cell in place[2]) == 1


def _misplaced(state: State, play: Play, askew: bool) -> Verdict:
    """What forbids a play of the seat to move; what is wrong with its place comes before a tile that should not be there."""
    verdict = state.verify(play)
    if askew and (verdict or verdict.rule not in ("draw-first", "not-in-set")):
        broken = Broken("grid", say("A tile must line up with the others, so that they form a grid."), {"cells": play.cells})
    elif verdict or verdict.rule not in STRANGERS or max(play.ends) >= ENDS:
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


def slot_cost(sight: Sight | None, tile: Tile | None) -> float:
    if sight is None or tile is None:
        return 0.0 if sight is None and tile is None else 7.0
    return 0.0 if tile == UNKNOWN else sight.cost((tile.low, tile.high), True)


def _last_taken(state: State, seat: int) -> Buy | Draw | None:
    """The last tile that a seat took from market or pile, as far as the state remembers its actions."""
    back = state.branch()
    for _ in state.pushed:
        action = back.pop()
        if back.turn == seat and isinstance(action, Buy | Draw):
            return action
    return None
