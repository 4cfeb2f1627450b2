"""The games for one player before the referee: laid out in the open, every move understood, what is not allowed named."""

from __future__ import annotations

from math import pi
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.actions import Action
from engine.games import game
from engine.pieces import Tile
from engine.solo import elimination, knock_out, solitaire
from referee.decoder import Kind
from referee.journal import Journal
from referee.setting import Point, Setting, seated
from referee.table import Table
from tests.referee.staged import SIDE, Lying, Staged

STEP = 2 * SIDE + 1.5


class Solo:
    """One game, its full state, a make-believe table, and the referee that only sees it."""

    def __init__(self, name: str, seed: int, where: Path) -> None:
        kind = game(name)
        self.rng = Random(seed)
        self.setting = Setting(name, kind.Rules(), seated(("Ann",)))
        self.full: Any = kind(self.setting.rules, 1)
        self.stage = Staged(self.setting, seed)
        self.referee = Table(Journal(where))
        self.referee.set_up(self.setting, 0.0)
        self.told: list[Action] = []
        self.columns: dict[Tile, int] = {}
        deal = self.full.random_chance(self.rng)
        self.full.push(deal)
        public = self.full.public(deal)
        self.told.append(solitaire.Deal(public.columns, "vertical") if isinstance(public, solitaire.Deal) else public)
        self.lay()
        self.look()

    def lay(self) -> None:
        """Put every tile where the state has it; tiles keep their tracks."""
        before = {tile.ends and Tile.of(*tile.ends): tile.track for tile in self.stage.tiles.values()}
        self.stage.tiles.clear()
        for ends, center, angle in self.places():
            track = before.get(ends and Tile.of(*ends)) if ends else None
            if track is None:
                self.stage.put(center, angle, ends)
            else:
                self.stage.tiles[track] = Lying(track, center, angle, ends)

    def places(self) -> list[tuple[tuple[int, int] | None, Point, float]]:
        state = self.full
        if isinstance(state, solitaire.State):
            return [((tile.top, tile.bottom) if tile.up else None, (-300.0 + 80 * self.column(column), -380 + STEP * at), pi / 2)
                    for column in state.columns for at, tile in enumerate(column)]
        if isinstance(state, elimination.State):
            return [((tile.low, tile.high), (-380.0 + 28 * at, 0.0), pi / 2) for at, tile in enumerate(state.row)]
        rows = []
        for at, ends in enumerate(state.row):  # two rows that turn at the right
            x = -340.0 + STEP * (at if at < 14 else 27 - at)
            rows.append((ends, (x, -40.0 if at < 14 else 40.0), 0.0 if at < 14 else pi))
        return rows

    def column(self, column: tuple[Any, ...]) -> int:
        """Where a column lies: where one of its tiles lay before, else at the next free place."""
        names = [Tile.of(tile.top, tile.bottom) for tile in column]
        at = next((self.columns[name] for name in names if name in self.columns), None)
        if at is None:
            at = next(place for place in range(20) if place not in self.columns.values())
        self.columns |= dict.fromkeys(names, at)
        return at

    def look(self, seconds: float = 1.6) -> None:
        for _ in range(round(seconds / self.stage.step)):
            self.referee.observe(self.stage.seen())

    def do(self, action: Action) -> None:
        """Ann does it, and all look at it."""
        self.full.push(action)
        self.told.append(action)
        if isinstance(action, solitaire.Move):
            lines = self.full.columns[-1] if action.to is None else ()
            for tile in lines:  # a new column is begun elsewhere
                self.columns.pop(Tile.of(tile.top, tile.bottom), None)
        before = self.full.copy()
        while self.full.chance == "turn-up":
            self.full.push(before.answer(self.full))
        self.lay()
        self.referee.observe(self.stage.reach(0))
        self.look()

    def freed(self, before: Any) -> list[Action]:
        """What the last move turned up."""
        known = {Tile.of(tile.top, tile.bottom) for column in before.columns for tile in column if tile.up}
        return [solitaire.TurnUp(tile.top, tile.bottom) for column in self.full.columns for tile in column
                if tile.up and Tile.of(tile.top, tile.bottom) not in known]

    @property
    def believed(self) -> list[str]:
        return [act.text for act in self.referee.game.standing]


