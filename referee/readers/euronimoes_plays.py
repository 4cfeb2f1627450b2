"""What may have been done in Euronimoes, legal or not, given what the table shows; and how to say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import dist, log

from engine.actions import Action, Show
from engine.core import UNKNOWN, Broken, Verdict, replaced
from engine.euronimoes.actions import COSTS, DRAW, STOP, Buy, Deal, Draw, Give, Play, Refill, Stop
from engine.euronimoes.faults import broken_place
from engine.euronimoes.game import CHIPS, HAND, SLOTS, State
from engine.euronimoes.layout import ENDS, code
from engine.pieces import Tile
from engine.state import nearest
from engine.words import joined, say, some
from referee.geometry import BESIDE
from referee.readers.boneyard import Bones
from referee.readers.grid import Lattice, visible
from referee.readers.words import named, put_right
from referee.reading import (
    EXTRA,
    ILLEGAL,
    JOINT,
    LESS,
    RARE,
    Breach,
    Difference,
    Expected,
    Laid,
    Place,
    Proposal,
    Reader,
    Reading,
    Sight,
)
from referee.setting import Point
from vision.degrees import HARDLY, LIKELY, NEVER, PERHAPS, RARELY, nats_against
from vision.observation import SeenTile
from vision.plane import HALF_MM

SLOT_NAMES = ("-1", "0", "1", "2", "3")

STRANGERS = ("not-your-tile", "not-in-set")
"""The rules that a tile breaks which the set has nowhere left."""

CLEARLY = nats_against(HARDLY)
"""Nats by which a tile must look otherwise than the one known there, to be taken for another."""


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is known of the table from the looks before. size: the side of half a tile.

    lattices: of the grids, by seat. slots: the middles of the market's slots, cheapest first, as far as they are known.
    opening: the market as it was dealt; opened: the tracks of its tiles, as they lie now. trusted: what was counted right when
    all was dealt, and miscounted: in which words what was not. pieces: the track of each tile of grids and market, when it was
    last seen as it is known. colours: of each seat's chips, as those looked that lay before it when all was dealt: each name
    that their colour may have, with its probability. believed: the last action of the state that was last read, and told: how
    many there were.
    """

    size: float = HALF_MM
    lattices: Mapping[int, Lattice] = field(default_factory=dict)
    slots: tuple[Point, ...] = ()
    bones: Bones = field(default_factory=Bones)
    opening: tuple[Tile, ...] = ()
    opened: tuple[int, ...] = ()
    trusted: frozenset[str] = frozenset()
    miscounted: tuple[str, ...] = ()
    colours: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    pieces: Mapping[Place, int] = field(default_factory=dict)
    believed: Action | None = None
    told: int = 0

    def slot_of(self, tile: SeenTile) -> int | None:
        """The slot of the market on which a tile lay."""
        return next((slot for slot, middle in enumerate(self.slots) if dist(tile.center, middle) < tile.width), None)


