"""The table over time: what lets a tile appear, what makes it vanish, and what changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.table.evidence import NOTHING, Share
from vision.table.sighting import Sighting, merged
from vision.table.stacks import Joint, changed_at_all, joints
from vision.table.track import Track
from vision.table.tracks import Tracks

Array = NDArray[np.float32]
ALL_NEW = Share(0.9, (0.9, 0.9), 0.2)


def corners(x: float, y: float, angle: float = 0.0, half: float = 20.0) -> Array:
    """A tile's corners around its middle."""
    shape = np.array([[-half, half / 2], [-half, -half / 2], [half, -half / 2], [half, half / 2]])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(shape @ turn.T + (x, y), np.float32)


def tile(ends: tuple[int, int] | None, x: float, y: float, score: float = 0.98, angle: float = 0.0) -> Sighting:
    probabilities = np.full((2, 16), 0.01 / 15, np.float32)
    for half, end in enumerate(ends or (0, 0)):
        probabilities[half, end] = 0.99
    place = corners(x, y, angle)
    return Sighting(place, place, probabilities, ends is None, score)


@dataclass
class Pictures:
    """Evidence as a test wants it: shares by the place's x, nothing changed elsewhere."""

    fresh: dict[int, Share] = field(default_factory=dict)
    left: dict[int, Share] = field(default_factory=dict)
    bare: dict[int, float] = field(default_factory=dict)
    veil: tuple[float, float] = (0.0, 0.0)
    unread: tuple[float, float] = (0.0, 0.0)
    laid: frozenset[int] = frozenset()
    lifted: frozenset[int] = frozenset()
    above: frozenset[int] = frozenset()
    grip: frozenset[int] = frozenset()
    dim: float = 0.98

    def upon(self, sighting: Sighting) -> bool:
        return round(float(sighting.corners[:, 0].mean())) in self.above

    def taken_up(self, track: Track) -> bool:
        return round(float(track.corners[:, 0].mean())) in self.lifted

    def bridged(self, meeting: Sequence[Joint]) -> list[tuple[Joint, Sighting]]:
        at = {round(float(joint.place[:, 0].mean())): joint for joint in meeting}
        return [(at[x], tile(at[x].ends, x, 100, self.dim)) for x in sorted(self.laid & at.keys())]

    def new(self, sighting: Sighting) -> Share:
        return self.fresh.get(round(float(sighting.corners[:, 0].mean())), NOTHING)

    def empty(self, track: Track) -> float:
        return self.bare.get(round(float(track.corners[:, 0].mean())), 0.0)

    def gone(self, track: Track) -> Share:
        return self.left.get(round(float(track.corners[:, 0].mean())), NOTHING)

    def held(self, sighting: Sighting) -> bool:
        return round(float(sighting.corners[:, 0].mean())) in self.grip

    def hidden(self, track: Track) -> bool:
        return self.veil[0] <= float(track.corners[:, 0].mean()) < self.veil[1]

    def looked(self, track: Track) -> bool:
        return not self.unread[0] <= float(track.corners[:, 0].mean()) < self.unread[1]

    def patch(self, track: Track) -> Array:
        return np.zeros((1, 1, 3), np.float32)


def a_table(*found: Sighting) -> Tracks:
    tracks = Tracks()
    tracks.begin(found)
    return tracks


def test_a_soft_back_that_is_not_read_any_more_is_gone_after_three_looks_at_a_bare_place() -> None:
    tracks = a_table(tile(None, 100, 100), tile(None, 200, 100))
    bare = Pictures(bare={100: 0.99, 200: 0.5})
    news = [tracks.settle([], bare) for _ in range(3)]
    assert [each.center[0] for told in news for each in told.vanished] == [100] and news[2].vanished


@pytest.mark.parametrize(("looks", "gone"), [((0.96, 0.92, 0.85), 1), ((0.85, 0.96, 0.92), 0), ((0.96, 0.5, 0.96), 0)])
def test_a_back_that_perhaps_is_gone_needs_not_be_as_surely_gone_at_each_look(looks: tuple[float, ...], gone: int) -> None:
    tracks = a_table(tile(None, 100, 100))
    assert sum(len(tracks.settle([], Pictures(bare={100: bare})).vanished) for bare in looks) == gone


