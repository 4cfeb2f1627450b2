"""The line games on the table: a line that bends, followed by contact, its boneyard, and hands shown at a round's end.

Places: `("root",)`, then `("left", 1)`, `("left", 2)` ... and `("right", 1)` ... outward from the root, `("up", 1)` ... from a
spinner (its arms as the rules name them); a tile against the middle of the line lies at `("side", tile it touches, track)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import dist

from engine.lines.actions import Play
from engine.lines.kit import rank
from engine.lines.line import Line
from engine.pieces import Tile
from engine.state import State
from engine.words import say
from referee.geometry import FIRM, Rect, half_side, rect_of
from referee.readers.boneyard import Bones
from referee.readers.follow import (
    BLANK,
    Knot,
    blank,
    chance_of,
    continued,
    grown,
    is_blank,
    is_double,
    outer_half,
    sight_of,
    tracks_of,
    up_and_down,
)
from referee.readers.hand_plays import ACROSS
from referee.readers.heap import Washed
from referee.readers.line_plays import LinePlays, last_play
from referee.readers.shown import before_seats
from referee.readers.star import Growth
from referee.readers.words import turned_down
from referee.reading import Expected, Laid, Place, Reading, Sight
from vision.degrees import EVEN, RARELY, SOME
from vision.observation import Observation, SeenTile
from vision.plane import HALF_MM


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is known of a line's table from the looks before. size: the side of half a tile.

    begun: the first tile, as it was last seen. lay: its tiles as they were last seen. backs: tracks of the face-down tiles when
    the round was last played. told: how much had been done, and the last play of it, when the table last lay so.
    """

    size: float = HALF_MM
    bones: Bones = field(default_factory=Bones)
    begun: SeenTile | None = None
    lay: Mapping[Place, Sight] = field(default_factory=dict)
    backs: frozenset[int] = frozenset()
    told: tuple[int, tuple[int, Play] | None] = (0, None)
    washed: Washed = field(default_factory=Washed)


