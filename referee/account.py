"""The account that a session gives of itself: what it weighed of the table and of the game, with shares, and what it decided."""

from __future__ import annotations

from typing import Any

import cv2

from engine.words import say
from referee.decoder import Explanation
from referee.reading import in_words
from referee.session import Session
from vision.drawing import Mark, draw_marks
from vision.table.watcher import TableWatcher
from vision.table.why import Weighed, Weighing, weighed

MOST = 12
"""So many things are told: what changed and what is least certain."""


def account(session: Session) -> dict[str, Any]:
    """Plain JSON values. `table`: the latest picture that was weighed, its `time` in the camera's seconds, and of each tile in
    doubt or new its number in the picture, words, share of 1, whether it is believed, and what speaks for and against it,
    in nats. `game`: the latest decision, and each likely explanation with its words, share, and what it leaves unexplained.
    """
    weighing, table = _weighing(session), session.table
    decision = table.decided if table is not None else None
    told = weighed(weighing)[:MOST] if weighing is not None else ()
    return {
        "table": {"time": round(weighing.time, 3), "tiles": [_tile(number, each) for number, each in enumerate(told, 1)]}
        if weighing is not None else None,
        "game": {"decision": str(decision.kind), "share": round(decision.best.share, 4),
                 "explanations": [_explanation(each) for each in decision.tried]} if decision is not None else None,
    }


def picture(session: Session) -> bytes | None:
    """The picture (JPEG) that the account tells of, with each of its tiles outlined and numbered; None where there is none."""
    weighing = _weighing(session)
    if weighing is None:
        return None
    marks = [Mark(each.pixels, str(number), each.believed) for number, each in enumerate(weighed(weighing)[:MOST], 1)]
    return bytes(cv2.imencode(".jpg", draw_marks(weighing.image, marks))[1])


def _weighing(session: Session) -> Weighing | None:
    return session.watcher.weighing if isinstance(session.watcher, TableWatcher) else None


def _tile(number: int, each: Weighed) -> dict[str, Any]:
    return {"number": number, "words": _words(each), "ends": each.ends, "share": round(each.share, 4), "believed": each.believed,
            "for": [[what, round(nats, 1)] for what, nats in each.sights if round(nats, 1) > 0],
            "against": [[what, round(-nats, 1)] for what, nats in each.sights if round(nats, 1) < 0]}


def _words(each: Weighed) -> str:
    name = say("A face-down tile") if each.ends is None else say("The {tile}", tile="{}-{}".format(*sorted(each.ends)))
    if each.known:
        return say("{name} still lies on others", name=name) if each.upon else say("{name} still lies there", name=name)
    return say("{name} was laid on others", name=name) if each.upon else say("{name} was laid there", name=name)


def _explanation(each: Explanation) -> dict[str, Any]:
    return {"words": each.said, "share": round(each.share, 4),
            "against": [[in_words(left), round(left.cost, 1)] for left in each.misfit if round(left.cost, 1) > 0]}