def test_a_back_that_a_hand_took_up_is_gone_though_its_neighbours_look_somewhat_like_one_and_comes_not_back_by_that() -> None:
    beside = tile(None, 100, 107, 0.79)
    for lifted, bare, gone in ((frozenset({100}), 0.8, 1), (frozenset(), 0.8, 0), (frozenset({100}), 0.4, 0)):
        tracks = a_table(tile(None, 100, 100), tile((1, 2), 300, 100))
        news = tracks.settle([beside, tile((1, 2), 300, 100)], Pictures(lifted=lifted, bare={100: bare}))
        assert len(news.vanished) == gone
        for _ in range(3):
            tracks.settle([beside, tile((1, 2), 300, 100)], Pictures())
        assert len(tracks.tiles) == 2 - gone
    tracks = a_table(tile(None, 100, 100))
    tracks.settle([beside], Pictures(lifted=frozenset({100}), bare={100: 0.8}))
    assert tracks.settle([beside], Pictures(fresh={100: ALL_NEW})).appeared  # laid there anew
    tracks.settle([], Pictures(bare={100: 1.0}))
    tracks.settle([tile(None, 100, 100, 0.95)], Pictures())
    assert len(tracks.tiles) == 1  # seen surely it lies there all the same


def test_where_there_is_no_doubt_one_look_is_enough() -> None:
    assert len(a_table(tile(None, 100, 100)).settle([], Pictures(bare={100: 1.0})).vanished) == 1


def test_a_tile_appears_where_it_is_read_and_its_edges_are_new() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    news = tracks.settle([tile((1, 2), 100, 100), tile((3, 5), 200, 100)], Pictures(fresh={200: ALL_NEW}))
    assert [seen.ends for seen in news.appeared] == [(3, 5)] and not news.vanished and not news.moved


def test_a_tile_that_is_read_late_where_nothing_changed_does_not_appear_but_is_known() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    news = tracks.settle([tile((1, 2), 100, 100), tile((3, 5), 200, 100)], Pictures())
    assert not news and [seen.ends for seen in tracks.seen()] == [(1, 2), (3, 5)]


def test_a_double_blank_that_is_read_late_must_be_read_more_surely_as_a_scratched_back_looks_like_one() -> None:
    late = [tile((0, 0), 100, 100, score=0.93), tile((0, 3), 200, 100, score=0.93), tile((0, 0), 300, 100)]
    tracks = a_table(tile((1, 1), 400, 100))
    tracks.settle([*late, tile((1, 1), 400, 100)], Pictures())
    assert sorted(seen.center[0] for seen in tracks.seen()) == [200, 300, 400]


def test_a_tile_that_comes_to_light_under_a_token_does_not_appear() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    half_new = Share(0.4, (0.8, 0.0), 0.2)
    assert not tracks.settle([tile((1, 2), 100, 100), tile((3, 5), 200, 100)], Pictures(fresh={200: half_new}))


def test_what_the_reader_misses_once_stays() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    assert not tracks.settle([], Pictures()) and len(tracks.tiles) == 1


def test_a_tile_under_a_hand_keeps_what_was_seen() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    assert not tracks.settle([], Pictures(left={100: ALL_NEW}, veil=(50, 150)))
    (seen,) = tracks.seen()
    assert seen.ends == (1, 2) and seen.veiled


def test_a_tile_in_a_hand_does_not_lie_on_the_table_before_it_is_let_go() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    laid = [tile((1, 2), 100, 100), tile((3, 3), 300, 100)]
    assert not tracks.settle(laid, Pictures(fresh={300: ALL_NEW}, grip=frozenset({300})))
    assert [seen.ends for seen in tracks.settle(laid, Pictures(fresh={300: ALL_NEW})).appeared] == [(3, 3)]


