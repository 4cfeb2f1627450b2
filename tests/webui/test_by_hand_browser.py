"""Every game is set up, dealt and played by hand in Chromium to its final score, on a phone and on a desk, with real taps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.actions import Action
from engine.core import UNKNOWN
from engine.games import GAMES, game
from engine.state import State
from tests.webui.browsing import DESK, PHONE, Screen, needs_chromium, serving
from webui.app import create_app
from webui.live.form import places
from webui.live.games import FACES
from webui.live.room import Room
from webui.live.running import Do

pytestmark = needs_chromium

FIRST, LAST = 9, 5
"""So many actions of a game are tapped at its beginning, and so many at its end; those between are entered without the page."""

DEALS: dict[str, int] = {"engine191": 34, "block": 31, "all-fives": 31, "matador": 5, "knock-out": 3, "elimination": 25,
                         "solitaire": 4, "mexican-train": 37}  # fmt: skip
"""The seeds of games that are soon over."""

FLAGS: dict[str, dict[str, Any]] = {"dominoids": {"max_turns": 5}, "mexican-train": {"rounds": 1}}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A table on which nothing was begun, and no camera over it."""
    nobody: Any = None
    found = Room(tmp_path, nobody)
    found.open(None)
    yield found
    found.close()


@pytest.fixture
def screen(room: Room, chromium: Any) -> Iterator[Screen]:
    """A phone before that table."""
    nobody: Any = None
    app = create_app(nobody, own_names=lambda: ["localhost"], lan_hosts=tuple, table=room.table, keys=room.keys, stand=room.stand)
    with serving(app) as url:
        screen = Screen(chromium, url)
        screen.resize(PHONE)
        yield screen
        chromium.get("about:blank")  # a page asks for pictures and news as long as it is open


def before_the_deal(name: str) -> State:
    """The game for as few as it may be, in which everything will be known."""
    kind = game(name)
    return kind(kind.Rules(**FLAGS.get(name, {})), kind.SEATS[0])


def course(full: State, seed: int) -> tuple[Action, ...]:
    """All that is still to happen in a game, chance too."""
    rng, done = Random(seed), len(full.pushed)
    while full.result is None:
        full.push(full.random_chance(rng) if full.chance else rng.choice(full.legal()))
    return full.pushed[done:]


class Player:
    """Somebody before the page, who sees what happens at the table and taps it."""

    def __init__(self, room: Room, screen: Screen) -> None:
        self.room, self.screen = room, screen

    @property
    def state(self) -> State:
        """The table as it has been entered."""
        return self.room.table.moment().state

    @property
    def entries(self) -> int:
        """How much of it stands."""
        return sum(not entry.undone for entry in self.room.table.moment().entries)

    def set_up(self, name: str) -> None:
        """Choose the game and its flags, and begin."""
        screen = self.screen
        screen.open("/setup")
        screen.touch(f"game-{name}")
        for flag, value in FLAGS.get(name, {}).items():
            if not screen.find(f"#{name}-{flag}").is_displayed():
                screen.find(f'[data-flags-of="{name}"] summary').click()
            screen.find(f"#{name}-{flag}").send_keys(str(value))
        screen.touch("by-hand")
        screen.until(lambda: screen.find_all('[data-ready="true"]') and screen.find(".dock").is_displayed())

    def enter(self, public: Action) -> None:
        """Tap what was done, or what came by chance, as everybody sees it."""
        self.screen.until(lambda: self.screen.find("#table-page").get_attribute("data-version")
                          == str(self.room.table.moment().version))  # fmt: skip
        known = self.entries
        if isinstance(public, self.state.CHANCE):
            self._tell(public)
        elif (tile := getattr(public, "tile", UNKNOWN)) != UNKNOWN:
            self.screen.touch(f"tile-{tile}")
            self._lay(public)
        else:
            self.screen.touch(f"choice-{public}", f"buy-{getattr(public, 'slot', '')}")
        self.screen.until(lambda: self.entries > known)

    def _lay(self, public: Any) -> None:
        """Tap the words of a place; where it has none, the place on the drawing, until the tile lies there as it was laid."""
        screen, button = self.screen, f"lay-{public}"
        screen.until(lambda: screen.keyed(button) or screen.find_all(".place"))
        if not screen.keyed(button):
            spot = next(place for place in places(self.state, public.tile) if place["action"] == str(public))
            screen.touch("spot-{x:g}-{y:g}-{}".format(spot["turn"] % 180, **spot))
            while not screen.keyed(button):
                screen.touch("turn")
        screen.touch(button)

    def _tell(self, public: Any) -> None:
        """Say who begins and which tiles, dice and coins came; or let the page deal."""
        screen = self.screen
        if screen.keyed("next-round") and not screen.find(".dock").is_displayed():  # what the round came to is shown first
            screen.touch("next-round")
        screen.until(lambda: screen.find_all(".dock .answers, .dock .tile-picker, .dock [data-key=tell]"))
        said = FACES[self.state.game].said(public)
        if screen.keyed("starter-0"):
            screen.touch(f"starter-{said.starter}")
        if said.numbers:
            for at, number in enumerate(said.numbers):
                screen.touch(f"option-{at}-{number}")
            return None
        if screen.keyed("shuffle") and not said.halves:
            return screen.touch("shuffle")
        for at, ends in enumerate(said.halves):
            screen.touch("tile-{}-{}".format(*sorted(ends)))
            if ends[0] > ends[1]:
                screen.touch(f"chosen-{at}")
        if len(said.halves) != 1 or self.state.chance == "turn":  # which way a single tile lies is told only where it matters
            screen.touch("tell")
        return None

    def undo(self) -> None:
        """Take the last entry back."""
        known = self.entries
        self.screen.touch("undo")
        self.screen.until(lambda: self.entries < known)


