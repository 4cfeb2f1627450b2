"""What people say of a tile outweighs how the camera reads it, as long as that tile lies there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.readers.follow import sight_of
from referee.reading import JOINT, Difference, Expected, Laid, Reading, differences
from referee.vouched import Named, Vouched
from tests.referee.playing import Match
from vision.observation import Observation, SeenTile, TableState

PLACE = ("grid", 0, ((0, 0), (1, 0)), 1)


def seen(track: int = 7, ends: tuple[int, int] = (1, 3), x: float = 0.0) -> Observation:
    rows = np.full((2, 16), 0.001, np.float32)
    rows[0, ends[0]] = rows[1, ends[1]] = 0.985
    tile = SeenTile(track, (x, 0.0), 0.0, 48.0, 24.0, ends, rows, 0.99)
    return Observation(0.0, 0, TableState.READY, (tile,))


def told(ends: tuple[int, int], swapped: bool = False, either_way: bool = False) -> Vouched:
    vouched, table = Vouched(), seen()
    reading = Reading({PLACE: sight_of(table.tiles[0], swapped)})
    return vouched.add({PLACE: Laid(ends, either_way)}, reading, table)


def test_a_tile_is_what_was_said_however_it_is_read() -> None:
    assert told((3, 1)).told(seen()).tiles[0].ends == (3, 1)
    assert told((2, 3)).told(seen()).tiles[0].ends == (2, 3)


def test_its_halves_are_told_in_the_order_in_which_they_are_seen() -> None:
    assert told((2, 1), swapped=True).told(seen()).tiles[0].ends == (1, 2)


def test_of_a_market_nothing_is_taken_for_what_may_still_come() -> None:
    assert told((2, 2), either_way=True).told(seen()).tiles[0].ends == (1, 3)


def test_another_tile_is_read_as_it_is_seen() -> None:
    vouched = told((3, 1)).after(seen(track=8))
    assert vouched.told(seen(track=8)).tiles[0].ends == (1, 3)
    assert vouched.after(seen()).told(seen()).tiles[0].ends == (1, 3), "the tile was gone meanwhile"


def test_a_tile_that_came_to_lie_elsewhere_may_be_the_one_that_was_named_or_the_one_that_is_read() -> None:
    vouched = told((3, 1))
    for x, sure in ((4.0, True), (38.0, False), (0.0, False)):  # one like it may come to lie where the other did
        vouched = vouched.after(seen(x=x))
        tile = sight_of(vouched.told(seen(x=x)).tiles[0])
        assert tile.ends == (3, 1)
        assert (tile.cost((1, 3)) > 3.0) == sure


def test_a_misread_tile_that_was_taken_and_comes_back_is_what_was_said_of_it_and_no_other_tile_is() -> None:
    there = told((3, 2)).after(seen())
    gone = there.after(replace(seen(), tiles=()))
    for back in (gone.after(seen(track=8)), there.after(seen(track=8))):  # laid elsewhere in one move, too
        assert sight_of(back.told(seen(track=8)).tiles[0]).ends == (3, 2)
        assert back.after(seen(track=9)).told(seen(track=9)).tiles[0].ends == (3, 2), "it was lifted once more"
    assert gone.after(seen(track=8, ends=(1, 4))).told(seen(track=8, ends=(1, 4))).tiles[0].ends == (1, 4)
    turned = seen(track=8, ends=(3, 1))
    assert gone.after(turned).told(turned).tiles[0].ends == (2, 3)
    assert told((1, 3)).after(replace(seen(), tiles=())).away == (), "what is read right needs no word"


def test_where_a_tile_lies_by_what_was_said_none_is_missing_until_one_is_seen() -> None:
    unseen = Reading({})
    vouched = Vouched().add({PLACE: Laid((3, 1)), ("market", 0): Laid((0, 2), True)}, unseen, seen())
    assert vouched.excused(unseen).hidden == {PLACE}, "of a market nothing is taken for what may still come"
    there = Reading({PLACE: sight_of(seen().tiles[0])})
    vouched = vouched.found(there)
    assert not vouched.excused(there).hidden
    assert not vouched.excused(unseen).hidden, "it was seen, and is so no more"


def test_after_an_undo_the_camera_is_asked_again_about_what_was_undone_and_nothing_else(match: Match) -> None:
    table = match.referee
    anns, bens = (next(place for place in table.reading.tiles if place[:2] == ("grid", seat)) for seat in (0, 1))
    tracks = {place: table.reading.tiles[place].track for place in (anns, bens)}
    named = Named(np.eye(2, 16, dtype=np.float32), (0.0, 0.0))
    table.vouched = Vouched(dict.fromkeys(tracks.values(), named), frozenset((anns, bens)))
    table.act({"do": "undo"}, match.stage.time)
    assert table.vouched.tracks.keys() == {tracks[bens]} and table.vouched.unseen == {bens}, "Ann played last"


def test_what_an_entry_is_corrected_to_is_what_lies_there(match: Match) -> None:
    table = match.referee
    place = next(place for place in table.reading.tiles if place[:2] == ("grid", 0))
    track = table.reading.tiles[place].track
    wrong = Named(np.eye(2, 16, dtype=np.float32), (0.0, 0.0))
    table.vouched = Vouched({track: wrong})
    entry = table.game.standing[-1].entry.number
    table.act({"do": "edit", "entry": entry, "action": "play 0-1 [[0,0],[0,1]] [0,1] 1"}, match.stage.time)
    assert table.vouched.tracks.get(track) is not wrong


def test_a_tile_upon_others_that_came_with_one_laid_beside_them_is_their_joint() -> None:
    grid, upon = PLACE, ("grid", 0, ((0, 0), (0, 1)), 2)
    for place, fault, left in ((upon, JOINT, 0), (upon, "turned", 1), (("grid", 1, *upon[2:]), JOINT, 1)):
        vouched = Vouched()
        reading = Reading({place: sight_of(seen().tiles[0])}, faults={place: fault})
        vouched = vouched.deny_second([grid], differences(Expected({}), reading), reading)
        assert len(vouched.told(seen()).tiles) == left
    vouched = vouched.deny_second([("grid", 1, *PLACE[2:])], differences(Expected({}), reading), reading)
    assert not vouched.told(seen()).tiles


@pytest.mark.parametrize(("raised", "left"), [(True, 0), (False, 1)])
def test_of_two_tiles_laid_upon_others_at_once_the_one_that_explains_nothing_is_a_joint(raised: bool, left: int) -> None:
    vouched = Vouched()
    reading = Reading({("grid", 0, ((0, 0), (0, 1)), 2): replace(sight_of(seen().tiles[0]), raised=raised)})
    vouched = vouched.deny_second([("grid", 0, ((3, 0), (3, 1)), 2)], differences(Expected({}), reading), reading)
    assert len(vouched.told(seen()).tiles) == left


@pytest.mark.parametrize("loose", [False, True])
def test_what_still_lies_beside_plays_told_later_is_no_tile(loose: bool) -> None:
    odd = sight_of(seen().tiles[0])
    reading = Reading({}, loose=(odd,)) if loose else Reading({PLACE: odd})
    went_on = replace(reading, tiles={**reading.tiles, ("market", 0): sight_of(seen(track=12).tiles[0])})
    beside, nothing = differences(Expected({}), reading), differences(Expected({PLACE: Laid((1, 3))}), Reading({PLACE: odd}))

    def left(*tellings: tuple[list[Difference], Reading, float]) -> int:
        vouched = Vouched()
        for telling in tellings:
            vouched = vouched.overrule(*telling)
        return len(vouched.told(seen()).tiles)

    assert left((beside, reading, 10.0), (beside, went_on, 30.0)) == 0
    assert left((beside, reading, 10.0), (beside, went_on, 14.0)) == 1, "it may be the next of some plays told at once"
    assert left((beside, reading, 10.0), (beside, reading, 90.0)) == 1, "somebody catches up slowly with a table that waits"
    assert left((beside, reading, 10.0), (nothing, reading, 20.0), (beside, went_on, 30.0)) == 1, "it was explained meanwhile"


def test_what_is_read_otherwise_while_people_play_on_is_what_was_played() -> None:
    reading = Reading({PLACE: sight_of(seen(ends=(1, 4)).tiles[0])})
    went_on = Reading({**reading.tiles, ("market", 0): sight_of(seen(track=12).tiles[0])})
    misread = differences(Expected({PLACE: Laid((1, 3))}), reading)
    assert [each.kind for each in misread] == ["wrong"]
    once = Vouched().overrule(misread, reading, 10.0)
    assert not once.misread and not once.overrule(misread, went_on, 14.0).misread
    for_long = once.overrule(misread, went_on, 30.0)
    assert for_long.misread == {7} and not for_long.denied
