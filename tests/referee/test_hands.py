"""Whose hands came over the table, as far as veils and movements at the edges tell."""

from __future__ import annotations

import numpy as np

from engine.games import game
from referee.hands import Hands
from referee.setting import Setting, seated
from vision.observation import Array, Observation, TableState

SETTING = Setting("block", game("block").Rules(), seated(("Ann", "Ben")))


def at_edge(seat: int, wide: float = 40.0) -> Array:
    """An outline at a seat's edge, of so many mm to either side."""
    x, y = SETTING.edge(seat)
    (dx, dy), (ax, ay) = SETTING.seats[seat].forward, SETTING.seats[seat].rightward
    corners = [(-wide, 0.0), (wide, 0.0), (wide, 2 * wide), (-wide, 2 * wide)]
    return np.array([(x + a * ax + b * dx, y + a * ay + b * dy) for a, b in corners], np.float32)


def see(hands: Hands, time: float, veil: int | None = None, swept: tuple[Array, ...] | None = None) -> None:
    veils = () if veil is None else (at_edge(veil),)
    state = TableState.READY if veil is None else TableState.HAND
    hands.see(Observation(time, 0, state, veils=veils, settled=veil is None, swept=swept), SETTING)


def test_a_hand_that_came_counts_until_all_is_explained() -> None:
    hands = Hands()
    see(hands, 1.0, veil=1)
    see(hands, 2.0, swept=(at_edge(1),))
    assert hands.reached.seats == {1} and hands.reached.perhaps == {1}
    hands.forget()
    assert not hands.reached.seats


def test_hands_that_were_explained_do_not_come_again_with_the_next_look_of_a_recording() -> None:
    hands = Hands()
    see(hands, 1.0, veil=1)
    see(hands, 2.0, swept=(at_edge(1),))
    hands.forget()
    see(hands, 2.1, swept=(at_edge(1),))  # the same outlines, read again
    assert not hands.reached.seats and not hands.reached.perhaps


def test_what_is_shown_between_two_hands_parts_them() -> None:
    hands = Hands()
    see(hands, 1.0, veil=1)
    see(hands, 2.0, swept=(at_edge(1),))
    hands.shown()
    see(hands, 3.0, veil=0)
    see(hands, 4.0, swept=(at_edge(0),))
    assert hands.reached.seats == hands.reached.perhaps == {0, 1}
    assert hands.lately.seats == hands.lately.perhaps == {0}
    hands.forget(but_lately=True)
    assert hands.reached.seats == {0}


def test_what_a_bumped_camera_shows_at_the_edges_is_no_hand() -> None:
    hands = Hands()
    see(hands, 1.0, veil=1)
    see(hands, 2.0, swept=(at_edge(1),))
    see(hands, 3.0, veil=0)
    see(hands, 4.0, swept=())
    assert hands.reached.seats == {1}


def test_a_tag_in_other_light_is_no_hand() -> None:
    x0, y0, _, y1 = SETTING.area
    hands = Hands()
    for y in (y0, y1 - 70):
        tag = np.array([(x0, y), (x0 + 70, y), (x0 + 70, y + 70), (x0, y + 70)], np.float32)
        hands.see(Observation(1.0, 0, TableState.HAND, veils=(tag,), settled=False), SETTING)
    see(hands, 1.5, veil=1)
    see(hands, 2.0, swept=(at_edge(1),))
    assert hands.reached.seats == {1}


def test_specks_that_other_light_makes_are_nobodys_shadow() -> None:
    hands = Hands()
    see(hands, 1.0, veil=1)
    see(hands, 2.0, swept=(at_edge(1), at_edge(0, 6.0)))
    assert hands.reached.perhaps == {1}


def test_what_covers_the_edge_of_a_table_at_rest_is_no_hand() -> None:
    hands, lying = Hands(), at_edge(0)
    for time, settled in ((1.0, True), (2.0, False), (3.0, True)):
        state = TableState.READY if settled else TableState.HAND
        veils = (lying,) if settled else (lying + 3, at_edge(1))
        hands.see(Observation(time, 0, state, veils=veils, settled=settled), SETTING)
    assert hands.reached.seats == {1}