class LineReader(LinePlays):
    """Reads Block & Draw and its kin."""

    unread = Memory()

    def read(self, seen: Observation, state: Line, memory: Memory) -> Reading:
        """The line as far as it can be followed from its first tile, the boneyard, and open tiles before the seats."""
        dealing = state.chance == "deal"
        if dealing:
            state = type(state)(state.rules, state.players)  # what lay there in the round before counts no more
        washed = memory.washed.see(seen, dealing)
        size = half_side(seen.tiles, memory.size)
        up, down = up_and_down(seen.tiles, memory.bones.places, washed.gone, tracks_of(memory.lay, (), state.arms()))
        down = {track: tile for track, tile in down.items() if tile.score > EVEN}
        led = dealing and washed.led(up)
        blanks = {} if any(is_blank(tile) for tile in up.values()) else {track: blank(tile) for track, tile in down.items()}
        tiles: dict[Place, Sight] = {}
        root = self._root(state, up, memory.begun)
        begun = root or (memory.begun if state.root is not None else None)  # the arms lie there though their first tile is unseen
        across = _Arms((), size, up, {**blanks}, tiles, memory.lay, state).follow(begun) if begun is not None else set()
        if root is None:
            tiles.pop(("root",), None)
        for sight in tiles.values():
            down.pop(sight.track, None)
        bones = memory.bones.places
        turned = {tile.track for tile in up.values() if any(dist(tile.center, place) < size for place in bones)}
        backs = self._turn_up_blank(state, up, down, blanks, memory, size)
        loose = tuple(map(sight_of, up.values()))
        beside = (sight for place, sight in tiles.items() if place[0] == "side")
        lying = [tile.center for tile in (*down.values(), *(up[track] for track in turned))]
        due = self.left_after_deal(state) if dealing else len(state.boneyard)
        counts, seen_bones = memory.bones.see(lying, seen, self.setting, size, due, state.story, dealing, bool(tiles or loose))
        reading = Reading(tiles, counts, loose, hands=before_seats(self.setting, (*loose, *beside)),
                          faults={("loose", track): "turned" for track in turned} | dict.fromkeys(across, ACROSS), led=led)
        told = memory.told if self.goes_on(state, reading) else (len(state.pushed), last_play(state))
        return replace(reading, noted=Memory(size, seen_bones, root or memory.begun, tiles, backs, told, washed))

    @staticmethod
    def _root(state: Line, up: dict[int, SeenTile], begun: SeenTile | None) -> SeenTile | None:
        """The first tile of the line, as the state names it or as a new round shows it; taken out of `up`."""
        if state.root is not None:
            known, track = state.root, begun.track if begun is not None else None
            likely = [tile for tile in up.values() if chance_of(tile, known) > RARELY]
            best = max(likely, key=lambda tile: (tile.track == track, chance_of(tile, known)), default=None)
        elif state.phase in ("lead", "deal"):
            best = max(up.values(), key=lambda tile: rank(Tile.of(*(tile.ends or (0, 0)))), default=None)
        else:
            best = None
        if best is not None:
            del up[best.track]
        return best

    def expected(self, state: Line, reading: Reading) -> Expected:
        """The line and the boneyard; hands lie hidden, and are not counted where they stand."""
        if state.chance == "deal":
            return Expected({}, {}, {})
        tiles: dict[Place, Laid] = {}
        if state.root is not None:
            tiles[("root",)] = Laid(state.root)
        tiles |= {(name, at): Laid(ends) for name, arm in state.arms() for at, ends in enumerate(arm, 1)}
        if self._is_over(state):
            shown = {sight.track for seat, hand in enumerate(state.hands) for sight in reading.hands.get(seat, ())
                     if len(reading.hands[seat]) == len(hand)}
            tiles |= {place: Laid(None) for place, sight in reading.tiles.items() if place[0] == "side" and sight.track in shown}
        return self._laid_out(state, tiles, "domino")

    def unready(self, state: State, reading: Reading) -> list[str]:
        """Open tiles must be turned before play begins."""
        return turned_down(len(reading.loose) + len(reading.tiles))

    def advice(self, state: Line, reading: Reading) -> list[str]:
        """Whether every hand has its tiles, where all lie face down to be counted; else whether the boneyard holds the rest."""
        standing = [reading.counts[f"hand {seat}"].value for seat in range(state.players) if f"hand {seat}" in reading.counts]
        found = [say("{name} takes {hand} tiles; {lying} lie there.", name=self._name(seat), hand=state.kit.hand, lying=hand)
                 for seat, hand in enumerate(standing) if len(standing) == state.players and hand != state.kit.hand]
        return found or super().advice(state, reading)


