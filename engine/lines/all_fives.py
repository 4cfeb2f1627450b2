"""All Fives: Block & Draw where a play scores the sum of the open ends when that is a multiple of five.

>>> from random import Random
>>> state = State.start(Rules(), 2, Random(5))
>>> state.phase, len(state.hands[0])
('lead', 7)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.actions import MAYBE_TILE, Action, number, truth
from engine.core import Flags, MalformedError, flag, rule_book
from engine.lines.actions import CLAIM, SKIP, Claim, Draw, Muggins, Pass, Play, Skip
from engine.lines.book import BLOCKED, COMMON, DRAWING
from engine.lines.kit import Kit, kit, matching
from engine.lines.line import GOAL, Arm, Line, LineRules
from engine.lines.rounds import nearest_five
from engine.lines.spinners import Spun, side_arms, spun_ends, where
from engine.pieces import Tile
from engine.state import Doings, checked
from engine.words import say


@dataclass(frozen=True)
class Rules(LineRules):
    """The flags of All Fives."""

    no_double: str = flag("highest_single", "redeal", about="Without any double dealt: lead the highest single, or deal again.")
    set_max: int = flag(6, 9, 12, 15, about="The highest number of pips on one end of the set.")
    spinner: str = flag("none", "first_double", "all",
                        about="Which doubles can be played on their sides too: none, the first of the round, or all.")
    muggins: str = flag("auto", "call", about="Whether points are counted for the players, or must be claimed and may be called.")
    rounding: str = flag("sum", "each_hand", about="Whether the pips of a round are rounded once, or hand by hand.")


class State(Line):
    """A table of All Fives."""

    game = "all-fives"
    TITLE = "All Fives"
    NEARLY_WON, TRIES = 50, 2
    DOUBLES_COUNT = True
    Rules = Rules
    ACTIONS = (Play, Draw, Pass, Claim, Muggins, Skip)
    FIELDS = (*Line.LINE_FIELDS, "side_arms", "spinner", "pending", "mover", "fresh")
    RULE_BOOK = rule_book(
        *COMMON, *DRAWING, *BLOCKED,
        ("lead", "The highest double leads; without doubles the highest single.",
         "All Fives: the player with the highest double begins the game. Domino basics: if no player has a double, the highest "
         "single begins the game. Rulings C5, C6."),
        ("redeal", "If nobody has a double, all tiles are dealt again.", "Ruling C5, where so agreed."),
        ("fives", "When the open ends add up to a multiple of five, the play scores that sum; an open double counts both halves.",
         "All Fives: to score, players must make the open ends add up to a multiple of five. Rulings A1 to A3."),
        ("spinner", "A spinner is open on its sides too, once both its ends are covered.", "Ruling A4."),
        ("rounding", "At the end of a round pips are rounded to the nearest five.",
         "All Fives: each player's pips are added and the sum is rounded to the nearest multiple of five. Ruling A6."),
        ("rounding-hands", "Hand by hand, each difference to an opponent is rounded; where the own hand is taken off the sum "
         "of the others, every hand is.", "Ruling A6, where so agreed, and our reading of it."),
        ("muggins", "Points that their owner does not claim may be called by an opponent after the next play.",
         "All Fives: an opponent may call muggins after the next play. Ruling A5; older points go before new ones."),
        ("claim-first", "First the points of the last play are claimed or let go.", "Ruling A5, muggins=call."),
        ("nothing-to-claim", "There are no points to claim.", "Ruling A5."),
        ("nothing-to-skip", "There is no claim to let go.", "Ruling A5."),
    )

    pending: tuple[int, int] | None  # the seat whose points are not yet claimed, and the points
    mover: int | None  # who played last, while claims are open
    fresh: int  # points of the last play that its mover has not yet been asked for
    side_arms: tuple[tuple[str, Arm], ...]
    spinner: Tile | None

    @classmethod
    def dump_rules(cls, rules: Flags) -> Any:
        """`spinner=all` has arms that the exchange form has no names for."""
        if isinstance(rules, Rules) and rules.spinner == "all":
            raise MalformedError("all-fives with spinner=all cannot be written in the exchange form")
        return rules

    def _make_kit(self) -> Kit:
        return kit(self.rules.set_max, 7 if self.players == 2 else 5, matching)

    def _clear(self, hands: Any, boneyard: tuple[Tile, ...]) -> None:
        super()._clear(hands, boneyard)
        self.side_arms, self.spinner = (), None
        self.pending, self.mover, self.fresh = None, None, 0

    # The line.

    def legal(self) -> list[Action]:
        """As in Block & Draw, on every open end; in phase `claim` the claim or nothing."""
        if self.phase == "claim":
            assert self.pending is not None
            owner = self.pending[0]
            return [CLAIM if self.turn == owner else Muggins(owner), SKIP]
        if self.hidden or self.rules.spinner == "none" or self.phase != "play":
            return super().legal()
        moves = self.plays_of(self.hands[self.turn])  # type: ignore[index]
        return moves or self._otherwise(False)

    def plays_of(self, tiles: Any) -> list[Action]:
        """Every way to lay one of these tiles on the line."""
        if self.rules.spinner == "none":
            return super().plays_of(tiles)
        ends, plays = self.open_ends(), self.kit.plays
        return [play for tile in tiles for arm, end in ends for play in plays(tile, arm, end)]

    def _spun(self) -> list[Spun]:
        assert self.root is not None
        only = self.spinner if self.rules.spinner == "first_double" else None
        arms = [("left", self.left_arm), ("right", self.right_arm), *self.side_arms]
        return spun_ends(self.root, arms, only)

    def open_ends(self) -> list[tuple[str, int]]:
        """The open ends: arm and number."""
        if self.rules.spinner == "none":
            return super().open_ends()
        return [(end.arm, end.number) for end in self._spun()]

    def sides_of(self, place: str, tile: Tile) -> tuple[str, ...]:
        """The arms up and down from a tile that lies there, or would: none where it is no spinner."""
        every = self.rules.spinner == "all"
        if self.rules.spinner == "none" or not tile.is_double or not (every or self.spinner in (None, tile)):
            return ()
        return side_arms(place, every)

    def where(self, arm: str) -> str:
        """As for every line; a side arm by its double."""
        if not arm.endswith(("up", "down")) or self.root is None:
            return super().where(arm)
        return where(arm, self.root, dict(self.arms()), self.spinner)

    def _open_numbers(self) -> tuple[int, ...]:
        if self.rules.spinner == "none":
            return self.left, self.right
        return tuple(sorted({end.number for end in self._spun()}))

    def _play_elsewhere(self, action: Play) -> None:
        if action.arm == "root":
            super()._play_elsewhere(action)
            return
        arms = dict(self.side_arms)
        arms[action.arm] = (*arms.get(action.arm, ()), action.laid)
        self.side_arms = tuple(arms.items())

    def ends_sum(self) -> int:
        """The sum of the open ends; an open double counts both halves, a lone first tile both its ends (A1, A2)."""
        assert self.root is not None
        if self.rules.spinner != "none":
            return sum(end.worth for end in self._spun())
        return _worth(self._outer("left")) + _worth(self._outer("right")) if self.left_arm or self.right_arm else self.root.pips

    def _outer(self, arm: str) -> tuple[int, int]:
        """The last tile of an arm, inner end first; the root itself where nothing is laid there."""
        assert self.root is not None
        if arm == "left":
            return self.left_arm[-1] if self.left_arm else self.root[::-1]
        return self.right_arm[-1] if self.right_arm else self.root

    def gain(self, action: Action) -> float:
        """What a play on the line scores; it is played for it only where more may follow."""
        ordinary = self.rules.spinner == "none" and self.rules.muggins == "auto" and self.phase == "play"
        if not ordinary or not isinstance(action, Play) or len(self.hands[self.turn]) == 1:  # type: ignore[index]
            return super().gain(action)
        return float(_scored(_worth(action.laid) + _worth(self._outer("right" if action.arm == "left" else "left"))))

    def _played(self, action: Play, seat: int) -> None:
        tile = action.tile
        if self.spinner is None and tile[0] == tile[1] and self.rules.spinner == "first_double":
            self.spinner = tile
        self.story = (self.story, "play", seat, tile)
        scored = _scored(self.ends_sum())
        if self.rules.muggins == "call":
            self.mover, self.fresh = seat, scored
            if self.pending is not None:
                self._poll(self.pending[0])
            else:
                self._offer()
            return
        if scored and self._gain(seat, scored):
            return
        if self.ending:
            self._round_over()
        else:
            self.turn = (seat + 1) % self.players

    def _gain(self, seat: int, points: int) -> bool:
        """Add points of a play; whether that ended the game (peg out, C11)."""
        self.points = (*self.points[:seat], self.points[seat] + points, *self.points[seat + 1 :])
        if not self.rules.peg_out or self.match[seat] + self.points[seat] < GOAL:
            return False
        self.match, self.points = self.scores(), (0,) * self.players
        self.pending, self.mover, self.fresh = None, None, 0
        self._game_over(say("pegged out"))
        return True

    # Claims (A5). After a play: first what is still pending from earlier is called or lapses, then the mover claims.

    def _poll(self, after: int) -> None:
        """Ask the next seat whether it calls the pending points; after the last they lapse."""
        assert self.pending is not None
        seat = (after + 1) % self.players
        if seat == self.pending[0]:
            self._lapse()
        else:
            self.turn, self.phase = seat, "claim"

    def _lapse(self) -> None:
        self.pending = None
        self._offer()

    def _offer(self) -> None:
        """Ask the mover to claim the points just made, if any; then the game goes on."""
        if self.fresh and self.mover is not None:
            self.pending, self.fresh = (self.mover, self.fresh), 0
            self.turn, self.phase = self.mover, "claim"
        else:
            self._go_on()

    def _go_on(self) -> None:
        if not self.ending:
            assert self.mover is not None
            self.turn, self.phase = (self.mover + 1) % self.players, "play"
            self.mover = None
        elif self.pending is not None:
            self._poll(self.pending[0])
        else:
            self.mover = None
            self._round_over()

    def _claim(self, action: Claim) -> None:
        assert self.pending is not None
        seat, points = self.pending
        self.pending = None
        if not self._gain(seat, points):
            self._go_on()

    def _muggins(self, action: Muggins) -> None:
        assert self.pending is not None and self.turn is not None
        if not self._gain(self.turn, self.pending[1]):
            self._lapse()

    def _skip(self, action: Skip) -> None:
        assert self.pending is not None and self.turn is not None
        if self.turn != self.pending[0]:
            self._poll(self.turn)
        else:
            self._go_on()

    def calls(self) -> list[tuple[int, Action, int]]:
        """Who may call points now, how, and how many: those of an earlier play before those of the last one, which wait until
        nobody else may call the earlier ones."""
        after, found = self.copy(), list[tuple[int, Action, int]]()
        while after.phase == "claim" and after.turn is not None and after.pending is not None:
            if after.turn != after.pending[0] or all(seat == after.turn for seat, _, _ in found):
                found.append((after.turn, after.legal()[0], after.pending[1]))
            after.push(SKIP)
        return found

    def _pass(self, action: Pass) -> None:
        if self.pending is None or self.passes + 1 < self.players:
            super()._pass(action)
            return
        self.story = (self.story, "pass", self.turn, self._open_numbers())
        self.passes += 1
        self.ending = "blocked"
        self._poll(self.pending[0])

    _round_points = staticmethod(nearest_five)

    def _each_hand(self) -> bool:
        return bool(self.rules.rounding == "each_hand")

    # Forms.

    def phases(self) -> tuple[str, ...]:
        """The phases of every line, and its own."""
        return *super().phases(), "claim"

    def _extra(self) -> dict[str, Any]:
        return super()._extra() | {"mover": None if self.mover is None else [self.mover], "fresh": self.fresh}

    def _fill_spinner(self, spinner: Any, arms: Mapping[str, Arm]) -> None:
        self.spinner = MAYBE_TILE.read(spinner)
        self.side_arms = tuple(arms.items())
        checked(self.rules.spinner != "none" or (spinner is None and not arms), "there is no spinner by these rules")

    def _fill_turn(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        checked(truth(data["drawn"]) is False, "drawing without need is for Matador")
        pending = data["pending"]
        self.pending = None if pending is None else (number(pending["seat"]), number(pending["points"]))
        self.mover = extra.get("mover", [None])[0]
        self.fresh = number(extra.get("fresh", 0))
        checked(self.phase != "claim" or self.pending is not None, "a claim needs pending points")

    _do: ClassVar[Doings] = Line._do | {Claim: _claim, Muggins: _muggins, Skip: _skip, Pass: _pass}


def _worth(last: tuple[int, int]) -> int:
    """What the last tile of an arm counts: an open double both halves (A2)."""
    inner, outer = last
    return 2 * outer if inner == outer else outer


def _scored(total: int) -> int:
    """What open ends with this sum score."""
    return 0 if total % 5 else total
