"""Lines of tiles followed by contact: which seen tile continues a line, known or new."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set, Sized
from dataclasses import replace
from math import dist
from typing import Any, NamedTuple, TypeVar

import numpy as np

from engine.pieces import Tile
from referee.geometry import BESIDE, FAINT, FIRM, Rect, rect_of
from referee.reading import Place, Sight
from referee.setting import Point
from vision.degrees import EVEN, HALF, HARDLY, NEVER, PLAIN, RARELY, SOME, SURE
from vision.observation import SeenTile

BLANK = Tile(0, 0)

Name = TypeVar("Name", str, int)
"""What a line is called."""


class Knot(NamedTuple):
    """A tile of the line as seen: the tile, and which of its halves points outward. side: of a spinner, the side of it on which
    this arm goes on, as `Rect.side_towards` counts them; None where any will do. firm: how firmly at least a tile lies against
    it that goes on with the line."""

    tile: SeenTile
    outer: int
    side: int | None = None
    firm: float = FIRM

    @property
    def tip(self) -> Rect:
        """Where the next tile is laid against: the outer half; all of a tile whose halves show the same."""
        rect = rect_of(self.tile)
        return rect if self.side is not None or is_double(self.tile) else rect.half(self.outer)

    def contact(self, seen: SeenTile, half: float) -> tuple[float, int]:
        """How firmly a tile lies against the tip, and with which half; of two that lie about as firmly the half that is nearer.

        A double lies crosswise, with both its halves. half: the side of half a tile.
        """
        tip, rect = self.tip, rect_of(seen)
        halves = [rect.half(which) for which in (0, 1)]
        firm = [each.contact(tip, half) for each in halves]
        away = [dist(each.center, tip.center) for each in halves]
        inner = int(firm[1] > firm[0] if abs(firm[1] - firm[0]) > SOME else away[1] < away[0])
        touching = rect if is_double(seen) else halves[inner]
        if self.side not in (None, tip.side_towards(touching.center)):
            return 0.0, inner
        return rect.contact(tip, half) if is_double(seen) else firm[inner], inner

    def sight(self) -> Sight:
        """Inner end first."""
        return sight_of(self.tile, turned=self.outer == 0)


def is_double(tile: SeenTile) -> bool:
    """Whether it is read as one."""
    return tile.ends is not None and tile.ends[0] == tile.ends[1]


def sight_of(tile: SeenTile, turned: bool = False) -> Sight:
    """The tile as it is seen, its second half first where it is turned."""
    probabilities = tile.probabilities[::-1] if turned else tile.probabilities
    return Sight(probabilities, tile.score, tile.center, tile.angle, tile.track, tile.veiled, tile.ends is not None,
                 bool(tile.under))


def chance_of(tile: SeenTile | Sight, ends: Tile) -> float:
    """How likely a seen tile is this one, either way round."""
    first, second = tile.probabilities
    return float(max(first[ends.low] * second[ends.high], first[ends.high] * second[ends.low]))


def recognised(seen: Iterable[SeenTile], known: Sequence[Tile], before: Mapping[Tile, int], due: Collection[Tile] = (),
               ) -> dict[Tile, int]:
    """The track of each known tile that is seen, each once: those first that had it before, then those due, then the surest."""
    pairs = sorted(((before.get(name) == tile.track, name in due, chance_of(tile, name), tile.track, name)
                    for tile in seen for name in known), reverse=True)
    found: dict[Tile, int] = {}
    for _, _, chance, track, name in pairs:
        if chance > RARELY and name not in found and track not in found.values():
            found[name] = track
    return found


def named_places(what: str, seen: Iterable[SeenTile], named: Mapping[Tile, int]) -> dict[Place, Sight]:
    """Tiles by their names, `(what, low, high)`, those first; the others at `("new", track)`. named: the tracks of the names."""
    left = {tile.track: sight_of(tile) for tile in seen}
    places: dict[Place, Sight] = {(what, *name): left.pop(track) for name, track in named.items()}
    return places | {("new", track): sight for track, sight in left.items()}


def beside_others(sight: Sight, others: Collection[Tile]) -> Sight:
    """What seems a tile that lies elsewhere already is hardly one more of them: it is misread, or no tile at all."""
    once_more = min(1 - HARDLY, sum(chance_of(sight, tile) for tile in others))
    return replace(sight, score=sight.score * (1 - once_more) / (1 - sight.there * once_more))


def is_blank(tile: SeenTile) -> bool:
    """Whether it is read as the double blank."""
    return chance_of(tile, BLANK) > EVEN


def _is_unsure(tile: SeenTile) -> bool:
    """Whether it may be a back with a scratch: what is not read plainly, and a double blank, since a scratch looks like a bar."""
    return tile.ends == (0, 0) or tile.score < PLAIN


def tracks_of(lay: Mapping[Place, Sight], within: Place, lines: Iterable[tuple[Any, Sized]]) -> set[int]:
    """The tracks of the tiles of lines, by their names, as they were last seen. within: what their places begin with."""
    places = ((*within, name, at + 1) for name, line in lines for at in range(len(line)))
    return {lay[place].track for place in places if place in lay}


def up_and_down(tiles: Sequence[SeenTile], bones: Sequence[Point], gone: Set[int] = frozenset(), played: Set[int] = frozenset(),
                ) -> tuple[dict[int, SeenTile], dict[int, SeenTile]]:
    """The tiles that lie face up and face down, by track; gone: of the former, those that are not there any more.
    bones: where the tiles of the boneyard lay. played: tracks of those that were played, and are no backs however they are read.

    Hardly anybody turns one of the boneyard up where it lies: what is not read more surely than that is its back with a scratch.
    What is not read plainly, and lies beside backs, at least two of them nearer than any open tile, is one of them.
    """
    unsure = {tile.track for tile in tiles if _is_unsure(tile)} - played
    down = {tile.track: tile for tile in tiles if tile.ends is None or (
        tile.track in unsure and any(dist(tile.center, place) < tile.width / 2 for place in bones))}
    up = {tile.track: tile for tile in tiles if tile.track not in down and tile.track not in gone}
    plain = [tile for track, tile in up.items() if track not in unsure]
    for odd in [tile for track, tile in up.items() if track in unsure]:
        backs, faces = (sorted(dist(odd.center, tile.center) for tile in lying) for lying in (down.values(), plain))
        if len(backs) > 1 and backs[1] < min([*faces, BESIDE * odd.width]):
            down[odd.track] = up.pop(odd.track)
    return up, down


def blank(tile: SeenTile) -> SeenTile:
    """A tile without pips as the double blank, which has no back to show."""
    rows = np.full((2, 16), 1e-4, np.float32)
    rows[:, 0] = 1 - 15e-4
    return replace(tile, ends=(0, 0), probabilities=rows, score=SURE)


def all_open(tiles: Iterable[SeenTile]) -> list[SeenTile]:
    """Tiles of which none lies face down: the only one without pips is the double blank, where no other is read as that."""
    lying = list(tiles)
    plain = [tile for tile in lying if tile.ends is None]
    if len(plain) != 1 or any(tile.ends is not None and is_blank(tile) for tile in lying):
        return lying
    return [blank(tile) if tile is plain[0] else tile for tile in lying]


def outer_half(tile: SeenTile, outer: int) -> int:
    """Which half shows the outer end."""
    return 0 if tile.probabilities[0][outer] > tile.probabilities[1][outer] else 1


def crosswise(tip: Knot, seen: SeenTile) -> bool:
    """Whether a tile lies across the way on from a tip, with its middle before it, as doubles alone are laid.

    A single laid round a corner lies half a half aside."""
    away = np.subtract(seen.center, tip.tip.center)
    return bool(abs(away @ (np.cos(seen.angle), np.sin(seen.angle))) < SOME * np.linalg.norm(away))


def continued(tip: Knot, ends: tuple[int, int], up: Mapping[int, SeenTile], lost: int, half: float) -> Knot | None:
    """The seen tile that continues a line as the state says: it touches and shows it, or is that tile for sure.

    ends: inner, outer. lost: so many tiles are not seen between them, each of two halves; what touches nothing may lie beyond.
    """
    tile = Tile.of(*ends)
    best, most = None, 0.0
    for seen in up.values():
        firm, chance = tip.contact(seen, half)[0], chance_of(seen, tile)
        touches = chance > RARELY and firm >= (FAINT if chance > EVEN else FIRM)
        worth = chance + SOME * firm if touches else 0.0
        if not touches and chance > SURE and dist(seen.center, tip.tip.center) < (BESIDE + 2 * lost) * half:
            worth = HALF * chance
        if worth > most:
            best, most = seen, worth
    if best is None:
        firm, track = max(((tip.contact(seen, half)[0], seen.track) for seen in up.values()), default=(0.0, 0))
        if firm < FIRM or (up[track].score > SURE and chance_of(up[track], tile) < NEVER):  # clearly another, not misread
            return None
        best = up[track]
    if chance_of(best, tile) > EVEN and not tile.is_double:
        return Knot(best, outer_half(best, ends[1]))
    return Knot(best, 1 - tip.contact(best, half)[1])


def grown(tips: Mapping[Name, Knot], up: Iterable[SeenTile], half: float,
          fits: Callable[[Knot, SeenTile, int], bool] | None = None) -> tuple[Name, Knot] | None:
    """The tile that lies most firmly against a line's tip, and the name of that line.

    fits: whether a tile may be laid there with this half outward; with it a tile that fits may lie a little apart, twice as far
    from the tip as others, since lines are pushed, and laid without care.
    """
    best, most, reach = None, 0.0, half if fits is None else 2 * half
    for seen in up:
        for name, knot in tips.items():
            firm, inner = knot.contact(seen, reach)
            if firm >= max(most, knot.firm if fits is None else FAINT) and (fits is None or fits(knot, seen, 1 - inner)):
                best, most = (name, Knot(seen, 1 - inner)), firm
    return best
