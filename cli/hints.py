"""The commands of hints: hint, and match, which says how good they are."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from math import isfinite
from random import Random
from typing import TYPE_CHECKING, Any

import click

from cli.common import Finite
from cli.rules import game_argument, parsed_rules, rules_option

if TYPE_CHECKING:
    from engine.estimates import Estimate
    from engine.hints.hint import Hint

SHOWN = 5
"""Hints that are printed."""


@click.command()
@game_argument
@click.argument("words", nargs=-1, required=True, metavar="STATE-TEXT")
@click.option("--seconds", type=Finite(0.1, 600), default=2.0, show_default=True, help="How long to think.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every action that was looked at.")
def hint(name: str, words: tuple[str, ...], seconds: float, seed: int, as_json: bool) -> None:
    """Say what serves the seat to move best in a state, and why.

    Only what that seat knows is looked at: tiles that it cannot see may stand as "?" or be given, it makes no difference.
    """
    from engine.core import MalformedError
    from engine.games import game
    from engine.hints.hint import sentences, think

    try:
        state = game(name).from_text(" ".join(words))
    except MalformedError as error:
        raise click.BadParameter(str(error), param_hint="STATE-TEXT") from error
    if state.turn is None:
        raise click.BadParameter("No seat is to move there.", param_hint="STATE-TEXT")
    until = time.monotonic() + seconds
    advice = next(each for each in think(state.view(state.turn), Random(seed)) if each.settled or time.monotonic() > until)
    names = [f"Seat {seat}" for seat in range(state.players)]
    if as_json:
        click.echo(json.dumps({"game": name, "seat": state.turn, "looks": advice.looks,
                               "hints": [_as_object(each, names) for each in advice.hints()]}))  # fmt: skip
        return
    for rank, each in enumerate(advice.hints(SHOWN), 1):
        click.echo(f"{rank}. {each.action}\n   {' '.join(sentences(each, names))}")


def _as_object(hint: Hint, names: Sequence[str]) -> dict[str, Any]:
    fear = hint.fear and {"seat": hint.fear.seat, "action": str(hint.fear.action), "often": round(hint.fear.often, 3),
                          "lead": round(hint.fear.lead, 2)}  # fmt: skip
    return {"action": str(hint.action), "worth": round(hint.worth, 3), "lead": hint.lead and round(hint.lead.mean, 2),
            "lead_95": hint.lead and _interval(hint.lead), "chance": hint.chance and round(hint.chance.mean, 4),
            "chance_95": hint.chance and _interval(hint.chance),
            "reasons": [reason.words(names) for reason in hint.reasons], "fear": fear}  # fmt: skip


@click.command()
@game_argument
@click.argument("bots", nargs=2, metavar="BOT BOT")
@click.option("--games", type=click.IntRange(2), default=100, show_default=True, help="Two for each deal, seats exchanged.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@rules_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def match(name: str, bots: tuple[str, str], games: int, seed: int, flags: str, as_json: bool) -> None:
    """Let two bots play the same deals from both seats: random, simple (best at once) or hints (looks ahead;
    hints:500 so often, hints:0.5s for so long, of processor time: what else the computer does is no matter)."""
    from engine.bots import bot
    from engine.core import MalformedError
    from engine.games import game
    from engine.match import match as played
    from engine.match import mean_difference, share_won

    rules = parsed_rules(name, flags)
    try:
        first, second = (bot(each, time.process_time) for each in bots)
    except MalformedError as error:
        raise click.BadParameter(str(error), param_hint="BOT") from error
    with click.progressbar(played(game(name), rules, (first, second), games // 2, seed), length=games // 2, file=sys.stderr,
                           label=f"{bots[0]} and {bots[1]}") as steps:
        pairs = list(steps)
    difference, won = mean_difference(pairs), share_won(pairs)
    alone = [sum(each) for each in zip(*(pair.alone for pair in pairs if pair.alone is not None), strict=True)]
    if as_json:
        click.echo(json.dumps({
            "game": name, "bots": list(bots), "games": 2 * len(pairs), "mean_difference": round(difference.mean, 3),
            "mean_difference_95": _interval(difference), "share_won": round(won.mean, 4), "share_won_95": _interval(won),
        } | ({"won_alone": alone} if alone else {})))  # fmt: skip
        return
    known = isfinite(difference.low)
    spread = f"{difference.low:+.2f} to {difference.high:+.2f}" if known else "of unknown spread: all pairs are alike"
    click.echo(f"{name}, {2 * len(pairs)} games: {bots[0]} is {difference.mean:+.2f} points ahead of {bots[1]} "
               f"({spread}) and wins {100 * won.mean:.1f} % "
               f"({100 * won.low:.1f} to {100 * won.high:.1f}); intervals of 95 %")
    if alone:
        click.echo(f"of {len(pairs)} deals {bots[0]} wins {alone[0]}, {bots[1]} {alone[1]}")


def _interval(estimate: Estimate) -> list[float | None]:
    return [round(each, 4) if isfinite(each) else None for each in (estimate.low, estimate.high)]


COMMANDS = (hint, match)
