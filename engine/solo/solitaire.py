"""Domino Solitaire: seven columns; match face-up tiles under one another until every tile is face up.

>>> from random import Random
>>> [len(column) for column in State.start(Rules(), 1, Random(1)).columns]
[7, 6, 5, 4, 3, 2, 1]
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, NamedTuple

from engine.actions import NUMBER, PAIR, WORD, Action, listed, number, optional, truth
from engine.core import UNKNOWN, Broken, Flags, MalformedError, Outcome, flag, rule_book
from engine.hidden import unseen
from engine.pieces import DOUBLE_SIX, Tile
from engine.reasons import Reason
from engine.solo.common import STOP, Half, Solo, Stop, laid
from engine.solo.reasons import Frees, GivesUp, Goes, Line, NewColumn, TurnsUp
from engine.state import Doings, checked
from engine.state import State as Base
from engine.words import say

COLUMNS = 7
FLIPS = ("vertical", "horizontal")


@dataclass(frozen=True)
class Rules(Flags):
    """The flags of Domino Solitaire."""

    move_unit: str = flag("suffix", "whole_run", about="Whether the lowest tiles of a matched line may move alone.")
    attach: str = flag("bottom", "both_ends", about="Whether a line may also be laid above a column with nothing face down.")


class Upright(NamedTuple):
    """A tile in a column: whether it is face up, and its halves as they read, or will once it is turned."""

    up: bool
    top: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Lay the lowest tiles of a column under another; `to` None starts a new column at the end."""

    kind: ClassVar[str] = "move"
    FORM = (("source", "from", NUMBER), ("size", "size", NUMBER), ("to", "to", optional(NUMBER)))

    source: int
    size: int
    to: int | None


