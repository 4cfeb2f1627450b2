"""A trial knows what the referee should believe: chance too, names that are as good as others, and whose the chips are."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.games import game
from engine.lines.actions import Play
from engine.pieces import Tile
from referee.games import on_table
from referee.setting import Seat, Setting
from trials.story import Story
from vision.piece_sets import CHIP_COLOURS


def test_what_chance_brought_belongs_to_the_story() -> None:
    full: Any = game("euronimoes")(None, 2)
    full.push(full.random_chance(Random(1)))
    buy = full.legal()[0]
    story = Story(game("euronimoes")(None, 2))
    full.push(buy)
    story.add((buy,), full.copy(), [full.pushed[0]])
    assert [text.split()[0] for text in story.texts()] == ["deal", "buy", "refill"] and story.plays() == [str(buy)]
    story.take_back()
    assert len(story.texts()) == story.due == 1


def test_left_and_right_of_a_lone_double_are_as_the_referee_names_them() -> None:
    story = Story(game("block")(None, 2))
    full = game("block")(None, 2)
    full.push(full.random_chance(Random(1)))
    plays = (Play(Tile(5, 5), "root", None), Play(Tile(3, 5), "left", 3), Play(Tile(1, 5), "right", 1))
    story.add(plays, full.copy(), [full.pushed[0]])
    as_done = ["play 5-5 root -", "play 3-5 left 3", "play 1-5 right 1"]
    mirrored = ["play 5-5 root -", "play 3-5 right 3", "play 1-5 left 1"]
    deal = story.texts()[0]
    assert story.texts()[1:] == story.texts([deal, *as_done])[1:] == as_done
    assert story.texts([deal, *mirrored[:2]])[1:] == mirrored
    assert story.texts([deal, as_done[0], "play 1-5 left 1"])[1:] == as_done


def test_chips_are_followed_where_a_game_has_them_whatever_their_colours_are_called() -> None:
    seats = Seat("Ann", 0.0, "red"), Seat("Ben", 3.1, "mauve")

    def kinds(name: str) -> tuple[str, ...]:
        on = on_table(Setting(name, game(name).Rules(), seats))
        assert on.pieces.chips == CHIP_COLOURS
        return on.kinds

    assert kinds("euronimoes") == ("chip",) and kinds("block") == ()