def test_a_tile_that_was_taken_away_vanishes() -> None:
    tracks = a_table(tile((1, 2), 100, 100), tile((3, 3), 300, 100))
    news = tracks.settle([tile((3, 3), 300, 100)], Pictures(left={100: ALL_NEW}))
    assert [seen.ends for seen in news.vanished] == [(1, 2)]


def test_a_back_that_was_drawn_has_gone_though_the_bare_cloth_looks_a_little_like_a_tile() -> None:
    for share, gone in ((ALL_NEW, 1), (NOTHING, 0)):
        tracks = a_table(tile(None, 100, 100))
        assert len(tracks.settle([tile((3, 3), 100, 100, score=0.43)], Pictures(left={100: share})).vanished) == gone


def test_a_tile_that_perhaps_is_gone_is_looked_for_until_it_is_known() -> None:
    tracks = a_table(tile((1, 2), 100, 100), tile((3, 3), 300, 100))
    faint = Pictures(left={100: Share(0.4, (0.4, 0.4))})
    assert not tracks.settle([tile((3, 3), 300, 100)], faint)
    assert [track.perhaps_gone for track in tracks.tiles] == [True, False]
    assert [track.plain for track in tracks.tiles] == [False, True]  # a coin may lie now where the first one was
    assert not tracks.settle([tile((3, 3), 300, 100)], faint)
    news = tracks.settle([tile((3, 3), 300, 100)], faint)
    assert [seen.ends for seen in news.vanished] == [(1, 2)]


def test_where_edges_are_gone_and_nothing_seems_to_lie_there_a_tile_is_gone_at_once() -> None:
    faint = Share(0.4, (0.4, 0.4))
    for bare, count in ((0.95, 1), (0.5, 0)):
        tracks = a_table(tile((1, 2), 100, 100))
        assert len(tracks.settle([], Pictures(left={100: faint}, bare={100: bare})).vanished) == count


def test_how_a_tile_that_was_read_late_looks_is_kept() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    tracks.settle([tile((1, 2), 100, 100), tile((3, 5), 200, 100)], Pictures())
    assert tracks.tiles[1].patch is not None


def test_a_tile_with_a_token_on_one_half_does_not_vanish() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    for _ in range(5):
        assert not tracks.settle([], Pictures(left={100: Share(0.5, (0.9, 0.05), 0.3, 0.4)}))


def test_a_slid_tile_keeps_its_name() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    news = tracks.settle([tile((1, 2), 108, 100)], Pictures(fresh={108: ALL_NEW}, left={100: ALL_NEW}))
    ((before, after),) = news.moved
    assert before.track == after.track and after.center[0] == pytest.approx(108) and not news.appeared


def test_a_tile_carried_across_the_table_moved() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    news = tracks.settle([tile((2, 1), 400, 100)], Pictures(fresh={400: ALL_NEW}, left={100: ALL_NEW}))
    ((before, after),) = news.moved
    assert before.track == after.track and sorted(after.ends or ()) == [1, 2] and not news.appeared and not news.vanished


def test_another_tile_at_the_same_place_is_another_tile() -> None:
    tracks = a_table(tile((4, 5), 100, 100))
    pips = Share(0.05, (0.04, 0.06), 0.03, 0.1)
    news = tracks.settle([tile((4, 4), 100, 100)], Pictures(fresh={100: pips}, left={100: pips}))
    assert [seen.ends for seen in news.vanished] == [(4, 5)] and [seen.ends for seen in news.appeared] == [(4, 4)]


def test_the_fewer_spots_changed_the_surer_another_tile_must_be_read() -> None:
    for spots, score, said in ((0.28, 0.65, True), (0.28, 0.45, False), (0.05, 0.65, False), (0.05, 0.8, True),
                               (0.01, 0.8, False), (0.01, 0.95, True), (0.005, 0.95, False), (0.005, 0.995, True),
                               (0.001, 0.995, False)):
        tracks, pips = a_table(tile((4, 1), 100, 100)), Share(0.1, (0.1, 0.1), spots, 0.1)
        news = tracks.settle([tile((4, 0), 100, 100, score)], Pictures(left={100: pips}))
        assert [seen.ends for seen in news.appeared] == [(4, 0)] * said, (spots, score)


