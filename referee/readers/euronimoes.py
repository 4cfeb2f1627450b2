"""Euronimoes on the table: the market by its slots, the bone pile, chips in hand and bank, and a grid before each seat.

Places: `("market", 0)` to `("market", 4)`, cheapest first, and `("grid", seat, cells, level)` with the cells as in a play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import dist, sqrt
from typing import NamedTuple

import numpy as np

from engine.actions import Cell
from engine.core import UNKNOWN
from engine.euronimoes.actions import Play
from engine.euronimoes.game import CHIPS, SLOTS, State
from engine.euronimoes.layout import Layout, Placed, code
from engine.pieces import Tile
from engine.words import count, listed, say
from referee.geometry import BESIDE, half_side, is_whole
from referee.readers.boneyard import Bones
from referee.readers.euronimoes_plays import SLOT_NAMES, EuronimoesPlays, Memory
from referee.readers.follow import BLANK, sight_of, up_and_down
from referee.readers.grid import Found, Lattice, first_lattice, fit, placed_at, places_beside, visible
from referee.reading import JOINT, RARE, Count, Expected, Laid, Place, Reading, Sight
from vision.degrees import EVEN, HARDLY, LIKELY, SELDOM
from vision.observation import Observation, SeenPiece, SeenTile

NO_PIPS = np.eye(1, 16, dtype=np.float32).repeat(2, axis=0)
"""The probabilities of its halves."""


@lru_cache(1024)  # the decoder tries many states that differ in one tile or none
def _grid(seat: int, layout: Layout) -> Mapping[Place, Laid]:
    """The tiles of a seat's grid as they should be seen."""
    tops = visible(layout)
    return {("grid", seat, placed.cells, placed.level): Laid(placed.ends, covered=placed not in tops) for placed in layout.placed}


def _alike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How alike two pieces look by the names that their colours may have, hardly 0 to 1."""
    both = sum(share * other.get(label, 0.0) for label, share in one.items())
    return HARDLY + both / sqrt(sum(share**2 for share in one.values()) * sum(share**2 for share in other.values()))


class OnGrid(NamedTuple):
    """What lies in a seat's grid. joints: places of tiles that may be but joints of others. askew: of tiles that are new there,
    log-odds that they were laid off its cells."""

    tiles: dict[Place, Sight]
    joints: list[Place]
    askew: dict[Place, float]


def _read_grid(layout: Layout, seat: int, own: Iterable[SeenTile], lattice: Lattice) -> OnGrid:
    """What of a seat's open tiles lies in its grid, the likeliest first of those that lie on the same cells."""
    tiles: dict[Place, Sight] = {}
    askew: dict[Place, float] = {}
    known = [(placed.cells, placed.level) for placed in layout.placed]
    for found in sorted((placed_at(lattice, tile) for tile in own if is_whole(tile)),
                        key=lambda found: (bool(found.tile.under), found.off)):
        there = [level for cells, level in known if cells == found.cells]
        free = [level for level in there if ("grid", seat, found.cells, level) not in tiles]
        place = "grid", seat, found.cells, _level(found, free, layout)
        if place not in tiles:
            tiles[place] = sight_of(found.tile, found.swapped)
            askew |= {} if there else {place: found.askew}
    new = [place for place in tiles if place[2:] not in known]
    raised = [place for place in new if tiles[place].raised]
    # Nobody lays two at once, but a joint beside a new tile looks like one.
    return OnGrid(tiles, raised if len(raised) < len(new) else [], askew)


def _level(found: Found, known: Sequence[int], layout: Layout) -> int:
    """The level on which a tile lies: one of the levels of tiles known on its cells, or one above what is beneath it."""
    there = [level for level in known if level > 1 or not found.tile.under]
    if there:
        return there[-1] if found.tile.under else there[0]
    beneath = [layout.heights.get(code(cell), 0) for cell in found.cells]
    return max(beneath) + 1 if min(beneath) > 0 else 1


