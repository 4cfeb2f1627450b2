"""The line games on the table: a line that bends, followed by contact, its boneyard, and hands shown at a round's end.

Places: `("root",)`, then `("left", 1)`, `("left", 2)` ... and `("right", 1)` ... outward from the root; a tile against the
middle of the line lies at `("side", tile it touches, track)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engine.actions import Action
from engine.core import UNKNOWN
from engine.lines.actions import Play
from engine.lines.kit import rank
from engine.lines.line import Line
from engine.pieces import Tile
from engine.state import State
from referee.geometry import Rect, distance, half_side, rect_of
from referee.readers.boneyard import Boneyard
from referee.readers.follow import (
    BLANK,
    CORNER,
    FIRM,
    RATHER,
    Knot,
    blank,
    chance_of,
    contact,
    continued,
    crosswise,
    grown,
    is_blank,
    is_double,
    outer_half,
    sight_of,
)
from referee.readers.heap import Heap
from referee.readers.line_plays import ACROSS, LinePlays
from referee.reading import Count, Expected, Laid, Place, Reading, Sight
from referee.setting import Point, Setting
from vision.observation import Observation, SeenTile


def takes_blank(state: Line, knot: Knot) -> bool:
    """Whether the double blank may be laid there."""
    return bool(state.kit.fit(BLANK, knot.sight().ends[1]))


def fits(state: Line, knot: Knot, seen: SeenTile, outer: int) -> bool:
    """Whether a seen tile may be laid there with this half outward."""
    return seen.ends is not None and seen.ends[outer] in state.kit.fit(Tile.of(*seen.ends), knot.sight().ends[1])


class LineReader(LinePlays):
    """Reads Block & Draw and its kin."""

    open_deal = False

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._size = 24.0
        self._boneyard = Boneyard()
        self._begun: SeenTile | None = None  # the first tile, as it was last seen
        self._right: int | None = None  # the track that began the right arm
        self._heap = Heap(setting)
        self._backs: frozenset[int] = frozenset()  # tracks of the face-down tiles when the round was last played

    def read(self, seen: Observation, state: State) -> Reading:
        """The line as far as it can be followed from its first tile, the boneyard, and open tiles before the seats."""
        assert isinstance(state, Line)
        dealing = state.chance == "deal"
        if dealing:
            state = type(state)(state.rules, state.players)  # what lay there in the round before counts no more
        self._size = half_side(seen.tiles, self._size)
        up = {tile.track: tile for tile in seen.tiles if tile.ends is not None}
        down = {tile.track: tile for tile in seen.tiles if tile.ends is None}
        blanks = {} if any(is_blank(tile) for tile in up.values()) else {track: blank(tile) for track, tile in down.items()}
        tiles: dict[Place, Sight] = {}
        root = self._root(state, up)
        begun = root or (self._begun if state.root is not None else None)  # the arms lie there though their first tile is unseen
        across = self._follow(state, begun, up, blanks, tiles) if begun is not None else set()
        if root is None:
            tiles.pop(("root",), None)
        for sight in tiles.values():
            down.pop(sight.track, None)
        self._right = tiles["right", 1].track if ("right", 1) in tiles else None
        turned = {tile.track for tile in up.values()
                  if any(distance(tile.center, bone.place) < self._size for bone in self._boneyard.bones)}
        up |= self._shown_blank(state, blanks, down)
        loose = {tile.track: sight_of(tile) for tile in up.values()}
        hands: dict[int, list[Sight]] = {}
        for sight in loose.values():
            hands.setdefault(self.setting.nearest_seat(sight.center), []).append(sight)
        lying = [tile.center for tile in down.values()] + [loose[track].center for track in turned]
        return Reading(tiles, self._counts(state, lying, seen, dealing, bool(tiles or loose)), tuple(loose.values()),
                       hands={seat: tuple(sights) for seat, sights in hands.items()},
                       faults={("loose", track): "turned" for track in turned} | dict.fromkeys(across, ACROSS))

    def _shown_blank(self, state: Line, blanks: dict[int, SeenTile], down: dict[int, SeenTile]) -> dict[int, SeenTile]:
        """The double blank among hands that are shown, where it looks like a back; it leaves `down`.

        It is the only tile without pips, of those not in the boneyard, that came to lie there since the round is over.
        """
        if state.phase != "show":
            self._backs = frozenset(down)
            return {}
        came = [track for track, tile in down.items() if track in blanks and track not in self._backs
                and all(distance(tile.center, bone.place) > self._size for bone in self._boneyard.bones)]
        if len(came) != 1 or BLANK not in state._unseen():
            return {}
        del down[came[0]]
        return {came[0]: blanks[came[0]]}

    def _counts(self, state: Line, down: list[Point], seen: Observation, dealing: bool, open_tiles: bool) -> dict[str, Count]:
        """The boneyard; also the hands, where people let them lie face down at the edge."""
        due = len(state.kit.tiles) - state.kit.hand * state.players if dealing else len(state.boneyard)
        lying = self._heap.lying(down, due, dealing, self._size)
        strips = [self._heap.strip(point) for point in down if point not in lying]
        counts = {f"hand {seat}": Count(strips.count(seat), 0.5) for seat in range(state.players) if seat in strips}
        if not dealing:
            self._boneyard.go_on(state.story, due)
        self._boneyard.see(lying, seen, self._size)
        if dealing and not open_tiles:  # once a tile leads, others may have been drawn already
            self._boneyard.dealt(due)
            return {"boneyard": Count(len(lying))} | counts
        return {"boneyard": self._boneyard.count()} | counts

    def _root(self, state: Line, up: dict[int, SeenTile]) -> SeenTile | None:
        """The first tile of the line, as the state names it or as a new round shows it; taken out of `up`."""
        if state.root is not None:
            known = state.root
            likely = [tile for tile in up.values() if chance_of(tile, known) > 0.05]
            begun = self._begun.track if self._begun is not None else None
            best = max(likely, key=lambda tile: (tile.track == begun, chance_of(tile, known)), default=None)
        elif state.phase in ("lead", "deal"):
            best = max(up.values(), key=lambda tile: rank(Tile.of(*(tile.ends or (0, 0)))), default=None)
        else:
            best = None
        if best is not None:
            del up[best.track]
            self._begun = best
        return best

    def _follow(self, state: Line, root: SeenTile, up: dict[int, SeenTile], blanks: dict[int, SeenTile],
                tiles: dict[Place, Sight]) -> set[Place]:
        """Grow both arms from the root tile by tile, the known ones first; what is placed leaves `up`.

        The places of new tiles that lie across the line.

        blanks: face-down tiles as double blanks, which look like backs: one at an end that it fits is the double blank.
        """
        low_first = root.ends is None or state.root is None or self._low_first(root, state.root)
        tiles[("root",)] = sight_of(root, turned=not low_first)
        tips = {"left": Knot(root, 0 if low_first else 1), "right": Knot(root, 1 if low_first else 0)}
        lengths = {"left": 0, "right": 0}
        arms = {"left": state.left_arm, "right": state.right_arm}
        open_arms = {"left", "right"} - ({"left"} if state.kit.one_arm else set())
        for name in ("left", "right"):
            for at, (inner, outer) in enumerate(arms[name], 1):
                lost = at - 1 - lengths[name]
                among = up if inner or outer else up | blanks
                knot = continued(tips[name], (inner, outer), among, 2.6 + 2 * lost, self._size)
                if knot is None:
                    continue
                if lost and not is_double(knot.tile):
                    knot = Knot(knot.tile, outer_half(knot.tile, outer))
                if up.pop(knot.tile.track, None) is None:
                    blanks = {}
                tiles[(name, at)] = knot.sight()
                tips[name], lengths[name] = knot, at
        if state.phase == "show":
            return set()  # the line is finished; hands shown may touch it
        across: set[Place] = set()
        while more := (self._next(tips, {arm: tips[arm] for arm in open_arms}, self._ahead(tips, tiles, up)) or
                       self._next(tips, {arm: tips[arm] for arm in open_arms if takes_blank(state, tips[arm])}, blanks) or
                       self._next(tips, {arm: tips[arm] for arm in open_arms}, up, partial(fits, state))):
            name, knot = more
            lengths[name] += 1
            if crosswise(tips[name], knot.tile):
                across.add((name, lengths[name]))
            if up.pop(knot.tile.track, None) is None:
                blanks = {}
            tiles[(name, lengths[name])] = knot.sight()
            tips[name] = knot
        self._beside(tiles, up)
        return across

    @staticmethod
    def _low_first(tile: SeenTile, known: Tile) -> bool:
        first, second = tile.probabilities
        return bool(first[known.low] * second[known.high] >= first[known.high] * second[known.low])

    def _next(self, tips: dict[str, Knot], open_arms: dict[str, Knot], up: dict[int, SeenTile],
              apart: Callable[[Knot, SeenTile, int], bool] | None = None) -> tuple[str, Knot] | None:
        """The tile that lies most firmly against an open end, and its arm; `apart`: of those that fit, as this says."""
        alone = tips["left"].tile is tips["right"].tile and is_double(tips["left"].tile)
        if alone and len(open_arms) == 2:  # both sides are alike: what comes first makes the right one
            open_arms = {"right": open_arms["right"]}
            up = {self._right: up[self._right]} if self._right in up else up
        return grown(dict(sorted(open_arms.items(), reverse=True)), up.values(), self._size, apart)

    def _ahead(self, tips: dict[str, Knot], tiles: dict[Place, Sight], up: dict[int, SeenTile]) -> dict[int, SeenTile]:
        """Those tiles that do not lie against the middle of the line, and touch a tip with a corner alone."""
        ends = {knot.tile.track for knot in tips.values()}
        inner = [self._rect(sight) for sight in tiles.values() if sight.track not in ends]

        def beside(seen: SeenTile) -> bool:
            at_tip = max(contact(seen, knot.tip, self._size)[0] for knot in tips.values())
            return at_tip < CORNER and any(rect_of(seen).contact(rect, self._size) > at_tip + RATHER for rect in inner)

        return {track: seen for track, seen in up.items() if not beside(seen)}

    def _beside(self, tiles: dict[Place, Sight], up: dict[int, SeenTile]) -> None:
        """Tiles that touch the line where nothing may be played; they leave `up`."""
        for seen in list(up.values()):
            touched = [place for place, sight in tiles.items()
                       if place[0] != "side" and rect_of(seen).contact(self._rect(sight), self._size) >= FIRM]
            if touched:
                tiles[("side", touched[0], seen.track)] = sight_of(seen)
                del up[seen.track]

    def _rect(self, sight: Sight) -> Rect:
        return Rect(sight.center, sight.angle, 2 * self._size, self._size)

    def expected(self, state: State) -> Expected:
        """The line and the boneyard; hands lie hidden, and are not counted where they stand."""
        assert isinstance(state, Line)
        if state.chance == "deal":
            return Expected({}, {}, {})
        tiles: dict[Place, Laid] = {}
        if state.root is not None:
            tiles[("root",)] = Laid((state.root.low, state.root.high))
        for name, arm in (("left", state.left_arm), ("right", state.right_arm)):
            for at, ends in enumerate(arm, 1):
                tiles[(name, at)] = Laid(ends)
        counts = {"boneyard": len(state.boneyard)}
        counts |= {f"hand {seat}": len(hand) for seat, hand in enumerate(state.hands)}
        unshown = {seat: len(hand) for seat, hand in enumerate(state.hands) if UNKNOWN in hand}
        over = state.chance == "show" or state.outcome() is not None
        return Expected(tiles, counts, unshown if over else None, finished=over and state.ending == "domino")

    def unready(self, state: State, reading: Reading) -> list[str]:
        """Open tiles must be turned before play begins."""
        count = len(reading.loose) + len(reading.tiles)
        return [f"{count} tiles lie open: turn them face down."] if count else []

    def advice(self, state: State, reading: Reading) -> list[str]:
        """Whether the boneyard holds what is left after the deal, where it lies open to be counted."""
        assert isinstance(state, Line)
        rest = len(state.kit.tiles) - state.kit.hand * state.players
        boneyard = reading.counts["boneyard"].value
        found = []
        standing = [reading.counts[f"hand {seat}"].value for seat in range(state.players) if f"hand {seat}" in reading.counts]
        for seat, hand in enumerate(standing if len(standing) == state.players else []):
            if hand != state.kit.hand:
                found.append(f"{self._name(seat)} takes {state.kit.hand} tiles; {hand} lie there.")
        if not found and boneyard != rest:
            found.append(f"The boneyard should have {rest} tiles face down; {boneyard} are seen.")
        return found

    def drawing(self, state: State) -> dict[str, Any]:
        """The line from left to right, its open ends, the boneyard."""
        assert isinstance(state, Line)
        chain: list[dict[str, Any]] = []
        if state.root is not None:
            chain = [{"place": ["left", at], "ends": [outer, inner]} for at, (inner, outer) in enumerate(state.left_arm, 1)][::-1]
            chain.append({"place": ["root"], "ends": [state.root.low, state.root.high]})
            chain += [{"place": ["right", at], "ends": [inner, outer]} for at, (inner, outer) in enumerate(state.right_arm, 1)]
        ends = {} if state.root is None else dict(state._open_ends())
        return {"kind": "line", "line": chain, "open": ends, "boneyard": len(state.boneyard),
                "hands": [len(hand) for hand in state.hands]}

    def places(self, state: State, tile: Tile, seat: int | None = None) -> list[dict[str, Any]]:
        """The arms on which a tile may be laid."""
        assert isinstance(state, Line)
        if state.turn is None or (seat is not None and seat != state.turn):
            return []
        if state.phase == "lead":
            plays: Sequence[Action] = state._leads([tile])
        else:
            plays = state._plays([tile])
        return [{"place": ["root"] if play.arm == "root" else [play.arm], "open": play.open, "action": str(play)}
                for play in plays if isinstance(play, Play)]
