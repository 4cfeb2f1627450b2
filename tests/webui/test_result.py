"""What a round and a game came to, as the page tells it: who went out, what was added, who leads, who wins."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.games import GAMES
from engine.state import State
from tests.webui.faketable import FakeTable, table
from webui.live.form import moment_form


def played(name: str, players: int, deals: int, seed: int = 4) -> tuple[FakeTable, State]:
    """A table as it is seen before so many deals and one, or at the end of the game; and the state with all hands known."""
    running, rng = table(name, players), Random(seed)
    full, seen = running.setting.new_state(), running.setting.new_state()

    def happens(action: Any) -> None:
        running.actions.append((action, "host", False))
        seen.push(action)

    while full.result is None:
        if full.chance == "deal" and deals == 0:
            break
        deals -= full.chance == "deal"
        action = full.random_chance(rng) if full.chance else rng.choice(full.legal())
        happens(full.public(action))
        full.push(action)
        while seen.chance and seen.chance != full.chance:
            happens(full.answer(seen))
    return running, full


def told(running: FakeTable) -> dict[str, Any]:
    return moment_form(running.moment(), None)


@pytest.mark.parametrize("name", ["block", "all-fives", "matador", "one-arm-joe", "mexican-train"])
@pytest.mark.parametrize("deals", [1, 2])
def test_a_round_is_told_when_it_is_over_and_its_points_add_up(name: str, deals: int) -> None:
    games = (played(name, 3, deals, seed) for seed in range(20))
    running, full = next(each for each in games if each[1].result is None)
    form = told(running)
    result = form["result"]
    assert not result["over"] and len(result["rounds"]) == deals
    assert [sum(points) for points in zip(*result["rounds"], strict=True)] == list(full.scores())
    out = [running.setting.names[seat] for seat, hand in enumerate(full.hands) if not hand]
    assert result["title"] == (f"{out[0]} goes out." if out else "The round is over: nobody could go on.")
    best = (min if full.FEW_WIN else max)(full.scores())
    tied = len(set(full.scores())) == 1
    assert form["leaders"] == [seat for seat, score in enumerate(full.scores()) if score == best and not tied]
    running.actions.append((full.public(full.random_chance(Random(1))), "host", False))
    assert told(running)["result"] is None


@pytest.mark.parametrize("name", GAMES)
def test_before_the_deal_nothing_is_over_and_nobody_leads(name: str) -> None:
    form = told(table(name, GAMES[name].SEATS[0]))
    assert form["result"] is None and form["leaders"] == [] and form["pile"] is None and form["aim"]


def test_a_deal_without_any_double_to_begin_with_is_no_round() -> None:
    for seed in range(30):
        running, full = played("engine191", 2, 2, seed)
        if not any(action.kind == "play" for action, _, _ in running.actions):
            assert full.chance == "deal" and told(running)["result"] is None
            return
    raise AssertionError("no such deals were found")


def test_a_token_not_the_points_of_a_round_leads_in_engine_191() -> None:
    running, full = played("engine191", 2, 3, 7)
    tokens = full.tokens  # type: ignore[attr-defined]
    form = told(running)
    assert [player["kept"].split()[0] for player in form["players"]] == [str(count) for count in tokens]
    assert form["leaders"] == ([] if len(set(tokens)) == 1 else [tokens.index(max(tokens))])


@pytest.mark.parametrize("name", ["euronimoes", "block", "knock-out"])
def test_at_the_end_the_result_names_who_wins(name: str) -> None:
    running, full = played(name, GAMES[name].SEATS[0], 99)
    result = told(running)["result"]
    assert result["over"] and full.result is not None
    assert all(running.setting.names[seat] in result["title"] for seat in full.result.winners)
