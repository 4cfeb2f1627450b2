"""Why not: the rule that a play in a line game breaks, and what is wrong with a table or a deal that cannot be."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from engine.actions import Show
from engine.core import UNKNOWN, Broken
from engine.hidden import broken_show, impossible
from engine.lines.actions import Claim, Deal, Draw, Muggins, Pass, Play, Skip
from engine.lines.kit import rank
from engine.pieces import Tile
from engine.state import checked
from engine.words import listed, say

if TYPE_CHECKING:
    from engine.lines.line import Line


def broken(state: Line, action: Any) -> Broken:
    """The rule that an action breaks which is not legal now."""
    if state.phase == "claim" and not isinstance(action, Claim | Muggins | Skip):
        return Broken("claim-first", say("First the points of the last play must be claimed or let go."))
    if isinstance(action, Play):
        return _broken_play(state, action)
    if isinstance(action, Skip):
        return Broken("nothing-to-skip", say("There is no bonus tile and no claim to let go."))
    if isinstance(action, Claim | Muggins):
        return Broken("nothing-to-claim", say("There are no points here that this seat may claim."))
    if state.phase == "lead":
        return Broken("lead", say("The round begins with a tile; nobody draws or passes before it."))
    if state.phase == "bonus":
        return Broken("bonus", say("A bonus is one more tile or nothing; there is no drawing for it."))
    return _broken_draw(state) if isinstance(action, Draw) else _broken_pass(state, action)


def _playable(state: Line) -> list[Tile]:
    """Tiles of the seat to move that are known and fit."""
    hand = [tile for tile in state.hands[state.turn or 0] if tile != UNKNOWN]
    return [tile for tile in hand if state.plays_of([tile])]


def _broken_draw(state: Line) -> Broken:
    if len(state.boneyard) <= state.rules.reserve:
        return Broken("boneyard-empty", say("There is nothing left to draw."), {"boneyard": len(state.boneyard)})
    tiles = _playable(state)
    if state.drawn:
        return Broken("one-draw", say("Only one tile may be drawn in a turn while one could be played."), {"tiles": tiles})
    return Broken("must-play", say("A tile that fits must be played: {tiles}.", tiles=listed(tiles, "or")), {"tiles": tiles})


def _broken_pass(state: Line, action: Pass) -> Broken:
    tiles = _playable(state)
    if tiles:
        return Broken("must-play", say("A tile that fits must be played: {tiles}.", tiles=listed(tiles, "or")), {"tiles": tiles})
    return Broken("must-draw", say("Who cannot play draws while the boneyard has tiles."), {"boneyard": len(state.boneyard)})


def _broken_play(state: Line, action: Play) -> Broken:
    tile = action.tile
    seat = state.turn or 0
    if tile not in state.kit.tiles:
        return Broken("not-in-set", say("There is no {tile} in this set.", tile=tile), {"tile": tile})
    hand = state.hands[seat]
    if tile not in hand:
        if UNKNOWN not in hand or tile not in state.unseen():
            return Broken("not-your-tile", say("The {tile} is not in this hand.", tile=tile), {"tile": tile, "seat": seat})
        if state.phase == "play" and state.plays_of([tile]) and tile not in state.candidates(seat):
            return Broken("revoke", say("This hand cannot hold the {tile}: it drew or passed when the {tile} would have "
                                        "fitted, or a lower double led.", tile=tile), {"tile": tile, "seat": seat})
    if state.phase == "lead":
        if action.arm != "root" or action.open is not None:
            return Broken("lead", say("The first tile lies in the middle."), {"arm": action.arm})
        lead = max((each for each in hand if each != UNKNOWN), key=rank, default=tile)
        if lead == tile:
            return Broken("lead", say("The highest double must lead, not the {tile}.", tile=tile), {"tile": tile})
        return Broken("lead", say("The highest double must lead: the {lead}, not the {tile}.", lead=lead,
                                  tile=tile), {"tile": tile, "lead": lead})
    if action.arm == "root":
        return Broken("lead", say("Only the first tile of a round lies in the middle."), {"tile": tile})
    return _broken_match(state, action)


def _broken_match(state: Line, action: Play) -> Broken:
    tile = action.tile
    ends = dict(state.open_ends())
    if action.arm not in ends:
        where = say("there") if action.arm == "side" else state.where(action.arm)
        return Broken("arm", say("Nothing may be played {where} now.", where=where), {"arm": action.arm, "open": sorted(ends)})
    end = ends[action.arm]
    if not state.kit.fit(tile, end):
        return Broken("match", say("The open end there is a {end}; the {tile} does not fit it.", end=end,
                                   tile=tile), {"tile": tile, "end": end})
    return Broken("open-end", say("Laid against the {end}, the {tile} cannot leave a {open} open.", end=end, tile=tile,
                                  open=action.open),
                  {"tile": tile, "end": end, "open": action.open})


def broken_chance(state: Line, action: Any) -> Broken | None:
    """What is wrong with a deal or with tiles shown, if anything."""
    if isinstance(action, Show):
        return broken_show(state.hands, state.unseen(), action.seat, action.tiles)
    assert isinstance(action, Deal)
    if state.chance != "deal":
        return Broken("no-deal", say("A deal comes only at the start of a round."))
    tiles = [tile for tile in chain(*action.hands, action.boneyard) if tile != UNKNOWN]
    if len(action.hands) != state.players or any(len(hand) != state.kit.hand for hand in action.hands):
        return Broken("deal", say("Every one of the {players} seats takes {hand} tiles.", players=state.players,
                                  hand=state.kit.hand))
    if len(action.boneyard) != len(state.kit.tiles) - state.players * state.kit.hand:
        return Broken("deal", say("The set has {number} tiles; the rest is the boneyard.", number=len(state.kit.tiles)))
    if bad := impossible(tiles, state.kit.tiles):
        return Broken("deal", bad)
    if not 0 <= action.starter < state.players:
        return Broken("deal", say("There is no seat {seat}.", seat=action.starter), {"seat": action.starter})
    if state.leader is not None and action.starter != state.leader:
        return Broken("lead", say("The winner of the last round leads."), {"seat": state.leader})
    if all(UNKNOWN not in hand for hand in action.hands):
        starter = state.starter_of(action.hands)
        if starter is None:
            return Broken("redeal", say("Nobody holds a double: the tiles are dealt again."))
        if starter != action.starter:
            return Broken("lead", say("The seat with the highest double leads."), {"seat": starter})
    return None


def check_table(state: Line) -> None:
    """MalformedError where tiles are missing or doubled, an arm does not join, or nobody is to move."""
    if state.chance == "deal" and not any(state.hands) and not state.boneyard:
        return
    problem = impossible(state.seen(), state.kit.tiles)
    checked(not problem, problem)
    laid = sum(len(arm) for _, arm in state.arms()) + (state.root is not None)
    count = laid + len(state.boneyard) + sum(map(len, state.hands))
    checked(count == len(state.kit.tiles), f"{count} tiles on the table; the set has {len(state.kit.tiles)}")
    checked(state.phase in state.phases(), f"no phase {state.phase!r} in {state.game}")
    checked((state.turn is None) == (state.phase in ("deal", "show", "over")), "the turn does not fit the phase")
    checked((state.root is None) == (state.phase == "lead"), "a round has its first tile in the middle, a lead has none")
    for name, arm in state.arms():
        before = None
        if state.root is not None and name in ("left", "right"):
            before = state.root[0 if name == "left" else 1]
        for inner, outer in arm:
            checked(before is None or outer in state.kit.fit(Tile.of(inner, outer), before),
                    f"the {inner}-{outer} does not join the {before} on the {name} arm")
            before = outer
