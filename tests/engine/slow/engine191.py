"""Engine 191 once more, slowly: legal actions from the exchange form."""

from __future__ import annotations

import json
from typing import Any

Move = dict[str, Any]


def end_of(state: Move, line: int) -> int:
    laid = state["lines"][line]
    return int(laid[-1][1]) if laid else int(state["hub"].split("-")[0])


def is_incomplete(rules: Move, state: Move, line: int) -> bool:
    laid = state["lines"][line]
    if not laid or laid[-1][0] != laid[-1][1]:
        return False
    return bool(rules["bared_counts_incomplete"]) or not state["bared"][line]


def may_use(rules: Move, state: Move, line: int) -> bool:
    """Whether the seat to move may lay a fitting tile there, when nothing obliges it to play elsewhere."""
    if line == state["turn"] or is_incomplete(rules, state, line):
        return True
    if not state["boneyard"] and not state["scrap"]:
        return False
    return bool(state["lines"][line]) or bool(rules["start_foreign_line"])


def plays(state: Move, lines: list[int], hand: list[str], yard: list[str]) -> list[Move]:
    found = []
    own = state["hands"][state["turn"]]
    for line in lines:
        for tile in hand:
            if str(end_of(state, line)) in tile.split("-"):
                found.append({"kind": "play", "tile": tile, "line": line, "from": "hand", "replace": None})
        for tile in yard:
            if str(end_of(state, line)) in tile.split("-"):
                found += [{"kind": "play", "tile": tile, "line": line, "from": "yard", "replace": other}
                          for other in own or [None]]
    return found


def legal(rules: Move, state: Move, history: Move) -> list[Move]:
    seat, phase = state["turn"], state["phase"]
    if seat is None:
        return []
    hand, yard = state["hands"][seat], state["yards"][seat]
    if phase == "bid":
        return [{"kind": "bid", "tile": tile} for tile in hand]
    every = range(len(state["lines"]))
    incomplete = [line for line in every if is_incomplete(rules, state, line)]
    free = [line for line in every if may_use(rules, state, line)]
    if phase == "chain":
        return [*plays(state, free, hand, yard), {"kind": "end"}]
    if phase == "drawn":
        return [*plays(state, incomplete or free, [], [state["drawn"]]), {"kind": "end"}]
    moves = plays(state, incomplete or free, hand, yard)
    must = bool(incomplete) and bool(moves) and rules["obligation"] == "strict"
    if state["lines"][seat]:
        moves.append({"kind": "remove"})
    if not must:
        moves.append({"kind": "draw" if state["boneyard"] or state["scrap"] else "pass"})
    return moves


class Table:
    """A table on which one action is done by hand; where the scrap is shuffled the next state tells the new order."""

    def __init__(self, rules: Move, state: Move, told: Move) -> None:
        self.rules, self.told = rules, told
        self.state: Move = json.loads(json.dumps(state))
        self.seat: int = state["turn"]

    def flip(self, drawn: list[str]) -> None:
        """The scrap becomes the boneyard: these tiles, which were drawn from it, and what the next state shows."""
        assert sorted([*drawn, *self.told["boneyard"]]) == sorted(self.state["scrap"])
        self.state["boneyard"], self.state["scrap"] = [*drawn, *self.told["boneyard"]], []

    def draw(self, place: str) -> None:
        mine, theirs = self.state[place][self.seat], self.told[place][self.seat]
        if not self.state["boneyard"]:
            (drawn,) = (tile for tile in theirs if tile not in mine)
            self.flip([drawn])
        mine.append(self.state["boneyard"].pop(0))
        if not self.state["boneyard"] and self.state["scrap"] and self.rules["reshuffle"] == "immediate":
            self.flip([])

    def next_seat(self) -> None:
        self.state |= {"turn": (self.seat + 1) % len(self.state["lines"]), "phase": "turn", "drawn": None}

    def do(self, action: Move) -> bool:
        """Do the action; whether the round goes on."""
        return bool(getattr(self, "do_" + action["kind"])(action))

    def do_bid(self, action: Move) -> bool:
        state, players = self.state, len(self.state["lines"])
        state["hands"][self.seat].remove(action["tile"])
        state["bids"][self.seat] = action["tile"]
        if self.seat < players - 1:
            state["turn"] += 1
            return True
        doubles = [tile for tile in state["bids"] if len(set(tile.split("-"))) == 1]
        if not doubles:
            return False
        state["hub"] = min(doubles)
        winner = state["bids"].index(state["hub"])
        for seat, tile in enumerate(state["bids"]):
            if seat != winner:
                state["hands"][seat].append(tile)
        state["bids"] = [None] * players
        self.seat = winner
        self.next_seat()
        if not self.rules["main_station_is_turn"]:
            state["turn"] = winner
        return True

    def do_remove(self, action: Move) -> bool:
        line = self.state["lines"][self.seat]
        gone = [line.pop()]
        while line and line[-1][0] != line[-1][1]:
            gone.append(line.pop())
        self.state["scrap"] += [f"{min(ends)}-{max(ends)}" for ends in gone]
        self.state["bared"][self.seat] = bool(line)
        self.state["passes"] = 0
        self.draw("yards")
        if self.rules["remove_ends_turn"]:
            self.next_seat()
        return True

    def do_play(self, action: Move) -> bool:
        state, line = self.state, action["line"]
        exempt = line == self.seat or is_incomplete(self.rules, state, line)
        end = end_of(state, line)
        state["yards" if action["from"] == "yard" else "hands"][self.seat].remove(action["tile"])
        if action["replace"]:
            state["hands"][self.seat].remove(action["replace"])
            state["yards"][self.seat].append(action["replace"])
        ends = [int(each) for each in action["tile"].split("-")]
        station = ends[0] == ends[1]
        after_draw = state["phase"] == "drawn"
        state["lines"][line].append([end, sum(ends) - end])
        state["bared"][line] = False
        state["passes"], state["drawn"] = 0, None
        if not exempt:
            self.draw("hands")
        if not state["hands"][self.seat]:
            return False
        if station and (self.rules["after_draw_chain"] or not after_draw):
            state["phase"] = "chain"
        else:
            self.next_seat()
        return True

    def do_draw(self, action: Move) -> bool:
        self.state["passes"] = 0
        self.draw("yards")
        self.state |= {"phase": "drawn", "drawn": self.state["yards"][self.seat][-1]}
        return True

    def do_end(self, action: Move) -> bool:
        self.next_seat()
        return True

    def do_pass(self, action: Move) -> bool:
        self.state["passes"] += 1
        self.next_seat()
        return bool(self.state["passes"] < len(self.state["lines"]))


def pips(state: Move) -> list[int]:
    """The score of each seat: hand, yard, and a bid face down."""
    bids = [[tile] if tile else [] for tile in state["bids"]]
    return [sum(int(end) for tile in [*hand, *yard, *bid] for end in tile.split("-"))
            for hand, yard, bid in zip(state["hands"], state["yards"], bids, strict=True)]


def sorted_tiles(state: Move) -> Move:
    """The same with the tiles of lists that have no order in order."""
    lists = {key: [sorted(each) for each in state[key]] for key in ("hands", "yards")}
    return state | lists | {"scrap": sorted(state["scrap"])}