@pytest.mark.parametrize("name", ["block", "mexican-train"])
def test_from_the_front_page_to_the_first_play_are_at_most_six_taps(name: str, room: Room, screen: Screen) -> None:
    screen.open("/")
    screen.touch("set-up")
    screen.touch(f"pick-{name}")
    screen.touch("by-hand")
    screen.touch("tell")
    screen.until(lambda: screen.find_all('[data-key^="tile-"]'))
    screen.find('[data-key^="tile-"]').click()
    screen.until(lambda: screen.find_all('[data-key^="lay-"]'))
    screen.find('[data-key^="lay-"]').click()
    screen.until(lambda: any(entry.action and entry.action.kind == "play" for entry in room.table.moment().entries))
    screen.until(lambda: screen.find_all(".laid"))
    assert room.table.moment().setting.game == name and screen.complaints() == []


def test_without_a_picture_the_way_past_the_camera_is_by_hand(room: Room, screen: Screen) -> None:
    screen.open("/setup#measure")
    assert not screen.find("#by-itself").is_displayed() and screen.find(".without-picture").is_displayed()
    screen.open("/setup")
    screen.touch("pick-matador")
    screen.touch("with-camera")
    assert not screen.find('[data-key="to-measure"]').is_displayed()
    screen.touch("play-by-hand")
    screen.until(lambda: screen.find_all('[data-ready="true"]') and screen.find(".dock").is_displayed())
    assert room.table.moment().setting.game == "matador" and screen.complaints() == []


def test_only_the_game_that_goes_on_can_be_kept(room: Room, screen: Screen) -> None:
    full = before_the_deal(room.table.moment().setting.game)
    room.table.do(room.table.moment().version, "host", Do(full.public(course(full.branch(), 0)[0])))
    for name, going in ((room.table.moment().setting.game, True), ("block", False)):
        screen.open("/setup")
        screen.touch(f"pick-{name}")
        assert screen.find("#keep").is_displayed() is going and screen.find("#ends").is_displayed() is not going


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_by_hand_to_its_final_score(name: str, size: tuple[int, int], room: Room, screen: Screen) -> None:
    full, seed, done = before_the_deal(name), DEALS.get(name, 0), 0
    actions = course(full.branch(), seed)
    screen.resize(size)
    player = Player(room, screen)
    player.set_up(name)

    def happens(public: Action, tapped: bool) -> int:
        """It is entered; what follows of itself happens in truth, too, and is counted."""
        known = len(room.table.moment().entries)
        if tapped:
            player.enter(public)
        else:
            room.table.do(room.table.moment().version, "host", Do(public))
        following = [entry.action for entry in room.table.moment().entries[known + 1 :]]
        for action in following:
            assert action is not None
            full.push(action)
        return len(following)

    while done < len(actions):
        action, tapped = actions[done], not FIRST <= done < len(actions) - LAST
        public = full.public(action)
        if done == 2:
            player.enter(public)
            player.undo()
        full.push(action)
        done += 1 + happens(public, tapped)
        if action.kind == "deal" and room.table.moment().entries[-1].action != public:  # the page has dealt
            full, done = player.state.sample(Random(seed)), 0
            actions = course(full.copy(), seed)
        while (seen := player.state).chance and seen.chance != full.chance:
            done += happens(full.answer(seen), tapped)
    assert player.state.scores() == full.scores() and player.state.result is not None
    screen.until(lambda: screen.find("#result-title").is_displayed())
    screen.until(lambda: [node.text for node in screen.find_all(".score")] == [str(points) for points in full.scores()])
    assert screen.complaints() == []
