"""The table over time: what lets a tile appear, what makes it vanish, and what changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Image
from vision.straighten import Album
from vision.table.changes import changed, logarithms
from vision.table.evidence import NOTHING, Share, compare, compare_edges, is_as_before, straight
from vision.table.registration import REST, moved, slip_of_tiles
from vision.table.resting import Resting
from vision.table.sight import join_boxes
from vision.table.sighting import Sighting, half_of, merged, turned
from vision.table.stacks import Joint, changed_at_all, joints
from vision.table.stillness import Stillness
from vision.table.track import Track
from vision.table.tracks import A_THING, FADED, OTHER_PIPS, Tracks
from vision.table.veils import Veils, find_veils

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

    def taken_up(self, track: Track) -> bool:
        return round(float(track.corners[:, 0].mean())) in self.lifted

    def bridged(self, meeting: Sequence[Joint]) -> list[tuple[Joint, Sighting]]:
        at = {round(float(joint.place[:, 0].mean())): joint for joint in meeting}
        return [(at[x], tile(at[x].ends, x, 100)) for x in sorted(self.laid & at.keys())]

    def new(self, sighting: Sighting) -> Share:
        return self.fresh.get(round(float(sighting.corners[:, 0].mean())), NOTHING)

    def empty(self, track: Track) -> float:
        return self.bare.get(round(float(track.corners[:, 0].mean())), 0.0)

    def gone(self, track: Track) -> Share:
        return self.left.get(round(float(track.corners[:, 0].mean())), NOTHING)

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


def test_a_tile_appears_where_it_is_read_and_its_edges_are_new() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    news = tracks.settle([tile((1, 2), 100, 100), tile((3, 5), 200, 100)], Pictures(fresh={200: ALL_NEW}))
    assert [seen.ends for seen in news.appeared] == [(3, 5)] and not news.vanished and not news.moved


def test_a_tile_that_is_read_late_where_nothing_changed_does_not_appear_but_is_known() -> None:
    tracks = a_table(tile((1, 2), 100, 100))
    news = tracks.settle([tile((1, 2), 100, 100), tile((3, 5), 200, 100)], Pictures())
    assert not news and [seen.ends for seen in tracks.seen()] == [(1, 2), (3, 5)]


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


def drawn(places: list[Array], light: float = 1.0, face: tuple[int, int, int] = (225, 235, 240),
          pip: tuple[int, int, int] = (20, 20, 20)) -> Image:
    """Tiles with eight pips each on a grained table."""
    rng = np.random.default_rng(3)
    image = np.full((300, 500, 3), (60, 90, 110), np.uint8)
    image = np.asarray(np.clip(image + rng.normal(0, 4, image.shape), 0, 255), np.uint8)
    for place in places:
        cv2.fillConvexPoly(image, place.astype(np.int32), face)
        first, second = place[:2].mean(axis=0), place[2:].mean(axis=0)
        for share in (0.15, 0.3, 0.7, 0.85):
            for side in (-0.25, 0.25):
                middle = first + share * (second - first) + side * (place[1] - place[0])
                cv2.circle(image, (round(float(middle[0])), round(float(middle[1]))), 3, pip, -1)
    return np.asarray(np.clip(image * light, 0, 255), np.uint8)


def newness(old: Album, new: Album, old_corners: NDArray[np.float32], new_corners: NDArray[np.float32]) -> Share:
    return compare(straight(old, old_corners), straight(new, new_corners))


def test_all_edges_of_a_laid_tile_are_new_and_none_of_one_in_other_light() -> None:
    place, other = corners(150, 150, 0.3, 40), corners(350, 150, 0.0, 40)
    before, after = Album(drawn([other])), Album(drawn([place, other], light=0.7))
    assert newness(before, after, place, place).both > 0.5
    assert newness(before, after, other, other).whole < 0.05 and newness(before, after, other, other).spots < 0.005
    assert newness(after, before, place, place).whole < 0.5 < newness(before, after, place, place).whole


def test_of_a_laid_tile_the_edges_alone_say_what_the_whole_comparison_does() -> None:
    place = corners(150, 150, 0.3, 40)
    before, after = (straight(Album(drawn(places)), place) for places in ([], [place]))
    whole, edges = compare(before, after), compare_edges(before, after)
    assert (edges.whole, *edges.halves) == pytest.approx((whole.whole, *whole.halves)) and whole.both > 0.5


def test_whether_a_place_is_as_before_is_what_the_whole_comparison_says() -> None:
    place, other, slid = corners(150, 150, 0.3, 40), corners(350, 150, 0.0, 40), corners(352, 151, 0.0, 40)
    bare, laid, darker, repainted = (Album(drawn(*each)) for each in (
        ([other],), ([place, slid],), ([place, other], 0.7), ([other, place], 1.0, (225, 235, 240), (40, 40, 200))))
    told = set()
    for before, now, at in ((bare, laid, place), (bare, laid, other), (laid, darker, place), (darker, bare, place),
                            (bare, repainted, other), (laid, repainted, place)):
        pictures = straight(before, at), straight(now, at)
        whole = compare(*pictures)
        for most, most_spots in ((0.12, 0.004), (0.12, 1.0), (1.0, 0.004)):
            told.add(is_as_before(*pictures, most, most_spots))
            assert is_as_before(*pictures, most, most_spots) == (whole.whole <= most and whole.spots <= most_spots)
    assert told == {True, False}


def test_pips_as_bright_as_the_tile_are_seen_by_their_colour() -> None:
    place, green, red = corners(250, 150, 0.3, 40), (100, 160, 60), (60, 106, 178)
    assert abs(int(cv2.cvtColor(np.array([[green]], np.uint8), cv2.COLOR_BGR2GRAY)[0, 0])
               - int(cv2.cvtColor(np.array([[red]], np.uint8), cv2.COLOR_BGR2GRAY)[0, 0])) <= 3
    plain, spotted = Album(drawn([place], face=green, pip=green)), Album(drawn([place], face=green, pip=red))
    assert newness(plain, spotted, place, place).spots > OTHER_PIPS[0][0]
    assert newness(spotted, spotted, place, place).spots == 0


def test_many_pips_that_went_are_no_token() -> None:
    place, black, white = corners(250, 150, 0.0, 40), (25, 25, 25), (235, 235, 235)
    plain, spotted = drawn([place], face=black, pip=black), drawn([place], face=black, pip=white)
    token = cv2.circle(plain.copy(), (230, 150), 13, white, -1)
    pips, one = (newness(Album(plain), Album(now), place, place) for now in (spotted, token))
    assert pips.spots > one.spots / 2 and pips.most_coloured < A_THING < one.most_coloured


def test_a_lamp_is_no_change_and_a_tile_is() -> None:
    before = drawn([corners(350, 150)])
    slope = np.linspace(0.7, 1.1, before.shape[1])[None, :, None]
    lamp = np.asarray(np.clip(before * slope, 0, 255), np.uint8)
    mask, _ = changed(logarithms(before), logarithms(lamp))
    assert mask.mean() < 0.002
    mask, _ = changed(logarithms(before), logarithms(drawn([corners(350, 150), corners(150, 150, 0.0, 40)])))
    assert mask[130:170, 110:190].mean() > 0.5 and mask[:, 250:].mean() < 0.002


def an_arm(picture: Image) -> Image:
    """The picture with an arm that reaches in from above."""
    arm = picture.copy()
    cv2.line(arm, (250, 0), (240, 160), (120, 150, 200), 60)
    return arm


def veils_between(before: Image, after: Image, scale: float = 12.0, seen: NDArray[np.bool_] | None = None) -> Veils:
    """What covers the table where no tile explains anything."""
    mask, difference = changed(logarithms(before), logarithms(after))
    return find_veils(mask, difference, logarithms(after), np.zeros(before.shape[:2], np.bool_), scale, seen)


def test_an_arm_from_the_border_is_a_hand_and_a_soft_shadow_is_not() -> None:
    before = drawn([])
    shade = np.ones(before.shape[:2], np.float32)
    cv2.ellipse(shade, (250, 0), (120, 140), 0, 0, 360, 0.75, -1)
    shadow = np.asarray(before * cv2.GaussianBlur(shade, (0, 0), 25)[..., None], np.uint8)
    assert veils_between(before, an_arm(before)).hand
    assert not veils_between(before, shadow).hand


def test_tiles_that_stand_at_the_rim_are_no_hand() -> None:
    before, seen = drawn([]), np.ones(drawn([]).shape[:2], np.bool_)
    seen[:30] = False
    standing = before.copy()
    cv2.rectangle(standing, (100, 0), (300, 35), (40, 40, 60), -1)
    assert not veils_between(before, standing, seen=seen).mask.any()
    assert veils_between(before, an_arm(before), seen=seen).hand


def test_what_leaves_the_table_is_no_hand() -> None:
    before = drawn([])
    assert not veils_between(an_arm(before), before).mask.any()


def test_what_covers_the_table_and_lies_still_is_no_hand_for_ever() -> None:
    bare = logarithms(drawn([]))
    arm = logarithms(an_arm(drawn([])))
    covered = changed(bare, arm)[0]
    resting = Resting()
    resting.settle(covered, arm, 10.0)
    assert not resting.lying(arm, 12.0).any() and not resting.rests(12.0)
    resting.settle(covered, arm, 14.0)  # something else was played
    assert resting.rests(16.5) and (resting.lying(arm, 16.5) & covered).sum() > 0.95 * covered.sum()
    assert (resting.lying(bare, 16.5) & covered).sum() < 0.05 * covered.sum()  # it has left


def test_a_moved_camera_is_told_by_the_tiles_and_moved_tiles_are_not() -> None:
    places = [(100 + 60 * k, 100 + 37 * (k % 3), 0.2 * k) for k in range(7)]
    tracks = a_table(*(tile((k, k), x, y, angle=a) for k, (x, y, a) in enumerate(places)))
    turn = np.array([[0.99, -0.1, 12.0], [0.1, 0.99, -7.0], [0, 0, 1]])
    seen = [Sighting(moved(each.corners, turn), moved(each.corners, turn), tile((k, k), 0, 0).probabilities, False, 0.98)
            for k, each in enumerate(tracks.tiles)]
    slip = slip_of_tiles(tracks.tiles, seen)
    assert slip is not None and np.abs(moved(corners(300, 200), slip) - moved(corners(300, 200), turn)).max() < 1.0
    nudged = [tile((k, k), x + (40 if k < 3 else 0), y, angle=a) for k, (x, y, a) in enumerate(places)]
    assert slip_of_tiles(tracks.tiles, nudged) is REST


def test_still_is_counted_from_the_last_movement_and_a_flash_is_none() -> None:
    stillness = Stillness()
    quiet, lit = drawn([]), drawn([], light=1.1)
    assert stillness.feed(quiet, 0.0, None) == 0.0
    assert stillness.feed(quiet, 0.5, None) == pytest.approx(0.5)
    assert stillness.feed(lit, 0.6, None) == pytest.approx(0.6)
    assert stillness.feed(drawn([corners(200, 100)], light=1.1), 0.7, None) == 0.0
    assert stillness.touched is not None and stillness.touched.any()


def test_boxes_that_meet_become_one() -> None:
    assert join_boxes([(0, 0, 10, 10), (20, 0, 30, 10), (5, 5, 25, 8)]) == [(0, 0, 30, 10)]
    assert half_of(turned(corners(0, 0, 0.7, 24.0))) == pytest.approx(24.0, rel=1e-4)


def test_a_plain_back_that_left_is_told_by_its_brightness_and_light_alone_is_not() -> None:
    table = np.full((200, 300, 3), 150, np.uint8)
    back = table.copy()
    back[80:120, 100:180] = 130  # too faint an edge to count as one
    corners = np.array([[100, 120], [100, 80], [180, 80], [180, 120]], np.float32)
    darker = (back * 0.6).astype(np.uint8)
    assert newness(Album(back), Album(table), corners, corners).faded > FADED
    assert newness(Album(back), Album(darker), corners, corners).faded < FADED / 3
