"""Dominoids on the table: the board with all that lies on its cells, the gene pool beside it, and the dice on their mat.

Places: `("lies", first, second)` for a tile on two cells, `("coin", cell)` and `("pawn", cell)`, `("die", suit)` wherever the
die lies, `("pool", low, high)` for a tile that lies open beside the board, `("askew", track)` for one that lies on the board
and on no two cells, and `("new", track)` for one beside it that is none of the game's.

Whoever chooses two dice lays them beside their boxes, on the mat; after both actions they are rolled into the New box. So
the table shows which dice are old, new, and taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import dist, inf, prod, sqrt

import cv2

from calibration.mats import DICE_BOX
from engine.core import replaced
from engine.dominoids.actions import FIGURE_COINS, FIGURE_DOMINOIDS, FIGURE_PAWNS, SUITS, Deal
from engine.dominoids.board import TILES_IN_PLAY, cell_of
from engine.dominoids.game import VALUES, State
from engine.pieces import Tile
from engine.words import say
from referee.readers.dominoids_board import Board, by_figure, by_pawns, followed
from referee.readers.dominoids_plays import DominoidsPlays, KnownDie, Memory, lies, number_first
from referee.readers.follow import beside_others, named_places, recognised, sight_of
from referee.reading import CLEAR, Alike, Expected, Laid, PieceSight, Place, Reading, Sight
from referee.setting import Point
from vision.degrees import HALF, HARDLY, MOST, NEVER
from vision.observation import Observation, SeenPiece, SeenTile
from vision.piece_sets import VALUES as FACES

DICE = 6
"""So many dice at most are told apart; there are four."""

STAYS_MM = 4.0
"""Seen anew a die that lies still seems to have moved by less: a third of a small one."""


class DominoidsReader(DominoidsPlays):
    """Reads Dominoids."""

    unread = Memory()

    def read(self, seen: Observation, state: State, memory: Memory) -> Reading:
        """All that lies on the board and on the mat, and the gene pool; nothing where no board is found."""
        board = self._board(seen, state, memory)
        if board is None:
            return Reading({}, noted=memory)
        tiles, beside = _on_board(board, seen.tiles, {each.tile: lies(each) for each in state.dominoids})
        pool = recognised(beside, TILES_IN_PLAY, memory.pool, state.pool)
        others = pool.keys() | {Tile.of(*sight.ends) for sight in tiles.values() if sight.up}
        tiles |= {place: beside_others(sight, others) if place[0] == "new" else sight
                  for place, sight in named_places("pool", beside, pool).items()}
        shown = _dice_labels(state)
        memory = self._moved(seen.pieces, memory)
        dice, stay, alike, lie_dice = self._dice(seen.pieces, shown, memory)
        still = frozenset(stay)
        lie = _lying(state)
        on_board = _pieces_on(board, seen.pieces, lie)
        rests = _untouched(seen, board, memory)
        named = {place: on_board[place].label for place, label in lie.items()
                 if place in on_board and _same_side(on_board[place], label)
                 and (memory.lies.get(place) != label or on_board[place].label == memory.named.get(place)
                      or (place in rests and place in memory.named))}
        pieces = on_board | {place: replace(on_board[place], labels={lie[place]: 1.0}) for place in named} | dice
        there = rests | {place: sight.center for place, sight in pieces.items()}
        elsewhere = {(place[0], sight.label) for place, sight in on_board.items() if lie.get(place) != sight.label}
        hidden = frozenset(place for place in there.keys() - pieces.keys() if (place[0], lie.get(place)) not in elsewhere)
        hidden |= {place for place, sight in tiles.items() if sight.veiled} | (_behind(board, seen.pieces) - pieces.keys())
        met = memory.met | {Tile.of(*sight.ends) for sight in tiles.values() if sight.up}
        hidden |= {("pool", *tile) for tile in TILES_IN_PLAY if tile not in met}  # it lies there unseen
        reading = Reading(tiles, hidden=hidden, pieces=pieces, alike=alike, pairs=board.pairs)
        deals = memory.deals
        if state.chance == "deal" and not self.lacking(reading):
            deals = tuple(_deals(reading))
        stay |= self._known_dice(dice, shown, memory.shown)
        return replace(reading, noted=Memory(board, pool, deals, stay, lie_dice, memory.lay_dice, shown, there, seen.swept,
                                             lie, named, met, still))

    def _board(self, seen: Observation, state: State, memory: Memory) -> Board | None:
        """Where the board lies now: by the figure before the deal, else as it lay; where its pawns stand between its cells it was
        moved, and lies where they say."""
        pawns = [piece for piece in seen.pieces if piece.kind == "pawn"]
        if state.chance == "deal":
            return by_figure([piece.center for piece in pawns], self.setting.seats[0].rightward) or memory.board
        by_suit = {suit: piece.center for suit, name in enumerate(SUITS) for piece in pawns if piece.label == name}
        board = memory.board
        if board is None or 2 * sum(board.cell(point) is not None for point in by_suit.values()) < len(by_suit):
            board = by_pawns({suit: cell_of(cell) for suit, cell in enumerate(state.pawns)}, by_suit) or board
        if board is None:
            return None
        lying = [piece.center for piece in seen.pieces if piece.kind in ("coin", "pawn")]
        lying += [middle for tile in seen.tiles if board.cells(tile) for middle in tile.middles]
        return followed(board, lying)

    @staticmethod
    def _moved(pieces: Iterable[SeenPiece], memory: Memory) -> Memory:
        """With the dice as they lay before one of them was moved: which of them lies still tells which was taken."""
        dice = _likely_dice(pieces)
        still = len(dice) == len(memory.lie_dice) and all(_at(die, memory.lie_dice) is not None for die in dice)
        return memory if still else replace(memory, lay_dice=memory.lie_dice)

    def _dice(self, pieces: Iterable[SeenPiece], shown: tuple[str, ...], memory: Memory,
              ) -> tuple[dict[Place, PieceSight], dict[int, Point], Alike, tuple[KnownDie, ...]]:
        """Each suit's die: where it lies and what it shows. One that lies where it lay is the same and shows the same, unless
        another shows that beside it: which of them it is no state has ever told. Those and all that moved are weighed over all
        ways in which they can be the others. And where those are that lie still, those ways, and what is known of all."""
        if not {"old", "new"} <= self.setting.slots.keys():
            return {}, {}, Alike(), ()
        dice = _likely_dice(pieces)
        found: dict[Place, PieceSight] = {}
        stay: dict[int, Point] = {}
        known = list[KnownDie]()
        for suit, center in memory.dice.items():
            near = min(dice, key=lambda die, center=center: dist(die.center, center), default=None)  # type: ignore[misc]
            if near is not None and memory.shown[suit : suit + 1] == shown[suit : suit + 1] != () and (
                    dist(near.center, center) < STAYS_MM):
                stay[suit] = center
                if shown.count(shown[suit]) == 1:
                    dice.remove(near)
                    found["die", suit] = PieceSight({shown[suit]: 1.0}, 1.0, near.center, near.track)
                    known.append(_known(near, [float(suit == each) for each in range(len(SUITS))]))
        moved, alike, others = self._moved_dice(
            dice, [suit for suit in range(len(SUITS)) if ("die", suit) not in found], shown, memory.lay_dice)
        return found | moved, stay, alike, (*known, *others)

    def _known_dice(self, dice: Mapping[Place, PieceSight], shown: tuple[str, ...], before: tuple[str, ...]) -> dict[int, Point]:
        """Where each die lies that shows what the state says. Where the state has come to say something else than `before`, it
        may be one that was taken for another till now."""
        found = {}
        for suit, label in enumerate(shown):
            sight, fresh = dice.get(("die", suit)), not before or label != before[suit]
            if sight is not None and sight.label != label and not (fresh and self._box(sight.center) == label.split()[0]):
                alike = [each for each in dice.values() if each.label == label and shown != before]
                sight = alike[0] if len(alike) == 1 else None
            if sight is not None:
                found[suit] = sight.center
        return found

    def _moved_dice(self, dice: list[SeenPiece], which: list[int], shown: tuple[str, ...], lay: Sequence[KnownDie],
                    ) -> tuple[dict[Place, PieceSight], Alike, list[KnownDie]]:
        """The dice of these suits among those seen, in what ways they may be, and what that tells of each. There are four dice:
        what is taken for one is one, however it looks. Each is judged by its own look: what the others are is told by all of
        them together."""
        tables = [[self._shows(die, suit, shown, lay) for suit in which] for die in dice]
        order = [*range(len(dice)), *[-1] * (len(which) - len(dice))]
        ways = sorted(set(permutations(order, len(which))))
        looks = tuple(tuple(tables[at][k] if at >= 0 else None for k, at in enumerate(way)) for way in ways)
        weights = [prod(sum(look.values()) for look in way if look is not None) for way in looks]
        found: dict[Place, PieceSight] = {}
        suits = [[0.0] * len(SUITS) for _ in dice]
        for k, suit in enumerate(which):
            row = {at: sum(weight for way, weight in zip(ways, weights, strict=True) if way[k] == at) for at in order}
            for at in range(len(dice)):
                suits[at][suit] = row[at] / sum(weights)
            best = max(row, key=row.__getitem__)
            if best < 0:
                continue
            labels: dict[str, float] = {}
            for at, weight in row.items():
                if at >= 0:
                    all_of_it = sum(tables[at][k].values())
                    for label, chance in tables[at][k].items():  # two are taken for each other at once: each bears half of that
                        labels[label] = labels.get(label, 0.0) + sqrt(weight) * chance / all_of_it
            total = sum(labels.values())
            found["die", suit] = PieceSight({label: p / total for label, p in labels.items()}, 1.0, dice[best].center,
                                            dice[best].track)
        known = [_known(die, row) for die, row in zip(dice, suits, strict=True)]
        return found, Alike(tuple(("die", suit) for suit in which), looks), known

    def _shows(self, die: SeenPiece, suit: int, shown: tuple[str, ...], lay: Sequence[KnownDie]) -> dict[str, float]:
        """How likely this is the die of a suit and shows what. One which lies beside the boxes shows what it showed in one: it
        was taken, and not rolled. Of which suit one is that lies where it lay was told by those looks, too, which weigh most of
        what this one does."""
        look, box, there = die.alone or die.labels, self._box(die.center), _there(die)
        known = _at(die, lay)
        before = known.suits[suit] ** MOST if known is not None else 1.0
        chances = {face: there * (before * look.get(f"{SUITS[suit]}:{face}", 0.0) + 1e-7) for face in FACES}
        if box == "taken" and shown and not shown[suit].startswith("taken"):
            return {f"taken {shown[suit].split()[1]}": sum(chances.values())}
        return {f"{box} {face}": chance for face, chance in enumerate(chances.values())}

    def _box(self, point: Point) -> str:
        """In which box of the mat a die lies; `taken` in none."""
        old, new = self.setting.slots["old"], self.setting.slots["new"]
        far = dist(old, new)
        along = (new[0] - old[0]) / far, (new[1] - old[1]) / far
        for name, middle in (("old", old), ("new", new)):
            dx, dy = point[0] - middle[0], point[1] - middle[1]
            box = DICE_BOX.slots[name]
            if abs(dx * along[0] + dy * along[1]) < box.width / 2 and abs(dy * along[0] - dx * along[1]) < box.height / 2:
                return name
        return "taken"

    def expected(self, state: State, reading: Reading) -> Expected:
        """Everything on the board, the gene pool, and each die in its box or beside them."""
        if self._noted(reading).board is None or state.chance == "deal":
            return Expected({})
        tiles: dict[Place, Laid] = {lies(each): Laid((each.p, each.q)) for each in state.dominoids}
        tiles |= {("pool", *tile): Laid(tile, either_way=True) for tile in state.pool}
        pieces = _lying(state)
        for suit, label in enumerate(_dice_labels(state)):
            if ("die", suit) in reading.pieces:  # one that is not found, as blanks are hard to find, lies somewhere all the same
                pieces["die", suit] = label
        return Expected(tiles, pieces=pieces)

    def unready(self, state: State, reading: Reading) -> list[str]:
        """What the set-up lacks of the figure."""
        if self._noted(reading).board is None:
            return [say("The board is not found: set it up as in the figure, a pawn in each quarter. Or play by hand: tap "
                        "“Enter a play”.")]
        return self.lacking(reading)

    def lacking(self, reading: Reading) -> list[str]:
        """What is not yet as in the figure, the gene pool aside."""
        found = []
        if not {"old", "new"} <= self.setting.slots.keys():
            found.append(say("The printed mat for the dice is not seen: lay it beside the board."))
        elif any(("die", suit) not in reading.pieces or not reading.pieces["die", suit].label.startswith("old")
                 for suit in range(len(SUITS))):
            found.append(say("Roll all four dice into the box for old dice."))
        missing = [cells for cells in FIGURE_DOMINOIDS if ("lies", *cells) not in reading.tiles]
        if missing or sum(place[0] == "lies" for place in reading.tiles) > len(FIGURE_DOMINOIDS):
            found.append(say("Four Dominoids begin on the board, as in the figure; {number} lie there.",
                             number=len(FIGURE_DOMINOIDS) - len(missing)))
        pawns = {cell: reading.pieces["pawn", cell].label for cell in FIGURE_PAWNS if ("pawn", cell) in reading.pieces}
        if set(pawns.values()) != set(SUITS):
            found.append(say("The four pawns stand as in the figure."))
        for pawn, cell in zip(FIGURE_PAWNS, FIGURE_COINS, strict=True):
            sight = reading.pieces.get(("coin", cell))
            as_it_lies = ("coin", cell) in reading.hidden if sight is None else sight.cost(f"suit:{pawns.get(pawn)}") <= CLEAR
            if pawn in pawns and not as_it_lies:
                found.append(say("A coin of {suit} lies beside the pawn of {suit}, its value down.", suit=pawns[pawn]))
        return found

    def advice(self, state: State, reading: Reading) -> list[str]:
        """Whether the other eleven lie open in the gene pool."""
        count = sum(place[0] in ("pool", "new") for place in reading.tiles)
        due = len(TILES_IN_PLAY) - len(FIGURE_DOMINOIDS)
        if self._noted(reading).board is None or count == due:
            return []
        return [say("The other {due} Dominoids lie face up in the gene pool; {count} are seen.", due=due, count=count)]


def _lying(state: State) -> dict[Place, str]:
    """Pawns and coins on the board, and what they show."""
    pieces: dict[Place, str] = {("pawn", cell_of(cell)): SUITS[suit] for suit, cell in enumerate(state.pawns)}
    for suit, coin in enumerate(state.coins):
        if coin is not None:
            up = coin[2] and coin[1] >= 0  # one that is just to be turned up still lies with its suit up
            pieces["coin", cell_of(coin[0])] = f"value:{FACES[coin[1]]}" if up else f"suit:{SUITS[suit]}"
    return pieces


def _same_side(sight: PieceSight, label: str) -> bool:
    """Whether a coin lies with the side up that it should; pawns have but one."""
    return sight.label.partition(":")[0] == label.partition(":")[0] or ":" not in label


def _dice_labels(state: State) -> tuple[str, ...]:
    """By suit, where the die lies and what it shows: those chosen lie beside the boxes until they are rolled."""
    if state.chance == "deal":
        return ()
    return tuple(f"{'taken' if suit in state.picked else 'new' if new else 'old'} {face}"
                 for suit, (new, face) in enumerate(zip(state.new, state.dice, strict=True)))


def _likely_dice(pieces: Iterable[SeenPiece]) -> list[SeenPiece]:
    """The likeliest dice among the pieces, the surest first."""
    return sorted((piece for piece in pieces if piece.kind == "die"), key=lambda piece: -_there(piece))[:DICE]


def _known(die: SeenPiece, suits: Iterable[float]) -> KnownDie:
    """What is known of a die, which is never so sure that other looks could not tell otherwise."""
    return KnownDie(die.center, tuple((1 - HARDLY) * share + HARDLY / len(SUITS) for share in suits))


def _at(die: SeenPiece, known: Iterable[KnownDie]) -> KnownDie | None:
    """The known die that lay where this one does."""
    return next((each for each in known if dist(each.center, die.center) < STAYS_MM), None)


def _there(piece: SeenPiece) -> float:
    """How likely it is there at all."""
    return float(min(1.0, piece.score / max(piece.labels.values())))


def _untouched(seen: Observation, board: Board, memory: Memory) -> dict[Place, Point]:
    """The coins, dice and pawns seen before over which nothing has moved since."""
    if seen.swept is None or seen.rests_as(memory.swept):
        return {} if seen.swept is None else dict(memory.there)
    near = board.cell_mm / 2
    return {place: point for place, point in memory.there.items()
            if all(cv2.pointPolygonTest(outline, point, True) < -near for outline in seen.swept)}


def _on_board(board: Board, seen: Iterable[SeenTile], known: Mapping[Tile, Place],
              ) -> tuple[dict[Place, Sight], list[SeenTile]]:
    """The open tiles on the board by their places, and those beside it. known: where tiles lie: one that was pushed about half
    a cell lies there still if no others are nearer."""
    tiles: dict[Place, Sight] = {}
    beside = []
    for tile in seen:
        if tile.ends is None:
            continue
        if not board.beside(tile.center):
            beside.append(tile)
            continue
        cells, pushed = (board.cells(tile, reach) for reach in (HALF, inf))
        if pushed is not None and known.get(Tile.of(*tile.ends)) == ("lies", *number_first(pushed)):
            cells = pushed
        place: Place = ("askew", tile.track) if cells is None else ("lies", *number_first(cells))
        turned = cells is not None and number_first(cells) != cells
        if place not in tiles or tiles[place].score < tile.score:
            tiles[place] = sight_of(tile, turned)
    return tiles, beside


def _pieces_on(board: Board, seen: Iterable[SeenPiece], known: Mapping[Place, str]) -> dict[Place, PieceSight]:
    """Coins and pawns on cells of the board, of two of a kind on one the surer. known: what lies where, see `_on_board`."""
    found: dict[Place, PieceSight] = {}
    for piece in seen:
        cell, pushed = (board.cell(piece.center, reach) for reach in (HALF, inf))
        if pushed is not None and known.get((piece.kind, pushed)) == piece.label:
            cell = pushed
        if cell is None or piece.kind not in ("coin", "pawn"):
            continue
        place: Place = (piece.kind, cell)
        if place not in found or found[place].there < _there(piece):
            found[place] = PieceSight(piece.labels, _there(piece), piece.center, piece.track)
    return found


def _behind(board: Board, seen: Iterable[SeenPiece]) -> frozenset[Place]:
    """Where coins may lie unseen: on cells whose middles pawns hide from the camera."""
    return frozenset(("coin", cell) for piece in seen if piece.kind == "pawn" and piece.top is not None
                     for cell in board.along(piece.center, piece.top, piece.radius))


def _deals(reading: Reading) -> list[tuple[Deal, float]]:
    """The set-up as it is seen, and what else it may be where one thing in it shows something else; the first seat begins."""
    suits = {reading.pieces["pawn", cell].label: cell for cell in FIGURE_PAWNS}
    pawns = tuple(suits[name] for name in SUITS)
    coins = tuple(FIGURE_COINS[FIGURE_PAWNS.index(cell)] for cell in pawns)
    ends = tuple(reading.tiles["lies", *cells].ends for cells in FIGURE_DOMINOIDS)
    dice = tuple(int(reading.pieces["die", suit].label[-1]) for suit in range(len(SUITS)))
    stacks = ((-1,) * VALUES,) * len(SUITS)
    base = Deal(FIGURE_DOMINOIDS, ends, pawns, coins, stacks, dice, 0)
    found = [(base, 0.0)]
    for suit in range(len(SUITS)):
        sight = reading.pieces["die", suit]
        found += [(replace(base, dice=replaced(dice, suit, int(label[-1]))), sight.cost(label))
                  for label, p in sight.labels.items() if p > NEVER and label.startswith("old") and int(label[-1]) != dice[suit]]
    for at, cells in enumerate(FIGURE_DOMINOIDS):
        tile = reading.tiles["lies", *cells]
        found += [(replace(base, ends=replaced(ends, at, other)), tile.cost(other))
                  for other in tile.likely() if other != ends[at] and Tile.of(*other) in TILES_IN_PLAY]
    return sorted(found, key=lambda each: each[1])
