"""Why not: the rule that an action in Mexican Train breaks, and what is wrong with a table or a deal that cannot be."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from engine.actions import Show
from engine.core import UNKNOWN, Broken
from engine.hidden import broken_show, impossible
from engine.mexican_train.actions import Deal, Draw, End, Pass, Play
from engine.pieces import DOUBLE_TWELVE, Tile
from engine.state import checked
from engine.words import listed, say

if TYPE_CHECKING:
    from engine.mexican_train.game import State


def broken(state: State, action: Any) -> Broken:
    """The rule that an action breaks which is not legal now."""
    if isinstance(action, Play):
        return _broken_play(state, action)
    if isinstance(action, End):
        return Broken("nothing-to-end", say("This turn ends by itself."))
    if state.phase == "chain":
        return Broken("first-train", say("Go on with your own train, or end the turn."))
    playable = [tile for tile in state.hands[state.turn or 0] if tile != UNKNOWN and state.plays_of([tile])]
    if playable:
        named = listed(playable[:6], "or")
        return Broken("must-play", say("A tile that fits must be laid: {named}.", named=named), {"tiles": playable})
    if isinstance(action, Draw) and not state.boneyard:
        return Broken("boneyard-empty", say("There is nothing left to draw."))
    if isinstance(action, Draw):
        return Broken("one-draw", say("One tile has been drawn: lay one that fits, or pass."))
    assert isinstance(action, Pass)
    return Broken("must-draw", say("First draw a tile: there are some left."), {"boneyard": len(state.boneyard)})


def _broken_play(state: State, action: Play) -> Broken:
    tile, train, seat = action.tile, action.train, state.turn or 0
    if tile not in DOUBLE_TWELVE:
        return Broken("not-in-set", say("There is no {tile} in this set.", tile=tile), {"tile": tile})
    targets = dict(state.targets())
    if train not in targets:
        return _not_there(state, train)
    hand = state.hands[seat]
    if tile not in hand and (UNKNOWN not in hand or tile not in state.unseen()):
        return Broken("not-your-tile", say("The {tile} is not in this hand.", tile=tile), {"tile": tile, "seat": seat})
    if targets[train] not in tile:
        return Broken("match", say("The train ends in a {target}; the {tile} does not fit it.", target=targets[train],
                                   tile=tile),
                      {"tile": tile, "end": targets[train]})
    return Broken("revoke", say("This hand cannot hold the {tile}: it drew or passed when the {tile} could have been laid.",
                                tile=tile),
                  {"tile": tile, "seat": seat})


def _not_there(state: State, train: int) -> Broken:
    if not 0 <= train <= state.mexican:
        return Broken("train", say("There is no such train."), {"train": train})
    if state.double is not None and state.must_cover():
        end = state.end_of(state.double)
        return Broken("double", say("First the double {end} must be covered.", end=end), {"train": state.double, "end": end})
    if state.phase == "chain":
        return Broken("first-train", say("In the first turn more tiles are laid on the own train only."), {"train": train})
    if train == state.mexican:
        return Broken("mexican", say("Nothing is laid on the Mexican train in the first turn of a round."), {"train": train})
    return Broken("train", say("There is no marker at that train: it is closed to others."), {"train": train})


def broken_chance(state: State, action: Any) -> Broken | None:
    """What is wrong with a deal or with tiles shown, if anything."""
    if isinstance(action, Show):
        return broken_show(state.hands, state.unseen(), action.seat, action.tiles)
    assert isinstance(action, Deal)
    if state.chance != "deal":
        return Broken("no-deal", say("A deal comes only at the start of a round."))
    if len(action.hands) != state.players or any(len(hand) != state.dealt for hand in action.hands):
        return Broken("deal", say("Every one of the {players} seats takes {hand} tiles.", players=state.players,
                                  hand=state.dealt))
    left = len(DOUBLE_TWELVE) - 1 - state.players * state.dealt
    if len(action.boneyard) != left:
        return Broken("deal", say("The engine lies in the middle; the boneyard has the other {left} tiles.", left=left))
    engine = state.engine - (state.starter is not None)
    tiles = [tile for tile in chain(*action.hands, action.boneyard) if tile != UNKNOWN]
    if bad := impossible([*tiles, Tile(engine, engine)], DOUBLE_TWELVE):
        return Broken("deal", bad)
    due = state.due_starter()
    if not 0 <= action.starter < state.players:
        return Broken("starter", say("There is no seat {seat}.", seat=action.starter), {"seat": action.starter})
    if due is not None and action.starter != due:
        return Broken("starter", say("Another seat begins this round."), {"seat": due})
    return None


def check_table(state: State) -> None:
    """MalformedError where tiles are missing or doubled, a train does not join, or nobody is to move."""
    seats = state.players
    checked(len(state.marked) == len(state.begun) == len(state.match) == seats, "there is one value for every seat")
    checked(len(state.trains) == seats + 1, f"{seats} seats have {seats + 1} trains")
    checked(0 <= state.round < state.rules.rounds, f"there is no round with the engine {state.engine}")
    checked(0 <= state.passes <= seats, f"{state.passes} passes are too many")
    checked(state.double is None or 0 <= state.double <= seats, f"there is no train {state.double}")
    checked(state.starter is None or 0 <= state.starter < seats, f"there is no seat {state.starter}")
    checked(state.phase in ("play", "drawn", "chain", "deal", "show", "over"), f"no phase {state.phase!r} in {state.game}")
    checked((state.turn is None) == (state.phase in ("deal", "show", "over")), "the turn does not fit the phase")
    if state.starter is None:
        checked(state.phase == "deal" and not state.boneyard and not any((*state.hands, *state.trains)), "nothing is dealt yet")
        return
    problem = impossible(state.seen(), DOUBLE_TWELVE)
    checked(not problem, problem)
    count = 1 + len(state.boneyard) + sum(map(len, state.hands)) + sum(map(len, state.trains))
    checked(count == len(DOUBLE_TWELVE), f"{count} tiles on the table; the set has {len(DOUBLE_TWELVE)}")
    for train in state.trains:
        before = state.engine
        for inner, outer in train:
            checked(inner == before, f"the {inner}-{outer} does not join the {before}")
            before = outer
    if state.double is not None:
        train = state.trains[state.double]
        checked(bool(train) and train[-1][0] == train[-1][1], "there is no double to be covered")
