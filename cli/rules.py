"""The commands of the rules: dump, perft, rules, play, soak-rules, and the timing of the engine for `bench --rules`."""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.state import State

# The engine is imported by the commands that need it: reading one photo should not load all games.


def _known(ctx: click.Context, param: click.Parameter, name: str) -> str:
    """The name of a game, as it was given."""
    from engine.games import GAMES

    if name not in GAMES:
        raise click.BadParameter(f"{name!r} is not one of {', '.join(GAMES)}.")
    return name


game_argument = click.argument("name", metavar="GAME", callback=_known)
players_option = click.option("--players", type=click.IntRange(1), help="Without it the game's own numbers in turn.")
seed_option = click.option("--seed", type=click.IntRange(0), default=None, help="The same number gives the same games.")
rules_option = click.option("--rules", "flags", default="", metavar="FLAG=VALUE,...", help="Flags that are not as usual.")


def parsed_rules(name: str, flags: str) -> Any:
    """The rules that a command line asks for."""
    from engine.core import MalformedError
    from engine.games import game

    try:
        return game(name).Rules.parse(flags)
    except MalformedError as error:
        raise click.BadParameter(str(error), param_hint="--rules") from error


@click.command()
@game_argument
@click.option("--games", type=click.IntRange(1), default=1, show_default=True)
@players_option
@seed_option
@rules_option
def dump(name: str, games: int, players: int | None, seed: int | None, flags: str) -> None:
    """Play random games and write them in the exchange form, one JSON line per decision."""
    from engine.core import MalformedError
    from engine.games import game
    from engine.playout import dump as lines

    rules = parsed_rules(name, flags)
    try:
        if (played := game(name).dump_rules(rules)) != rules:
            click.echo(f"This game need not end: here by {played}.", err=True)
        for line in lines(name, games, players, seed or 0, rules):
            click.echo(json.dumps(line, separators=(",", ":")))
    except MalformedError as error:
        raise click.UsageError(str(error)) from error


@click.command()
@game_argument
@click.argument("words", nargs=-1, required=True, metavar="[STATE-TEXT] DEPTH")
@seed_option
@rules_option
def perft(name: str, words: tuple[str, ...], seed: int | None, flags: str) -> None:
    """Count the sequences of DEPTH actions from a state, or from the deal of a seed."""
    from engine.core import MalformedError
    from engine.games import game
    from engine.playout import perft as count

    *text, depth = words
    if not depth.isdigit():
        raise click.BadParameter(f"{depth!r} is not a number of actions", param_hint="DEPTH")
    try:
        kind = game(name)
        state = kind.from_text(" ".join(text)) if text else kind.start(parsed_rules(name, flags), None, Random(seed or 0))
    except MalformedError as error:
        raise click.BadParameter(str(error), param_hint="STATE-TEXT") from error
    if not text:
        click.echo(state.text(), err=True)
    click.echo(count(state, int(depth)))


@click.command("rules")
@game_argument
@click.argument("rule", required=False)
def show_rules(name: str, rule: str | None) -> None:
    """Print the rule book as the referee cites it, or one RULE of it; and the flags of the game."""
    from dataclasses import fields

    from engine.games import game

    kind = game(name)
    if rule is not None:
        if rule not in kind.RULE_BOOK:
            raise click.BadParameter(f"no rule {rule!r} in {name} (there are: {', '.join(kind.RULE_BOOK)})", param_hint="RULE")
        entry = kind.RULE_BOOK[rule]
        click.echo(f"{entry.id}: {entry.text}\n    {entry.source}")
        return
    for entry in kind.RULE_BOOK.values():
        click.echo(f"{entry.id}: {entry.text}\n    {entry.source}")
    for each in fields(kind.Rules):
        choices = " | ".join("a number" if choice is int else str(choice).lower() for choice in each.metadata["choices"])
        click.echo(f"--rules {each.name}={choices}\n    {each.metadata['about']}")


