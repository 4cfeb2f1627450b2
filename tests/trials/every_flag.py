"""Games by every value of every flag, told without pictures: `python -m tests.trials.every_flag GAME ...`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.core import Flags
from engine.games import game
from referee.flags import flag_values
from simulator.staging.games import seat_counts
from tests.referee.told import ToldTrial
from tests.referee.told_dominoids import ToldDominoids
from tests.referee.told_market import ToldMarket
from trials.tally import Tally
from trials.trial import Difficulty

GAMES, SEED, TURNS, WRONG = 2, 7100, 40, 0.1


def ways(name: str) -> Iterator[Flags]:
    """The usual rules of a game, then each that differs from them in one flag."""
    usual = game(name).Rules()
    yield usual
    yield from (rules for flag, value in flag_values(name) if (rules := replace(usual, **{flag: value})) != usual)


def told(name: str, rules: Flags, number: int) -> Tally:
    """One game by these rules."""
    kind = {"euronimoes": ToldMarket, "dominoids": ToldDominoids}.get(name, ToldTrial)
    with TemporaryDirectory() as folder:
        counts = seat_counts(name)
        trial = kind(name, counts[number % len(counts)], SEED + number, None,  # type: ignore[arg-type]
                     Path(folder) / "journal.db", Difficulty(WRONG), rules=rules)
        trial.players.most = TURNS
        return trial.run()


def main(names: list[str]) -> None:
    """Play, and print what came of it."""
    for name in names:
        total = Tally()
        for rules in ways(name):
            tally = Tally()
            for number in range(GAMES):
                tally.add(told(name, rules, number))
            for trouble in tally.troubles:
                print(f"  {rules}: {trouble}")
            total.add(tally)
        print(f"{name}: {total.games} games, {total.plays} plays: {total.right} right, {total.asked} asked, {total.silent_wrong} "
              f"silent wrong; illegal {total.illegal_rule_right} of {total.illegal_planted} by their rule, {total.false_alarms} "
              f"false alarms; scores right in {total.scores_right}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