class EuronimoesPlays(Reader):
    """Proposals, breaches and words; the reading itself stands in `euronimoes.py`."""

    def proposals(self, state: State, reading: Reading) -> list[Proposal]:
        """The deal, tiles taken where market, pile or chips have changed, tiles turned up, and plays in the mover's grid."""
        if state.chance == "deal":
            return self._deals(state, reading)
        if state.chance == "refill":
            return self._refills(state, reading)
        if state.turn is None:
            return []
        if state.phase == "draw":
            legal = state.legal() if self._market_changed(state, reading) else []
            legal.sort(key=lambda each: sum(self._market_costs(state.after(each), reading)))
            return [Proposal(action, self._against_hands(state, action, reading), hand=state.turn) for action in legal]
        found = self._shown(state, state.turn, reading)
        legal_set = set(state.legal()) if found or state.phase == "last" else set()
        found = [proposal for proposal in found if proposal.action in legal_set]
        others = [seat for seat in range(state.players) if seat != state.turn and (
            self._new_places(state, seat, reading) or (state.phase == "last" and self._exchanged(state, seat, reading)))]
        if others and STOP in legal_set:
            came = state.turn in reading.reached.came | reading.in_vain  # who keeps a tile, as many do, touches nothing
            found.append(Proposal(STOP, nats_against(HARDLY if came else LIKELY)))  # what she laid may not have been seen
        found += [Proposal(Give(seat)) for seat in others if Give(seat) in legal_set]
        return found

    @staticmethod
    def _rest(state: State) -> int:
        """How many tiles the deal leaves in the bone pile."""
        return len(state.kit) - SLOTS - HAND * state.players

    def _against_hands(self, state: State, action: Action, reading: Reading) -> float:
        """Nats against a tile taken, by what the hand was seen to take up first, where the table looks alike afterwards.

        A draw and a purchase of the cheapest tile may, purchases of twins, and one of the dearest tile beside none at all, where
        a twin of it is turned up.
        """
        own = action.slot if isinstance(action, Buy) else None
        again = own == SLOTS - 1 and slot_cost(reading.tiles.get(("market", own)), state.market[own]) < CLEARLY
        alike = own == 0 or own is None or again or state.market.count(state.market[own]) > 1
        memory = self._noted(reading)
        first = next((tile for tile in reading.lifted
                      if memory.slot_of(tile) is not None or self._is_of_pile(tile, memory)), None)
        if not alike or first is None or memory.slot_of(first) == own:
            return 0.0
        if own is None:
            return nats_against(HARDLY) if memory.slot_of(first) == 0 else 0.0
        later = reading.lifted[reading.lifted.index(first) + 1 :]
        lay_there = {slot for tile in (*reading.untouched, *later) if (slot := memory.slot_of(tile)) is not None}
        drawn = memory.slot_of(first) is None and lay_there  # the tile turned up comes last, when others have been moved
        return nats_against(HARDLY) if drawn or own in lay_there else 0.0

    def _is_of_pile(self, tile: SeenTile, memory: Memory) -> bool:
        """Whether a tile that was lifted lay face down in the bone pile, and not in a hand."""
        return tile.ends is None and bool(memory.bones.heap.lying(self.setting, [tile.center], BESIDE * memory.size))

    def _deals(self, state: State, reading: Reading) -> list[Proposal]:
        """The market as it lay when all was ready, and whoever made the first turn."""
        opening = self._noted(reading).opening
        if not opening or not self.unready(state, reading):
            return []
        rest, hands = (UNKNOWN,) * self._rest(state), ((UNKNOWN,) * HAND,) * state.players
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
            for ends in sight.likely()[:12]:
                if (tile := Tile.of(*ends)) in left:
                    options.setdefault(tile, sight.cost(ends, True))
        taken, late = _just_bought(state), RARE if self._is_exchanged(state, reading) else 0.0
        return [Proposal(Refill(tile), late + (RARE if tile == taken else 0.0), cost) for tile, cost in options.items()]

    def _is_exchanged(self, state: State, reading: Reading) -> bool:
        """Whether what was turned up next is believed already, and the piece seen then on the dearest slot is not there now."""
        place, memory = ("market", SLOTS - 1), self._noted(reading)
        sight, told = reading.tiles.get(place), isinstance(memory.believed, Refill) and len(state.pushed) < memory.told
        return told and sight is not None and sight.track != memory.pieces.get(place, sight.track)

    @staticmethod
    def _market_costs(state: State, reading: Reading) -> list[float]:
        """Nats against what each slot of the market holds by this state."""
        return [slot_cost(reading.tiles.get(("market", slot)), tile) for slot, tile in enumerate(state.market)]

    def _shown(self, state: State, seat: int, reading: Reading) -> list[Proposal]:
        """The plays that new tiles in a seat's grid may be, legal or not, each with the nats against its tile being held and
        lying in line, and against its ends being seen."""
        found, hidden = [], nats_against(PERHAPS)  # at most, beside a tile that all saw bought: habits are unknown
        for place in self._new_places(state, seat, reading):
            sight = reading.tiles[place]
            if overhangs(state, place) or not sight.up:
                continue
            unsure = 0.0 if place[3] == 1 or sight.raised else RARE
            askew = max(0.0, reading.askew.get(place, 0.0))
            shown = [Play(Tile.of(*ends), place[2], ends, place[3]) for ends in sight.likely()[:24]]
            held = {play.tile: _held(state, seat, play.tile) for play in shown}
            most = max(held[play.tile] for play in shown if play is shown[0] or sight.cost(play.ends) < CLEARLY)
            found += [Proposal(play, askew + min(hidden, max(0.0, log(most / held[play.tile]))),
                               sight.cost(play.ends) + unsure, seat) for play in shown]
        return found

    def _market_changed(self, state: State, reading: Reading) -> bool:
        """Whether the market, the pile or a chip is not as this state has it."""
        return (_off(reading, "pile", len(state.pile)) or max(self._market_costs(state, reading)) > LESS
                or any(_off(reading, f"chips {seat}", chips) for seat, chips in enumerate(state.chips)))

    def _new_places(self, state: State, seat: int, reading: Reading) -> list[Place]:
        known = {(tile.cells, tile.level) for tile in state.layouts[seat].placed}
        return [place for place in reading.tiles if place[0] == "grid" and place[1] == seat and place[2:] not in known
                and reading.faults.get(place) != JOINT]

    # What breaks a rule.

    def breaches(self, state: State, reading: Reading) -> list[Breach]:
        """Clear plays that break a rule: where a tile lies, whose turn it is, what was drawn, shifted and paid."""
        before = self.expected(state, reading)
        found = [*self._wrong_payments(state, reading, before), *self._wrong_places(state, reading, before),
                 *self._out_of_turn(state, reading, before)]
        if state.phase == "draw" and self._market_changed(state, reading):
            found += self._unsettled_market(state, reading, before)
            found += self._too_dear(state, reading)
        elif state.phase == "play" and self._market_changed(state, reading):
            found += self._second_draw(state, reading)
        return found

    def _wrong_places(self, state: State, reading: Reading, before: Expected) -> Iterator[Breach]:
        """A tile of the mover that may not lie where it lies, beside the others or on them."""
        assert state.turn is not None
        for place in self._new_places(state, state.turn, reading) + self._exchanged(state, state.turn, reading):
            sight, higher = reading.tiles[place], overhangs(state, place)
            askew = not higher and reading.askew.get(place, 0.0) > 0  # what lies higher is seen aside of where it lies
            level = 2 if higher else place[3] + (place in before.tiles)
            for ends in sight.likely(RARELY)[:3] if sight.up else ():
                play = Play(Tile.of(*ends), place[2], ends, level)
                verdict = _misplaced(state, play, askew)
                if verdict:
                    continue
                supposed = Expected(_beneath(before.tiles, place) | {place: Laid(ends)}, before.counts)
                words = say("{name} lays the {tile}.", name=self._name(state.turn), tile=play.tile)
                cost = nats_against(PERHAPS) if verdict.rule in STRANGERS else 0.0  # it is sooner misread
                yield Breach(verdict, supposed, words, cost, play, state.turn, sight.center, hand=state.turn)

    def _exchanged(self, state: State, seat: int, reading: Reading) -> list[Place]:
        """Where a tile of a seat's grid shows something else, and no longer is the piece that lay there: one lies on it."""
        pieces = self._noted(reading).pieces
        there = {("grid", seat, tile.cells, tile.level): tile.ends for tile in visible(state.layouts[seat])}
        return [place for place, ends in there.items() if (sight := reading.tiles.get(place)) is not None
                and sight.track != pieces.get(place) and sight.up and sight.ends != ends]

    def _out_of_turn(self, state: State, reading: Reading, before: Expected) -> Iterator[Breach]:
        """Another seat has played, whatever it drew before; had the seat to move laid a tile that is not seen, that would be the
        turn of the next one, who would draw first."""
        assert state.turn is not None
        if state.phase == "last" and state.rules.endphase == "simultaneous":
            return
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
            yield Breach(verdict, Expected(tiles, {}), words, LESS, None, seat, sight.center, bool(steps), steps, seat)

    def _wrong_payments(self, state: State, reading: Reading, before: Expected) -> Iterator[Breach]:
        """Chips that are not as the last tile taken wants it; unfinished as long as that turn goes on."""
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
            supposed, words = Expected(before.tiles, _unpaid(before.counts, seat)), f"{name}: {do}."
            pending = state.phase == "play" and state.turn == seat
            yield Breach(verdict, supposed, words, LESS, None, seat, None, pending, (words,))

    def _unsettled_market(self, state: State, reading: Reading, before: Expected) -> Iterator[Breach]:
        """A tile taken, but the rest not yet moved, or the dearest slot not filled; or a tile drawn and nothing turned."""
        assert state.turn is not None
        name = self._name(state.turn)
        seen = self._market_seen(state, reading)
        shown, known = Counter(seen.values()), Counter(tile for tile in state.market if tile is not None)
        gone, new = known - shown, shown - known
        own = self._new_places(state, state.turn, reading)
        tiles = {place: laid for place, laid in before.tiles.items() if place[0] != "market"}
        tiles |= {("market", at): Laid(tile, True) for at, tile in seen.items()}
        tiles |= {place: Laid(reading.tiles[place].ends) for place in own[:1]}
        chips = state.chips[state.turn]
        counts = {key: value for key, value in before.counts.items() if key != "pile"}
        held = reading.counts.get(f"chips {state.turn}")
        fewer = reading.counts["pile"].value == len(state.pile) - 1
        paid_for = bool(own) and held is not None and held.value == chips + 1  # a tile laid, and a chip taken as for a draw
        steps: list[str] = []
        if gone.total() == 1 and new.total() <= 1:
            (tile,) = gone
            lying = [seen.get(at) for at in range(SLOTS)]
            slots = [at for at, each in enumerate(state.market) if each == tile]
            moved = [lying[: SLOTS - 1] == [*state.market[:at], *state.market[at + 1 :]] for at in range(SLOTS)]
            slot = max(slots, key=lambda at: (moved[at], lying[at] is None))
            wanted = [each for each in (*state.market[:slot], *state.market[slot + 1 :]) if each is not None]
            if lying[: len(wanted)] != wanted:
                steps.append(say("{name}: slide the dearer tiles of the market down by one slot.", name=name))
            if state.pile and (not new or lying[-1] not in new):
                steps.append(say("Turn up a tile from the bone pile for slot 3."))
            what, rule = say("{name} takes the {tile} from slot {slot}.", name=name, tile=tile, slot=SLOT_NAMES[slot]), "refill"
            cost, paid = 0.0 if COSTS[slot] <= chips else ILLEGAL, chips - COSTS[slot]
        elif shown == known and (fewer or paid_for):
            if [seen[at] for at in sorted(seen)] == list(state.market):
                steps.append(say("{name}: put the tile from slot -1 on slot 3 and slide the others down.", name=name))
            what, rule, cost = say("{name} draws from the bone pile.", name=name), "pile-draw", 0.0 if fewer else RARE
            paid = chips + 1
        if not steps:
            return
        if held is None or held.value in (chips, min(paid, CHIPS)):  # paid already, or not yet
            counts = _unpaid(counts, state.turn)
        verdict = Verdict(False, rule, state.RULE_BOOK[rule].text, {"seat": state.turn})
        yield Breach(verdict, Expected(tiles, counts), what, cost, None, state.turn, None, not own, tuple(steps), state.turn)

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

    def _too_dear(self, state: State, reading: Reading) -> Iterator[Breach]:
        """A market tile that the mover cannot pay."""
        assert state.turn is not None
        for slot, tile in enumerate(state.market):
            if tile is None or COSTS[slot] <= state.chips[state.turn]:
                continue
            verdict = state.verify(Buy(slot))
            supposed = self._after(state, Buy(slot), state.turn, reading)
            words = say("{name} takes the {tile} from slot {slot}.", name=self._name(state.turn), tile=tile,
                        slot=SLOT_NAMES[slot])
            cost = _again_there(state, Buy(slot), reading)
            yield Breach(verdict, supposed, words, cost, Buy(slot), state.turn, hand=state.turn)

    def _second_draw(self, state: State, reading: Reading) -> Iterator[Breach]:
        """Another tile taken before one was played, by the same seat or the next."""
        assert state.turn is not None
        after = (state.turn + 1) % state.players
        at_once = 0.0 if state.last_pushed is self._noted(reading).believed else RARE
        twice = state.verify(DRAW)
        first = Verdict(False, "must-play", say("{name} has drawn and must play a tile first.", name=self._name(state.turn)),
                        {"seat": state.turn}, twice.nearest)
        buys = [Buy(slot) for slot, tile in enumerate(state.market) if tile is not None]
        for action in (*buys, DRAW) if state.pile else buys:
            for seat in (state.turn, after):
                verdict = first if seat == after else twice
                supposed = self._after(state, action, seat, reading)
                words = say("{name} takes another tile.", name=self._name(seat))
                cost = LESS + at_once + _again_there(state, action, reading)
                steps = self._unseen_turn(state, reading) if seat == after else ()
                yield Breach(verdict, supposed, words, cost, action, seat, None, bool(steps), steps, seat)

    def _unseen_turn(self, state: State, reading: Reading) -> tuple[str, ...]:
        """What to say where the seat to move had its hand over the table: it may have laid a tile that is not seen, and then
        the next one has done no wrong."""
        came = state.last_pushed is self._noted(reading).believed and state.turn in reading.reached.came | reading.in_vain
        if state.phase == "draw" or not came:  # who takes a tile changes the market
            return ()
        return (say("{name}: if a tile was laid, enter which; it is not seen.", name=self._name(state.turn)),)

    def _after(self, state: State, action: Action, seat: int, reading: Reading) -> Expected:
        """The table if this had been done, allowed or not; chips that cannot be paid stay as they are seen."""
        other = state.copy()
        other.turn, other.phase = seat, "draw"
        cost = COSTS[action.slot] if isinstance(action, Buy) else -1
        short = other.chips[seat] < cost
        if short:
            other.chips = replaced(other.chips, seat, cost)
        other.push(action)
        supposed = self.expected(other, reading)
        if other.chance:  # whatever has been turned up
            supposed = replace(supposed, tiles=dict(supposed.tiles) | {("market", SLOTS - 1): Laid(None)})
        return replace(supposed, counts=_unpaid(supposed.counts, seat)) if short else supposed

    # Words.

    def words(self, state: State, action: Action) -> str:
        """As a player would say it."""
        name = self._name(state.turn)
        if isinstance(action, Buy):
            tile, cost = state.market[action.slot], COSTS[action.slot]
            paid = say("takes a chip") if cost < 0 else say("free") if cost == 0 else say("for {chips}", chips=some(cost, "chip"))
            return say("{name} buys the {tile} ({paid}).", name=name, tile=tile, paid=paid)
        if isinstance(action, Draw):
            return say("{name} draws from the bone pile.", name=name)
        if isinstance(action, Refill):
            return say("The {tile} is turned up.", tile=action.tile)
        if isinstance(action, Play):
            if action.level > 1:
                return say("{name} plays the {tile} on level {level}.", name=name, tile=action.tile, level=action.level)
            return say("{name} plays the {tile}.", name=name, tile=action.tile)
        if isinstance(action, Stop):
            return say("{name} keeps the last tile.", name=name)
        if isinstance(action, Give):
            return say("{name} goes first.", name=self._name(action.seat))
        if isinstance(action, Show):
            return say("{name} shows {tiles}.", name=self._name(action.seat), tiles=joined(action.tiles, ", "))
        assert isinstance(action, Deal)
        return say("The tiles are dealt; {name} begins.", name=self._name(action.first))

    def step(self, difference: Difference, state: State) -> str:
        """One thing to do with the hands."""
        place, seen = difference.place, difference.seen
        if difference.kind == "count":
            if place == ("pile",):
                return say("The bone pile should have {due} tiles; {seen} are seen.", due=difference.due, seen=seen)
            what, seat = str(place[0]).split()
            values = {"name": self._name(int(seat)), "chips": some(difference.due, "chip"), "seen": seen}
            if what == "chips":
                return say("{name} should have {chips} in hand; {seen} are seen.", **values)
            return say("{name} should have {chips} in the bank; {seen} are seen.", **values)
        if place[0] == "loose":
            return say("The {tile} lies beside the grids: take it back.", tile=named(seen))
        where = self._position(place)
        if place[0] == "market" and seen == (0, 0):  # or what lies there shows its back
            return say("{Where} should lie the {tile}, face up.", Where=where, tile=named(difference.due))
        if difference.kind in ("missing", "wrong"):
            return put_right(difference, where)
        return say("Take the {tile} away {where}.", tile=named(seen), where=where)

    def _position(self, place: Place) -> str:
        if place[0] == "market":
            return say("on slot {place} of the market", place=SLOT_NAMES[place[1]])
        (x, y), _ = place[2]
        return say("in {name}'s grid, column {x}, row {y}", name=self._name(place[1]), x=x, y=y)