@click.command("soak-rules")
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True)
@seed_option
def soak_rules(games: int, seed: int | None) -> None:
    """Play random games of every kind by random flags; exit status 1 at the first broken law."""
    from collections import Counter

    from engine.soak import BrokenLawError, soak

    seed = Random().randrange(2**32) if seed is None else seed
    played: Counter[str] = Counter()
    try:
        with click.progressbar(soak(games, seed), length=games, file=sys.stderr, label=f"seed {seed}") as steps:
            for name in steps:
                played[name] += 1
    except BrokenLawError as error:
        click.echo(str(error), err=True)
        sys.exit(1)
    click.echo(f"seed {seed}: {games} games, every law held: " + ", ".join(f"{name} {count}" for name, count in played.items()))


@click.command()
@game_argument
@click.option("--players", type=click.IntRange(1), help="Without it the fewest that the game is for.")
@seed_option
@rules_option
@click.option("--seat", type=click.IntRange(0), default=0, show_default=True, help="Where you sit; bots have the other seats.")
@click.option("--bots", "all_bots", is_flag=True, help="Watch the bots play all seats.")
def play(name: str, players: int | None, seed: int | None, flags: str, seat: int, all_bots: bool) -> None:
    """Play a game in the terminal against simple bots. Write the number of an action or its words; ? shows them, q leaves."""
    from engine.bots import simple
    from engine.core import MalformedError
    from engine.games import game
    from engine.pictures import picture

    rng = Random(seed)
    kind = game(name)
    try:
        state = kind(parsed_rules(name, flags), players or kind.SEATS[0])
    except MalformedError as error:
        raise click.UsageError(str(error)) from error
    if seat >= state.players:
        raise click.BadParameter(f"there are {state.players} seats, counted from 0", param_hint="--seat")
    if not all_bots:
        click.echo(f"You are seat {seat}. Write the number of an action or its words; ? shows all of them, q leaves.")
    while state.outcome() is None:
        if state.chance:
            if state.chance == "deal" and state.pushed:
                scores = ", ".join(f"seat {each}: {score}" for each, score in enumerate(state.scores()))
                click.echo(f"\n--- the round is over ({scores}); a new one is dealt ---")
            state.push(state.random_chance(rng))
            continue
        if state.turn == seat and not all_bots:
            click.echo("\n" + picture(state.view(seat)))
            action = _ask(state)
            if action is None:
                return
        else:
            action = simple(state.view(state.turn or 0), rng)
            click.echo(f"seat {state.turn}: {state.public(action)}")
        state.push(action)
    outcome = state.outcome()
    assert outcome is not None
    winners = ", ".join(f"seat {winner}" for winner in outcome.winners) or "nobody"
    click.echo(f"\n{picture(state)}\n{outcome.reason}: {winners} won")


def _ask(state: State) -> Action | None:
    """The player's action; None to leave."""
    legal = state.legal()
    if len(legal) == 1:
        click.echo(f"(only one action: {legal[0]})")
        return legal[0]
    _show_actions(legal[:30], len(legal))
    while True:
        try:
            text = click.prompt("your action", prompt_suffix="> ").strip()
        except click.Abort:
            return None
        if text == "q":
            return None
        if text == "?":
            click.echo("to be written: " + "; ".join(dict.fromkeys(_form(action) for action in legal)))
            _show_actions(legal, len(legal))
        elif text.isdigit() and 1 <= int(text) <= len(legal):
            return legal[int(text) - 1]
        else:
            try:
                return state.parse_action(text)
            except ValueError as error:
                click.echo(str(error))


def _form(action: Action) -> str:
    """An action as it is written, with names for its values."""
    return " ".join([action.kind, *(key.upper() for _, key, _ in action.FORM)])


def _show_actions(actions: list[Action], count: int) -> None:
    for number, action in enumerate(actions, 1):
        click.echo(f"  {number:3} {action}")
    if len(actions) < count:
        click.echo(f"  ... {count} in all; ? shows them")


BETWEEN_LOOKS = 32
"""Decisions between two looks at the clock."""


