"""Matador: touching ends add to seven; matadors (3-4, 2-5, 1-6, 0-0) go anywhere; drawing is allowed when one could play.

>>> from random import Random
>>> State.start(Rules(), 3, Random(2)).legal_actions
<LegalActions: play 5-5 root ->
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.actions import Action, number, truth
from engine.core import UNKNOWN, flag, rule_book
from engine.lines.actions import DRAW, PASS, Draw, Pass, Play
from engine.lines.book import BLOCKED, COMMON
from engine.lines.kit import Kit, adding_or_matador, adding_to_seven, kit
from engine.lines.line import Line, LineRules
from engine.pieces import Tile
from engine.state import Doings, checked


@dataclass(frozen=True)
class Rules(LineRules):
    """The flags of Matador."""

    no_double: str = flag("highest_single", "redeal", about="Without any double dealt: lead the highest single, or deal again.")
    matadors: str = flag("on", "off", about="Whether 3-4, 2-5, 1-6 and 0-0 are wild.")
    voluntary_draw: str = flag("any", "one", "none", about="How many tiles a turn may be drawn although one could be played.")


class State(Line):
    """A table of Matador."""

    game = "matador"
    TITLE = "Matador"
    NEARLY_WON = 40
    Rules = Rules
    FIELDS = (*Line.LINE_FIELDS, "drawn", "draws")
    RULE_BOOK = rule_book(
        *COMMON, *BLOCKED,
        ("sum", "Touching ends add up to seven.", "Matador: ends are matched only if they add up to a sum of seven."),
        ("matador", "The 3-4, 2-5, 1-6 and 0-0 are matadors: they go on any end, either way round; a blank takes nothing else.",
         "Ruling F1 (the page after the booklet's cut), M4."),
        ("lead", "The highest double leads; without doubles the highest single.",
         "Matador: the player with the highest double begins the game. Rulings C5, C6."),
        ("redeal", "If nobody has a double, all tiles are dealt again.", "Ruling C5, where so agreed."),
        ("must-play", "A turn ends with a tile; only who can neither play nor draw passes.", "Ruling M2."),
        ("must-draw", "Who cannot play draws while the boneyard has tiles.", "Ruling F1, M2."),
        ("one-draw", "Only so many tiles may be drawn while one could be played.", "Ruling M2."),
        ("boneyard-empty", "From an empty boneyard nothing is drawn.", "Ruling C10."),
        ("revoke", "A seat that passed held no tile that fitted then.", "Rulings H3, C14."),
    )

    drawn: bool | None  # whether this turn a tile was drawn although one could be played; None: not known
    draws: int  # tiles drawn this turn

    @classmethod
    def joins(cls, one: Tile, end: int, other: Tile, other_end: int) -> bool:
        """Whether either could be laid against the other."""
        return one.across(end) in adding_or_matador(one, other_end) or other.across(other_end) in adding_or_matador(other, end)

    def _make_kit(self) -> Kit:
        fit = adding_or_matador if self.rules.matadors == "on" else adding_to_seven
        return kit(6, 7 if self.players == 2 else 5, fit)

    def _clear(self, hands: Any, boneyard: tuple[Tile, ...]) -> None:
        super()._clear(hands, boneyard)
        self.drawn, self.draws = False, 0

    def legal(self) -> list[Action]:
        """Every tile that fits, and drawing; passing only when there is neither (M2)."""
        if self.hidden or self.phase != "play":
            return super().legal()
        table = self.kit.tables[self.left][self.right] or self.kit.build(self.left, self.right)
        moves: list[Action] = []
        for tile in self.hands[self.turn]:  # type: ignore[index]
            moves += table[tile]
        rules = self.rules
        if len(self.boneyard) > rules.reserve:
            if not moves or rules.voluntary_draw == "any" or (rules.voluntary_draw == "one" and not self.drawn):
                moves.append(DRAW)
        elif not moves:
            moves.append(PASS)
        return moves

    def likely(self) -> list[Action]:
        """Nobody is expected to draw who can lay a tile."""
        moves = self.legal()
        return moves[:-1] if len(moves) > 1 and moves[-1] is DRAW else moves

    def _otherwise(self, must_play: bool) -> list[Action]:
        free = self.rules.voluntary_draw
        if len(self.boneyard) > self.rules.reserve:
            if must_play and (free == "none" or (free == "one" and self.drawn is not False and self._drew_freely())):
                return []
            return [DRAW]
        return [] if must_play else [PASS]

    def _drew_freely(self) -> bool:
        """Whether for certain a tile was drawn this turn although one could be played."""
        if self.drawn is None:  # the tiles held before the last draw are what tells
            hand = self.hands[self.turn or 0]
            return any(self.plays_of([tile]) for tile in hand[: len(hand) - 1] if tile != UNKNOWN)
        return self.drawn

    def _play(self, action: Play) -> None:
        if self.draws:
            self.drawn, self.draws = False, 0
        super()._play(action)

    def _draw(self, action: Draw) -> None:
        seat: int = self.turn  # type: ignore[assignment]
        free = self.rules.voluntary_draw
        event = "draw" if free == "none" else "late draw" if free == "one" and self.draws else "free draw"
        self.story = (self.story, event, seat, (self.left, self.right))
        if free != "none" and not self.drawn:
            hand = self.hands[seat]
            table = self.kit.tables[self.left][self.right] or self.kit.build(self.left, self.right)
            if self.hidden and UNKNOWN in hand:
                self.drawn = True if any(table[tile] for tile in hand if tile != UNKNOWN) else None
            else:
                for tile in hand:
                    if table[tile]:
                        self.drawn = True
                        break
        self.draws += 1
        self._take(seat)

    def _pass(self, action: Pass) -> None:
        self.drawn, self.draws = False, 0
        super()._pass(action)

    def _hide(self, seats: Any) -> Any:
        concealed = set(seats)
        other = super()._hide(concealed)
        if self.draws and self.turn in concealed and self.rules.voluntary_draw != "none":
            other.drawn = None
        return other

    def settle(self) -> None:
        """What follows once all tiles are known; also whether there was anything to lay before a draw."""
        if self.drawn is None:
            hand = self.hands[self.turn or 0]
            before = (hand[: len(hand) - count] for count in range(1, self.draws + 1))
            self.drawn = any(self.plays_of(tiles) for tiles in before)
        super().settle()

    def _extra(self) -> dict[str, Any]:
        return super()._extra() | {"draws": self.draws}

    def _fill_turn(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        self.drawn = None if data["drawn"] == "?" else truth(data["drawn"])
        self.draws = number(extra.get("draws", 1 if self.drawn else 0))
        checked(data["pending"] is None, "nobody claims points in Matador")

    _do: ClassVar[Doings] = Line._do | {Play: _play, Draw: _draw, Pass: _pass}
