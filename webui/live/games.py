"""The face of every game on the page, by its name."""

from __future__ import annotations

from collections.abc import Mapping

from webui.live import dominoids, engine191, euronimoes, line, mexican_train, solo
from webui.live.face import Face

FACES: Mapping[str, Face] = {
    "euronimoes": euronimoes.FACE,
    "engine191": engine191.FACE,
    "dominoids": dominoids.FACE,
    "block": line.BLOCK,
    "all-fives": line.FIVES,
    "matador": line.MATADOR,
    "one-arm-joe": line.ONE_ARM_JOE,
    "knock-out": solo.KNOCK_OUT,
    "elimination": solo.ELIMINATION,
    "solitaire": solo.SOLITAIRE,
    "mexican-train": mexican_train.FACE,
}
