"""The pictures of the guide: how each game lies before a camera. `python -m trials.guide`, when the games' tables look otherwise.

Made-up tables, as simulated cameras see them; the page that shows them may import none of that, so they are kept as files.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import cv2
import numpy as np

from engine.games import game
from engine.playout import deal_on
from simulator.staging.games import STAGES, set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.staging.playing import play_on
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.render import Renderer

FOLDER = Path(__file__).parent.parent / "webui" / "static" / "guide"
SIZE = (640, 360)
QUALITY = 62

LOOK = TESTING_SEEDS[11]
"""Light tiles on a dark wooden table: one of the looks that nothing was trained on."""

PLAYS = 12
"""So many tiles have been laid, or moved, since the deal."""

LONGEST = 80
"""Actions after which a picture is taken all the same."""


def guide_picture(name: str) -> bytes:
    """A WebP of that game some plays after its deal."""
    kind, moves = game(name), Random(4)
    players = kind.SEATS[0]
    setting = set_table(name, players, LOOK)
    stage = stage_of(name, setting)
    state = kind(None, players)
    deal_on(state, moves)
    for _ in range(LONGEST):
        play_on(state, stage, moves, 1)
        if sum(action.kind not in ("deal", "draw", "pass", "bid") for action in state.pushed) > PLAYS:
            break
    image, _ = Renderer(whole_view(setting, np.random.default_rng(2)), setting.look).shoot(stage.lay(state))
    small = cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".webp", small, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1])


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name in STAGES:
        (FOLDER / f"{name}.webp").write_bytes(guide_picture(name))


if __name__ == "__main__":
    main()