def bench_rules(seconds: float) -> dict[str, Any]:
    """Decisions and looks ahead per second of each game, and python-chess's random game, taken in turn in slices of time.

    A decision is: the legal actions listed, one taken at random, the outcome asked; chance acts in between at our cost. A look
    ahead is one of those by which hints are found, from positions in the first 30 actions of a game. The clock is asked now and
    then only: on some machines that costs more than a decision of the quicker games. Where OpenSpiel is installed, its dominoes
    in Python (all tiles of a seat dealt, no boneyard) are timed, too.
    """
    try:
        import chess
    except ImportError as error:
        raise click.ClickException("The reference is python-chess, which is missing: pip install 'kibitz[bench]'.") from error
    from engine.games import GAMES
    from engine.hints.search import Search
    from engine.playout import random_game

    rng = Random(1)

    def reference(until: float) -> int:
        count = 0
        while True:
            board = chess.Board()
            while not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
                count += 1
                if count % BETWEEN_LOOKS == 0 and time.process_time() > until:
                    return count

    def open_spiel(game: Any, until: float) -> int:
        count = 0
        while True:
            state = game.new_initial_state()
            while not state.is_terminal():
                chance = state.is_chance_node()
                state.apply_action(rng.choice(state.legal_actions()))
                count += not chance
            if time.process_time() > until:
                return count

    def ours(kind: type[State], until: float) -> int:
        count = 0
        while True:
            state = kind(None, kind.SEATS[count % len(kind.SEATS)])
            while state.outcome() is None:
                if state.chance:
                    state.push(state.random_chance(rng))
                    continue
                state.push(rng.choice(state.legal()))
                count += 1
                if count % BETWEEN_LOOKS == 0 and time.process_time() > until:
                    return count

    def ahead(kind: type[State], until: float) -> int:
        count = 0
        while True:
            for state, _ in islice(random_game(kind(), rng), rng.randrange(30), 30, 10):
                search = Search(state.view(state.turn or 0), rng)
                for _ in range(BETWEEN_LOOKS):
                    search.look()
                count += BETWEEN_LOOKS
                if time.process_time() > until:
                    return count

    slices = 5
    slice_s = seconds / slices / 2
    jobs = {("reference", ""): reference}
    jobs |= {("decisions", name): partial(ours, kind) for name, kind in GAMES.items()}
    jobs |= {("looks", name): partial(ahead, kind) for name, kind in GAMES.items()}
    if find_spec("pyspiel") is not None:
        import_module("open_spiel.python.games.block_dominoes")  # makes it known by its name
        jobs["open_spiel", ""] = partial(open_spiel, import_module("pyspiel").load_game("python_block_dominoes"))
    done, spent = dict.fromkeys(jobs, 0), dict.fromkeys(jobs, 0.0)
    for _ in range(slices):
        for key, job in jobs.items():
            start = time.process_time()
            done[key] += job(start + slice_s)
            spent[key] += time.process_time() - start
    per_second = {key: done[key] / spent[key] for key in done}
    reference_per_s = per_second.pop(("reference", ""))
    dominoes_per_s = per_second.pop(("open_spiel", ""), None)

    def rates(what: str, divisor: float, digits: int | None) -> dict[str, float]:
        return {name: round(rate / divisor, digits) for (kind, name), rate in per_second.items() if kind == what}

    return {
        "playouts_per_s": rates("decisions", 1, None), "reference_loop_per_s": round(reference_per_s),
        "playout_ratio": rates("decisions", reference_per_s, 2),
        "looks_per_s": rates("looks", 1, None), "look_ratio": rates("looks", reference_per_s, 3),
    } | ({} if dominoes_per_s is None else {
        "open_spiel_per_s": round(dominoes_per_s), "open_spiel_ratio": rates("decisions", dominoes_per_s, 2),
    })  # fmt: skip


def bench_rules_text(told: dict[str, Any]) -> list[str]:
    """The same for reading."""
    lines = [f"python-chess, random game: {told['reference_loop_per_s']:,} decisions/s"]
    lines += [f"{name:12} {rate:10,} decisions/s, {told['playout_ratio'][name]:6.2f} times the reference;"
              f" {told['looks_per_s'][name]:7,} looks ahead/s, {told['look_ratio'][name]:6.3f} times"
              for name, rate in told["playouts_per_s"].items()]
    if "open_spiel_per_s" in told:
        lines.append(f"OpenSpiel, python_block_dominoes: {told['open_spiel_per_s']:,} decisions/s, "
                     f"block {told['open_spiel_ratio']['block']:.1f} times as many")
    return lines


COMMANDS = (dump, perft, show_rules, play, soak_rules)
