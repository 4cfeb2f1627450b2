"""A running table without a camera: entries by hand, folded by the engine, with whatever a test wants shown beside them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.actions import Action
from engine.core import IllegalError
from engine.games import game
from engine.pieces import Tile
from engine.state import State
from engine.words import say
from referee.games import reader_for
from referee.setting import Setting, seated
from vision.frame import Frame
from vision.observation import Quality
from vision.sources.source import Health
from webui.live.review import in_short
from webui.live.running import (
    Accept,
    Begin,
    Deed,
    Do,
    Edit,
    Entry,
    Moment,
    Offered,
    Past,
    Played,
    Question,
    Refused,
    Reply,
    Stale,
    Tell,
    Undo,
    View,
)

ACCOUNT: dict[str, Any] = {
    "table": {"time": 15.9, "tiles": [
        {"number": 1, "words": say("{name} was laid there", name=say("The {tile}", tile="0-1")), "ends": [0, 1], "share": 0.9991,
         "believed": True, "for": [[say("it is read there"), 4.8], [say("it was not read there before"), 7.3],
                                   [say("the picture changed"), 3.3]], "against": []},
        {"number": 2, "words": say("{name} still lies there", name=say("A face-down tile")), "ends": None, "share": 0.918,
         "believed": True, "for": [[say("the picture is as it was"), 3.1]],
         "against": [[say("hardly a tile is seen there"), 0.7]]},
        {"number": 3, "words": say("{name} was laid there", name=say("The {tile}", tile="0-4")), "ends": [0, 4], "share": 0.0004,
         "believed": False, "for": [[say("it was not read there before"), 3.0]],
         "against": [[say("the picture is as it was"), 6.2]]}]},
    "game": {"decision": "illegal", "share": 0.989, "explanations": [
        {"words": [say("{name} lays the {tile} out of turn.", name="Ben", tile="0-1"),
                   say("Against the rules: {sentence}",
                       sentence=say("It is {turn}'s turn, not {name}'s.", turn="Ann", name="Ben"))],
         "share": 0.989, "against": []},
        {"words": [say("Nothing was played.")], "share": 0.011,
         "against": [[say("{seen} is seen", seen=say("a {tile}", tile="0-1")), 9.0]]}]},
}  # fmt: skip
"""What a referee may tell of itself (`referee.account`)."""


@dataclass
class FakeTable:
    """Runs a game; `shows` are fields of the moment that a test sets."""

    setting: Setting
    actions: list[tuple[Action, str, bool]] = field(default_factory=list)
    shows: dict[str, Any] = field(default_factory=dict)
    camera: View | None = None
    pictures: dict[str, bytes] = field(default_factory=dict)
    replies: list[tuple[str, str]] = field(default_factory=list)
    hands: dict[int, tuple[Tile, ...]] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)
    games: tuple[Played, ...] = ()
    misreadings: frozenset[str] = frozenset()
    version: int = 1
    changed: threading.Condition = field(default_factory=threading.Condition)
    clock: Callable[[], float] = lambda: 1_900_000_000.0

    records = False
    offered: Offered | None = None

    def recording(self, file: BinaryIO) -> None:
        raise Refused("This game is not recorded.")

    def moment(self) -> Moment:
        with self.changed:
            state, entries = self._fold(len(self.actions))
            done = [entry for entry in entries if not entry.undone]
            moment = Moment(
                self.version, self.setting, state, "ready", entries=tuple(entries), undo=done[-1].words if done else ""
            )
            return replace(moment, **self.shows)

    def _fold(self, count: int) -> tuple[State, list[Entry]]:
        state, reader = self.setting.new_state(), reader_for(self.setting)
        entries = []
        for number, (action, who, undone) in enumerate(self.actions[:count]):
            words = reader.words(state, action)
            shown = [name for name in (f"play{number}", "after") if name in self.pictures and action.kind in ("play", "buy")]
            pictures = tuple(shown[:1])
            sure = 0.997 if who == "camera" else None
            time = self.clock() + 20 * number
            seat = state.turn
            if not undone:
                state.play(action)
            entries.append(Entry(number, words, action, seat, who, time, pictures, sure, undone, scores=state.scores()))
        return state, entries

    def wait(self, version: int, seconds: float) -> None:
        with self.changed:
            if self.version == version:
                self.changed.wait(seconds)

    def show(self, **shows: Any) -> None:
        """Let the moment say this from now on."""
        with self.changed:
            self.shows |= shows
            self._next()

    def _next(self) -> None:
        self.version += 1
        self.changed.notify_all()

    def is_current(self, version: int) -> bool:
        return version == self.version

    def done(self, token: str) -> int | None:
        return self.tokens.get(token)

    def do(self, version: int, who: str, deed: Deed, token: str | None = None) -> int:
        with self.changed:
            if version != self.version:
                raise Stale
            self._do(who, deed)
            self._next()
            if token is not None:
                self.tokens[token] = self.version
            return self.version

    def _do(self, who: str, deed: Deed) -> None:
        standing = [at for at, (_, _, undone) in enumerate(self.actions) if not undone]
        match deed:
            case Do(action):
                state, _ = self._fold(len(self.actions))
                verdict = state.verify(action)
                if not verdict:
                    raise IllegalError(verdict)
                self.actions.append((action, who, False))
            case Undo():
                if not standing:
                    raise Refused("There is nothing to take back.")
                self._strike(standing[-1])
            case Edit(number, None):
                self._changed(number, None, who)
            case Edit(number, action):
                self._changed(number, action, who)
            case Reply(question, choice):
                self._reply(question, choice, who)
            case Tell(seat, tiles):
                self.hands[seat] = tiles
            case Begin(setting):
                self.setting, self.actions, self.shows = setting, [], {}
            case Accept():
                self.shows.pop("fault", None)
                self.shows.pop("repair", None)
                self.shows.pop("word", None)

    def _strike(self, at: int) -> None:
        action, who, _ = self.actions[at]
        self.actions[at] = (action, who, True)

    def _changed(self, number: int, action: Action | None, who: str) -> None:
        before = list(self.actions)
        if not 0 <= number < len(before):
            raise Refused("There is no such entry.")
        if action is None:
            self._strike(number)
        else:
            self.actions[number] = (action, who, False)
        try:
            self._fold(len(self.actions))
        except IllegalError as error:
            self.actions = before
            raise Refused(f"What was played afterwards would not fit: {error.verdict.sentence}") from error

    def _reply(self, question: str, choice: str, who: str) -> None:
        asked: Question | None = self.shows.get("question")
        if asked is None or asked.name != question:
            raise Refused("That question is answered already.")
        self.replies.append((question, choice))
        chosen = next(each for each in asked.choices if each.name == choice)
        del self.shows["question"]
        self.shows.pop("word", None)
        if chosen.action is not None:
            self._do(who, Do(chosen.action))

    def hand(self, seat: int) -> tuple[Tile, ...]:
        return self.hands.get(seat, ())

    def before(self, number: int) -> State:
        with self.changed:
            if not 0 <= number < len(self.actions):
                raise Refused("There is no such entry.")
            return self._fold(number)[0]

    def told(self, game: str, seat: int, number: int) -> tuple[Tile, ...]:
        return ()

    def misread(self, picture: str, wrong: bool = True) -> None:
        if picture not in self.pictures:
            raise Refused("There is no such picture.")
        self.misreadings = self.misreadings - {picture} | ({picture} if wrong else set())

    def past(self) -> tuple[Past, ...]:
        return tuple(map(in_short, self.games))

    def played(self, name: str) -> Played | None:
        return next((each for each in self.games if each.name == name), None)

    def evidence(self, name: str) -> bytes | None:
        return self.pictures.get(name)

    def account(self) -> dict[str, Any]:
        return ACCOUNT

    def account_picture(self) -> bytes | None:
        return picture("as it was read")

    def view(self) -> View | None:
        return self.camera


NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz", "Greta", "Hugo")


def table(name: str, players: int = 2, **rules: Any) -> FakeTable:
    """A table of that game before its first deal."""
    return FakeTable(Setting(name, game(name).Rules.of(rules), seated(NAMES[:players])))


def tidy(state: State, rng: Random) -> Action:
    """A legal action as people play: in Euronimoes near the rest of the grid, and with a little luck a good one."""
    moves = [each for each in state.legal() if each.kind != "stop"] or state.legal()
    some = rng.sample(moves, min(len(moves), 14))
    if state.game != "euronimoes" or state.phase == "draw":
        return some[0]
    seat = state.turn or 0

    def spread(move: Any) -> tuple[int, int]:
        after = state.layouts[seat].after(move)  # type: ignore[attr-defined]
        return state.layouts[seat].extent_with(move.cells), sum(points for _, points in after.column_scores())  # type: ignore[attr-defined]

    return min(some, key=spread)


def dealt(name: str, players: int = 2, plays: int = 0, seed: int = 1, who: str = "camera", **rules: Any,
          ) -> tuple[FakeTable, State]:
    """A table after a deal and some plays as a camera would see them, and the state with all hands known."""
    rng = Random(seed)
    running = table(name, players, **rules)
    full, seen = running.setting.new_state(), running.setting.new_state()

    def happens(action: Action) -> None:
        running.actions.append((action, who, False))
        seen.push(action)

    while full.chance or (plays > 0 and full.result is None):
        if full.chance:
            action = full.random_chance(rng)
            happens(full.public(action))
        else:
            action = tidy(full, rng)
            happens(full.public(action))
            plays -= 1
        full.push(action)
        while seen.chance and seen.chance != full.chance:
            happens(full.answer(seen))
    return running, full


def picture(text: str = "camera", size: tuple[int, int] = (960, 540)) -> bytes:
    """A made-up camera picture (JPEG): a cloth with a few tiles and a word."""
    image = np.full((size[1], size[0], 3), (74, 98, 62), np.uint8)
    for at in range(5):
        x = 150 + at * 125
        cv2.rectangle(image, (x, 230), (x + 116, 288), (222, 240, 246), -1, cv2.LINE_AA)
        cv2.line(image, (x + 58, 236), (x + 58, 282), (120, 140, 150), 2, cv2.LINE_AA)
        for half in (0, 1):
            cv2.circle(image, (x + 29 + 58 * half, 259), 7, (30, 30, 30), -1, cv2.LINE_AA)
    cv2.putText(image, text, (30, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (235, 240, 238), 2, cv2.LINE_AA)
    return bytes(cv2.imencode(".jpg", image)[1])


GOOD = Quality(frame_age=0.1, fps=9.8, light=0.52, glare=0.004, sharpness=0.9, scale=2.1)


def seeing(age: float = 0.1, word: str = "ready") -> View:
    """A camera that sees well."""
    return View(picture(), age, say("Camera {name}", name="0"), word, GOOD)


def tagged_table(size: tuple[int, int] = (1920, 1080)) -> NDArray[np.uint8]:
    """A table with its four tags as a camera beside it sees it, (H, W, 3) BGR: 800 x 600 mm of cloth."""
    scale = 2  # pixels a millimetre
    cloth = np.full((700 * scale, 900 * scale, 3), (84, 104, 70), np.uint8)
    cloth[:] = np.clip(
        cloth.astype(np.int16) + np.random.default_rng(1).integers(-6, 7, cloth.shape[:2])[..., None], 0, 255
    )
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number, (x, y) in enumerate(((80, 80), (780, 80), (780, 580), (80, 580))):
        side = 40 * scale
        cv2.rectangle(
            cloth, ((x - 12) * scale, (y - 12) * scale), ((x + 52) * scale, (y + 52) * scale), (250, 250, 250), -1
        )
        tag = cv2.aruco.generateImageMarker(dictionary, number, side)
        cloth[y * scale : y * scale + side, x * scale : x * scale + side] = tag[..., None]
    height, width = cloth.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = np.array([(430, 130), (1490, 130), (1760, 1040), (160, 1040)], np.float32)
    warp = cv2.getPerspectiveTransform(corners, seen)
    floor = np.full((size[1], size[0], 3), (58, 66, 82), np.uint8)
    return np.asarray(cv2.warpPerspective(cloth, warp, size, floor, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT), np.uint8)


class FakeCamera:
    """A camera that shows one picture, until it is unplugged."""

    live = True
    settled = False

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self.image, self.plugged, self._sequence, self._last = image, True, 0, time.monotonic()

    def next(self, wait_s: float) -> Frame | None:
        time.sleep(min(wait_s, 0.05))
        if not self.plugged:
            return None
        self._sequence += 1
        self._last = time.monotonic()
        return Frame(self.image, self._last, self._sequence)

    def health(self) -> Health:
        age = time.monotonic() - self._last
        return Health(None if self.plugged else "the camera is unplugged", age, 20.0 if self.plugged else 0.0)

    def close(self) -> None:
        self.plugged = False