@pytest.mark.parametrize("seed", range(4))
def test_a_line_of_knock_out_is_followed_and_every_knock_understood(tmp_path: Path, seed: int) -> None:
    solo = Solo("knock-out", seed, tmp_path / "journal.db")
    while solo.full.turn is not None:
        solo.do(solo.full.legal()[0])
    assert solo.believed == [str(action) for action in solo.told]
    assert solo.referee.state.scores() == solo.full.scores() and solo.referee.state.outcome() is not None


class Barless(Solo):
    """Whose double blank looks like the back of any other tile."""

    def places(self) -> list[tuple[tuple[int, int] | None, Point, float]]:
        return [(ends if ends != (0, 0) else None, center, angle) for ends, center, angle in super().places()]


class Hidden(Solo):
    """Whose double blank nobody sees."""

    def places(self) -> list[tuple[tuple[int, int] | None, Point, float]]:
        return [each for each in super().places() if each[0] != (0, 0)]


class Overlooked(Solo):
    """Two of whose tiles nobody sees, the first of two that may be knocked out among them."""

    def places(self) -> list[tuple[tuple[int, int] | None, Point, float]]:
        if not self.told[1:]:
            first = next(action for action in self.full.legal() if isinstance(action, knock_out.Knock))
            self.unseen = {self.full.row[first.at], self.full.row[first.at - 5]}
        return [each for each in super().places() if each[0] not in self.unseen]


@pytest.mark.parametrize("name", ["knock-out", "elimination"])
def test_where_all_tiles_lie_open_what_looks_like_a_back_is_the_double_blank(tmp_path: Path, name: str) -> None:
    solo = Barless(name, 1, tmp_path / "journal.db")
    assert solo.believed[0] == str(solo.told[0])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["knock-out", "elimination"])
def test_a_double_blank_that_is_not_seen_lies_where_there_is_room_for_it(tmp_path: Path, name: str, seed: int) -> None:
    solo = Hidden(name, seed, tmp_path / "journal.db")
    row = solo.full.row
    at = next(at for at, (one, other) in enumerate(row) if one == other == 0)
    turns = (13, 14) if name == "knock-out" else ()
    if at in (0, len(row) - 1, *turns):  # at the end of a row there is room everywhere
        assert solo.believed == []
        return
    assert solo.believed[0] == str(solo.told[0])
    while solo.full.turn is not None:
        solo.do(solo.full.legal()[0])
    unseen = solo.believed[: len(solo.told)]
    assert unseen == [str(action) for action in solo.told[: len(unseen)]] and solo.referee.word == "ready"
    state: Any = solo.referee.state
    assert {*state.row} - {*solo.full.row} <= {(0, 0)} and {*solo.full.row} <= {*state.row}


def test_a_tile_that_was_told_and_never_seen_was_not_taken_and_may_be_knocked_out(tmp_path: Path) -> None:
    solo = Overlooked("knock-out", 1, tmp_path / "journal.db")
    assert solo.believed == [] and "26 are seen" in solo.referee.lacking[0]
    solo.referee.act({"do": "play", "action": str(solo.told[0])}, solo.stage.time)
    solo.look(4.0)
    assert solo.referee.word == "ready"
    while solo.full.turn is not None:
        solo.do(solo.full.legal()[0])
    assert solo.believed == [str(action) for action in solo.told]


def test_tiles_that_do_not_match_may_not_be_knocked_out(tmp_path: Path) -> None:
    solo = Solo("knock-out", 1, tmp_path / "journal.db")
    row = solo.full.row
    at = next(at for at in range(27) if row[at][1] != row[at + 1][0])
    gone = [Tile.of(*ends) for ends in row[at : at + 2]]
    for track in [track for track, tile in solo.stage.tiles.items() if tile.ends and Tile.of(*tile.ends) in gone]:
        del solo.stage.tiles[track]
    solo.look(4.0)
    alarm = solo.referee.alarm
    assert solo.referee.word == "illegal" and alarm is not None and alarm.verdict is not None
    assert alarm.verdict.sentence == f"The halves that touch there are a {row[at][1]} and a {row[at + 1][0]}."
    solo.lay()
    solo.look()
    assert solo.referee.word == "ready" and solo.believed == [str(solo.told[0])]


