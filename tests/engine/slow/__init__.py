"""Slow second move generators, written from the rules and the exchange form alone; they share nothing with the engine.

Each takes the flags as a mapping, a state in the exchange form, and what the form leaves to history, and returns the
legal actions in the exchange form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.engine.slow import dominoids, engine191, euronimoes, lines, mexican_train, solo

Legal = Callable[[dict[str, Any], dict[str, Any], dict[str, Any]], list[dict[str, Any]]]

SLOW: dict[str, Legal] = {name: lines.legal(name) for name in ("block", "all-fives", "matador", "one-arm-joe")} | {
    "euronimoes": euronimoes.legal, "engine191": engine191.legal, "dominoids": dominoids.legal,
    "knock-out": solo.knock_out, "elimination": solo.elimination, "solitaire": solo.solitaire,
    "mexican-train": mexican_train.legal,
}