def _again_there(state: State, action: Action, reading: Reading) -> float:
    """Nats against a tile taken from the dearest slot of which one like it was turned up there; many if it has no twin."""
    dearest = state.market[-1]
    if action != Buy(SLOTS - 1) or dearest is None or slot_cost(reading.tiles.get(("market", SLOTS - 1)), dearest) > CLEARLY:
        return 0.0
    return RARE if state.kit.count(dearest) > 1 else EXTRA


def _unpaid(counts: Mapping[str, int], seat: int) -> dict[str, int]:
    """What is counted but for a seat's chips."""
    return {name: number for name, number in counts.items() if name not in (f"chips {seat}", f"bank {seat}")}


def _off(reading: Reading, name: str, wanted: int) -> bool:
    count = reading.counts.get(name)
    return count is not None and count.value != wanted


def overhangs(state: State, place: Place) -> bool:
    """Whether a tile that lies so, rigid as it is, rests on one that lies under one of its halves."""
    return place[3] == 1 and sum(code(cell) in state.layouts[place[1]].heights for cell in place[2]) == 1


def _misplaced(state: State, play: Play, askew: bool) -> Verdict:
    """What forbids a play of the seat to move; what is wrong with its place comes before a tile that should not be there."""
    verdict, broken = state.verify(play), None
    if askew and (verdict or verdict.rule not in ("draw-first", "not-in-set")):
        broken = Broken("grid", say("A tile must line up with the others, so that they form a grid."), {"cells": play.cells})
    elif verdict.rule in STRANGERS and max(play.ends) < ENDS:
        broken = broken_place(state.layouts[state.turn or 0], play, state.rules)
    if broken is None:
        return verdict
    return Verdict(False, broken.rule, broken.sentence, broken.involved, nearest(play, state.legal()))


