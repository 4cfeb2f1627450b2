"""The line games once more, slowly: one action done on a state in the exchange form."""

from __future__ import annotations

from typing import Any

from tests.engine.slow.lines import fits, halves, open_ends

Move = dict[str, Any]


def sum_of_ends(rules: Move, state: Move) -> int:
    """What the open ends add up to in All Fives."""
    arms, (low, high) = state["arms"], halves(state["root"])
    double = low == high
    laid = {side: arms[side] for side in arms if arms[side]}
    if not laid.get("left") and not laid.get("right"):
        return low + high
    total = 0
    for side, number in (("left", low), ("right", high)):
        if side in laid:
            inner, outer = laid[side][-1]
            total += 2 * outer if inner == outer else outer
        else:
            total += 2 * number if double else number
    for side in laid.keys() - {"left", "right"}:
        inner, outer = laid[side][-1]
        total += 2 * outer if inner == outer else outer
    return total


def round_five(pips: int) -> int:
    rest = pips % 5
    return pips - rest if rest < 3 else pips + 5 - rest


def round_points(game: str, rules: Move, state: Move) -> list[int]:
    """What a finished round earns each seat."""
    pips = [sum(sum(halves(tile)) for tile in hand) for hand in state["hands"]]
    fives = game == "all-fives"
    each = fives and rules["rounding"] == "each_hand"
    gains = [0] * len(pips)

    def points(parts: list[int]) -> int:
        if each:
            return sum(map(round_five, parts))
        return round_five(sum(parts)) if fives else sum(parts)

    if [] in state["hands"]:
        winner = state["hands"].index([])
        gains[winner] = points([held for seat, held in enumerate(pips) if seat != winner])
        return gains
    lowest = [seat for seat, held in enumerate(pips) if held == min(pips)]
    if len(lowest) > 1 and rules["blocked_tie"] == "none":
        return gains
    for seat in lowest:
        others = [held for other, held in enumerate(pips) if other != seat]
        if rules["blocked"] == "per_opponent":
            gains[seat] = points([held - pips[seat] for held in others])
        elif rules["blocked"] == "sum_minus_own":
            gains[seat] = points([*others, -pips[seat]])
        else:
            gains[seat] = points(others)
    return gains


def after(game: str, rules: Move, state: Move, action: Move) -> tuple[Move | None, list[int]]:
    """The state after a play, draw, pass or skipped bonus, None where the round is over; and the scores. No claims."""
    table = state | {"hands": [list(hand) for hand in state["hands"]], "boneyard": list(state["boneyard"]),
                     "points": list(state["points"]), "arms": {arm: list(laid) for arm, laid in state["arms"].items()}}
    seat, seats = table["turn"], len(table["hands"])
    following = {"turn": (seat + 1) % seats, "phase": "play", "drawn": False}
    over = False
    if action["kind"] == "draw":
        could = any(fits_any(game, rules, state, tile) for tile in state["hands"][seat])
        table["hands"][seat].append(table["boneyard"].pop(0))
        table["drawn"] = table["drawn"] or (game == "matador" and could)
    elif action["kind"] == "pass":
        table["passes"] += 1
        table |= following
        over = table["passes"] == seats
    elif action["kind"] == "skip":
        table |= following
    else:
        tile, arm = action["tile"], action["arm"]
        table["hands"][seat].remove(tile)
        table["passes"] = 0
        on_double = False
        if arm == "root":
            table["root"] = tile
        else:
            line = table["arms"].setdefault(arm, [])
            before = line[-1] if line else halves(table["root"])
            on_double = before[0] == before[1]
            line.append([sum(halves(tile)) - action["open"], action["open"]])
        double = len(set(halves(tile))) == 1
        if double and table["spinner"] is None and rules.get("spinner") == "first_double":
            table["spinner"] = tile
        if game == "all-fives":
            total = sum_of_ends(rules, table)
            table["points"][seat] += total if total % 5 == 0 else 0
        bonus = game == "one-arm-joe" and state["phase"] != "bonus" and (
            on_double if rules["bonus"] == "on_double" else double)
        over = not table["hands"][seat]
        table |= following
        if bonus:
            table |= {"turn": seat, "phase": "bonus"}
    scores = [won + points for won, points in zip(table["match"], table["points"], strict=True)]
    if rules["peg_out"] and max(scores) >= 100:
        return None, scores
    if over:
        return None, [score + gain for score, gain in zip(scores, round_points(game, rules, table), strict=True)]
    return table, scores


def fits_any(game: str, rules: Move, state: Move, tile: str) -> bool:
    return any(fits(game, rules, tile, end) for _, end in open_ends(game, rules, state))