@dataclass(frozen=True, slots=True)
class Cap(Action):
    """Lay the lowest tiles of a column above another (attach=both_ends)."""

    kind: ClassVar[str] = "cap"
    FORM = (("source", "from", NUMBER), ("size", "size", NUMBER), ("to", "to", NUMBER))

    source: int
    size: int
    to: int


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Chance: the columns, each from top to bottom, and how tiles are turned over (the player's choice)."""

    kind: ClassVar[str] = "deal"
    FORM = (("columns", "columns", listed(listed(PAIR))), ("flip", "flip", WORD))

    columns: tuple[tuple[Half, ...], ...]
    flip: str


@dataclass(frozen=True, slots=True)
class TurnUp(Action):
    """Chance: how the tile reads that was freed and turned over."""

    kind: ClassVar[str] = "turn-up"
    FORM = (("top", "top", NUMBER), ("bottom", "bottom", NUMBER))

    top: int
    bottom: int


Column = tuple[Upright, ...]


FURTHEST, NEARER = 400, 40
"""So many arrangements of the columns are looked through for a tile that can be turned up: at the table, and in thought."""


class State(Solo):
    """The columns of Domino Solitaire."""

    game = "solitaire"
    TITLE = "Solitaire"
    NEARLY_WON, FAR = 8, 40
    Rules = Rules
    ACTIONS = (Move, Cap, Stop)
    CHANCE = (Deal, TurnUp)
    FIELDS = ("columns", "flip")
    RULE_BOOK = rule_book(
        ("deal", "Rows of seven to one tiles make columns of seven to one; the lowest tile of each column is face up.",
         "Domino Solitaire: place them in 7 horizontal rows; turn the stepped tile of each row face up."),
        ("match", "A line goes under a column whose lowest half matches its top half.",
         "Domino Solitaire: matching up tiles with the same number of pips end to end to form longer columns. Ruling S2."),
        ("line", "Only face-up tiles of one matched line move together.", "Ruling S2."),
        ("column", "There are columns to move from and to.", "Domino Solitaire: from one column to another."),
        ("seven-columns", "There are never more than seven columns.",
         "Domino Solitaire: there should never be more than seven vertical columns. Ruling S5."),
        ("whole-column", "A whole column is a column already.", "Ruling S5."),
        ("cap", "Above a column a line is laid only where so agreed and nothing lies face down.", "Ruling S3."),
        ("turn-up", "A freed tile is turned over, always the same way.",
         "Domino Solitaire: any time you have a face down tile that is freed it may be turned face-up. Rulings S1, S4."),
        ("win", "The game is won when all tiles are face up.", "Domino Solitaire: once you have turned over all the dominoes."),
        ("game-over", "The game is over.", "Domino Solitaire: if you become blocked you lose."),
        ("chance-first", "First the freed tile has to be turned over.", "Ruling S4."),
        ("other-game", "That is an action of another game.", "Domino Solitaire."),
    )

    columns: tuple[Column, ...]
    flip: str

    def _set_up(self) -> None:
        self.columns, self.flip = (), FLIPS[0]

    @classmethod
    def dump_rules(cls, rules: Flags) -> Any:
        """The exchange form has no move to the top of a column."""
        if isinstance(rules, Rules) and rules.attach == "both_ends":
            raise MalformedError("solitaire with attach=both_ends cannot be written in the exchange form")
        return rules

    def position(self) -> Hashable:
        """It does not matter which column stands where."""
        return self.turn, self.phase, self.chance, self.flip, tuple(sorted(self.columns))

    def legal(self) -> list[Action]:
        """Every line under (or above) a column it matches, or to a free column; and stopping."""
        if self.turn is None or self.chance:
            return []
        return [*self._moves(self.columns), STOP]

    def _moves(self, columns: tuple[Column, ...]) -> list[Move | Cap]:
        under: dict[int, list[int]] = {}
        for place, column in enumerate(columns):
            under.setdefault(column[-1].bottom, []).append(place)
        room = len(columns) < COLUMNS
        moves: list[Move | Cap] = []
        for place, column in enumerate(columns):
            run = run_length(column)
            for size in (run,) if self.rules.move_unit == "whole_run" else range(1, run + 1):
                moves += [Move(place, size, to) for to in under.get(column[-size].top, ()) if to != place]
                if room and size < len(column):
                    moves.append(Move(place, size, None))
                if self.rules.attach == "both_ends":
                    bottom = column[-1].bottom
                    moves += [Cap(place, size, to) for to, other in enumerate(columns)
                              if to != place and other[0].up and other[0].top == bottom]
        return moves

    def promising(self) -> list[Action]:
        """The first steps of the shortest ways to each tile that can be turned up; where there is none, to stop."""
        return self._towards(FURTHEST) or [STOP]

    def likely(self) -> list[Action]:
        """The same, but only those that turn one up at once where there are any."""
        at_once = [move for move in self._moves(self.columns) if _frees(self.columns, move)]
        return [*at_once] or self._towards(NEARER) or [STOP]

    def _towards(self, most: int) -> list[Action]:
        """The first steps of the shortest ways to each tile that can be turned up, as far as so many arrangements tell."""
        ways: dict[tuple[Column, bool], Action] = {}
        seen = {tuple(sorted(self.columns))}
        arrangements: deque[tuple[tuple[Column, ...], Action | None]] = deque([(self.columns, None)])
        while arrangements:
            columns, first = arrangements.popleft()
            for move in self._moves(columns):
                if _frees(columns, move):
                    freed = columns[move.source][: -move.size]
                    ways.setdefault((freed, getattr(move, "to", None) is None), first or move)
                elif len(seen) < most:
                    then = moved(columns, move)
                    if (key := tuple(sorted(then))) not in seen:
                        seen.add(key)
                        arrangements.append((then, first or move))
        return list(dict.fromkeys(ways.values()))

    def _move(self, action: Move | Cap) -> None:
        """Lay the line, and turn over what it freed (S4)."""
        rest = self.columns[action.source][: -action.size]
        self.columns = moved(self.columns, action)
        if rest and rest[-1].top < 0:
            self.chance = "turn-up"
        else:
            self._check_over()

    def _turn_up(self, action: TurnUp) -> None:
        self.columns = tuple(
            (*column[:-1], Upright(True, action.top, action.bottom)) if column[-1].top < 0 else column for column in self.columns)
        self.chance = None
        self._check_over()

    def _check_over(self) -> None:
        if not self._moves(self.columns):
            self._stop(STOP)

    def _stop(self, action: Stop) -> None:
        won = all(tile.up for column in self.columns for tile in column)
        self.turn, self.phase = None, "over"
        why = say("all tiles face up") if won else say("stopped") if self._moves(self.columns) else say("blocked")
        self.result = Outcome(why, (0,) if won else (), self.scores())

    def _deal(self, action: Deal) -> None:
        self.columns = tuple(
            tuple(Upright(place == len(column) - 1, *ends) for place, ends in enumerate(column)) for column in action.columns)
        self.flip = action.flip
        self._begin()
        self._check_over()

    def scores(self) -> tuple[int, ...]:
        """The columns left."""
        return (len(self.columns),)

    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """The columns left."""
        return [(say("columns"), len(self.columns))]

    def reasons(self, action: Action) -> Iterator[Reason]:
        """What it turns up, which line it makes, and how far it goes on."""
        if not isinstance(action, Move | Cap):
            yield GivesUp(len(self.columns))
            return
        rest = self.columns[action.source][: -action.size]
        if rest and not rest[-1].up:
            yield TurnsUp(action.source, len(rest) - 1)
        elif not rest:
            yield Frees(action.source)
        if action.to is None:
            yield NewColumn(action.size)
        elif isinstance(action, Move):
            line = (*self.columns[action.to], *self.columns[action.source][-action.size :])
            yield Line(action.to, run_length(line), line[-1].bottom)
        then = self.after(action)
        if then.turn is not None and not then.chance:
            yield Goes(then.ways())

    def ways(self) -> int:
        """How many moves there are."""
        return len(self._moves(self.columns))

    # Chance and what is face down.

    def leads(self) -> list[float]:
        """The tiles that lie open: the more, the nearer the end."""
        return [float(sum(tile.up for column in self.columns for tile in column))]

    def picture(self) -> list[str]:
        """The columns side by side."""
        height = max(map(len, self.columns), default=0)
        lines = []
        for level in range(height):
            row = ""
            for column in self.columns:
                tile = column[level] if level < len(column) else None
                row += "      " if tile is None else f" {tile.top}/{tile.bottom}  " if tile.up else " ###  "
            lines.append(row.rstrip())
        return [*lines, "".join(f"  {place}   " for place in range(len(self.columns))).rstrip()]

    def random_chance(self, rng: Random) -> Action:
        """A random deal, or a random tile turned over."""
        if self.chance == "turn-up":
            tile = rng.choice(self.unseen())
            return TurnUp(*(tile if rng.random() < 0.5 else tile[::-1]))
        row = laid(rng)
        columns = []
        for height in range(COLUMNS, 0, -1):
            columns.append(tuple(row[:height]))
            row = row[height:]
        return Deal(tuple(columns), rng.choice(FLIPS))

    def outcomes(self) -> list[tuple[Action, Fraction]]:
        """Every unseen tile, either way round."""
        if self.chance != "turn-up":
            return super().outcomes()
        left = self.unseen()
        return [(TurnUp(*ends), Fraction(1, len(left) * (1 if tile.is_double else 2)))
                for tile in left for ends in sorted({(tile.low, tile.high), (tile.high, tile.low)})]

    def public(self, action: Action) -> Action:
        """A deal shows the lowest tile of each column."""
        if not isinstance(action, Deal):
            return action
        down = ((UNKNOWN.low, UNKNOWN.high),)
        return Deal(tuple(down * (len(column) - 1) + column[-1:] for column in action.columns), action.flip)

    def answer(self, other: Base) -> Action:
        """The tile that the other state cannot read yet."""
        assert isinstance(other, State)
        place = next(place for place, column in enumerate(other.columns) if column[-1].top < 0)
        return TurnUp(*self.columns[place][-1][1:])

    def project(self) -> Any:
        """The columns with the tiles face down unknown."""
        other = self.copy()
        other.columns = tuple(tuple(tile if tile.up else Upright(False, -1, -1) for tile in column) for column in self.columns)
        return other

    def unseen(self) -> list[Tile]:
        """The tiles of the set that this state knows nowhere."""
        return unseen(DOUBLE_SIX, [Tile.of(tile.top, tile.bottom) for column in self.columns for tile in column if tile.top >= 0])

    def sample(self, rng: Random) -> Any:
        """The columns with the unseen tiles laid out at random."""
        tiles = self.unseen()
        rng.shuffle(tiles)
        other = self.copy()
        other.columns = tuple(
            tuple(tile if tile.top >= 0 else Upright(tile.up, *rng.choice((tiles[-1], tiles.pop()[::-1]))) for tile in column)
            for column in self.columns)
        if other.chance == "turn-up":
            other.chance = None
            other._check_over()
        return other

    # Forms and faults.

    def _broken(self, action: Any) -> Broken:
        columns = self.columns
        places = [place for place in (action.source, action.to) if place is not None]
        if any(not 0 <= place < len(columns) for place in places) or action.source == action.to:
            return Broken("column", say("That needs two different columns."), {"columns": places})
        column, run = columns[action.source], run_length(columns[action.source])
        if not 1 <= action.size <= run or (self.rules.move_unit == "whole_run" and action.size != run):
            return Broken("line", say("The matched line there has {run} tiles.", run=run), {"from": action.source, "line": run})
        if isinstance(action, Cap):
            return Broken("cap", say("That line cannot be laid above that column."), {"columns": places})
        if action.to is None:
            if len(columns) >= COLUMNS:
                return Broken("seven-columns", say("There are seven columns already."), {"columns": len(columns)})
            return Broken("whole-column", say("That is a whole column already."), {"from": action.source})
        halves = columns[action.to][-1].bottom, column[-action.size].top
        return Broken("match", say("The column ends in a {end}, the line begins with a {other}.", end=halves[0], other=halves[1]),
                      {"halves": halves})

    def _verify_chance(self, action: Any) -> Broken | None:
        if isinstance(action, TurnUp):
            if self.chance != "turn-up":
                return Broken("turn-up", say("No tile waits to be turned over."))
            ends = sorted((action.top, action.bottom))
            return None if tuple(ends) in self.unseen() else Broken("turn-up", say("That tile lies open elsewhere."))
        if self.chance != "deal":
            return Broken("deal", say("The tiles are laid out only once."))
        if [len(column) for column in action.columns] != list(range(COLUMNS, 0, -1)) or action.flip not in FLIPS:
            return Broken("deal", say("The columns have seven to one tiles."))
        seen = Counter(Tile(min(ends), max(ends)) for column in action.columns for ends in column if min(ends) >= 0)
        return Broken("deal", say("Each tile of the set is there once.")) if seen - Counter(DOUBLE_SIX) else None

    def _exchange(self) -> dict[str, Any]:
        return {"columns": [[{"up": tile.up, "top": _shown(tile.top), "bottom": _shown(tile.bottom)} for tile in column]
                            for column in self.columns], "flip": self.flip}

    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        self.columns = tuple(
            tuple(Upright(truth(tile["up"]), _read(tile["top"]), _read(tile["bottom"])) for tile in column)
            for column in data["columns"])
        self.flip = data["flip"]
        checked(self.flip in FLIPS, f"tiles are turned {' or '.join(FLIPS)}, not {self.flip!r}")
        seen = Counter(Tile.of(tile.top, tile.bottom) for column in self.columns for tile in column if tile.top >= 0)
        checked(not seen - Counter(DOUBLE_SIX), "a tile is there too often, or not of this set")
        checked(sum(map(len, self.columns)) == len(DOUBLE_SIX) or self.chance == "deal", "the columns have not all 28 tiles")
        checked(len(self.columns) <= COLUMNS and all(self.columns), "one to seven columns, none empty")
        checked(all(column[-1].up for column in self.columns), "the lowest tile of a column is face up")
        checked(self.phase in ("deal", "play", "over"), f"no phase {self.phase!r} in solitaire")
        checked((self.turn is None) == (self.phase != "play"), "the turn does not fit the phase")

    _do: ClassVar[Doings] = {Move: _move, Cap: _move, Stop: _stop, Deal: _deal, TurnUp: _turn_up}


def _shown(half: int) -> Any:
    return "?" if half < 0 else half


def _read(half: Any) -> int:
    return -1 if half == "?" else number(half)


def _frees(columns: Sequence[Column], move: Move | Cap) -> bool:
    """Whether a face-down tile is free then."""
    column = columns[move.source]
    return move.size < len(column) and not column[-move.size - 1].up


def moved(columns: tuple[Column, ...], action: Move | Cap) -> tuple[Column, ...]:
    """The columns after a line was laid elsewhere: what it freed is turned over, and an empty column is none."""
    changed = list(columns)
    rest, line = columns[action.source][: -action.size], columns[action.source][-action.size :]
    if isinstance(action, Cap):
        changed[action.to] = line + changed[action.to]
    elif action.to is None:
        changed.append(line)
    else:
        changed[action.to] += line
    if not rest:
        del changed[action.source]
    else:
        changed[action.source] = rest if rest[-1].up else (*rest[:-1], rest[-1]._replace(up=True))
    return tuple(changed)


def run_length(column: Column) -> int:
    """How many tiles at the lower end are face up and match one another."""
    size = 1
    while size < len(column) and column[-size - 1].up and column[-size - 1].bottom == column[-size].top:
        size += 1
    return size