def test_on_a_mottled_set_a_tile_both_of_whose_halves_show_other_pips_is_another() -> None:
    tracks, mottled = a_table(tile((6, 6), 100, 100), tile((6, 2), 300, 100)), Share(0.25, (0.3, 0.15), 0.26, 0.3)
    news = tracks.settle([tile((0, 4), 100, 100), tile((0, 2), 300, 100)], Pictures(left={100: mottled, 300: mottled}))
    assert [seen.ends for seen in news.vanished] == [(6, 6)] and [seen.ends for seen in news.appeared] == [(0, 4)]


@pytest.mark.parametrize(("elsewhere", "spots", "score", "shown"), [
    (True, 0.02, 0.84, (0, 0)), (False, 0.02, 0.84, (0, 6)), (True, 0.004, 0.84, (0, 6)), (True, 0.02, 0.6, (0, 6))])
def test_a_tile_that_is_gone_elsewhere_lies_where_few_spots_went_and_it_is_read(
        elsewhere: bool, spots: float, score: float, shown: tuple[int, int]) -> None:
    """Of small pips six go, as a double blank slides from the next slot to where a 0-6 was: no edge comes or goes."""
    tracks = a_table(tile((0, 6), 100, 100), *([tile((0, 0), 140, 100)] if elsewhere else []))
    for _ in range(3):
        tracks.settle([tile((0, 6), 100, 100), tile((0, 0), 140, 100)] if elsewhere else [tile((0, 6), 100, 100)], Pictures())
    few = Share(0.18, (0.0, 0.35), spots=spots)
    tracks.settle([tile((0, 0), 100, 100, score)], Pictures(left={100: few, 140: ALL_NEW}))
    assert [seen.ends for seen in tracks.seen() if seen.center[0] < 120] == [shown]


def test_another_reading_of_an_unchanged_place_is_the_same_tile() -> None:
    tracks = a_table(tile((4, 5), 100, 100))
    assert not tracks.settle([tile((4, 4), 100, 100, 0.75)], Pictures())
    assert tracks.seen()[0].ends == (4, 5)


def test_a_tile_on_two_others_is_noticed_though_no_number_changes_and_though_it_is_not_found() -> None:
    for found in ([], [tile((3, 0), 120, 100)], [tile((2, 3), 100, 100), tile((0, 4), 140, 100)]):
        tracks = a_table(tile((2, 3), 100, 100), tile((0, 4), 140, 100))
        news = tracks.settle(found, Pictures(left={100: ALL_NEW, 140: ALL_NEW}, laid=frozenset({120})))
        (top,) = news.appeared
        assert top.under == (1, 2) and top.ends == (3, 0) and not news.vanished
        assert [track.covered for track in tracks.tiles[:2]] == [(False, True), (True, False)]


@pytest.mark.parametrize(("lifted", "score", "shown"), [(frozenset({100}), 0.97, (6, 0)), (frozenset(), 0.97, (6, 1)),
                                                         (frozenset({100}), 0.8, (6, 1))])
def test_where_tiles_slid_along_another_one_much_like_it_lies_in_a_tiles_place(lifted: frozenset[int], score: float,
                                                                               shown: tuple[int, int]) -> None:
    tracks = a_table(tile((6, 1), 100, 100))
    for _ in range(5):
        tracks.settle([tile((6, 1), 100, 100)], Pictures())
    one_pip = Share(0.02, (0.0, 0.02), spots=0.005)
    tracks.settle([tile((6, 0), 100, 100, score)], Pictures(left={100: one_pip}, lifted=lifted))
    assert [track.ends for track in tracks.tiles] == [shown]


