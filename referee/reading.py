"""A table in a game's own coordinates: what is seen there, what a state expects there, and how the two differ.

A place is a tuple that the game chooses: `("right", 3)` is the third tile of the line's right arm, `("market", 0)` the
cheapest slot, `("grid", 1, cells, level)` two cells of the second seat's grid, `("hand", 0, 2)` an open tile before a seat.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from math import log, prod
from typing import Any, Literal, Protocol

import numpy as np

from engine.actions import Action
from engine.core import Verdict
from engine.pieces import DOUBLE_SIX
from engine.words import joined, say
from referee.setting import Point, Setting
from vision.degrees import HARDLY, LIKELY, NEVER, RARELY, SELDOM, SURE, nats_against
from vision.observation import Array, Observation, SeenTile
from vision.reader import MODELS

Place = tuple[Any, ...]
Ends = tuple[int, int]

MISSING = EXTRA = nats_against(NEVER)
"""Nats against a tile that lies openly and is not seen (about one in a thousand), and against one that is clearly seen and does
not exist."""

CLEAR = nats_against(RARELY)
"""Nats of misfit that an explanation may leave."""

MISCOUNTED = nats_against(HARDLY / 2)
"""Nats against a heap having one more, or one fewer, than is counted; what one thing that was not found counts for at most."""

ILLEGAL = nats_against(HARDLY)
"""Nats against an illegal play."""

RARE, LESS = nats_against(SELDOM), nats_against(LIKELY)
"""Nats against what happens seldom, as a tile being taken unseen where that can be; and against what is done less than something
else that looks alike: a tile drawn that might lie unseen, a turn that ends early, a bonus let go."""

ENDS = (DOUBLE_SIX.highest + 1) ** 2
"""So many pairs of ends the common set has."""

JOINT = "joint"
"""Among a reading's faults: what seems to be a tile may be the joint of two others, end to end."""

FILE = MODELS / "missed.json"
"""How often pieces are not seen where they lie, as `kibitz measure-pieces --game` measures it."""


