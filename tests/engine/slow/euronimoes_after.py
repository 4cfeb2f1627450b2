"""Euronimoes once more, slowly: one action done on a state in the exchange form, and the score of a table."""

from __future__ import annotations

import json
from typing import Any

Move = dict[str, Any]


def score(layout: list[Move], chips: int) -> int:
    """Columns, levels and chips."""
    numbers = {(cell[0], cell[1]): end for tile in layout for cell, end in zip(tile["cells"], tile["ends"], strict=True)}
    total: int = -chips - sum(tile["level"] for tile in layout if tile["level"] > 1)
    for x, y in numbers:
        if (x, y - 1) not in numbers:
            run = []
            while (x, y) in numbers:
                run.append(numbers[x, y])
                y += 1
            total += -3 if sorted(run) == [0, 1, 2, 3, 4, 5, 6] else min(run)
    return total


def after(state: Move, action: Move) -> tuple[Move, list[int]]:
    """The state after an action, with `over` as its phase where the game has ended; and the scores."""
    table: Move = json.loads(json.dumps(state))
    seat, market = table["turn"], table["market"]
    bank = 4 - table["chips"][seat]
    kind = action["kind"]
    if kind == "buy":
        table["hands"][seat].append(market.pop(action["slot"]))
        market.append(table["pile"].pop(0) if table["pile"] else None)
        cost = action["slot"] - 1
        table["chips"][seat] -= cost if cost >= 0 or bank else 0
        table["phase"] = "play"
    elif kind == "draw":
        table["hands"][seat].append(table["pile"].pop(0))
        market.append(market.pop(0))
        table["chips"][seat] += 1 if bank else 0
        table["phase"] = "play"
    else:
        if kind == "play":
            table["hands"][seat].remove(action["tile"])
            table["layouts"][seat].append({key: action[key] for key in ("cells", "ends", "level")})
        else:
            table["stopped"][seat] = True
        pass_on(table, seat)
    scores = [score(layout, chips) for layout, chips in zip(table["layouts"], table["chips"], strict=True)]
    return table, scores


def pass_on(table: Move, seat: int) -> None:
    """The next seat that has something to do."""
    seats = len(table["hands"])
    drawing = any(table["market"])
    for step in range(1, seats + 1):
        other = (seat + step) % seats
        if not table["stopped"][other] and (drawing or table["hands"][other]):
            table |= {"turn": other, "phase": "draw" if drawing else "last"}
            return
    table |= {"turn": None, "phase": "over"}
