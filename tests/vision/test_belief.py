"""The belief about the table: what nobody touched stays, what is new is new in both pictures, and nothing is forced."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.vision.lying import a_table, tile
from vision.degrees import CERTAIN, PLAIN
from vision.detection import Detection
from vision.table.belief import Belief, Evidence, Place, Told, begin, infer, recall
from vision.table.packing import heaviest
from vision.table.sensor import SENSOR, Sensor

UNCHANGED = np.full((2, 6), 0.001, np.float32)
CHANGED = np.array([[0.9, 0.5, 0.4, 0.5, 0.5, np.nan]] * 2, np.float32)
SOMEWHAT = np.array([[0.6, 0.0, 0.2, 0.2, 0.3, np.nan]] * 2, np.float32)
FIRST_CHANGED = np.stack([CHANGED[0], UNCHANGED[1]])


def told(ends: tuple[int, int] | None, sure: float = 0.999) -> Told:
    """What the networks say of a place: a face, a back where ends are None."""
    counts = np.full((2, 16), 0.001 / 15, np.float32)
    for half, end in enumerate(ends or (0, 0)):
        counts[half, end] = 0.999
    return Told(np.array([sure, 0, 1 - sure] if ends else [0, sure, 1 - sure], np.float32), counts)


BARE = Told(np.array([0.0005, 0.0005, 0.999], np.float32), np.full((2, 16), 1 / 16, np.float32))


def place(detection: Detection, now: Told, before: Told | None = BARE, change: object = CHANGED, touched: bool = True,
          upon: tuple[float, float] | None = None, below: tuple[tuple[int, int], ...] = ()) -> Place:
    assert change is None or isinstance(change, np.ndarray)
    return Place(detection, now, before, change, upon, below, touched)


def seen(belief: Belief, sure: float = 0.999, touched: bool = False) -> dict[int, Place]:
    """All known tiles, as they were and unchanged."""
    return {track.name: place(tile(track.ends, *map(float, track.corners.mean(axis=0))), told(track.ends, sure),
                              told(track.ends), UNCHANGED, touched) for track in belief.tiles}


def faces(belief: Belief) -> list[tuple[int, int] | None]:
    return [track.ends for track in belief.tiles]


def test_a_tile_laid_on_the_bare_table_comes_and_one_taken_away_goes() -> None:
    one = a_table(tile((1, 2), 100, 100))
    new = tile((3, 4), 200, 100)
    belief, news = infer(one, Evidence(seen(one), [place(new, told((3, 4)))]))
    assert faces(belief) == [(1, 2), (3, 4)] and [each.ends for each in news.appeared] == [(3, 4)]
    lifted = {**seen(belief), 2: place(new, BARE, told((3, 4)))}
    after, news = infer(belief, Evidence(lifted))
    assert faces(after) == [(1, 2)] and [each.ends for each in news.vanished] == [(3, 4)]


def test_what_nobody_touched_stays_though_it_is_read_otherwise_now() -> None:
    belief = a_table(tile((1, 2), 100, 100))
    misread = {1: place(tile((1, 2), 100, 100), BARE, told((1, 2)), UNCHANGED, False)}
    assert faces(infer(belief, Evidence(misread))[0]) == [(1, 2)]


def test_a_plain_back_taken_from_a_table_much_like_it_is_gone_though_no_edge_changed() -> None:
    belief = a_table(tile(None, 100, 100))
    for edges, left in ((np.nan, 0), (0.001, 1)):
        like_the_table = np.array([[edges, edges, 0.0, 0.1, np.nan, np.nan]] * 2, np.float32)
        taken = {1: place(tile(None, 100, 100), BARE, told(None), like_the_table)}
        assert len(infer(belief, Evidence(taken))[0].tiles) == left


@pytest.mark.parametrize(("colour", "outline", "left"), [(0.02, np.nan, 1), (0.8, np.nan, 0), (0.06, 0.8, 0), (0.06, 0.02, 1)])
def test_where_a_back_shows_no_edges_another_colour_or_its_lost_outline_tells_that_a_hand_took_it(
        colour: float, outline: float, left: int) -> None:
    belief = a_table(tile(None, 100, 100))
    no_edges = np.array([[np.nan, np.nan, 0.0, colour, outline, np.nan]] * 2, np.float32)
    hardly_read = place(tile(None, 100, 100), told(None, 0.15), told(None), no_edges)
    assert len(infer(belief, Evidence({1: hardly_read}))[0].tiles) == left


def test_a_plain_back_whose_outline_is_there_still_is_there_though_it_is_hardly_read() -> None:
    belief = a_table(tile(None, 100, 100))
    no_edges = np.array([[np.nan, np.nan, 0.0, 0.03, 0.0, np.nan]] * 2, np.float32)
    after, _ = infer(belief, Evidence({1: place(tile(None, 100, 100), told(None, 0.15), told(None), no_edges)}))
    assert after.tiles[0].score > PLAIN


@pytest.mark.parametrize(("came", "lies_there"), [(0.7, True), (0.1, False), (np.nan, False)])
def test_a_double_blank_that_shows_no_edges_is_believed_where_an_outline_came(came: float, lies_there: bool) -> None:
    plain = np.array([[np.nan, np.nan, 0.0, 0.15, 0.05, came]] * 2, np.float32)
    laid = place(tile((0, 0), 100, 100), told((0, 0), 0.93), BARE, plain)
    assert len(infer(Belief(), Evidence({}, [laid]))[0].tiles) == lies_there


def test_that_a_hand_may_have_taken_what_stays_is_remembered_until_it_is_seen_again() -> None:
    belief = a_table(tile(None, 100, 100), tile(None, 300, 100))
    no_edges = np.array([[np.nan, np.nan, 0.0, 0.1, np.nan, np.nan]] * 2, np.float32)
    for _ in range(6):
        belief, _ = infer(belief, Evidence(seen(belief)))
    like_the_table = place(tile(None, 100, 100), told(None, 0.2), told(None), no_edges)
    belief, _ = infer(belief, Evidence({1: like_the_table}))
    left, other = belief.tiles
    assert other.score > PLAIN > left.score
    belief, _ = infer(belief, Evidence({1: replace(like_the_table, before=told(None, 0.2), touched=False)}))
    assert belief.tiles[0].score < PLAIN  # as it was read then, which tells nothing new
    shown = replace(like_the_table, now=told(None), before=told(None, 0.2), touched=False)
    for found in ((), (replace(shown, detection=tile(None, 102, 100)),)):  # the finder may have found it, too
        assert infer(belief, Evidence({1: shown}, found))[0].tiles[0].score > PLAIN
    gone, _ = infer(belief, Evidence({1: replace(like_the_table, now=BARE, before=told(None, 0.2), touched=False)}))
    assert len(gone.tiles) == 1


def test_what_one_still_picture_denies_again_and_again_is_no_news() -> None:
    """Black tiles packed tightly: beside one that was laid anew a known one is read no more, though it looks as before."""
    belief = a_table(tile((5, 0), 100, 100))
    for _ in range(3):
        belief, _ = infer(belief, Evidence(seen(belief)))
    for before in (told((5, 0)), BARE, BARE, BARE, BARE):
        denied = place(tile((5, 0), 100, 100, score=0.002), BARE, before, UNCHANGED)
        belief, _ = infer(belief, Evidence({1: denied}))
    assert faces(belief) == [(5, 0)]
    taken = place(tile((5, 0), 100, 100, score=0.002), BARE, BARE, CHANGED)
    assert faces(infer(belief, Evidence({1: taken}))[0]) == []


@pytest.mark.parametrize(("numbers", "believed"), [(2, True), (4, False)])
def test_a_tile_that_shows_one_of_two_numbers_lies_there_from_the_first_look_on(numbers: int, believed: bool) -> None:
    counts = np.full((2, 16), 1e-4, np.float32)
    counts[:, 9 : 9 + numbers] = 1 / numbers
    doubtful = replace(tile((9, 9), 100, 100, score=float(counts.max(axis=1).prod())), probabilities=counts)
    assert len(begin([doubtful]).tiles) == believed


def test_halves_of_two_tiles_that_lie_still_are_not_paired_anew() -> None:
    """1-2 and 4-6 lie one above the other; a 3-3 is laid beside them, and now the halves read better across."""
    belief = a_table(tile((1, 2), 100, 100), tile((4, 6), 100, 120))
    across = [place(tile(ends, x, 110, angle=np.pi / 2), told(ends), told(ends, 0.6), UNCHANGED)
              for ends, x in (((1, 4), 90), ((2, 6), 110))]
    laid = place(tile((3, 3), 100, 80), told((3, 3)))
    after, news = infer(belief, Evidence(seen(belief, 0.3, True), [*across, laid]))
    assert sorted(map(str, faces(after))) == sorted(map(str, [(1, 2), (4, 6), (3, 3)])) and not news.vanished


def test_a_tile_that_is_read_across_with_one_laid_beside_it_is_not_paired_anew() -> None:
    """A 6-6 is laid beside a 5-0; tiles without bars, so that 6-5 and 6-0 are read better, and its shade falls on the 5-0."""
    upright = tile((5, 0), 120, 100, angle=np.pi / 2)
    belief = a_table(upright)
    for _ in range(4):
        belief, _ = infer(belief, Evidence({1: place(upright, told((5, 0)), told((5, 0)), UNCHANGED, False)}))
    shaded = np.array([[0.001, 0.001, 0.039, 0.027, 0.0, np.nan], [np.nan, np.nan, 0.133, 0.014, 0.0, np.nan]], np.float32)
    known = {1: place(upright, told((5, 0), 0.37), told((5, 0)), shaded)}
    across = [place(tile((6, end), 110, y), told((6, end), sure), BARE, np.stack([CHANGED[0], shade]))
              for end, y, sure, shade in ((5, 90, 0.99, shaded[0]), (0, 110, 0.51, shaded[1]))]
    laid = place(tile((6, 6), 100, 100, angle=np.pi / 2), told((6, 6), 0.63))
    after, _ = infer(belief, Evidence(known, [*across, laid]))
    assert sorted(map(str, faces(after))) == ["(5, 0)", "(6, 6)"]


def test_a_joint_that_reads_like_a_tile_before_and_after_is_none() -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100))
    joint = place(tile((2, 2), 120, 100), told((2, 2)), told((2, 2)), UNCHANGED)
    assert faces(infer(belief, Evidence(seen(belief), [joint]))[0]) == [(1, 2), (2, 3)]


def test_where_a_line_is_swept_away_its_joints_become_no_tiles() -> None:
    """The picture changed there, as the tiles below have gone: that is no sign of another."""
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100))
    gone = {track.name: place(tile(track.ends, *map(float, track.corners.mean(axis=0))), BARE, told(track.ends))
            for track in belief.tiles}
    joint = place(tile((6, 6), 120, 100), told((6, 6), 0.002), told((2, 2), 0.7), 4 * CHANGED)
    assert faces(infer(belief, Evidence(gone, [joint]))[0]) == []


def test_one_exchanged_for_another_that_shares_an_end_is_seen() -> None:
    belief = a_table(tile((1, 5), 100, 100))
    gone = {1: place(tile((1, 5), 100, 100), told((2, 5)), told((1, 5)), FIRST_CHANGED)}
    here = place(tile((2, 5), 100, 100), told((2, 5)), told((1, 5)), FIRST_CHANGED)
    after, news = infer(belief, Evidence(gone, [here]))
    assert faces(after) == [(2, 5)] and [each.ends for each in news.vanished] == [(1, 5)]


def upper(ends: tuple[int, int], change: object = CHANGED, upon: tuple[float, float] = (4.0, -6.0)) -> Place:
    """A tile that may lie on the second half of the first tile and the first half of the second."""
    return place(tile(ends, 120, 100), told(ends), told(ends, 0.3), change, True, upon, ((1, 1), (2, 0)))


def test_one_laid_a_little_aside_of_where_another_was_taken_is_believed_though_they_share_an_end() -> None:
    """As in a market, where all slide down: the shared half looks otherwise, as it lies elsewhere."""
    belief = a_table(tile((2, 1), 100, 100))
    left = {1: place(tile((2, 1), 100, 100), BARE, told((2, 1)), CHANGED)}
    laid = place(tile((6, 1), 107, 100), told((6, 1), 0.99), told((2, 1)), CHANGED)
    slid = place(tile((2, 1), 60, 100), told((2, 1)))
    after, news = infer(belief, Evidence(left, [laid, slid]))
    assert sorted(filter(None, faces(after))) == [(2, 1), (6, 1)] and len(news.moved) == 1


def test_a_tile_laid_on_two_others_leaves_them_below_and_says_nothing_of_what_it_covers() -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100))
    known = {name: replace(each, now=told((6, 6), 0.5), change=CHANGED if name == 3 else each.change)
             for name, each in seen(belief, touched=True).items()}
    for ends in ((2, 2), (5, 5)):
        after, _ = infer(belief, Evidence(known, [upper(ends)]))
        assert faces(after) == [(1, 2), (2, 3), ends]
        top = after.tiles[-1]
        assert top.under == (1, 2) and [track.covered for track in after.tiles] == [(False, True), (True, False), (False, False)]


def test_a_tile_laid_on_one_other_does_not_lie_across_that_and_its_neighbour() -> None:
    """Its blank and a half beside it read like a third, but the half that would look out shows another number now."""
    belief = a_table(tile((1, 4), 100, 100), tile((0, 5), 140, 100))
    known = seen(belief, touched=True) | {2: place(tile((0, 2), 140, 100), told((0, 2)), told((0, 5)), CHANGED)}
    across = place(tile((4, 0), 120, 100), told((4, 0), 0.95), told((4, 0), 0.2), CHANGED, True, (0.4, -4.0), ((1, 1), (2, 0)))
    laid = place(tile((0, 2), 140, 100), told((0, 2)), told((0, 5)), CHANGED)
    after, _ = infer(belief, Evidence(known, [across, laid]))
    assert sorted(filter(None, faces(after))) == [(0, 2), (1, 4)]


@pytest.mark.parametrize(("upon", "faces_left"), [((-6.0, 4.0), 2), ((4.0, 4.0), 3)])
def test_a_tile_taken_off_others_that_show_what_it_showed_is_missed_by_its_outlines(
        upon: tuple[float, float], faces_left: int) -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100))
    belief, _ = infer(belief, Evidence(seen(belief, touched=True), [upper((2, 2))]))
    there = told((2, 2), 0.3 if faces_left == 2 else 0.999)  # a joint reads somewhat like a tile
    lifted = {3: Place(tile((2, 2), 120, 100), there, told((2, 2)), UNCHANGED, upon)}
    assert len(infer(belief, Evidence(lifted))[0].tiles) == faces_left


@pytest.mark.parametrize(("before", "left"), [(-4.5, [(1, 2), (2, 3), (2, 2)]), (1.0, [(1, 2), (2, 3)])])
def test_a_tile_laid_on_its_own_numbers_is_believed_by_its_outlines_though_it_was_read_there_before(
        before: float, left: list[tuple[int, int]]) -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100))
    laid = replace(upper((2, 2), upon=(1.0, before), change=CHANGED / 8), before=told((2, 2)))
    assert faces(infer(belief, Evidence(seen(belief, 0.5, touched=True), [laid]))[0]) == left


@pytest.mark.parametrize(("copies", "left"), [(1, 1), (2, 2)])
def test_a_tile_that_was_turned_about_one_half_does_not_lie_on_itself(copies: int, left: int) -> None:
    belief = a_table(tile((1, 2), 100, 100, 0.9999))
    turned = tile((2, 1), 110, 110, angle=np.pi / 2)
    known = {1: place(tile((1, 2), 100, 100), BARE, told((1, 2)), CHANGED)}
    as_it_may_lie = [place(turned, told((2, 1))), place(turned, told((2, 1)), upon=(5.0, -7.0), below=((1, 1),))]
    assert len(infer(belief, Evidence(known, as_it_may_lie, copies=copies))[0].tiles) == left


def test_a_tile_half_on_one_other_and_half_on_the_table_takes_more_to_believe_than_one_on_two() -> None:
    one, two = a_table(tile((1, 2), 100, 100)), a_table(tile((1, 2), 100, 100), tile((5, 6), 100, 140))
    for belief, below, left in ((one, ((1, 1),), 1), (two, ((1, 1), (2, 0)), 3)):
        faint = place(tile((3, 4), 100, 120, angle=np.pi / 2), told((3, 4), 0.7), upon=(0.0, -6.0), below=below)
        assert len(infer(belief, Evidence(seen(belief, 0.3), [faint]))[0].tiles) == left


def test_looks_that_misread_a_tile_alike_do_not_add_up_against_it() -> None:
    """It looks as it did; since others lie beside it, it is read as none, look after look."""
    (track,) = a_table(tile((1, 2), 100, 100)).tiles
    belief = Belief((replace(track, looks=9, worth=7.5),), 1)
    again = place(tile((1, 2), 100, 100), told((1, 2), 0.018), told((1, 2), 0.005), UNCHANGED)
    assert faces(infer(belief, Evidence({1: again}))[0]) == [(1, 2)]


def test_no_tile_lies_on_others_where_the_outlines_looked_so_before() -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100))
    after, _ = infer(belief, Evidence(seen(belief, touched=True), [upper((2, 2), UNCHANGED, (4.0, 4.0))]))
    assert faces(after) == [(1, 2), (2, 3)]


@pytest.mark.parametrize(("lamp", "left"), [(False, 23), (True, 22)])
def test_a_lamp_that_mirrors_in_all_tiles_makes_no_tile_of_a_joint_that_reads_as_before(lamp: bool, left: int) -> None:
    beside = [tile((row, column), 60 * column, 200 + 40 * row) for row in range(4) for column in range(5)]
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100), *beside)
    mirrored = np.array([[0.001, 0.001, 0.15, 0.35, 0.0, np.nan]] * 2, np.float32)
    known = {name: replace(each, change=mirrored if lamp or name <= 2 else each.change)
             for name, each in seen(belief, touched=True).items()}
    joint = replace(upper((2, 2), mirrored, (-1.5, -2.0)), before=told((2, 2)))
    assert len(infer(belief, Evidence(known, [joint]))[0].tiles) == left


def test_what_is_covered_or_was_not_looked_at_stays_as_it_was() -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 300, 100))
    after, news = infer(belief, Evidence(hidden=frozenset({1})))
    assert faces(after) == faces(belief) and not news and [track.veiled for track in after.tiles] == [True, False]


def test_a_tile_of_which_the_set_has_only_one_is_not_believed_twice() -> None:
    belief = a_table(tile((1, 2), 100, 100))
    second = place(tile((1, 2), 300, 100), told((1, 2), 0.9), change=None)
    assert [len(infer(belief, Evidence(seen(belief), [second], copies=copies))[0].tiles) for copies in (0, 1, 2)] == [2, 1, 2]


def test_a_second_one_is_believed_where_the_first_may_have_been_misread() -> None:
    belief = a_table(tile((0, 0), 100, 100, 0.7))
    second = place(tile((0, 0), 300, 100), told((0, 0)))
    assert faces(infer(belief, Evidence(seen(belief), [second], copies=1))[0]) == [(0, 0), (0, 0)]


@pytest.mark.parametrize(("back", "tiles"), [(0.0, 1), (0.05, 2)])
def test_a_second_double_blank_may_be_a_back(back: float, tiles: int) -> None:
    belief = a_table(tile((0, 0), 100, 100))
    belief = replace(belief, tiles=(replace(belief.tiles[0], worth=8.0),))
    plain = Told(np.array([0.97 - back, back, 0.03], np.float32), told((0, 0)).counts)
    second = place(tile((0, 0), 300, 100), plain)
    assert len(infer(belief, Evidence(seen(belief), [second], copies=1))[0].tiles) == tiles


@pytest.mark.parametrize(("score", "believed"), [(0.72, (5, 1)), (0.999, None)])
def test_what_was_read_doubtfully_and_reads_otherwise_ever_since_was_misread(score: float, believed: object) -> None:
    belief = a_table(tile(None, 100, 100, score))
    now, before = (Told(np.array([face, 0.9 - face, 0.1], np.float32), told((5, 1)).counts) for face in (0.7, 0.85))
    known = {1: place(tile(None, 100, 100), now, before, UNCHANGED)}
    found = place(tile((5, 1), 100, 100), now, before, UNCHANGED)
    assert faces(infer(belief, Evidence(known, [found]))[0]) == [believed]


@pytest.mark.parametrize(("sure", "tiles"), [(0.02, 1), (0.5, 2)])
def test_a_shadow_beside_a_new_tile_is_no_tile_however_much_changed_there(sure: float, tiles: int) -> None:
    laid, shadow = place(tile((7, 12), 100, 100), told((7, 12))), place(tile(None, 142, 100), told(None, sure))
    assert len(infer(Belief(), Evidence({}, [laid, shadow]))[0].tiles) == tiles


@pytest.mark.parametrize(("copies", "left"), [(1, 1), (2, 2), (0, 2)])
def test_a_hidden_tile_that_the_set_has_but_once_is_the_one_that_is_seen_elsewhere(copies: int, left: int) -> None:
    belief, new = a_table(tile((1, 2), 100, 100)), place(tile((1, 2), 300, 300), told((1, 2)))
    after, news = infer(belief, Evidence({}, [new], hidden=frozenset({1}), copies=copies))
    assert len(after.tiles) == left and len(news.moved) == 2 - left


def test_a_tile_found_elsewhere_moved_and_keeps_its_name() -> None:
    belief = a_table(tile((1, 2), 100, 100))
    left = {1: place(tile((1, 2), 100, 100), BARE, told((1, 2)))}
    after, news = infer(belief, Evidence(left, [place(tile((1, 2), 300, 100), told((1, 2)))]))
    assert [track.name for track in after.tiles] == [1] and len(news.moved) == 1 and not news.appeared and not news.vanished


def test_a_tile_found_elsewhere_is_as_sure_as_it_is_read_there_however_surely_it_was_known() -> None:
    belief = a_table(tile((1, 2), 100, 100))
    for _ in range(4):
        belief, _ = infer(belief, Evidence(seen(belief)))
    assert belief.tiles[0].score > CERTAIN
    gone = {1: place(tile((1, 2), 100, 100), BARE, told((1, 2)))}
    for x, unsure in ((300, True), (122, False)):
        after, _ = infer(belief, Evidence(gone, [place(tile((1, 2), x, 100, score=0.9), told((1, 2), 0.9))]))
        assert len(after.tiles) == 1 and (after.tiles[0].score < PLAIN) == unsure


def test_a_nudged_tile_only_lies_better_known() -> None:
    belief = a_table(tile((1, 2), 100, 100))
    here = place(tile((1, 2), 102, 100), told((1, 2)), told((1, 2)), UNCHANGED)
    after, news = infer(belief, Evidence(seen(belief), [here]))
    assert not news and 100 < after.tiles[0].corners[:, 0].mean() < 102.5


def test_a_tile_nudged_off_its_place_stays_and_lies_where_it_is_seen() -> None:
    belief = a_table(tile((1, 2), 100, 100))
    left = {1: place(tile((1, 2), 100, 100), told((1, 2), 0.3), told((1, 2)), CHANGED)}
    here = place(tile((1, 2), 106, 107), told((1, 2)), told((1, 2), 0.3), CHANGED)
    still = place(tile((1, 2), 100, 100, score=0.2), told((1, 2), 0.3), told((1, 2)), CHANGED)
    after, news = infer(belief, Evidence(left, [still, here]))
    assert faces(after) == [(1, 2)] and len(news.moved) == 1 and not news.appeared and not news.vanished
    assert np.allclose(after.tiles[0].corners.mean(axis=0), (106, 107))


@pytest.mark.parametrize(("ends", "angle"), [((1, 2), 0.0), ((2, 1), np.pi)])
def test_a_tile_pushed_aside_is_the_same_though_it_is_hardly_read_from_whichever_end(ends: tuple[int, int], angle: float) -> None:
    belief = a_table(tile((1, 2), 100, 100))
    left = {1: place(tile((1, 2), 100, 100), told((1, 2), 0.002), told((1, 2)))}
    after, news = infer(belief, Evidence(left, [place(tile(ends, 102, 109, angle=angle), told(ends, 0.4))]))
    assert len(news.moved) == 1 and not news.appeared and not news.vanished
    assert np.allclose(after.tiles[0].corners.mean(axis=0), (102, 109), atol=0.1)
    _, news = infer(belief, Evidence(left, [place(tile((1, 3), 102, 109), told((1, 3), 0.4))]))
    assert not news.moved and [each.ends for each in news.vanished] == [(1, 2)]  # that is another


@pytest.mark.parametrize(("ends", "angle"), [((1, 2), np.pi / 2), ((2, 1), np.pi / 2), ((1, 2), -np.pi / 2)])
def test_a_tile_turned_about_its_half_is_the_same_and_lies_as_it_is_seen(ends: tuple[int, int], angle: float) -> None:
    belief = a_table(tile((1, 2), 100, 100))
    left = {1: place(tile((1, 2), 100, 100), told((1, 2), 0.002), told((1, 2)))}
    turned = tile(ends, 110, 90, angle=angle)
    after, news = infer(belief, Evidence(left, [place(turned, told(ends))]))
    assert len(news.moved) == 1 and not news.appeared and not news.vanished
    lies, = after.tiles
    assert lies.ends is not None and lies.score > 0.9
    assert np.allclose(lies.corners[:2].mean(axis=0), turned.corners[:2].mean(axis=0)) is (lies.ends == ends)


def test_to_ask_changes_nothing_and_gives_the_same() -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100))
    evidence = Evidence(seen(belief), [place(tile((3, 4), 200, 100), told((3, 4))), upper((2, 2))])
    before = [(track.corners.copy(), track.counts.copy(), track.worth) for track in belief.tiles]
    first, second = (infer(belief, evidence)[0] for _ in range(2))
    assert faces(first) == faces(second) and len(belief.tiles) == 2
    assert all(np.array_equal(track.corners, at) and np.array_equal(track.counts, counts) and track.worth == worth
               for track, (at, counts, worth) in zip(belief.tiles, before, strict=True))


def test_of_a_picture_taken_from_nobody_knows_where_only_faces_are_counted() -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100))
    after, news = recall(belief, [tile((2, 3), 10, 10), tile((5, 5), 60, 10), tile((0, 1), 90, 10, score=0.4)])
    assert faces(after) == [(2, 3), (5, 5)] and [each.ends for each in news.appeared] == [(5, 5)]
    assert [each.ends for each in news.vanished] == [(1, 2)]


def test_no_sight_is_worth_more_than_the_surest() -> None:
    sensor = Sensor((9.0, -9.0), (0.0, 0.0), (0.0,), (0.0, 0.0), 0.0, 0.0)
    assert sensor.weighed(sensor.other, (100.0,)) == sensor.most == -sensor.weighed(sensor.other, (-100.0,))
    assert all(weight == weight for weight in (*SENSOR.other, *SENSOR.alike, *SENSOR.upper))  # the file holds numbers


@settings(max_examples=60, deadline=None)
@given(some.lists(some.integers(1, 100), min_size=1, max_size=10), some.data())
def test_no_other_choice_without_rivals_weighs_more(weights: list[int], data: some.DataObject) -> None:
    pairs = list(combinations(range(len(weights)), 2))
    rival = data.draw(some.lists(some.sampled_from(pairs), unique=True)) if pairs else []
    rivals: list[set[int]] = [set() for _ in weights]
    for one, other in rival:
        rivals[one].add(other)
        rivals[other].add(one)
    best = max(sum(weights[at] for at in group) for size in range(len(weights) + 1)
               for group in combinations(range(len(weights)), size) if not any(pair in rival for pair in combinations(group, 2)))
    chosen = heaviest(np.array(weights, np.float32), rivals)
    assert sum(weights[at] for at in chosen) == best
    assert not any(other in rivals[one] for one in chosen for other in chosen)


@pytest.mark.parametrize("sure", [0.5, 0.9, 0.999])
def test_looks_that_both_leave_the_pips_open_do_not_differ(sure: float) -> None:
    open_ = np.full((2, 16), 1 / 16, np.float32)
    look = Told(np.array([sure, 0, 1 - sure], np.float32), open_)
    assert look.shows(False, open_) == pytest.approx(look.there(False))
    assert told((1, 2)).shows(False, told((1, 3)).counts) < -5


@pytest.mark.parametrize("x", [108, 112, 116, 120, 124])
@pytest.mark.parametrize("y", [96, 100, 106])
def test_where_a_line_was_swept_away_no_tile_comes_that_can_hardly_be_read(x: float, y: float) -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((2, 3), 140, 100))
    swept = {name: replace(each, now=BARE, change=CHANGED, touched=True) for name, each in seen(belief).items()}
    joint = place(tile((2, 2), x, y), BARE, BARE, CHANGED)
    assert faces(infer(belief, Evidence(swept, [joint]))[0]) == []


def test_a_look_that_may_be_none_at_a_tile_tells_as_much_of_its_pips() -> None:
    (sure,), (unsure,) = (a_table(tile((6, 2), 0, 0, score)).tiles for score in (0.98, 0.75))
    assert np.allclose(sure.probabilities, unsure.probabilities)


@pytest.mark.parametrize(("swept", "lies_there"), [(True, (5, 5)), (False, (6, 6))])
def test_of_a_swept_table_another_tile_may_lie_where_one_lay(swept: bool, lies_there: tuple[int, int]) -> None:
    """A double just like the one before, laid exactly where that lay: among tiles that all stay it would be a misreading."""
    belief = a_table(tile((6, 6), 100, 100), *(tile((0, pips), 200 + 60 * pips, 100) for pips in range(1, 6)))
    counts = told((5, 5)).counts
    now, before = Told(told((5, 5)).kinds, np.float32(0.99) * counts + np.float32(0.01) * told((6, 6)).counts), told((6, 6))
    alike = np.full((2, 6), 0.03, np.float32)
    others = {track.name: place(tile(track.ends, *map(float, track.corners.mean(axis=0))), BARE, told(track.ends))
              for track in belief.tiles} if swept else seen(belief, touched=True)
    known = others | {1: place(tile((6, 6), 100, 100), now, before, alike)}
    after, _ = infer(belief, Evidence(known, [place(tile((5, 5), 100, 100), now, before, alike)]))
    assert lies_there in faces(after)


@pytest.mark.parametrize(("first", "sure", "found"), [(False, 0.97, 0), (True, 0.97, 1), (True, 0.8, 0)])
def test_where_a_game_tells_only_now_that_tiles_may_lie_nobody_missed_them(first: bool, sure: float, found: int) -> None:
    unnoticed = place(tile((1, 3), 100, 100), told((1, 3), sure), told((1, 3), sure), UNCHANGED, False)
    assert len(infer(Belief(), Evidence({}, [unnoticed], first=first))[0].tiles) == found


@pytest.mark.parametrize(("sure", "comes"), [(0.7, True), (0.9999, False)])
def test_what_seems_a_tile_that_lies_elsewhere_may_itself_be_misread(sure: float, comes: bool) -> None:
    belief = a_table(tile((8, 10), 100, 100))
    for _ in range(3):
        belief, _ = infer(belief, Evidence(seen(belief)))
    counts = np.full((2, 16), 1e-6, np.float32)
    counts[0, 8], counts[1, 10], counts[1, 12] = 1.0, sure, 1 - sure
    now = Told(np.array([0.986, 0.001, 0.013], np.float32), counts)
    laid = place(replace(tile((8, 10), 300, 100, score=sure), probabilities=counts), now, change=SOMEWHAT)
    assert (len(infer(belief, Evidence(seen(belief), [laid], copies=1))[0].tiles) == 2) == comes
