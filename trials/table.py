"""How well the table is read, settled state by settled state, on made-up tables of each game with the truth beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from calibration.profile import Profile
from engine.games import game as game_named
from engine.playout import deal_on
from engine.state import State
from referee.games import OnTable, tiles_of
from referee.session import Session
from simulator.piece_truth import PIECE_KINDS
from simulator.staging.games import set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.staging.players import Stage
from simulator.staging.playing import play_on
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.lying import LYING, Tile
from simulator.tabletop.render import Image, Renderer
from simulator.tabletop.truth import Truth
from vision.detection import same_face
from vision.frame import Frame
from vision.observation import Observation
from vision.reader import Reader
from vision.table.sight import FaceProjection

NEAR_PX = 12.0
"""A tile is where it is said to be within so many pixels: about a third of a half."""

VISIBLE = 0.8
"""Tiles of which less can be seen of either half are not asked for, but may be known."""

MOST_FRAMES = 9
"""Of each state: a little less than a second."""

EARLIER = 30
"""So many actions at most were played before the first picture."""


@dataclass
class Score:
    """Counts over settled states; wrong: what was wrong, by kind, and examples of it."""

    states: int = 0
    unsettled: int = 0
    tiles: int = 0
    right: int = 0
    invented: int = 0
    facedown_states: int = 0
    facedown_right: int = 0
    stacked: int = 0
    stacked_noticed: int = 0
    wrong: Counter[str] = field(default_factory=Counter)

    def add(self, other: Score) -> None:
        """Take another score into this one."""
        for name, value in vars(other).items():
            if name == "wrong":
                self.wrong.update(other.wrong)
            else:
                setattr(self, name, getattr(self, name) + value)

    def as_object(self) -> dict[str, Any]:
        """What `measure-table --json` says."""
        return {**vars(self), "wrong": dict(self.wrong.most_common(20))}


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One settled state: the picture, what was seen in it, what is true, and the comparison; profile: the camera's."""

    image: Image
    seen: Observation
    truth: Truth
    profile: Profile
    score: Score


def measure(game: str, seed: int, reader: Reader, plays: int = 12) -> Score:
    """One table of a game, followed over some plays; `seed` counts within the looks kept for testing."""
    score = Score()
    for moment in moments(game, seed, reader, plays):
        score.add(moment.score)
    return score


def moments(game: str, seed: int, reader: Reader, plays: int) -> Iterator[Moment]:
    """The settled states of one table in which the camera's view is known: a hand or a boneyard may hide its tags."""
    kind = game_named(game)
    rng = Random(seed)
    players = kind.SEATS[0]
    setting = set_table(game, players, TESTING_SEEDS[seed])
    stage = stage_of(game, setting)
    renderer = Renderer(whole_view(setting, np.random.default_rng([seed, 5])), setting.look)
    state = _in_mid_game(kind, players, stage, rng)
    kinds = PIECE_KINDS.get(game, ())
    session = Session(reader, on=OnTable(tiles_of(game), kinds if "coin" in kinds else ()))  # coins may look like tiles
    grain = np.random.default_rng(seed)
    number = 0
    for play in range(plays):
        image, truth = renderer.shoot(stage.lay(state), number=play)
        for picture in film(image, grain):
            seen = session.see(Frame(picture, number / 10, number))
            number += 1
        if session.profile is not None:
            yield Moment(image, seen, truth, session.profile, compare(seen, truth, session.profile))
        play_on(state, stage, rng, 2)
        if state.outcome() is not None:
            break


def _in_mid_game(kind: type[State], players: int, stage: Stage, rng: Random) -> State:
    """A game that has begun and not ended."""
    most = EARLIER
    while True:
        state = kind(None, players)
        deal_on(state, rng)
        play_on(state, stage, rng, rng.randrange(most))
        if state.outcome() is None:
            return state
        most = max(1, most // 2)


def film(image: Image, grain: np.random.Generator) -> Iterator[Image]:
    """The same picture with new noise in every frame."""
    for _ in range(MOST_FRAMES):
        noise = grain.normal(0, 1.5, image.shape[:2]).astype(np.int16)[..., None]
        yield np.asarray(np.clip(image.astype(np.int16) + noise, 0, 255), np.uint8)


def compare(seen: Observation, truth: Truth, profile: Profile) -> Score:
    """One settled state beside the truth."""
    levels = FaceProjection(profile), FaceProjection(profile, 1)
    score = Score(states=1, unsettled=int(not seen.settled))
    places = [levels[bool(tile.under)].to_picture(np.array([tile.center], np.float32))[0] for tile in seen.tiles]
    lying = [shown for shown in truth.shown if isinstance(shown.thing, Tile) and shown.thing.pose == LYING]
    left = set(range(len(places)))
    facedown = 0
    for shown in sorted(lying, key=lambda each: min(each.visible) < VISIBLE):  # those that are asked for come first
        thing = shown.thing
        assert isinstance(thing, Tile)
        middle = shown.outline.mean(axis=0)
        near = [at for at in left if np.linalg.norm(places[at] - middle) < NEAR_PX]
        hit = next((at for at in near if same_face(seen.tiles[at].ends, thing.ends if thing.up else None)), None)
        if hit is not None:
            left.discard(hit)
        if min(shown.visible) < VISIBLE:
            facedown += hit is not None and not thing.up
            continue
        if not thing.up:
            facedown += 1
            score.wrong["face-down tile unseen"] += hit is None
            continue
        score.tiles += 1
        score.right += hit is not None
        if hit is None:
            score.wrong["misread" if near else "unseen, on others" if thing.level else "unseen"] += 1
        if thing.level:
            score.stacked += 1
            score.stacked_noticed += hit is not None and bool(seen.tiles[hit].under)
    covered = {name for tile in seen.tiles for name in tile.under}
    rest = [seen.tiles[at] for at in left if seen.tiles[at].track not in covered]
    score.invented += sum(tile.ends is not None for tile in rest)
    score.wrong["invented face up"] += sum(tile.ends is not None for tile in rest)
    score.wrong["invented face down"] += sum(tile.ends is None for tile in rest)
    score.facedown_states = 1
    score.facedown_right = int(sum(tile.ends is None for tile in seen.tiles) == facedown)
    score.wrong += Counter()
    return score