@pytest.mark.parametrize(("lifted", "shown"), [(frozenset({100, 200}), [(0, 0), (6, 5)]), (frozenset({100}), [(1, 0), (6, 5)]),
                                               (frozenset({200}), [(1, 0), (6, 5)])])
def test_what_hands_took_up_elsewhere_need_not_be_read_so_surely_where_it_lies_now(lifted: frozenset[int],
                                                                                    shown: list[tuple[int, int]]) -> None:
    tracks = a_table(tile((1, 0), 100, 100), tile((0, 0), 200, 100))
    all_of_it = Share(0.9, (0.9, 0.9), spots=0.2)
    pictures = Pictures(left={100: Share(0.02, (0.0, 0.02), spots=0.02), 200: all_of_it}, fresh={200: all_of_it}, lifted=lifted)
    tracks.settle([tile((0, 0), 100, 100, 0.77), tile((6, 5), 200, 100)], pictures)
    assert [track.ends for track in sorted(tracks.tiles, key=lambda track: track.corners[0, 0])] == shown


@pytest.mark.parametrize(("unread", "noticed"), [((130.0, 150.0), 1), ((90.0, 150.0), 0)])
def test_a_tile_on_two_others_is_noticed_where_only_one_of_them_was_looked_at(unread: tuple[float, float], noticed: int) -> None:
    tracks = a_table(tile((2, 3), 100, 100), tile((0, 4), 140, 100))
    assert len(tracks.settle([], Pictures(laid=frozenset({120}), unread=unread)).appeared) == noticed


def test_of_two_joints_that_share_a_half_a_tile_lies_on_one() -> None:
    tracks = a_table(tile((2, 3), 100, 100), tile((0, 0), 140, 100), tile((4, 5), 180, 100))
    assert [top.under for top in tracks.settle([], Pictures(laid=frozenset({120, 160}))).appeared] == [(1, 2), (2, 3)]
    tracks = a_table(tile((2, 3), 100, 100), tile((0, 0), 140, 100), tile((4, 5), 120, 120))
    crosswise = [joint for joint in joints(tracks.tiles) if joint.halves[0][0].name == 1]
    assert len(crosswise) > 1
    evidence = Pictures()
    evidence.bridged = lambda meeting: [(joint, tile(joint.ends, 120, 100)) for joint in crosswise]  # type: ignore[method-assign]
    assert len(tracks.settle([], evidence).appeared) == 1


def test_of_two_joints_side_by_side_of_the_same_tiles_a_tile_lies_on_one_at_once() -> None:
    one, other = tile((1, 4), 100, 100), tile((0, 5), 100, 120)
    tracks = a_table(one, other)
    parallel = [joint for joint in joints(tracks.tiles) if {half for _, half in joint.halves} in ({0}, {1})]
    assert len(parallel) == 2
    evidence = Pictures()
    evidence.bridged = lambda meeting: [  # type: ignore[method-assign]
        (joint, Sighting(joint.place, joint.place, one.probabilities, False, 0.99)) for joint in parallel]  # fmt: skip
    tops = tracks.settle([], evidence).appeared
    assert [top.under for top in tops] == [(1, 2)]
    assert [top.center for top in tops] == [pytest.approx(parallel[0].place.mean(axis=0))]


def test_a_tile_on_two_others_that_is_read_better_a_little_aside_of_the_joint_is_taken_as_it_is_read_there() -> None:
    """People do not lay by the mm, and what is read badly where the tiles below tell is not believed."""
    tracks, dim = a_table(tile((2, 3), 100, 100), tile((0, 4), 140, 100)), Pictures(laid=frozenset({120}), dim=0.05)
    aside = tile((3, 0), 122, 105, 0.93)
    (top,) = tracks.settle([tile((2, 3), 100, 100), tile((0, 4), 140, 100), aside], dim).appeared
    assert top.under == (1, 2) and top.score > 0.9 and top.track in [track.name for track in tracks.tiles]