def _beneath(tiles: Mapping[Place, Laid], place: Place) -> dict[Place, Laid]:
    """The tiles of a table on which one lies at this place: they may be seen no more."""
    return {other: replace(laid, covered=True) if other[:2] == place[:2] and set(other[2]) & set(place[2]) else laid
            for other, laid in tiles.items()}


def slot_cost(sight: Sight | None, tile: Tile | None) -> float:
    if sight is None or tile is None:
        return 0.0 if sight is None and tile is None else EXTRA
    return 0.0 if tile == UNKNOWN else sight.cost(tile, True)


def _last_taken(state: State, seat: int) -> Buy | Draw | None:
    """The last tile that a seat took from market or pile, as far as the state remembers its actions."""
    back = state.branch()
    for _ in state.pushed:
        action = back.pop()
        if back.turn == seat and isinstance(action, Buy | Draw):
            return action
    return None


def _held(state: State, seat: int, tile: Tile) -> float:
    """How likely a seat has this tile in its hand: for sure if all saw it bought; of those nobody has seen it has as many as
    others, so that one with a twin among them is likelier than one without."""
    bought, hidden = state.bought[seat], Counter(state.unseen())
    if tile in bought:
        return 1.0
    unknown = len(state.hands[seat]) - len(bought)
    return float(min(1.0, max(NEVER, unknown * hidden[tile] / max(1, hidden.total()))))


def _just_bought(state: State) -> Tile | None:
    """The tile that the last action took from the market, if it was a purchase."""
    last = state.last_pushed
    if not isinstance(last, Buy):
        return None
    before = state.branch()
    before.pop()
    return before.market[last.slot]