def test_whose_hand_came_in_vain_is_remembered_until_something_is_done() -> None:
    hands = Hands()
    see(hands, 1.0, veil=1)
    see(hands, 2.0, swept=(at_edge(1),))
    hands.left_all()
    assert hands.in_vain == {1} and not hands.reached.seats
    hands.left_all()
    assert hands.in_vain == {1}
    hands.forget()
    assert not hands.in_vain


def test_how_far_a_hand_reached_is_known_when_it_has_gone() -> None:
    hands = Hands()
    for time, wide in ((1.0, 30.0), (1.1, 90.0), (1.2, 40.0)):
        hands.see(Observation(time, 0, TableState.HAND, veils=(at_edge(1, wide),)), SETTING)
    see(hands, 2.0, swept=(at_edge(1),))
    assert abs(SETTING.depth(1, hands.reached.tips[1]) - 180.0) < 1 and 0 not in hands.reached.tips
    hands.forget()
    assert not hands.reached.tips


def test_an_arm_that_reaches_to_another_seats_edge_is_no_hand_of_that_seat() -> None:
    hands = Hands()
    near, beyond = at_edge(0, 60.0), at_edge(1, 60.0) - 3 * np.array(SETTING.seats[1].forward, np.float32)
    across = np.concatenate([near, beyond])
    hands.see(Observation(1.0, 0, TableState.HAND, veils=(near,)), SETTING)
    hands.see(Observation(1.1, 0, TableState.HAND, veils=(across,)), SETTING)
    see(hands, 2.0, swept=(across,))
    assert hands.reached.seats == hands.reached.perhaps == {0}


def test_tiles_that_an_arm_leaves_at_anothers_edge_are_no_hand_of_that_seat() -> None:
    hands = Hands()
    arm, left = at_edge(0, 60.0), at_edge(1, 30.0) + 40 * np.array(SETTING.seats[1].forward, np.float32)
    reaching = np.concatenate([arm, left])
    for time, veils in ((1.0, (arm,)), (1.1, (reaching,)), (1.2, (arm, left)), (1.3, (left,))):
        hands.see(Observation(time, 0, TableState.HAND, veils=veils), SETTING)
    see(hands, 2.0, swept=(reaching,))
    assert hands.reached.seats == hands.reached.perhaps == {0}


def test_a_hand_that_comes_beside_anothers_arm_is_one_of_its_own() -> None:
    hands = Hands()
    arm, other = at_edge(0, 60.0), at_edge(1, 30.0)
    for time, veils in ((1.0, (arm,)), (1.1, (arm, other)), (1.2, (arm, other))):
        hands.see(Observation(time, 0, TableState.HAND, veils=veils), SETTING)
    see(hands, 2.0, swept=(arm, other))
    assert hands.reached.seats == hands.reached.perhaps == {0, 1} == set(hands.reached.tips)


def test_an_arm_that_met_anothers_when_it_came_is_its_own_when_they_part() -> None:
    hands = Hands()
    arm, other = at_edge(0, 60.0), at_edge(1, 60.0)
    for time, veils in ((1.0, (arm,)), (1.1, (np.concatenate([arm, other]),)), (1.2, (other,))):
        hands.see(Observation(time, 0, TableState.HAND, veils=veils), SETTING)
    see(hands, 2.0, swept=(arm, other))
    assert hands.reached.seats == hands.reached.perhaps == {0, 1}


def test_an_arm_that_comes_over_a_corner_is_that_of_the_seat_from_whose_edge_it_reaches_farther() -> None:
    setting, hands = Setting("block", SETTING.rules, seated(("Ann", "Ben", "Cem", "Dee"))), Hands()
    _, y0, x1, _ = setting.area
    beside, above = (int(setting.depths(np.array([edge], np.float32))[0].argmin()) for edge in ((x1, 0), (0, y0)))
    for time, long, wide in ((1.0, 150.0, 200.0), (1.1, 450.0, 120.0), (1.2, 120.0, 190.0)):
        arm = np.array([(x1 - long, y0), (x1 - 5, y0), (x1 - 5, y0 + wide), (x1 - long, y0 + wide)], np.float32)
        hands.see(Observation(time, 0, TableState.HAND, veils=(arm,)), setting)
    hands.see(Observation(2.0, 0, TableState.READY, settled=True, swept=(arm,)), setting)
    assert above != beside and hands.reached.seats == hands.reached.perhaps == {beside} == set(hands.reached.tips)