@pytest.mark.parametrize("seed", range(3))
def test_in_elimination_only_tiles_that_leave_have_to_be_seen(tmp_path: Path, seed: int) -> None:
    solo = Solo("elimination", seed, tmp_path / "journal.db")
    while solo.full.turn is not None:
        while not solo.full.leaves:
            solo.told.append(elimination.TOUCH)
            solo.full.push(elimination.TOUCH)
            if solo.full.turn is None:
                break
        else:
            solo.do(elimination.TOUCH)
    assert solo.believed == [str(action) for action in solo.told]
    assert solo.referee.state.outcome() == solo.full.outcome()


def test_a_tile_that_stays_may_not_be_eliminated(tmp_path: Path) -> None:
    solo = Solo("elimination", 1, tmp_path / "journal.db")
    state = solo.referee.state
    assert isinstance(state, elimination.State)
    due, other = state.row[state.at], state.row[(state.at + 5) % 28]
    track = next(track for track, tile in solo.stage.tiles.items() if tile.ends and Tile.of(*tile.ends) == other)
    del solo.stage.tiles[track]
    solo.look(4.0)
    alarm = solo.referee.alarm
    assert alarm is not None and alarm.verdict is not None and alarm.verdict.rule == "leave"
    assert alarm.verdict.sentence == f"The {due} leaves next, on the {state.count}; the {other} stays."


def moved_about(solo: Solo) -> None:
    """A dozen moves of Solitaire, and what they free turned up."""
    for _ in range(12):
        moves = [action for action in solo.full.legal() if isinstance(action, solitaire.Move)]
        if not moves:
            break
        before = solo.full.copy()
        solo.do(solo.rng.choice(moves))
        solo.told += solo.freed(before)


@pytest.mark.parametrize("seed", range(4))
def test_moves_of_solitaire_and_what_they_turn_up(tmp_path: Path, seed: int) -> None:
    solo = Solo("solitaire", seed, tmp_path / "journal.db")
    moved_about(solo)
    assert solo.believed == [str(action) for action in solo.told]
    assert len(solo.told) > 4


class Scratched(Solo):
    """Every other tile that lies face down has a scratch that looks like a bar; of the double blank below another it is hardly
    to be seen. Tiles keep their tracks until they are turned up."""

    def lay(self) -> None:
        self.stage.tiles.clear()
        for column in self.full.columns:
            x = -300.0 + 80 * self.column(column)
            for at, tile in enumerate(column):
                ends = (tile.top, tile.bottom) if tile.up else (0, 0) if at % 2 else None
                if ends == (0, 0) and tile.up and at and column[at - 1].up:
                    ends = None
                track = 100 * tile.up + 10 * max(tile.top, tile.bottom) + min(tile.top, tile.bottom)
                self.stage.tiles[track] = Lying(track, (x, -380 + STEP * at), pi / 2, ends)


@pytest.mark.parametrize("seed", [0, 1, 3, 9])
def test_in_solitaire_backs_and_the_double_blank_are_told_by_where_they_lie(tmp_path: Path, seed: int) -> None:
    solo = Scratched("solitaire", seed, tmp_path / "journal.db")
    moved_about(solo)
    assert solo.believed == [str(action) for action in solo.told]


class Plain(Solo):
    """Whose double blank shows nothing at all that its back did not; tiles keep their tracks when they are turned up."""

    def lay(self) -> None:
        self.stage.tiles.clear()
        for column in self.full.columns:
            for at, tile in enumerate(column):
                ends = (tile.top, tile.bottom) if tile.up and (tile.top, tile.bottom) != (0, 0) else None
                track = 10 * max(tile.top, tile.bottom) + min(tile.top, tile.bottom)
                self.stage.tiles[track] = Lying(track, (-300.0 + 80 * self.column(column), -380 + STEP * at), pi / 2, ends)

    def turned_up(self) -> solitaire.Move | None:
        """Play until the double blank is turned up and a line may be laid below it; that move."""
        for _ in range(30):
            moves = [action for action in self.full.legal() if isinstance(action, solitaire.Move)]
            if not moves or "[0,0]" in str(self.told[0]):
                break
            for move in moves:
                if move.to is not None and self.full.columns[move.to][-1][1:] == (0, 0):
                    return move
            before = self.full.copy()
            self.do(self.rng.choice(moves))
            self.told += self.freed(before)
        return None

    def freeing(self, other: bool) -> solitaire.Move | None:
        """Play until the double blank has just been turned up, and a move may free a tile in its column or another; that move."""
        for _ in range(30):
            moves = [action for action in self.full.legal() if isinstance(action, solitaire.Move)]
            if not moves or "[0,0]" in str(self.told[0]):
                break
            if str(self.told[-1]) == "turn-up 0 0":
                freed = self.told[-2]
                assert isinstance(freed, solitaire.Move | solitaire.Cap)
                return next((move for move in moves if len(column := self.full.columns[move.source]) > move.size
                             and not column[-move.size - 1].up and (move.source != freed.source) == other), None)
            before = self.full.copy()
            self.do(self.rng.choice(moves))
            self.told += self.freed(before)
        return None


