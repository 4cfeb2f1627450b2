"""The demo: virtual players before a simulated camera, who wait for the referee and answer its questions."""


import pytest

import cli.demo
from engine.actions import action_from_text
from engine.games import GAMES
from simulator.endless import Endless
from simulator.opening import open_source
from simulator.staging.games import seat_counts
from simulator.staging.players import CALM, Mischief
from vision.sources.source import SourceError


def run_until(source: Endless, done: int, most: int = 900) -> None:
    """Let the film run until so many things were done."""
    for _ in range(most):
        if len(source.told) >= done:
            return
        source.next(0.0)
    raise AssertionError(f"only {source.told} after {most} frames")


def test_hands_play_and_what_they_did_is_told() -> None:
    source = Endless("block", 2, 5, mischief=CALM, sleep=lambda seconds: None)
    first = source.next(1.0)
    assert first is not None and first.image.shape == (1080, 1920, 3)
    run_until(source, 3)
    assert source.game == 0 and [text.split()[0] for text in source.told[:2]] == ["deal", "play"]


def test_players_wait_for_the_referee() -> None:
    source = Endless("block", 2, 5, mischief=CALM, sleep=lambda seconds: None)
    source.wait_for = lambda: False
    for _ in range(120):
        source.next(0.0)
    assert source.told == []  # twelve seconds, and nobody has touched a tile


def test_what_is_turned_up_is_told_too() -> None:
    source = Endless("euronimoes", 2, 5, mischief=CALM, sleep=lambda seconds: None)
    happenings = source._happenings()
    while len(source.told) < 4:
        next(happenings)
    assert [text.split()[0] for text in source.told[:4]] in (["deal", "buy", "refill", "play"], ["deal", "draw", "play", "buy"])


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_told_as_all_see_it(name: str) -> None:
    source = Endless(name, seat_counts(name)[0], 5, mischief=CALM, sleep=lambda seconds: None)
    most = max(len(source.told) for _ in zip(range(30), source._happenings(), strict=False))
    seen = GAMES[name](None, source.players)
    for text in source.told:
        seen.push(action_from_text((*seen.ACTIONS, *seen.CHANCE), text))
    assert most > 1 and seen.position() == source._seen.position()


def test_nobody_waits_for_the_referee_to_understand_what_is_being_taken_back() -> None:
    source = Endless("block", 2, 5, mischief=Mischief(take_back=1.0), sleep=lambda seconds: None)
    log: list[str] = []

    def understood() -> bool:
        log.append("waits")
        return True

    source.wait_for = understood
    for _, happening in zip(range(12), source._happenings(), strict=False):
        log.append(getattr(happening, "note", ""))
    assert "take-back" in log and "waits" in log and log[log.index("take-back") - 1] != "waits"


def test_a_camera_may_be_simulated() -> None:
    assert isinstance(open_source("simulated:block:2:5"), Endless)
    for wrong in ("simulated:chess", "simulated:block:9", "simulated:block:x"):
        with pytest.raises(SourceError, match="simulated:block"):
            open_source(wrong)


def test_which_end_is_the_left_one_does_not_matter_but_is_so_for_a_whole_round() -> None:
    told = ["deal a", "play 5-5 root -", "play 3-5 left 3", "play 1-3 left 1", "deal b", "play 6-6 root -", "play 1-6 left 1"]
    seen = [*told[:2], "play 3-5 right 3", "play 1-3 right 1", *told[4:]]
    assert cli.demo._agree(told, told) and cli.demo._agree(seen, told)
    assert not cli.demo._agree([*seen[:3], told[3], *told[4:]], told)
    assert not cli.demo._agree(told[:-1], told)


def test_a_deal_that_nothing_followed_and_shown_hands_are_no_plays() -> None:
    assert cli.demo._plays(["deal a", "play b", "show c", "deal d"]) == ["deal a", "play b"]
    assert cli.demo._plays([]) == []
