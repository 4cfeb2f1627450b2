"""Engine 191 on the table: the main station with a line towards every seat, open tiles in yards and scrap, the boneyard.

Places: `("hub",)`, `("line", seat, 1)` ... outward from it, `("open", low, high)` for a tile that is known to lie open in a
yard or in the scrap, wherever that is, `("new", n)` for one more, and `("bid", seat)` while bids lie open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import dist

from engine.core import UNKNOWN
from engine.engine191.game import State
from engine.pieces import Tile
from referee.geometry import half_side
from referee.readers.engine191_plays import Engine191Plays, Memory
from referee.readers.follow import (
    BLANK,
    Knot,
    blank,
    chance_of,
    grown,
    is_blank,
    is_double,
    named_places,
    recognised,
    sight_of,
    tracks_of,
    up_and_down,
)
from referee.readers.shown import before_seats
from referee.readers.star import Begun, Star, matches, may_be
from referee.readers.words import turned_down
from referee.reading import MISSING, Expected, Laid, Place, Reading, Sight
from referee.setting import Point
from vision.observation import Observation, SeenTile


class Engine191Reader(Engine191Plays):
    """Reads Engine 191."""

    unread = Memory()

    def read(self, seen: Observation, state: State, memory: Memory) -> Reading:
        """The lines as far as they can be followed, open tiles, bids that are shown, and the boneyard."""
        dealing = state.chance == "deal"
        deals = dealing + sum(action.kind == "deal" for action in state.pushed)
        if dealing:  # what lay there in the round before counts no more
            state, memory = type(state)(state.rules, state.players), replace(memory, hub=None)
        half = half_side(seen.tiles, memory.half)
        bones_at = memory.bones.places if state.hub is not None else []  # bids are turned up where they lie
        if memory.deals != deals:
            memory = replace(memory, bids={}, lay={})
        up, down = up_and_down(seen.tiles, bones_at, played=tracks_of(memory.lay, ("line",), enumerate(state.lines)))
        tiles: dict[Place, Sight] = {}
        bids = memory.bids
        hub = self._main_station(state, up, down, memory)
        if hub is not None:
            self._follow(state, hub, up, down, tiles, half, memory.lay)
        else:
            shown = before_seats(self.setting, map(sight_of, up.values()))
            if all(len(sights) == 1 for sights in shown.values()):  # what lies open is nothing but bids
                bids = {**bids, **{seat: sight for seat, (sight,) in shown.items()}}
                if len(shown) == state.players:
                    tiles = {("bid", seat): sight for seat, (sight,) in shown.items()}
                    up.clear()
        named = recognised(up.values(), _known_open(state), memory.named)
        tiles |= named_places("open", up.values(), named)
        backs = [tile.center for tile in down.values()]
        due = self.left_after_deal(state) if dealing else len(state.boneyard)
        counts, bones = memory.bones.see(backs, seen, self.setting, half, due, state.last_pushed, dealing)
        lying = {sight.track: sight.center for place, sight in tiles.items() if place[0] == "open"}
        known = lying if memory.told is not state.last_pushed else memory.known
        still = frozenset(track for track, middle in lying.items() if track in known and dist(middle, known[track]) < half)
        track = hub.track if hub is not None else memory.hub
        lines = {place: sight for place, sight in tiles.items() if place[0] == "line"}
        memory = replace(memory, half=half, bones=bones, hub=track, lay={**memory.lay, **lines}, named=named, known=known,
                         told=state.last_pushed, still=still, bids=bids, deals=deals)
        return Reading(tiles, {"boneyard": counts["boneyard"]}, noted=memory,
                       hands=before_seats(self.setting, new_among(tiles).values()))

    def _main_station(self, state: State, up: dict[int, SeenTile], down: dict[int, SeenTile], memory: Memory) -> SeenTile | None:
        """The double in the middle, as the state names it or as it has just been laid; taken out of `up` or `down`."""
        if state.hub is not None:
            known = state.hub
            likely = [tile for tile in up.values() if may_be(tile, known)]
            best = max(likely, key=lambda tile: (tile.track == memory.hub, chance_of(tile, known)), default=None)
        else:
            best = next((tile for tile in up.values() if is_double(tile) and self._central(tile.center)), None)
        # Its back and its face may look alike: then it is the one bid that nobody saw open, too. It lies alone; what has another
        # back no farther from it than a tile is long lies in the boneyard.
        blank_bid = any(sight.ends == (0, 0) for sight in memory.bids.values()) or len(memory.bids) == state.players - 1
        if best is None and state.hub in (None, BLANK) and (state.hub is not None or memory.hub in down or blank_bid):
            alone = (tile for tile in down.values() if tile.track == memory.hub or (
                self._central(tile.center) and all(dist(tile.center, other.center) > tile.length
                                                   for other in down.values() if other is not tile)))
            near = min(alone, key=lambda tile: (tile.track != memory.hub, dist(tile.center, self.setting.middle)),
                       default=None)
            best = blank(near) if near is not None else None
        if best is not None:
            (up if best.track in up else down).pop(best.track)
        return best

    def _central(self, point: Point) -> bool:
        """Whether it lies nearer to the middle than to any seat's edge: then it is no bid."""
        seats = range(len(self.setting.seats))
        return dist(point, self.setting.middle) < min(self.setting.depth(seat, point) for seat in seats)

    def _follow(self, state: State, hub: SeenTile, up: dict[int, SeenTile], down: dict[int, SeenTile],
                tiles: dict[Place, Sight], half: float, lay: Mapping[Place, Sight]) -> None:
        """Grow every line from the main station, the known tiles first; what is placed leaves `up` or `down`."""
        tiles["hub",] = sight_of(hub)
        blanks = {} if is_blank(hub) or any(map(is_blank, up.values())) else {track: blank(tile) for track, tile in down.items()}
        star = Star(("line",), half, up, blanks, tiles, lay, hub, self._begun)
        star.know(state.lines)
        if state.phase != "show":  # then the lines are finished; hands shown may touch them
            star.grow()
        for sight in tiles.values():
            down.pop(sight.track, None)

    def _begun(self, star: Star) -> Begun | None:
        """A tile against the main station, which begins the line of the seat towards which it lies: one that shows its number may
        lie a little apart from it."""
        for fits in (None, matches):
            for tile in star.up.values():
                found = grown({self._towards(star.hub, tile): Knot(star.hub, 0)}, [tile], star.half, fits)
                if found is not None and found[0] not in star.tips:
                    return found
        return None

    def _towards(self, hub: SeenTile, tile: SeenTile) -> int:
        dx, dy = tile.center[0] - hub.center[0], tile.center[1] - hub.center[1]
        forward = [seat.forward for seat in self.setting.seats]
        return min(range(len(forward)), key=lambda seat: dx * forward[seat][0] + dy * forward[seat][1])

    def expected(self, state: State, reading: Reading) -> Expected:
        """Lines, open tiles and the boneyard; bids lie open until the main station is laid."""
        if state.chance == "deal":
            return Expected({}, {}, {})
        if state.hub is None:
            shown = state.players if state.chance == "reveal" else 0
            return Expected({("bid", seat): Laid(None) for seat in range(shown)}, {"boneyard": len(state.boneyard)})
        tiles: dict[Place, Laid] = {("hub",): Laid(state.hub)}
        tiles |= {("line", seat, at): Laid(ends) for seat, line in enumerate(state.lines) for at, ends in enumerate(line, 1)}
        tiles |= self._open_tiles(state, reading)
        counts = {"boneyard": len(state.boneyard)}
        if not self._is_over(state):
            return Expected(tiles, counts)
        return Expected(self._shown_hands(state, tiles, reading) | tiles, counts, self._unshown(state))

    def _shown_hands(self, state: State, tiles: Mapping[Place, Laid], reading: Reading) -> dict[Place, Laid]:
        """Tiles that lie open because a hand is shown: so many before a seat as it holds."""
        before: list[list[Place]] = [[] for _ in state.hands]
        for place, sight in new_among(reading.tiles).items():
            if place not in tiles:
                before[self.setting.nearest_seat(sight.center)].append(place)
        return {place: Laid(None) for places, hand in zip(before, state.hands, strict=True)
                if len(places) == len(hand) for place in places}

    @staticmethod
    def _open_tiles(state: State, reading: Reading) -> dict[Place, Laid]:
        """Tiles that lie open, where they are seen: those that are not known yet at the new places that show them best."""
        free, tiles = new_among(reading.tiles), dict[Place, Laid]()
        for tile in _known_open(state):
            place: Place = ("open", *tile)
            if place not in reading.tiles and free:
                best = min(free, key=lambda each: free[each].cost(tile, True))
                if free[best].cost(tile, True) < MISSING:
                    place = best
                    del free[best]
            tiles[place] = Laid(tile, either_way=True)
        return tiles

    def unready(self, state: State, reading: Reading) -> list[str]:
        """Open tiles must be turned before the bids."""
        return turned_down(len(reading.tiles))


def _known_open(state: State) -> list[Tile]:
    """The tiles that are known to lie open in a yard or in the scrap."""
    return [tile for group in (*state.yards, state.scrap) for tile in group if tile != UNKNOWN]


def new_among(tiles: Mapping[Place, Sight]) -> dict[Place, Sight]:
    """Open tiles that are not known yet."""
    return {place: sight for place, sight in tiles.items() if place[0] == "new"}