@pytest.mark.parametrize("by_hand", [False, True])
def test_what_shows_no_pips_and_has_a_tile_laid_below_it_was_turned_up(tmp_path: Path, by_hand: bool) -> None:
    solos = (Plain("solitaire", seed, tmp_path / f"{seed}.db") for seed in range(100))
    solo, move = next((solo, move) for solo in solos if (move := solo.turned_up()))
    if by_hand:
        for action in map(str, solo.told[len(solo.believed) :]):
            solo.referee.act({"do": "play", "action": action}, solo.stage.time)
        solo.look()
        assert solo.believed == [str(action) for action in solo.told] and solo.referee.word == "ready"
    before = solo.full.copy()
    solo.do(move)
    solo.told += solo.freed(before)
    assert solo.believed == [str(action) for action in solo.told]


@pytest.mark.parametrize("other", [False, True])
def test_what_is_turned_up_next_is_not_what_was_freed_before(tmp_path: Path, other: bool) -> None:
    solos = (Plain("solitaire", seed, tmp_path / f"{seed}.db") for seed in range(200))
    solo, move = next((solo, move) for solo in solos if (move := solo.freeing(other)))
    assert solo.believed == [str(action) for action in solo.told[:-1]]  # the double blank shows nothing
    before = solo.full.copy()
    solo.do(move)
    solo.told += solo.freed(before)
    assert solo.believed == [str(action) for action in solo.told]


class Unseen(Solo):
    """Whose double blank nobody can see once it lies below another tile."""

    def places(self) -> list[tuple[tuple[int, int] | None, Point, float]]:
        lowest = [column[-1][1:] for column in self.full.columns]
        return [place for place in super().places() if place[0] != (0, 0) or (0, 0) in lowest]


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_line_that_is_moved_has_its_double_blank_still_where_nothing_is_seen(tmp_path: Path, seed: int) -> None:
    solo = Unseen("solitaire", seed, tmp_path / "journal.db")
    moved_about(solo)
    assert solo.believed == [str(action) for action in solo.told]


class Dealing(Solo):
    """The lowest tile of one column is not turned up yet."""

    def places(self) -> list[tuple[tuple[int, int] | None, Point, float]]:
        *others, (_, center, angle) = super().places()
        return [*others, (None, center, angle)]


def test_a_column_whose_lowest_tile_is_still_to_be_turned_up_is_not_dealt(tmp_path: Path) -> None:
    assert Dealing("solitaire", 1, tmp_path / "journal.db").believed == []


def test_a_line_laid_where_it_does_not_match_is_named(tmp_path: Path) -> None:
    solo = Solo("solitaire", 2, tmp_path / "journal.db")
    columns = solo.full.columns
    source, to = next((a, b) for a in range(7) for b in range(7) if a != b and columns[a][-1].top != columns[b][-1].bottom)
    moved, under = columns[source][-1], columns[to][-1]
    tiles = {tile.ends: tile for tile in solo.stage.tiles.values() if tile.ends}
    goal = tiles[under.top, under.bottom].center
    tile = tiles[moved.top, moved.bottom]
    solo.stage.tiles[tile.track] = Lying(tile.track, (goal[0], goal[1] + STEP), pi / 2, tile.ends)
    solo.look(4.0)
    decision = solo.referee.alarm
    assert decision is not None and decision.kind is Kind.ILLEGAL and decision.verdict is not None
    assert decision.verdict.sentence == f"The column ends in a {under.bottom}, the line begins with a {moved.top}."


def test_a_line_is_read_from_its_upper_end(tmp_path: Path) -> None:
    solo = Solo("knock-out", 5, tmp_path / "journal.db")
    state = solo.referee.state
    assert isinstance(state, knock_out.State) and state.row == solo.full.row
