"""Mexican Train on the table: the engine in the middle, a train towards every seat, and the Mexican train apart from these.

Places: `("engine",)`, and `("train", 0, 1)`, `("train", 0, 2)` ... outward; the Mexican train has the number after the last seat.
Markers are for the players: the referee knows by itself which trains are open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import atan2, dist, pi

from engine.mexican_train.game import State
from engine.words import say
from referee.geometry import Rect, half_side, rect_of, turned
from referee.readers.boneyard import Bones
from referee.readers.follow import BLANK, Knot, blank, is_blank, sight_of, tracks_of, up_and_down
from referee.readers.hand_plays import ACROSS
from referee.readers.heap import Washed, strip
from referee.readers.mexican_train_plays import MexicanTrainPlays
from referee.readers.shown import before_seats
from referee.readers.star import Begun, Star, may_be
from referee.readers.words import turned_down
from referee.reading import Expected, Laid, Place, Reading, Sight
from referee.setting import Point
from vision.degrees import HALF, LITTLE
from vision.observation import Observation, SeenTile
from vision.plane import HALF_MM


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is known of the table from the looks before. half: the side of half a tile. engine: as it was last seen.

    lay: every tile of the trains as it was last seen. backs: tracks of the face-down tiles when the round was last played.
    dealt: the engine lay there and as many tiles face down as are left after the deal; what is taken from then on is drawn.
    """

    half: float = HALF_MM
    bones: Bones = field(default_factory=Bones)
    engine: SeenTile | None = None
    lay: Mapping[Place, Sight] = field(default_factory=dict)
    backs: frozenset[int] = frozenset()
    washed: Washed = field(default_factory=Washed)
    dealt: bool = False