class EuronimoesReader(EuronimoesPlays):
    """Reads Euronimoes."""

    unread = Memory()

    def read(self, seen: Observation, state: State, memory: Memory) -> Reading:
        """Market, grids, chips and pile; a tile that lies nowhere of these is loose."""
        printed = tuple(self.setting.slots[name] for name in SLOT_NAMES if name in self.setting.slots)
        memory = replace(memory, believed=state.last_pushed, told=len(state.pushed), size=half_side(seen.tiles, memory.size),
                         slots=printed if len(printed) == SLOTS else memory.slots)
        seen = self._with_double_blanks(state, seen, memory)
        lying = [tile for tile in seen.tiles if not self._on_bank(tile, memory)]
        up, down = up_and_down(lying, memory.bones.places)
        if state.chance == "deal" and len(up) == SLOTS and "-1" not in self.setting.slots:
            memory = replace(memory, slots=tuple(sorted(tile.center for tile in up.values())))  # the cheap end at the left
        market = self._read_market(up, memory)
        lattices, grids, beside = dict(memory.lattices), [], []
        for seat, own in self._by_seat(state, up, memory).items():
            lattice = self._lattice(state, seat, own, memory)
            if lattice is not None:
                lattices[seat] = lattice
                grids.append(_read_grid(state.layouts[seat], seat, own, lattice))
                beside.append(places_beside(state.layouts[seat], lattice))
            for tile in own:
                up.pop(tile.track, None)
        tiles = market | {place: sight for grid in grids for place, sight in grid.tiles.items()}
        loose = tuple(sight_of(tile) for tile in up.values())
        pile, bones = self._see_pile(state, seen, down, memory)
        shown = as_known(tiles, self.expected(state, Reading(tiles)))
        memory = replace(memory, bones=bones, lattices=lattices, pieces={**memory.pieces, **shown})
        memory = self._learned(seen.pieces, memory) if state.chance == "deal" else memory
        counts = {"pile": replace(pile, unsure=RARE)} | self._read_chips(seen.pieces, memory)
        reading = Reading(tiles, counts, loose, unnoticed(state, tiles, memory), noted=memory,
                          faults={place: JOINT for grid in grids for place in grid.joints},
                          askew={place: odds for grid in grids for place, odds in grid.askew.items()},
                          pairs=np.concatenate(beside).astype(np.float32) if any(map(len, beside)) else None)
        if state.chance == "deal":
            memory = self._see_opening(state, reading, memory)
        counts = {name: count for name, count in counts.items() if name == "pile" or name in memory.trusted}
        return replace(reading, counts=counts, noted=memory)

    def _see_opening(self, state: State, reading: Reading, memory: Memory) -> Memory:
        """Remember the market as it is dealt; a first turn changes it, a new deal most of its tiles, a better look at the
        tiles that lie there mends some, and whoever deals may exchange them for others of the pile."""
        market = self._market_of(reading)
        tracks = tuple(sight.track for place, sight in sorted(reading.tiles.items()) if place[0] == "market")
        fewer = reading.counts["pile"].value != self._rest(state)
        if fewer and market == memory.opening and not memory.miscounted:
            return memory  # all had been there: a first turn has begun
        taken = (fewer and tracks != memory.opened) or _turned(memory.opening, market)
        anew = (Counter(market) - Counter(memory.opening)).total() > SLOTS / 2
        if len(market) == SLOTS and market != memory.opening and (anew or not taken):
            opened = replace(memory, opening=market)
            if not self.unready(state, replace(reading, noted=opened)):
                memory = opened
        if market == memory.opening:
            memory = replace(memory, opened=tracks)
        if memory.opening and self.unready(state, replace(reading, noted=memory)):
            return memory  # a first turn says nothing of how well is counted
        return self._check_counts(state, reading, memory)

    def _check_counts(self, state: State, reading: Reading, memory: Memory) -> Memory:
        """What is counted as the deal leaves it can be trusted later; of the rest people are told."""
        due, seen = self._rest(state), sum(bone.seen for bone in memory.bones.boneyard.bones)
        trusted = frozenset(name for name, told in reading.counts.items() if name != "pile" and told.value == CHIPS // 2)
        miscounted = [say("The bone pile should have {due} tiles; {seen} are seen.", due=due, seen=seen)] if seen != due else []
        for seat, name in enumerate(self.setting.names):
            held = reading.counts.get(f"chips {seat}")
            # where some are not seen nobody knows whether the camera or the player is mistaken
            if held is not None and f"bank {seat}" in reading.counts and f"chips {seat}" not in trusted:
                miscounted.append(count(
                    held.value, "{name} has two chips in hand and two in the bank; {number} in hand is seen.",
                    "{name} has two chips in hand and two in the bank; {number} in hand are seen.", name=name))
        bones = replace(memory.bones, boneyard=memory.bones.boneyard.dealt(due))
        return replace(memory, bones=bones, trusted=trusted, miscounted=tuple(miscounted))

    @staticmethod
    def _market_of(reading: Reading) -> tuple[Tile, ...]:
        """The open tiles on the market, cheapest first."""
        lying = (reading.tiles.get(("market", slot)) for slot in range(SLOTS))
        return tuple(Tile.of(*sight.ends) for sight in lying if sight is not None and sight.up)

    def _see_pile(self, state: State, seen: Observation, lying: Mapping[int, SeenTile], memory: Memory) -> tuple[Count, Bones]:
        """Look at the bone pile: hands that stand at the edges are not of it. lying: what lies face down, by track."""
        dealing = state.chance == "deal"
        due = self._rest(state) if dealing else len(state.pile)
        # a play says nothing of the pile: after it the next one may have drawn already
        taken = next((action for action in reversed(state.pushed) if not isinstance(action, Play)), None)
        down = [tile.center for tile in lying.values()]
        counts, bones = memory.bones.see(down, seen, self.setting, memory.size, due, taken, dealing, begun=True)
        return counts["boneyard"], bones

    def _on_bank(self, tile: SeenTile, memory: Memory) -> bool:
        """Whether what seems to be a tile lies on a printed bank: it is chips, fanned out, or what is printed there."""
        return any(dist(tile.center, middle) <= memory.size for name, middle in self.setting.slots.items()
                   if name.startswith("bank"))

    @staticmethod
    def _with_double_blanks(state: State, seen: Observation, memory: Memory) -> Observation:
        """What is seen, where tiles lie face up: what shows a plain back in the market, or where a grid has a double blank, is
        the double blank, unless there are more than the set has; or somebody has laid it face down, which is as likely."""
        plain = {tile.track for tile in seen.tiles if tile.ends is None and (in_grid(state, tile, memory) or any(
            dist(tile.center, middle) < memory.size for middle in memory.slots))}
        if not plain or len(plain) > state.kit.count(BLANK):
            return seen
        return replace(seen, tiles=tuple(replace(tile, ends=(0, 0), probabilities=NO_PIPS, score=EVEN)
                                         if tile.track in plain else tile for tile in seen.tiles))

    @staticmethod
    def _read_market(up: dict[int, SeenTile], memory: Memory) -> dict[Place, Sight]:
        """The tiles on the market's slots, no farther than half a tile from their middles; taken out of `up`."""
        tiles: dict[Place, Sight] = {}
        for slot, middle in enumerate(memory.slots):
            near = min(up.values(), key=lambda tile: dist(tile.center, middle), default=None)
            if near is not None and dist(near.center, middle) < memory.size:
                tiles["market", slot] = sight_of(up.pop(near.track))
        return tiles

    # Grids.

    def _by_seat(self, state: State, up: dict[int, SeenTile], memory: Memory) -> dict[int, list[SeenTile]]:
        """The open tiles of each seat's grid: those by its known tiles, or before it."""
        homes = {seat: [lattice.point((x + x2) / 2, (y + y2) / 2) for ((x, y), (x2, y2)), _, _ in layout.placed]
                 for seat, layout in enumerate(state.layouts)
                 if (lattice := memory.lattices.get(seat)) is not None and layout.placed}
        found: dict[int, list[SeenTile]] = {}
        for tile in up.values():
            if any(dist(tile.center, middle) < 2 * memory.size for middle in memory.slots):
                continue  # between two slots of the market
            near = {seat: min(dist(tile.center, home) for home in own) for seat, own in homes.items()}
            seat = min(near, key=near.__getitem__, default=-1)
            if seat < 0 or near[seat] > BESIDE * memory.size:
                seat = self.setting.nearest_seat(tile.center)
            found.setdefault(seat, []).append(tile)
        return found

    def _lattice(self, state: State, seat: int, own: list[SeenTile], memory: Memory) -> Lattice | None:
        layout, whole = state.layouts[seat], list(filter(is_whole, own))
        if not layout.placed and whole:
            return first_lattice(self.setting.seats[seat], memory.size, whole[0])
        return fit(self.setting.seats[seat], memory.size, layout, whole, memory.lattices.get(seat))

    def _read_chips(self, pieces: tuple[SeenPiece, ...], memory: Memory) -> dict[str, Count]:
        """The chips of each seat, by colour: in its bank, or in hand anywhere else. Those in hand count where all that are seen
        surely are some; those in the bank lie upon each other and count where all four are seen."""
        chips = [piece for piece in pieces if piece.kind == "chip"]
        counts: dict[str, Count] = {}
        for seat, own in enumerate(self._owned(chips, memory)):
            in_hand = [piece for piece in own if not self._in_bank(piece, seat, memory)]
            if own and all(piece.score > LIKELY * piece.labels[piece.label] for piece in in_hand):
                counts[f"chips {seat}"] = Count(len(in_hand))
            if len(own) == CHIPS:
                counts[f"bank {seat}"] = Count(CHIPS - len(in_hand))
        return counts

    def _owned(self, chips: Sequence[SeenPiece], memory: Memory) -> list[list[SeenPiece]]:
        """Each seat's chips, by their colours and by where they lie, the surest first and no more than a seat has: two colours
        may look alike, by another light the more so."""
        odds: list[tuple[float, int, int]] = []
        for at, piece in enumerate(chips):
            home = self._home(piece, memory)
            weights = [_alike(piece.labels, memory.colours.get(seat, {player.colour: 1.0}))
                       * (1 / SELDOM if seat == home else 1)  # before others, or in their banks, chips lie so seldom
                       for seat, player in enumerate(self.setting.seats)]
            odds += [(weight / sum(weights), at, seat) for seat, weight in enumerate(weights)]
        owned: list[list[SeenPiece]] = [[] for _ in self.setting.seats]
        left = dict(enumerate(chips))
        for _, at, seat in sorted(odds, reverse=True):
            if at in left and len(owned[seat]) < CHIPS:
                owned[seat].append(left.pop(at))
        return owned

    def _home(self, piece: SeenPiece, memory: Memory) -> int:
        """The seat in whose bank a chip lies, or before which it does."""
        banks = [self.setting.slots.get(f"bank {seat + 1}", (np.inf, np.inf)) for seat in range(len(self.setting.seats))]
        near, bank = min((dist(piece.center, middle), seat) for seat, middle in enumerate(banks))
        return bank if near < 2 * memory.size else self.setting.nearest_seat(piece.center)

    def _learned(self, pieces: tuple[SeenPiece, ...], memory: Memory) -> Memory:
        """Remember the colours of those chips that lie before each seat as the game begins, whatever they are called."""
        before: dict[int, list[SeenPiece]] = {}
        for piece in pieces:
            seat = self._home(piece, memory)
            if piece.kind == "chip" and not self._in_bank(piece, seat, memory):
                before.setdefault(seat, []).append(piece)
        mean = {seat: {label: sum(piece.labels.get(label, 0.0) for piece in own) / len(own) for label in own[0].labels}
                for seat, own in before.items()}
        return replace(memory, colours={**memory.colours, **mean})

    def _in_bank(self, piece: SeenPiece, seat: int, memory: Memory) -> bool:
        """Whether a chip lies in a seat's bank, which is as large as a tile; where none is printed, nearer to the market than to
        the seat."""
        bank = self.setting.slots.get(f"bank {seat + 1}")
        if bank is not None:
            return dist(piece.center, bank) < 2 * memory.size
        if not memory.slots:
            return False
        middle = np.mean(memory.slots, axis=0)
        near = dist(piece.center, (float(middle[0]), float(middle[1])))
        return near < dist(piece.center, self.setting.edge(seat))

    # Expecting.

    def expected(self, state: State, reading: Reading) -> Expected:
        """Market, grids, pile and chips of a state."""
        tiles: dict[Place, Laid] = {("market", slot): Laid(tile, True) for slot, tile in enumerate(state.market)
                                    if tile not in (None, UNKNOWN)}  # what is still to be turned up does not lie there yet
        for seat, layout in enumerate(state.layouts):
            tiles |= _grid(seat, layout)
        counts = {"pile": len(state.pile)}
        for seat, chips in enumerate(state.chips):
            counts[f"chips {seat}"], counts[f"bank {seat}"] = chips, CHIPS - chips
        return Expected(tiles, {} if state.chance == "deal" else counts)

    def unready(self, state: State, reading: Reading) -> list[str]:
        """What the set-up lacks: five open tiles on the market, as they lay when all was ready, and none elsewhere."""
        empty = [SLOT_NAMES[slot] for slot in range(SLOTS) if ("market", slot) not in reading.tiles]
        found = []
        memory = self._noted(reading)
        if not memory.slots:
            found.append(say("The market should have five tiles face up; they are not seen in a row."))
        elif empty:
            found.append(say("The market has no tile on {places}.", places=listed(empty)))
        elif memory.opening and self._market_of(reading) != memory.opening:
            found.append(say("The market has changed."))
        if open_tiles := sum(place[0] == "grid" for place in reading.tiles) + len(reading.loose):
            found.append(count(open_tiles, "{number} tile lies open beside the market.",
                               "{number} tiles lie open beside the market."))
        found += [say("The {tile} lies there {times} times; the set has {copies}.", tile=tile, times=count,
                      copies=state.kit.copies)
                  for tile, count in Counter(self._market_of(reading)).items() if count > state.kit.count(tile)]
        return found

    def advice(self, state: State, reading: Reading) -> list[str]:
        """Whether the pile has the tiles that the deal leaves, and everybody two chips in hand and two in the bank."""
        return list(self._noted(reading).miscounted)


def in_grid(state: State, tile: SeenTile, memory: Memory) -> bool:
    """Whether a tile lies where a grid has a double blank. A bare hole between tiles may look like a back, so that nobody has
    laid one where none is known."""
    return any(placed.ends == (0, 0) and placed.cells == placed_at(lattice, tile).cells
               for seat, lattice in memory.lattices.items() for placed in state.layouts[seat].placed)


def _turned(dealt: tuple[Tile, ...], market: tuple[Tile, ...]) -> bool:
    """Whether the market lies as a first turn leaves the one that was dealt: who deals exchanges a tile where it lies."""
    return market[: SLOTS - 1] in [dealt[:slot] + dealt[slot + 1 :] for slot in range(SLOTS - 1)]


def as_known(tiles: Mapping[Place, Sight], expected: Expected) -> dict[Place, int]:
    """The tracks of those tiles of market and grids that are seen as they should lie."""
    return {place: sight.track for place, sight in tiles.items() if (laid := expected.tiles.get(place)) is not None
            and laid.ends == (Tile.of(*sight.ends) if laid.either_way else sight.ends)}


def unnoticed(state: State, tiles: Mapping[Place, Sight], memory: Memory) -> frozenset[Place]:
    """Stacked tiles that were never told apart from the two beneath, which show the same numbers: nothing is missing."""
    found = set()
    for seat, layout in enumerate(state.layouts):
        tops: dict[Cell, Placed] = {}
        for placed in layout.placed:
            beneath = [tops[cell] for cell in placed.cells if cell in tops]
            place = ("grid", seat, placed.cells, placed.level)
            if len(beneath) == 2 and place not in memory.pieces and all(
                    ("grid", seat, below.cells, below.level) in tiles for below in beneath):
                found.add(place)
            tops |= dict.fromkeys(placed.cells, placed)
    return frozenset(found)
