"""The legal actions of Mexican Train, and what an action leads to; from its RULES.md and the exchange form alone."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def ends_of(tile: str) -> tuple[int, int]:
    low, high = tile.split("-")
    return int(low), int(high)


def end_of(state: Json, train: int) -> int:
    laid = state["trains"][train]
    return int(laid[-1][1]) if laid else int(state["engine"])


def waited_for(state: Json) -> bool:
    """5.3, 5.4: some tile with the number of the open double does not lie on the table yet."""
    if state["double"] is None:
        return False
    double = end_of(state, state["double"])
    on_table = {tuple(sorted(ends)) for train in state["trains"] for ends in train} | {(state["engine"], state["engine"])}
    return any(tuple(sorted((double, other))) not in on_table for other in range(13))


def open_trains(rules: Json, state: Json) -> list[int]:
    seat, seats = state["turn"], len(state["hands"])
    if waited_for(state):
        return [state["double"]]
    if state["phase"] == "chain":
        return [seat]
    found = [train for train in range(seats) if train == seat or state["marked"][train]]  # 3.3
    return [*found, seats] if rules["mexican"] == "at_once" or state["begun"][seat] else found  # 3.4


def legal(rules: Json, state: Json, history: Json) -> list[Json]:
    hand = state["hands"][state["turn"]]
    moves: list[Json] = []
    for tile in hand:
        for train in open_trains(rules, state):
            if end_of(state, train) in ends_of(tile):
                moves.append({"kind": "play", "tile": tile, "train": train})
    if state["phase"] == "chain":
        return [*moves, {"kind": "end"}]  # 4.5
    if moves:
        return moves  # 4.2
    if state["phase"] == "play" and state["boneyard"]:
        return [{"kind": "draw"}]  # 4.3
    return [{"kind": "pass"}]  # 4.4


def pips(rules: Json, hand: list[str]) -> int:
    return sum((50 if rules["blank"] == "fifty" else 0) if tile == "0-0" else sum(ends_of(tile)) for tile in hand)


def after(rules: Json, before: Json, action: Json) -> tuple[Json | None, list[int]]:
    """The table after an action, None where the round is over, and the scores."""
    state = before | {"hands": [list(held) for held in before["hands"]], "boneyard": list(before["boneyard"]),
                      "trains": [list(laid) for laid in before["trains"]], "marked": list(before["marked"]),
                      "begun": list(before["begun"])}
    seat, seats = state["turn"], len(state["hands"])
    hand, over = state["hands"][seat], False

    def turn_over() -> None:
        state["begun"][seat] = True
        state["turn"], state["phase"] = (seat + 1) % seats, "play"

    if action["kind"] == "draw":
        hand.append(state["boneyard"].pop(0))
        state["phase"] = "drawn"
    elif action["kind"] == "end":
        turn_over()
    elif action["kind"] == "pass":
        state["passes"] = 1 if not state["marked"][seat] else min(seats, state["passes"] + 1)
        state["marked"][seat] = True
        over = state["passes"] == seats and not state["boneyard"]  # 6.2
        turn_over()
    else:
        train, tile = action["train"], action["tile"]
        inner = end_of(state, train)
        low, high = ends_of(tile)
        hand.remove(tile)
        state["trains"][train].append([inner, low + high - inner])
        state["passes"] = 0
        if train == seat:
            state["marked"][seat] = False
        state["double"] = train if low == high and rules["doubles"] != "free" else None
        over = not hand  # 6.1
        if low == high and rules["doubles"] == "cover" and waited_for(state):
            state["phase"] = "play"
        elif rules["first_turn"] == "train" and train == seat and not state["begun"][seat] and state["double"] is None:
            state["phase"] = "chain"
        else:
            turn_over()
    if over:
        return None, [points + pips(rules, held) for points, held in zip(state["match"], state["hands"], strict=True)]
    return state, state["match"]
