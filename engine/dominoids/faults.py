"""Why not: the rule that an action in Dominoids breaks, and what is wrong with a board that cannot be."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.core import Broken
from engine.dominoids.actions import (
    FIGURE_COINS,
    FIGURE_DOMINOIDS,
    FIGURE_PAWNS,
    SUITS,
    Attack,
    Breed,
    Bud,
    Choose,
    Deal,
    Eat,
    Look,
    Pass,
    Place,
    Replace,
    Roll,
    Rotate,
    Shift,
    Slide,
    TurnCoin,
)
from engine.dominoids.board import NEAR, RAYS, SIDE, TILES_IN_PLAY, cell_of, number_of, slide_length, straddles
from engine.dominoids.turns import objects_on, with_die
from engine.pieces import Tile
from engine.state import checked
from engine.words import say

if TYPE_CHECKING:
    from engine.dominoids.game import State

PHASES = {
    Choose: ("choose", "choose-first", say("The two dice of this turn have been chosen.")),
    Slide: ("act", "act", say("It is not the time to move a Dominoid.")),
    Rotate: ("act", "act", say("It is not the time to move a Dominoid.")),
    Bud: ("act", "act", say("It is not the time to bud.")),
    Shift: ("act", "act", say("It is not the time to shift the board.")),
    Pass: ("act", "act", say("There is no die to pass with.")),
    Eat: ("consequence", "only-after-sliding", say("Only a Dominoid that has just slid eats.")),
    Attack: ("consequence", "only-after-sliding", say("Only a Dominoid that has just slid attacks.")),
    Breed: ("consequence", "only-after-sliding", say("Only a Dominoid that has just slid breeds.")),
    Look: ("consequence", "only-after-sliding", say("Only a Dominoid that has just slid turns coins up.")),
    Place: ("child", "child", say("No child is to be placed.")),
    Replace: ("replace", "replace", say("No coin is to be replaced now.")),
}
OWED = {"choose": ("choose-first", say("First two dice are chosen.")),
        "consequence": ("must-act", say("Eating, attacking or breeding comes first: it is a must.")),
        "child": ("child", say("First the child is placed.")),
        "replace": ("replace", say("First the missing coins are replaced.")),
        "act": ("act", say("First both dice are used."))}


def broken(state: State, action: Any) -> Broken:
    """The rule that an action breaks which is not legal now."""
    phase, rule, sentence = PHASES[type(action)]
    if state.phase != phase:
        if state.phase in OWED and not isinstance(action, Eat | Attack | Breed | Look):
            return Broken(*OWED[state.phase])
        return Broken(rule, sentence)
    if isinstance(action, Choose):
        if len(set(action.dice)) != 2 or list(action.dice) != sorted(action.dice):
            return Broken("two-dice", say("Exactly two dice are chosen."), {"dice": action.dice})
        return Broken("one-old-die", say("At least one of the two dice must come from the Old box."), {"dice": action.dice})
    if isinstance(action, Slide | Rotate | Bud | Shift | Pass):
        return _broken_act(state, action)
    if isinstance(action, Eat | Look | Attack | Breed):
        return _broken_consequence(state, action)
    if isinstance(action, Replace):
        return _broken_replace(state, action)
    return _broken_child(state, action)


def _broken_act(state: State, action: Any) -> Broken:
    if action.die not in state.chosen:
        return Broken("die-not-chosen", say("The {die} die is not one of those to use now.", die=SUITS[action.die]),
                      {"die": SUITS[action.die]})
    face = state.dice[action.die]
    if face < 2 and not isinstance(action, Shift | Pass):
        return Broken("die-face", say("That die does not move a Dominoid."), {"face": face})
    if isinstance(action, Shift):
        return _broken_shift(state, action, face)
    options = with_die(state, action.die, objects_on(state))
    if isinstance(action, Pass):
        return Broken("must-move", say("A die that can do something is not passed."), {"die": SUITS[action.die]})
    if isinstance(action, Bud):
        if any(isinstance(each, Slide | Rotate) for each in options):
            return Broken("bud", say("Budding is only for a die by which no Dominoid can move."), {"face": face})
        return Broken("no-child", say("The {parent} has no child in the pool that fits beside it.",
                                      parent=action.parent), {"parent": action.parent})
    return _broken_move(state, action, face)


def _broken_move(state: State, action: Slide | Rotate, face: int) -> Broken:
    found = [each for each in state.dominoids if each.tile == action.tile]
    if not found or action.ends not in ((found[0].p, found[0].q), (found[0].q, found[0].p)):
        return Broken("no-dominoid", say("There is no such Dominoid {tile} on the board.",
                                         tile=action.tile), {"tile": action.tile})
    each = found[0]
    lead = action.ends[1]
    if lead >= face:
        return Broken("leading-end", say("The leading end shows {lead}, which is not less than the die's {face}.", lead=lead,
                                         face=face),
                      {"end": lead, "face": face})
    if not all(0 <= value < SIDE for cell in action.cells for value in cell):
        return Broken("edge", say("No Dominoid leaves the board."), {"cells": action.cells})
    if isinstance(action, Rotate):
        return Broken("rotate", say("A Dominoid turns a quarter about its other end; the square it turns to and the one it "
                                    "sweeps over must be empty."), {"cells": action.cells})
    ways = [(first, second) for first, second, p, q in ((each.first, each.second, each.p, each.q),
                                                        (each.second, each.first, each.q, each.p)) if q == lead]
    reach = max((slide_length(second, second - first, lead, objects_on(state), state.rules.edge_if_blocked == "illegal"),
                 min(len(RAYS[second - first][second]), lead)) for first, second in ways)
    if reach[0] == 0 and reach[1] < lead:
        return Broken("edge", say("The slide would leave the board."), {"cells": action.cells})
    if reach[0] == 0:
        return Broken("slide-blocked", say("Something is in the way at the first square."), {"cells": action.cells})
    return Broken("slide-distance", say("It slides {lead} squares, or until something stops it: here {reach}.", lead=lead,
                                        reach=reach[0]),
                  {"cells": action.cells, "squares": reach[0]})


def _broken_shift(state: State, action: Shift, face: int) -> Broken:
    if face != 1:
        return Broken("die-face", say("Only an ace shifts the board."), {"face": face})
    x, y = cell_of(state.pawns[action.die])
    wanted = {"row": y // 2, "column": x // 2}
    if wanted.get(action.line) != action.index or action.step not in (1, -1):
        return Broken("shift-pawn", say("The row or column with the {die} pawn is shifted, by one tile.",
                                        die=SUITS[action.die]),
                      {"pawn": (x, y)})
    if straddles(state.dominoids, action.line, action.index):
        return Broken("straddle", say("A Dominoid lies half in and half out of it."),
                      {"line": action.line, "index": action.index})
    return Broken("torn", say("A Dominoid across the seam would be torn."), {"line": action.line, "index": action.index})


def _broken_consequence(state: State, action: Any) -> Broken:
    mover = state.dominoids[state.mover or 0]
    beside = {*NEAR[mover.first], *NEAR[mover.second]}
    if isinstance(action, Eat | Look):
        coin = state.coins[action.suit]
        if coin is None or coin[0] not in beside:
            return Broken("eat", say("No {suit} coin lies beside the {tile}.", suit=SUITS[action.suit],
                                     tile=mover.tile), {"suit": SUITS[action.suit]})
        return Broken("eat", say("That coin is worth more than the end beside it."),
                          {"suit": SUITS[action.suit], "value": coin[1]})
    others = [each for each in state.dominoids if each.tile == action.tile and each is not mover]
    rule = "attack" if isinstance(action, Attack) else "breed"
    if not others or not {others[0].first, others[0].second} & beside:
        return Broken(rule, say("The {tile} does not lie beside the {mover}.", tile=action.tile,
                                mover=mover.tile), {"tile": action.tile})
    if rule == "attack":
        return Broken(rule, say("Only a smaller end is attacked."), {"tile": action.tile})
    return Broken(rule, say("Breeding needs two equal ends side by side and room for a child from the pool."),
                  {"tile": action.tile})


def _broken_child(state: State, action: Place) -> Broken:
    if action.tile not in state.pool:
        return Broken("no-child", say("The {tile} is not in the gene pool.", tile=action.tile), {"tile": action.tile})
    parents = [state.dominoids[at] for at in state.parents]
    if not any(number in (parent.p, parent.q) for parent in parents for number in action.tile):
        return Broken("child-number", say("A child shares a number with a parent."), {"tile": action.tile})
    return Broken("child-place", say("A child lies on two empty squares, beside a parent's end that matches it."),
                  {"cells": action.cells, "ends": action.ends})


def _broken_replace(state: State, action: Replace) -> Broken:
    if state.coins[action.suit] is not None or not state.stacks[action.suit]:
        return Broken("replace", say("No {suit} coin is missing, or none is left.",
                                     suit=SUITS[action.suit]), {"suit": SUITS[action.suit]})
    return Broken("replace-place", say("A new coin lies on an empty square beside the pawn of its suit."), {"cell": action.cell})


def broken_chance(state: State, action: Any) -> Broken | None:
    """What is wrong with a set-up, a roll or a coin turned up, if anything."""
    asked = {Deal: "deal", Roll: "roll", TurnCoin: "coin"}[type(action)]
    if state.chance != asked:
        return Broken("chance-order", say("Nothing of that kind is waited for now."))
    if isinstance(action, Roll):
        fine = len(action.faces) == 2 and all(0 <= face < 6 for face in action.faces)
        return None if fine else Broken("chance-order", say("Two dice are rolled."))
    if isinstance(action, TurnCoin):
        if action.suit != state.waiting() or action.value not in state.left_on(action.suit):
            return Broken("coin", say("That coin cannot be the one turned up."),
                          {"suit": SUITS[action.suit], "value": action.value})
        return None
    return _broken_deal(state, action)


def _broken_deal(state: State, action: Deal) -> Broken | None:
    cells = [*(cell for each in action.cells for cell in each), *action.pawns, *action.coins]
    if any(not (0 <= x < SIDE and 0 <= y < SIDE) for x, y in cells) or len(set(cells)) != len(cells):
        return Broken("setup", say("Every piece lies on a square of its own."))
    if not len(action.pawns) == len(action.coins) == len(action.stacks) == len(action.dice) == 4 or action.first not in (0, 1):
        return Broken("setup", say("There are four pawns, coins, stacks and dice, and two seats."))
    tiles = [Tile(min(ends), max(ends)) for ends in action.ends]
    if len(tiles) != 4 or len(action.cells) != 4 or len(set(tiles)) != 4 or not set(tiles) <= set(TILES_IN_PLAY):
        return Broken("setup", say("Four different Dominoids from 1-1 to 5-5 begin."))
    if any(number_of(second) not in NEAR[number_of(first)] for first, second in action.cells):
        return Broken("setup", say("A Dominoid lies on two squares side by side."))
    if any(len(values) != 6 or (-1 not in values and sorted(values) != list(range(6))) for values in action.stacks):
        return Broken("setup", say("Every suit has the coins 0 to 5."))
    if any(number_of(coin) not in NEAR[number_of(pawn)] for coin, pawn in zip(action.coins, action.pawns, strict=True)):
        return Broken("setup", say("Each coin begins beside the pawn of its suit."))
    if state.rules.setup == "figure":
        shapes = {frozenset(each) for each in action.cells} == {frozenset(each) for each in FIGURE_DOMINOIDS}
        places = set(zip(action.pawns, action.coins, strict=True)) == set(zip(FIGURE_PAWNS, FIGURE_COINS, strict=True))
        if not shapes or not places:
            return Broken("setup", say("The pieces begin on the squares of the figure."))
    return None


def check_table(state: State) -> None:
    """MalformedError where pieces overlap, are missing or doubled, or the phase does not fit."""
    if state.chance == "deal" and not state.dominoids:
        return
    cells = [*(cell for each in state.dominoids for cell in each[:2]), *state.pawns, *(coin[0] for coin in state.coins if coin)]
    checked(len(set(cells)) == len(cells), "two pieces lie on one square")
    checked(len(state.pawns) == len(SUITS), "the four pawns stand on the board")
    for each in state.dominoids:
        checked(each.second in NEAR[each.first], f"the halves of the {each.tile} are apart")
    tiles = Counter([*(each.tile for each in state.dominoids), *state.pool])
    for tile, count in tiles.items():
        checked(tile in TILES_IN_PLAY, f"there is no {tile} in this game")
        checked(count == 1, f"the {tile} is there {count} times")
    checked(len(tiles) == len(TILES_IN_PLAY), f"{len(tiles)} Dominoids on the board and in the pool; there are 15")
    for suit, name in enumerate(SUITS):
        coin = state.coins[suit]
        values = [value for own in state.collected for each, value in own if each == suit]
        count = len(values) + len(state.stacks[suit]) + (coin is not None)
        checked(count == 6, f"{count} coins of {name}; there are 6")
        seen = [value for value in (*values, *state.stacks[suit], coin[1] if coin else -1) if value >= 0]
        checked(len(set(seen)) == len(seen) and max(seen, default=0) < 6, f"the {name} have each value 0 to 5 once")
    phases = ("choose", "act", "consequence", "child", "replace", "roll", "over")
    checked(state.phase in phases, f"no phase {state.phase!r} in dominoids")
    checked((state.turn is None) == (state.phase == "over"), "the turn does not fit the phase")
    checked((state.mover is not None) == (state.phase == "consequence"), "the mover belongs to the phase `consequence`")
    checked(bool(state.parents) == (state.phase == "child"), "parents belong to the phase `child`")
    for at in (*state.parents, *(() if state.mover is None else (state.mover,))):
        checked(0 <= at < len(state.dominoids), f"there is no Dominoid {at}")
    checked(len(set(state.picked)) == len(state.picked) and len(state.picked) in (0, 2), "two dice are picked, or none yet")
    checked(set(state.chosen) <= set(state.picked), "a die to use is one of those picked")