class MexicanTrainReader(MexicanTrainPlays):
    """Reads Mexican Train."""

    unread = Memory()

    def read(self, seen: Observation, state: State, memory: Memory) -> Reading:
        """The trains as far as they can be followed from the engine, the boneyard, and open tiles before the seats."""
        dealing = state.chance == "deal"
        washed, lay = memory.washed.see(seen, dealing), {} if dealing else memory.lay
        half = half_side(seen.tiles, memory.half)
        played = tracks_of(lay, ("train",), enumerate(state.trains))
        up, down = up_and_down(seen.tiles, memory.bones.places, washed.gone, played)
        led = dealing and washed.led(up)
        blanks = {} if any(map(is_blank, up.values())) else {track: blank(tile) for track, tile in down.items()}
        tiles: dict[Place, Sight] = {}
        engine = self._engine(state, up, blanks, memory)
        if engine is not None:
            tiles["engine",] = sight_of(engine)
        begun_at = engine or (None if dealing else memory.engine)  # the trains lie there though the engine is unseen
        across = set[Place]()
        if begun_at is not None:
            star = Star(("train",), half, up, blanks, tiles, lay, begun_at, partial(self._begun, state))
            if not dealing:
                star.know(state.trains, apart=state.mexican)
            if state.phase != "show":  # then the trains are finished; hands shown may touch them
                star.grow()
            across = star.across
        for sight in tiles.values():
            down.pop(sight.track, None)
        backs = self._turn_up_blank(state, up, down, blanks, memory, half)
        loose = tuple(map(sight_of, up.values()))
        due = self.left_after_deal(state) if dealing else len(state.boneyard)
        begun = any(place != ("engine",) for place in tiles)
        lying = [tile.center for tile in down.values()]
        counts, bones = memory.bones.see(lying, seen, self.setting, half, due, state.slots, dealing and not memory.dealt, begun)
        rest = counts["boneyard"].value
        drawn = dealing and memory.dealt and rest < due
        dealt = drawn or (dealing and rest == due and (memory.dealt or (engine is not None and not (begun or loose))))
        memory = replace(memory, half=half, bones=bones, washed=washed, engine=engine or memory.engine, backs=backs,
                         lay={**lay, **tiles}, dealt=dealt)
        return Reading(tiles, counts, loose, hands=before_seats(self.setting, loose), faults=dict.fromkeys(across, ACROSS),
                       noted=memory, led=led, drawn=drawn)

    def _engine(self, state: State, up: dict[int, SeenTile], blanks: dict[int, SeenTile], memory: Memory) -> SeenTile | None:
        """The engine, taken out of `up` or `blanks`. One that is new lies nearer to the middle than any other open tile."""
        tile, middle = self.engine_of(state), self.setting.middle
        among = up | blanks if tile == BLANK else up
        track = memory.engine.track if memory.engine is not None else None
        best = max((each for each in among.values() if may_be(each, tile)), default=None,
                   key=lambda each: (each.track == track, -dist(each.center, middle)))
        if state.chance == "deal" and best is not None and best.track != track:
            near = dist(best.center, middle)
            if any(dist(each.center, middle) < near for each in up.values()):
                return None
        if best is not None:
            up.pop(best.track, None)
            blanks.pop(best.track, None)
        return best

    def _begun(self, state: State, star: Star) -> Begun | None:
        """A tile that begins a train: at the engine that of the seat towards which it lies; apart from all the Mexican one."""
        for tile in star.up.values():
            knot = self._at_engine(star, tile)
            free = [seat for seat in range(state.players) if seat not in star.tips]
            if knot is not None and free:
                way = _direction(star.hub.center, tile.center)
                return min(free, key=lambda seat: abs(turned(way, _direction(star.hub.center, self.place(seat)), 2 * pi))), knot
        if state.mexican in star.tips:
            return None
        number = self.engine_of(state).low
        alone = [tile for tile in star.up.values() if self._alone(star, tile)]
        alone = [tile for tile in alone if number in (tile.ends or ())] or alone
        if len(alone) != 1:
            return None
        return state.mexican, Knot(alone[0], 1 - int(alone[0].probabilities[:, number].argmax()))

    @staticmethod
    def _at_engine(star: Star, tile: SeenTile) -> Knot | None:
        """A tile against the engine, or held apart from it by a hub, no farther than two tiles are long, and pointing at it, that
        touches no train even a little."""
        if any(tip.contact(tile, star.half)[0] > LITTLE for tip in star.tips.values()):
            return None
        away = [dist(middle, star.hub.center) for middle in tile.middles]
        near, far = sorted(away)
        touches = Knot(star.hub, 0).contact(tile, star.half)[0] > LITTLE
        points = far > near + HALF * star.half
        by_hub = points and dist(tile.center, star.hub.center) < 4 * star.half
        return Knot(tile, 1 - away.index(near)) if touches or by_hub else None

    def _alone(self, star: Star, tile: SeenTile) -> bool:
        """Whether a tile touches no train, and lies where no hand is shown."""
        rect, side = rect_of(tile), star.half
        laid = (Rect(sight.center, sight.angle, 2 * side, side) for sight in star.tiles.values())
        return strip(self.setting, tile.center) is None and all(rect.contact(each, side) < LITTLE for each in laid)

    def place(self, seat: int) -> Point:
        """Where a seat sits at its edge; those at the same one beside each other."""
        seats = self.setting.seats
        beside = [at for at, other in enumerate(seats) if other.facing == seats[seat].facing]
        share = (beside.index(seat) + 0.5) / len(beside) - 0.5
        x0, y0, x1, y1 = self.setting.area
        (x, y), (dx, dy) = self.setting.edge(seat), seats[seat].rightward
        aside = -share * (abs(dx) * (x1 - x0) + abs(dy) * (y1 - y0))  # the turn goes clockwise: to the left
        return x + dx * aside, y + dy * aside

    def expected(self, state: State, reading: Reading) -> Expected:
        """The trains and the boneyard; hands lie hidden, and are not counted where they stand."""
        number = self.engine_of(state).low
        tiles: dict[Place, Laid] = {("engine",): Laid((number, number))}
        if state.chance == "deal":
            rest = {"boneyard": self.left_after_deal(state)} if reading.drawn else {}
            return Expected(tiles if ("engine",) in reading.tiles else {}, rest, {})
        tiles |= {("train", train, at): Laid(ends) for train, line in enumerate(state.trains) for at, ends in enumerate(line, 1)}
        return self._laid_out(state, tiles, "out")

    def unready(self, state: State, reading: Reading) -> list[str]:
        """The engine lies open in the middle, and nothing else does."""
        lies = ("engine",) in reading.tiles
        missing = [] if lies else [say("Lay the {tile} open in the middle: it is the engine.", tile=self.engine_of(state))]
        return turned_down(len(reading.loose) + len(reading.tiles) - lies) or missing


def _direction(start: Point, end: Point) -> float:
    return atan2(end[1] - start[1], end[0] - start[0])