def test_a_twin_that_was_not_looked_at_is_not_taken_for_a_tile_that_came_to_lie_on_others() -> None:
    tracks = a_table(tile((2, 3), 100, 100), tile((5, 1), 400, 100))
    seen = [tile((2, 3), 100, 100), tile((5, 1), 120, 100)]
    tracks.settle(seen, Pictures(above=frozenset({120}), unread=(350.0, 450.0), fresh={120: ALL_NEW}))
    assert [track.under for track in tracks.tiles] == [(), (), (1,)]


BESIDE, FAR = tile((0, 4), 140, 100), tile((0, 4), 300, 100)


@pytest.mark.parametrize("other", [BESIDE, FAR])
def test_a_tile_that_does_not_match_what_lies_below_or_lies_on_one_alone_is_seen_upon_it(other: Sighting) -> None:
    """No rule allows it, so it must be told: a joint is only asked for a tile that shows what the halves below do."""
    tracks, one, top = a_table(tile((2, 3), 100, 100), other), tile((2, 3), 100, 100), tile((5, 1), 120, 100)
    below = (1, 2) if other is BESIDE else (1,)
    laid = Pictures(above=frozenset({120}), left={100: ALL_NEW, 140: ALL_NEW}, fresh={120: Share(0.4, (0.05, 0.8))})
    news = tracks.settle([one, other, top], laid)
    assert [(seen.ends, seen.under) for seen in news.appeared] == [((5, 1), below)] and not news.vanished
    assert [track.covered for track in tracks.tiles] == [(False, True), (other is BESIDE, False), (False, False)]
    as_read = [tile((2, 5), 100, 100), tile((1, 4), 140, 100) if other is BESIDE else other, top]
    for _ in range(5):
        assert not tracks.settle(as_read, Pictures(left={100: ALL_NEW, 140: ALL_NEW}))
    assert [track.ends for track in tracks.tiles] == [(2, 3), (0, 4), (5, 1)]
    half_gone = Share(0.3, (0.02, 0.6), spots=0.1)  # the other half shows what lay under it, and that may look alike
    news = tracks.settle([one, other], Pictures(left={120: half_gone}))
    assert [seen.ends for seen in news.vanished] == [(5, 1)] and not news.appeared
    assert not any(any(track.covered) for track in tracks.tiles)


@pytest.mark.parametrize(("above", "score", "elsewhere", "new"), [
    (frozenset(), 0.98, [], []), (frozenset({120}), 0.8, [], []), (frozenset({120}), 0.98, [tile((1, 5), 300, 100)], []),
    (frozenset({120}), 0.98, [], [tile((0, 4), 140, 100)])])
def test_what_hardly_looks_so_or_only_moved_or_is_a_joint_of_new_tiles_lies_on_no_tile(
        above: frozenset[int], score: float, elsewhere: list[Sighting], new: list[Sighting]) -> None:
    tracks, fresh = a_table(tile((2, 3), 100, 100), *elsewhere), {120: ALL_NEW, 140: ALL_NEW}
    tracks.settle([tile((2, 3), 100, 100), tile((5, 1), 120, 100, score), *new], Pictures(above=above, fresh=fresh))
    assert not any(track.under for track in tracks.tiles)


@pytest.mark.parametrize(("open_half", "covered", "new", "upon"), [
    (0.02, 0.6, 0.8, True),  # seen so with a 0-4 over a 4-4
    (0.4, 0.6, 0.8, False), (0.02, 0.1, 0.8, False), (0.02, 0.6, 0.1, False)])
def test_what_hangs_over_one_tile_is_seen_upon_it_where_that_one_still_shows_its_other_half(
        open_half: float, covered: float, new: float, upon: bool) -> None:
    """Its outlines are mostly those of a tile on the table."""
    tracks = a_table(tile((2, 3), 100, 100))
    looks = Pictures(left={100: Share(0.3, (open_half, covered))}, fresh={120: Share(0.4, (0.05, new))})
    tracks.settle([tile((5, 1), 120, 100)], looks)
    assert any(track.under for track in tracks.tiles) == upon