@cache
def unseen() -> Mapping[str, float]:
    """Nats against a coin, die or pawn that lies there and is not seen, by its kind."""
    told = json.loads(FILE.read_text(encoding="utf-8"))["missed"]
    return {kind: -log(share) for kind, share in told.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A tile seen at a place, its halves in the order of the place. probabilities: (2, 16), rows sum to 1.

    up: it lies face up. raised: it is seen to lie on other tiles.
    """

    probabilities: Array
    score: float
    center: tuple[float, float]
    angle: float
    track: int
    veiled: bool = False
    up: bool = True
    raised: bool = False

    @property
    def ends(self) -> Ends:
        """What it most likely shows, in the order of the place."""
        first, second = self.probabilities.argmax(axis=1)
        return int(first), int(second)

    @property
    def there(self) -> float:
        """How likely a tile lies there at all; `score` is how likely one does and shows what it most likely shows."""
        return min(1.0, self.score / float(self.probabilities.max(axis=1).prod())) if self.up else self.score

    @property
    def nats(self) -> float:
        """Nats against an explanation that has no tile there: less, the more a sight may be none; 0 where it is likelier none."""
        return EXTRA * max(0.0, 2 * self.there - 1)

    def chance(self, ends: Ends, either_way: bool = False) -> float:
        """How likely it shows these ends, if it is a tile that lies face up."""
        first, second = self.probabilities
        given = float(first[ends[0]] * second[ends[1]])
        return max(given, float(first[ends[1]] * second[ends[0]])) if either_way else given

    def cost(self, ends: Ends, either_way: bool = False) -> float:
        """Nats against these ends, beside the best reading of the tile (0 for that)."""
        return _cost(self, ends, either_way)

    def likely(self, least: float = NEVER) -> list[Ends]:
        """The ends it may show, those that are likelier than `least`, likeliest first."""
        both = np.outer(self.probabilities[0], self.probabilities[1])
        found = [(first, second) for first, second in np.argwhere(both > least).tolist()]
        return sorted(found, key=lambda ends: -both[ends])

    def possible(self) -> list[Ends]:
        """All ends against which less speaks than against its being no tile: any, where the reading is worth little."""
        told = _told(np.outer(self.probabilities[0], self.probabilities[1]), self.there, ENDS)
        return [(first, second) for first, second in np.argwhere(told > NEVER * told.max()).tolist()]


@lru_cache(8192)  # the same tile is weighed in every state that is tried
def _cost(sight: Sight, ends: Ends, either_way: bool) -> float:
    if not sight.up:
        return EXTRA
    first, second = sight.probabilities
    best = float(first.max() * second.max())
    return _against(sight.chance(ends, either_way), best, sight.there, ENDS)


def _told(chance: Any, there: float, among: int) -> Any:
    """How likely one of that many is what is shown, where it is read with this chance. there: how likely anything is there at
    all: where the reading is worth nothing each is as likely as another."""
    doubt = min(max(1 - there, NEVER), SURE)
    return (1 - doubt) * chance + doubt / among


def _against(given: float, best: float, there: float, among: int) -> float:
    """Nats against what is read with this chance, beside the likeliest."""
    return max(0.0, log(_told(best, there, among)) - log(_told(given, there, among)))


@dataclass(frozen=True, slots=True, eq=False)
class PieceSight:
    """A coin, die or pawn seen at a place. labels: what it may show there, in the game's words, with the probability of each.

    there: the probability that it is there at all.
    """

    labels: Mapping[str, float]
    there: float
    center: tuple[float, float]
    track: int

    @property
    def label(self) -> str:
        """What it most likely shows."""
        return max(self.labels, key=self.labels.__getitem__)

    def cost(self, label: str) -> float:
        """Nats against its showing this, beside what it most likely shows (0 for that)."""
        return _against(self.labels.get(label, 0.0), max(self.labels.values()), self.there, 10)  # a suit or a value


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """Pieces that may be taken for each other, so that what they show is weighed together.

    places: of each of them. ways: all ways in which they can be those that are seen, each with how likely every one of them is
    there and shows what, by label; None for those that nobody sees then.
    """

    places: tuple[Place, ...] = ()
    ways: tuple[tuple[Mapping[str, float] | None, ...], ...] = ()

    def wrong(self, due: Mapping[Place, str], seen: Mapping[Place, PieceSight]) -> dict[Place, float]:
        """Nats against what they should show, by the places where each by itself most likely shows something else."""
        best = {place: seen[place].label for place in self.places if place in seen}
        otherwise = [place for place, label in best.items() if due.get(place, label) != label]
        odds = [_odds(self, tuple(labels.get(place) for place in self.places)) for labels in (best, best | dict(due))]
        return dict.fromkeys(otherwise, max(0.0, log(odds[0] / odds[1])) / len(otherwise)) if otherwise else {}


@lru_cache(8192)  # many states show the same
def _odds(alike: Alike, labels: tuple[str | None, ...]) -> float:
    """How likely they show these, be they taken for each other in whatever way; None: whatever it shows."""
    chances = ([sum(look.values()) if label is None else (1 - NEVER) * look.get(label, 0.0) + NEVER / 10 * sum(look.values())
                for look, label in zip(way, labels, strict=True) if look is not None] for way in alike.ways)
    return sum(map(prod, chances))


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile that should lie at a place. ends: None for an open tile not yet known. covered: others lie on it."""

    ends: Ends | None
    either_way: bool = False
    covered: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something there are; `unsure`: nats against being wrong by one. maybe: of each that may have gone and still
    counts, the nats that by its looks it has. gone: where the last lay that was seen to go."""

    value: int
    unsure: float = MISCOUNTED
    maybe: tuple[float, ...] = ()
    gone: tuple[float, float] | None = None

    def against(self, due: int) -> float:
        """Nats against there being so many."""
        unseen = max(0, min(self.value - due, len(self.maybe)))
        off = abs(self.value - due) - unseen
        likeliest = sorted(self.maybe, reverse=True)
        looks = sum(max(0.0, -nats) for nats in likeliest[:unseen]) + sum(max(0.0, nats) for nats in likeliest[unseen:])
        return looks + (self.unsure * (1 + off) / 2 if off else 0.0)


@dataclass(frozen=True, eq=False)
class Expected:
    """What the table shows when a state is laid out: open tiles by place, and how many lie in each heap.

    unshown: at a round's end, how many tiles each seat has still to show; open tiles then lie before the seats by right,
    until so many lie there that they have been shown, or more than the seat can have. apart: tracks of loose tiles that are
    accounted for. finished: what was laid out is whole: open tiles that touch it are shown, not laid.
    pieces: coins, dice and pawns by place, and what they show there.
    """

    tiles: Mapping[Place, Laid]
    counts: Mapping[str, int] = field(default_factory=dict)
    unshown: Mapping[int, int] | None = None
    apart: frozenset[int] = frozenset()
    finished: bool = False
    pieces: Mapping[Place, str] = field(default_factory=dict)

    def without(self, *places: Place, tiles: Mapping[Place, Laid] = {}, pieces: Mapping[Place, str] = {}) -> Expected:
        """The same without what lies at these places, and with these."""
        return replace(self, tiles={place: laid for place, laid in self.tiles.items() if place not in places} | dict(tiles),
                       pieces={place: label for place, label in self.pieces.items() if place not in places} | dict(pieces))


@dataclass(frozen=True, slots=True)
class Reached:
    """Seats whose hands came over the table. perhaps: seats at whose edge something moved, be it a hand or the shadow of one.
    tips: how far each seat's hand reached when it came last, mm.
    """

    seats: frozenset[int] = frozenset()
    perhaps: frozenset[int] = frozenset()
    tips: Mapping[int, Point] = field(default_factory=dict)

    @property
    def came(self) -> frozenset[int]:
        """Whose hands came: where no picture shows one, the seats at whose edge something moved."""
        return self.seats or self.perhaps


@dataclass(frozen=True, eq=False)
class Reading:
    """What is seen, in the game's coordinates.

    loose: open tiles that lie at no place of the game; hands: the same, by the seat in front of which they lie.
    hidden: places that a hand covers now. reached: whose hands came over the table since the last decision; lately: since a
    still table last showed something done, though it did not yet count. in_vain: seats whose hands came since then, and
    nothing was seen to have changed.
    faults: what a game noticed about single places beyond their numbers, as a tile that lies across its line.
    askew: log-odds that the tile at a place was laid off the game's grid, rather than on it.
    lifted: tiles as they lay before hands took them up since then, in the order in which that was seen.
    untouched: tiles that were seen to lie where they did when the first of those had gone.
    noted: what the game's reader knew of this look and those before it: the memory for the next one.
    faint: how surely a tile was last read at places where one lies.
    pieces: coins, dice and pawns at places of the game; alike: which of them may be taken for each other.
    pairs: (n, 2, 2) mm, where both halves of a tile may lie; None where tiles may lie anywhere.
    led: but one tile lies open, which did not in the round before. drawn: all was dealt, nobody has told who begins, and the
    boneyard has fewer tiles since.
    """

    tiles: Mapping[Place, Sight]
    counts: Mapping[str, Count] = field(default_factory=dict)
    loose: tuple[Sight, ...] = ()
    hidden: frozenset[Place] = frozenset()
    hands: Mapping[int, tuple[Sight, ...]] = field(default_factory=dict)
    reached: Reached = Reached()
    lately: Reached = Reached()
    in_vain: frozenset[int] = frozenset()
    faults: Mapping[Place, str] = field(default_factory=dict)
    askew: Mapping[Place, float] = field(default_factory=dict)
    lifted: tuple[SeenTile, ...] = ()
    untouched: tuple[SeenTile, ...] = ()
    noted: Any = None
    faint: Mapping[Place, float] = field(default_factory=dict)
    pieces: Mapping[Place, PieceSight] = field(default_factory=dict)
    alike: Alike = Alike()
    pairs: Array | None = None
    led: bool = False
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a reading and an expected table part, and how many nats that costs.

    kind: a tile is `missing`, there is an `extra` one, or one that is but the `joint` of others, one is `wrong` (`seen` instead
    of `due`), or a `count` is off. due, seen: the ends of a tile, None where they are not known; what a coin, die or pawn shows,
    a text; or how many there are.
    """

    kind: Literal["missing", "extra", "joint", "wrong", "loose", "count"]
    place: Place
    cost: float
    due: Any = None
    seen: Any = None
    center: tuple[float, float] | None = None


def differences(expected: Expected, reading: Reading) -> list[Difference]:
    """Everything in which a reading is not what is expected; certain misfits and mere doubts alike, by their cost."""
    found = []
    for place, laid in expected.tiles.items():
        sight = reading.tiles.get(place)
        if sight is None:
            if not laid.covered and place not in reading.hidden:
                unseen = max(1 - reading.faint.get(place, 1.0), NEVER)  # what was hardly seen may as well not be
                found.append(Difference("missing", place, nats_against(unseen), laid.ends))
        elif laid.ends is not None and not laid.covered:
            cost = sight.cost(laid.ends, laid.either_way)
            if cost > 0:
                seen = sight.ends if sight.up else None
                found.append(Difference("wrong", place, cost, laid.ends, seen, sight.center))
    for place, sight in reading.tiles.items():
        if place not in expected.tiles and not expected.finished and sight.nats > 0:
            joint = reading.faults.get(place) == JOINT
            cost = sight.nats * CLEAR / EXTRA if joint else sight.nats
            found.append(Difference("joint" if joint else "extra", place, cost, None, sight.ends, sight.center))
    found += [Difference("loose", ("loose", sight.track), sight.nats, None, sight.ends, sight.center)
              for sight in _unexplained(expected, reading) if sight.nats > 0]
    for name, count in expected.counts.items():
        seen_count = reading.counts.get(name)
        if seen_count is not None and seen_count.value != count:
            found.append(Difference("count", (name,), seen_count.against(count), count, seen_count.value))
    return found + _of_pieces(expected, reading)


def _of_pieces(expected: Expected, reading: Reading) -> list[Difference]:
    """The same of coins, dice and pawns."""
    found = []
    alike = reading.alike.wrong(expected.pieces, reading.pieces)
    for place, label in expected.pieces.items():
        sight = reading.pieces.get(place)
        if sight is None:
            if place not in reading.hidden:
                found.append(Difference("missing", place, unseen()[place[0]], label))
        elif (cost := alike.get(place, 0.0) if place in reading.alike.places else sight.cost(label)) > 0:
            found.append(Difference("wrong", place, cost, label, sight.label, sight.center))
    return found + [Difference("extra", place, nats_against(max(1 - sight.there, NEVER)), None, sight.label, sight.center)
                    for place, sight in reading.pieces.items() if place not in expected.pieces]


def _unexplained(expected: Expected, reading: Reading) -> Iterable[Sight]:
    if expected.unshown is None:
        return [sight for sight in reading.loose if sight.track not in expected.apart]
    return [sight for seat, sights in reading.hands.items()
            if seat in expected.unshown and len(sights) >= expected.unshown[seat] for sight in sights]


def total(found: Iterable[Difference]) -> float:
    """The nats of all differences together."""
    return sum(each.cost for each in found)


def clear(found: Iterable[Difference]) -> float:
    """The same without what was only overlooked: nothing that is seen is held up by it."""
    return total(each for each in found if each.cost > MISCOUNTED or not (
        each.kind == "count" or (each.kind == "missing" and isinstance(each.due, str))))


def left_over(misfit: Iterable[Difference], before: Iterable[Difference]) -> list[Difference]:
    """A misfit without known tiles that are merely not seen now, whatever was played: they were missing before, too."""
    missing = {each.place for each in before if each.kind == "missing"}
    return [each for each in misfit if each.kind != "missing" or each.place not in missing]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A legal action worth trying. cost: nats against it before anything is seen; leaves: what is seen against it.

    hand: the seat whose hand must have come over the table for it; None where none need have. at: where it laid a tile, mm.
    """

    action: Action
    cost: float = 0.0
    leaves: float = 0.0
    hand: int | None = None
    at: Point | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Breach:
    """A clear physical play that no legal action is: what it breaks, and the table as it would then lie.

    action: where the engine has a word for it. seat: who did it, where that is seen; hand: whose hand must have come for it
    since the last decision. pending: it may just not be finished,
    and `steps` say what is still to do.
    """

    verdict: Verdict
    supposed: Expected
    words: str
    cost: float
    action: Action | None = None
    seat: int | None = None
    center: tuple[float, float] | None = None
    pending: bool = False
    steps: tuple[str, ...] = ()
    hand: int | None = None


class Reader(Protocol):
    """What a game fills in so that its table can be refereed; it never changes. States are those of that game.

    open_deal: whether a deal is read from the tiles as they lie. all_down: whether none may lie open before it. unread: its
    memory before the first look.
    """

    setting: Setting
    open_deal: bool = False
    all_down: bool = False
    unread: Any

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def _name(self, seat: int | None) -> str:
        return self.setting.names[seat] if seat is not None else say("Somebody")

    def _noted(self, reading: Reading) -> Any:
        """What was known when the table was read so; nothing where it was not looked at."""
        return reading.noted or self.unread

    def read(self, seen: Observation, state: Any, memory: Any) -> Reading:
        """What is seen, in this game's coordinates, given the state that the table was in before, and what was noted at the look
        before: a frozen value, so that a look at a state that is only supposed leaves nothing behind."""

    def expected(self, state: Any, reading: Reading) -> Expected:
        """What the table looks like in a state; a tile that may lie anywhere, where the reading shows it."""

    def proposals(self, state: Any, reading: Reading) -> list[Proposal]:
        """Legal actions, of chance too, that may have led from this state towards the reading."""

    def breaches(self, state: Any, reading: Reading) -> list[Breach]:
        """Illegal plays that the reading may show in this state, in which a seat is to move, or is to roll dice."""

    def unready(self, state: Any, reading: Reading) -> list[str]:
        """What the set-up still lacks, in plain words, before a state is dealt; empty when play may begin."""

    def advice(self, state: Any, reading: Reading) -> list[str]:
        """What looks miscounted in the set-up, in plain words: it is said, but play may begin; nothing where nobody counts."""
        return []

    def revokes(self, state: Any, show: Action) -> list[str]:
        """What tiles shown prove about earlier turns of that seat, one sentence for each proven fault; nothing where turns say
        nothing of what is kept in hands."""
        return []

    def words(self, state: Any, action: Action) -> str:
        """What an action about to be done in this state is, in plain words."""

    def step(self, difference: Difference, state: Any) -> str:
        """How to put a difference right, in plain words."""


PLACES = {"coin": say("coin"), "die": say("die"), "pawn": say("pawn"), "pile": say("bone pile"), "boneyard": say("boneyard"),
          "hand": say("hand"), "chips": say("chips"), "bank": say("bank")}
"""What may lie at a place, or be counted there; of hands and chips the seat follows."""


def in_words(left: Difference) -> str:
    """What an explanation leaves unexplained, in words."""
    what, _, seat = str(left.place[0]).partition(" ")
    place = joined((PLACES.get(what, what), seat)) if seat else PLACES.get(what, what)
    if left.kind == "count":
        return say("{what}: {seen} seen, not {due}", what=place, seen=left.seen, due=left.due)
    if isinstance(left.due, str) or isinstance(left.seen, str):  # a coin, a die or a pawn
        due = say("the {what} ({shows})", what=place, shows=left.due)
        seen = say("a {what} ({shows})", what=place, shows=left.seen)
    else:
        due = say("a tile") if left.due is None else say("the {tile}", tile="{}-{}".format(*left.due))
        seen = say("a {tile}", tile="{}-{}".format(*left.seen)) if isinstance(left.seen, tuple) else say("a face-down tile")
    return {"missing": say("{due} is not seen", due=due), "wrong": say("{seen} is read, not {due}", seen=seen, due=due),
            "joint": say("{seen} is seen, or a joint", seen=seen), "extra": say("{seen} is seen", seen=seen),
            "loose": say("{seen} lies apart", seen=seen)}[left.kind]