@dataclass(eq=False)
class _Arms(Growth[str]):
    """The arms of a line."""

    state: Line

    def follow(self, root: SeenTile) -> set[Place]:
        """Grow every arm from the root tile by tile, the known ones first; the places of new tiles that lie across the line."""
        state, tips = self.state, self.tips
        low_first = root.ends is None or _low_first(root, state.root or Tile.of(*root.ends))
        self.tiles[("root",)] = sight_of(root, turned=not low_first)
        tips |= {"left": Knot(root, 0 if low_first else 1), "right": Knot(root, 1 if low_first else 0)}
        for name, arm in sorted(state.arms(), key=lambda each: each[0] != "right"):  # it tells which way a spinner lies
            tips.setdefault(name, Knot(root, 0))
            for at, (inner, outer) in enumerate(arm, 1):
                lost = at - 1 - self.lengths[name]
                among = self.up if inner or outer else self.up | self.blanks
                follows = partial(continued, tips[name], (inner, outer), lost=lost, half=self.half)
                knot = follows(up=self.there((name, at), among)) or follows(up=among)
                if knot is None:
                    for side in state.sides_of(f"{name}.{at - 1}", Tile.of(inner, outer)):
                        tips[side], self.lengths[side] = tips[name], self.lengths[name] - at
                    continue
                if lost and not is_double(knot.tile):
                    knot = Knot(knot.tile, outer_half(knot.tile, outer))
                self.put(name, at, knot, Tile.of(inner, outer))
        if state.phase != "show":  # then the line is finished; hands shown may touch it
            self.grow()
            self._beside()
        return self.across

    def more(self) -> tuple[str, Knot] | None:
        """What lies against an open end; one that fits may lie a little apart from it."""
        fit = self.state.kit.fit
        return (self._next(self._ahead()) or self._next(self.blanks, lambda tip: bool(fit(BLANK, tip.sight().ends[1])))
                or self._next(self.up, fits=self._fits))

    def _fits(self, knot: Knot, seen: SeenTile, outer: int) -> bool:
        """Whether a seen tile may be laid there with this half outward."""
        return seen.ends is not None and seen.ends[outer] in self.state.kit.fit(Tile.of(*seen.ends), knot.sight().ends[1])

    def put(self, name: str, at: int, knot: Knot, tile: Tile | None = None) -> None:
        """Place a tile as the next of an arm, which goes on from there, and from its sides where it is a spinner. tile: which it
        is, where that is known."""
        rect, before = rect_of(knot.tile), self.tips[name]
        super().put(name, at, knot)
        self._spin(f"{name}.{at - 1}", tile or Tile.of(*knot.sight().ends), knot.tile,
                   {name: rect.side_towards(before.tip.center) + 2})
        if at == 1 and name in ("left", "right"):
            root, side = before.tile, rect_of(before.tile).side_towards(rect.half(1 - knot.outer).center)
            on = side if name == "right" else side + 2
            self._spin("root", self.state.root or Tile.of(*root.ends or (0, 1)), root, {"right": on, "left": on + 2})

    def _spin(self, place: str, tile: Tile, seen: SeenTile, ways: dict[str, int]) -> None:
        """Let arms go on from all sides of a tile, where it is a spinner. ways: the side on which its own arm does, first."""
        sides = self.state.sides_of(place, tile)
        if not sides or sides[0] in self.tips:  # of several new doubles one is the first
            return
        (up, down), on = sides, next(iter(ways.values()))
        for name, side in (ways | {down: on + 1, up: on + 3}).items():
            if name not in self.tips or self.tips[name].tile is seen:
                self.tips[name] = Knot(seen, 0, side % 4)

    def _next(self, up: Mapping[int, SeenTile], takes: Callable[[Knot], bool] = lambda tip: True,
              fits: Callable[[Knot, SeenTile, int], bool] | None = None) -> tuple[str, Knot] | None:
        """The tile that lies most firmly against an open end that takes any, and its arm; `fits`: one that fits, as it says."""
        tips = {name: tip for name, tip in self.tips.items()
                if self.lengths[name] >= 0 and not (name == "left" and self.state.kit.one_arm)}
        if len(tips) == 2 and tips["left"].tile is tips["right"].tile and is_double(tips["left"].tile):
            del tips["left"]  # both sides are alike: what comes first makes the right one
            up = self.there(("right", 1), up) or up
        return grown({name: tips[name] for name in sorted(tips, reverse=True) if takes(tips[name])}, up.values(), self.half, fits)

    def _ahead(self) -> dict[int, SeenTile]:
        """Those tiles that do not lie against the middle of the line, and touch a tip with a corner alone."""
        ends = {tip.tile.track for tip in self.tips.values()}
        inner = [self._rect(sight) for sight in self.tiles.values() if sight.track not in ends]

        def beside(seen: SeenTile) -> bool:
            at_tip = max(tip.contact(seen, self.half)[0] for tip in self.tips.values())
            return at_tip < FIRM and any(rect_of(seen).contact(rect, self.half) > at_tip + SOME for rect in inner)

        return {track: seen for track, seen in self.up.items() if not beside(seen)}

    def _beside(self) -> None:
        """Tiles that touch the line where nothing may be played."""
        for seen in list(self.up.values()):
            touched = [place for place, sight in self.tiles.items()
                       if place[0] != "side" and rect_of(seen).contact(self._rect(sight), self.half) >= FIRM]
            if touched:
                self.tiles[("side", touched[0], seen.track)] = sight_of(seen)
                del self.up[seen.track]

    def _rect(self, sight: Sight) -> Rect:
        return Rect(sight.center, sight.angle, 2 * self.half, self.half)


def _low_first(tile: SeenTile, known: Tile) -> bool:
    first, second = tile.probabilities
    return bool(first[known.low] * second[known.high] >= first[known.high] * second[known.low])