def test_what_hangs_over_one_tile_alone_came_lately() -> None:
    tracks = a_table(tile((2, 3), 100, 100))
    tracks.settle([tile((2, 3), 100, 100), tile((5, 1), 120, 100)], Pictures(above=frozenset({120})))
    assert not any(track.under for track in tracks.tiles)


def test_a_tile_on_two_others_that_is_not_read_lies_there_as_long_as_its_place_looks_as_it_did() -> None:
    below = [tile((2, 3), 100, 100), tile((0, 4), 140, 100)]
    tracks = a_table(*below, tile((5, 5), 300, 100))
    tracks.settle([], Pictures(laid=frozenset({120})))
    for _ in range(20):
        tracks.settle(below, Pictures())
    assert [track.ends for track in tracks.tiles] == [(2, 3), (0, 4), (3, 0)]


def test_a_tile_taken_off_two_others_is_gone_only_where_something_changed() -> None:
    for left, gone in (({}, 0), ({120: Share(0.05, (0.05, 0.05))}, 1)):
        tracks = a_table(tile((2, 3), 100, 100), tile((0, 4), 140, 100))
        tracks.settle([], Pictures(laid=frozenset({120})))
        news = tracks.settle([tile((2, 3), 100, 100), tile((0, 4), 140, 100)], Pictures(left=left))
        assert [seen.ends for seen in news.vanished] == [(3, 0)] * gone and len(tracks.tiles) == 3 - gone
        assert any(track.covered[1] for track in tracks.tiles) != bool(gone)


def test_a_joint_that_looks_like_a_tile_is_none_in_the_first_picture_nor_is_its_place_changed_by_a_shadow_on_one_half() -> None:
    tracks = a_table(tile((2, 3), 100, 100), tile((0, 4), 140, 100), tile((3, 0), 120, 100))
    assert len(tracks.tiles) == 2
    assert not changed_at_all(Share(0.06, (0.12, 0.0))) and changed_at_all(Share(0.05, (0.05, 0.05)))


def test_in_the_first_picture_a_tile_that_hides_half_of_two_others_lies_on_them() -> None:
    below = [replace(tile((2, 3), 80, 100), half_hidden=True), replace(tile((0, 4), 120, 100), half_hidden=True)]
    tracks = a_table(*below, tile((3, 0), 100, 100))
    assert [track.under for track in tracks.tiles] == [(), (), (1, 2)]
    assert [track.covered for track in tracks.tiles] == [(False, True), (True, False), (False, False)]


def test_no_tile_lies_on_one_that_is_raised_and_one_on_the_table() -> None:
    tracks = a_table(tile((2, 3), 100, 100), tile((0, 4), 140, 100), tile((5, 5), 160, 120, angle=np.pi / 2))
    tracks.settle([], Pictures(laid=frozenset({120})))
    assert not [joint for joint in joints(tracks.tiles) if 3 in (joint.halves[0][0].name, joint.halves[1][0].name)
                and 4 in (joint.halves[0][0].name, joint.halves[1][0].name)]


def test_a_false_pairing_of_two_neighbours_is_no_tile_on_top() -> None:
    tracks = a_table(tile((2, 3), 100, 100), tile((0, 4), 140, 100))
    assert not tracks.settle([tile((3, 0), 120, 100)], Pictures())
    assert len(tracks.tiles) == 2


def test_probabilities_gather_over_looks() -> None:
    unsure = tile((6, 1), 100, 100, 0.6)
    track = Track.of(1, unsure)
    for _ in range(2):
        track.fuse(tile((1, 6), 100, 100, 0.9, angle=np.pi))
    assert track.ends == (6, 1) and track.score > 0.9 and track.probabilities.sum(axis=1) == pytest.approx([1, 1])


def test_what_only_one_of_two_looks_shows_is_worth_half() -> None:
    (both, once) = merged([[tile((1, 2), 100, 100, 0.9), tile((3, 4), 200, 100, 0.8)], [tile((1, 2), 101, 100, 0.8)]])
    assert both.score == pytest.approx(0.85) and once.score == pytest.approx(0.4)
